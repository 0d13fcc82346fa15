//! Order. In: loops, and how much of each a tile takes. Out: the steps around the tiles, blocked where
//! that helps, by a model of the lines that come and go.

pub(super) mod abreast;
mod again;
mod known;

use std::cmp::Reverse;
use std::fmt;

use smallvec::SmallVec;

use super::carry::MOST_ROWS;
use super::folds::within::Within;
use super::rows::{PAGE, Rows};
use super::stage::Stage;
use super::stage::copied::Copied;
use super::stores::Stores;
use super::tile::Converts;
use super::view::View;
use crate::problem::{DST, SRC};
use again::{again, anew};

/// A loop around tiles.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Which loop of the nest.
    pub index: usize,
    /// So many of its steps at a time.
    pub by: usize,
    /// So many at the last time, which starts earlier to have them; 0 where it takes what is left.
    pub last: usize,
    /// The folds whose digits decide how many of `by` can be taken at once; mostly none, and all can.
    pub within: Vec<Within>,
}

impl Step {
    pub(super) fn new(index: usize, by: usize) -> Step {
        Step { index, by, last: 0, within: Vec::new() }
    }

    /// Whether the last time starts earlier.
    pub fn overlaps(&self) -> bool {
        self.last > 0
    }

    /// How often it is taken along a loop; where the last time starts earlier, it is a part of the one
    /// before, so that whoever does one does both.
    pub fn times(&self, extent: usize) -> usize {
        match self.overlaps() {
            true => (extent / self.by).max(1),
            false => extent.div_ceil(self.by),
        }
    }
}

/// Steps around tiles, outermost first.
pub(super) type Steps = SmallVec<[Step; 8]>;

/// What goes innermost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Innermost {
    DestinationRows,
    WholeRows,
    Groups,
    GroupsOverLines,
    SourceLines,
    Blocks,
    SourceRows,
    WithinLines,
    StillValues,
}

/// What an order is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OrderName {
    innermost: Innermost,
    /// Whether the loop that leads on along the source's pages is just around it.
    inward: bool,
}

impl OrderName {
    /// Whether groups of a row are stored one after the other.
    fn is_grouped(self) -> bool {
        matches!(self.innermost, Innermost::Groups | Innermost::GroupsOverLines)
    }
}

impl fmt::Display for OrderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.innermost {
            Innermost::DestinationRows => "along destination rows",
            Innermost::WholeRows => "along whole destination rows",
            Innermost::Groups => "groups of destination rows",
            Innermost::GroupsOverLines => "groups of destination rows over source lines",
            Innermost::SourceLines => "source lines along destination rows",
            Innermost::Blocks => "blocks of the source",
            Innermost::SourceRows => "along source rows",
            Innermost::WithinLines => "within source lines",
            Innermost::StillValues => "where values stand still",
        })?;
        if self.inward { f.write_str(" and source pages") } else { Ok(()) }
    }
}

/// An order, and the cycles that the model gives it for lines that have to come again, and values to be made anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub name: OrderName,
    pub steps: Steps,
    /// Where the innermost steps take their source from a block that is copied first.
    pub copied: Option<Stage>,
    /// Of the model.
    pub again: u64,
}

/// The orders worth weighing, the best first.
pub(super) fn orders(view: &View<'_>, takes: &[usize], stores: &Stores) -> SmallVec<[Order; 3]> {
    let mut all = Orders::of(view, takes, stores);
    let [src, dst] = all.along;
    all.add(Innermost::DestinationRows, all.last(dst, src));
    let past = matches!(stores, Stores::Stream { .. });
    if past && dst.is_some_and(|dst| view.stands_still(dst, SRC)) {
        // All of a row comes from one place, to which there is nothing to come back for.
        return all.best_first();
    }
    if view.rows(takes) > 1 {
        all.add(Innermost::WholeRows, all.around.clone());
    }
    all.add_groups();
    all.add_source_lines();
    all.add_blocks();
    all.add(Innermost::SourceRows, all.last(src, dst));
    all.add_within_lines();
    all.add_still_values();
    all.best_first()
}

