//! The code of some named pairs, as text: for named targets, so the same on every machine.
//! `RETILE_BLESS=1 cargo test --features listing --test listings` rewrites them.
#![cfg(not(miri))] // machine code

#[path = "common/golden.rs"]
mod golden;

use std::fs;
use std::path::Path;

use retile::{Attr, Layout, Problem, Target, emit};

fn listing(words: &[&str]) -> String {
    let [target, src, dst, attr @ ..] = words else { panic!("{words:?}") };
    let target: Target = target.parse().unwrap();
    let src: Layout = src.parse().unwrap();
    let dst = src.destination(dst).unwrap();
    let (attr, _) = Attr::from_words(attr.iter().copied()).unwrap();
    let (problem, _) = Problem::new(&src, &dst, &attr).unwrap();
    let code = emit(retile::plan::plan(&problem, &target)).unwrap();
    format!("; {}\n; {} bytes\n{}", words.join(" "), code.bytes().len(), code.listing())
}

#[test]
fn code_is_as_it_was() {
    golden::hold("tests/listings", "asm", |_, words| listing(words), first_difference);
}

/// Where two listings part, with the lines around.
fn first_difference(name: &str, golden: &str, found: &str) -> String {
    let (golden, found): (Vec<_>, Vec<_>) = (golden.lines().collect(), found.lines().collect());
    let same = golden.iter().zip(&found).take_while(|(golden, found)| golden == found).count();
    let around = |lines: &[&str]| {
        lines[same.saturating_sub(3).min(lines.len())..(same + 5).min(lines.len())].join("\n")
    };
    let (golden, found) = (around(&golden), around(&found));
    format!("--- {name}, line {}\n{golden}\n+++ now\n{found}", same + 1)
}

/// What a listing says is what there is: every instruction is one that the target's tier has.
#[test]
fn tiers_keep_to_their_instructions() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listings");
    let cases = fs::read_to_string(folder.join("cases.txt")).unwrap();
    for line in cases.lines().filter(|line| line.contains(" haswell ")) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let text = listing(&words[1..]);
        for word in ["zmm", "{k", " kmov", "ymm16", "xmm16"] {
            assert!(!text.contains(word), "{line}: {word}");
        }
    }
}

/// The last channels of a row pass the caches as the others do, where they become whole lines only as they are stored.
#[test]
fn ends_of_rows_that_become_longer_pass_the_caches() {
    for pair in ["f16:nchw:32x48x56x56 f32:nhwc", "s8:nchw:16x96x128x128 f32:nhwc"] {
        let (src, dst) = pair.split_once(' ').unwrap();
        let text = listing(&["spr", src, dst]);
        let tiles = |past: bool| {
            let own = |line: &&str| line.starts_with("; tile") && line.contains("past") == past;
            text.lines().filter(own).count()
        };
        assert_eq!((tiles(true), tiles(false)), (2, 2), "{pair}");
    }
}
