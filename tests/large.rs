//! Machine code over whole tensors, where loops run long, lines pass the caches by and strides are huge: the
//! code of every tier of this machine against the interpreter, and the interpreter against the places that
//! the layouts say.
//!
//! `RETILE_LARGEST` is the most bytes that a case of the files may have on both sides together.
#![cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
#![allow(unsafe_code)] // kernels run on memory of the test's own making

mod common;
mod harness;
#[path = "large/memory.rs"]
mod memory;
mod model;

use common::{Draw, Failures, Xorshift};
use harness::case::Case;
use harness::{lines, tiers};
use memory::Memory;
use retile::{Isa, Kernel, Layout, Locality, Options, Target};

/// The usual `RETILE_LARGEST`.
const LARGEST: usize = 16 << 20;

/// From so many bytes on, not all of a buffer is there.
const HUGE: usize = 64 << 20;

/// Up to so many elements each is looked up by itself.
const LOOKED_UP: usize = 200_000;

/// What is in no file of benchmarks: odd extents and strides, regions, flips, broadcasts, fills, many dims,
/// digits that do not divide one another, each long enough for whole loops.
#[rustfmt::skip]
const ODD: [&str; 42] = [
    "f32:ab:1023x511 ba",
    "u8:ab:1021x769 ba",
    "bf16:ab:509x1031 ba",
    "f64:ab:257x513 ba",
    "u8:nchw:3x37x61x59 nhwc",
    "u8:nhwc:2x61x59x37 nchw",
    "bf16:nchw:3x19x61x59 nChw16c",
    "f32:nChw8c:3x37x41x43 nChw16c",
    "u8:nChw16c:3x53x41x43 nchw",
    "f32:nchw:2x17x63x65 nChw16c:lower=0,0,1,1:upper=0,0,2,1:fill=-1.5",
    "u8:nchw:2x33x63x65 nhwc:lower=0,0,3,3:upper=0,0,3,3:fill=7",
    "f64:nhwc:2x31x33x9 nchw:lower=0,2,0,1:upper=0,1,2,0:fill=0.5",
    "f32:nchw:2x24x50x50:in=3x32x64x70:at=1,3,5,9 nhwc",
    "u8:nhwc:2x50x50x24 nhwc:in=2x60x57x29:at=0,4,3,2",
    "bf16:nchw:2x24x50x50 nChw8c:in=2x40x60x60:at=0,8,7,5",
    "f32:strides(50000,2,1000,20):3x9x47x49 nchw",
    "u8:strides(700001,7,7001,71):2x9x97x95:offset=13 nhwc",
    "f32:strides(-70000,-4900,-70,-1):3x13x69x67:offset=300000 nChw8c",
    "u8:strides(1,-700):511x611:offset=450000 ba",
    "f64:strides(-301,1):299x299:offset=100000 ab",
    "f32:strides(0,1,0,0):4x67x41x43 nChw16c",
    "u8:strides(0,0,1):37x41x1021 cab",
    "bf16:strides(1,0):1021x509 ab",
    "u8:strides(0):1048577 a",
    "f32:strides(7,3001):401x97 ab",
    "u8:aBc1000b:2x5000x33 aBc1024b",
    "f32:aBcd12b:2x50x33x31 aBcd16b",
    "u8:aBcd24b:2x50x63x61 aBcd16b",
    "bf16:digits(ab; ab/3000 ab%3000):301x403 ab",
    "f32:ab:501x703 digits(ab; ab/1000@1024 ab%1000)",
    "u8:digits(abc; ab/48 c ab%48):61x67x33 cab",
    "f32:abcdefghijkl:2x3x2x3x2x3x2x3x2x3x2x5 lkjihgfedcba",
    "u8:abcdefghijkl:3x3x2x3x3x2x3x3x2x3x2x3 badcfehgjilk",
    "bf16:abcdefghijkl:3x3x3x3x3x3x1x3x3x3x3x1 ABCDEFGHIJKL2a2b2c2d2e2f2g2h2i2j2k2l",
    "u8:abcde:5x17x19x23x13 ecabd",
    "f32:oihw:130x67x5x3 OIhw16i16o",
    "s8:oihw:130x67x5x3 OIhw4i16o4i",
    "bf16:ab:1001x1003 BA16b64a2b",
    "u8:a:1000003 a",
    "f64:a:131071 digits(a; a%4 a/4)",
    "u8:digits(a; a%3 a/3):300001 a",
    "bf16:ab:3x200001 ba",
];

