//! The plans of some named pairs, as text. `RETILE_BLESS=1 cargo test --test golden_plans` rewrites them.
#![cfg(not(miri))] // plans by the dozen

#[path = "common/golden.rs"]
mod golden;

use std::fs;
use std::path::Path;

use retile::{Attr, Layout, Problem, Target};

/// `TARGET SRC DST [attributes]`; the sequences too where the name says so.
fn plan(name: &str, words: &[&str]) -> String {
    let [target, src, dst, attr @ ..] = words else { panic!("{words:?}") };
    let target: Target = target.parse().unwrap();
    let src: Layout = src.parse().unwrap();
    let dst = src.destination(dst).unwrap();
    let (attr, _) = Attr::from_words(attr.iter().copied()).unwrap();
    let (problem, _) = Problem::new(&src, &dst, &attr).unwrap();
    assert_eq!(problem.to_string().parse(), Ok(problem.clone()), "{problem}");
    let plan = retile::plan::plan(&problem, &target);
    if name.ends_with("_listing") { plan.listing() } else { plan.to_string() }
}

#[test]
fn plans_are_as_they_were() {
    let text = |name: &str, words: &[&str]| format!("{}\n{}", words.join(" "), plan(name, words));
    let differ =
        |name: &str, golden: &str, found: &str| format!("--- {name}\n{golden}+++ now\n{found}");
    golden::hold("tests/plans", "txt", text, differ);
}

/// Problem, planner and emitter know nodes, strides and sizes. A name or a shape in them is a defect.
#[test]
fn the_planner_knows_no_format_and_no_shape() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    for module in ["problem", "plan", "shuffle", "emit"] {
        files.push(source.join(format!("{module}.rs")));
        let mut folders = vec![source.join(module)];
        while let Some(folder) = folders.pop() {
            let entries = fs::read_dir(folder).expect("a planner module is missing");
            let (inner, own): (Vec<_>, Vec<_>) =
                entries.map(|entry| entry.unwrap().path()).partition(|path| path.is_dir());
            folders.extend(inner);
            files.extend(own);
        }
    }
    let names: Vec<&str> = retile::known_names()
        // What is refused, `any` for one, and one or two letters are words of any language.
        .filter(|row| row.name.len() > 2 && !row.format.starts_with("refused"))
        .map(|row| row.name)
        .collect();
    // Its own tests may name what they like.
    for file in files.into_iter().filter(|file| !file.ends_with("tests.rs")) {
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        for (i, line) in code.lines().enumerate().filter(|line| !line.1.trim().starts_with("//")) {
            let at = format!("{}:{}: {line}", file.display(), i + 1);
            for word in line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
                assert!(!names.contains(&word), "{at}\nnames a format");
                let extents: Vec<&str> = word.split('x').collect();
                let numbers =
                    extents.iter().all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()));
                assert!(extents.len() < 2 || !numbers || extents[0] == "0", "{at}\nnames a shape");
            }
        }
    }
}

/// Edges do not multiply: the boxes and nests of any pair are few, and so is its planning.
#[test]
fn plans_stay_short() {
    for (line, most) in [
        ("u8:ab:65537x257 ba", 1),
        ("f32:nchw:1x17x13x13 nChw16c", 3),
        ("u8:abcd:9x9x9x9 ABCD4a4b4c4d", 60),
        ("u8:abcdefghijkl:3x3x3x3x3x3x3x3x3x3x3x3 ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l", 400),
        ("u8:abcdef:5x5x5x5x5x5 abcdef:lower=1,1,1,1,1,1:upper=1,1,1,1,1,1:fill=1", 400),
    ] {
        let (src, dst) = line.split_once(' ').unwrap();
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        let (problem, _) = Problem::new(&src, &dst, &Attr::new()).unwrap();
        let plan = retile::plan::plan(&problem, &Target::portable());
        let nests = plan.boxes.iter().map(|one| one.nests.len()).sum::<usize>();
        assert!(nests <= most, "{line}: {nests} nests");
        let written: usize = dst.cells().count();
        assert_eq!(plan.bytes_written(), written * dst.dtype().size(), "{line}");
    }
}
