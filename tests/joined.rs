//! Runs of several loops that are no powers of two, as the taps and channels of weights are, whose lanes are joined, or
//! whose rows are laid anew where channels are innermost on the other side: either way, rows of whole registers and with
//! ends, converted and filled, by code for every microarchitecture that this machine can run.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;
mod harness;
mod model;

use common::Failures;
use harness::case::Case;
use harness::compare_code;
use retile::plan::plan_with;
use retile::{Locality, Problem, Target};

const TARGETS: [&str; 6] = ["spr", "zen4", "icelake", "skx", "haswell", "zen5:avx2"];

/// Whether the inside of a tile is done by a candidate with such words in its name.
fn is_by(words: &str, case: &Case, target: &Target, locality: Locality) -> bool {
    let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
    let plan = plan_with(&problem, target, locality);
    let mut tilings = plan.nests().filter_map(|nest| nest.tiling.as_ref());
    tilings.any(|tiling| tiling.tiles[0].found.candidates[0].name.contains(words))
}

/// What came of cases, and how many plans have a means.
#[derive(Default)]
struct Tally {
    failures: Failures,
    cases: usize,
    ran: usize,
    plans: usize,
}

impl Tally {
    /// One more case, by code for each target, the elements so many bytes after a line.
    fn run(&mut self, line: &str, means: &str, locality: Locality, after: usize) {
        let targets = TARGETS.map(|name| name.parse::<Target>().unwrap());
        self.cases += 1;
        let judged = Case::parse(line).and_then(|case| {
            let own = |target: &&Target| is_by(means, &case, target, locality);
            self.plans += targets.iter().filter(own).count();
            compare_code(&case, &targets.map(|target| (target, locality)), &[after])
        });
        match judged {
            Ok(codes) => self.ran += codes,
            Err(what) => self.failures.add(what),
        }
    }

    /// None of them failed, and more plans than so many have the means.
    fn end(self, means: &str, least: usize) {
        let Tally { failures, cases, ran, plans } = self;
        println!("{cases} cases, {ran} codes, {plans} plans of {means}");
        failures.none(cases);
        assert!(plans > least, "{plans} plans of {means}");
    }
}

#[test]
fn taps_and_channels_are_joined() {
    let mut tally = Tally::default();
    let types = ["s8 s8", "bf16 bf16", "f32 f32", "f64 f64", "f32 s8", "s8 f32", "f32 bf16"];
    let attributes = ["", " --dst-scale=mask:1", " --src-scale=mask:2 --dst-zp=common", " --sum=1"];
    for taps in ["3x1", "3x3", "5x5", "2x6", "7x1"] {
        for (turn, channels) in ["16x16", "64x7", "33x21", "20x64", "48x3"].into_iter().enumerate()
        {
            for types in types {
                let (from, to) = types.split_once(' ').unwrap();
                let attr = attributes[(turn + tally.cases) % attributes.len()];
                let attr = if from == "f64" { "" } else { attr };
                let fill = if turn == 3 { ":upper=1,0,1,0:fill=1" } else { "" };
                let locality = if turn == 1 { Locality::Stream } else { Locality::Auto };
                for [src, dst] in [["hwio", "oihw"], ["oihw", "hwio"]] {
                    let line = format!("{from}:{src}:{channels}x{taps} {to}:{dst}{fill}{attr}");
                    tally.run(&line, "joined", locality, 8 * turn);
                }
            }
        }
    }
    tally.end("joined runs", 200);
}

/// Three loops and more where two leave much of a register empty, on either side.
#[test]
fn as_many_loops_are_joined_as_fill_registers() {
    let mut tally = Tally::default();
    let types = ["u8 u8", "bf16 bf16", "f32 f32", "f32 s8", "s8 f32", "f32 bf16"];
    let attributes = ["", " --dst-scale=mask:1", " --src-scale=mask:8 --dst-zp=common", " --sum=1"];
    let shapes = ["6x5x12x40", "5x5x33x12", "7x3x20x9", "3x2x7x64", "5x20x11x7", "12x7x9x16"];
    for (turn, shape) in shapes.into_iter().enumerate() {
        for types in types {
            let (from, to) = types.split_once(' ').unwrap();
            let attr = attributes[(turn + tally.cases) % attributes.len()];
            let locality = if turn == 1 { Locality::Stream } else { Locality::Auto };
            for dst in ["dcba", "dbac", "bdca"] {
                let line = format!("{from}:abcd:{shape} {to}:{dst}{attr}");
                tally.run(&line, "joined", locality, 8 * turn);
            }
        }
    }
    tally.end("joined loops", 100);
}

#[test]
fn rows_of_blocks_are_laid_anew() {
    let mut tally = Tally::default();
    let types = ["s8 s8", "bf16 bf16", "f32 f32", "f32 s8", "s8 f32", "f32 bf16"];
    let attributes = ["", " --dst-scale=mask:1", " --src-scale=mask:2 --dst-zp=common", " --sum=1"];
    for taps in ["3x3", "3x1", "5x1", "2x6", "7x1"] {
        for (turn, channels) in ["16x16", "64x7", "33x21", "20x64"].into_iter().enumerate() {
            for types in types {
                let (from, to) = types.split_once(' ').unwrap();
                let attr = attributes[(turn + tally.cases) % attributes.len()];
                let locality = if turn == 1 { Locality::Stream } else { Locality::Auto };
                for src in ["OIhw4i16o4i", "OIhw2i8o4i", "OIhw8i16o2i"] {
                    let line = format!("{from}:{src}:{channels}x{taps} {to}:oihw{attr}");
                    tally.run(&line, "rows laid", locality, 8 * turn);
                }
            }
        }
    }
    tally.end("rows laid anew", 100);
}
