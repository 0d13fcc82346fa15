//! The command as shells and scripts meet it: exit codes, messages, JSON, pipes.

mod support;

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use support::{command, fails, retile, stdout, targets};

#[test]
fn wrong_texts_exit_with_2() {
    for verb in ["layout", "show"] {
        fails(
            &[verb, "f32:nChw8c"],
            2,
            "expected a layout, DTYPE:FORMAT:DIMS (the dims are missing), found `f32:nChw8c`",
        );
        fails(
            &[verb, "f32:nchw:1x2x3"],
            2,
            "expected the dims of `nchw`, which has 4, not 3, found `1x2x3`",
        );
        fails(
            &[verb, "f32:nchw:1x2x3x4", "--at", "0,0,0,4"],
            2,
            "coordinate 4 of dim d is outside 0..4",
        );
        fails(
            &[verb, "f32:nchw:1x2x3x4", "--at", "-1,0,0,0"],
            2,
            "coordinate -1 of dim a is outside 0..1",
        );
        fails(&[verb, "f32:nchw:1x2x3x4", "--at", "0,0"], 2, "2 coordinates given for 4 dims");
        fails(
            &[verb, "f32:nchw:0x2x3x4", "--at", "0,0,0,0"],
            2,
            "coordinate 0 of dim a is outside 0..0",
        );
        fails(
            &[verb, "f32:nchw:1x2x3x4", "--at", "0,y,0,0"],
            2,
            "invalid value '0,y,0,0' for '--at <N,N,..>': `y` is not a coordinate, a whole number",
        );
        fails(
            &[verb, "f32:nchw:1x2x3x4", "--at", "0,0,0,99999999999999999999"],
            2,
            "invalid value '0,0,0,99999999999999999999' for '--at <N,N,..>': no dim is long enough for \
             `99999999999999999999`",
        );
    }
    let output = retile(&["show", "f32:nchv:1x2x3x4"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("found `nchv`") && said.contains("`nchw`"), "{said}");
}

#[test]
fn wrong_arguments_exit_with_2() {
    fails(&["paint"], 2, "unrecognized subcommand 'paint'");
    fails(&["show"], 2, "the following required arguments were not provided:");
    fails(&["show", "f32:a:1", "--json"], 2, "unexpected argument '--json' found");
    fails(
        &["show", "f32:a:1", "--width", "3"],
        2,
        "invalid value '3' for '--width <N>': 3 is not in 20..=65535",
    );
    let output = retile(&[]);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty() && !output.stderr.is_empty());
}

#[test]
fn what_is_refused_exits_with_1() {
    fails(
        &["layout", "u8:nv12:1x3x4x4"],
        1,
        "`nv12` is refused: two planes of different element sizes are two tensors",
    );
}

#[test]
fn strides_beyond_searching_exit_with_1() {
    let text = "u8:strides(97,89,83,79,73,71,67,61):40x40x40x40x40x40x40x40";
    fails(
        &["show", text, "--at", "20,20,20,20,20,20,20,20"],
        1,
        "the strides of this layout overlap in more ways than can be searched for a picture",
    );
}

