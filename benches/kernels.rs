//! What kernels take, for a dozen named pairs: `cargo bench --bench kernels`, or `-- NAME` for some.
//!
//! ```text
//! kernel     the best tier that this CPU has
//! portable   the plan interpreted, as on every other CPU
//! reference  element by element
//! memcpy     as many bytes, half of them read and half written
//! ```
//!
//! Throughput counts both sides. `retile bench` compares more, in turns and without gaps between; this is for
//! following changes with criterion's statistics.
#![allow(unsafe_code)] // Kernels of a tier that was asked for are run by pointers.

mod pair;

use std::time::Duration;

use criterion::{Criterion, Throughput};
use retile::{Kernel, Options, Tier, Values, reference};

use pair::Pair;

#[rustfmt::skip]
const PAIRS: [(&str, &str); 14] = [
    ("planes_to_blocks",     "f32:nchw:1x64x56x56 nChw16c"),
    ("blocks_to_planes",     "f32:nChw16c:1x64x56x56 nchw"),
    ("eight_to_sixteen",     "f32:nChw8c:1x64x56x56 nChw16c"),
    ("tails",                "f32:nchw:1x17x13x13 nChw16c"),
    ("tails_back",           "f32:nChw16c:1x17x13x13 nchw"),
    ("planes_to_pixels",     "u8:nchw:1x3x224x224 nhwc"),
    ("pixels_to_planes",     "u8:nhwc:1x3x224x224 nchw"),
    ("transpose",            "f32:ab:1000x1000 ba"),
    ("halves_to_planes",     "bf16:nhwc:1x64x56x56 nchw"),
    ("heads",                "bf16:abcd:1x128x32x64 acbd"),
    ("weights",              "s8:oihw:256x256x3x3 OIhw4i16o4i"),
    ("weights_of_floats",    "f32:oihw:512x128x1x1 OIhw4i16o4i"),
    ("identical",            "f32:nchw:1x64x56x56 nchw"),
    ("region",               "f32:nchw:1x64x48x48:in=1x64x56x56:at=0,0,4,4 nchw"),
];

fn kernels(criterion: &mut Criterion) {
    for (name, line) in PAIRS {
        let pair = Pair::parse(line);
        let best = pair.kernel(&Options::new());
        let portable = pair.kernel(&Options::new().max_tier(Tier::Portable));
        let sizes = best.sizes();
        let moved = (pair.src.elements() + pair.dst.cells().count()) * pair.src.dtype().size();
        let half = moved / 2;
        let mut src = Pages::new(sizes.src.max(half));
        let mut dst = Pages::new(sizes.dst.max(half));
        for (at, byte) in src.bytes().iter_mut().enumerate() {
            *byte = at as u8;
        }
        let (src, dst) = (src.bytes(), dst.bytes());
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(moved as u64));
        group.warm_up_time(Duration::from_millis(300)).measurement_time(Duration::from_secs(1));
        group.bench_function("kernel", |bencher| bencher.iter(|| run(&best, src, dst)));
        group.bench_function("memcpy", |bencher| {
            bencher.iter(|| dst[..half].copy_from_slice(&src[..half]));
        });
        // These take milliseconds.
        group.sample_size(10);
        group.bench_function("portable", |bencher| bencher.iter(|| run(&portable, src, dst)));
        group.bench_function("reference", |bencher| {
            let Pair { src: s, dst: d, attr } = &pair;
            bencher.iter(|| reference::reorder(s, src, d, dst, attr, &Values::default()).unwrap());
        });
        group.finish();
    }
}

fn run(kernel: &Kernel, src: &[u8], dst: &mut [u8]) {
    kernel.sizes().check(src.len(), dst.len()).unwrap();
    for at in [src.as_ptr(), dst.as_ptr()] {
        assert_eq!(at.align_offset(8), 0);
    }
    // SAFETY:
    // - sizes and alignment, for elements of any type, were checked just now;
    // - the destination is borrowed alone, so the source is apart from it and nobody else writes;
    // - none of the pairs has attributes, so no values are asked for.
    unsafe { kernel.run_raw(src.as_ptr(), dst.as_mut_ptr(), &Values::default()) }
}

/// Memory that starts on a page, with every page there.
struct Pages {
    memory: Vec<u8>,
    length: usize,
}

impl Pages {
    const SIZE: usize = 4096;

    fn new(length: usize) -> Pages {
        Pages { memory: vec![1; length + Pages::SIZE], length }
    }

    fn bytes(&mut self) -> &mut [u8] {
        let start = self.memory.as_ptr().align_offset(Pages::SIZE);
        &mut self.memory[start..][..self.length]
    }
}

fn main() {
    let mut criterion = Criterion::default().configure_from_args();
    kernels(&mut criterion);
    criterion.final_summary();
}