/// Conversions and values over long loops: odd extents, regions, flips, and more values than are made ready at once.
#[rustfmt::skip]
const CONVERTED: [&str; 16] = [
    "f32:ab:511x509 s8:ba --dst-scale=mask:1 --dst-zp=common",
    "f32:ab:311x409 u8:ba --src-scale=mask:3 --sum=0.5",
    "s8:ab:511x509 f32:ba --src-scale=mask:2 --src-zp=mask:1",
    "u8:nhwc:2x61x59x37 bf16:nChw16c --src-scale=mask:2",
    "bf16:nchw:3x19x61x59 f16:nhwc",
    "f32:nChw8c:3x37x41x43 s8:nChw16c --dst-scale=mask:2",
    "s32:nchw:2x17x63x65 f32:nChw16c:lower=0,0,1,1:upper=0,0,2,1:fill=-1.5 --src-zp=mask:15",
    "f32:nchw:2x24x50x50:in=3x32x64x70:at=1,3,5,9 s32:nhwc --dst-zp=mask:2",
    "u8:strides(-70000,-4900,-70,-1):3x13x69x67:offset=300000 f32:nChw8c --sum=1",
    "f32:strides(0,1,0,0):4x67x41x43 f16:nChw16c --src-scale=mask:5",
    "f32:a:100003 bf16:a",
    "f32:a:100003 u8:a --src-scale=mask:1 --src-zp=mask:1 --dst-scale=mask:1 --dst-zp=mask:1",
    "f32:digits(ab; ab/3000 ab%3000):101x403 u8:ab --src-scale=mask:3",
    "s64:ab:257x213 s32:ba",
    "f64:ab:257x213 f32:ba",
    "f32:ab:21x4001 f64:ba",
];

/// Strides, in elements, for which 32 bits are too few, on memory of which only some pages are there.
#[rustfmt::skip]
const SPARSE: [&str; 18] = [
    "f32:strides(5000000000,1):5x3000 ab",
    "f32:strides(5000000000,1):5x3000 ba",
    "f32:ab:5x3000 strides(5000000000,1)",
    "f32:ab:3000x5 strides(1,5000000000)",
    "u8:strides(1,3000000000):3001x7 ab",
    "u8:ab:9x17 strides(50000000000,2500000001)",
    "u8:strides(-3000000000,1):9x70:offset=24000000000 ba",
    "f64:strides(1,-600000000):65x9:offset=4800000000 ab",
    "bf16:strides(4000000000,1,200):3x50x40 acb",
    "u8:nchw:2x19x9x8 strides(5000000000,72,8,1)",
    "f32:strides(2000000000,49,7,1):3x20x7x7 nChw16c",
    "f32:nchw:3x20x7x7 nChw16c:in=3x50000000x7x7:at=0,16,0,0",
    "f32:nChw16c:2x20x5x5:in=2x100000000x5x5:at=0,32,0,0 nhwc",
    "u8:strides(2147483647,1):4x100 ab",
    "f32:strides(1,700000001):4x8 s8:ba --dst-scale=mask:2",
    "bf16:strides(600000001,1):9x3 s8:ba --src-scale=common",
    "u8:strides(2147483648,1):4x100 ba",
    "u8:digits(ab; ab/10@4000000000 ab%10):30x7 ab",
];

/// Where a buffer's first byte lies beyond a multiple of a page, or that its last is a page's last.
#[derive(Clone, Copy, Debug)]
enum Place {
    Beyond(usize),
    AtTheEnd,
}

