//! Pairs of layouts of the same dims, drawn at random over everything a text can say.

use retile::{DType, Layout, MAX_RANK, dtype::convert};

use super::case::{Arith, Case};
use crate::common::{Draw, Name, edge, join};
use crate::model::{Digit, Format, Item, Placed, Window, random};

/// The most cells one side may have, block tails and parents included.
const CELLS: i64 = 8000;

/// The most elements that a buffer may have, gaps included.
const FURTHEST: usize = 1 << 15;

const BLOCKS: [usize; 14] = [1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 40, 48];

/// Any case: dims, two layouts of them, arithmetic.
pub(crate) fn case(draw: &mut impl Draw, names: &[Name]) -> Case {
    let dims = dims(draw);
    let (from, to) = types(draw);
    let src = side(draw, &dims, from, names, true);
    let dst = side(draw, &dims, to, names, false);
    let arith = Arith::draw(draw, from, to, dims.len());
    Case { src, dst, arith, seed: draw.next() }
}

/// A case of a long dim, or several merged into one, whose digits do not divide one another.
pub(crate) fn long(draw: &mut impl Draw, names: &[Name]) -> Case {
    let dims = match draw.below(4) {
        0 => vec![draw.pick(&[257, 1009, 2000, 2049, 3001])],
        1 => vec![draw.pick(&[2500, 2048, 1999]), 2],
        2 => vec![draw.between(2, 5), draw.pick(&[509, 640, 257])],
        _ => vec![draw.between(1, 3), draw.pick(&[53, 64]), draw.pick(&[17, 23])],
    };
    let (from, to) = types(draw);
    let of_digits = 3 + draw.below(5);
    let side = |draw: &mut _, dtype, source| {
        for _ in 0..4 {
            let text = text(draw, &dims, dtype, names, source, of_digits);
            let layout = text.and_then(|text| text.parse::<Layout>().ok());
            if let Some(layout) = layout.filter(|layout| layout.size_elements() < FURTHEST) {
                return layout;
            }
        }
        Layout::row_major(dtype, &dims).unwrap()
    };
    let (src, dst) = (side(draw, from, true), side(draw, to, false));
    let arith = Arith::draw(draw, from, to, dims.len());
    Case { src, dst, arith, seed: draw.next() }
}

/// A case of arithmetic with lists as long as can be: about as many values as are made ready before a run, or more.
pub(crate) fn valued(draw: &mut impl Draw, names: &[Name]) -> Case {
    let dims = match draw.below(6) {
        0 => vec![draw.pick(&[2047, 2048, 2049, 2065, 3001])],
        1 => vec![draw.between(2, 4), draw.pick(&[512, 683, 1024, 1025])],
        2 => vec![draw.pick(&[683, 1024, 2050]), draw.between(1, 3)],
        3 => vec![draw.between(40, 60), draw.between(40, 60)],
        4 => vec![draw.pick(&[3, 16]), draw.pick(&[17, 33]), draw.pick(&[5, 41])],
        _ => vec![2, draw.pick(&[19, 32]), draw.pick(&[7, 8]), draw.pick(&[8, 9])],
    };
    let usual = [DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8];
    let (from, to) = (draw.pick(&usual), draw.pick(&usual));
    let src = side(draw, &dims, from, names, true);
    let dst = side(draw, &dims, to, names, false);
    let arith = Arith::valued(draw, dims.len());
    Case { src, dst, arith, seed: draw.next() }
}

/// A case of two to four dims, of which one side or both merge some into axes of several digits.
pub(crate) fn merged(draw: &mut impl Draw, names: &[Name]) -> Case {
    let mut left = 3000;
    let dims: Vec<usize> = (0..draw.between(2, 4))
        .map(|_| {
            let extent = draw.pick(&[1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 33, 40, 64, 130]).min(left);
            left /= extent;
            extent
        })
        .collect();
    let (from, to) = types(draw);
    let kinds = match draw.below(4) {
        0 => [MERGED, draw.below(8)],
        1 => [draw.below(8), MERGED],
        2 => [MERGED, 0],
        _ => [MERGED, MERGED],
    };
    let side = |draw: &mut _, dtype, source, kind| {
        for _ in 0..4 {
            let text = text(draw, &dims, dtype, names, source, kind);
            let layout = text.and_then(|text| text.parse::<Layout>().ok());
            if let Some(layout) = layout.filter(|layout| layout.size_elements() < FURTHEST) {
                return layout;
            }
        }
        Layout::row_major(dtype, &dims).unwrap()
    };
    let (src, dst) = (side(draw, from, true, kinds[0]), side(draw, to, false, kinds[1]));
    let arith =
        if draw.below(2) == 0 { Arith::default() } else { Arith::draw(draw, from, to, dims.len()) };
    Case { src, dst, arith, seed: draw.next() }
}

/// Digits of axes that merge what they can; other kinds are below.
const MERGED: usize = 8;

