//! What the environment asks to see: each in a process of its own, since it is read once.
#![cfg(not(miri))] // other processes

use std::path::PathBuf;
use std::process::{Command, Output};

use retile::{Attr, Isa, Layout, Reorder, Tier, Values};

const CHILD: &str = "RETILE_TEST_SEES";

/// Where the child's map for `perf` is a link to.
#[cfg(target_os = "linux")]
const LINKED: &str = "RETILE_TEST_LINKED";

/// Makes a kernel, finds it again, and runs it twice.
fn work() {
    let src: Layout = "f32:nchw:1x17x9x7".parse().unwrap();
    let dst = src.destination("s8:nChw16c").unwrap();
    for _ in 0..2 {
        let reorder = Reorder::with_attr(&src, &dst, &Attr::new().dst_scale(0)).unwrap();
        let mut target = vec![0i8; dst.size_elements()];
        let scale = Values { dst_scale: &[2.0], ..Values::default() };
        reorder.run_with(&vec![1f32; src.size_elements()], &mut target, &scale).unwrap();
    }
}

/// This test again as a child with these variables.
#[track_caller]
fn child(test: &str, variables: &[(&str, &str)]) -> Option<Output> {
    if std::env::var_os(CHILD).is_some() {
        #[cfg(target_os = "linux")]
        if let Some(to) = std::env::var_os(LINKED) {
            let map = format!("/tmp/perf-{}.map", std::process::id());
            std::os::unix::fs::symlink(to, map).unwrap();
        }
        work();
        println!("pid {}", std::process::id());
        return None;
    }
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([test, "--exact", "--nocapture", "--test-threads=1"]).env(CHILD, "1");
    for name in ["RETILE_VERBOSE", "RETILE_PERF", "RETILE_JIT_DUMP", "RETILE_MAX_ISA"] {
        command.env_remove(name);
    }
    let output = command.envs(variables.iter().copied()).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    Some(output)
}

/// Its lines, each as fields.
fn lines(output: &Output) -> Vec<Vec<String>> {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let own = text.lines().filter(|line| line.starts_with("retile\t"));
    own.map(|line| line.split('\t').map(String::from).collect()).collect()
}

fn tier() -> String {
    Isa::of_this_cpu().tier().to_string()
}

#[test]
fn a_line_for_each_kernel() {
    let Some(output) = child("a_line_for_each_kernel", &[("RETILE_VERBOSE", "1")]) else { return };
    let lines = lines(&output);
    let [line] = &lines[..] else { panic!("{lines:?}") };
    let known = [
        "retile",
        "make",
        &tier(),
        "f32:abcd:1x17x9x7",
        "s8:aBcd16b:1x17x9x7",
        "--dst-scale=common",
    ];
    assert_eq!(line[..6], known);
    assert_eq!(line.len(), 8, "{line:?}");
    let (bytes, micros): (usize, f64) = (line[6].parse().unwrap(), line[7].parse().unwrap());
    assert!(micros > 0.0 && (bytes > 0) == (tier() != "portable"), "{line:?}");
}

#[test]
fn a_line_for_each_run() {
    let Some(output) = child("a_line_for_each_run", &[("RETILE_VERBOSE", "2")]) else { return };
    let lines = lines(&output);
    let what: Vec<&str> = lines.iter().map(|line| &line[1][..]).collect();
    assert_eq!(what, ["make", "run", "run"]);
    assert_eq!(lines[1][6], "1/1");
    assert!(lines[1][7].parse::<f64>().is_ok() && lines[1].len() == 8, "{lines:?}");
}

#[test]
fn nothing_unless_asked() {
    for level in ["0", ""] {
        let variables = [("RETILE_VERBOSE", level)];
        let Some(output) = child("nothing_unless_asked", &variables) else { return };
        assert_eq!(lines(&output), Vec::<Vec<String>>::new());
    }
}

#[test]
fn what_is_not_understood() {
    let variables = [("RETILE_VERBOSE", "yes"), ("RETILE_PERF", "dump")];
    let Some(output) = child("what_is_not_understood", &variables) else { return };
    let ignored = lines(&output);
    assert_eq!(ignored[0], ["retile", "ignored", "RETILE_VERBOSE=yes", "expected 0 or 1 or 2"]);
    assert_eq!(ignored[1], ["retile", "ignored", "RETILE_PERF=dump", "expected map"]);
}

#[test]
fn code_and_listing_in_a_directory() {
    let directory = std::env::temp_dir().join(format!("retile-dump-{}", std::process::id()));
    let path = directory.display().to_string();
    let variables = [("RETILE_JIT_DUMP", &path[..])];
    let Some(_) = child("code_and_listing_in_a_directory", &variables) else { return };
    if Isa::of_this_cpu().tier() == Tier::Portable {
        eprintln!("SKIPPED visibility: this CPU has no tier with code to dump");
        return;
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let [code, listing] = &files[..] else { panic!("{files:?}") };
    let name = code.file_name().unwrap().to_str().unwrap();
    let known = "-0-f32_abcd_1x17x9x7_to_s8_aBcd16b_1x17x9x7_dst_scale_common.bin";
    assert!(name.starts_with("retile-") && name.ends_with(known), "{name}");
    assert!(std::fs::read(code).unwrap().len() > 100);
    let listing = std::fs::read_to_string(listing).unwrap();
    assert!(listing.contains("dst-scale") && listing.starts_with("target "), "{listing}");
    std::fs::remove_dir_all(&directory).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn names_for_perf() {
    let Some(output) = child("names_for_perf", &[("RETILE_PERF", "map")]) else { return };
    if Isa::of_this_cpu().tier() == Tier::Portable {
        eprintln!("SKIPPED visibility: this CPU has no tier with code to name");
        return;
    }
    let out = String::from_utf8(output.stdout).unwrap();
    let pid = out.lines().find_map(|line| line.split("pid ").nth(1)).unwrap();
    let path = format!("/tmp/perf-{}.map", pid.trim());
    let map = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    let fields: Vec<&str> = map.trim_end().splitn(3, ' ').collect();
    assert!(usize::from_str_radix(fields[0], 16).unwrap().is_multiple_of(4096), "{map}");
    assert!(usize::from_str_radix(fields[1], 16).unwrap() > 100, "{map}");
    let known = "retile::f32_abcd_1x17x9x7_to_s8_aBcd16b_1x17x9x7_dst_scale_common";
    assert_eq!(fields[2], known);
}

/// Somebody may have put a link where the names go: what it leads to stays as it is, and it is said so.
#[cfg(target_os = "linux")]
#[test]
fn names_for_perf_follow_no_link() {
    let kept = std::env::temp_dir().join(format!("retile-kept-{}", std::process::id()));
    let variables = [("RETILE_PERF", "map"), (LINKED, kept.to_str().unwrap())];
    let Some(output) = child("names_for_perf_follow_no_link", &variables) else { return };
    let out = String::from_utf8_lossy(&output.stdout);
    let pid = out.lines().find_map(|line| line.split("pid ").nth(1)).unwrap();
    let map = format!("/tmp/perf-{}.map", pid.trim());
    std::fs::remove_file(&map).unwrap();
    let made = std::fs::remove_file(&kept).is_ok();
    assert!(!made, "{map} was followed");
    if Isa::of_this_cpu().tier() != Tier::Portable {
        assert!(
            lines(&output).iter().any(|line| line[1] == "failed" && line[2] == map),
            "{output:?}"
        );
    }
}
