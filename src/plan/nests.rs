//! Loop nests. In: a box. Out: loops over its elements, margins and tails, ordered by how they walk the
//! destination, tiled where the target has registers, and where tasks may cut them.
//!
//! Elements and padding are walked apart, but for padding that shares a register with elements: it is
//! stored with them.

use std::cmp::Reverse;

use smallvec::SmallVec;

use super::boxes::listed::is_even;
use super::boxes::{FoldSteps, Part, Pieces, Region, is_short_step, product};
use super::cost::length::Thrift;
use super::decide::tile;
use super::demand::Demand;
use super::memo::Memo;
use super::order::abreast::Abreast;
use super::stores::Stores;
use super::tasks::{Cut, cut_loops, first_step};
use super::tile::{Chunk, Tiling};
use super::{Locality, Sharing};
use crate::problem::{
    DST, Fold, Line, Node, OPERANDS, Operand, Problem, SRC, Strides, VALUES, Zone,
};
use crate::target::{Target, Tier};

/// What a nest does at each of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Work {
    /// Moves an element, with all arithmetic.
    Move,
    /// Stores these bits.
    Fill(u64),
    /// Sets a sum of this operand to zero.
    Clear(Operand),
}

/// Loops around one kind of work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nest {
    /// What is done.
    pub work: Work,
    /// Where it starts, from the bases on.
    pub start: Strides,
    /// Where folds start, from their own starts on.
    pub folds: FoldSteps,
    /// Folds that do not count.
    pub without: SmallVec<[u8; 2]>,
    /// Outermost first.
    pub loops: Vec<Node>,
    /// The positions of each loop that are elements; what is stored beside them is `blank`.
    pub zones: SmallVec<[Zone; 8]>,
    /// The bits of padding that is stored with elements.
    pub blank: u64,
    /// Where tasks cut it.
    pub cut: Cut,
    /// How it is done in registers; none where the target has none.
    pub tiling: Option<Tiling>,
    /// The same, done in its place where the destination turns out not to start on a line.
    pub off_lines: Option<Box<Nest>>,
}

/// A loop that tasks share.
#[derive(Clone, Copy, Debug)]
pub(super) struct SharedLoop {
    /// Which loop of the nest.
    pub(super) index: usize,
    /// So many of its steps stay together.
    pub(super) granule: usize,
}

impl Nest {
    /// The loop that tasks share.
    pub(super) fn shared(&self, sharing: &Sharing) -> Option<SharedLoop> {
        match (sharing, self.cut) {
            (&Sharing::Line { granule, .. }, Cut::Shared { walks: true, first }) => {
                let granule = if first.is_multiple_of(granule) { granule } else { 1 };
                Some(SharedLoop { index: 0, granule })
            }
            _ => None,
        }
    }

    /// So many steps of a loop from one of them on; of a fill nothing is an element.
    pub(crate) fn chunk(&self, l: usize, first: usize, extent: usize) -> Chunk {
        match self.work {
            Work::Move => Chunk::of(self.zones[l], first, extent),
            Work::Fill(_) | Work::Clear(_) => Chunk::padding(extent),
        }
    }

    /// The bits of what is stored that is no element.
    pub(crate) fn padding(&self) -> u64 {
        match self.work {
            Work::Fill(bits) => bits,
            Work::Move | Work::Clear(_) => self.blank,
        }
    }

    /// How many positions it walks.
    pub fn positions(&self) -> usize {
        self.loops.iter().map(|node| node.extent).product()
    }

    /// How many of them are elements.
    pub fn elements(&self) -> usize {
        match self.work {
            Work::Move => self.zones.iter().map(|zone| zone.len()).product(),
            _ => 0,
        }
    }

    /// Without loops, where a box starts.
    fn of(work: Work, region: &Region) -> Nest {
        let mut nest = Nest { without: region.without.clone(), ..Nest::at_bases(work) };
        nest.start[DST] = region.base;
        nest
    }

    fn at_bases(work: Work) -> Nest {
        Nest {
            work,
            start: [0; OPERANDS],
            folds: SmallVec::new(),
            without: SmallVec::new(),
            loops: Vec::new(),
            zones: SmallVec::new(),
            blank: 0,
            cut: Cut::Outer { loops: 0, granule: 1 },
            tiling: None,
            off_lines: None,
        }
    }
}

