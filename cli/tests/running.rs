//! Verbs that make and run kernels: wrong arguments, what `explain` says, output that nobody reads.

mod support;

use support::{command, error, fails, stdout, targets};

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
        "invalid value 'spx' for '--target <NAME>': expected a target ({}), found `spx`; did you mean \
         `skx` or `spr`?",
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
