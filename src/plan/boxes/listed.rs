//! Positions that are listed. In: a line that ends within one of its blocks. Out: its positions as one loop, which goes
//! on from step to step in the destination, and whose places in the source are listed.
//!
//! Cut into whole blocks and the rest, such positions are several boxes, and rows of the destination are gone over once
//! for each, in parts that share lines. As one loop that a tile takes whole they are rows like any other.

use smallvec::SmallVec;

use super::{Cutting, Part};
use crate::problem::{DST, Node, OPERANDS, SRC, Strides, Zone};

/// No more positions are listed: a tile takes them all.
pub(in crate::plan) const MOST_LISTED: usize = 1024;

/// A tile may take those of several rows where they are no more than this.
pub(in crate::plan) const SHORT: usize = 64;

/// Nor of more runs, each of which a row is loaded by itself: half as many of few bytes, twice as many of twice as
/// many bytes.
const MOST_RUNS: usize = 16;

/// So many bytes are few, if they do not become many; twice as many where rows that end anywhere are stored in parts
/// besides.
const FEW_BYTES: usize = 8;

/// No more of these where they are.
const RUNS_IN_PARTS: usize = 3;

/// The positions of a zone as one loop, where they lie side by side in the destination, and blocks of them in the
/// source.
pub(super) fn listed(whole: &Part, zone: Zone, cutting: &Cutting) -> Option<Part> {
    if cutting.sums
        || !(2..=MOST_LISTED).contains(&zone.len())
        || !whole.nodes.iter().all(Node::is_plain)
    {
        return None;
    }
    let start = place(&whole.nodes, zone.start);
    let from_start = |k: usize| less(place(&whole.nodes, zone.start + k), &start);
    let mut step = from_start(1);
    if ![SRC, DST].iter().all(|&side| step[side].unsigned_abs() == cutting.sizes[side]) {
        return None;
    }
    let mut places: SmallVec<[isize; SHORT]> = SmallVec::with_capacity(zone.len());
    for k in 0..zone.len() {
        let at = from_start(k);
        let even = |side: usize| at[side] == step[side].wrapping_mul(k as isize);
        if (0..OPERANDS).any(|side| side != SRC && !even(side)) {
            return None;
        }
        places.push(at[SRC]);
    }
    let (padded, data) = (whole.padded.seen_from(zone), whole.data.seen_from(zone));
    // Where there is padding it does not matter.
    let table = match data.range().all(|k| places[k] == step[SRC].wrapping_mul(k as isize)) {
        true => None,
        false => Some(places.iter().map(|&at| (at, 0)).collect()),
    };
    if table.is_some() {
        step[SRC] = 0;
    }
    let node = Node { table, ..Node::plain(zone.len(), step) };
    let [(_, run), (_, runs)] = runs_of(&node);
    // Without masks, and without padding behind them.
    let in_parts = !cutting.masks && data.len() == zone.len();
    // As a box, a row that becomes several lines is come back to for the rest of it, where these are not near.
    let lengthened = !cutting.near && run * cutting.sizes[DST] >= 2 * FEW_BYTES;
    let most = match run * cutting.sizes[SRC] {
        bytes if in_parts && bytes < 2 * FEW_BYTES => RUNS_IN_PARTS,
        bytes if bytes < FEW_BYTES && !lengthened => MOST_RUNS / 2,
        bytes if bytes < 2 * FEW_BYTES => MOST_RUNS,
        _ => 2 * MOST_RUNS,
    };
    // A tile has one long row, and loads each of its pieces for itself; of whole blocks it would have many rows, and
    // load several at once.
    let [src, dst] = cutting.sizes;
    let short = cutting.near || src > dst;
    let least = if short { 2 * FEW_BYTES } else { FEW_BYTES };
    if runs > most || zone.len() > SHORT && run * src.min(dst) < least {
        return None;
    }
    let mut at = whole.at;
    at.iter_mut().zip(start).for_each(|(at, start)| *at = at.wrapping_add(start));
    Some(Part {
        first: whole.first + zone.start,
        at,
        nodes: SmallVec::from_iter([node]),
        padded,
        data,
        ..whole.clone()
    })
}

/// Whether steps of a loop are a stride apart on one side, whatever is listed for the other.
pub(in crate::plan) fn is_even(node: &Node, side: usize) -> bool {
    let own = |at: &(isize, isize)| if side == SRC { at.0 } else { at.1 };
    node.table.as_deref().unwrap_or_default().iter().all(|at| own(at) == 0)
}

/// What listed places of the source are like: runs of steps a stride apart, and these runs a longer one.
pub(in crate::plan) fn runs_of(node: &Node) -> [(usize, usize); 2] {
    let table = node.table.as_deref().unwrap_or_default();
    let apart = |pair: &[(isize, isize)]| pair[0].0.abs_diff(pair[1].0);
    let near = table.windows(2).map(apart).min().unwrap_or(0);
    let ends = table.windows(2).filter(|pair| apart(pair) != near);
    let runs = ends.clone().count() + 1;
    let own = table.len().div_ceil(runs).max(1);
    let far = ends.map(apart).min().unwrap_or(0);
    [(near, own), (far.saturating_add(near.saturating_mul(own - 1)), runs)]
}

