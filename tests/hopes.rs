//! Bytes made of elements that are ordinary but for one: the first of two sequences takes all for ordinary, and has to
//! find that one wherever it is. Against the reference, on every tier.
#![cfg(not(any(miri, retile_portable)))] // kernels by the dozen

mod common;

use common::tiers;
use retile::dtype::convert;
use retile::{Attr, DType, Kernel, Layout, Options, Values, reference};

const ROWS: usize = 70;
const COLUMNS: usize = 83;

/// What is to be mended, what looks like it, and what only saturates.
const OTHERS: [f32; 14] = [
    f32::NAN,
    -f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    2147483648.0,
    -2147483648.0,
    f32::MAX,
    f32::MIN,
    -32768.0,
    -32769.0,
    32768.0,
    8388480.0,
    1e-40,
    -0.0,
];

/// Numbers of a byte, and some past its ends.
fn ordinary(i: usize) -> f32 {
    (i as f32 * 0.77) % 300.0 - 140.25
}

/// Elements of a type, where any may start.
struct Elements {
    dtype: DType,
    words: Vec<u64>,
}

impl Elements {
    fn bytes(&mut self) -> &mut [u8] {
        let bytes = ROWS * COLUMNS * self.dtype.size();
        &mut bytemuck::cast_slice_mut(&mut self.words)[..bytes]
    }

    /// Puts a number in a place, and gives the bytes that were there.
    fn put(&mut self, at: usize, number: f32) -> Vec<u8> {
        let bits = convert::element(DType::F32, self.dtype, u64::from(number.to_bits()));
        let size = self.dtype.size();
        let place = &mut self.bytes()[at * size..(at + 1) * size];
        let before = place.to_vec();
        place.copy_from_slice(&bits.to_le_bytes()[..size]);
        before
    }

    fn new(dtype: DType, number: impl Fn(usize) -> f32) -> Elements {
        let mut new = Elements { dtype, words: vec![0; ROWS * COLUMNS] };
        (0..ROWS * COLUMNS).for_each(|at| _ = new.put(at, number(at)));
        new
    }
}

/// Whether there are scales, and a zero point.
const WAYS: [(bool, bool, bool); 4] =
    [(false, false, false), (true, false, false), (false, true, false), (true, true, true)];

/// A case: kernels of every tier, and what they are given.
struct Case {
    src: Layout,
    dst: Layout,
    attr: Attr,
    kernels: Vec<Kernel>,
}

impl Case {
    fn new(from: DType, to: &str, way: (bool, bool, bool)) -> Case {
        let src: Layout = format!("{from}:ab:{ROWS}x{COLUMNS}").parse().unwrap();
        let dst = src.destination(to).unwrap();
        let mut attr = Attr::new();
        if way.0 {
            attr = attr.src_scale(2);
        }
        if way.1 {
            attr = attr.dst_scale(0);
        }
        if way.2 {
            attr = attr.dst_zero_point(0);
        }
        Case::with(&src, &dst, attr)
    }

    fn with(src: &Layout, dst: &Layout, attr: Attr) -> Case {
        let kernels = (tiers("elements to mend").into_iter())
            .map(|tier| Options::new().max_tier(tier))
            .map(|options| Kernel::with_options(src, dst, &attr, &options).unwrap())
            .collect();
        Case { src: src.clone(), dst: dst.clone(), attr, kernels }
    }

    /// Runs all kernels, twice each: nothing of one run is left for the next.
    fn check(&self, given: &[u8], values: &Values<'_>, told: &str) {
        let Case { src, dst, attr, .. } = self;
        // What is summed up lies behind the elements, on whole sums.
        let bytes = attr.sizes(src, dst).unwrap().dst;
        let mut words = vec![0x5a5a_5a5a_5a5a_5a5au64; bytes.div_ceil(8)];
        let expected: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
        reference::reorder(src, given, dst, expected, attr, values).unwrap();
        for kernel in &self.kernels {
            for run in 0..2 {
                let mut words = vec![0x5a5a_5a5a_5a5a_5a5au64; expected.len() / 8];
                let found: &mut [u8] = bytemuck::cast_slice_mut(&mut words);
                kernel.run_bytes(given, found, values).unwrap();
                let tier = kernel.tier();
                let (found, expected) = (&found[..bytes], &expected[..bytes]);
                assert!(found == expected, "{src} {dst} {tier} {attr:?}, run {run}: {told}");
            }
        }
    }
}