/// What all nests of a plan have in common.
pub(super) struct Scene<'a> {
    pub(super) problem: &'a Problem,
    pub(super) sharing: &'a Sharing,
    pub(super) target: &'a Target,
    pub(super) locality: Locality,
    /// That both sides need.
    pub(super) demand: Demand,
    /// Bytes of the destination.
    pub(super) stored: usize,
    pub(super) thrift: Thrift,
    /// Whether the destination is taken not to start on a line.
    pub(super) off_lines: bool,
    /// Where there are several.
    pub(super) memo: Option<&'a Memo>,
}

/// The loops of a box.
pub(super) fn nests(scene: &Scene<'_>, region: &Region) -> Vec<Nest> {
    let problem = scene.problem;
    if !region.is_padded() {
        // Nothing but elements, as most boxes are.
        let mut nests = Vec::new();
        assemble(scene, Nest::of(Work::Move, region), &region.parts, &mut nests);
        return nests;
    }
    let mut nests = Vec::new();
    let (together, blank) = together(scene, region);
    let mut walk = |work: Work, parts: Vec<Part>| {
        let nest = Nest { blank, ..Nest::of(work, region) };
        assemble(scene, nest, &parts, &mut nests);
    };
    let pieces: Vec<Pieces> = (region.parts.iter().zip(&together))
        .map(|(part, together)| pieces_of(part, problem.fill, *together))
        .collect();
    let sums = problem.arith.sum.is_some() || *scene.sharing != Sharing::Nests;
    if !sums && fills(&pieces, &together) > scene.thrift.layered {
        return layered(scene, region);
    }
    let data: Vec<&[Part]> = pieces.iter().map(|piece| &piece.data[..]).collect();
    product(&data, &mut |parts| walk(Work::Move, parts));
    // What is stored with elements is padding only where no element is.
    for padded in 0..pieces.len() {
        let chosen: Vec<&[Part]> = around(&pieces, &together, padded).collect();
        product(&chosen, &mut |parts| {
            let margin = parts.iter().all(|part| part.padded.len() == part.extent());
            walk(Work::Fill(if margin { problem.fill } else { 0 }), parts);
        });
    }
    nests
}

/// What goes with the padding of a part.
fn around<'a>(
    pieces: &'a [Pieces],
    together: &'a [bool],
    padded: usize,
) -> impl Iterator<Item = &'a [Part]> {
    let all = pieces.iter().zip(together).enumerate();
    all.map(move |(i, (piece, together))| piece.around(i.cmp(&padded), *together))
}

/// How many nests padding takes.
fn fills(pieces: &[Pieces], together: &[bool]) -> usize {
    let parts = |padded| around(pieces, together, padded).map(<[Part]>::len);
    let nests = (0..pieces.len()).map(|padded| parts(padded).fold(1, usize::saturating_mul));
    nests.fold(0, usize::saturating_add)
}

/// Zeros all over a box, the fill over what is not tail, the elements over that: three nests where the
/// parts of many dims would multiply. Bytes are written up to three times, so tasks do not cut them.
fn layered(scene: &Scene<'_>, region: &Region) -> Vec<Nest> {
    let mut nests = Vec::new();
    let mut layer = |work: Work, zone: fn(&Part) -> Zone| {
        let cut = |part: &Part| {
            let (zone, end) = (zone(part), part.extent());
            let mut parts = Vec::new();
            part.cut(zone.start.min(end)..zone.end.min(end), &mut parts);
            parts
        };
        let parts: Vec<Vec<Part>> = region.parts.iter().map(cut).collect();
        product(&parts, &mut |parts| {
            let from = nests.len();
            assemble(scene, Nest::of(work, region), &parts, &mut nests);
            for nest in &mut nests[from..] {
                nest.cut = Cut::Outer { loops: 0, granule: 1 };
            }
        });
    };
    let fill = scene.problem.fill;
    layer(Work::Fill(0), |part| Zone::all(part.extent()));
    if fill != 0 {
        layer(Work::Fill(fill), |part| part.padded);
    }
    layer(Work::Move, |part| part.data);
    nests
}

