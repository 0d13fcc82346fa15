//! Boxes. In: a problem. Out: rectangular parts of its positions that together are all of them, each
//! once: the main part, edges where a block holds elements and padding together, and fills.

pub(super) mod listed;

use std::cmp::Ordering;

use smallvec::SmallVec;

use super::demand::Demand;
use crate::problem::{DST, Line, Node, OPERANDS, Problem, Strides, Zone};
use crate::target::Target;
use listed::listed;

/// Positions along folds.
pub type FoldSteps = SmallVec<[(u8, isize); 1]>;

/// Some of the positions of a line: whole nodes, from a start on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The line's index in the problem; a tail's line has none.
    pub line: Option<usize>,
    /// Its first position in the line.
    pub first: usize,
    /// What the start adds for every operand.
    pub at: Strides,
    /// What the start adds along folds.
    pub folds: FoldSteps,
    /// Innermost first.
    pub nodes: SmallVec<[Node; 2]>,
    /// Elements and explicit margins, among this part's own positions.
    pub padded: Zone,
    /// Elements.
    pub data: Zone,
}

/// A part of each line. All positions of their product belong to the destination.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// The parts whose product this is.
    pub parts: Vec<Part>,
    /// What stands in place of lines that a tail replaces: bytes of the destination.
    pub base: isize,
    /// Folds that do not count here, because a tail stands in their place.
    pub without: SmallVec<[u8; 2]>,
}

impl Region {
    /// How many positions.
    pub fn positions(&self) -> usize {
        self.parts.iter().map(Part::extent).product()
    }

    /// Whether not all of it is elements.
    pub(super) fn is_padded(&self) -> bool {
        self.parts.iter().any(|part| part.data.len() != part.extent())
    }
}

/// A margin up to this many bytes long, whose steps are short, is stored together with the elements of its row: apart
/// from them it goes over rows a second time, and shares lines or pages with them.
const SHORT_MARGIN: usize = 1024;

/// Whether steps of so many bytes, where lines are as long, are.
pub(super) fn is_short_step(step: usize, line: usize) -> bool {
    line > 0 && step <= 4 * line
}

impl Part {
    pub(super) fn whole(line: &Line, index: Option<usize>) -> Part {
        Part {
            line: index,
            first: 0,
            at: [0; OPERANDS],
            folds: SmallVec::new(),
            nodes: line.nodes.clone(),
            padded: line.padded,
            data: line.data,
        }
    }

    /// How many positions.
    pub fn extent(&self) -> usize {
        self.nodes.iter().map(|node| node.extent).product()
    }

    /// Whether it holds no element.
    pub fn is_padding(&self) -> bool {
        self.data.start >= self.data.end
    }

    /// The parts that `positions` of this one are: whole nodes from a start on.
    pub fn cut(&self, positions: std::ops::Range<usize>, out: &mut Vec<Part>) {
        if positions.is_empty() {
            return;
        }
        let part = Part { nodes: SmallVec::new(), ..self.clone() };
        cut(&self.nodes, part, positions.start, positions.end, 0, (self.padded, self.data), out);
    }

    /// The parts that positions of a zone are, those apart that lie before, in and behind another: margins from tails.
    pub(super) fn cut_apart(&self, zone: Zone, padded: Zone, out: &mut Vec<Part>) {
        let at = |position: usize| position.clamp(zone.start, zone.end.max(zone.start));
        let (lower, upper) = (at(padded.start), at(padded.end));
        for range in [zone.start..lower, lower..upper, upper..zone.end] {
            self.cut(range, out);
        }
    }

    /// Moves the start on by `steps` of a node, which then no longer counts.
    fn step(&mut self, node: &Node, steps: usize) {
        let steps = steps as isize;
        for (at, stride) in self.at.iter_mut().zip(&node.strides) {
            *at = at.wrapping_add(stride.wrapping_mul(steps));
        }
        for &(fold, step) in &node.folds {
            self.folds.push((fold, step.wrapping_mul(steps)));
        }
    }
}