/// Orders as they are found and weighed.
struct Orders<'a> {
    view: &'a View<'a>,
    takes: &'a [usize],
    stores: &'a Stores,
    /// The loops that lead on along rows of either side.
    along: [Option<usize>; 2],
    /// The rows of tiles on either side.
    sides: [Rows; 2],
    /// Whether the destination's rows are as short as groups of them.
    short: bool,
    /// The steps as they lead in the destination.
    around: Steps,
    found: SmallVec<[Order; 3]>,
}

impl<'a> Orders<'a> {
    fn of(view: &'a View<'a>, takes: &'a [usize], stores: &'a Stores) -> Orders<'a> {
        let along = [SRC, DST].map(|side| along(view, takes, side));
        let past = matches!(stores, Stores::Stream { carry: false, .. });
        let short = past && has_short_rows(view, takes, along[DST]);
        let (around, found) = (around(view, takes), SmallVec::new());
        let sides = [SRC, DST].map(|side| Rows::of(view, takes, side));
        Orders { view, takes, stores, along, sides, short, around, found }
    }

    /// The steps along a loop inmost, those of another just around them.
    fn last(&self, l: Option<usize>, next: Option<usize>) -> Steps {
        let common = common(self.view).iter().rev().copied();
        inmost(self.around.clone(), [next, l].into_iter().flatten().chain(common))
    }

    /// An order, and the same with the source's pages just around what goes innermost.
    fn add(&mut self, innermost: Innermost, steps: Steps) {
        let [src, dst] = self.along;
        let on = inward(self.view, &steps, src, dst);
        self.weigh(OrderName { innermost, inward: false }, steps, None);
        if let Some(steps) = on {
            self.weigh(OrderName { innermost, inward: true }, steps, None);
        }
    }

    /// An order, which may have blocks copied first at a price of their own, unless it is known.
    fn weigh(&mut self, name: OrderName, mut steps: Steps, copied: Option<(Stage, u64)>) {
        let Orders { view, takes, stores, short, .. } = *self;
        if let Some(at) = steps.iter().position(|step| Some(step.index) == view.terms.turns) {
            steps[at..].rotate_left(1);
        }
        if !view.folds.is_empty() {
            view.folds.nest(takes, &mut steps);
        }
        let (copied, price) = copied.unzip();
        let same = |order: &Order| (&order.steps, &order.copied) == (&steps, &copied);
        if !self.found.iter().any(same) {
            let lines = again(view, takes, &self.sides, &steps, stores, short, price);
            let again = lines.saturating_add(anew(view, takes, &steps));
            self.found.push(Order { name, steps, copied, again });
        }
    }

    /// Bytes of a row that are stored together, where orders may go by these.
    fn group(&self) -> Option<usize> {
        let Orders { view, along: [src, dst], .. } = *self;
        match *self.stores {
            _ if self.short => None,
            Stores::Stream { group, carry: false, .. } => Some(group),
            // Halves of lines come together first, and nothing else has to, where lines of the source, a few tiles
            // each, follow one another in their pages.
            Stores::Stream { group, carry: true, even, .. } => {
                let line = view.target.line;
                let halves = view.target.tier.vector() < line && even;
                let lines =
                    |src: usize| (view.loops[src].extent * view.sizes[SRC]).is_multiple_of(line);
                let goes_on = |src| further(view, src, SRC).any(|on| Some(on) != dst);
                (halves && src.is_some_and(|src| lines(src) && goes_on(src))).then_some(group)
            }
            Stores::Keep { group: group @ 1.., .. } => Some(group),
            _ => None,
        }
    }

    /// Groups of a row, over all of the source's rows.
    fn add_groups(&mut self) {
        let by = self.group().and_then(|group| group_by(self.view, self.takes, group));
        let (Some(by), [Some(src), Some(dst)]) = (by, self.along) else { return };
        let mut steps = self.last(Some(dst), Some(src));
        let at = steps.iter().position(|step| step.index == src).unwrap_or(0);
        steps.insert(at, Step::new(dst, by));
        if let Some(steps) = self.over_lines(&steps, at, src) {
            self.add(Innermost::GroupsOverLines, steps);
        }
        self.add(Innermost::Groups, steps);
    }

    /// The steps of groups, that along the source's rows next to `at`, over all of a source line, before the next ones;
    /// over all that comes with it where that is copied first.
    fn over_lines(&self, steps: &Steps, at: usize, src: usize) -> Option<Steps> {
        let (view, take) = (self.view, self.takes[src]);
        let line = line_steps(view, src);
        let streams = matches!(self.stores, Stores::Stream { .. });
        let parts = line > take && line.is_multiple_of(take);
        if !streams || !parts || !view.has_blocks(src, line) {
            return None;
        }
        let over = |block: usize| {
            let mut steps = steps.clone();
            steps[at + 1] = Step::new(src, block);
            steps.push(Step::new(src, take));
            (block < view.loops[src].extent && view.has_blocks(src, block)).then_some(steps)
        };
        let together = over(line * view.target.memory.together.max(1) as usize);
        let together = together.filter(|steps| view.stage(self.takes, steps).is_some());
        together.or_else(|| over(line))
    }

    /// All of a source line, before going on along the destination's rows; of what goes around all others too, which
    /// then does so but for the tiles of a line.
    fn add_source_lines(&mut self) {
        let view = self.view;
        let around = view.next(self.takes, SRC).filter(|l| view.goes_around(*l));
        let (Some(src), Some(dst)) = (around.or(self.along[SRC]), self.along[DST]) else { return };
        let take = self.takes[src];
        let line = line_steps(view, src);
        // Rows that come together are as many as there is room for, so that more is read in a row.
        let by = match self.stores {
            Stores::Stream { carry: true, .. } => line.max(MOST_ROWS),
            _ => line,
        };
        let parts = by > take && by.is_multiple_of(take) && by < view.loops[src].extent;
        if dst != src && parts && view.has_blocks(src, by) {
            let mut steps = self.last(Some(src), Some(dst));
            let at = steps.iter().position(|step| step.index == dst).unwrap_or(0);
            steps.insert(at, Step::new(src, by));
            self.add(Innermost::SourceLines, steps);
        }
    }

    /// Blocks of the source, copied first. Past the caches lines wait for nothing, so that there is no use in blocks of
    /// whole ones; and rows that are to be converted first are copied so, not as they are.
    fn add_blocks(&mut self) {
        let view = self.view;
        let copies = match self.stores {
            _ if view.converts == Converts::Staged => false,
            Stores::Keep { .. } => true,
            Stores::Stream { carry, .. } => {
                !carry && view.run(self.takes, SRC) * view.sizes[SRC] < view.target.line
            }
        };
        if copies && let Some(Copied { steps, stage, price }) = view.copied_steps(self.takes) {
            let name = OrderName { innermost: Innermost::Blocks, inward: false };
            self.weigh(name, steps, Some((stage, price)));
        }
    }

    /// Rows that are in the same lines one after the other, where there is something else between them.
    fn add_within_lines(&mut self) {
        let [src, dst] = self.along;
        if src.is_none()
            && let Some(beside) = self.view.next_in_line(self.takes, SRC)
        {
            self.add(Innermost::WithinLines, self.last(Some(beside), dst));
        }
    }

    /// Steps that have the same values inmost.
    fn add_still_values(&mut self) {
        let (view, [src, dst]) = (self.view, self.along);
        let mut steps = self.last(dst, src);
        let still =
            |step: &Step| view.shifts.is_some_and(|operand| !view.leads(step.index, operand));
        if let Some(at) = steps.iter().rposition(still) {
            steps[at..].rotate_left(1);
            self.add(Innermost::StillValues, steps);
        }
    }

    /// Lines that pass the caches by, or are waited for, are written whole groups at a time; those that are asked for,
    /// or pass the caches by, in groups or from blocks, as the model has it. Else the simpler order will do where that
    /// knows no difference.
    fn best_first(self) -> SmallVec<[Order; 3]> {
        let Orders { view, takes, stores, found: mut orders, .. } = self;
        let asks = !matches!(stores, Stores::Keep { ahead: 0, .. });
        orders.sort_by_key(|order| {
            (!(order.name.is_grouped() || asks && order.copied.is_some()), order.again)
        });
        if !view.folds.is_empty() {
            let all = orders.iter_mut();
            all.for_each(|order| view.folds.decide(takes, view.loops, &mut order.steps));
        }
        orders
    }
}

