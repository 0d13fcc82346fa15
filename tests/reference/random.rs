//! Random pairs of layouts, types and arithmetic against maps from coordinates to offsets.

use std::collections::{HashMap, HashSet};

use crate::support::formula::{Ask, narrow, widen};
use crate::support::random;
use crate::support::{
    Rng, canary, coordinates, count, get, index, inside, layout, put, run, run_into,
};
use retile::DType::{self, *};
use retile::problem::Between;
use retile::{Attr, Layout, Problem, Role, Values};

const PAIRS: u64 = 3000;

/// A layout as a map.
struct Map {
    elements: HashMap<Vec<isize>, usize>,
    margins: Vec<usize>,
    tails: Vec<usize>,
}

impl Map {
    /// By `offset_of`; what else there is, by `cells`, which must agree with it.
    fn of(layout: &Layout) -> Map {
        let (mut elements, mut margins) = (HashMap::new(), HashMap::new());
        for at in coordinates(layout) {
            let offset = layout.offset_of(&at).unwrap();
            let map = if inside(layout, &at) { &mut elements } else { &mut margins };
            map.insert(at, offset);
        }
        let mut tails = Vec::new();
        let (mut elements_left, mut margins_left) = (elements.len(), margins.len());
        for cell in layout.cells() {
            let at = &cell.coords[..layout.rank()];
            match cell.role {
                Role::Element => {
                    assert_eq!(elements.get(at), Some(&cell.offset), "{layout}: {cell:?}");
                    elements_left -= 1;
                }
                Role::Margin => {
                    assert_eq!(margins.get(at), Some(&cell.offset), "{layout}: {cell:?}");
                    margins_left -= 1;
                }
                _ => tails.push(cell.offset),
            }
        }
        assert_eq!((elements_left, margins_left), (0, 0), "{layout}");
        let margins = margins.into_values().collect();
        Map { elements, margins, tails }
    }

    fn places(&self) -> impl Iterator<Item = usize> {
        self.elements.values().chain(&self.margins).chain(&self.tails).copied()
    }

    /// For a destination: each place is there once.
    fn distinct(&self) -> bool {
        let mut seen = HashSet::new();
        self.places().all(|offset| seen.insert(offset))
    }

    /// For a source: nothing but elements and padding is between the first place and the last.
    fn is_filled(&self) -> bool {
        let (first, last) = (self.places().min(), self.places().max());
        let spanned = last.zip(first).map_or(0, |(last, first)| last - first + 1);
        let count = self.places().count();
        self.distinct() && count == spanned
    }
}

/// A conversion between two of the six types, of anything but a NaN to another float.
fn convert(from: DType, to: DType, bits: u64) -> u64 {
    let integer = match from {
        S32 => i64::from(bits as i32),
        S8 => i64::from(bits as i8),
        _ => bits as i64,
    };
    match to {
        _ if from == to => bits,
        _ if from.is_float() || to.is_float() => narrow(to, widen(from, bits)),
        S32 => integer as u32 as u64,
        S8 => integer.clamp(-128, 127) as u8 as u64,
        _ => integer.clamp(0, 255) as u64,
    }
}

/// A fill: toward zero.
fn fill(dtype: DType, value: f32) -> u64 {
    narrow(dtype, if dtype.is_float() { value } else { value.trunc() })
}

/// Arithmetic with a mask and values for each step that it has.
#[derive(Debug)]
struct Arithmetic {
    ask: Ask,
    masks: [u32; 4],
    floats: [Vec<f32>; 2],
    points: [Vec<i32>; 2],
}

impl Arithmetic {
    fn random(rng: &mut Rng, dims: &[usize]) -> Arithmetic {
        let masks = [(); 4].map(|()| rng.below(1 << dims.len()) as u32);
        let counts = masks.map(|mask| count(mask, dims));
        let asked = [(); 5].map(|()| rng.one_in(3));
        let floats = [0, 1].map(|i| {
            let scale = |_| *rng.pick(&[0.5, 1.0, -1.3, 7.7, 0.01]);
            (0..counts[i] * usize::from(asked[i])).map(scale).collect()
        });
        let points = [2, 3].map(|i| {
            let point = |_| rng.below(300) as i32 - 150;
            (0..counts[i] * usize::from(asked[i])).map(point).collect()
        });
        let ask = Ask {
            src_scale: asked[0].then_some(1.0),
            dst_scale: asked[1].then_some(1.0),
            src_zp: asked[2].then_some(0),
            dst_zp: asked[3].then_some(0),
            sum: asked[4].then(|| *rng.pick(&[1.0, -0.5, 0.1])),
        };
        Arithmetic { ask, masks, floats, points }
    }