/// Extents of rank 1 to 12, mostly near the edges of blocks.
fn dims(draw: &mut impl Draw) -> Vec<usize> {
    let rank = match draw.below(8) {
        0 => 1,
        1 | 2 => 2,
        3 => 3,
        4 | 5 => 4,
        6 => 5,
        _ => draw.between(6, MAX_RANK),
    };
    if rank <= 2 && draw.once_in(6) {
        let long = draw.pick(&[257, 1009, 2000, 2048, 2049, 3001]);
        let mut dims = vec![draw.between(1, 3); rank];
        dims[draw.below(rank)] = long;
        return dims;
    }
    let mut left = 3000;
    let mut dims = vec![1; rank];
    let mut order: Vec<usize> = (0..rank).collect();
    draw.shuffle(&mut order);
    for d in order {
        let block = draw.pick(&BLOCKS);
        let extent = edge(draw, block).min(left);
        left /= extent;
        dims[d] = extent.max(1);
    }
    if draw.once_in(40) {
        dims[draw.below(rank)] = 0;
    }
    dims
}

/// Half of the time the same type.
fn types(draw: &mut impl Draw) -> (DType, DType) {
    let from = draw.pick(&DType::ALL);
    if draw.below(2) == 0 {
        return (from, from);
    }
    let usual = [DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8, DType::S8];
    let (from, to) = match draw.below(3) {
        0 => (from, draw.pick(&DType::ALL)),
        1 => (draw.pick(&usual), DType::S8),
        _ => (draw.pick(&usual), draw.pick(&usual)),
    };
    if convert::allowed(from, to) { (from, to) } else { (from, from) }
}

/// One layout of these dims.
fn side(
    draw: &mut impl Draw,
    dims: &[usize],
    dtype: DType,
    names: &[Name],
    source: bool,
) -> Layout {
    for _ in 0..4 {
        let kind = draw.below(8);
        let text = text(draw, dims, dtype, names, source, kind);
        let layout = text.and_then(|text| text.parse::<Layout>().ok());
        if let Some(layout) = layout.filter(|layout| layout.size_elements() < FURTHEST) {
            return layout;
        }
    }
    Layout::row_major(dtype, dims).unwrap()
}

fn text(
    draw: &mut impl Draw,
    dims: &[usize],
    dtype: DType,
    names: &[Name],
    source: bool,
    kind: usize,
) -> Option<String> {
    let rank = dims.len();
    let mut said = None;
    let mut format = match kind {
        0 => plain(draw, rank),
        1 => {
            let tag = tag(draw, rank);
            let format = Format::tag(&tag);
            said = Some(tag);
            format
        }
        2 => {
            let of_rank: Vec<&Name> =
                names.iter().filter(|name| name.letters.len() == rank).collect();
            let name = of_rank.get(draw.below(of_rank.len().max(1)))?;
            said = Some(name.text());
            name.format()
        }
        kind => digits(draw, dims, kind == MERGED),
    };
    let mut window = window(draw, &format, dims, said.is_some());
    if said.is_none() {
        strides(draw, &mut format, &mut window, kind < 5, source);
    }
    if Placed::new(&format, &window).aligned.iter().product::<i64>() > 2 * CELLS {
        return None;
    }
    let format = said.unwrap_or_else(|| format.text());
    let mut text = format!("{}:{format}:{}", dtype.name(), window.text());
    if draw.once_in(4) {
        text += draw.pick(&[":fill=1", ":fill=-2.5", ":fill=0.1", ":fill=inf", ":fill=-0"]);
    }
    Some(text)
}

/// One digit for each dim, in any order.
fn plain(draw: &mut impl Draw, rank: usize) -> Format {
    let letters: String = ('a'..='z').take(rank).collect();
    let mut format = Format::parse(&letters, &join(letters.chars(), " "), "-", "-", "-");
    draw.shuffle(&mut format.items);
    format
}

/// A tag with up to three inner blocks of any size.
fn tag(draw: &mut impl Draw, rank: usize) -> String {
    random::random_tag(draw, rank)
}

/// Axes of one to three dims, each in up to three digits, aligned, fixed and flipped.
fn digits(draw: &mut impl Draw, dims: &[usize], merged: bool) -> Format {
    let rank = dims.len();
    let letters: Vec<char> = ('a'..='z').take(rank).collect();
    let mut format = Format { letters, ..Format::default() };
    let mut order: Vec<usize> = (0..rank).collect();
    if draw.below(2) == 0 {
        draw.shuffle(&mut order);
    }
    let merging = merged || draw.once_in(2);
    while !order.is_empty() {
        let merged = if merging && (merged || draw.once_in(2)) { draw.between(2, 3) } else { 1 };
        let axis = order.split_off(order.len().saturating_sub(merged));
        let axis = format.axis(axis);
        let extent: usize = format.axes[axis].iter().map(|&d| dims[d]).product();
        format.items.extend(split(draw, axis, extent));
    }
    if draw.below(4) != 0 {
        draw.shuffle(&mut format.items);
    }
    if draw.once_in(5) {
        let axis = draw.below(format.axes.len());
        format.align.push((axis, draw.pick(&[2, 3, 4, 6])));
    }
    let alone = format.axes.iter().filter(|axis| axis.len() == 1);
    let alone: Vec<usize> = alone.map(|axis| axis[0]).collect();
    if draw.once_in(6) && !alone.is_empty() {
        let d = draw.pick(&alone);
        format.fixed.push((d, (dims[d] + draw.below(4)).max(1) as i64));
    }
    let free = |d: &usize| !format.fixed.iter().any(|&(fixed, _)| fixed == *d);
    let free: Vec<usize> = (0..rank).filter(free).collect();
    format.reversed = free.into_iter().filter(|_| draw.once_in(5)).collect();
    format
}