/// Cuts from `lo` to `hi` of the product of `nodes`, which start at `first` of the whole part.
fn cut(
    nodes: &[Node],
    part: Part,
    mut lo: usize,
    hi: usize,
    first: usize,
    zones: (Zone, Zone),
    out: &mut Vec<Part>,
) {
    let Some((top, inner)) = nodes.split_last() else { return };
    let weight: usize = inner.iter().map(|node| node.extent).product();
    let within = |q: usize| {
        let mut part = part.clone();
        if let Some(table) = &top.table {
            let entry = [table[q].0, table[q].1];
            part.at.iter_mut().zip(entry).for_each(|(at, by)| *at = at.wrapping_add(by));
        }
        part.step(top, q);
        part
    };
    if !lo.is_multiple_of(weight) {
        let q = lo / weight;
        let end = hi.min((q + 1) * weight);
        let (from, to) = (lo - q * weight, end - q * weight);
        cut(inner, within(q), from, to, first + q * weight, zones, out);
        lo = end;
    }
    let (q0, q1) = (lo / weight, hi / weight);
    if q0 < q1 {
        let mut whole = Part { nodes: SmallVec::from(inner), ..part.clone() };
        let mut node = Node { extent: q1 - q0, ..top.clone() };
        node.table = top.table.as_ref().map(|table| table[q0..q1].into());
        whole.step(top, q0);
        whole.nodes.push(node);
        let own = Zone { start: first + q0 * weight, end: first + q1 * weight };
        (whole.padded, whole.data) = (zones.0.seen_from(own), zones.1.seen_from(own));
        whole.first += own.start;
        out.push(whole);
        lo = q1 * weight;
    }
    if lo < hi {
        let q = lo / weight;
        cut(inner, within(q), 0, hi - lo, first + q * weight, zones, out);
    }
}

/// What decides how lines are cut.
pub(super) struct Cutting {
    /// Bytes of a line where there are registers, which may be of several loops; 0 where there are none.
    row: usize,
    /// Bytes of an element on both sides.
    pub(super) sizes: [usize; 2],
    /// Whether parts of registers are stored under masks.
    pub(super) masks: bool,
    /// Whether sums are shared along lines.
    pub(super) sums: bool,
    /// Whether both sides have room in the first level, or nearly.
    pub(super) near: bool,
}

impl Cutting {
    fn of(problem: &Problem, target: &Target) -> Cutting {
        Cutting {
            row: if target.tier.vector() > 0 { target.line } else { 0 },
            sizes: [problem.src.size(), problem.dst.size()],
            masks: target.tier.masks(),
            sums: problem.arith.is_compensated(),
            near: Demand::of(problem, target.line).places / 5 <= target.l1 / 4,
        }
    }
}

/// All regions of a problem.
pub fn boxes(problem: &Problem, target: &Target) -> Vec<Region> {
    let full = |line: &Line| line.is_full() && line.extent() > 0;
    if problem.tails.is_empty() && problem.lines.iter().all(full) {
        // Nothing but elements, as most problems are.
        let lines = problem.lines.iter().enumerate();
        let parts = lines.map(|(i, line)| Part::whole(line, Some(i))).collect();
        return vec![Region { parts, base: 0, without: SmallVec::new() }];
    }
    let mut regions = Vec::new();
    let cutting = Cutting::of(problem, target);
    let lines: Vec<Pieces> = (problem.lines.iter().enumerate())
        .map(|(i, line)| Pieces::of(line, Some(i), &cutting))
        .collect();
    let plain = |parts: Vec<Part>| Region { parts, base: 0, without: SmallVec::new() };
    let data: Vec<&[Part]> = lines.iter().map(|line| &line.data[..]).collect();
    product(&data, &mut |parts| regions.push(plain(parts)));
    for padded in 0..lines.len() {
        let chosen = lines.iter().enumerate().map(|(i, line)| line.around(i.cmp(&padded), false));
        product(&chosen.collect::<Vec<_>>(), &mut |parts| regions.push(plain(parts)));
    }
    for set in 1u32..1 << problem.tails.len() {
        tail_regions(problem, &lines, set, &cutting, &mut regions);
    }
    regions
}

/// The padding where just the tails of `set` stand in the place of their lines.
fn tail_regions(
    problem: &Problem,
    lines: &[Pieces],
    set: u32,
    cutting: &Cutting,
    regions: &mut Vec<Region>,
) {
    let tails = problem.tails.iter().enumerate().filter(|(t, _)| set >> t & 1 == 1);
    let tails: Vec<_> = tails.map(|(_, tail)| tail).collect();
    let replaced = |i: usize| tails.iter().any(|tail| tail.lines.contains(&(i as u8)));
    let kept = lines.iter().enumerate().filter(|(i, _)| !replaced(*i));
    let instead: Vec<Pieces> = (tails.iter().flat_map(|tail| &tail.instead))
        .map(|line| Pieces::of(line, None, cutting))
        .collect();
    let covers = kept.map(|(_, line)| line).chain(&instead).map(|line| &line.cover[..]);
    let base = tails.iter().map(|tail| tail.base).sum();
    let without: SmallVec<[u8; 2]> = tails.iter().map(|tail| tail.fold).collect();
    product(&covers.collect::<Vec<_>>(), &mut |parts| {
        regions.push(Region { parts, base, without: without.clone() });
    });
}

