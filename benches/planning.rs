//! How long a kernel takes to make: from two layouts to a plan with its sequences, to code, to code that can be
//! called. `cargo bench --bench planning` measures named pairs by criterion, and holds every line of the public
//! cases to its limit.

use std::hint::black_box;
use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion};
use retile::plan::plan;
use retile::{Attr, Isa, Kernel, Layout, Options, Problem, Target, emit};

const TARGETS: [&str; 7] = ["portable", "haswell", "skx", "spr", "spr:avx2", "zen4", "zen5"];

/// A pair that every planner must be quick at, and the most it may take.
const QUICK: (&str, Duration) = ("f32:nchw:1x64x56x56 nChw16c", Duration::from_micros(8));

/// The most that the same may take with its code, and with the code mapped.
const CODE: Duration = Duration::from_micros(20);
const MAPPED: Duration = Duration::from_micros(40);

/// The most that planning any line may take.
const SLOWEST: Duration = Duration::from_micros(200);

const CASES: [&str; 3] = [
    include_str!("../tests/data/cases/check.txt"),
    include_str!("../tests/data/cases/perf-moves.txt"),
    include_str!("../tests/data/cases/perf-convert.txt"),
];

struct Pair {
    src: Layout,
    dst: Layout,
    attr: Attr,
}

impl Pair {
    /// `SRC DST [attributes]`.
    fn parse(line: &str) -> Pair {
        let mut depth = 0;
        let words: Vec<&str> = line
            .split(|c: char| {
                depth += i32::from(c == '(') - i32::from(c == ')');
                depth == 0 && c.is_whitespace()
            })
            .collect();
        let [src, dst, attr @ ..] = &words[..] else { panic!("{line}: two layouts expected") };
        let src: Layout = src.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
        let dst = src.destination(dst).unwrap_or_else(|error| panic!("{line}: {error}"));
        let (attr, _) = Attr::from_words(attr.iter().copied()).unwrap();
        Pair { src, dst, attr }
    }

    fn plan(&self, target: &Target) -> retile::plan::Plan {
        let (problem, _) = Problem::new(&self.src, &self.dst, &self.attr).unwrap();
        plan(black_box(&problem), target)
    }

    fn kernel(&self, target: &Target) -> Kernel {
        let options = Options::new().target(*target);
        Kernel::with_options(&self.src, &self.dst, &self.attr, &options).unwrap()
    }
}

/// The least of several times, since others share the machine.
fn least<T>(times: usize, work: impl Fn() -> T) -> Duration {
    let once = |_| {
        let start = Instant::now();
        let made = black_box(work());
        let took = start.elapsed();
        drop(made);
        took
    };
    (0..times).map(once).min().unwrap_or_default()
}

fn named(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("plan");
    for (name, line) in [
        ("planes_to_blocks", QUICK.0),
        ("blocks_to_planes_tail", "f32:nChw16c:1x17x13x13 nchw"),
        ("three_channels", "u8:nchw:1x3x224x224 nhwc"),
        ("bytes", "u8:nchw:1x64x56x56 nhwc"),
        ("weights_double", "s8:oihw:256x256x3x3 OIhw4i16o4i"),
    ] {
        let pair = Pair::parse(line);
        for name_of_target in TARGETS {
            let target: Target = name_of_target.parse().unwrap();
            group.bench_function(format!("{name}/{name_of_target}"), |bencher| {
                bencher.iter(|| pair.plan(&target));
            });
            if target.tier.vector() > 0 {
                let plan = pair.plan(&target);
                group.bench_function(format!("{name}/{name_of_target}/code"), |bencher| {
                    bencher.iter_batched(|| plan.clone(), emit, BatchSize::SmallInput);
                });
            }
        }
    }
    group.finish();
}

/// Code of the pair that has to be quick: made for any target, mapped for those that this CPU runs.
fn quick_code(quick: &Pair, target: &Target) -> bool {
    if target.tier.vector() == 0 {
        return true;
    }
    let code = least(2000, || emit(quick.plan(target)));
    println!("    with code {code:?}, at most {CODE:?}");
    if !Isa::of_this_cpu().runs(target.tier) {
        println!("    not mapped: this CPU does not run {}", target.tier);
        return code <= CODE;
    }
    let mapped = least(2000, || quick.kernel(target));
    println!("    ready to run {mapped:?}, at most {MAPPED:?}");
    code <= CODE && mapped <= MAPPED
}

/// Every line within its limit; the slowest are told.
fn limits() -> bool {
    let quick = Pair::parse(QUICK.0);
    let mut kept = true;
    for target in TARGETS {
        let parsed: Target = target.parse().unwrap();
        let planned = least(2000, || quick.plan(&parsed));
        println!("{} for {target}: planned in {planned:?}, at most {:?}", QUICK.0, QUICK.1);
        kept &= planned <= QUICK.1;
        kept &= quick_code(&quick, &parsed);
    }
    let lines: Vec<&str> = CASES
        .iter()
        .flat_map(|text| text.lines())
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect();
    for target in TARGETS {
        let parsed: Target = target.parse().unwrap();
        let time = |line: &&str| {
            let pair = Pair::parse(line);
            (least(12, || pair.plan(&parsed)), line.to_string())
        };
        let mut times: Vec<(Duration, String)> = lines.iter().map(time).collect();
        times.sort();
        let median = times[times.len() / 2].0;
        println!("{} lines for {target}: {median:?} in the median; the slowest:", times.len());
        for (least, line) in times.iter().rev().take(3) {
            println!("    {least:?} {line}");
        }
        kept &= times.last().is_none_or(|(least, _)| *least <= SLOWEST);
    }
    kept
}

fn main() {
    // Under `cargo test` only whether it runs is looked at.
    let bench = std::env::args().any(|word| word == "--bench");
    let mut criterion = Criterion::default().configure_from_args();
    named(&mut criterion);
    criterion.final_summary();
    if bench && !limits() {
        eprintln!("making kernels takes longer than it may");
        std::process::exit(1);
    }
}
