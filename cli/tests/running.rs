//! The verbs that run kernels: what is checked, what is printed, what the exit codes say.

mod support;

use std::io::{ErrorKind, Write};
use std::process::Stdio;

use support::{command, error, fails, retile, stdout, targets};

/// Runs the command on a batch, and returns its exit code and what it printed.
fn batch(args: &[&str], lines: impl AsRef<[u8]>) -> (Option<i32>, String, String) {
    let child =
        command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    // Who refuses at once may be gone before anything is written.
    let written = child.stdin.take().unwrap().write_all(lines.as_ref());
    assert!(written.is_ok() || written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe));
    let output = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[test]
fn check_compares_one_pair() {
    let text = stdout(&["check", "f32:nchw:1x17x5x3", "s8:nChw16c", "--dst-scale=mask:2"]);
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("checked 1 pair on portable"), "{text}");
    assert!(last.ends_with("no failures"), "{text}");
    let text = stdout(&["check", "u8:ab:3x5", "ba", "--tier", "portable", "--seed", "3"]);
    let first = "checked 1 pair on portable, seed 3: 1 kernel, 4 runs, 60 bytes compared, ";
    assert!(text.starts_with(first), "{text}");
}

#[test]
fn check_goes_on_behind_a_wrong_line() {
    let lines =
        "# comment\nu8:ab:3x5 ba\n\nf32:nchw:1x3x4 nhwc\nf32:a:3 s64:a\nf32:a:3\nu8:ab:5x3 ba\n";
    let (code, out, said) = batch(&["check", "--batch", "-", "--tier", "portable"], lines);
    assert_eq!(code, Some(1), "{out}{said}");
    assert_eq!(said, "retile: 3 of 5 failed\n");
    let expected = "\
FAILED f32:nchw:1x3x4 nhwc
  refused, in line 4: expected the dims of `nchw`, which has 4, not 3, found `1x3x4`
FAILED f32:a:3 s64:a
  refused, in line 5: no conversion from f32 to s64
FAILED f32:a:3
  refused, in line 6: expected two layouts and attributes, found `f32:a:3`
checked 2 pairs on portable, seed 1: 2 kernels, 8 runs, 120 bytes compared, ";
    assert!(out.starts_with(expected), "{out}");
    assert!(out.ends_with("3 failures\n"), "{out}");
}

#[test]
fn check_refuses_what_is_no_text_where_it_stands() {
    let lines = b"\xef\xbb\xbfu8:ab:3x5 ba # first\nu8:a\xff:3 a\nu8:ab:5x3 ba\n";
    let (code, out, said) = batch(&["check", "--batch", "-", "--tier", "portable"], lines);
    assert_eq!((code, &*said), (Some(1), "retile: 1 of 3 failed\n"), "{out}");
    assert!(out.contains("refused, in line 2: "), "{out}");
    assert!(out.contains("checked 2 pairs on portable"), "{out}");
}

#[test]
fn check_draws_the_same_pairs_from_a_seed() {
    let drawn = |seed: &str| {
        let output =
            retile(&["check", "--random", "50", "--seed", seed, "--tier", "portable", "-v"]);
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{said}");
        let out = String::from_utf8(output.stdout).unwrap();
        assert!(out.contains("checked 50 pairs on portable, seed "), "{out}");
        let counted = out.lines().last().unwrap().rsplit_once(" compared").unwrap().0.to_string();
        (said, counted)
    };
    let (pairs, counted) = drawn("11");
    assert!(pairs.lines().count() >= 50);
    assert_eq!((pairs.clone(), counted), drawn("11"));
    assert_ne!(pairs, drawn("12").0);
}