/// Source and destination in memory, and what the destination holds before and after.
struct Run {
    case: Case,
    src: Memory,
    dst: Memory,
    before: Vec<u8>,
    after: Vec<u8>,
}

impl Run {
    /// With the destination at a place; the source lies at the other kind.
    fn new(case: Case, place: Place) -> Option<Run> {
        let size = case.src.dtype().size();
        let other = match place {
            Place::AtTheEnd => Place::Beyond(size),
            Place::Beyond(_) => Place::AtTheEnd,
        };
        let [mut src, mut dst] = [(&case.src, other), (&case.dst, place)]
            .map(|(layout, place)| memory_of(layout, place));
        let mut draw = Xorshift::new(case.seed);
        for memory in [src.as_mut()?, dst.as_mut()?] {
            memory.fill(|| draw.next() << 24 ^ draw.next());
        }
        let (src, dst) = (src?, dst?);
        let before = dst.copy();
        let mut run = Run { case, src, dst, before, after: Vec::new() };
        let plain = Kernel::interpreted(
            &run.case.src,
            &run.case.dst,
            &run.case.attr(),
            &Target::portable(),
            Locality::Auto,
        );
        run.tasks(&plain.unwrap(), 1);
        run.after = run.dst.copy();
        Some(run)
    }

    /// All tasks, on two threads where there are several.
    fn tasks(&mut self, kernel: &Kernel, count: usize) {
        let (src, dst) = (self.src.start() as usize, self.dst.start() as usize);
        let drawn = self.case.values();
        let values = drawn.values();
        let some = move |tasks: &mut dyn Iterator<Item = usize>| {
            for task in tasks {
                // SAFETY: the memory has every byte of the layouts' footprints, aligned for elements.
                unsafe { kernel.run_task(task, count, src as *const u8, dst as *mut u8, &values) }
            }
        };
        match count {
            1 => some(&mut (0..1)),
            _ => std::thread::scope(|scope| {
                scope.spawn(move || some(&mut (0..count).step_by(2)));
                scope.spawn(move || some(&mut (1..count).step_by(2).rev()));
            }),
        }
    }

    /// Whether the interpreter put every element where the layouts say, looked up one by one.
    fn looked_up(&self) -> Result<(), String> {
        let (src, dst) = (&self.case.src, &self.case.dst);
        let size = src.dtype().size();
        let mut at = vec![0isize; src.rank()];
        loop {
            let [from, to] = [(src, &self.src), (dst, &self.dst)].map(|(layout, memory)| {
                memory.element(layout.offset_of(&at).unwrap() * size, size)
            });
            if from != to {
                return Err(format!("interpreted: element {at:?} is {to:?}, expected {from:?}"));
            }
            let Some(d) = (0..at.len()).rfind(|&d| at[d] + 1 < src.dims()[d] as isize) else {
                return Ok(());
            };
            at[d] += 1;
            at[d + 1..].fill(0);
        }
    }

    /// Code for a target against what was interpreted.
    fn code(&mut self, target: Target, locality: Locality, count: usize) -> Result<(), String> {
        let options = Options::new().target(target).locality(locality);
        let Case { src, dst, .. } = &self.case;
        let kernel = Kernel::with_options(src, dst, &self.case.attr(), &options)
            .map_err(|error| format!("refused: {error}"))?;
        if kernel.code().is_none() {
            return Err(format!("there is no code: {:?}", kernel.why_portable()));
        }
        self.dst.restore(&self.before);
        self.tasks(&kernel, count);
        match self.dst.first_difference(&self.after) {
            None => Ok(()),
            Some((at, found, expected)) => {
                Err(format!("byte {at} is {found:#04x}, expected {expected:#04x}"))
            }
        }
    }
}

/// Memory for a layout's buffer; for its footprint and nothing far from it where the buffer is huge.
fn memory_of(layout: &Layout, place: Place) -> Option<Memory> {
    let (size, bytes) = (layout.dtype().size(), layout.size_bytes());
    let places: Vec<usize> = match bytes {
        ..HUGE => (0..bytes - size).step_by(memory::CLOSE).chain([bytes - size]).collect(),
        _ => layout.cells().map(|cell| cell.offset * size).collect(),
    };
    match place {
        Place::Beyond(bytes) => Memory::starting(bytes, &places, size),
        Place::AtTheEnd => Memory::ending(&places, size),
    }
}

