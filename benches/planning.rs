//! How long a kernel may take to make: from two layouts to a plan with its sequences, to code, to code that can be
//! called. `cargo bench --bench planning` holds every line of the public cases to its limit.

mod pair;

use std::hint::black_box;
use std::time::{Duration, Instant};

use retile::{Isa, Options, Target, Tier, emit};

use pair::Pair;

const TARGETS: [&str; 7] = ["portable", "haswell", "skx", "spr", "spr:avx2", "zen4", "zen5"];

/// A pair that every planner must be quick at, and the most it may take.
const QUICK: (&str, Duration) = ("f32:nchw:1x64x56x56 nChw16c", Duration::from_micros(8));

/// The most that the same may take with its code, and with the code mapped.
const CODE: Duration = Duration::from_micros(20);
const MAPPED: Duration = Duration::from_micros(40);

/// The most that planning may take, for all lines but one in a hundred, and for those: sums between blocks that do not
/// divide one another, for targets without masks.
const SLOW: Duration = Duration::from_micros(200);
const SLOWEST: Duration = Duration::from_micros(500);

const CASES: [&str; 3] = [
    include_str!("../tests/data/cases/check.txt"),
    include_str!("../tests/data/cases/perf-moves.txt"),
    include_str!("../tests/data/cases/perf-convert.txt"),
];

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

/// Code of the pair that has to be quick: made for any target, mapped for those that this CPU runs.
fn quick_code(quick: &Pair, target: &Target) -> bool {
    if target.tier == Tier::Portable {
        return true;
    }
    let code = least(2000, || emit(quick.plan(target)));
    println!("    with code {code:?}, at most {CODE:?}");
    if !Isa::of_this_cpu().runs_target(target) {
        println!("    not mapped: this CPU does not run {}", target.tier);
        return code <= CODE;
    }
    let mapped = least(2000, || quick.kernel(&Options::new().target(*target)));
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
        let slow = times.iter().filter(|(least, _)| *least > SLOW).count();
        println!("    {slow} above {SLOW:?}");
        kept &= slow * 100 <= times.len();
        kept &= times.last().is_none_or(|(least, _)| *least <= SLOWEST);
    }
    kept
}

fn main() {
    // Under `cargo test`, and `cargo bench -- --test`, only whether it runs is looked at.
    let asked = |word: &str| std::env::args().any(|arg| arg == word);
    if !asked("--bench") || asked("--test") {
        let quick = Pair::parse(QUICK.0);
        for target in TARGETS {
            black_box(quick.plan(&target.parse().unwrap()));
        }
    } else if !limits() {
        eprintln!("making kernels takes longer than it may");
        std::process::exit(1);
    }
}
