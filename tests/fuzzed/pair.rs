//! Any bytes as a pair of layouts with arithmetic: planned, run whole and as tasks, and held against the
//! reference.

#[path = "far.rs"]
mod far;

use std::fmt::Write;

use retile::plan::{Locality, Plan};
use retile::target::TARGETS;
use retile::{Attr, DType, Kernel, Layout, Values, reference, shuffle};

/// The bytes as small choices; zeros where they end.
pub(crate) struct Choices<'a>(pub(crate) &'a [u8]);

impl Choices<'_> {
    fn next(&mut self) -> usize {
        let Some((&first, rest)) = self.0.split_first() else { return 0 };
        self.0 = rest;
        first as usize
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() % n.max(1)
    }

    /// A seed.
    #[allow(dead_code)] // not every check wants one
    pub(crate) fn word(&mut self) -> u64 {
        (0..4).fold(0, |word, _| word << 8 | self.next() as u64)
    }

    /// One chance in `n`.
    fn rarely(&mut self, n: usize) -> bool {
        self.next() % n == n - 1
    }
}

const EXTENTS: [usize; 16] = [1, 2, 3, 4, 5, 7, 8, 9, 11, 12, 15, 16, 17, 31, 33, 0];
const RADICES: [usize; 8] = [2, 3, 4, 5, 7, 8, 12, 16];
const MOST_BYTES: usize = 1 << 16;

/// What the bytes say, where that is two layouts.
pub(crate) fn decode(choices: &mut Choices<'_>) -> Option<(Layout, Layout, Attr)> {
    let rank = 1 + choices.below(5);
    let mut dims: Vec<usize> = (0..rank).map(|_| EXTENTS[choices.below(16)]).collect();
    while dims.iter().product::<usize>() > 4000 {
        let largest = dims.iter().enumerate().max_by_key(|(_, n)| **n).map_or(0, |(d, _)| d);
        dims[largest] /= 2;
    }
    let types = [DType::ALL[choices.below(11)], DType::ALL[choices.below(11)]];
    let same = choices.rarely(2);
    let [from, to] = if same { [types[0]; 2] } else { types };
    let (src, dst) = (side(choices, from, &dims, true), side(choices, to, &dims, false));
    let attr = arithmetic(choices, rank);
    let [src, dst] = [src, dst].map(|text| text.parse::<Layout>().ok());
    let mut sides = [src?, dst?];
    for side in &mut sides {
        if choices.rarely(4)
            && let Some(far) = far::far(choices, side)
        {
            *side = far;
        }
    }
    let [src, dst] = sides;
    Some((src, dst, attr))
}

/// Runs what the bytes say, where that is a conversion.
pub(crate) fn check(data: &[u8]) {
    let mut choices = Choices(data);
    let Some((src, dst, attr)) = decode(&mut choices) else { return };
    let dims = src.dims().to_vec();
    let line = format!("{src} {dst} {attr}");
    let Ok(sizes) = attr.sizes(&src, &dst) else { return };
    if sizes.src > MOST_BYTES || sizes.dst > MOST_BYTES {
        return;
    }
    let seed = choices.next() as u32;
    let source = noise(sizes.src, seed);
    let before = noise(sizes.dst, seed ^ 0x5555);
    let (scales, points) = (floats(&attr, &dims, seed), integers(&attr, &dims, seed));
    let values = Values {
        src_scale: &scales[0],
        dst_scale: &scales[1],
        src_zero_point: &points[0],
        dst_zero_point: &points[1],
    };
    let mut expected = before.clone();
    let expected = &mut expected.bytes()[..sizes.dst];
    let source = &source.bytes_of()[..sizes.src];
    reference::reorder(&src, source, &dst, expected, &attr, &values).expect("sizes were checked");
    let target = TARGETS[choices.below(TARGETS.len())];
    let locality = [Locality::Auto, Locality::Keep, Locality::Stream][choices.below(3)];
    let tiled = Kernel::interpreted(&src, &dst, &attr, &target, locality);
    for kernel in [Kernel::new(&src, &dst, &attr), tiled] {
        let kernel = kernel.expect("sizes were checked");
        let plan = kernel.plan();
        sequences(&line, plan);
        for tasks in [1, 1 + choices.below(9)] {
            let mut found = before.clone();
            let found = &mut found.bytes()[..sizes.dst];
            for task in (0..tasks).rev() {
                // SAFETY: both buffers hold what `sizes` says and are aligned to 8 bytes; the destination
                // is apart from the source; there are as many values as asked for.
                unsafe {
                    kernel.run_task(task, tasks, source.as_ptr(), found.as_mut_ptr(), &values)
                };
            }
            if let Some(at) = (0..sizes.dst).find(|&at| found[at] != expected[at]) {
                let (name, problem) = (plan.target, &plan.problem);
                panic!(
                    "{line}\nfor {name}, {locality:?}, in {tasks} tasks, byte {at} is {} not {}\n{problem}",
                    found[at], expected[at]
                );
            }
        }
    }
}