/// These steps, but for the loop that leads on along the source's rows within their pages, where tiles take less than
/// its step: just around these, if it was further out.
fn inward(
    view: &View<'_>,
    steps: &[Step],
    src: Option<usize>,
    dst: Option<usize>,
) -> Option<Steps> {
    let on = further(view, src?, SRC).next()?;
    let from = steps.iter().position(|step| step.index == on)?;
    // Groups of a row stay around.
    let last = |l: Option<usize>| steps.iter().rposition(|step| Some(step.index) == l);
    let to = last(src)?.min(last(dst).unwrap_or(usize::MAX));
    let single = steps.iter().filter(|step| step.index == on).count() == 1;
    let mut steps: Steps = SmallVec::from(steps);
    steps.get_mut(from..to).filter(|between| single && between.len() > 1)?.rotate_left(1);
    Some(steps)
}

/// The loops of a row that lead on beyond the step of one, within a page.
pub(super) fn further<'v>(
    view: &'v View<'_>,
    after: usize,
    side: usize,
) -> impl Iterator<Item = usize> + 'v {
    let rest = view.chain(side).iter().copied().skip_while(move |l| *l != after).skip(1);
    rest.filter(move |l| view.stride(*l, side).unsigned_abs() < PAGE && !view.goes_around(*l))
}