/// The parts of a box whose padding is stored with their elements, and the bits of it: all margins, or
/// all tails.
fn together(scene: &Scene<'_>, region: &Region) -> (SmallVec<[bool; 8]>, u64) {
    let mut blank = None;
    let mut near = |part: &Part| {
        let Some(zones) = zoned(part) else { return false };
        let extent = part.extent();
        let whole = part.data.start == 0 && part.data.end == extent;
        let plain = |(node, zone): (&Node, &Zone)| {
            let stride = node.strides[DST].unsigned_abs();
            let even = is_even(node, DST) && node.folds.is_empty();
            zone.len() == node.extent || even && is_short_step(stride, scene.target.line)
        };
        if scene.target.tier == Tier::Portable
            || (part.is_padding() || whole)
            || !part.nodes.iter().zip(&zones).all(plain)
        {
            return false;
        }
        let bits = match scene.problem.fill {
            0 => 0,
            _ if part.padded == part.data => 0,
            fill if part.padded.len() == extent => fill,
            _ => return false,
        };
        *blank.get_or_insert(bits) == bits
    };
    let together = region.parts.iter().map(&mut near).collect();
    (together, blank.unwrap_or(0))
}

/// Which steps of each node of a part are elements; none where that differs from one step to another.
fn zoned(part: &Part) -> Option<SmallVec<[Zone; 2]>> {
    let mut zones: SmallVec<[Zone; 2]> =
        part.nodes.iter().map(|node| Zone::all(node.extent)).collect();
    let Zone { mut start, mut end } = part.data;
    for (k, node) in part.nodes.iter().enumerate().rev() {
        let block: usize = part.nodes[..k].iter().map(|node| node.extent).product();
        if start.is_multiple_of(block) && end.is_multiple_of(block) {
            zones[k] = Zone { start: start / block, end: (end / block).min(node.extent) };
            return Some(zones);
        }
        let own = start / block;
        if (end - 1) / block != own {
            return None;
        }
        // All elements are in one step.
        zones[k] = Zone { start: own, end: own + 1 };
        (start, end) = (start - own * block, end - own * block);
    }
    Some(zones)
}

/// Loops that set the sums to zero, for each kind over the lines it is masked along; none where one
/// task does everything, which can do so at once.
pub(super) fn clear(scene: &Scene<'_>) -> Vec<Nest> {
    let problem = scene.problem;
    let mut nests = Vec::new();
    if *scene.sharing == Sharing::Whole {
        return nests;
    }
    for operand in problem.arith.sums() {
        let masked =
            |line: &Line| line.nodes.iter().any(|node| node.strides[operand as usize] != 0);
        let mut pieces = Vec::new();
        for (i, line) in problem.lines.iter().enumerate() {
            let mut cover = Vec::new();
            let whole = Part::whole(line, Some(i));
            match masked(line) {
                true => whole.cut(line.owned.range(), &mut cover),
                false => cover.push(Part { nodes: SmallVec::new(), ..whole }),
            }
            pieces.push(cover);
        }
        product(&pieces, &mut |parts| {
            assemble(scene, Nest::at_bases(Work::Clear(operand)), &parts, &mut nests);
        });
    }
    nests
}

/// A part cut by what its positions are, margins and tails apart. Where padding is stored with elements, what has any
/// is all elements.
fn pieces_of(part: &Part, fill: u64, together: bool) -> Pieces {
    let all = Zone::all(part.extent());
    // Where margins are filled with zeros too, nothing tells them from tails.
    let padded = if fill == 0 { all } else { part.padded };
    let mut pieces = Pieces { data: Vec::new(), padding: Vec::new(), cover: Vec::new() };
    part.cut_apart(all, padded, &mut pieces.cover);
    if together {
        pieces.data.push(part.clone());
    } else if part.is_padding() {
        pieces.padding.clone_from(&pieces.cover);
    } else {
        let data = part.data;
        debug_assert!(padded.start <= data.start && data.end <= padded.end.min(all.end));
        part.cut(data.range(), &mut pieces.data);
        for beside in [Zone { end: data.start, ..all }, Zone { start: data.end, ..all }] {
            part.cut_apart(beside, padded, &mut pieces.padding);
        }
    }
    pieces
}