/// The parts of a line, or of a part itself.
pub(super) struct Pieces {
    /// With elements, all or some.
    pub(super) data: Vec<Part>,
    /// Without.
    pub(super) padding: Vec<Part>,
    /// All that is owned.
    pub(super) cover: Vec<Part>,
}

impl Pieces {
    /// What goes with a line of padding: the first that is padding decides, so that those before it hold elements, and
    /// those behind it anything. Padding that is stored `together` with elements may be before it too.
    pub(super) fn around(&self, place: Ordering, together: bool) -> &[Part] {
        match place {
            Ordering::Less if !together => &self.data,
            Ordering::Equal => &self.padding,
            _ => &self.cover,
        }
    }

    /// The whole of a line in as few parts as can be.
    fn of(line: &Line, index: Option<usize>, cutting: &Cutting) -> Pieces {
        let whole = Part::whole(line, index);
        let (owned, data) = (line.owned, line.data);
        let mut pieces = Pieces { data: Vec::new(), padding: Vec::new(), cover: Vec::new() };
        whole.cut(owned.range(), &mut pieces.cover);
        if data.start == data.end {
            whole.cut_apart(owned, whole.padded, &mut pieces.padding);
            return pieces;
        }
        let stride = |node: &Node| node.strides[DST].unsigned_abs();
        let near = |step: usize| step == cutting.sizes[DST] || is_short_step(step, cutting.row);
        let short = |zone: usize, step: usize| zone * step <= SHORT_MARGIN;
        let together = match whole.nodes.as_slice() {
            [node] if node.table.is_none() && near(stride(node)) => {
                let margins = [data.start - owned.start, owned.end - data.end];
                margins.iter().all(|margin| short(*margin, stride(node)))
            }
            [_] => false,
            nodes => {
                owned.len() == whole.extent() && blocks_together(nodes, owned, data, cutting.row)
            }
        };
        match together {
            true => pieces.data = pieces.cover.clone(),
            false => pieces.divide(&whole, &whole.nodes, owned, cutting),
        }
        pieces
    }

    /// Divides a zone of a line, which holds elements, by the blocks that all but the last of `nodes` are; a block that
    /// holds elements and padding, by the blocks within, unless whole ones of these are within a row of so many bytes.
    /// Where a block ends within, few positions may be one loop.
    fn divide(&mut self, whole: &Part, nodes: &[Node], zone: Zone, cutting: &Cutting) {
        let (_, inner) = nodes.split_last().expect("a line has a node");
        let block: usize = inner.iter().map(|node| node.extent).product();
        let down = |position: usize| position / block * block;
        let up = |position: usize| position.next_multiple_of(block);
        let within = |start, end| Zone { start, end }.meet(zone);
        let data = whole.data.meet(zone);
        let (full_start, full_end) = (up(data.start), down(data.end));
        if cutting.row > 0
            && (full_start, full_end) != (data.start, data.end)
            && let Some(part) = listed(whole, zone, cutting)
        {
            self.data.push(part);
            return;
        }
        let before = within(zone.start, down(data.start));
        whole.cut_apart(before, whole.padded, &mut self.padding);
        // Full blocks between those at the ends; all elements may be in one block.
        let (from, to) = match full_start > full_end {
            true => (up(data.end), up(data.end)),
            false => (full_start, full_end),
        };
        for (start, end) in [(down(data.start), from), (from, to), (to, up(data.end))] {
            let zone = within(start, end);
            let is_full = data.start <= zone.start && zone.end <= data.end;
            if zone.start >= zone.end {
                continue;
            }
            let together =
                || zone.len() == block && blocks_together(inner, zone, data, cutting.row);
            if !is_full && inner.len() > 1 && !together() {
                self.divide(whole, inner, zone, cutting);
                continue;
            }
            let mut parts = Vec::new();
            whole.cut(zone.range(), &mut parts);
            let (padding, data): (Vec<_>, Vec<_>) = parts.into_iter().partition(Part::is_padding);
            self.padding.extend(padding);
            self.data.extend(data);
        }
        let behind = within(up(data.end), zone.end);
        whole.cut_apart(behind, whole.padded, &mut self.padding);
    }
}

