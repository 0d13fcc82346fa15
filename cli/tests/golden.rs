//! What the command prints, word for word. `RETILE_BLESS=1 cargo test -p retile-cli` writes the files
//! in tests/golden anew, for a person to read the difference.

use std::path::Path;
use std::process::Command;

/// A name for the file, and the arguments.
const CASES: &[(&str, &[&str])] = &[
    ("layout-plain", &["layout", "f32:nchw:8x3x31x31"]),
    ("layout-blocked-tail", &["layout", "f32:nChw8c:1x11x2x3", "--at", "0,9,1,2"]),
    ("layout-merged", &["layout", "f32:bf8_xy16:2x9x5x5", "--at", "1,8,3,4"]),
    (
        "layout-margins",
        &[
            "layout",
            "s8:b_fs_yx_fsv4:1x5x3x3:lower=0,0,1,1:upper=0,0,0,1:fill=-3:offset=16",
            "--at",
            "0,0,-1,3",
        ],
    ),
    ("layout-region", &["layout", "f16:nChw16c:1x31x2x2:in=1x48x7x7:at=0,17,3,4", "--at=0,30,1,1"]),
    ("layout-pitch", &["layout", "u8:image_2d_rgba:1x3x2x5:pitch=32", "--at", "0,2,1,4"]),
    ("layout-flip", &["layout", "f32:digits(ab; a/4 b a%4; flip a):6x3", "--at", "0,0"]),
    ("layout-overlap", &["layout", "f64:strides(2,1):3x4"]),
    ("layout-empty", &["layout", "f32:nChw8c:0x3x4x5"]),
    ("layout-json", &["layout", "f32:nChw8c:1x11x1x1:fill=inf", "--at", "0,9,0,0", "--json"]),
    ("layout-colour", &["layout", "u8:nhwc:1x3x2x2", "--color", "always"]),
    ("show-plain", &["show", "f32:nchw:2x3x4x5", "--rows", "12"]),
    ("show-pixels", &["show", "u8:nhwc:1x3x4x7"]),
    ("show-blocked-tail", &["show", "f32:nChw8c:1x11x2x3", "--at", "0,9,1,2"]),
    ("show-colour", &["show", "f32:nChw8c:1x11x2x3", "--at", "0,9,1,2", "--color", "always"]),
    ("show-wide", &["show", "bf16:OIhw4i16o4i:20x16x1x1", "--width", "160", "--rows", "16"]),
    ("show-merged", &["show", "f32:bf8_xy16:1x2x5x5", "--width", "120"]),
    (
        "show-margins",
        &[
            "show",
            "u8:b_fs_yx_fsv4:1x5x3x3:lower=0,0,1,1:upper=0,0,1,1:fill=7",
            "--at",
            "0,0,-1,3",
            "--width",
            "160",
        ],
    ),
    ("show-region", &["show", "f32:nChw8c:1x9x2x2:in=1x24x5x5:at=0,6,1,2", "--at", "0,8,0,1"]),
    ("show-pitch", &["show", "u8:image_2d_rgba:1x3x2x5:pitch=32"]),
    ("show-flip", &["show", "f32:digits(ab; a/4 b a%4; flip a):6x3"]),
    ("show-reversed", &["show", "f32:strides(-4,1):2x2:in=5x4:at=2,1:offset=13"]),
    ("show-overlap", &["show", "f64:strides(2,1):3x4"]),
    ("show-gaps", &["show", "f32:strides(1000,1):3x7:offset=5000"]),
    ("show-empty", &["show", "f32:nchw:0x3x4x5"]),
    ("show-scalar", &["show", "f32:a:1"]),
    ("show-large", &["show", "f32:nchw:32x256x56x56", "--rows", "6"]),
    (
        "show-large-at",
        &["show", "u8:b_fs_yx_fsv16:1x3x1080x1920", "--rows", "8", "--at", "0,2,500,77"],
    ),
];

#[test]
fn prints_what_it_printed() {
    let bless = std::env::var_os("RETILE_BLESS").is_some();
    let mut wrong = Vec::new();
    for (name, args) in CASES {
        let mut command = Command::new(env!("CARGO_BIN_EXE_retile"));
        command.arg(args[0]);
        if args[0] == "show" {
            // Not that of whatever terminal the tests run in.
            command.args(["--width", "80"]);
        }
        command.args(&args[1..]);
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{name}: {said}");
        assert!(said.is_empty(), "{name}: {said}");
        let found = String::from_utf8(output.stdout).unwrap();
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/{name}.txt"));
        if bless {
            std::fs::write(&file, &found).unwrap();
            continue;
        }
        let expected = std::fs::read_to_string(&file).unwrap_or_default();
        if found != expected.replace("\r\n", "\n") {
            wrong.push(format!("{name}, expected:\n{expected}\nfound:\n{found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_file_has_its_case() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    for file in std::fs::read_dir(folder).unwrap() {
        let file = file.unwrap().path();
        let name = file.file_stem().unwrap().to_str().unwrap();
        assert!(CASES.iter().any(|case| case.0 == name), "{file:?}");
    }
}

#[test]
fn no_line_is_wider_than_asked() {
    for (name, args) in CASES.iter().filter(|case| case.0.starts_with("show")) {
        for width in [48, 80, 97, 160] {
            let columns = width.to_string();
            let mut command = Command::new(env!("CARGO_BIN_EXE_retile"));
            command.args(*args).args(["--width", &columns, "--color", "never"]);
            let output = command.output().unwrap();
            let picture = String::from_utf8(output.stdout).unwrap();
            // The text asked for, the legend and what is said of lines left out are what they are.
            for line in picture
                .lines()
                .skip(3)
                .take_while(|line| !line.contains(" of an element"))
                .filter(|line| !line.contains('…'))
            {
                assert!(line.chars().count() <= width, "{name} at {width}: {line}");
            }
        }
    }
}
