//! Movements drawn at random. In: choices. Out: a movement; choices that have run out make the plainest
//! there is.

use retile::shuffle::{Change, Dim, Movement, Side};

use crate::common::*;

/// The most positions of a tile with dims of any extent.
const POSITIONS: usize = 1500;

/// Bytes of a step to each index bit, the lowest first: a random order of the bits, the low ones
/// side by side, gaps above.
fn bit_strides(draw: &mut Choices, bits: usize, size: usize) -> Vec<isize> {
    let mut order: Vec<usize> = (0..bits).collect();
    match draw.below(3) {
        0 => {}
        // A transpose.
        1 if bits > 0 => order.rotate_left(draw.below(bits)),
        _ => draw.shuffle(&mut order),
    }
    let low = bits - draw.below(bits + 1);
    let mut strides = vec![0; bits];
    let mut next = size;
    for (at, bit) in order.into_iter().enumerate() {
        if at >= low && draw.once_in(3) {
            next += size * draw.pick(&[1, 2, 3, 16, 1000]);
        }
        strides[bit] = next as isize;
        next *= 2;
    }
    strides
}

/// Source and destination each a permutation of the index bits.
pub(crate) fn bits(draw: &mut Choices) -> Movement {
    let bits = draw.below(13);
    let size = draw.pick(&[4, 1, 2, 8]);
    let mut src = bit_strides(draw, bits, size);
    let dst = bit_strides(draw, bits, size);
    if draw.once_in(4) {
        src.iter_mut().filter(|_| draw.once_in(3)).for_each(|stride| *stride = -*stride);
    }
    let mut order: Vec<usize> = (0..bits).collect();
    order.sort_by_key(|&bit| dst[bit]);
    let mut dims: Vec<Dim> = Vec::new();
    for bit in order {
        if let Some(last) = dims.last_mut() {
            let goes_on = |side: &Side, n: usize, next| side.at(n) == next;
            let fits = goes_on(&last.src, last.extent, src[bit])
                && goes_on(&last.dst, last.extent, dst[bit]);
            if fits && !draw.once_in(3) {
                *last = Dim::even(2 * last.extent, last.src.at(1), last.dst.at(1));
                continue;
            }
        }
        dims.push(Dim::even(2, src[bit], dst[bit]));
    }
    if draw.once_in(2) {
        draw.shuffle(&mut dims);
    }
    let (whole, over) = (draw.once_in(3), draw.once_in(3));
    Movement { whole, over, ..Movement::plain(size, dims) }
}

const SIZES: [(usize, usize); 14] = [
    (4, 4),
    (1, 1),
    (2, 2),
    (8, 8),
    (4, 4),
    (1, 1),
    (2, 2),
    (8, 8),
    (1, 4),
    (4, 1),
    (2, 4),
    (4, 2),
    (8, 4),
    (4, 8),
];

/// Dims of any extents in any order on either side: gaps, broadcasts, tables, padding.
pub(crate) fn tile(draw: &mut Choices) -> Movement {
    let (src_size, dst_size) = draw.pick(&SIZES);
    let mut extents: Vec<usize> = Vec::new();
    let mut left = POSITIONS;
    for _ in 0..draw.between(1, 5) {
        let extent = match draw.below(3) {
            0 => draw.pick(&[1, 2, 4, 8, 16]),
            _ => draw.between(1, 20),
        };
        extents.push(extent.min(left));
        left /= extent.min(left);
    }
    let src = src_sides(draw, &extents, src_size);
    let dst = dst_sides(draw, &extents, dst_size);
    let padded = draw.once_in(3);
    let dims = extents.iter().zip(src).zip(dst).map(|((&extent, src), dst)| {
        let data = match padded && draw.once_in(2) {
            true => {
                let start = draw.below(extent + 1);
                start..draw.between(start, extent)
            }
            false => 0..extent,
        };
        Dim { extent, data, src, dst }
    });
    let dims = dims.collect();
    let (lane, over) = (src_size.min(dst_size), draw.once_in(3));
    Movement {
        src_size,
        dst_size,
        lane,
        spare: 0,
        change: Change::default(),
        whole: false,
        over,
        dims,
    }
}

fn any_order(draw: &mut Choices, n: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..n).collect();
    draw.shuffle(&mut order);
    order
}

