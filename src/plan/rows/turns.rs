//! Rows by turns. In: a nest's tiles, and how they store. Out: tiles of fewer rows, or less of each row before those
//! beside it, where a tile would store lines of too many by turns.
//!
//! Past the caches a machine gathers lines of a few rows at a time. Within them rows may share their lines' places in
//! the first level, and then drive each other out before they are written.

use super::{ALIAS, Rows};
use crate::plan::stores::{BLOCK, Stores, Why, on_lines, single_lines};
use crate::plan::tile::{Converts, Takes};
use crate::plan::view::View;
use crate::problem::{DST, SRC};
use crate::target::Target;

/// What is stored of fewer rows by turns, or less of each.
pub(in crate::plan) struct Fewer {
    pub(in crate::plan) takes: Takes,
    /// How, where that is known by now.
    pub(in crate::plan) stores: Option<Stores>,
    /// Whether blocks of the source that are copied first are what makes that worth it.
    pub(in crate::plan) for_copies: bool,
}

/// Of the first level one part of so many is for lines of the source that are read in pieces, where stores wait for
/// their lines.
const PARTS_OF_L1: usize = 4;

/// What becomes of the rows that a tile would store lines of by turns, where they are too many; with `copies`, as few
/// of them too as only copied blocks make worth it.
pub(in crate::plan) fn fewer_rows(
    view: &View<'_>,
    takes: &[usize],
    stores: &Stores,
    copies: bool,
) -> Option<Fewer> {
    let rows = view.rows(takes);
    if rows == 1 || !view.folds.is_empty() {
        return None;
    }
    let own = view.own(takes, DST);
    let across = (0..takes.len()).filter(|l| !own.contains(l) && view.plain(*l));
    let across = across.max_by_key(|&l| takes[l])?;
    let memory = &view.target.memory;
    match *stores {
        Stores::Stream { even, .. } => {
            if let Some(takes) = in_pieces(view, takes, across) {
                return Some(Fewer { takes, stores: None, for_copies: false });
            }
            let most = usize::from(memory.row_turns.max(1));
            let whole = view.target.tier.vector() >= view.target.line && even;
            if rows <= most || !whole || !single_lines(view, takes) {
                return None;
            }
            let fewer = part(view, takes, across, rows.div_ceil(most), BLOCK)?;
            let comes_again = leaves_lines(view, takes, &fewer, across);
            (!comes_again).then_some(Fewer { takes: fewer, stores: None, for_copies: false })
        }
        Stores::Keep { ahead, why, .. } => {
            // A line of the source makes them all, or more.
            let side_by_side = rows == takes[across] && view.chain(SRC).first() == Some(&across);
            match side_by_side {
                false => None,
                true if ahead > 0 => asked_for(view, takes, across, ahead, why)
                    .or_else(|| in_copied_lines(view, takes, across, stores)),
                true => waited_for(view, takes, across, why, copies),
            }
        }
    }
}

/// One part of so many of a tile's rows, unless rows of the source would be less than so many bytes: that takes longer
/// than the turns.
fn part(
    view: &View<'_>,
    takes: &[usize],
    across: usize,
    parts: usize,
    least: usize,
) -> Option<Takes> {
    let mut fewer = Takes::from_slice(takes);
    fewer[across] = (takes[across] / parts.next_power_of_two()).max(1);
    let whole = takes[across].is_multiple_of(fewer[across]);
    (whole && piece(view, &fewer) >= least).then_some(fewer)
}

/// At most so many of all rows of a loop at a time, the last time fewer. What is converted as it is loaded stays as it
/// fills registers, and what was converted before is in the first level already.
fn uneven(
    view: &View<'_>,
    takes: &[usize],
    across: usize,
    most: usize,
    least: usize,
) -> Option<Takes> {
    let all = takes[across];
    let mut fewer = Takes::from_slice(takes);
    fewer[across] = all.div_ceil(all.div_ceil(most)).max(least.div_ceil(view.sizes[SRC]));
    let stays = matches!(view.converts, Converts::Loads | Converts::Staged);
    let can = all == view.loops[across].extent && !stays;
    (can && fewer[across] <= most).then_some(fewer)
}

/// Whether tiles take lines of the source whole, and these would take parts of them, of rows that drive each other out
/// of the first level before the next parts are read: then every line comes once for each part. Unless several lines
/// of each row are copied together before, as can be of one loop's rows.
fn leaves_lines(view: &View<'_>, takes: &[usize], fewer: &[usize], across: usize) -> bool {
    let line = view.target.line;
    let parts = piece(view, takes) >= line && piece(view, fewer) < line;
    let apart = view.apart(takes);
    let together = usize::from(view.target.memory.together.max(1)) * line;
    let row = view.loops[across].extent.saturating_mul(view.sizes[SRC]);
    let copied = || apart.len() == 1 && row >= together;
    parts && view.drives_out(&apart, 1) && !copied()
}