/// A loop on its way into a nest.
struct Loop {
    node: Node,
    zone: Zone,
    /// Tasks take their steps of it.
    shared: bool,
}

/// The loops of some parts around a nest's work, tiled and cut.
fn assemble(scene: &Scene<'_>, mut nest: Nest, parts: &[Part], nests: &mut Vec<Nest>) {
    let (mut loops, first) = gather(scene, &mut nest, parts);
    order(&mut loops, &nest, &scene.problem.folds);
    let walks = loops.iter().any(|one| one.shared);
    nest.zones = loops.iter().map(|one| one.zone).collect();
    nest.loops = loops.into_iter().map(|one| one.node).collect();
    let tiled = scene.target.tier.vector() > 0 && !matches!(nest.work, Work::Clear(_));
    match scene.sharing {
        Sharing::Line { .. } => nest.cut = Cut::Shared { walks, first },
        _ if !tiled => nest.cut = cut_loops(&nest.loops, scene.target.line),
        _ => {}
    }
    if tiled {
        let shared = nest.shared(scene.sharing);
        if let Some(Abreast { mut parts, turns, rest }) = Abreast::of(scene, &nest) {
            tile(scene, &mut parts, shared, Some(turns));
            nests.push(parts);
            let Some(rest) = rest else { return };
            nest = rest;
        }
        tile(scene, &mut nest, shared, None);
        nest.off_lines = off_lines(scene, &mut nest).map(Box::new);
    }
    nests.push(nest);
}

/// What to do in place of a nest whose lines pass the caches by, where the destination does not start on one: rows come
/// together first. None where they cannot, or lines of the source have to come again for it.
fn off_lines(scene: &Scene<'_>, nest: &mut Nest) -> Option<Nest> {
    let Scene { problem, sharing, target, locality, demand, stored, thrift, memo, .. } = *scene;
    let streams = |tiling: &Tiling| matches!(tiling.stores, Stores::Stream { carry: false, .. });
    // What each tile makes ready of several values was decided by the nest itself.
    let several = || VALUES.clone().any(|operand| problem.values(operand).1 > 1);
    let large = thrift.off_lines && demand.bytes >= target.memory.off_lines_from;
    if !large || *sharing != Sharing::Nests || several() {
        return None;
    }
    let tiling = nest.tiling.take_if(|tiling| streams(tiling))?;
    let mut other = nest.clone();
    let again = |tiling: &Tiling| tiling.orders.first().map_or(0, |order| order.1);
    let most = again(&tiling).saturating_mul(2).saturating_add((demand.bytes / target.line) as u64);
    nest.tiling = Some(tiling);
    let off_lines = true;
    let scene =
        Scene { problem, sharing, target, locality, demand, stored, thrift, off_lines, memo };
    tile(&scene, &mut other, None, None);
    let better = |tiling: &Tiling| tiling.carry.is_some() && again(tiling) <= most;
    other.tiling.as_ref().is_some_and(better).then_some(other)
}

/// The nodes of some parts that have steps, or that tasks share, their starts added to the nest's; and the first step
/// of what tasks share.
fn gather(scene: &Scene<'_>, nest: &mut Nest, parts: &[Part]) -> (SmallVec<[Loop; 8]>, usize) {
    let mut loops: SmallVec<[Loop; 8]> = SmallVec::new();
    let mut first = 0;
    for part in parts {
        for (start, at) in nest.start.iter_mut().zip(&part.at) {
            *start = start.wrapping_add(*at);
        }
        nest.folds.extend(part.folds.iter().copied());
        let shared = match scene.sharing {
            Sharing::Line { line, .. } if part.line == Some(*line) => {
                Some(&scene.problem.lines[*line])
            }
            _ => None,
        };
        if let Some(line) = shared {
            first = first_step(line, part);
        }
        let top = shared.map(|line| line.nodes.len());
        let zones = zoned(part).filter(|_| nest.work == Work::Move);
        for (k, node) in part.nodes.iter().enumerate() {
            let zone = zones.as_ref().map_or(Zone::all(node.extent), |zones| zones[k]);
            loops.push(Loop { node: node.clone(), zone, shared: top == Some(k + 1) });
        }
    }
    for Loop { node, .. } in loops.iter_mut().filter(|one| one.node.extent == 1) {
        // A table of one place is a start.
        if let Some(table) = node.table.take() {
            nest.start[SRC] = nest.start[SRC].wrapping_add(table[0].0);
            nest.start[DST] = nest.start[DST].wrapping_add(table[0].1);
        }
    }
    loops.retain(|one| one.node.extent != 1 || one.shared);
    (loops, first)
}

