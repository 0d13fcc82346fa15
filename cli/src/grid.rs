//! Where rows of a picture break. In: the digits of a layout and how many cells fit beside one another.
//! Out: which addresses make up which line, so that blocks stay whole and stand below one another.

use std::ops::Range;

use retile::Layout;

/// Lines of `line` addresses; a line is cut short where a run of `run` addresses ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// An address where all blocks start.
    pub(crate) origin: i128,
    pub(crate) line: i128,
    pub(crate) run: i128,
    /// Within a line, blocks of this many addresses are set apart, where they fit so.
    pub(crate) unit: i128,
    /// Lines are set apart where this many addresses, a multiple of `run`, end.
    pub(crate) group: i128,
}

impl Grid {
    /// The grid that suits a layout, where `fits` says whether a line may be so long, with gaps
    /// between units.
    pub(crate) fn of(layout: &Layout, fits: impl Fn(i128, i128) -> bool) -> Grid {
        let marks = marks(layout);
        let fit = marks.iter().rposition(|&mark| fits(mark, mark));
        let unit = fit.map_or(1, |at| marks[at]);
        let outer = &marks[fit.map_or(0, |at| at + 1)..];
        let mut grid =
            Grid { origin: origin(layout), line: unit, run: unit, unit, group: i128::MAX };
        let next = outer.first().copied().unwrap_or(unit);
        if next % unit == 0 {
            let count = next / unit;
            let room = (1..=count.min(1 << 12)).take_while(|m| fits(m * unit, unit));
            let most = room.last().unwrap_or(1);
            let even = (1..=most).rev().find(|m| count % m == 0).unwrap_or(1);
            grid.line = unit * even;
            grid.run = grid.line;
            if 2 * even <= most && unit < 8 {
                // No even split fills the width: balanced lines, the last of a run shorter.
                let lines = (count + most - 1) / most;
                grid.line = unit * ((count + lines - 1) / lines);
                grid.run = next;
            }
        } else {
            grid.run = next;
        }
        let inner = marks.iter().rev().filter(|&mark| *mark < grid.line);
        let mut whole = inner.filter(|&mark| grid.line % mark == 0 && fits(grid.line, *mark));
        grid.unit = whole.next().copied().unwrap_or(grid.line);
        let (per_run, run) = (grid.lines(), grid.run);
        let apart = |mark: &&i128| **mark % run == 0 && **mark / run * per_run > 2;
        grid.group = outer.iter().find(apart).copied().unwrap_or(i128::MAX);
        grid
    }

    /// The line that an address lies on.
    pub(crate) fn index(&self, address: i128) -> i128 {
        let at = address - self.origin;
        at.div_euclid(self.run) * self.lines() + at.rem_euclid(self.run) / self.line
    }

    /// The addresses of a line.
    pub(crate) fn range(&self, index: i128) -> Range<i128> {
        let (run, line) = (index.div_euclid(self.lines()), index.rem_euclid(self.lines()));
        let start = line * self.line;
        let end = (start + self.line).min(self.run);
        let base = self.origin + run * self.run;
        base + start..base + end
    }

    /// Whether a group of lines starts here.
    pub(crate) fn starts_group(&self, address: i128) -> bool {
        (address - self.origin).rem_euclid(self.group) == 0
    }

    fn lines(&self) -> i128 {
        (self.run + self.line - 1) / self.line
    }
}

/// Where all digits add least.
fn origin(layout: &Layout) -> i128 {
    let least = layout.digits().into_iter().map(|digit| match digit.stride {
        ..0 => digit.stride as i128 * (digit.radix as i128 - 1),
        _ => 0,
    });
    layout.offset() as i128 + least.sum::<i128>()
}

/// The strides of the digits, and where the outermost ends: lengths at which something repeats.
fn marks(layout: &Layout) -> Vec<i128> {
    let digits = layout.digits();
    let steps = digits.iter().filter(|digit| digit.radix > 1 && digit.stride != 0);
    let steps = steps.map(|digit| (digit.stride.unsigned_abs() as i128, digit.radix as i128));
    let mut marks: Vec<i128> = steps.clone().map(|step| step.0).collect();
    marks.extend(steps.map(|(stride, radix)| stride * radix).max());
    marks.push(1);
    marks.sort();
    marks.dedup();
    marks.retain(|&mark| mark > 1);
    if marks.is_empty() {
        marks.push(1);
    }
    marks
}
