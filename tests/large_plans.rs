//! Plans of tensors as models have them, for every target: what kernels are only run for on machines that have it
//! can be planned on all, and holds together there.

mod common;
mod harness;
mod model;

use common::*;
use harness::case::Case;
use harness::search;
use retile::plan::{Converts, Nest, Plan, Work, plan};
use retile::problem::Problem;
use retile::target::TARGETS;
use retile::{Target, Tier};

/// Plain ones more often, among which rows share places in the caches.
#[rustfmt::skip]
const WEIGHTS: &[&str] = &[
    "oihw", "oihw", "oihw", "hwio", "hwio", "hwio", "ohwi", "iohw", "OIhw16i16o", "OIhw4i16o4i", "OIhw16i16o4i",
    "Ohwi16o", "OIhw8i16o2i", "OIhw4o4i",
];

#[rustfmt::skip]
const IMAGES: &[&str] = &["nchw", "nchw", "nhwc", "nhwc", "nChw16c", "nChw8c", "nChw4c", "nChw32c"];

#[rustfmt::skip]
const MATRICES: &[&str] = &["ab", "ab", "ba", "ba", "BA16a64b4a", "BA16b64a4b", "AB32a32b", "BA8b8a", "aB16b"];

/// A pair of megabytes at most, with or without arithmetic.
fn pair(tape: &mut search::Tape) -> String {
    let types = ["f32", "f16", "bf16", "s32", "s8", "u8"];
    let (from, to) = (tape.pick(&types), tape.pick(&types));
    let channels = [1, 3, 7, 16, 24, 32, 64, 64, 100, 128, 130, 256, 256, 512, 512, 1000];
    let (names, dims, mask) = match tape.below(3) {
        0 => {
            let kernel = tape.pick(&["1x1", "3x3", "3x3", "5x5", "1x7"]);
            let dims = format!("{}x{}x{kernel}", tape.pick(&channels), tape.pick(&channels));
            (WEIGHTS, dims, 1)
        }
        1 => {
            let plane = tape.pick(&["7x7", "14x14", "28x28", "56x56", "15x15", "20x36", "64x64"]);
            let dims = format!("{}x{}x{plane}", tape.pick(&[1, 1, 2, 8]), tape.pick(&channels));
            (IMAGES, dims, 2)
        }
        _ => (MATRICES, format!("{}x{}", tape.pick(&channels), tape.pick(&channels)), 1),
    };
    let (src, dst) = (tape.pick(names), tape.pick(names));
    let mut line = format!("{from}:{src}:{dims} {to}:{dst}");
    let formula = from != to || to == "s8";
    if formula && tape.below(2) == 0 {
        line += &match tape.below(3) {
            0 => " --dst-scale=common".to_string(),
            1 => format!(" --src-scale=mask:{mask}"),
            _ => format!(" --src-scale=common --dst-zp=mask:{mask}"),
        };
    }
    if to == "s8" && names == WEIGHTS && tape.below(3) == 0 {
        line += " --comp=s8s8:1";
    }
    line
}

fn looks_up(plan: &Plan) -> bool {
    plan.to_string().contains("bytes looked up in a table")
}

/// What does not hold together.
fn odd(plan: &Plan, nest: &Nest) -> Option<String> {
    let tiling = nest.tiling.as_ref()?;
    let (converts, stage) = (tiling.converts, tiling.stage.as_ref());
    let changes = stage.is_some_and(|stage| stage.converts());
    if changes != (converts == Converts::Staged) {
        return Some(format!("converted {converts:?} by {stage:?}"));
    }
    if looks_up(plan) && converts != Converts::Stores && nest.work == Work::Move {
        return Some(format!("bytes are looked up, and {converts:?}"));
    }
    let steps = tiling.steps.len();
    stage
        .filter(|stage| stage.step > steps)
        .map(|_| "rows copied within steps that are not there".into())
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn plans_hold_together_for_every_target() {
    let more = TARGETS.iter().filter(|target| target.tier > Tier::Avx2);
    let capped = more.map(|target| target.capped(Tier::Avx2));
    let targets: Vec<Target> = TARGETS.iter().cloned().chain(capped).collect();
    let (mut staged, mut looked_up) = (0, 0);
    let failures = search::failures(search::cases(2000), 12, |tape| {
        let line = pair(tape);
        let case = Case::parse(&line).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr())
            .map_err(|error| format!("{line}: {error}"))?;
        for target in &targets {
            let plan = plan(&problem, target);
            looked_up += usize::from(looks_up(&plan));
            for nest in plan.nests() {
                if let Some(what) = odd(&plan, nest) {
                    return Err(format!("{line} for {target}: {what}"));
                }
                let converts = nest.tiling.as_ref().map(|tiling| tiling.converts);
                staged += usize::from(converts == Some(Converts::Staged));
            }
        }
        Ok(())
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    assert!(staged > 0 && looked_up > 0, "{staged} staged, {looked_up} looked up");
}