/// What is drawn for a pair does not depend on what stands before it: a failure is shown again alone.
#[test]
fn check_reads_the_pairs_that_it_draws() {
    let output = retile(&["check", "--random", "20", "--tier", "portable", "-v"]);
    let pairs = String::from_utf8(output.stderr).unwrap();
    let last =
        |out: &str| out.lines().last().unwrap().rsplit_once(" compared").unwrap().0.to_string();
    let random = last(std::str::from_utf8(&output.stdout).unwrap());
    let (code, out, said) = batch(&["check", "--batch", "-", "--tier", "portable"], &pairs);
    // A batch fails for what a random run leaves out.
    let refused = out.lines().filter(|line| line.starts_with("FAILED")).count();
    assert_eq!(code, Some((refused > 0) as i32), "{out}{said}");
    assert_eq!(last(&out), random, "{out}");
}

#[test]
fn tiers_that_are_not_here_are_said() {
    let capped = |args: &[&str]| command(args).env("RETILE_MAX_ISA", "portable").output().unwrap();
    let output = capped(&["check", "u8:ab:3x5", "ba"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{said}");
    for (line, tier) in said.lines().zip(["avx2", "avx512", "avx512vbmi"]) {
        assert!(line.starts_with(&format!("skipped {tier}: ")), "{said}");
        assert!(line.ends_with(" no more than portable"), "{said}");
    }
    let output = capped(&["check", "u8:ab:3x5", "ba", "--tier", "avx2"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(said.ends_with("retile: none of the tiers asked for is here\n"), "{said}");
}

/// What is planned for other machines is checked on this one.
#[test]
fn targets_are_checked_as_far_as_they_are_here() {
    let capped = |args: &[&str]| {
        let output = command(args).env("RETILE_MAX_ISA", "avx2").output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    let pair = ["check", "u8:ab:3x5", "ba"];
    let with = |targets: &[&str]| {
        let more = targets.iter().flat_map(|target| ["--target", target]);
        capped(&pair.into_iter().chain(more).collect::<Vec<_>>())
    };
    let (code, out, said) = with(&["portable", "zen4"]);
    assert_eq!(code, Some(0), "{out}{said}");
    assert!(out.starts_with("checked 1 pair on portable, seed 1: 1 kernel, "), "{out}");
    assert!(said.starts_with("skipped zen4: ") && said.ends_with(" no more than avx2\n"), "{said}");
    let (code, _, said) = with(&["zen4"]);
    assert_eq!(code, Some(1));
    assert!(said.ends_with("retile: none of the targets asked for can be run here\n"), "{said}");
    // Two machines, for which a plan is another.
    let two = ["--target", "haswell", "--target", "zen5:avx2"];
    let check = [&["check", "f32:ab:256x256", "ba"], &two[..]].concat();
    let (code, out, said) = capped(&check);
    match code {
        Some(0) => assert!(out.starts_with("checked 1 pair on haswell, zen5:avx2, "), "{out}"),
        _ => assert!(said.contains("skipped haswell: "), "{said}"),
    }
}

#[test]
fn wrong_arguments_exit_with_2() {
    let missing = "the following required arguments were not provided:";
    fails(&["check"], 2, missing);
    fails(&["check", "u8:a:3"], 2, missing);
    let stray = "belongs to SRC DST; lines of a file have their own";
    fails(&["check", "--batch", "-", "--sum=1"], 2, &format!("--sum {stray}"));
    fails(&["check", "--random", "5", "--src-zp=-1"], 2, &format!("--src-zp {stray}"));
    fails(&["bench", "--batch", "-", "--comp=s8s8:1"], 2, &format!("--comp {stray}"));
    fails(&["bench", "--overhead", "--sum=1"], 2, &format!("--sum {stray}"));
    fails(&["check", "--sum=1"], 2, missing);
    let twice = "expected --sum said once, found `--sum`";
    fails(&["check", "u8:ab:3x5", "ba", "--sum=1", "--sum=1"], 2, twice);
    let many = "--src-scale needs 281474976710656 values, of which at most 1073741824 are drawn";
    fails(&["check", "f32:ab:0x281474976710656", "ba", "--src-scale=mask:2"], 2, many);
    fails(
        &["check", "u8:ab:3x5", "abc"],
        2,
        "expected the dims of `abc`, which has 3, not 2, found `3x5`",
    );
    fails(&["check", "f32:a:3", "s64:a"], 1, "no conversion from f32 to s64");
    let tier = "invalid value 'avx3' for '--tier <TIER>': expected a tier (portable, avx2, avx512, avx512vbmi), found `avx3`";
    fails(&["check", "u8:a:3", "a", "--tier", "avx3"], 2, tier);
    let other = "the argument '--target <NAME>' cannot be used with '--tier <TIER>'";
    fails(&["check", "u8:a:3", "a", "--target", "spr", "--tier", "avx2"], 2, other);
    let both = "the argument '--batch <FILE>' cannot be used with '--random <N>'";
    fails(&["check", "--batch", "-", "--random", "3"], 2, both);
    for (verb, more) in [
        ("check", &[][..]),
        // Before oneDNN is looked for, and before anything is timed.
        ("check", &["--onednn", "no/such/libdnnl.so"]),
        ("bench", &["--onednn", "no/such/libdnnl.so"]),
        ("bench", &["--overhead"]),
    ] {
        let said = error(&[&[verb, "--batch", "no/such/file"], more].concat(), 1);
        assert!(said.starts_with("retile: no/such/file: "), "{said}");
    }
    for (args, message) in [
        (
            ["--random", "0"],
            "invalid value '0' for '--random <N>': expected a number of conversions, from 1 to ",
        ),
        (
            ["--random", "abc"],
            "invalid value 'abc' for '--random <N>': expected a number of conversions, from 1 to ",
        ),
        (
            ["--seed", "18446744073709551616"],
            "invalid value '18446744073709551616' for '--seed <S>': expected a number from 0 to 18446744073709551615",
        ),
    ] {
        for verb in &["check", "bench"][..if args[0] == "--seed" { 2 } else { 1 }] {
            let said = error(&[&[*verb, "u8:a:3", "a"][..], &args].concat(), 2);
            assert!(said.starts_with(&format!("retile: {message}")), "{said}");
        }
    }
}

#[test]
fn bench_prints_json_lines() {
    let lines = "u8:nhwc:1x3x8x8 nchw\nf32:ab:64x48 s8:ba --dst-scale=mask:2\nf32:a:0 a\n";
    let args = ["bench", "--batch", "-", "--rounds", "2", "--json", "--tier", "portable"];
    let (code, out, said) = batch(&args, lines);
    assert_eq!((code, said.as_str()), (Some(0), ""), "{out}");
    let rows: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3);
    for (row, (pair, bytes)) in rows.iter().zip([
        ("u8:nhwc:1x3x8x8 nchw", 2 * 192),
        ("f32:ab:64x48 s8:ba --dst-scale=mask:2", 5 * 64 * 48),
        ("f32:a:0 a", 0),
    ]) {
        assert_eq!(row["pair"], pair);
        assert_eq!(row["bytes"], bytes);
        assert_eq!(row["tier"], "portable");
        assert_eq!(row["runs_on"], "portable");
        assert_eq!(row["target"], "portable");
        assert_eq!(row["rounds"], 2);
        for number in ["plan_ns", "make_ns", "run_ns", "ratio"] {
            assert!(row[number].as_f64().unwrap() > 0.0, "{number}: {row}");
        }
        assert!(row["run_ns_least"].as_f64() <= row["run_ns_most"].as_f64());
        assert!(row["clock_ghz"].as_f64().unwrap() > 0.1, "{row}");
        assert!(row["predicted_gbs"].is_null() && row["bound"].is_null(), "{row}");
    }
}

/// What the model says follows from the cycles that `explain` prints.
#[test]
fn bench_prints_what_the_model_says() {
    let args = ["bench", "f32:nchw:1x64x56x56", "nChw16c", "--rounds", "1", "--json"];
    let row: serde_json::Value = serde_json::from_str(&stdout(&args)).unwrap();
    let target = row["target"].as_str().unwrap();
    if row["runs_on"] == "portable" {
        println!("SKIPPED the model of tiles: this CPU runs none");
        return;
    }
    let text = stdout(&["explain", args[1], args[2], "--target", target]);
    let (before, _) = text.split_once(" cycles by ports, ").unwrap();
    let ports: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    let (before, _) = text.split_once(" by memory;").unwrap();
    let memory: f64 = before.rsplit(' ').next().unwrap().parse().unwrap();
    assert_eq!(row["bound"], if ports > memory { "ports" } else { "memory" });
    let nanoseconds = ports.max(memory) / row["clock_ghz"].as_f64().unwrap();
    let expected = row["bytes"].as_f64().unwrap() / nanoseconds;
    assert!((row["predicted_gbs"].as_f64().unwrap() / expected - 1.0).abs() < 1e-9, "{row}");
}

#[test]
fn bench_writes_a_page() {
    let directory = std::env::temp_dir().join(format!("retile-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let page = directory.join("page.md");
    let page = page.to_str().unwrap();
    let lines = "# never\n# bytes\nu8:nhwc:1x3x8x8 nchw\nfoo\n# f32 matrices\nf32:ab:128x128 ba\n";
    let args = ["bench", "--batch", "-", "--rounds", "1", "--tier", "portable", "--markdown", page];
    let (code, out, said) = batch(&args, lines);
    assert_eq!(code, Some(1), "{out}{said}");
    assert!(out.contains("\ngeometric means, portable:\n"), "{out}");
    let text = std::fs::read_to_string(page).unwrap();
    let command = format!("`retile bench --batch - --markdown {page} --tier portable --rounds 1`");
    assert!(
        text.starts_with(&format!("<!-- Generated: {command} writes this page. -->\n")),
        "{text}"
    );
    let heads: Vec<&str> = text.lines().filter(|line| line.starts_with('#')).collect();
    let expected = ["# Performance", "## Geometric means, portable", "## Bytes", "## f32 matrices"];
    assert_eq!(heads, expected);
    assert!(text.contains("\n| `f32:ab:128x128 ba` | 128.0 | "), "{text}");
    // Far from a copy, unless another program kept the copy from running.
    assert!(!text.contains("\n- `") || text.contains(" on the portable tier"), "{text}");
    std::fs::remove_dir_all(&directory).unwrap();
    // What cannot be written is known before anything is timed.
    let (code, out, said) = batch(&args, "u8:a:3 a\n");
    assert_eq!((code, &*out), (Some(1), ""), "{said}");
    assert!(said.starts_with(&format!("retile: {page}: ")), "{said}");
    let both = "the argument '[SRC]' cannot be used with '--markdown <FILE>'";
    fails(&["bench", "u8:a:3", "a", "--markdown", page], 2, both);
}

/// What is read stays, and so does a page where nothing was timed.
#[test]
fn bench_destroys_nothing() {
    let directory = std::env::temp_dir().join(format!("retile-kept-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let file = |name: &str, text: &str| {
        let path = directory.join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let (pairs, page) = (file("pairs.txt", "f32:ab:2x3 ba\n"), file("page.md", "a page\n"));
    let again = format!("{}/./pairs.txt", directory.display());
    for same in [&pairs, &again] {
        let args = ["bench", "--batch", &pairs, "--markdown", same, "--rounds", "1"];
        let what = "the conversions are read from it, and a page would take their place";
        fails(&args, 2, &format!("{same}: {what}"));
    }
    assert_eq!(std::fs::read_to_string(&pairs).unwrap(), "f32:ab:2x3 ba\n");
    let args = ["bench", "--batch", "-", "--markdown", &page, "--rounds", "1"];
    let (code, _, said) = batch(&args, "f32:ab:2x3 bc\x1b[31m\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("`bc\\u{1b}[31m`"), "shown, not done: {said}");
    assert_eq!(std::fs::read_to_string(&page).unwrap(), "a page\n");
    std::fs::remove_dir_all(&directory).unwrap();
    let what = "invalid value '-' for '--markdown <FILE>': a page needs a file: the tables go to standard output";
    fails(&["bench", "--batch", "-", "--markdown", "-"], 2, what);
}

/// Repeated elements of a source count once, padding of a destination counts, gaps do not.
#[test]
fn bench_counts_what_moves() {
    for (src, dst, bytes) in [
        ("f32:strides(0,1):5x8", "ab", 4 * (8 + 40)),
        ("f32:nchw:1x9x2x2", "nChw8c", 4 * (36 + 64)),
        ("u8:ab:4x4", "strides(10,1)", 32),
        ("s8:ab:4x4", "ab", 32),
    ] {
        let row = stdout(&["bench", src, dst, "--rounds", "1", "--json", "--tier", "portable"]);
        let row: serde_json::Value = serde_json::from_str(&row).unwrap();
        assert_eq!(row["bytes"], bytes, "{row}");
    }
}

#[test]
fn bench_prints_a_table_and_means() {
    let lines = "u8:nhwc:1x3x8x8 nchw\nfoo\nf32:ab:128x128 ba\n";
    let args = ["bench", "--batch", "-", "--rounds", "1", "--tier", "portable", "--threads", "2"];
    let (code, out, said) = batch(&args, lines);
    assert_eq!(code, Some(1), "{out}{said}");
    let foo = "line 2: foo: expected two layouts and attributes, found `foo`\n";
    // Where there is but one CPU that is said first.
    let waits = "2 threads on 1 CPUs: they wait for one another\n";
    let said = said.strip_prefix(waits).unwrap_or(&said);
    assert_eq!(said, format!("{foo}retile: 1 of 3 failed\n"));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].starts_with("pair ") && lines[0].ends_with(" ratio  spread"), "{out}");
    assert!(lines[1].starts_with("u8:nhwc:1x3x8x8 nchw  portable "), "{out}");
    assert!(lines[2].starts_with("f32:ab:128x128 ba     portable "), "{out}");
    assert_eq!(lines[3..5], ["", "geometric means, portable:"]);
    assert!(lines[5].starts_with("  all ") && lines[5].ends_with(" of naive, 2 pairs"), "{out}");
    assert!(lines[6].starts_with("  up to 32 KiB ") && lines[6].ends_with(", 1 pair"), "{out}");
    fails(&["bench"], 2, "the following required arguments were not provided:");
    fails(&["bench", "f32:a:3", "a", "--seconds", "-1"], 2, "unexpected argument '-1' found");
}

#[test]
fn bench_says_where_there_is_no_onednn() {
    let args = ["bench", "f32:ab:3x5", "ba", "--rounds", "1", "--tier", "portable", "--json"];
    let absent = "no/such/libdnnl.so";
    let run = |more: &[&str], variable: &str| {
        let args = [&args[..], more].concat();
        let output = command(&args).env("RETILE_ONEDNN", variable).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), said)
    };
    for (more, variable) in [(&["--onednn", absent][..], "none"), (&[], absent)] {
        let (code, out, said) = run(more, variable);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{said}");
        let first = format!("retile: oneDNN cannot be used: {absent}: ");
        assert!(said.starts_with(&first) && said.lines().count() == 1, "{said}");
    }
    for (more, variable) in [(&["--onednn", "none"][..], absent), (&[], "none")] {
        let (code, out, said) = run(more, variable);
        assert_eq!((code, said.as_str()), (Some(0), ""));
        assert!(out.contains(r#""onednn_gbs":null,"onednn_agrees":null"#), "{out}");
    }
    // The system may have one.
    let (code, out, said) = run(&[], "");
    assert_eq!(code, Some(0), "{said}");
    let skipped = said.starts_with("skipped onednn: ") && said.lines().count() == 1;
    assert_eq!(skipped, out.contains(r#""onednn_gbs":null"#), "{out}{said}");
}

/// Each kind of layout that oneDNN can be told of means the same to it: it writes the same bytes.
#[test]
fn bench_compares_with_onednn() {
    let library = std::env::var("RETILE_ONEDNN").unwrap_or_default();
    if library.is_empty() || library == "none" {
        println!("SKIPPED oneDNN beside ours: RETILE_ONEDNN names no library");
        return;
    }
    let pairs = [
        ("f32:nchw:1x17x13x13 nChw16c", true),
        ("f32:nChw16c:2x17x5x3:offset=7 nChw8c:offset=3", true),
        ("u8:b_fs_yx_fsv16:1x24x5x3 b_fs_yx_fsv32", true),
        ("s8:oihw:32x30x3x3 OIhw4i16o4i", true),
        ("bf16:nchw:1x5x2x2:in=2x9x5x7:at=1,3,2,2 nhwc", true),
        ("s32:strides(0,1):5x8 ba", true),
        ("f32:ab:8x40 ba:offset=5", true),
        ("f32:ab:9x5 s8:ba", true),
        ("s64:ab:3x5 ba", false),
        ("f32:ab:3x5 s8:ba --dst-scale=mask:2", false),
        ("f32:strides(-4,1):3x4:offset=8 ba", false),
        ("f32:nchw:1x3x4x4 nchw:upper=0,0,1,1", false),
    ];
    let lines: String = pairs.iter().flat_map(|(line, _)| [*line, "\n"]).collect();
    let args = ["bench", "--batch", "-", "--rounds", "1", "--json", "--onednn", &library];
    let (code, out, said) = batch(&args, &lines);
    assert_eq!((code, said.as_str()), (Some(0), ""), "{out}");
    for (row, (line, runs)) in out.lines().zip(pairs) {
        let row: serde_json::Value = serde_json::from_str(row).unwrap();
        assert_eq!(row["onednn_agrees"].as_bool(), runs.then_some(true), "{line}: {row}");
        assert_eq!(row["onednn_gbs"].as_f64().is_some_and(|gbs| gbs > 0.0), runs, "{line}: {row}");
    }
}

/// A few hundred pairs beside oneDNN: whatever differs does so by a rule that docs/onednn.md has.
#[test]
fn check_asks_onednn_for_a_second_opinion() {
    let library = std::env::var("RETILE_ONEDNN").unwrap_or_default();
    if library.is_empty() || library == "none" {
        // Past the harness, which keeps what is printed for tests that fail.
        let said = b"SKIPPED a second opinion of oneDNN: RETILE_ONEDNN names no library\n";
        _ = std::io::Write::write_all(&mut std::io::stderr(), said);
        return;
    }
    let check = |more: &[&str]| {
        let output = command(&[&["check", "--onednn", &library][..], more].concat()).output();
        let output = output.unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), said)
    };
    let (code, out, said) = check(&["--random", "300", "--seed", "11"]);
    assert_eq!((code, said.as_str()), (Some(0), ""), "{out}");
    let last = out.lines().last().unwrap();
    assert!(last.starts_with("compared 300 pairs with oneDNN 3."), "{out}");
    assert!(last.ends_with(" differ by documented rules, none otherwise"), "{out}");
    // What oneDNN is not asked is said.
    let (code, out, _) = check(&["s8:ab:8x8", "ba", "--comp=s8s8:1"]);
    let first = "not to be had of oneDNN: 1 pair\n        1  compensation, ";
    assert!(code == Some(0) && out.starts_with(first), "{out}");
    // Each of the old values is there, and so is the rule that says why there is another.
    let (code, out, _) = check(&["f32:ab:17x9", "AB16a16b", "--sum=1"]);
    assert!(code == Some(0) && out.contains("\ntail-computed "), "{out}");
}

#[test]
fn check_says_that_there_is_no_onednn() {
    let absent = "no/such/libdnnl.so";
    let said = |library: &str| {
        let output = retile(&["check", "f32:a:3", "a", "--onednn", library]);
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, text) = said(absent);
    let first = format!("retile: oneDNN cannot be used: {absent}: ");
    assert!(code == Some(1) && text.starts_with(&first), "{text}");
    assert_eq!(said("none"), (Some(1), "retile: no oneDNN to compare with\n".into()));
}

/// Word for word what the library says of the kernel, which is what C has from `retile_kernel_explain`.
#[test]
fn explain_says_what_kernels_say() {
    for (src, dst, words, attr) in [
        ("f32:abcd:1x64x56x56", "f32:acdb:1x64x56x56", &[][..], retile::Attr::new()),
        (
            "f32:abcd:2x17x5x9",
            "s8:aBcd16b:2x17x5x9",
            &["--dst-scale=mask:2"],
            retile::Attr::new().dst_scale(2),
        ),
    ] {
        let text = stdout(&[&["explain", src, dst], words].concat());
        let kernel = retile::Kernel::new(&src.parse().unwrap(), &dst.parse().unwrap(), &attr);
        assert_eq!(text, kernel.unwrap().explain());
    }
}

#[test]
fn explain_says_target_bounds_tiles_and_plan() {
    let explain = |more: &[&'static str]| {
        stdout(&[&["explain", "f32:nchw:1x64x56x56", "nhwc"][..], more].concat())
    };
    let text = explain(&["--target", "zen5", "--locality", "stream"]);
    for part in [
        "pair     f32:nchw:1x64x56x56 nhwc\n",
        "target   zen5, avx512vbmi\n",
        "moves    1605632 bytes: 802816 read, 802816 written\n",
        "\nbounds   ",
        "\nnest tile    loads shuffles   blends   stores ",
        "\ntarget zen5 (avx512vbmi, ",
        "\n    stores stream",
        "\nnest 1 tile 1\n",
    ] {
        assert!(text.contains(part), "{part:?} in {text}");
    }
    let text = explain(&["--target", "spr:avx2"]);
    assert!(text.contains("target   spr:avx2, avx2\n"), "{text}");
    assert!(text.contains("\ntarget spr:avx2 (avx2, 48 KiB L1, 2048 KiB L2)\n"), "{text}");
    // This microarchitecture, or where that lacks the tier, none in particular.
    assert!(explain(&["--tier", "avx2"]).contains(", avx2\n"));
    assert!(explain(&["--tier", "portable"]).contains("target   portable, portable\n"));
    let capped = ["explain", "u8:ab:3x5", "ba", "--target", "spr"];
    let output = command(&capped).env("RETILE_MAX_ISA", "portable").output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("; it cannot run this: "), "{said}");
    let target = format!(
        "invalid value 'spx' for '--target <NAME>': expected a target ({}), found `spx`",
        targets()
    );
    fails(&["explain", "u8:a:3", "a", "--target", "spx"], 2, &target);
}

/// Where standard error cannot be written, what is said there is lost, and nothing else.
#[test]
#[cfg(target_os = "linux")]
fn nobody_has_to_listen() {
    for args in [
        &["check", "-v", "--random", "3", "--tier", "portable"][..],
        &["bench", "u8:ab:3x5", "ba", "--rounds", "1", "--tier", "portable", "--threads", "64"],
    ] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = command(args).stderr(full).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!output.stdout.is_empty(), "{args:?}");
    }
}

/// What nobody can have read is no success.
#[test]
#[cfg(target_os = "linux")]
fn a_full_device_is_a_failure() {
    for args in [&["--help"][..], &["--version"], &["layout", "f32:ab:2x3"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_retile"));
        let output = command.args(args).stdout(full).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let first = "retile: standard output: No space left";
        assert!(said.starts_with(first), "{args:?}: {said}");
    }
}
