//! Bytes that are scaled and moved alike, wherever they lie: every byte by scales and zero points of all kinds, as the
//! kernels of every tier have it, among them those that look bytes up in a table, or in two.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;

use common::tiers;
use retile::{Attr, DType, Kernel, Layout, Options, Problem, Values, reference};

/// Of ordinary size, from one to another at which all saturates, and what is none.
const SCALES: [f32; 13] = [
    1.0,
    -0.5,
    0.003_921_569,
    1.0 / 3.0,
    254.7,
    0.0,
    -0.0,
    1e-45,
    -3e38,
    f32::MIN_POSITIVE,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

const POINTS: [i32; 9] = [0, 1, -1, 128, 77, -300, 1 << 24, i32::MAX, i32::MIN];

/// Which steps there are.
#[derive(Clone, Copy, Debug)]
struct Steps {
    src_scale: bool,
    dst_scale: bool,
    src_point: bool,
    dst_point: bool,
}

impl Steps {
    fn all() -> impl Iterator<Item = Steps> {
        (0..16).map(|bits| Steps {
            src_scale: bits & 1 != 0,
            dst_scale: bits & 2 != 0,
            src_point: bits & 4 != 0,
            dst_point: bits & 8 != 0,
        })
    }

    fn attr(self) -> Attr {
        let mut attr = Attr::new();
        if self.src_scale {
            attr = attr.src_scale(0);
        }
        if self.dst_scale {
            attr = attr.dst_scale(0);
        }
        if self.src_point {
            attr = attr.src_zero_point(0);
        }
        if self.dst_point {
            attr = attr.dst_zero_point(0);
        }
        attr
    }

    /// The byte that one becomes.
    fn of(self, byte: u8, [from, to]: [DType; 2], scales: [f32; 2], points: [i32; 2]) -> u8 {
        let mut x = if from == DType::S8 { f32::from(byte.cast_signed()) } else { f32::from(byte) };
        if self.src_point {
            x -= points[0] as f32;
        }
        if self.src_scale {
            x *= scales[0];
        }
        if self.dst_scale {
            x *= 1.0 / scales[1];
        }
        if self.dst_point {
            x += points[1] as f32;
        }
        // Both saturate, and make 0 of what is no number.
        let x = x.round_ties_even();
        if to == DType::S8 { (x as i8).cast_unsigned() } else { x as u8 }
    }
}

/// Every byte in each of so many columns, and where it goes.
struct Bytes {
    src: Layout,
    dst: Layout,
    source: Vec<u8>,
    places: Vec<usize>,
}

impl Bytes {
    fn new(columns: usize, format: &str, [from, to]: [DType; 2]) -> Bytes {
        let src: Layout = format!("{from}:ab:256x{columns}").parse().unwrap();
        let dst = src.destination(&format!("{to}:{format}")).unwrap();
        let source =
            (0..256 * columns).map(|i| (i / columns) as u8 ^ (i % columns) as u8).collect();
        let place = |i| dst.offset_of(&[(i / columns) as isize, (i % columns) as isize]);
        let places = (0..256 * columns).map(|i| place(i).unwrap()).collect();
        Bytes { src, dst, source, places }
    }

    /// Kernels of all tiers of this machine against the reference; how many plans for a Zen 4 have tables of pairs.
    fn check_pairs(&self, steps: Steps, number: usize) -> usize {
        let (src, dst, attr) = (&self.src, &self.dst, steps.attr());
        let options = tiers("pairs of bytes").into_iter().map(|tier| Options::new().max_tier(tier));
        let kernels =
            options.map(|options| Kernel::with_options(src, dst, &attr, &options).unwrap());
        let kernels: Vec<Kernel> = kernels.collect();
        for turn in 0..SCALES.len() {
            let scales = [SCALES[turn], SCALES[(turn * 7 + number) % SCALES.len()]];
            let points =
                [(turn + number) % POINTS.len(), turn * 2 % POINTS.len()].map(|k| POINTS[k]);
            let values = Values {
                src_scale: if steps.src_scale { &scales[..1] } else { &[] },
                dst_scale: if steps.dst_scale { &scales[1..] } else { &[] },
                src_zero_point: if steps.src_point { &points[..1] } else { &[] },
                dst_zero_point: if steps.dst_point { &points[1..] } else { &[] },
            };
            let mut expected = vec![0; dst.size_bytes()];
            reference::reorder(src, &self.source, dst, &mut expected, &attr, &values).unwrap();
            for kernel in &kernels {
                let mut found = vec![0x55; dst.size_bytes()];
                kernel.run_bytes(&self.source, &mut found, &values).unwrap();
                let tier = kernel.tier();
                assert!(
                    found == expected,
                    "{src} {dst} {tier} {steps:?} by {scales:?} and {points:?}"
                );
            }
        }
        let (problem, _) = Problem::new(src, dst, &attr).unwrap();
        let plan = retile::plan::plan(&problem, &"zen4".parse().unwrap());
        usize::from(plan.to_string().contains("looked up"))
    }

    fn check(&self, kernel: &Kernel, steps: Steps, types: [DType; 2], turn: usize) {
        let pick = |k: usize| (turn * 7 + k * 5) % SCALES.len();
        let scales = [SCALES[turn % SCALES.len()], SCALES[pick(1)]];
        let points = [POINTS[turn % POINTS.len()], POINTS[pick(2) % POINTS.len()]];
        let list = |present: bool, value: f32| if present { vec![value] } else { Vec::new() };
        let whole = |present: bool, value: i32| if present { vec![value] } else { Vec::new() };
        let values = Values {
            src_scale: &list(steps.src_scale, scales[0]),
            dst_scale: &list(steps.dst_scale, scales[1]),
            src_zero_point: &whole(steps.src_point, points[0]),
            dst_zero_point: &whole(steps.dst_point, points[1]),
        };
        let mut expected = vec![0; self.dst.size_bytes()];
        for (&byte, &place) in self.source.iter().zip(&self.places) {
            expected[place] = steps.of(byte, types, scales, points);
        }
        let mut found = vec![0x55; self.dst.size_bytes()];
        kernel.run_bytes(&self.source, &mut found, &values).unwrap();
        let first = found.iter().zip(&expected).position(|(found, own)| found != own);
        let (src, dst, tier) = (&self.src, &self.dst, kernel.tier());
        assert_eq!(first, None, "{src} {dst} {tier} {steps:?} by {scales:?} and {points:?}");
    }
}

/// A mask of dims that have one index each is one value, which may lie behind others.
#[test]
fn values_of_a_single_index_are_common() {
    let src: Layout = "u8:nchw:1x1x32x32".parse().unwrap();
    let dst = src.destination("s8:nchw:lower=0,3,0,0").unwrap();
    let attr = Attr::new().src_scale(1 << 1).dst_zero_point(1 << 1);
    let source: Vec<u8> = (0..1024).map(|i| (i * 7) as u8).collect();
    let values = Values { src_scale: &[0.5], dst_zero_point: &[-60], ..Values::default() };
    let mut expected = vec![0; dst.size_bytes()];
    retile::reference::reorder(&src, &source, &dst, &mut expected, &attr, &values).unwrap();
    for tier in tiers("tables of bytes") {
        let options = Options::new().max_tier(tier);
        let kernel = Kernel::with_options(&src, &dst, &attr, &options).unwrap();
        let mut found = vec![0; dst.size_bytes()];
        kernel.run_bytes(&source, &mut found, &values).unwrap();
        assert!(found == expected, "{tier}");
    }
}

#[test]
fn every_byte_becomes_what_the_formula_says() {
    let mut count = 0;
    let bytes = [DType::S8, DType::U8];
    // Along rows and across them, in blocks, with padding, and too few for a table.
    for (columns, format) in [(19, "ab"), (24, "ba"), (33, "aB16b"), (20, "BA8b4a"), (1, "ba")] {
        for types in bytes.into_iter().flat_map(|from| bytes.map(|to| [from, to])) {
            let own = Bytes::new(columns, format, types);
            for (number, steps) in Steps::all().enumerate() {
                for tier in tiers("tables of bytes") {
                    let options = Options::new().max_tier(tier);
                    let kernel =
                        Kernel::with_options(&own.src, &own.dst, &steps.attr(), &options).unwrap();
                    assert_eq!(kernel.tier(), tier);
                    for turn in 0..SCALES.len() * POINTS.len() / 3 {
                        own.check(&kernel, steps, types, number + turn);
                        count += own.source.len();
                    }
                }
            }
        }
    }
    assert!(count > 1 << 24, "{count} bytes");
}

/// The same where elements of two bytes become of them, which the reference says.
#[test]
fn every_byte_becomes_two_as_the_reference_has_it() {
    let mut looked_up = 0;
    // Along rows and across them, in blocks, with some padding and much, and too few for tables.
    let shapes = [(19, "ab"), (24, "ba"), (40, "ba"), (44, "aB16b"), (33, "aB16b"), (5, "ba")];
    for (columns, format) in shapes {
        for from in [DType::S8, DType::U8] {
            for to in [DType::F16, DType::Bf16] {
                let own = Bytes::new(columns, format, [from, to]);
                for (number, steps) in Steps::all().enumerate() {
                    looked_up += own.check_pairs(steps, number);
                }
            }
        }
    }
    assert!(looked_up > 0, "no plan has tables for pairs");
}