    fn attr(&self) -> Attr {
        let (ask, mut attr) = (&self.ask, Attr::new());
        if ask.src_scale.is_some() {
            attr = attr.src_scale(self.masks[0]);
        }
        if ask.dst_scale.is_some() {
            attr = attr.dst_scale(self.masks[1]);
        }
        if ask.src_zp.is_some() {
            attr = attr.src_zero_point(self.masks[2]);
        }
        if ask.dst_zp.is_some() {
            attr = attr.dst_zero_point(self.masks[3]);
        }
        ask.sum.map_or(attr.clone(), |beta| attr.sum(beta))
    }

    fn values(&self) -> Values<'_> {
        Values {
            src_scale: &self.floats[0],
            dst_scale: &self.floats[1],
            src_zero_point: &self.points[0],
            dst_zero_point: &self.points[1],
        }
    }

    fn at(&self, dims: &[usize], at: &[isize]) -> Ask {
        let index = |i: usize| index(self.masks[i], dims, at);
        Ask {
            src_scale: self.ask.src_scale.map(|_| self.floats[0][index(0)]),
            dst_scale: self.ask.dst_scale.map(|_| self.floats[1][index(1)]),
            src_zp: self.ask.src_zp.map(|_| self.points[0][index(2)]),
            dst_zp: self.ask.dst_zp.map(|_| self.points[1][index(3)]),
            sum: self.ask.sum,
        }
    }
}

/// Random bytes for the whole buffer; where elements convert without arithmetic, no NaN is one.
fn source_bytes(rng: &mut Rng, src: &Layout, map: &Map) -> Vec<u8> {
    let dtype = src.dtype();
    let mut bytes = rng.bytes(src.size_bytes());
    for &offset in map.elements.values() {
        let nan = dtype.is_float() && widen(dtype, get(dtype, &bytes, offset)).is_nan();
        if nan || rng.one_in(2) {
            let value = rng.below(400) as f32 - 200.0 + 0.25 * rng.below(4) as f32;
            put(dtype, &mut bytes, offset, narrow(dtype, value));
        }
    }
    bytes
}