/// The digits of an axis, top to bottom.
fn split(draw: &mut impl Draw, axis: usize, extent: usize) -> Vec<Item> {
    let digit = |modulus, over| Item::Digit(Digit { axis, modulus, over, stride: None });
    if extent > 1000 && draw.below(3) != 0 {
        let low = draw.pick(&[1000, 1024, 999, 1021, 256, 257, 600]);
        return vec![digit(0, low), digit(low, 1)];
    }
    let mut radix = || draw.pick(&[2, 3, 4, 5, 7, 8, 12, 16, 48, 32]);
    let (low, high) = (radix(), radix());
    match draw.below(6) {
        0 | 1 => vec![digit(0, 1)],
        2..5 => vec![digit(0, low), digit(low, 1)],
        _ if low * high > 4 * extent as i64 => vec![digit(0, low), digit(low, 1)],
        _ => vec![digit(0, low * high), digit(low * high, low), digit(low, 1)],
    }
}

/// Margins, a parent, an offset, a pitch around these dims.
fn window(draw: &mut impl Draw, format: &Format, dims: &[usize], named: bool) -> Window {
    let mut window = Window::new(dims);
    if draw.once_in(4) {
        random::margins(draw, &mut window);
        let mut fitted = window.clone();
        random::fit(format, &mut fitted);
        (window.lower, window.upper) = (fitted.lower, fitted.upper);
    }
    if draw.once_in(4) && format.fixed.is_empty() {
        let (mut extents, mut ats) = (Vec::new(), Vec::new());
        for d in 0..dims.len() {
            let block = format.rounding(d);
            let at = draw.pick(&[0, 1, block - 1, block, 2, 5]) as i64;
            let after = draw.pick(&[0, 1, block - 1, 3]) as i64;
            ats.push(at);
            extents.push(at + window.own(d) + after);
        }
        window.parent = Some((extents, ats));
    }
    if Placed::new(format, &window).aligned.iter().product::<i64>() > CELLS {
        window = Window::new(dims);
    }
    if draw.once_in(4) {
        window.offset = draw.between(1, 40) as i64;
    }
    if format.has_pitch() {
        window.pitch = draw.pick(&[None, Some(1), Some(7), Some(16), Some(64)]);
    } else if named {
        window.pitch = None;
    }
    window
}

/// Running strides, one wider, or a stride for each digit; of sources also none at all and ones that
/// overlap.
fn strides(
    draw: &mut impl Draw,
    format: &mut Format,
    window: &mut Window,
    often: bool,
    source: bool,
) {
    match draw.below(4) {
        0 => {
            if format.items.len() > 1 && draw.once_in(3) {
                let at = draw.between(1, format.items.len() - 1);
                format.items.insert(at, Item::Pitch);
                window.pitch = draw.pick(&[None, Some(1), Some(7), Some(16), Some(64)]);
            }
        }
        1 if !often => {
            let placed = Placed::new(format, window);
            let which = draw.below(format.items.len());
            if let Item::Digit(digit) = &mut format.items[which] {
                digit.stride = Some(placed.digits[which].2 + draw.pick(&[1, 5, 32]));
            }
        }
        _ => wide(draw, format, window, source),
    }
}

fn wide(draw: &mut impl Draw, format: &mut Format, window: &mut Window, source: bool) {
    let before = format.clone();
    let (mut running, mut least) = (1, 0);
    let radices: Vec<i64> = Placed::new(format, window).digits.iter().map(|d| d.1).collect();
    let overlapping = source && draw.once_in(6);
    // Rows may lie as far apart as ends what is inside of others.
    let (mut ends, out_of_turn) = (vec![1], source && draw.once_in(4));
    let signs: &[i64] = if source { &[1, 1, 1, 1, -1, 0] } else { &[1, 1, 1, 1, -1] };
    for (item, radix) in format.items.iter_mut().zip(radices).rev() {
        let Item::Digit(digit) = item else { continue };
        let mut stride = running + draw.pick(&[0, 0, 0, 1, 3, 10]);
        if overlapping {
            stride = draw.between(0, 7) as i64;
        } else if out_of_turn && draw.once_in(3) {
            stride = draw.pick(&ends) + draw.pick(&[0, 0, 1, -1]);
        }
        let sign = draw.pick(signs);
        digit.stride = Some(sign * stride);
        if sign != 0 {
            running = (stride * radix).max(1);
            ends.push(running);
        }
        least += (sign * stride * (radix - 1)).min(0);
    }
    if running > 1 << 15 {
        *format = before;
    } else {
        window.offset -= least;
    }
}
