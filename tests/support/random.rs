//! Small random layouts of every kind, by way of their text and of views.

use retile::{DType, Layout};

use super::{Rng, layout};

/// Extents, most of them small, some of one.
pub(crate) fn dims(rng: &mut Rng, rank: usize) -> Vec<usize> {
    let most = [0, 40, 11, 6, 5, 3][rank.min(5)];
    (0..rank).map(|_| if rng.one_in(6) { 1 } else { 1 + rng.below(most) }).collect()
}

/// A layout that may be written, with these dims.
pub(crate) fn destination(rng: &mut Rng, dtype: DType, dims: &[usize]) -> Layout {
    let rank = dims.len();
    if rng.one_in(4) {
        // A region of something larger.
        let before: Vec<usize> = dims.iter().map(|_| rng.below(4)).collect();
        let after: Vec<usize> = dims.iter().map(|_| rng.below(3)).collect();
        let whole: Vec<usize> = (0..rank).map(|d| before[d] + dims[d] + after[d]).collect();
        return destination(rng, dtype, &whole).region(&before, dims).unwrap();
    }
    if rng.one_in(5) {
        let axes = rng.order(rank);
        let mut other = vec![0; rank];
        for (to, &from) in axes.iter().enumerate() {
            other[from] = dims[to];
        }
        return destination(rng, dtype, &other).permute(&axes).unwrap();
    }
    let (text, flips) = match rng.below(3) {
        0 => (tag(rng, rank), true),
        1 => return strided(rng, dtype, dims),
        _ => digits(rng, dims),
    };
    let text = format!("{dtype}:{text}:{}", joined(dims, "x")) + &options(rng, dims, !flips);
    let pitch = if text.contains('|') && rng.one_in(2) {
        format!(":pitch={}", 1 + rng.below(20))
    } else {
        String::new()
    };
    let made = layout(&(text + &pitch));
    if flips && rng.one_in(4) {
        return made.flip(rng.below(1 << rank) as u32).unwrap();
    }
    made
}

/// Any layout with these dims: one that may be written, or one that repeats its elements.
pub(crate) fn source(rng: &mut Rng, dtype: DType, dims: &[usize]) -> Layout {
    if rng.one_in(5) {
        let strides: Vec<isize> = dims.iter().map(|_| rng.below(9) as isize - 4).collect();
        let back = |(&n, &s): (&usize, &isize)| if s < 0 { (n as isize - 1) * s } else { 0 };
        let offset = rng.below(3) as isize - dims.iter().zip(&strides).map(back).sum::<isize>();
        return Layout::strided(dtype, dims, &strides, offset).unwrap();
    }
    if rng.one_in(5) {
        // Plain dims, some of them of one element, repeated.
        let drop = rng.below(dims.len());
        let once: Vec<usize> =
            dims[drop..].iter().map(|&n| if rng.one_in(3) { 1 } else { n }).collect();
        let text = format!("{dtype}:{}:{}", tag(rng, once.len()), joined(&once, "x"));
        return layout(&text).broadcast(dims).unwrap();
    }
    destination(rng, dtype, dims)
}

/// A tag of oneDNN's grammar, with up to three blocks.
pub(crate) fn tag(rng: &mut Rng, rank: usize) -> String {
    let blocks: Vec<(usize, usize)> =
        (0..rng.below(4)).map(|_| (*rng.pick(&[2, 3, 4, 5, 8]), rng.below(rank))).collect();
    let mut text = String::new();
    for d in rng.order(rank) {
        let blocked = blocks.iter().any(|block| block.1 == d);
        text.push(letter(d, blocked));
    }
    for (size, d) in blocks {
        text += &format!("{size}{}", letter(d, false));
    }
    text
}

/// Strides in any order, of either sign, with gaps.
fn strided(rng: &mut Rng, dtype: DType, dims: &[usize]) -> Layout {
    let (lower, upper) = (margins(rng, dims), margins(rng, dims));
    let extents: Vec<usize> = (0..dims.len()).map(|d| lower[d] + dims[d] + upper[d]).collect();
    let mut strides = vec![0; dims.len()];
    let (mut running, mut offset) = (1 + rng.below(2), rng.below(4));
    for d in rng.order(dims.len()) {
        let back = rng.one_in(4);
        strides[d] = if back { -(running as isize) } else { running as isize };
        offset += usize::from(back) * running * (extents[d] - 1);
        running = running * extents[d] + rng.below(3);
    }
    let text = format!(
        "{dtype}:strides({}):{}:offset={offset}:lower={}:upper={}:fill={}",
        joined(&strides, ","),
        joined(dims, "x"),
        joined(&lower, ","),
        joined(&upper, ","),
        fill(rng)
    );
    layout(&text)
}