/// The sums behind the destination: the mask and factor of each kind, over what was stored.
fn compensate(dst: &Layout, map: &Map, expected: &mut [u8], kinds: &[(usize, u32, i32)]) {
    let padded = dst.padded_dims();
    for &(start, mask, factor) in kinds {
        let mut sums = vec![0i32; count(mask, &padded)];
        for (at, &offset) in &map.elements {
            let shifted: Vec<isize> =
                (at.iter().enumerate()).map(|(d, &i)| i + dst.lower(d) as isize).collect();
            sums[index(mask, &padded, &shifted)] += i32::from(expected[offset] as i8);
        }
        for (i, sum) in sums.into_iter().enumerate() {
            put(S32, &mut expected[start..], i, (sum * factor) as u32 as u64);
        }
    }
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn random_pairs() {
    let six = [F32, F16, Bf16, S32, S8, U8];
    let (mut with_sums, mut regions, mut margins, mut tails) = (0, 0, 0, 0);
    let (mut padded, mut filled) = (0, 0);
    for seed in 0..PAIRS {
        let rng = &mut Rng::new(seed + 1);
        let rank = 1 + rng.below(5);
        let dims = random::dims(rng, rank);
        let (from, to) = (*rng.pick(&six), *rng.pick(&six));
        let src = random::source(rng, from, &dims);
        let dst = random::destination(rng, to, &dims);
        let (read, write) = (Map::of(&src), Map::of(&dst));
        assert!(write.distinct(), "{dst}");
        let cells = write.elements.len() + write.margins.len() + write.tails.len();
        assert_eq!(dst.is_dense(), cells == dst.size_elements(), "{dst}");
        let (problem, _) = Problem::new(&src, &dst, &Attr::new()).unwrap();
        let owned = read.is_filled() && src.check_destination().is_ok() && !dst.is_empty();
        let between = match read.places().count() > read.elements.len() {
            _ if !owned => Between::Anything,
            true => Between::Padding,
            false => Between::Elements,
        };
        assert_eq!(problem.src_between, between, "{src}");
        padded += usize::from(between == Between::Padding);
        filled += usize::from(between == Between::Elements);

        let arithmetic = Arithmetic::random(rng, &dims);
        let mut attr = arithmetic.attr();
        let masks = [(); 2].map(|()| rng.below(1 << rank) as u32);
        let summed = to == S8 && arithmetic.ask.sum.is_none() && !dst.is_region();
        if summed {
            attr = attr.s8s8_compensation(masks[0]).asymmetric_compensation(masks[1]);
        }
        let sizes =
            attr.sizes(&src, &dst).unwrap_or_else(|e| panic!("seed {seed}: {src} to {dst}: {e}"));

        let bytes = source_bytes(rng, &src, &read);
        let mut expected = canary(sizes.dst + 8);
        for (at, &offset) in &write.elements {
            let element = get(from, &bytes, read.elements[at]);
            let bits = if attr.is_arithmetic() {
                let before = get(to, &expected, offset);
                arithmetic.at(&dims, at).apply((from, element), (to, before))
            } else {
                convert(from, to, element)
            };
            put(to, &mut expected, offset, bits);
        }
        for &offset in &write.margins {
            put(to, &mut expected, offset, fill(to, dst.fill()));
        }
        for &offset in &write.tails {
            put(to, &mut expected, offset, 0);
        }
        if let (Some(first), Some(second)) = (sizes.s8s8, sizes.asymmetric) {
            let kinds = [(first, masks[0], -128), (second, masks[1], -1)];
            compensate(&dst, &write, &mut expected, &kinds);
        }

        let mut found = canary(sizes.dst + 8);
        run_into(&src, &bytes, &dst, &mut found, &attr, &arithmetic.values());
        assert_eq!(found, expected, "seed {seed}: {src} to {dst}, {arithmetic:?}");

        with_sums += usize::from(summed);
        regions += usize::from(dst.is_region());
        margins += usize::from(!write.margins.is_empty());
        tails += usize::from(!write.tails.is_empty());
    }
    // Each kind was there.
    for count in [with_sums, regions, margins, tails, padded, filled] {
        assert!(count > PAIRS as usize / 20, "{count}");
    }
}

/// Tails once more, for tags: all that lies under a window of the rounded extents, where the window
/// is stretched to the end of a dim that it reaches.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn tails_of_tags() {
    for seed in 0..500 {
        let rng = &mut Rng::new(seed);
        let rank = 1 + rng.below(3);
        let dims = random::dims(rng, rank);
        let tag = random::tag(rng, rank);
        let mut some = |most| dims.iter().map(|_| rng.below(most)).collect::<Vec<usize>>();
        let (before, lower, upper, after) = (some(4), some(3), some(3), some(3));
        let sum = |d: usize| before[d] + lower[d] + dims[d] + upper[d] + after[d];
        let whole: Vec<usize> = (0..rank).map(sum).collect();
        let (dims_text, whole_text) = (random::joined(&dims, "x"), random::joined(&whole, "x"));
        let dst = layout(&format!(
            "u8:{tag}:{dims_text}:lower={}:upper={}:fill=7:in={whole_text}:at={}",
            random::joined(&lower, ","),
            random::joined(&upper, ","),
            random::joined(&before, ",")
        ));
        let parent = layout(&format!("u8:{tag}:{whole_text}"));
        let rounded = parent.padded_dims();
        let full = layout(&format!("u8:{tag}:{}", random::joined(&rounded, "x")));
        let src = Layout::row_major(U8, &dims).unwrap();
        let bytes = rng.bytes(src.size_bytes());

        let mut expected = canary(dst.size_bytes());
        for at in coordinates(&full) {
            let offset = full.offset_of(&at).unwrap();
            let all = |end: &dyn Fn(usize) -> usize, start: &dyn Fn(usize) -> usize| {
                (0..rank).all(|d| (start(d)..end(d)).contains(&(at[d] as usize)))
            };
            let own_start = |d: usize| before[d];
            let own_end = |d: usize| whole[d] - after[d];
            let stretched = |d: usize| {
                if after[d] == 0 { rounded[d] } else { own_end(d) }
            };
            let start = |d: usize| before[d] + lower[d];
            let end = |d: usize| start(d) + dims[d];
            if all(&end, &start) {
                let at: Vec<isize> = (0..rank).map(|d| at[d] - start(d) as isize).collect();
                expected[offset] = bytes[src.offset_of(&at).unwrap()];
            } else if all(&own_end, &own_start) {
                expected[offset] = 7;
            } else if all(&stretched, &own_start) {
                expected[offset] = 0;
            }
        }
        assert_eq!(run(&src, &bytes, &dst), expected, "seed {seed}: {dst}");
    }
}
