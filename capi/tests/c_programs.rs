//! libretile as a C user has it: the programs of tests/c built by the system's compilers, warnings
//! denied, against the shared and the static library; and what the shared library exports.

#![cfg(all(unix, not(miri)))]

use std::collections::BTreeSet;
use std::env::{self, consts};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use retile_core::{Attr, Kernel, Layout};

/// What libretile.a needs besides itself (`rustc --print native-static-libs`); the README says so too.
const STATIC_NEEDS: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

/// Where the library of this very profile lies, built by a cargo of its own: tests of a package
/// without a Rust library do not wait for one.
fn library_dir() -> &'static Path {
    static DIR: OnceLock<PathBuf> = OnceLock::new();
    DIR.get_or_init(|| {
        // TARGET/[TRIPLE/]PROFILE/deps/this-test, and TARGET/tmp
        let test = env::current_exe().expect("a test has a path");
        let dir = test.ancestors().nth(2).expect("a test lies in deps").to_path_buf();
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("tmp lies in target");
        let inside = dir.strip_prefix(target).expect("a test lies in the target directory");
        let mut parts: Vec<&str> = inside.iter().filter_map(OsStr::to_str).collect();
        let mut cargo = Command::new(env!("CARGO"));
        cargo.args(["build", "--quiet", "--locked", "--lib", "--package", "retile-capi"]);
        if !cfg!(feature = "listing") {
            cargo.arg("--no-default-features");
        }
        cargo.arg("--manifest-path").arg(in_package("Cargo.toml"));
        cargo.arg("--target-dir").arg(target);
        match parts.pop() {
            Some("debug") => cargo.arg("--profile=dev"),
            profile => cargo.arg("--profile").arg(profile.expect("a directory of a profile")),
        };
        if let Some(triple) = parts.pop() {
            cargo.args(["--target", triple]);
        }
        run(&mut cargo);
        dir
    })
}

fn in_package(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What it printed.
#[track_caller]
fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (out, err) = (&output.stdout, String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{err}", output.status);
    String::from_utf8_lossy(out).into_owned()
}

/// Past the test harness, which keeps what tests print to itself.
fn warn(what: &str) {
    let _ = writeln!(std::io::stderr(), "\nwarning: SKIPPED in capi/tests/c_programs.rs: {what}\n");
}

/// A program of the system, the value of `variable` or `usual`; nothing, loudly, where there is none.
fn tool(variable: &str, usual: &str) -> Option<String> {
    let name = env::var(variable).unwrap_or_else(|_| usual.into());
    if Command::new(&name).arg("--version").output().is_ok_and(|output| output.status.success()) {
        return Some(name);
    }
    warn(&format!("no {usual} here (`{name}`, from {variable} if that is set)"));
    None
}

/// The command that compiles a source, without what to link.
fn compile(source: &Path) -> Option<Command> {
    let (compiler, standard) = match source.extension().and_then(OsStr::to_str) {
        Some("cpp") => (tool("CXX", "c++")?, "-std=c++11"),
        _ => (tool("CC", "cc")?, "-std=c99"),
    };
    let mut command = Command::new(compiler);
    command.args([standard, "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-g", "-pthread"]);
    command.arg("-I").arg(in_package("include")).arg(source);
    Some(command)
}

fn programs() -> Vec<PathBuf> {
    let entries = fs::read_dir(in_package("tests/c")).expect("tests/c");
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    sources.retain(|path| path.extension().is_some_and(|ext| ext == "c" || ext == "cpp"));
    sources.sort();
    assert!(sources.len() > 5, "programs in tests/c");
    sources
}

/// Builds each program with `link`, and runs it.
fn run_all(kind: &str, link: impl Fn(&mut Command)) {
    let mut complaints = String::new();
    for source in programs() {
        let Some(mut compile) = compile(&source) else { return };
        let name = source.file_name().and_then(OsStr::to_str).expect("a name");
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.{kind}"));
        compile.arg("-o").arg(&program);
        link(&mut compile);
        run(&mut compile);
        let output = Command::new(&program).output().expect("the program just built");
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            complaints += &format!("{}: {}\n{said}", program.display(), output.status);
        }
    }
    assert!(complaints.is_empty(), "{complaints}");
}

fn link_shared(compile: &mut Command) {
    let dir = library_dir();
    compile.arg("-L").arg(dir).arg("-lretile");
    compile.arg(format!("-Wl,-rpath,{}", dir.display()));
}

#[test]
fn with_the_shared_library() {
    run_all("shared", link_shared);
}

#[test]
fn with_the_static_library() {
    run_all("static", |compile| {
        compile.arg(library_dir().join("libretile.a")).args(STATIC_NEEDS);
    });
}

/// The first example in C of a page, and what stands behind it.
fn example(page: &str) -> (String, String) {
    let text = fs::read_to_string(in_package("..").join(page)).expect("a page of the repository");
    let (_, after) = text.split_once("\n```c\n").expect("an example in C");
    let (example, after) = after.split_once("\n```\n").expect("its end");
    (format!("{example}\n"), after.to_owned())
}

