//! What documents say is so: the layouts that the README gives as examples, the modules that docs/architecture.md has,
//! and what pages name and link to.

use std::path::Path;

use retile::{DType, Layout};

#[test]
fn examples_in_tables_parse() {
    let rows = include_str!("../README.md").lines().filter(|line| line.starts_with('|'));
    let spans = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let starts = DType::ALL.map(|dtype| format!("{dtype}:"));
    let mut found = 0;
    for text in spans.filter(|span| starts.iter().any(|start| span.starts_with(start))) {
        if let Err(error) = text.parse::<Layout>() {
            panic!("the README gives {text:?}: {error}");
        }
        found += 1;
    }
    assert!(found >= 10, "found only {found} examples");
}

/// The files of a directory and those below, without their endings: `emit/asm/vex`.
fn modules(of: &Path, within: &str, found: &mut Vec<String>) {
    let entries = std::fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path());
    for path in entries {
        let name = path.file_stem().unwrap().to_str().unwrap();
        match path.is_dir() {
            true => modules(&path, &format!("{within}{name}/"), found),
            false if path.extension().is_some_and(|end| end == "rs") => {
                found.push(format!("{within}{name}"));
            }
            false => {}
        }
    }
}

/// Each module has its word in the architecture, under its path or the end of it.
#[test]
#[cfg_attr(miri, ignore = "looks at files")]
fn the_architecture_has_every_module() {
    let text = include_str!("../docs/architecture.md");
    // The glossary before has some of their names, as words.
    let (_, text) = text.split_once("\n## Modules\n").expect("a part about modules");
    let (text, _) = text.split_once("\n## ").expect("and one behind it");
    let mut found = Vec::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut found);
    assert!(found.len() > 100, "{found:?}");
    let tests =
        |module: &str| module.split('/').any(|part| ["tests", "interleaved"].contains(&part));
    let named = |module: &str| {
        let ends = module.match_indices('/').map(|(at, _)| &module[at + 1..]);
        ends.chain([module]).any(|end| text.contains(&format!("**{end}**")))
    };
    found.retain(|module| module != "lib" && !tests(module) && !named(module));
    assert!(found.is_empty(), "docs/architecture.md has no word on {}", found.join(", "));
}

/// Pages name no module that is not there, and link to none of each other that is not.
#[test]
#[cfg_attr(miri, ignore = "looks at files")]
fn pages_name_what_there_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut known = Vec::new();
    modules(&root.join("src"), "", &mut known);
    let (mut named, mut linked) = (0, 0);
    for page in ["architecture", "shuffles", "arithmetic", "memory"] {
        let text = std::fs::read_to_string(root.join(format!("docs/{page}.md"))).unwrap();
        let bold = text.split("**").skip(1).step_by(2);
        let path = |c: char| c.is_ascii_lowercase() || c == '_' || c == '/';
        // Directories end with a slash.
        let module = |name: &&str| name.contains('/') && !name.ends_with('/');
        for name in bold.filter(module).filter(|name| name.chars().all(path)) {
            let is = |module: &String| *module == name || module.ends_with(&format!("/{name}"));
            assert!(
                known.iter().any(is),
                "docs/{page}.md names a module {name:?}, and there is none"
            );
            named += 1;
        }
        for link in text.split("](").skip(1) {
            let to = link.split(')').next().unwrap();
            assert!(root.join("docs").join(to).exists(), "docs/{page}.md links to {to:?}");
            linked += 1;
        }
    }
    assert!(named > 100 && linked > 5, "found only {named} names and {linked} links");
}
