//! What `check` compares, says and refuses.

mod support;

use support::{batch, command, retile, stdout};

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