fn src_sides(draw: &mut Choices, extents: &[usize], size: usize) -> Vec<Side> {
    let (odd, gaps) = (draw.once_in(3), draw.once_in(3));
    let mut sides = vec![Side::Stride(0); extents.len()];
    let mut next = size as isize;
    for d in any_order(draw, extents.len()) {
        let extent = extents[d];
        if gaps && draw.once_in(2) {
            // Sources may lie at any byte.
            next += draw.pick(&[size, 3 * size, 64, 1000, 1]) as isize;
        }
        let side = match if odd { draw.below(8) } else { 0 } {
            // The same element again and again.
            4 => Side::Stride(0),
            5 => {
                let place = |_| draw.below(3 * extent) as isize * size as isize;
                Side::Table((0..extent).map(place).collect())
            }
            6 => Side::Stride(-next),
            // Windows that overlap.
            7 => Side::Stride(size as isize),
            _ => Side::Stride(next),
        };
        next *= if side == Side::Stride(next) { extent as isize } else { 2 };
        sides[d] = side;
    }
    sides
}

/// Every step is as wide as all before it, so that no place is another's.
fn dst_sides(draw: &mut Choices, extents: &[usize], size: usize) -> Vec<Side> {
    let (odd, gaps) = (draw.once_in(3), draw.once_in(3));
    let mut sides = vec![Side::Stride(0); extents.len()];
    let mut next = size as isize;
    for d in any_order(draw, extents.len()) {
        let extent = extents[d];
        if gaps && draw.once_in(2) {
            next += draw.pick(&[size, 3 * size, 64, 1000, 1]) as isize;
        }
        match if odd { draw.below(4) } else { 0 } {
            2 => {
                let room = extent + draw.below(extent + 1);
                let list = any_order(draw, room);
                let table = list[..extent].iter().map(|&at| at as isize * next);
                sides[d] = Side::Table(table.collect());
                next *= room as isize;
            }
            kind => {
                sides[d] = Side::Stride(if kind == 3 { -next } else { next });
                next *= extent as isize;
            }
        }
    }
    sides
}

/// The same with dims joined that go on from one another on both sides, and without those of one
/// position, as a planner hands them over.
pub(crate) fn joined(movement: &Movement) -> Movement {
    let mut dims: Vec<Dim> = movement.dims.to_vec();
    let even = |dim: &Dim| {
        let strides = dim.src.stride().zip(dim.dst.stride());
        strides.filter(|_| dim.data == (0..dim.extent))
    };
    dims.retain(|dim| dim.extent != 1 || even(dim).is_none());
    let n = dims.len();
    for _ in 0..n {
        for i in 0..dims.len() {
            let Some((src, dst)) = even(&dims[i]) else { continue };
            let extent = dims[i].extent;
            let goes_on = (src * extent as isize, dst * extent as isize);
            let next = (0..dims.len()).find(|&j| j != i && even(&dims[j]) == Some(goes_on));
            if let Some(next) = next {
                dims[i] = Dim::even(extent * dims[next].extent, src, dst);
                dims.remove(next);
                break;
            }
        }
    }
    Movement { dims: dims.into(), ..movement.clone() }
}

/// Few channels of pixels that have room for more of them: taken from these, or from planes and the rest padding;
/// with gaps, backwards, the last pixels padding too.
pub(crate) fn channels(draw: &mut Choices) -> Movement {
    let (size, few) = (draw.pick(&[4, 1, 2]), draw.between(1, 9));
    let many = draw.pick(&[16, 8, 32, 24]).max(few);
    let planes = draw.once_in(2);
    let pixels = draw.between(1, 64).min(1024 / if planes { many } else { few });
    let (step, gap) = (size as isize, draw.pick(&[0, 0, 1, 1000]) as isize);
    let mut dims = match planes {
        true => vec![
            Dim { data: 0..few, ..Dim::even(many, (pixels as isize + gap) * step, step) },
            Dim::even(pixels, step, many as isize * step),
        ],
        false => vec![
            Dim::even(few, step, step),
            Dim::even(pixels, (many as isize + gap) * step, few as isize * step),
        ],
    };
    if draw.once_in(6) {
        let Dim { extent, src, dst, .. } = &dims[1];
        dims[1] = Dim::even(*extent, -src.at(1), dst.at(1));
    }
    if draw.once_in(4) {
        dims[1].data = 0..draw.between(1, pixels);
    }
    if draw.once_in(2) {
        dims.reverse();
    }
    Movement::plain(size, dims)
}

pub(crate) fn either(draw: &mut Choices) -> Movement {
    if draw.once_in(2) { bits(draw) } else { tile(draw) }
}