/// Runs lines as code of every target of this machine, in several ways.
fn all<'a>(lines: impl Iterator<Item = &'a str>) {
    tiers::say();
    let mut failures = Failures::default();
    let mut count = 0;
    for line in lines {
        let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
        let size = case.dst.dtype().size();
        // A vector's place and not a line's, an element's and not a vector's, a line's.
        let places = [Place::AtTheEnd, Place::Beyond(4usize.max(size)), Place::Beyond(0)];
        let elements: usize = case.src.dims().iter().product();
        for (i, place) in places.into_iter().enumerate() {
            let told = |what: String| format!("{line}\n    {place:?}: {what}");
            let Some(mut run) = Run::new(case.clone(), place) else {
                return tiers::skip(&format!(
                    "huge strides: the system has no addresses for {line}"
                ));
            };
            if i == 0 && elements <= LOOKED_UP && moves(&case) {
                failures.check(run.looked_up().is_ok(), || told(run.looked_up().unwrap_err()));
            }
            for (t, target) in tiers::targets().into_iter().enumerate() {
                let name = target;
                if !Isa::of_this_cpu().runs_target(&target) {
                    continue;
                }
                // At each place other targets run as tasks, and lines pass the caches by where the code sees
                // to alignment.
                let locality = [Locality::Keep, Locality::Stream, Locality::Stream][i];
                let tasks = if (i + t) % 2 == 0 { 1 } else { 5 };
                count += 1;
                if let Err(what) = run.code(target, locality, tasks) {
                    failures.add(told(format!("{name}, {locality:?}, {tasks} tasks: {what}")));
                }
            }
        }
    }
    failures.none(count);
}

fn number(name: &str, usual: usize) -> usize {
    let Ok(value) = std::env::var(name) else { return usual };
    value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number"))
}

/// Whether it moves bits.
fn moves(case: &Case) -> bool {
    case.src.dtype() == case.dst.dtype() && case.arith == Default::default()
}

/// Whether both sides of a line are no more than `most` bytes, and there is code for it.
fn fits(line: &str, most: usize) -> bool {
    let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
    let compensated = case.arith.s8s8.is_some() || case.arith.zp.is_some();
    !compensated && case.src.size_bytes() + case.dst.size_bytes() <= most
}

#[test]
fn benchmarked_cases_in_full() {
    let most = number("RETILE_LARGEST", LARGEST);
    all(lines(include_str!("data/cases/perf-moves.txt")).filter(|line| fits(line, most)));
}

/// Smaller ones, since ordinary code takes long for them.
#[test]
fn benchmarked_conversions_in_full() {
    let most = number("RETILE_LARGEST", LARGEST) / 8;
    all(lines(include_str!("data/cases/perf-convert.txt"))
        .chain(CONVERTED)
        .filter(|line| fits(line, most)));
}

/// Rows that are carried and staged, those of a page each in blocks among them.
#[test]
fn streams_in_full() {
    let most = number("RETILE_LARGEST", LARGEST);
    let blocks = [
        "u8:strides(4096,1):1700x90 ba",
        "u8:strides(4096,1):3203x65:offset=3 ba",
        "f32:strides(1024,1):1601x33 strides(1,1603)",
        "bf16:strides(-2051,1):1601x41:offset=3300000 ba:in=1700x50:at=5,3",
    ];
    let cases = lines(include_str!("data/cases/streams.txt")).chain(blocks);
    all(cases.filter(|line| fits(line, most)));
}

#[test]
fn odd_cases() {
    let most = number("RETILE_LARGEST", LARGEST);
    all(ODD.into_iter().filter(|line| fits(line, most)));
}

#[test]
fn strides_beyond_32_bits() {
    all(SPARSE.into_iter());
}
