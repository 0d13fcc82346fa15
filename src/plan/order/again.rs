//! Again. In: steps around tiles. Out: what a model gives them for lines that have to come again, and for values to be
//! made anew.
//!
//! A tile that ends within a line leaves the rest of it to its neighbour. If the neighbour comes next the
//! line is still near; if a sweep of another loop comes between it may have gone, sooner still where
//! rows lie a multiple of 4096 bytes apart and share one set of the cache. So with the pages of rows.

use smallvec::SmallVec;

use super::{Step, further};
use crate::plan::rows::{PAGE, Rows};
use crate::plan::stores::Stores;
use crate::plan::view::View;
use crate::problem::{DST, SRC};

/// Cycles until a line is there, when many are under way, from the second level and from further off.
const NEAR: u64 = 3;
const FAR: u64 = 10;

/// Until a line that is to be written is ours, where it is not asked for or gone again when it is written.
const OWN: u64 = 6;

/// Rows of fewer lines are short: what a tile stores of one is much of it.
const SHORT: usize = 3;

/// What it takes to make what a register of bytes is shifted by.
const SHIFT: u64 = 12;

/// Until a line is there that the machine does not foresee, or that others have driven out of the first level though
/// it was foreseen: sources are read well before anything waits for them.
const SEEK: u64 = 1;

/// The cycles lost to lines that are loaded more than once, since a tile ends within them and a later one comes back,
/// or that are not there when a tile comes to them. Where the destination's rows are `short`, no longer than what is
/// written together, rows of the source beyond those that are foreseen cost as well. Where blocks are copied first,
/// `copied` is their price, and stands in place of all that the source would cost otherwise.
pub(super) fn again(
    view: &View<'_>,
    takes: &[usize],
    sides: &[Rows; 2],
    steps: &[Step],
    stores: &Stores,
    short: bool,
    copied: Option<u64>,
) -> u64 {
    let aheads = match *stores {
        Stores::Keep { ahead, .. } => [0, ahead],
        Stores::Stream { .. } => [0, 0],
    };
    let line = view.target.line;
    // How much less short rows are was measured where lines are asked for.
    let bytes_of = |rows: &Rows| match aheads[DST] {
        0 => rows.count * rows.lines * line,
        _ => rows.touched(line),
    };
    let tile_bytes = sides.iter().map(bytes_of).sum::<usize>();
    let staged = || copied.is_none() && view.stage(takes, steps).is_some();
    let mut cycles = copied.unwrap_or_else(|| lines_of_parts(view, &sides[SRC], staged));
    for (side, rows) in [SRC, DST].into_iter().zip(sides) {
        let Some(back) = Returns::of(view, takes, steps, rows, side) else { continue };
        let between = back.between();
        // With lines of these rows that are there before their time.
        let early = rows.count * (aheads[side] / line) * line;
        let bytes = between.saturating_mul(tile_bytes + early);
        let elsewhere = back.elsewhere();
        let crowded = rows.crowd(view, elsewhere, aheads[side]);
        let fetched = side == SRC && crowded && (copied.is_some() || staged());
        let lines = if fetched { 0 } else { back.line(rows, bytes, crowded, short) };
        let jumps = if aheads[DST] > 0 { back.jump(rows, crowded) } else { 0 };
        let price = back.page(elsewhere) + lines;
        let tiles = (view.count_of(takes, side) / back.at_once()).max(1) as u64;
        let all = back.cycles(tiles, price).saturating_add(back.pages(tiles));
        let jumps = back.cycles(back.jumping(rows, tiles), jumps);
        let ends = match (side, aheads[DST]) {
            (DST, ahead @ 1..) => back.ends(rows, tile_bytes, ahead),
            _ => 0,
        };
        let ends = back.cycles(tiles, ends) / back.times(back.at).max(1) as u64;
        cycles = cycles.saturating_add(all).saturating_add(jumps).saturating_add(ends);
    }
    cycles.saturating_add(padding_apart(view, steps))
}

/// What lines of the source cost that such rows have parts of, where they are `staged`: off lines each line of a row is
/// parts of two, one of which comes again where nothing is foreseen; both cost what they do in a block.
fn lines_of_parts(view: &View<'_>, rows: &Rows, staged: impl Fn() -> bool) -> u64 {
    let memory = &view.target.memory;
    let counts = memory.copied > 0 && !memory.has_no_foreseen_limit();
    match counts && !rows.on_lines(view.target.line) && staged() {
        true => view.lines(SRC).saturating_mul(view.line_copied() + SEEK),
        false => 0,
    }
}

