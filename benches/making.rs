//! What each stage of making a kernel takes, for named pairs and every target that has registers:
//! `cargo bench --bench making`.
//!
//! ```text
//! problem   two layouts to their canonical form
//! plan      that to loops and tiles, sequences included
//! tile      the sequence of the first tile alone
//! code      a plan to machine code
//! kernel    all of it, the code mapped; for targets that this CPU runs
//! ```

mod pair;

use std::hint::black_box;

use criterion::{BatchSize, Criterion};
use retile::plan::Plan;
use retile::shuffle::{Movement, synthesize};
use retile::target::TARGETS;
use retile::{Isa, Options, emit};

use pair::Pair;

#[rustfmt::skip]
const PAIRS: [(&str, &str); 5] = [
    ("planes_to_blocks",      "f32:nchw:1x64x56x56 nChw16c"),
    ("blocks_to_planes_tail", "f32:nChw16c:1x17x13x13 nchw"),
    ("three_channels",        "u8:nchw:1x3x224x224 nhwc"),
    ("bytes",                 "u8:nchw:1x64x56x56 nhwc"),
    ("weights_double",        "s8:oihw:256x256x3x3 OIhw4i16o4i"),
];

fn making(criterion: &mut Criterion) {
    for (name, line) in PAIRS {
        let pair = Pair::parse(line);
        let mut group = criterion.benchmark_group(name);
        group.bench_function("problem", |bencher| bencher.iter(|| pair.problem()));
        for target in TARGETS.iter().copied() {
            let problem = pair.problem();
            group.bench_function(format!("{}/plan", target.name), |bencher| {
                bencher.iter(|| retile::plan::plan(black_box(&problem), &target));
            });
            let plan = pair.plan(&target);
            // The portable target has no more to be made.
            let Some(movement) = first_tile(&plan) else { continue };
            group.bench_function(format!("{}/tile", target.name), |bencher| {
                bencher.iter(|| synthesize(black_box(&movement), &target));
            });
            group.bench_function(format!("{}/code", target.name), |bencher| {
                bencher.iter_batched(|| plan.clone(), emit, BatchSize::SmallInput);
            });
            if Isa::of_this_cpu().runs_target(&target) {
                let options = Options::new().target(target);
                group.bench_function(format!("{}/kernel", target.name), |bencher| {
                    bencher.iter_with_large_drop(|| pair.kernel(&options));
                });
            }
        }
        group.finish();
    }
}

/// What the first tile of a plan moves.
fn first_tile(plan: &Plan) -> Option<Movement> {
    let nest = plan.boxes.first()?.nests.first()?;
    let tile = nest.tiling.as_ref()?.tiles.first()?;
    Some(nest.movement(&tile.chunks, plan))
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    making(&mut criterion);
    criterion.final_summary();
}