/// Where a position lies on every operand.
fn place(nodes: &[Node], mut position: usize) -> Strides {
    let mut at = Strides::default();
    for node in nodes {
        let step = (position % node.extent) as isize;
        position /= node.extent;
        for (at, stride) in at.iter_mut().zip(&node.strides) {
            *at = at.wrapping_add(stride.wrapping_mul(step));
        }
    }
    at
}

/// How far one place is from another.
fn less(mut at: Strides, from: &Strides) -> Strides {
    at.iter_mut().zip(from).for_each(|(at, from)| *at = at.wrapping_sub(*from));
    at
}

#[cfg(test)]
mod tests {
    use crate::plan::tile::Converts;
    use crate::plan::{Locality, planned};

    /// The loops of each nest that are listed, how many steps they have, and how many of these are elements.
    fn listed(target: &str, pair: &str) -> Vec<Vec<(usize, usize)>> {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        let loops = plan.nests().map(|nest| {
            let loops = nest.loops.iter().zip(&nest.zones);
            let listed = loops.filter(|(node, _)| node.table.is_some());
            listed.map(|(node, zone)| (node.extent, zone.len())).collect()
        });
        loops.collect()
    }

    #[test]
    fn what_ends_within_a_block_is_one_loop() {
        for (pair, expected) in [
            // Elements alone, and with padding up to a block of the destination's.
            ("f32:nChw4c:1x14x5x7 nhwc", vec![vec![(14, 14)]]),
            ("u8:nChw8c:1x20x5x7 nhwc", vec![vec![(20, 20)]]),
            ("bf16:nChw4c:1x50x5x7 nhwc", vec![vec![(50, 50)]]),
            ("u8:b_fs_yx_fsv4:1x14x5x7 b_fs_yx_fsv16", vec![vec![(16, 14)]]),
            // Long rows, of so many blocks, and of short ones that do not become shorter yet.
            ("f16:nChw16c:1x456x28x28 nhwc", vec![vec![(456, 456)]]),
            ("u8:nChw4c:1x62x28x28 f32:nhwc", vec![vec![(62, 62)]]),
            ("s8:nChw8c:1x105x28x28 nhwc", vec![vec![(105, 105)]]),
            // A whole block of 16 by itself; of the next one the source has two, the last with one element.
            ("bf16:nChw4c:1x21x5x7 nChw16c", vec![vec![], vec![(16, 5)]]),
        ] {
            assert_eq!(listed("spr", pair), expected, "{pair}");
        }
        // Nothing ends within, rows are apart, too much is in them, too many blocks; nor without registers.
        for pair in [
            "f32:nChw4c:1x16x5x7 nhwc",
            "f32:nChw4c:1x14x5x7 nchw",
            "f32:nChw8c:1x300x5x7 nhwc",
            "f32:nChw8c:1x100x28x28 u8:nhwc",
            "s8:nChw8c:1x105x14x14 nhwc",
            "u8:nChw4c:1x35x5x7 nhwc",
            "u8:nChw4c:1x62x5x7 f32:nhwc",
            "u8:nChw4c:1x62x28x28 bf16:nhwc",
        ] {
            assert!(listed("spr", pair).iter().all(Vec::is_empty), "{pair}");
        }
        assert_eq!(listed("portable", "f32:nChw4c:1x14x5x7 nhwc"), [[], []]);
    }

    /// Where rows have to be stored in parts, fewer short runs are worth it.
    #[test]
    fn without_masks_fewer_are() {
        for (pair, expected) in [
            ("u8:nChw4c:1x14x5x7 nhwc", false),
            ("u8:nChw4c:1x14x5x7 nChw16c", true),
            ("f32:nChw4c:1x14x5x7 nhwc", true),
        ] {
            let any = listed("haswell", pair).iter().any(|nest| !nest.is_empty());
            assert_eq!(any, expected, "{pair}");
        }
    }

    /// Short rows that become bytes do so as they are stored, several at a time; those that fill a register, or become
    /// more than bytes, as they are loaded.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn short_rows_become_bytes_together() {
        for (pair, expected) in [
            ("f32:nChw4c:4x13x32x64 s8:nhwc", Converts::Stores),
            ("f16:nChw16c:4x27x32x64 u8:nhwc", Converts::Stores),
            ("s32:nChw8c:4x11x32x64 u8:nhwc", Converts::Stores),
            ("f32:nChw16c:1x33x64x66 s8:nhwc", Converts::Loads),
            ("f32:nChw4c:4x13x32x64 bf16:nhwc", Converts::Loads),
        ] {
            let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
            let tiling = plan.nests().next().and_then(|nest| nest.tiling.clone()).unwrap();
            assert_eq!(tiling.converts, expected, "{pair}");
        }
    }
}