/// What lines of padding cost that are stored with elements, but away from them: what is further out goes on inside.
fn padding_apart(view: &View<'_>, steps: &[Step]) -> u64 {
    let padded =
        |step: &Step| !view.fills && view.zones[step.index].len() < view.loops[step.index].extent;
    let Some(at) = steps.iter().position(padded) else { return 0 };
    let reach = |step: &Step| view.stride(step.index, DST).unsigned_abs();
    if steps[at + 1..].iter().all(|inner| reach(inner) <= reach(&steps[at])) {
        return 0;
    }
    let elements = |l: usize| view.zones[l].len();
    let of = |count: &dyn Fn(usize) -> usize| {
        (0..view.loops.len()).map(count).fold(view.sizes[DST], usize::saturating_mul)
    };
    let padding = of(&|l| view.loops[l].extent) - of(&elements);
    SEEK * (padding / view.target.line) as u64
}

/// How tiles come back to rows of one side.
struct Returns<'a> {
    view: &'a View<'a>,
    steps: &'a [Step],
    /// Rows of a tile.
    count: usize,
    side: usize,
    /// The loop that leads on along them, and the last step that does.
    next: usize,
    at: usize,
    /// Pages of a tile's rows, or of their places, and of all there is.
    own: usize,
    all: usize,
}

