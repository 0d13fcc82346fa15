//! Which values an element's arithmetic takes. In: a tile of a nest, and its sequence. Out: for each element that the
//! sequence converts, how far its values lie from where the tile's do.

use std::collections::HashMap;

use super::super::pointers::bytes_of;
use super::{Convert, Lanes, Piece, VALUES};
use crate::plan::{Nest, Plan, Tile};
use crate::problem::{DST, SRC, Strides};
use crate::shuffle::Op;

/// Bytes for each of the values of each element of a line; none where all are 0.
pub(in super::super) type Offsets = Vec<[i32; 4]>;

/// Of all lines of a tile's sequence.
pub(in super::super) fn offsets(
    plan: &Plan,
    nest: &Nest,
    tile: &Tile,
    loads: bool,
) -> Vec<Offsets> {
    let (side, size) = match loads {
        true => (SRC, plan.problem.src.size()),
        false => (DST, plan.problem.dst.size()),
    };
    // What is no element has no values, and may lie in the source where others are.
    let loops: Vec<(Strides, usize, std::ops::Range<usize>)> = (tile.chunks.iter().enumerate())
        .filter(|(_, chunk)| chunk.extent > 1)
        .map(|(l, chunk)| (nest.strides(l, &plan.problem), l, chunk.start..chunk.end))
        .collect();
    let varies = |strides: &Strides| VALUES.iter().any(|&value| strides[value] != 0);
    if !loops.iter().any(|(strides, ..)| varies(strides)) {
        return Vec::new();
    }
    let mut places = vec![(0isize, [0i32; 4])];
    for (strides, l, steps) in loops {
        let bytes = bytes_of(&strides);
        let table = nest.loops[l].table.as_deref();
        let step = |&(at, values): &(isize, [i32; 4]), k: usize| {
            let place = table.map_or(0, |table| if side == SRC { table[k].0 } else { table[k].1 });
            let at = at.wrapping_add(strides[side].wrapping_mul(k as isize)).wrapping_add(place);
            let of =
                |i: usize| values[i].wrapping_add((bytes[VALUES[i]] as i32).wrapping_mul(k as i32));
            (at, [of(0), of(1), of(2), of(3)])
        };
        let all = places.iter().flat_map(|place| steps.clone().map(move |k| step(place, k)));
        places = all.collect();
    }
    let places: HashMap<isize, [i32; 4]> = places.into_iter().collect();
    let line = |line: &crate::shuffle::Line| match line.op {
        Op::Load { at, count, .. } | Op::Repeat { at, count } if loads => (at, count),
        Op::Store { at, count, .. } if !loads => (at, count),
        _ => (0, 0),
    };
    let lines = tile.found.program.lines.iter().map(line);
    let element = |at: isize, j: usize| places.get(&(at + (j * size) as isize)).copied();
    lines
        .map(|(at, count)| {
            (0..count as usize).map(|j| element(at, j).unwrap_or_default()).collect()
        })
        .collect()
}

impl Convert {
    /// The values of the lanes that pieces are, where there are any.
    pub(super) fn lanes_of(&self, pieces: &[Piece]) -> Lanes {
        let mut lanes = [None; 64];
        if self.arith.present() == [false; VALUES.len()] {
            return lanes;
        }
        for piece in pieces {
            let known = self.offsets.get(piece.line).filter(|known| !known.is_empty());
            for j in 0..piece.count as usize {
                // What a copied row is read with beyond its end is nobody's, and has no values.
                let values = known.map_or(Some([0; 4]), |known| known.get(j).copied());
                lanes[piece.place as usize + j] = values;
            }
        }
        lanes
    }
}