/// Every sequence moves its tile, looked at before it is run.
fn sequences(line: &str, plan: &Plan) {
    for nest in plan.nests() {
        for tile in nest.tiling.iter().flat_map(|tiling| &tiling.tiles) {
            let movement = nest.movement(&tile.chunks, plan);
            if let Err(why) = shuffle::check(&movement, &tile.found.program, &plan.target) {
                panic!("{line}\n{}: {nest}\n{movement:?}\n{why}", plan.target);
            }
        }
    }
}

/// A layout's text: digits in any order, with all that digits may have.
fn side(choices: &mut Choices<'_>, dtype: DType, dims: &[usize], source: bool) -> String {
    let rank = dims.len();
    let letters: Vec<char> = (b'a'..b'a' + rank as u8).map(char::from).collect();
    let mut axes: Vec<String> = Vec::new();
    let mut rest = letters.clone();
    while !rest.is_empty() {
        let mut axis = String::from(rest.remove(choices.below(rest.len())));
        while choices.rarely(5) && !rest.is_empty() {
            axis.push(rest.remove(choices.below(rest.len())));
        }
        axes.push(axis);
    }
    let mut digits: Vec<String> = Vec::new();
    for axis in &axes {
        let mut unit = 1;
        for _ in 0..choices.below(4).saturating_sub(1) {
            let modulus = unit * RADICES[choices.below(8)];
            digits.push(format!("{axis}%{modulus}/{unit}"));
            unit = modulus;
        }
        digits.push(format!("{axis}/{unit}"));
    }
    let mut text = format!("{dtype}:digits({};", letters.iter().collect::<String>());
    let mark = choices.rarely(8);
    while !digits.is_empty() {
        let digit = digits.remove(choices.below(digits.len()));
        let bar = if mark && digits.len() == 1 { "| " } else { "" };
        let _ = write!(text, " {bar}{digit}");
        if choices.rarely(12) {
            // Sources may repeat themselves, go backwards and leave gaps.
            let stride = choices.next() as isize * 3 - if source { 60 } else { 0 };
            let _ = write!(text, "@{stride}");
        }
    }
    if choices.rarely(6) {
        let _ =
            write!(text, "; align {}:{}", axes[choices.below(axes.len())], 1 + choices.below(20));
    }
    if choices.rarely(10) {
        let d = choices.below(rank);
        let _ = write!(text, "; fix {}:{}", letters[d], dims[d] + choices.below(9));
    }
    if choices.rarely(4) {
        let _ = write!(text, "; flip {}", letters[choices.below(rank)]);
    }
    let shape: Vec<String> = dims.iter().map(usize::to_string).collect();
    let _ = write!(text, "):{}", shape.join("x"));
    let offset = choices.rarely(4) as usize * choices.next() * 16;
    let _ = write!(text, ":offset={offset}");
    if choices.rarely(3) {
        let margins = |choices: &mut Choices<'_>| {
            let list: Vec<String> =
                dims.iter().map(|_| choices.below(5).saturating_sub(2).to_string()).collect();
            list.join(",")
        };
        let (lower, upper) = (margins(choices), margins(choices));
        let fill = choices.next() as isize - 100;
        let _ = write!(text, ":lower={lower}:upper={upper}:fill={fill}.25");
    }
    if choices.rarely(4) {
        let at: Vec<usize> = dims.iter().map(|_| choices.below(20)).collect();
        let parent: Vec<String> = at
            .iter()
            .zip(dims)
            .map(|(at, n)| (at + n + 6 + choices.below(5)).to_string())
            .collect();
        let at: Vec<String> = at.iter().map(usize::to_string).collect();
        let _ = write!(text, ":in={}:at={}", parent.join("x"), at.join(","));
    }
    if mark {
        let _ = write!(text, ":pitch={}", 1 + choices.below(40));
    }
    text
}

