//! Code for every plan without compensation, of bounded length: made for each target that has vector registers, on
//! whatever machine this is.
#![cfg(not(miri))] // machine code

mod common;
mod harness;
mod model;

use common::*;
use harness::case::Case;
use harness::search::{self, Tape};
use harness::{lines, pairs, tiers};
use iced_x86::{Decoder, DecoderOptions, Mnemonic};
use retile::plan::{Locality, plan_with};
use retile::{Code, Problem, Target, emit};

/// The most bytes that a kernel may have, constants and all; and how many half of them may have.
const MOST: usize = 32 << 10;
const TYPICAL: usize = 4 << 10;

/// The code of a case without compensation, for a target.
fn code(case: &Case, target: &str, locality: Locality) -> Option<Result<Code, String>> {
    let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).ok()?;
    let target: Target = target.parse().unwrap();
    let code = || emit(plan_with(&problem, &target, locality)).map_err(|error| error.to_string());
    (!problem.arith.is_compensated()).then(code)
}

#[test]
fn every_public_case_has_code() {
    let files = [
        include_str!("data/cases/check.txt"),
        include_str!("data/cases/perf-moves.txt"),
        include_str!("data/cases/perf-convert.txt"),
        include_str!("data/cases/streams.txt"),
    ];
    let mut failures = Failures::default();
    let mut sizes = Vec::new();
    for (turn, line) in files.into_iter().flat_map(lines).enumerate() {
        let case = Case::parse(line).unwrap();
        for target in tiers::names(turn) {
            for locality in [Locality::Auto, Locality::Stream] {
                match code(&case, target, locality) {
                    None => {}
                    Some(Err(error)) => failures.add(format!("{line} for {target}: {error}")),
                    Some(Ok(code)) => sizes.push((code.bytes().len(), line, target)),
                }
            }
        }
    }
    sizes.sort_unstable();
    assert!(sizes.len() > 2000, "{} codes", sizes.len());
    let (most, line, target) = sizes[sizes.len() - 1];
    let (median, ninth) = (sizes[sizes.len() / 2].0, sizes[sizes.len() / 10 * 9].0);
    println!(
        "{} codes: half up to {median} bytes, nine of ten up to {ninth}, {most} at most: {line} for {target}",
        sizes.len()
    );
    if most > MOST || median > TYPICAL {
        failures.add(format!("{line} for {target}: {most} bytes, half {median}"));
    }
    failures.none(sizes.len());
}

/// How often the code of a pair has an instruction.
fn count(pair: &str, target: &str, mnemonic: Mnemonic) -> usize {
    let case = Case::parse(pair).unwrap();
    let code = code(&case, target, Locality::Auto).unwrap().unwrap();
    let mut decoder = Decoder::new(64, &code.bytes()[..code.constants()], DecoderOptions::NONE);
    decoder.iter().filter(|one| one.mnemonic() == mnemonic).count()
}

/// Elements are in short rows here, so that what is stored past the caches is padding.
#[test]
fn padding_alone_passes_the_caches_by() {
    let pair = "f32:ab:16x16 f32:ab:upper=4080,8176:fill=1";
    for target in tiers::MOST {
        assert!(count(pair, target, Mnemonic::Vmovntdq) > 0, "{target}");
    }
}

/// Too many values to be made ready before: a tile divides once for those that several of its rows have in common, and
/// so it does where all are tame.
#[test]
fn what_rows_have_in_common_is_divided_once() {
    for (target, most) in [("spr", 2 * 4), ("haswell", 2 * 8)] {
        let divisions =
            count("s8:ba:2240x192 bf16:AB8b16a --dst-scale=mask:1", target, Mnemonic::Vdivps);
        assert!((1..=most).contains(&divisions), "{target}: {divisions}");
    }
}

/// Lines that convert ask for masks of units, whether pieces are loaded, runs stored or sums added to: there are few.
#[test]
fn masks_of_units_are_loaded_once() {
    for (pair, most) in [
        ("f16:ab:4096x100 u8:ba", 12),
        ("f32:nChw4c:1x29x28x28 bf16:nhwc", 6),
        ("f32:ab:200x100 f16:ba --sum=1", 8),
    ] {
        let masks = count(pair, "spr", Mnemonic::Kmovq);
        assert!((1..=most).contains(&masks), "{pair}: {masks}");
    }
}

/// Many dims with edges each: boxes would multiply, and nests of many loops with them.
#[test]
fn code_of_many_dims_is_bounded() {
    let src = "u8:digits(abcdefghijkl; a b c d e f g h i j k l):3x3x3x3x3x3x3x3x3x3x2x2";
    for (turn, (dst, options)) in [
        ("ABCDEFGHIJkl2a2b2c2d2e2f2g2h2i2j", ""),
        ("ABCDEFGHIJkl2a2b2c2d2e2f2g2h2i2j", ":lower=1,1,1,1,1,1,1,1,1,1,0,0:fill=3"),
        ("ABCDEFGHIJkl2a2b2c2d2e2f2g2h2i2j", ":upper=2,0,2,0,2,0,2,0,2,0,2,0:fill=3"),
        ("ABCDEFghijkl2a2b2c2d2e2f", ":lower=1,1,1,1,1,1,1,1,1,1,0,0:fill=3"),
        ("ABCDEFghijkl2a2b2c2d2e2f", ""),
        ("lABCDghijkef2a2b2c2d", ":lower=1,1,1,1,1,1,1,1,1,1,0,0:fill=3"),
    ]
    .into_iter()
    .enumerate()
    {
        let case = Case::parse(&format!("{src} {dst}{options}")).unwrap();
        for target in tiers::names(turn) {
            for locality in [Locality::Auto, Locality::Stream] {
                let bytes = code(&case, target, locality).unwrap().unwrap().bytes().len();
                assert!(bytes <= MOST, "{src} {dst}{options} for {target}, {locality:?}: {bytes}");
            }
        }
    }
}

#[test]
fn code_is_bounded() {
    let names = names();
    let mut sizes = Vec::new();
    let found = search::failures(search::cases(400), 12, |tape: &mut Tape| {
        let case = match tape.below(4) {
            0 => pairs::long(tape, &names),
            _ => pairs::case(tape, &names),
        };
        for target in tiers::names(tape.below(5)) {
            match code(&case, target, Locality::Auto) {
                None => {}
                Some(Err(error)) => return Err(format!("{case} for {target}: {error}")),
                Some(Ok(code)) => {
                    let bytes = code.bytes().len();
                    sizes.push(bytes);
                    if bytes > MOST {
                        return Err(format!("{case} for {target}: {bytes} bytes"));
                    }
                }
            }
        }
        Ok(())
    });
    sizes.sort_unstable();
    println!("half up to {:?} bytes, {:?} at most", sizes.get(sizes.len() / 2), sizes.last());
    assert!(found.is_empty(), "{}", found.join("\n"));
}