impl<'a> Returns<'a> {
    /// None where a tile takes rows, and lines, whole.
    fn of(
        view: &'a View<'a>,
        takes: &[usize],
        steps: &'a [Step],
        rows: &Rows,
        side: usize,
    ) -> Option<Returns<'a>> {
        let (next, count) = match rows.next {
            Some(next) => (next, rows.count),
            // Of padding there are no rows that share lines.
            None => (view.next_in_line(takes, side)?, view.rows_of_elements(takes, side)),
        };
        let at = steps.iter().rposition(|step| step.index == next).unwrap_or(0);
        // Pages that lie a power of two apart are known in fewer places, and so are their lines in the second level.
        let own = if side == SRC { rows.page_places(1) } else { rows.pages(1) };
        // No more than lie between the first and the last.
        let all = view.pages_spanned(side);
        Some(Returns { view, steps, count, side, next, at, own, all })
    }

    /// Whether nothing comes between one tile and the next along the row.
    fn is_inmost(&self) -> bool {
        self.at + 1 == self.steps.len()
    }

    /// As many tiles as come one after the other until the next along the row.
    fn between(&self) -> usize {
        let inner = self.at + 1..self.steps.len();
        inner.map(|k| self.times(k)).fold(1, usize::saturating_mul)
    }

    /// As many, without those that are where the one before was.
    fn elsewhere(&self) -> usize {
        let inner = self.at + 1..self.steps.len();
        let moves = inner.filter(|k| !self.stands_still(*k));
        moves.map(|k| self.times(k)).fold(1, usize::saturating_mul)
    }

    /// So many tiles one after the other are at the same place.
    fn at_once(&self) -> usize {
        let still = (0..self.steps.len()).rev().take_while(|k| self.stands_still(*k));
        still.map(|k| self.times(k)).fold(1, usize::saturating_mul)
    }

    fn stands_still(&self, k: usize) -> bool {
        self.view.stands_still(self.steps[k].index, self.side)
    }

    fn times(&self, k: usize) -> usize {
        let extent = self.view.extent_of(self.steps, k);
        extent.min(self.view.most(self.steps[k].index, self.side)).div_ceil(self.steps[k].by)
    }

    /// What the line of a row costs that is come back to after so many bytes of others; where rows are `crowded` they
    /// have no room beside each other, and of the source more are read than are foreseen where those of the destination
    /// are `short`.
    fn line(&self, rows: &Rows, bytes: usize, crowded: bool, short: bool) -> u64 {
        let (target, side, between) = (self.view.target, self.side, self.elsewhere());
        let unforeseen = || rows.count.saturating_mul(between) > target.memory.streams.into();
        let waits = || {
            !self.is_inmost()
                && (self.view.waits_for_places(rows, between, side)
                    || side == SRC && short && unforeseen())
        };
        match bytes {
            _ if rows.aligned => NEAR * u64::from(waits()),
            bytes if bytes > target.l2 / 2 => FAR,
            _ if crowded => NEAR,
            bytes if bytes > target.l1 / 2 => [SEEK, NEAR][side],
            _ => 0,
        }
    }

    /// What going on to another row's line costs, where lines of the destination are asked for ahead.
    fn jump(&self, rows: &Rows, crowded: bool) -> u64 {
        let line = self.view.target.line;
        let stays = |bytes: usize| self.between().saturating_mul(bytes) <= self.view.target.l1 / 2;
        match self.side {
            // Of what is asked for a part is gone before it is written, wherever tiles lead.
            DST if self.is_inmost() && crowded => OWN / 2,
            _ if self.is_inmost() => 0,
            SRC => SEEK,
            _ if crowded || !stays(rows.count * line) => OWN,
            // The first line of each row that was asked for stays, but not all of them.
            _ if !stays(rows.touched(line)) => OWN / 2,
            _ => 0,
        }
    }

    /// What the end of a row of the destination costs, where lines are asked for ahead: those of what lies right behind
    /// it in memory were asked for, and tiles of so many bytes go elsewhere until they have gone. The first line then
    /// waits, half as long if nothing of it was written before. Rows of pages end too seldom to be counted.
    ///
    /// So it is with rows as short that tiles come back to: nearly all of their lines come with the first tiles, one
    /// right behind the other, and few with the others, where some would come with each.
    fn ends(&self, rows: &Rows, tile_bytes: usize, ahead: usize) -> u64 {
        let (view, at) = (self.view, self.at);
        let apart = |l: usize| view.stride(l, DST).unsigned_abs();
        let end = apart(self.next).saturating_mul(view.loops[self.next].extent);
        let behind = |step: &Step| step.index != self.next && apart(step.index) == end;
        let mut around = self.steps[..at].iter();
        let around = around.rposition(|step| step.index == self.next || behind(step));
        let in_blocks = around.is_some_and(|k| !behind(&self.steps[k]));
        let goes_on = |k: usize| (k + 1..at).all(|k| self.stands_still(k));
        // Of rows in blocks other rules tell, and those that go on right behind their end have none.
        if in_blocks || around.is_some_and(goes_on) {
            return 0;
        }
        // Rows on lines of which each makes more rows of the source go by turns than are foreseen cost more that way.
        let many = view.loops[self.next].extent > 2 * usize::from(view.target.memory.streams);
        let crosses_many = rows.aligned && many;
        if end < SHORT * view.target.line && self.elsewhere() > 1 && !crosses_many {
            return OWN;
        }
        let Some(k) = around.filter(|_| end < PAGE) else { return 0 };
        let times = |steps: &mut dyn Iterator<Item = usize>| {
            steps.map(|k| self.times(k)).fold(1, usize::saturating_mul)
        };
        let inner = k + 1..self.steps.len();
        let bytes = times(&mut inner.clone()).saturating_mul(tile_bytes);
        let others = times(&mut inner.filter(|&k| k != at && !self.stands_still(k)));
        let gone = bytes > view.target.l1 / 2 || rows.crowd(view, others, ahead);
        match gone {
            true if rows.aligned => OWN / 2,
            true => OWN,
            false => 0,
        }
    }

    /// As many of so many tiles as go on to other lines: all, or where lines of the source are there yet when tiles come
    /// back to them, those that do not take a further piece of one.
    fn jumping(&self, rows: &Rows, tiles: u64) -> u64 {
        let (target, line) = (self.view.target, self.view.target.line);
        let live = self.between().saturating_mul(rows.count).saturating_mul(line);
        match self.side == SRC && live <= target.l1 {
            true => tiles.saturating_mul(rows.bytes.min(line) as u64) / line as u64,
            false => tiles,
        }
    }

    /// What each of the rows costs so often, at this price.
    fn cycles(&self, times: u64, price: u64) -> u64 {
        times.saturating_mul((self.count as u64).saturating_mul(price))
    }

    /// What a page costs that is come back to after so many tiles.
    fn page(&self, tiles: usize) -> u64 {
        far_pages(self.view, tiles.saturating_mul(self.own).min(self.all))
    }

    /// The cycles for pages of all tiles, beside those from one tile to the next.
    fn pages(&self, tiles: u64) -> u64 {
        let last = |steps: &[Step], l: usize| steps.iter().rposition(|step| step.index == l);
        let mut along: SmallVec<[usize; 8]> = SmallVec::from_iter([self.next]);
        // Blocks of a row come after all that lies inside of them.
        let block = last(&self.steps[..self.at], self.next);
        let mut cycles = block.map_or(0, |block| self.pages_inside(block, &along, tiles));
        // Where rows go on, their pages may be further off than the lines that are done with.
        for on in further(self.view, self.next, self.side) {
            let Some(at) = last(self.steps, on) else { continue };
            cycles = cycles.saturating_add(self.pages_inside(at, &along, tiles));
            along.push(on);
        }
        cycles
    }

    /// The cycles for pages where a step leads on to others, once for all tiles inside of it that loops `along` the row
    /// take.
    fn pages_inside(&self, k: usize, along: &[usize], tiles: u64) -> u64 {
        let own = |k: &usize| along.contains(&self.steps[*k].index);
        let inner = k + 1..self.steps.len();
        let visit: u64 = inner.clone().filter(own).map(|k| self.times(k) as u64).product();
        let others = inner.filter(|k| !own(k)).map(|k| self.times(k));
        let others = others.fold(1, usize::saturating_mul);
        self.cycles(tiles / visit.max(1), self.page(others))
    }
}

