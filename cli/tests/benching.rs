//! What `bench` measures and prints.

mod support;

use support::{batch, command, fails, stdout};

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