/// Bytes of a row of the source that a tile takes.
fn piece(view: &View<'_>, takes: &[usize]) -> usize {
    view.run(takes, SRC) * view.sizes[SRC]
}

/// Tiles that take no more of each row of the source than is good past the caches, if the rest of a line is there yet
/// when they come to it. What is converted as it is loaded goes as it fills registers, if rows are no longer than what
/// goes together.
fn in_pieces(view: &View<'_>, takes: &[usize], across: usize) -> Option<Takes> {
    let memory = &view.target.memory;
    let parts = piece(view, takes).checked_div(memory.past_piece.into())?;
    let short = view.stride(across, DST).unsigned_abs() <= memory.row_group.into();
    let fills = short && view.converts == Converts::Loads;
    let worth = parts > 1 && !fills && stay(view, takes);
    worth.then(|| part(view, takes, across, parts, BLOCK)).flatten()
}

/// Whether lines of the source are in the first level yet when the next pieces of its rows are read, past the caches;
/// or in the second, where all of the next rows are asked for there.
fn stay(view: &View<'_>, takes: &[usize]) -> bool {
    let Some(down) = view.next(takes, DST) else { return true };
    let (target, memory) = (view.target, &view.target.memory);
    let (behind, group) =
        (view.lies_behind(takes), usize::from(memory.row_group) / view.sizes[DST]);
    let walked = match behind || view.near(down, memory.pages.into()).is_some() {
        true => group,
        false => view.loops[down].extent,
    };
    let tiles = if behind { 1 } else { walked.div_ceil(takes[down]) };
    walked.saturating_mul(target.line) <= target.l1
        && !Rows::of(view, takes, SRC).crowd(view, tiles, 0)
}

/// Rows whose lines are asked for ahead: these have to be there yet when they are written. Where lines of the source
/// have no room beside them, their parts would not be there again, and no fewer rows go than past the caches.
fn asked_for(
    view: &View<'_>,
    takes: &[usize],
    across: usize,
    ahead: usize,
    why: Why,
) -> Option<Fewer> {
    let memory = &view.target.memory;
    let [few, most] = [memory.row_meets, memory.row_turns].map(|rows| usize::from(rows.max(1)));
    let asked = AskedRows::of(view, takes, ahead);
    let at_most = |most: usize| {
        let fewer = || {
            let (parts, least) = (asked.rows.div_ceil(most), asked.least_piece(most));
            let even = part(view, takes, across, parts, least);
            even.or_else(|| uneven(view, takes, across, most, least))
        };
        (asked.pass_slowly(few) || asked.crowd(most)).then(fewer)
    };
    let group = |fewer: &Option<Takes>| group_of_pieces(view, fewer.as_deref().unwrap_or(takes));
    let mut fewer = at_most(few)?;
    if few < most && !group(&fewer).beside {
        fewer = at_most(most)?;
    }
    let Group { bytes, beside } = group(&fewer);
    // All the rows by turns where no part of them would do: fewer bytes of each, if that is what keeps the lines of
    // both sides beside each other.
    let worth = || beside && piece(view, takes) == BLOCK && asked.on_lines;
    let in_vain = fewer.is_none() && asked.are_in_vain();
    let group = match fewer.is_some() || worth() {
        true => bytes,
        false if in_vain => 0,
        false => return None,
    };
    let ahead = if in_vain { 0 } else { asked.ahead(ahead) };
    let takes = fewer.unwrap_or_else(|| Takes::from_slice(takes));
    let stores = Stores::Keep { ahead, group, why };
    Some(Fewer { takes, stores: Some(stores), for_copies: false })
}

/// Rows of a tile whose lines are asked for ahead.
struct AskedRows<'a> {
    view: &'a View<'a>,
    takes: &'a [usize],
    rows: usize,
    to: Rows,
    /// So many have their lines in the same place of the first level, which has room for so many.
    meet: usize,
    ways: usize,
    on_lines: bool,
    /// Whether a store is a line.
    whole: bool,
}