#[test]
fn help_and_version_are_no_failures() {
    let help = stdout(&["--help"]);
    assert!(help.contains("retile show f32:nChw8c:1x11x2x3 --at 0,9,1,2"), "{help}");
    for verb in ["layout", "show"] {
        let help = stdout(&[verb, "--help"]);
        assert!(help.contains("Examples:\n  retile ") && help.contains("--at"), "{help}");
    }
    for variable in ["MAX_ISA", "VERBOSE", "JIT_DUMP", "PERF", "ONEDNN"] {
        assert!(help.contains(&format!("\n  RETILE_{variable} ")), "{variable}: {help}");
    }
    for verb in ["layout", "show", "plan", "check", "bench", "explain"] {
        let help = stdout(&[verb, "--help"]);
        assert!(help.contains("\nA layout is DTYPE:FORMAT:DIMS[:OPTION]..\n"), "{help}");
    }
    let version = format!("retile {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(stdout(&["--version"]), version);
}

/// The examples that the help texts give work as they stand.
#[test]
fn examples_in_help_run() {
    let mut run = 0;
    for verb in ["", "layout", "show", "plan", "check", "bench", "explain", "names"] {
        let help = match verb {
            "" => stdout(&["--help"]),
            verb => stdout(&[verb, "--help"]),
        };
        let examples = help.lines().filter_map(|line| line.strip_prefix("  retile "));
        // Files of pairs are the reader's own.
        for line in examples.filter(|line| !line.contains("--batch")) {
            let line = line.split('|').next().unwrap();
            let args: Vec<&str> =
                line.split_whitespace().map(|arg| arg.trim_matches('\'')).collect();
            stdout(&args);
            run += 1;
        }
    }
    assert!(run >= 27, "{run} examples");
}

#[test]
fn json_is_one_object() {
    let text =
        stdout(&["layout", "u8:bf8_xy16:2x9x5x5:offset=3:fill=nan", "--at", "1,8,3,4", "--json"]);
    assert_eq!(text.lines().count(), 1);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["size_bytes"], 1027);
    assert_eq!(json["padded_dims"], serde_json::json!([2, 16, 5, 5]));
    assert_eq!(json["padding"]["cells"], 1024);
    assert_eq!(json["padding"]["tails"], 1024 - 450);
    assert_eq!(json["fill"], "NaN");
    assert_eq!(json["strides"], serde_json::Value::Null);
    assert_eq!(json["destination"], true);
    assert_eq!(json["digits"][2]["digit"], "cd/16");
    assert_eq!(json["digits"][2]["dims"], serde_json::json!([2, 3]));
    assert_eq!(json["at"]["offset"], 902);
    let text = stdout(&["layout", "u8:strides(0,1):3x4", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(json["destination"], false);
    assert!(json["destination_fault"].as_str().unwrap().contains("dim a"));
    assert_eq!(json["strides"], serde_json::json!([0, 1]));
}

#[test]
fn colours_only_where_asked_for() {
    let picture = ["show", "f32:nChw8c:1x11x2x3"];
    let with = |extra: &[&str]| stdout(&[&picture[..], extra].concat());
    assert!(!with(&[]).contains('\x1b'));
    assert!(!with(&["--color", "never"]).contains('\x1b'));
    assert!(with(&["--color", "always"]).contains('\x1b'));
    let output = command(&picture).env("NO_COLOR", "1").output().unwrap();
    assert!(!output.stdout.contains(&0x1b));
    // A cell reads the same either way.
    assert!(with(&["--color", "always"]).contains(" 9.1.2 "));
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let mut child = command(&["show", "u8:nchw:8x64x56x56", "--rows", "10000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(line, "u8:nchw:8x64x56x56\n");
    let mut said = String::new();
    child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert_eq!(said, "");
    assert!(child.wait().unwrap().success());
}

/// The status of a command whose standard output nobody reads, and what it says on standard error.
fn unread(args: &[&str], lines: &str) -> (Option<i32>, String) {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let (from, mut to) = std::io::pipe().unwrap();
    to.write_all(lines.as_bytes()).unwrap();
    drop(to);
    let output = command(args).stdin(from).stdout(writer).output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Who reads no more still has by the status whether all is right.
#[test]
fn what_is_wrong_is_a_failure_where_nobody_reads() {
    let check = ["check", "--batch", "-", "--tier", "portable", "-v"];
    let (code, said) = unread(&check, "f32:a:3 s64:a\nu8:ab:3x5 ba\nf32:a:3 s64:a\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("u8:ab:3x5 ba\n") && said.ends_with("retile: 2 of 3 failed\n"), "{said}");
    assert_eq!(unread(&check[..5], "u8:ab:3x5 ba\n"), (Some(0), String::new()));
    let bench = ["bench", "--batch", "-", "--tier", "portable", "--rounds", "1", "--json"];
    let (code, said) = unread(&bench, "foo\nu8:ab:3x5 ba\nfoo\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.ends_with("retile: 1 of 2 failed\n"), "rows need not be timed: {said}");
    assert_eq!(unread(&bench, "u8:ab:3x5 ba\nfoo\n"), (Some(0), String::new()));
}

/// However large the tensor, a picture costs what is drawn.
#[test]
fn large_tensors_are_quick() {
    let start = Instant::now();
    for text in [
        "f32:nchw:32x256x56x56",
        "u8:b_fs_yx_fsv16:1x3x1080x1920",
        "u8:bf8_xy16:64x1000x1000x1000",
        "u8:a:1000000000000007",
        "u8:strides(1,1,1):100000x100000x100000",
        "u8:strides(0,1000000000000,1):1000x1000x7",
        "f64:nChw16c:1x1x1x1:in=1024x1024x1024x1024:at=1023,1000,5,1023",
    ] {
        stdout(&["show", text]);
        stdout(&["layout", text]);
    }
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn plan_knows_targets_localities_and_listings() {
    let pair = ["plan", "f32:ab:1000x1000", "ba", "--target", "spr"];
    let with = |more: &[&'static str]| stdout(&[&pair[..], more].concat());
    assert!(with(&[]).contains("stores stream"), "{}", with(&[]));
    assert!(with(&["--locality", "keep"]).contains("stores keep (as asked)"));
    assert!(
        stdout(&["plan", "f32:ab:64x64", "ba", "--target", "spr", "--locality=stream"])
            .contains("stores stream")
    );
    let listing = with(&["--listing"]);
    assert!(listing.starts_with(&with(&[])), "{listing}");
    assert!(listing.contains("\nnest 1 tile 1\nr0[0..8] = load 8 from s+0\n"), "{listing}");
    // This machine's by default, as of `explain`, with the choices that it has there.
    let here = retile::Isa::detect().unwrap().target();
    let text = stdout(&["plan", "f32:ab:2x3", "ba"]);
    assert!(text.starts_with(&format!("target {here} (")), "{text}");
    let explained = stdout(&["explain", "f32:ab:64x48", "ba"]);
    let listing = stdout(&["plan", "f32:ab:64x48", "ba", "--listing"]);
    assert!(explained.contains(&listing), "{explained}");
    let capped = |args: &[&str]| {
        let output = command(args).env("RETILE_MAX_ISA", "portable").output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(capped(&["plan", "f32:ab:2x3", "ba"]).starts_with("target portable (portable"));
    assert!(capped(&pair).starts_with("target spr ("));
    let message = format!(
        "invalid value 'spx' for '--target <NAME>': expected a target ({}), found `spx`; did you mean \
         `skx` or `spr`?",
        targets()
    );
    fails(&["plan", "f32:ab:2x3", "ba", "--target", "spx"], 2, &message);
    let tier = targets();
    let message = format!(
        "invalid value 'avx2' for '--target <NAME>': expected a target ({tier}), found `avx2`; did you mean \
         `generic:avx2` or `--tier avx2`?"
    );
    fails(&["plan", "f32:ab:2x3", "ba", "--target", "avx2"], 2, &message);
    let tiered = stdout(&["plan", "f32:ab:64x48", "ba", "--tier", "avx2", "--listing"]);
    assert!(tiered.lines().next().unwrap().contains("(avx2, "), "{tiered}");
    assert!(stdout(&["explain", "f32:ab:64x48", "ba", "--tier", "avx2"]).contains(&tiered));
    // However wide the terminal is.
    let help = stdout(&["plan", "--help"]);
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains(&format!("What to plan for: {}", targets())), "{help}");
}

#[test]
fn plan_prints_what_the_library_plans() {
    let text = stdout(&["plan", "f32:nchw:1x64x56x56", "nhwc", "--target", "spr"]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[1], "problem s32>s32 src-dense 3136(s4,d256) 64(s12544,d4)");
    assert!(lines[0].starts_with("target spr (avx512vbmi, "), "{text}");
    // Arithmetic as in the lines of tests, and the destination in its short form.
    let text = stdout(&[
        "plan",
        "f32:nchw:1x8x2x2",
        "s8:nhwc",
        "--dst-scale=mask:2:1,2,3,4,5,6,7,8",
        "--sum=-0.5",
    ]);
    assert!(text.contains("problem f32>s8 dst-scale sum=0xbf000000 "), "{text}");
    for (args, message) in [
        (["f32:ab:2x3", "abc"], "expected the dims of `abc`, which has 3, not 2, found `2x3`"),
        (["s64:ab:2x3", "f32:ab"], "no conversion from s64 to f32"),
        (
            ["f32:ab:2x3", "--sum=x"],
            "expected a factor, a number that f32 has (in `--sum`), found `x`",
        ),
    ] {
        let output = retile(
            &[
                &["plan", "f32:ab:2x3"][..1],
                &args[..],
                &["ab"][..args[1].starts_with("--") as usize],
            ]
            .concat(),
        );
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(
            !output.status.success() && said.starts_with(&format!("retile: {message}")),
            "{said}"
        );
    }
}

#[test]
fn names_are_listed_by_family_and_word() {
    let all = stdout(&["names"]);
    assert_eq!(all.lines().count(), retile::known_names().count());
    for (args, line) in [
        (&["NCHW16", "--family", "onednn"][..], "nChw16c onednn aBcd16b"),
        (&["fsv4", "--family", "cldnn"], "b_fs_yx_fsv4 cldnn,openvino digits(bfyx; b f/4 y x f%4)"),
        (&["nv12"], "refused: two planes of different element sizes are two tensors"),
    ] {
        let output = retile(&[&["names"], args].concat());
        let text = String::from_utf8(output.stdout).unwrap();
        let mut lines =
            text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
        assert!(lines.any(|found| found.contains(line)), "{text}");
    }
    let json = stdout(&["names", "nv12", "--json"]);
    let row: serde_json::Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!((&row["name"], &row["format"]), (&"nv12".into(), &serde_json::Value::Null), "{row}");
    assert!(row["refused"].as_str().unwrap().starts_with("two planes "), "{row}");
    fails(&["names", "xyzzy", "--family", "cldnn"], 1, "no name of cldnn has `xyzzy` in it");
    let output = retile(&["names", "--family", "tensorflow"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && said.contains("[possible values: "), "{said}");
}