impl Case {
    /// Nothing to mend, then one of so many elements after the other; how many there were.
    fn check_each(&self, from: DType, values: &Values<'_>, step: usize) -> usize {
        let mut given = Elements::new(from, ordinary);
        self.check(given.bytes(), values, "nothing to mend");
        let places = (0..ROWS * COLUMNS).step_by(step);
        for (turn, at) in places.clone().enumerate() {
            let other = OTHERS[turn % OTHERS.len()];
            let before = given.put(at, other);
            self.check(given.bytes(), values, &format!("{other} at {at}"));
            let size = from.size();
            given.bytes()[at * size..(at + 1) * size].copy_from_slice(&before);
        }
        places.len()
    }
}

/// All cases of one type, each element that is tried in its turn.
fn check(from: DType) {
    let mut tried = 0;
    for to in ["s8:ab", "s8:ba", "u8:ba", "s8:aB16b", "u8:BA16b4a", "u8:ab"] {
        for way in WAYS {
            if from == DType::S32 && way == WAYS[0] {
                continue;
            }
            let case = Case::new(from, to, way);
            let scales: Vec<f32> = (0..COLUMNS).map(|i| 0.5 + (i % 3) as f32).collect();
            let values = Values {
                src_scale: if way.0 { &scales } else { &[] },
                dst_scale: if way.1 { &[0.75] } else { &[] },
                dst_zero_point: if way.2 { &[3] } else { &[] },
                ..Values::default()
            };
            tried += case.check_each(from, &values, 23);
        }
    }
    assert!(tried > 4000, "{tried} elements tried");
}

#[test]
fn one_of_many_is_found() {
    check(DType::F32);
}

#[test]
fn one_of_many_halves_is_found() {
    check(DType::F16);
    check(DType::Bf16);
}

#[test]
fn one_of_many_whole_numbers_is_found() {
    check(DType::S32);
}

/// A scale that makes NaNs of zeros, and such as take all past any whole number.
#[test]
fn values_that_leave_all_to_mend() {
    for to in ["s8:ba", "u8:ab"] {
        let case = Case::new(DType::F32, to, (false, true, false));
        let mut given = Elements::new(DType::F32, |i| (i % 5) as f32 - 2.0);
        for scale in [0.0, -0.0, 1e-38, 1e-45, f32::INFINITY, f32::NAN, 1e30] {
            let values = Values { dst_scale: &[scale], ..Values::default() };
            case.check(given.bytes(), &values, &format!("all by {scale}"));
        }
    }
}

/// A tile that is done again is added up once: sums of rows, of columns, of all and of each element.
#[test]
fn what_is_done_again_is_added_up_once() {
    let mut tried = 0;
    for from in [DType::F32, DType::Bf16] {
        let src: Layout = format!("{from}:ab:{ROWS}x{COLUMNS}").parse().unwrap();
        for (to, s8s8, zero_point) in [
            ("ab", Some(1), None),
            ("ba", Some(2), None),
            ("ba", Some(1), Some(2)),
            ("ab", None, Some(0)),
            ("ba", Some(3), None),
            ("BA16b4a", Some(2), Some(2)),
            ("BA4b64a4b", Some(1), None),
            ("aB16b", Some(2), None),
            ("strides(1,96)", Some(1), None),
        ] {
            let mut attr = Attr::new().dst_scale(0);
            attr = s8s8.map_or(attr.clone(), |mask| attr.s8s8_compensation(mask));
            attr = zero_point.map_or(attr.clone(), |mask| attr.asymmetric_compensation(mask));
            let dst = src.destination(&format!("s8:{to}")).unwrap();
            let case = Case::with(&src, &dst, attr);
            let values = Values { dst_scale: &[0.75], ..Values::default() };
            tried += case.check_each(from, &values, 61);
        }
    }
    assert!(tried > 1000, "{tried} elements tried");
}