/// The loop that leads on along rows of one side, from run to run where both sides have these in common.
pub(super) fn along(view: &View<'_>, takes: &[usize], side: usize) -> Option<usize> {
    let part = |l: &usize| takes[*l] < view.loops[*l].extent && !view.goes_around(*l);
    let runs = common(view).len();
    view.chain(side)[runs..].iter().copied().find(part)
}

/// Steps along a row of the source that a line of it may have.
fn line_steps(view: &View<'_>, src: usize) -> usize {
    let line = view.target.line;
    if view.stride(src, SRC).unsigned_abs() < line { (line / view.sizes[SRC]).max(1) } else { 1 }
}

/// The loops of runs that both sides have in common, but for what goes around all others.
pub(super) fn common<'v>(view: &'v View<'_>) -> &'v [usize] {
    let [src, dst] = [SRC, DST].map(|side| view.chain(side));
    let same =
        |(a, b): &(&usize, &usize)| a == b && view.stride(**a, SRC) > 0 && !view.goes_around(**a);
    &dst[..src.iter().zip(dst).take_while(same).count()]
}

/// Steps of a destination row that are so many bytes, where several tiles of them are walked over all rows of
/// the source.
pub(super) fn group_by(view: &View<'_>, takes: &[usize], group: usize) -> Option<usize> {
    let [src, dst] = [SRC, DST].map(|side| along(view, takes, side));
    let (src, dst) = (src?, dst?);
    let take = takes[dst];
    let by = group / view.stride(dst, DST).unsigned_abs().max(1) / take * take;
    let several = by > take && by < view.loops[dst].extent;
    (dst != src && several && view.has_blocks(dst, by)).then_some(by)
}

/// Whether rows that a loop leads on along are no longer than what goes past the caches together, where single lines go
/// as well, and tiles read no more rows than are foreseen: then those are read on, and the rest of these comes soon.
fn has_short_rows(view: &View<'_>, takes: &[usize], along: Option<usize>) -> bool {
    let memory = &view.target.memory;
    if Rows::of(view, takes, SRC).count > memory.streams.into() {
        return false;
    }
    let row = |l: usize| view.loops[l].extent.saturating_mul(view.stride(l, DST).unsigned_abs());
    memory.row_lines == 1 && along.is_some_and(|l| row(l) <= memory.row_group.into())
}

