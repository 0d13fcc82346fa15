//! Parts abreast. In: the loops of a nest that walks both sides in order, from their start to their end. Out: the same
//! in parts that go on by turns, and what is left behind the last of them.
//!
//! A machine foresees what is read in a row, but page by page, and has fewer lines under way then than memory could
//! bring: read from several places by turns, more pages are foreseen at once.

use crate::layout::gcd;
use crate::plan::Sharing;
use crate::plan::nests::{Nest, Scene, Work};
use crate::plan::stores::goes_on;
use crate::problem::{DST, Node, SRC, Zone};

/// A nest in parts.
pub(in crate::plan) struct Abreast {
    /// These, as the steps of one loop more.
    pub(in crate::plan) parts: Nest,
    /// Which one.
    pub(in crate::plan) turns: usize,
    /// What is left.
    pub(in crate::plan) rest: Option<Nest>,
}

/// Of so many steps at most one is left.
const LEFT: usize = 8;

impl Abreast {
    /// None where memory is near, where it is read from several places as it is, and where parts would be short.
    pub(in crate::plan) fn of(scene: &Scene<'_>, nest: &Nest) -> Option<Abreast> {
        let Scene { problem, target, sharing, .. } = *scene;
        let count = usize::from(target.memory.abreast);
        let far = scene.demand.bytes >= target.memory.stream_from && count > 1;
        let moves = nest.work == Work::Move && *sharing == Sharing::Nests;
        let sizes = [problem.src.size(), problem.dst.size()];
        if !far || !moves || !in_order(nest, sizes, target.line) {
            return None;
        }
        let parts = |rest_too: bool| {
            nest.loops.iter().enumerate().find_map(|(turns, node)| {
                let stride = node.strides[DST].unsigned_abs();
                // Each part starts where the first does in a line.
                let granule = count
                    * (target.line / gcd(stride as isize, target.line as isize).unsigned_abs());
                let rest = node.extent % granule;
                // Of what the first level holds more is foreseen than is read by then.
                let long = (node.extent / count).saturating_mul(stride) >= target.l1 / 2;
                let few = rest == 0 || rest_too && rest * LEFT <= node.extent;
                (long && few).then_some((turns, node.extent - rest))
            })
        };
        let (turns, steps) = parts(false).or_else(|| parts(true))?;
        let rest = (steps < nest.loops[turns].extent).then(|| behind(nest, turns, steps));
        Some(Abreast { parts: split(nest, turns, steps / count, count), turns, rest })
    }
}

/// Whether each loop of a nest leads on behind all that those inside of it do, on both sides, and the innermost along
/// lines, and long rows start on lines: those that do not come together first, one after the other.
fn in_order(nest: &Nest, sizes: [usize; 2], line: usize) -> bool {
    let plain = |(node, zone): (&Node, &Zone)| *zone == Zone::all(node.extent) && node.is_plain();
    let Some(last) = nest.loops.last() else { return false };
    let lines = last.extent.saturating_mul(sizes[1]) >= 2 * line;
    let even = |node: &Node| node.strides[DST].unsigned_abs().is_multiple_of(line);
    let outer = &nest.loops[..nest.loops.len() - 1];
    let lines = lines && (outer.iter().all(even) || !goes_on(row_bytes(nest, sizes[1])));
    let leads = |side: usize| {
        let follows = |pair: &[Node]| {
            let inner = pair[1].strides[side].saturating_mul(pair[1].extent as isize);
            inner > 0 && pair[0].strides[side] >= inner
        };
        last.strides[side] == sizes[side] as isize && nest.loops.windows(2).all(follows)
    };
    lines && nest.loops.iter().zip(&nest.zones).all(plain) && leads(SRC) && leads(DST)
}

/// Bytes of a row of the destination, as far as each loop leads on where the one inside of it ends.
fn row_bytes(nest: &Nest, size: usize) -> usize {
    nest.loops.iter().rev().fold(size, |row, node| match node.strides[DST] == row as isize {
        true => row.saturating_mul(node.extent),
        false => row,
    })
}

/// So many times so many steps of a loop, the times as a loop around it.
fn split(nest: &Nest, at: usize, steps: usize, times: usize) -> Nest {
    let mut nest = nest.clone();
    let mut turns = Node { extent: times, ..nest.loops[at].clone() };
    turns.strides.iter_mut().for_each(|stride| *stride = stride.wrapping_mul(steps as isize));
    resize(&mut nest, at, steps);
    nest.loops.insert(at, turns);
    nest.zones.insert(at, Zone::all(times));
    nest
}

/// What is left of a loop behind so many steps.
fn behind(nest: &Nest, at: usize, steps: usize) -> Nest {
    let mut nest = nest.clone();
    let node = &nest.loops[at];
    let left = node.extent - steps;
    for (start, stride) in nest.start.iter_mut().zip(&node.strides) {
        *start = start.wrapping_add(stride.wrapping_mul(steps as isize));
    }
    resize(&mut nest, at, left);
    nest
}

fn resize(nest: &mut Nest, at: usize, extent: usize) {
    nest.loops[at].extent = extent;
    nest.zones[at].end = extent;
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, Plan, Work, planned};

    /// How many parts each nest of a pair is walked in.
    fn parts(pair: &str, target: &str) -> Vec<usize> {
        let parts = |plan: Plan| {
            let nests = plan.nests();
            let moves = nests.filter(|nest| nest.work == Work::Move);
            let turns = moves.map(|nest| (nest, nest.tiling.as_ref().unwrap().turns));
            turns.map(|(nest, turns)| turns.map_or(1, |l| nest.loops[l].extent)).collect()
        };
        parts(planned(pair, target.parse().unwrap(), Locality::Auto))
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_far_and_in_order_goes_abreast() {
        for target in ["spr", "zen5", "haswell"] {
            for pair in [
                "f32:nchw:32x64x56x56 nchw",
                "f32:nchw:32x64x56x56 bf16:nchw",
                "f32:strides(200704,3136,56,1):128x64x48x48:offset=228 nchw",
            ] {
                assert_eq!(parts(pair, target), [4], "{pair}");
            }
            // What four parts of whole lines leave.
            assert_eq!(parts("u8:ab:5001x5001 ab", target), [4, 1]);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_near_or_read_from_several_places_does_not() {
        for pair in [
            "f32:nchw:1x64x56x56 nchw",
            "f32:nchw:32x64x56x56 nhwc",
            "f32:nchw:32x64x56x56 nChw16c",
            "f32:strides(-2048,1):2048x2048:offset=4192256 ab",
            // Rows that come together first, as they end within lines.
            "f32:strides(4194304,65536,256,1):1x64x250x250:offset=257 nchw",
        ] {
            assert_eq!(parts(pair, "spr"), [1], "{pair}");
        }
    }
}