impl<'a> AskedRows<'a> {
    fn of(view: &'a View<'a>, takes: &'a [usize], ahead: usize) -> AskedRows<'a> {
        let (rows, to) = (view.rows(takes), Rows::of(view, takes, DST));
        let (meet, ways) = (to.meet(view, rows, ahead), view.target.memory.ways.into());
        let whole = view.target.tier.vector() >= view.target.line;
        AskedRows { view, takes, rows, to, meet, ways, on_lines: on_lines(view, takes), whole }
    }

    /// Whether fewer rows, at most so many, are to go by turns.
    fn crowd(&self, most: usize) -> bool {
        self.meet > most && self.meet >= self.ways
    }

    /// Whether a line would be driven out between the two parts that it is written in, as rows pass slowly, but not by
    /// `few` of them. To read lines of the source twice costs less than that, not to read them more often.
    fn pass_slowly(&self, few: usize) -> bool {
        let slowly = (1..self.view.target.line).contains(&self.to.drift());
        self.whole && slowly && self.rows > few && self.rows <= 2 * few
    }

    /// Bytes of the source that are to be left of its rows where at most so many rows go. Lines that are stored in parts
    /// come twice if they do not stay, and several of each row leave no room for those of the source: shorter pieces
    /// cost less than that; but not off lines where those of the source crowd too, the more so the fewer parts there are.
    fn least_piece(&self, most: usize) -> usize {
        let gone = || match (self.whole, self.on_lines) {
            (true, true) => self.to.lines > 2,
            (true, false) => self.spread() == 1,
            (false, true) => true,
            (false, false) => self.spread() <= 2 && self.to.drift() < BLOCK,
        };
        match self.meet > self.ways && gone() {
            true => BLOCK.min(most * self.view.sizes[SRC]),
            false => BLOCK,
        }
    }

    /// Lines of the source are in every so many-th place.
    fn spread(&self) -> usize {
        let (from, line) = (Rows::of(self.view, self.takes, SRC), self.view.target.line);
        if from.count == 1 { 1 } else { (ALIAS / line).max(1) / from.places(line) }
    }

    /// Whether what is asked for of all rows goes before it is written, but what a row's own next stores want; where
    /// each store is a line, one comes when it is.
    fn are_in_vain(&self) -> bool {
        let single = usize::from(self.to.bytes <= self.view.target.line);
        self.whole && self.on_lines && self.meet + single > self.ways
    }

    /// How far ahead lines are asked for, if at all. Off lines, where parts of a line come together, one that is nearer
    /// drives out fewer.
    fn ahead(&self, ahead: usize) -> usize {
        match self.meet > self.ways && !self.on_lines {
            true => ahead.min(self.view.target.memory.prefetch_ahead.into()),
            false => ahead,
        }
    }
}

/// Pieces of lines that are copied first: of rows of the source, of a single loop, more than twice as many of which
/// share a place as have room there. Else every piece of a line would have it come again. Where blocks are copied that
/// is weighed elsewhere.
fn in_copied_lines(
    view: &View<'_>,
    takes: &[usize],
    across: usize,
    stores: &Stores,
) -> Option<Fewer> {
    let (memory, from) = (&view.target.memory, Rows::of(view, takes, SRC));
    let meet = || from.meet(view, from.count, 0) > 2 * usize::from(memory.ways);
    let parts = piece(view, takes) / BLOCK;
    let single = || view.apart(takes).len() == 1;
    let worth = memory.copied == 0 && !view.narrows() && parts > 1 && single() && meet();
    let takes = worth.then(|| part(view, takes, across, parts, BLOCK)).flatten()?;
    Some(Fewer { takes, stores: Some(*stores), for_copies: false })
}

/// So many bytes of each row before those beside it.
struct Group {
    bytes: usize,
    /// All lines that are under way have room beside each other, those of the source among them.
    beside: bool,
}

/// What is stored together where lines of the source are read in pieces: so many bytes that their lines are in the
/// first level yet when the next pieces are read, the more often they are, the fewer. Where they have no room beside
/// those of the stores that are under way, so many that they have room for themselves: to wait for stores costs less
/// than lines that come again for each piece, but where the ends of groups are parts of lines, which come again too.
fn group_of_pieces(view: &View<'_>, takes: &[usize]) -> Group {
    let (line, size, memory) = (view.target.line, view.sizes[DST], &view.target.memory);
    // What is next along the destination's rows may be in the same line of the source.
    let step = view.next(takes, DST).map_or(line, |down| view.stride(down, SRC).unsigned_abs());
    let each = line.checked_div(step).unwrap_or(1).max(1);
    let lines = view.target.l1 / line * piece(view, takes).min(line) / line * each;
    let group = lines.next_power_of_two() * size;
    // Lines of rows that start on them are stored once, others in two parts, by two tiles.
    let on_lines = on_lines(view, takes);
    let times = if on_lines { 1 } else { 4 };
    let least = usize::from(memory.under_way) * times / view.rows(takes) * line;
    let most = Rows::of(view, takes, SRC).places(line) * usize::from(memory.ways) * size * each;
    let beside = most >= least;
    let bytes = match beside {
        true => group.clamp(least, most),
        false if on_lines => line.max(1 << most.max(1).ilog2()),
        false => group.max(least),
    };
    Group { bytes, beside }
}

/// Whether lines that a tile stores by turns, and that should stay in the caches, drive each other out before they are
/// there.
pub(in crate::plan) fn stores_drive_out(view: &View<'_>, takes: &[usize], stores: &Stores) -> bool {
    let memory = &view.target.memory;
    let Stores::Keep { ahead: 0, why: Why::Small(_), .. } = *stores else { return false };
    let rows = view.rows(takes);
    let meet = || Rows::of(view, takes, DST).meet(view, rows, 0);
    view.terms.demand.bytes >= memory.met_from && rows > 1 && meet() > memory.ways.into()
}

/// Whether a store is a line, and those of the source are foreseen, so that what comes of each row is long enough.
fn stores_lines(view: &View<'_>) -> bool {
    let Target { tier, line, memory, .. } = view.target;
    tier.vector() >= *line && memory.has_no_foreseen_limit()
}

/// Whether, in addition, rows of the destination are whole lines: then each of these comes but once.
pub(in crate::plan) fn come_once(view: &View<'_>, takes: &[usize]) -> bool {
    stores_lines(view) && Rows::of(view, takes, DST).aligned
}

/// Rows whose lines come when they are stored to, within the caches: so few by turns that they take half of the ways at
/// most, and so many bytes of each that their stores are done before the next rows need the same places.
fn waited_for(
    view: &View<'_>,
    takes: &[usize],
    across: usize,
    why: Why,
    copies: bool,
) -> Option<Fewer> {
    let (target, memory) = (view.target, &view.target.memory);
    if view.terms.demand.places <= target.l1 || memory.row_meets == u16::MAX {
        return None;
    }
    let (rows, to) = (view.rows(takes), Rows::of(view, takes, DST));
    let (line, size) = (target.line, view.sizes[DST]);
    let (ways, under_way) = (usize::from(memory.ways), usize::from(memory.under_way));
    let (meet, most) = (to.meet(view, rows, 0), usize::from(memory.row_meets.max(1)));
    let fits = meet <= most;
    let at_least = |bytes| part(view, takes, across, meet.div_ceil(most), bytes);
    // Where stores are lines only a copy makes shorter pieces worth it.
    let lines = stores_lines(view);
    let blocks = if fits { None } else { at_least(BLOCK) };
    let shorter = !fits && blocks.is_none() && memory.copied > 0 && (copies || !lines);
    let halves = if shorter { at_least(BLOCK / 2) } else { None };
    let mut for_copies = lines && halves.is_some();
    let fewer = blocks.or(halves);
    let takes = fewer.unwrap_or_else(|| Takes::from_slice(takes));
    let from = Rows::of(view, &takes, SRC);
    let in_pieces = piece(view, &takes) < line;
    // What is left of a line of the source has to be there when it is come to.
    let again = in_pieces || !from.aligned;
    // The rows of the next turn come soon, unless this one is long; not before all of these are written where lines of
    // the source are read once.
    let turn = rows * (view.run(&takes, DST) * size).div_ceil(line);
    let soon = again && turn < under_way && to.meet(view, 2 * under_way, 0) >= ways;
    if fits && !soon {
        return None;
    }
    let least = under_way / view.rows(&takes) * line;
    let group = if in_pieces { least.max(target.l1 / line / PARTS_OF_L1 * size) } else { least };
    // Few rows by turns are worth it down to three quarters of the least, if as much as that has room beside each other.
    let room = from.places(line) * ways * size;
    let group = if again && !fits { group.min(room) } else { group };
    let stay = group >= least - least / 4 && !(again && from.meet(view, group / size, 0) > ways);
    let group = match group > 0 && stay {
        true => group,
        // Their lines would not be there again, but a copy is.
        false if !fits && copies && view.copied_steps(&takes).is_some() => 0,
        false => return None,
    };
    for_copies |= group == 0;
    Some(Fewer { takes, stores: Some(Stores::Keep { ahead: 0, group, why }), for_copies })
}

#[cfg(test)]
mod tests;