/// Orders loops by how far they lead in the destination, outermost first; what tasks share goes around all others.
fn order(loops: &mut [Loop], nest: &Nest, folds: &[Fold]) {
    loops.sort_by_key(|one| Reverse(reach(&one.node, folds, &nest.without)));
    // The source walks its lines best where its shortest steps are next to the innermost loop.
    if nest.work == Work::Move && loops.len() > 2 {
        let last = loops.len() - 1;
        let nearest = (0..last)
            .filter(|&i| loops[i].node.is_plain() && loops[i].node.strides[SRC] != 0)
            .min_by_key(|&i| loops[i].node.strides[SRC].unsigned_abs());
        if let Some(i) = nearest.filter(|_| loops[last].node.is_plain()) {
            loops[i..last].rotate_left(1);
        }
    }
    if let Some(at) = loops.iter().position(|one| one.shared) {
        loops[..=at].rotate_right(1);
    }
}

/// How far a loop's steps lead in the destination, folds included but those of `without`.
pub(super) fn reach(node: &Node, folds: &[Fold], without: &[u8]) -> usize {
    let table = |t: &[(isize, isize)]| t.iter().map(|at| at.1.unsigned_abs()).max().unwrap_or(0);
    let table = node.table.as_deref().map_or(0, table) / node.extent.max(1);
    let along = |&(index, weight): &(u8, isize)| match &folds[index as usize] {
        fold if fold.dst && !without.contains(&index) => fold.bytes(weight.abs()).unsigned_abs(),
        _ => 0,
    };
    let fold = node.folds.iter().map(along).max().unwrap_or(0);
    node.strides[DST].unsigned_abs().max(table).max(fold)
}

#[cfg(test)]
mod tests {
    use crate::Attr;
    use crate::plan::{Locality, planned_by};

    /// Where there is another nest, rows come together in it; what else a plan does is the same.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_is_large_has_another_nest_off_lines() {
        let common = Attr::new().src_scale(0);
        let several = Attr::new().src_scale(1 << 1);
        for (target, pair, attr, expected) in [
            ("spr", "f32:ab:4096x4096 ba", &Attr::new(), true),
            ("spr", "u8:nhwc:8x3x1080x1920 f32:nchw", &common, true),
            ("spr", "u8:nhwc:8x3x1080x1920 f32:nchw", &several, false),
            // It stays in the last level, rows are carried as it is, lines would come again, and parts go by turns.
            ("spr", "f32:ab:1024x1024 ba", &Attr::new(), false),
            ("spr", "f32:ab:4099x4099 ba", &Attr::new(), false),
            ("spr", "f32:ab:8192x2048 BA16b64a", &Attr::new(), false),
            ("spr", "f32:ab:4096x4096 ab", &Attr::new(), false),
            ("zen5", "f32:ab:4096x4096 ba", &Attr::new(), false),
        ] {
            let plan = planned_by(pair, attr, target.parse().unwrap(), Locality::Auto);
            let others: Vec<_> = plan.nests().filter_map(|nest| nest.off_lines.as_ref()).collect();
            assert_eq!(!others.is_empty(), expected, "{pair} for {target}");
            assert_eq!(plan.all_nests().count(), plan.nests().count() + others.len());
            for other in others {
                assert!(other.tiling.as_ref().is_some_and(|tiling| tiling.carry.is_some()));
                assert!(other.off_lines.is_none());
            }
        }
    }
}