/// The cycles that go into values which bytes are shifted by, each time that a tile has others than the one before.
pub(super) fn anew(view: &View<'_>, takes: &[usize], steps: &[Step]) -> u64 {
    let (Some(operand), Some(last)) = (view.shifts, steps.last()) else { return 0 };
    // Registers that go on along such a loop have others, those that it lies within have the same.
    let vector = view.target.tier.vector();
    let apart = |l: usize| match view.stride(l, DST).unsigned_abs() {
        stride if stride < vector => takes[l].saturating_mul(stride).div_ceil(vector).max(1),
        _ => takes[l],
    };
    let others = (0..takes.len()).filter(|l| view.leads(*l, operand)).map(apart);
    let each = (others.fold(1, usize::saturating_mul) as u64).saturating_mul(SHIFT);
    let still =
        if view.leads(last.index, operand) { 1 } else { last.times(view.loops[last.index].extent) };
    ((view.count(takes) / still.max(1)) as u64).saturating_mul(each)
}

/// What a page costs that is come back to after so many others.
fn far_pages(view: &View<'_>, pages: usize) -> u64 {
    match pages {
        pages if pages > view.target.memory.pages_far.into() => FAR,
        pages if pages > view.target.memory.pages.into() => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{FAR, Returns, Rows};
    use crate::plan::{Locality, planned};
    use crate::problem::{SRC, Zone};

    /// Rows of the source are so far apart that a tile's have few places for their pages; but if as many tiles come
    /// between as may, there are no more pages than the source has, and how many these are tells what each costs.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn pages_are_no_more_than_there_are() {
        for (pair, pages, page) in [
            // Three by three taps of 256 KiB, the first element on any byte of a page, are known; of 576 KiB they are a
            // level further off, of 1 MiB nowhere.
            ("f32:hwio:256x256x3x3 oihw", 577, 0),
            ("f32:hwio:384x384x3x3 oihw", 1297, 1),
            ("f32:hwio:512x512x3x3 oihw", 2305, FAR),
        ] {
            let plan = planned(pair, "zen5".parse().unwrap(), Locality::Keep);
            let nest = plan.nests().next().unwrap();
            let (view, tiling) = (nest.view(&plan), nest.tiling.as_ref().unwrap());
            assert_eq!(view.pages_spanned(SRC), pages, "{pair}");
            let rows = Rows::of(&view, &tiling.takes, SRC);
            let back = Returns::of(&view, &tiling.takes, &tiling.steps, &rows, SRC).unwrap();
            let far = usize::from(plan.target.memory.pages_far);
            assert!(rows.page_places(far) > far, "{pair}");
            for tiles in [far, usize::MAX] {
                assert_eq!(back.page(tiles), page, "{pair} after {tiles} tiles");
            }
        }
    }

    /// What follows in the destination comes right behind rows that end soon, or that tiles would come back to.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn short_rows_go_on_in_what_lies_behind_them() {
        for (pair, expected) in [
            ("f32:abc:28x16x150 cba", "along whole destination rows"),
            ("f32:abc:28x64x50 cba", "along whole destination rows"),
            ("f32:hwio:96x8x7x7 oihw", "along whole destination rows"),
            ("u8:nchw:1x160x30x30 nhwc", "along destination rows"),
            ("f32:ab:900x300 ba", "along destination rows"),
            ("bf16:ab:384x384 BA16b64a", "along destination rows"),
            // But for rows on lines that are made of many.
            ("f32:nchw:1x128x56x59 s8:nhwc", "along source rows"),
        ] {
            let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
            let tiling = plan.nests().next().and_then(|nest| nest.tiling.as_ref()).unwrap();
            assert_eq!(tiling.orders[0].0.to_string(), expected, "{pair}");
        }
    }

    /// Lines of padding are stored right after the elements of their rows, whatever else goes on along the source.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lines_of_padding_come_after_their_elements() {
        for pair in ["f32:oihw:64x3x7x7 OIhw16i16o", "f32:nchw:1x14x56x56 aBcd64b"] {
            let plan = planned(pair, "haswell".parse().unwrap(), Locality::Auto);
            let nest = plan.nests().next().unwrap();
            let step = nest.tiling.as_ref().unwrap().steps.last().unwrap();
            let (zone, extent) = (nest.zones[step.index], nest.loops[step.index].extent);
            assert_ne!(zone, Zone::all(extent), "{pair}: {step:?} of {nest}");
        }
    }
}
