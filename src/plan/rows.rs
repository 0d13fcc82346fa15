//! Rows. In: a tile on one side, and the steps around it. Out: how many rows it has there, how many of these have their
//! lines, or their pages, in the same places, and how many are gone through by turns.

pub(super) mod turns;

use super::order::Step;
use super::view::View;
use crate::layout::gcd;
use crate::problem::SRC;

/// Bytes after which lines fall into the same set of the first level again.
pub(super) const ALIAS: usize = 4096;

/// Bytes of a page.
pub(super) const PAGE: usize = 4096;

/// Rows are looked at that are up to so many from one another; if only others meet, there is room for them.
const MOST_APART: usize = 16;

/// Rows two to the power of so many pages apart have as few places for their pages as there can be.
const SPARSE: u32 = 6;

/// So much of a set is room for lines of rows, where lines that are asked for ahead come into it before their time.
const BESIDE_ASKED: (usize, usize) = (3, 4);

/// The rows of a tile on one side.
pub(super) struct Rows {
    /// The loop that leads on along them, where a tile does not take them whole.
    pub(super) next: Option<usize>,
    pub(super) count: usize,
    /// Bytes of each.
    pub(super) bytes: usize,
    /// Lines of each, and whether these are whole.
    pub(super) lines: usize,
    pub(super) aligned: bool,
    /// Bytes between them, where there are several.
    apart: usize,
}

impl Rows {
    pub(super) fn of(view: &View<'_>, takes: &[usize], side: usize) -> Rows {
        let line = view.target.line;
        let (count, bytes) = view.rows_of(takes, side);
        let next = view.next(takes, side);
        let apart = row_stride(view, takes, side);
        let aligned = bytes.is_multiple_of(line) && (count == 1 || apart.is_multiple_of(line));
        let lines = bytes.div_ceil(line) + usize::from(!aligned && count > 1);
        Rows { next, count, bytes, lines, aligned, apart }
    }

    /// The pages of so many tiles: each row is in one of its own, but where several fit into one.
    pub(super) fn pages(&self, tiles: usize) -> usize {
        tiles.saturating_mul(self.count).saturating_mul(self.apart.min(PAGE)).div_ceil(PAGE)
    }

    /// The pages of so many tiles, with the places between theirs that they leave free where they are two pages apart,
    /// or four, and so on.
    pub(super) fn page_places(&self, tiles: usize) -> usize {
        let (apart, over) = (self.apart / PAGE, self.apart % PAGE);
        let each = if over == 0 { 1 << apart.trailing_zeros().min(SPARSE) } else { 1 };
        self.pages(tiles).saturating_mul(each)
    }

    /// Whether so many tiles' lines do not have room beside each other, as they lie so many bytes apart; lines of the
    /// destination so many bytes ahead are asked for, and drive out others before their time. This tells by how far
    /// rows are apart, of however many tiles; `View::drives_out` lays rows out that several loops make, and counts.
    pub(super) fn crowd(&self, view: &View<'_>, tiles: usize, ahead: usize) -> bool {
        self.crowded(view, tiles.saturating_mul(self.count), ahead)
    }

    /// Whether so many rows' lines do not have room beside each other, as [`crowd`](Rows::crowd) tells of tiles.
    pub(super) fn crowded(&self, view: &View<'_>, rows: usize, ahead: usize) -> bool {
        if self.count > 1 && self.apart < view.target.line {
            return false;
        }
        let ways = usize::from(view.target.memory.ways);
        let most = if ahead > 0 { ways * BESIDE_ASKED.0 / BESIDE_ASKED.1 } else { ways };
        // How far single rows are apart is not known here: they may all share their places.
        self.meet(view, rows, ahead) > most
    }

    /// Bytes of the lines of all of them: rows off lines have parts of two more often than not, short ones less so.
    pub(super) fn touched(&self, line: usize) -> usize {
        let off = self.count > 1 && !self.aligned;
        self.count * if off { self.bytes + line - 1 } else { self.lines * line }
    }

