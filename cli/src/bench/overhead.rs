//! What a kernel costs besides its work. In: nothing. Out: what it takes to call one, to find one, to make one and to
//! keep a thousand, each beside the most that it may take.

use std::hint::black_box;
use std::time::Instant;

use retile::{Attr, Kernel, Layout, Reorder, Values, cache};

use crate::failure::Failure;
use crate::tell::tell;
use crate::{host, run};

/// One figure.
pub(crate) struct Cost {
    pub(crate) what: &'static str,
    pub(crate) found: f64,
    /// None where that depends on what else is in the caches.
    pub(crate) most: Option<f64>,
    pub(crate) unit: &'static str,
}

/// Kernels that are kept at once.
const MANY: usize = 1000;

/// Samples of each figure, of which the median counts.
const SAMPLES: usize = 9;

/// Nanoseconds of one of `times`.
fn median(times: usize, mut work: impl FnMut(usize)) -> f64 {
    let mut samples: Vec<f64> = (0..SAMPLES)
        .map(|_| {
            let start = Instant::now();
            (0..times).for_each(&mut work);
            start.elapsed().as_nanos() as f64 / times as f64
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[SAMPLES / 2]
}

pub(crate) fn costs() -> Result<Vec<Cost>, Failure> {
    let capacity = cache::capacity();
    cache::set_capacity(MANY + 24);
    let costs = [calls()?, kernels()?, many()?].into_iter().flatten().collect();
    cache::clear();
    cache::set_capacity(capacity);
    Ok(costs)
}

/// Calls of kernels that have next to nothing to do.
fn calls() -> Result<Vec<Cost>, Failure> {
    let src: Layout = "f32:ab:4x4".parse()?;
    let reorder = Reorder::new(&src, &src.destination("ba")?)?;
    let (from, mut to) = ([1f32; 16], [0f32; 16]);
    let checked = median(100_000, |_| {
        reorder.run(black_box(&from), black_box(&mut to)).expect("the slices are long enough");
    });
    let nothing: Layout = "f32:ab:4x0".parse()?;
    let nothing = Reorder::new(&nothing, &nothing.destination("ba")?)?;
    let mut whole = run::tasks(&nothing, &[], &mut [], Values::default(), 1)?;
    let bare = median(100_000, |_| black_box(&mut whole[0]).run());
    Ok(vec![
        Cost {
            what: "a call, besides the kernel's own work",
            found: bare,
            most: Some(20.0),
            unit: "ns",
        },
        Cost {
            what: "16 elements through checked slices",
            found: checked,
            most: Some(60.0),
            unit: "ns",
        },
    ])
}

/// Finding, cloning and making one.
fn kernels() -> Result<Vec<Cost>, Failure> {
    let src: Layout = "f32:nchw:1x64x56x56".parse()?;
    let dst = src.destination("nChw16c")?;
    let kernel = Reorder::new(&src, &dst)?.into_kernel();
    let clone = median(100_000, |_| drop(black_box(black_box(&kernel).clone())));
    let found = median(100_000, |_| {
        drop(black_box(
            Reorder::new(black_box(&src), black_box(&dst)).expect("it was made before"),
        ));
    });
    let made = median(200, |_| {
        let kernel = Kernel::new(black_box(&src), black_box(&dst), &Attr::new());
        drop(black_box(kernel.expect("it was made before")));
    });
    Ok(vec![
        Cost { what: "cloning a kernel", found: clone, most: Some(50.0), unit: "ns" },
        Cost {
            what: "finding one in the cache, from two layouts",
            found,
            most: Some(150.0),
            unit: "ns",
        },
        Cost {
            what: "making one, mapped and gone again",
            found: made / 1e3,
            most: Some(40.0),
            unit: "us",
        },
    ])
}

/// A thousand different ones at once.
fn many() -> Result<Vec<Cost>, Failure> {
    let pairs: Vec<(Layout, Layout)> = (0..MANY)
        .map(|i| {
            let src: Layout = format!("f32:nchw:1x{}x{}x7", 16 + i / 40, 3 + i % 40).parse()?;
            let dst = src.destination(["nChw16c", "nhwc"][i % 2])?;
            Ok((src, dst))
        })
        .collect::<Result<_, Failure>>()?;
    cache::clear();
    let before = host::resident_bytes();
    for (src, dst) in &pairs {
        Reorder::new(src, dst)?;
    }
    let after = host::resident_bytes();
    let found = median(10 * MANY, |i| {
        let (src, dst) = &pairs[i % MANY];
        drop(black_box(Reorder::new(src, dst).expect("it was made before")));
    });
    let mut costs =
        vec![Cost { what: "the same by turns with a thousand", found, most: None, unit: "ns" }];
    match before.zip(after) {
        Some((before, after)) => costs.push(Cost {
            what: "memory of a thousand kernels",
            found: after.saturating_sub(before) as f64 / f64::from(1 << 20),
            most: Some(16.0),
            unit: "MiB",
        }),
        None => tell!("skipped memory: this system does not say how much a process has"),
    }
    Ok(costs)
}

/// As lines for a terminal.
pub(crate) fn table(costs: &[Cost]) -> String {
    let mut text = format!("{:<44} {:>10} {:>10}\n", "what it costs", "measured", "at most");
    for Cost { what, found, most, unit } in costs {
        let over = if most.is_some_and(|most| *found > most) { "  over" } else { "" };
        let most = most.map(|most| format!("{most:>6.0} {unit:<3}{over}")).unwrap_or_default();
        text += format!("{what:<44} {found:>7.1} {unit:<3}{most}").trim_end();
        text.push('\n');
    }
    text
}

/// As a part of a page, where they were asked for.
pub(crate) fn section(costs: &[Cost]) -> String {
    if costs.is_empty() {
        return String::new();
    }
    let mut text = "\n## What a kernel costs besides its work\n\n".to_string();
    text += "| what | measured | at most |\n|---|--:|--:|\n";
    for Cost { what, found, most, unit } in costs {
        let over = if most.is_some_and(|most| *found > most) { ", over" } else { "" };
        let most = most.map(|most| format!("{most:.0} {unit}{over}")).unwrap_or_default();
        text += &format!("| {what} | {found:.1} {unit} | {most} |\n");
    }
    text
}