/// Whether padding, in a zone that is all of some nodes, is stored with the elements beside it: where it is whole
/// blocks that all but the last of the nodes are, or all elements are in one of these, with padding stored with them.
fn blocks_together(nodes: &[Node], zone: Zone, data: Zone, row: usize) -> bool {
    let Some((top, inner)) = nodes.split_last() else { return false };
    let block: usize = inner.iter().map(|node| node.extent).product();
    let stride = top.strides[DST].unsigned_abs();
    let data = data.meet(zone);
    let margins = [(data.start - zone.start) / block, (zone.end - data.end) / block];
    let short = |margin: &usize| margin.saturating_mul(stride) <= SHORT_MARGIN;
    if !(top.is_plain() && is_short_step(stride, row) && margins.iter().all(short)) {
        return false;
    }
    let start = zone.start + margins[0] * block;
    let whole = |position: usize| (position - zone.start).is_multiple_of(block);
    whole(data.start) && whole(data.end)
        || data.end <= start + block
            && blocks_together(inner, Zone { start, end: start + block }, data, row)
}

/// Calls `each` with every choice of one part from each list.
pub(super) fn product<L: AsRef<[Part]>>(lists: &[L], each: &mut impl FnMut(Vec<Part>)) {
    let lists: SmallVec<[&[Part]; 8]> = lists.iter().map(L::as_ref).collect();
    if lists.iter().any(|list| list.is_empty()) {
        return;
    }
    let mut at = vec![0; lists.len()];
    loop {
        each(lists.iter().zip(&at).map(|(list, &i)| list[i].clone()).collect());
        let mut d = lists.len();
        loop {
            if d == 0 {
                return;
            }
            d -= 1;
            at[d] += 1;
            if at[d] < lists[d].len() {
                break;
            }
            at[d] = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, Work, planned};

    /// The boxes of a pair, how many of their nests are fills, and the zones of elements that are not whole loops.
    fn boxes(pair: &str) -> (usize, usize, Vec<(usize, usize)>) {
        let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
        let fills = plan.nests().filter(|nest| matches!(nest.work, Work::Fill(_))).count();
        let zones = plan.nests().flat_map(|nest| nest.loops.iter().zip(&nest.zones));
        let parts = zones.filter(|(node, zone)| zone.len() != node.extent && zone.len() > 0);
        (plan.boxes.len(), fills, parts.map(|(node, zone)| (node.extent, zone.len())).collect())
    }

    /// Blocks of padding beside blocks of elements, not far from them, are in one box with these.
    #[test]
    fn whole_blocks_of_padding_near_elements_are_stored_with_them() {
        for (pair, expected) in [
            // The last block of 16 is 8 elements and as much padding, or 8 of 32 and three times as much.
            ("f32:nChw8c:1x24x5x5 nChw16c", (2, 0, vec![(2, 1)])),
            ("u8:nChw8c:1x40x5x5 nChw32c", (2, 0, vec![(4, 1)])),
            // All of it is one block.
            ("s8:b_fs_yx_fsv4:2x16x1x28 b_fs_yx_fsv32", (1, 0, vec![(8, 4)])),
            // 4 of the 8 are padding too.
            ("u8:nChw8c:1x20x5x5 nChw16c", (2, 0, vec![(2, 1), (8, 4)])),
            // Rows of one step's own: a short margin is with the elements, a long one is not.
            ("f32:nchw:1x14x5x5 aBcd32b", (1, 0, vec![(32, 14)])),
            ("f32:ab:20x14 ab:upper=0,500", (2, 1, vec![])),
            // All elements are in one block, of which a part is padding too.
            ("s8:oihw:16x3x3x3 OIhw4i16o4i", (1, 0, vec![(4, 1), (4, 3)])),
            // Lines of their own, few of them and many.
            ("f32:nChw16c:1x32x5x5 aBcd64b", (1, 0, vec![(4, 2)])),
            ("f32:nChw16c:1x32x5x5 aBcd512b", (2, 1, vec![])),
        ] {
            assert_eq!(boxes(pair), expected, "{pair}");
        }
    }
}