    /// Whether all start on lines if one does.
    pub(super) fn on_lines(&self, line: usize) -> bool {
        self.apart.is_multiple_of(line)
    }

    /// In how many places of the first level such rows have their lines, if each has one.
    pub(super) fn places(&self, line: usize) -> usize {
        places(self.apart, line)
    }

    /// Of so many rows like these as many as have lines in the same places of the first level at a time, where lines so
    /// many bytes ahead are asked for.
    pub(super) fn meet(&self, view: &View<'_>, rows: usize, ahead: usize) -> usize {
        meeting(self.apart, rows, self.lines * view.target.line + ahead)
    }

    /// By how many bytes each row lies off the place that the lines of the one before it have; 0 for the same.
    pub(super) fn drift(&self) -> usize {
        drift(self.apart, 1)
    }

    /// Whether so many rows, where lines so many bytes ahead are asked for, come into each other's places at a time by
    /// a third of what has room there or more, while the others have drifted on, or come no closer than to leave some.
    pub(super) fn pass(&self, view: &View<'_>, rows: usize, ahead: usize) -> bool {
        let span = self.lines * view.target.line + ahead;
        passing(self.apart, rows, span, view.target.memory.ways.into())
    }
}

impl View<'_> {
    /// Rows of a tile on one side, but for those of padding.
    pub(super) fn rows_of_elements(&self, takes: &[usize], side: usize) -> usize {
        let own = self.own(takes, side);
        let others = (0..self.loops.len()).filter(|l| !own.contains(l));
        let others = others.filter(|&l| !self.stands_still(l, side));
        let most = |l: usize| if side == SRC { self.zones[l].len() } else { usize::MAX };
        others.map(|l| takes[l].min(most(l))).product::<usize>().max(1)
    }

    /// Pages from the first element of one side to the last.
    pub(super) fn pages_spanned(&self, side: usize) -> usize {
        let reach = |l: usize| match &self.loops[l].table {
            Some(_) => usize::MAX,
            None => self
                .stride(l, side)
                .unsigned_abs()
                .saturating_mul(self.loops[l].extent.saturating_sub(1)),
        };
        let bytes = (0..self.loops.len()).map(reach).fold(PAGE, usize::saturating_add);
        bytes.div_ceil(PAGE)
    }

    /// So many rows of one side are gone through before tiles come to the next piece of the first; none where rows end.
    pub(super) fn by_turns(&self, takes: &[usize], steps: &[Step], side: usize) -> Option<usize> {
        let along = self.next(takes, side)?;
        let at = steps.iter().rposition(|step| step.index == along).unwrap_or(0);
        let others = (at + 1..steps.len()).filter(|&k| !self.stands_still(steps[k].index, side));
        let times = others.map(|k| self.extent_of(steps, k).div_ceil(steps[k].by));
        Some(times.fold(Rows::of(self, takes, side).count, usize::saturating_mul))
    }
}

/// In how many places of the first level rows so far apart have their lines.
fn places(apart: usize, line: usize) -> usize {
    let (all, lines) = ((ALIAS / line).max(1), apart / line);
    match apart.is_multiple_of(line) {
        true => all / gcd(lines as isize, all as isize) as usize,
        false => all,
    }
}

/// How far rows so many steps from one another are from the same places.
fn drift(apart: usize, steps: usize) -> usize {
    let off = apart % ALIAS * steps % ALIAS;
    off.min(ALIAS - off)
}

/// Whether rows meet as [`Rows::pass`] tells, all of them or every so many.
fn passing(apart: usize, rows: usize, span: usize, ways: usize) -> bool {
    let (few, most) = (ways.div_ceil(3), ways * BESIDE_ASKED.0 / BESIDE_ASKED.1);
    let mut passes = false;
    for k in 1..=MOST_APART.min(rows) {
        let all = rows.div_ceil(k);
        let together = span.checked_div(drift(apart, k)).map_or(usize::MAX, |times| times + 1);
        if together >= all && together > most && all >= few {
            return false;
        }
        passes |= all.min(together) >= few;
    }
    passes
}