fn arithmetic(choices: &mut Choices<'_>, rank: usize) -> Attr {
    let mut attr = Attr::new();
    let mask = |choices: &mut Choices<'_>| choices.below(1 << rank) as u32;
    for set in [Attr::src_scale, Attr::dst_scale, Attr::src_zero_point, Attr::dst_zero_point] {
        if choices.rarely(5) {
            attr = set(attr, mask(choices));
        }
    }
    if choices.rarely(6) {
        const SPECIAL: [f32; 6] = [0.0, -0.0, 1.0, 3.4e38, 1e-42, -1e-30];
        let beta = choices.next();
        attr = attr.sum(*SPECIAL.get(beta).unwrap_or(&(beta as f32 / 64.0 - 2.0)));
    }
    for set in [Attr::s8s8_compensation, Attr::asymmetric_compensation] {
        if choices.rarely(6) {
            attr = set(attr, mask(choices));
        }
    }
    attr
}

/// Bytes aligned for every element.
#[derive(Clone)]
struct Words(Vec<u64>);

impl Words {
    fn bytes(&mut self) -> &mut [u8] {
        bytemuck::cast_slice_mut(&mut self.0)
    }

    fn bytes_of(&self) -> &[u8] {
        bytemuck::cast_slice(&self.0)
    }
}

fn noise(bytes: usize, seed: u32) -> Words {
    let word = |i: usize| {
        let x = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(seed) << 32;
        x ^ x >> 29 ^ x << 17
    };
    Words((0..bytes / 8 + 1).map(word).collect())
}

pub(crate) fn floats(attr: &Attr, dims: &[usize], seed: u32) -> [Vec<f32>; 2] {
    const SPECIAL: [f32; 8] = [0.5, -2.0, 0.0, -0.0, f32::INFINITY, f32::NAN, 1e-40, 3.4e38];
    let [src, dst, ..] = attr.value_counts(dims);
    [src, dst].map(|count| {
        let value = |i: usize| match (i.wrapping_add(seed as usize)) % 13 {
            i if i < 8 => SPECIAL[i],
            i => i as f32 * 0.37 - 2.0,
        };
        (0..count).map(value).collect()
    })
}

pub(crate) fn integers(attr: &Attr, dims: &[usize], seed: u32) -> [Vec<i32>; 2] {
    // What f32 holds, and what it rounds.
    const SPECIAL: [i32; 6] = [0, i32::MIN, i32::MAX, 16_777_217, -16_777_219, 1 << 30];
    let [.., src, dst] = attr.value_counts(dims);
    [src, dst].map(|count| {
        let value = |i: usize| match i.wrapping_add(seed as usize) % 13 {
            at if at < 6 => SPECIAL[at],
            _ => (i as i32).wrapping_mul(7919).wrapping_add(seed as i32) % 300 - 120,
        };
        (0..count).map(value).collect()
    })
}