/// What an example prints; nothing where there is no compiler.
fn printed(example: &str, name: &str) -> Option<String> {
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (tmp.join(format!("{name}.c")), tmp.join(name));
    fs::write(&source, example).expect("a file in the target directory");
    let mut compile = compile(&source)?;
    link_shared(compile.arg("-o").arg(&program));
    run(&mut compile);
    Some(run(&mut Command::new(&program)))
}

/// What stands between two marks.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, after) = text.split_once(from).expect("what is printed");
    after.split_once(to).expect("the end of it").0
}

/// The README's example is a program, and prints what stands below it.
#[test]
fn the_example_of_the_readme() {
    let (example, after) = example("README.md");
    assert!(after.contains(&format!("libretile.a {} ", STATIC_NEEDS.join(" "))), "how to link");
    let Some(said) = printed(&example, "readme") else { return };
    let expected = between(&after, "It prints `avx512vbmi: ", "`");
    assert!(said.ends_with(&format!(": {expected}\n")), "{said}");
}

/// So is that of the C library's own page.
#[test]
fn the_example_of_the_page() {
    let (example, after) = example("docs/c.md");
    let Some(said) = printed(&example, "page") else { return };
    assert_eq!(said, format!("{}\n", between(&after, "It prints `", "`.")));
}

/// C has every word of what the library says of a kernel, as `retile explain` has.
#[test]
fn explanations_are_those_of_the_library() {
    let Some(mut compile) = compile(&in_package("tests/c/explain.c")) else { return };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain");
    link_shared(compile.arg("-o").arg(&program));
    run(&mut compile);
    for (src, dst, mask) in [
        ("f32:nchw:1x64x56x56", "f32:nhwc:1x64x56x56", None),
        ("f32:nchw:2x17x5x9", "s8:nChw16c:2x17x5x9", Some(2)),
        ("u8:digits(ab; a/4 b a%4; flip a):6x3", "u8:ba:6x3", None),
        ("s16:a:0", "s16:a:0", None),
    ] {
        let said = run(Command::new(&program).args([src, dst]).args(mask.map(|m| m.to_string())));
        let (from, to): (Layout, Layout) = (src.parse().unwrap(), dst.parse().unwrap());
        let attr = mask.map_or_else(Attr::new, |mask| Attr::new().dst_scale(mask));
        assert_eq!(said, Kernel::new(&from, &to, &attr).unwrap().explain());
    }
}

/// The library itself is not instrumented, but its allocations are the sanitizer's: handles that
/// leak, are freed twice or used after show.
#[test]
fn under_sanitizers() {
    const SANITIZE: [&str; 2] = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    let tmp = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, program) = (tmp.join("sanitized.c"), tmp.join("sanitized"));
    fs::write(&source, "int main(void) { return 0; }\n").expect("a file in the target directory");
    let Some(mut trial) = compile(&source) else { return };
    trial.args(SANITIZE).arg("-o").arg(&program);
    let works = |command: &mut Command| command.output().is_ok_and(|o| o.status.success());
    if !works(&mut trial) || !works(&mut Command::new(&program)) {
        return warn("this compiler has no address and undefined behaviour sanitizers");
    }
    run_all("sanitized", |compile| {
        compile.args(SANITIZE);
        link_shared(compile);
    });
}

fn symbols() -> BTreeSet<String> {
    let list = fs::read_to_string(in_package("symbols.txt")).expect("symbols.txt");
    list.lines().map(String::from).collect()
}

/// The functions of the header.
fn declared() -> BTreeSet<String> {
    let header = fs::read_to_string(in_package("include/retile.h")).expect("retile.h");
    let calls = header.lines().filter_map(|line| line.strip_prefix("RETILE_API ")?.split_once('('));
    calls.map(|(head, _)| head.rsplit([' ', '*']).next().unwrap_or(head).to_owned()).collect()
}

#[test]
fn exports_are_those_listed() {
    let Some(nm) = tool("NM", "nm") else { return };
    let name = format!("{}retile{}", consts::DLL_PREFIX, consts::DLL_SUFFIX);
    let library = library_dir().join(name);
    let table = run(Command::new(nm).args(["-D", "--defined-only"]).arg(library));
    let found = table.lines().filter_map(|line| line.split_whitespace().nth(2));
    assert_eq!(found.map(String::from).collect::<BTreeSet<_>>(), symbols());
}

#[test]
fn listed_are_those_declared() {
    assert_eq!(declared(), symbols());
}

#[test]
fn listed_are_those_called() {
    let read = |path: &PathBuf| fs::read_to_string(path).expect("a program");
    let programs: String = programs().iter().map(read).collect();
    let missing = |symbol: &String| !programs.contains(&format!("{symbol}("));
    let never: Vec<String> = symbols().into_iter().filter(missing).collect();
    assert!(never.is_empty(), "in no program of tests/c: {never:?}");
}