/// Digits in any order, of merged, aligned, fixed and reversed dims, with a pitch. The second value
/// tells whether every dim may be flipped.
fn digits(rng: &mut Rng, dims: &[usize]) -> (String, bool) {
    let rank = dims.len();
    let letters = |dims: &[usize]| -> String { dims.iter().map(|&d| letter(d, false)).collect() };
    let order = rng.order(rank);
    let mut axes: Vec<String> = Vec::new();
    let mut rest = &order[..];
    while !rest.is_empty() {
        let merged = (1 + usize::from(rng.one_in(3))).min(rest.len());
        axes.push(letters(&rest[..merged]));
        rest = &rest[merged..];
    }
    let mut digits = Vec::new();
    for axis in &axes {
        let mut modulus = String::new();
        let mut block = 1;
        let mut own = Vec::new();
        for _ in 0..rng.below(3) {
            let inner = block;
            block *= *rng.pick(&[2, 3, 4]);
            let divisor = if inner > 1 { format!("/{inner}") } else { String::new() };
            own.push(format!("{axis}%{block}{divisor}"));
            modulus = format!("/{block}");
        }
        own.push(format!("{axis}{modulus}"));
        digits.extend(own);
    }
    let mut text: Vec<String> =
        rng.order(digits.len()).into_iter().map(|i| digits[i].clone()).collect();
    if text.len() > 1 && rng.one_in(3) {
        text.insert(1 + rng.below(text.len() - 1), "|".to_owned());
    }
    let mut text =
        format!("digits({}; {}", letters(&(0..rank).collect::<Vec<_>>()), text.join(" "));
    if rng.one_in(3) {
        let (axis, to) = (rng.pick(&axes).clone(), 1 + rng.below(7));
        text += &format!("; align {axis}:{to}");
    }
    let fixed = rng.one_in(5);
    if fixed {
        // Room for the margins too.
        let d = rng.below(rank);
        text += &format!("; fix {}:{}", letter(d, false), dims[d] + 4 + rng.below(3));
    }
    if rng.one_in(4) {
        text += &format!("; flip {}", letter(rng.below(rank), false));
    }
    (text + ")", !fixed)
}

/// Margins of ours, of a parent's, a fill and an offset.
fn options(rng: &mut Rng, dims: &[usize], fixed: bool) -> String {
    let mut text = String::new();
    let none = vec![0; dims.len()];
    let (lower, upper) =
        if rng.one_in(2) { (margins(rng, dims), margins(rng, dims)) } else { (none.clone(), none) };
    if lower.iter().chain(&upper).any(|&n| n > 0) {
        let (lower, upper) = (joined(&lower, ","), joined(&upper, ","));
        text += &format!(":lower={lower}:upper={upper}:fill={}", fill(rng));
    }
    if !fixed && rng.one_in(5) {
        let (before, after) = (margins(rng, dims), margins(rng, dims));
        let whole: Vec<usize> =
            (0..dims.len()).map(|d| before[d] + lower[d] + dims[d] + upper[d] + after[d]).collect();
        text += &format!(":in={}:at={}", joined(&whole, "x"), joined(&before, ","));
    }
    if rng.one_in(4) {
        text += &format!(":offset={}", rng.below(9));
    }
    text
}

fn margins(rng: &mut Rng, dims: &[usize]) -> Vec<usize> {
    let margin = |_| if rng.one_in(2) { rng.below(3) } else { 0 };
    dims.iter().map(margin).collect()
}

fn fill(rng: &mut Rng) -> f32 {
    *rng.pick(&[0.0, 1.0, -2.5, 300.7])
}

fn letter(d: usize, upper: bool) -> char {
    char::from(if upper { b'A' } else { b'a' } + d as u8)
}

pub(crate) fn joined<T: ToString>(numbers: &[T], by: &str) -> String {
    let texts: Vec<String> = numbers.iter().map(T::to_string).collect();
    texts.join(by)
}