/// Every loop that a tile does not take whole, by its steps in the destination; what goes around all others first.
pub(super) fn around(view: &View<'_>, takes: &[usize]) -> Steps {
    let mut steps: Steps = (0..view.loops.len())
        .filter(|&l| takes[l] < view.loops[l].extent || view.is_shared(l))
        .map(|index| Step::new(index, takes[index]))
        .collect();
    let key = |step: &Step| (!view.goes_around(step.index), Reverse(view.reach(step.index)));
    steps.sort_by_key(key);
    steps
}

/// These steps, those of some loops inside of all others, of the last of these inmost.
pub(super) fn inmost(mut steps: Steps, loops: impl IntoIterator<Item = usize>) -> Steps {
    for l in loops {
        if let Some(at) = steps.iter().position(|step| step.index == l) {
            steps[at..].rotate_left(1);
        }
    }
    steps
}

#[cfg(test)]
mod tests {
    use crate::Attr;
    use crate::plan::{Locality, planned, planned_by};

    /// Whole lines of rows that share places are read along these, from behind the second level; where both sides have
    /// such rows, neither is better.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_that_share_places_are_read_along() {
        for (target, pair, expected) in [
            ("zen4", "f32:ab:768x1024 BA16b64a", "along source rows"),
            ("zen4", "f32:ab:768x1024 s8:BA16b64a4b", "along source rows"),
            ("zen4", "f32:ab:768x1040 BA16b64a", "along destination rows"),
            ("zen4", "f32:ab:128x1024 BA16b64a", "along destination rows"),
            ("zen4", "f32:ab:1024x1024 ba", "along destination rows"),
            ("spr", "f32:ab:768x1024 BA16b64a", "groups of destination rows"),
            // Lines that are asked for ahead come from blocks that are copied too.
            ("zen3", "f32:ab:1024x1023 ba", "blocks of the source"),
            // Pages far apart, but not many.
            ("zen5", "f32:hwio:256x256x3x3 oihw", "along destination rows"),
            ("zen4", "f32:hwio:256x256x3x3 oihw", "along destination rows"),
        ] {
            let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
            let nest = plan.nests().next().unwrap();
            let [(name, _), ..] = nest.tiling.as_ref().unwrap().orders[..] else {
                panic!("{pair}")
            };
            assert_eq!(name.to_string(), expected, "{pair} for {target}");
        }
    }

    /// Past the caches what tasks share leads on along the source's rows too, though tiles have but one step of it.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn what_tasks_share_is_read_on() {
        let steps = |attr: &Attr| {
            let (pair, target) = ("f32:ab:768x768 s8:BA16b64a4b", "spr".parse().unwrap());
            let plan = planned_by(pair, attr, target, Locality::Auto);
            let tiling = plan.nests().next().and_then(|nest| nest.tiling.clone()).unwrap();
            let steps = tiling.steps.iter().map(|step| (step.index, step.by)).collect::<Vec<_>>();
            (tiling.takes, steps)
        };
        assert_eq!(steps(&Attr::new().s8s8_compensation(2)), steps(&Attr::new()));
    }

    /// Rows that come from one place each, whose line is not come back to, whatever lies between.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_of_one_place_are_stored_one_after_the_other() {
        for target in ["spr", "zen4", "zen5"] {
            for pair in [
                "f32:strides(1,0):2048x2048 ab",
                "u8:strides(1,0):4096x4096 ab",
                "f32:strides(0,1,0,0):64x64x56x56 nchw",
                "f32:strides(0,1,0,0):1x64x27x27 nchw",
            ] {
                let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
                let nest = plan.nests().next().unwrap();
                let (name, _) = nest.tiling.as_ref().unwrap().orders[0];
                assert_eq!(name.to_string(), "along destination rows", "{pair} for {target}");
            }
        }
    }
}