/// Of so many rows, of each of which so many bytes are wanted, as many as meet: a few rows on, one may lie little
/// further than a multiple of the bytes after which lines fall into the same set, and so on with that one.
fn meeting(apart: usize, rows: usize, span: usize) -> usize {
    let near = |k: usize| {
        // As many until they have drifted apart.
        let together = span.checked_div(drift(apart, k)).map_or(rows, |times| times + 1);
        rows.div_ceil(k).min(together)
    };
    (1..=MOST_APART.min(rows)).map(near).max().unwrap_or(0)
}

/// Bytes between the rows of a tile; 0 where it has but one.
fn row_stride(view: &View<'_>, takes: &[usize], side: usize) -> usize {
    let own = view.own(takes, side);
    let across = (0..view.loops.len()).filter(|l| takes[*l] > 1 && !own.contains(l));
    let across = across.filter(|&l| view.loops[l].table.is_none());
    let strides = across.map(|l| view.stride(l, side).unsigned_abs());
    strides.filter(|stride| *stride > 0).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Rows, meeting, passing, places};

    #[test]
    fn lines_of_rows_have_as_many_places_as_they_come_to() {
        for (apart, expected) in
            [(64, 64), (256, 16), (320, 64), (384, 32), (4096, 1), (8192, 1), (100, 64), (0, 1)]
        {
            assert_eq!(places(apart, 64), expected, "{apart}");
        }
    }

    #[test]
    fn rows_meet_where_every_few_come_back() {
        for (apart, rows, span, expected) in [
            // All in one set, in two, in all of them.
            (4096, 16, 128, 16),
            (2048, 16, 128, 8),
            (4096 + 64, 64, 128, 3),
            (4000, 16, 256, 3),
            // A little short of it, or a little more: so many until they are too far apart.
            (4080, 16, 256, 16),
            (4080, 64, 256, 17),
            (4096 + 24, 16, 256, 11),
            (3 * 4096 - 16, 16, 256, 16),
            // Every third, and every second.
            (1364, 64, 256, 22),
            (1372, 64, 256, 13),
            (2040, 64, 256, 17),
            // Places that nobody knows.
            (0, 5, 64, 5),
            (0, 0, 64, 0),
        ] {
            assert_eq!(meeting(apart, rows, span), expected, "{apart} {rows} {span}");
        }
    }

    #[test]
    fn rows_pass_each_other_where_they_drift() {
        for (apart, rows, expected) in [
            // A few at a time of all that there are.
            (4096 + 16, 64, true),
            (4096 + 24, 32, true),
            (3 * 4096 - 32, 16, true),
            (4096 + 80, 16, true),
            // All there are, no more than leaves some room; every second row, and every fourth.
            (4096 + 32, 8, true),
            (2048 + 16, 16, true),
            (1024 + 8, 16, true),
            // All there are, and these too many; or in the same places always.
            (4096 + 24, 8, false),
            (2048 + 12, 16, false),
            (1024 + 4, 16, false),
            (4096 + 8, 32, false),
            (4096, 16, false),
            // Fewer than a third of what has room.
            (4096 + 96, 16, false),
            (4096 + 32, 3, false),
            (1000, 16, false),
        ] {
            assert_eq!(passing(apart, rows, 256, 12), expected, "{apart} {rows}");
        }
    }

    #[test]
    fn pages_leave_places_free_between_them() {
        for (apart, expected) in [
            (4096, 10),
            (8192, 20),
            (16384, 40),
            (3 * 4096, 10),
            (8192 + 64, 10),
            (2048, 5),
            (0, 0),
        ] {
            let rows = Rows { next: None, count: 10, bytes: 64, lines: 1, aligned: true, apart };
            assert_eq!(rows.page_places(1), expected, "{apart}");
        }
    }
}
