//! `retile show`: a layout's memory, line by line. In: a layout. Out: a picture, which `paint` draws.

use std::ops::Range;

use retile::{Layout, Role};

use crate::axis::letter;
use crate::grid::Grid;
use crate::memory::{Entangled, Memory, Spot};

/// Columns of a cell that are not its text.
pub(crate) const PADDING: usize = 2;

/// Gaps of fewer lines than this are drawn.
const FEW: i128 = 3;

/// What there is to draw.
pub(crate) struct Picture<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) memory: Memory,
    pub(crate) grid: Grid,
    pub(crate) items: Vec<Item>,
    /// The dims that a cell's text names; the others are the same all over the picture.
    pub(crate) named: Vec<usize>,
    /// Columns of a cell's text.
    pub(crate) text: usize,
    /// Columns of the addresses.
    pub(crate) gutter: usize,
    /// The dim that colours stand for.
    pub(crate) key: usize,
}

pub(crate) enum Item {
    /// Its addresses, and what lies there.
    Line(Range<i128>, Vec<Option<Spot>>),
    /// Lines without a cell of the layout's.
    Gaps(i128),
    /// Lines that there was no room for, and the last address on them.
    Left(i128, i128),
}

impl<'a> Picture<'a> {
    /// At most `rows` lines of at most `width` columns, from the start of the footprint on, and from
    /// around the address to mark where that is further behind.
    pub(crate) fn of(
        layout: &'a Layout,
        mark: Option<usize>,
        width: usize,
        rows: usize,
    ) -> Result<Picture<'a>, Entangled> {
        let digits = |n: usize| n.to_string().len();
        let extents = layout.dims().iter().map(|n| n.saturating_sub(1));
        let grid = Grid::of(layout, |_, _| false);
        let before = if grid.origin < 0 { digits(width) + 1 } else { 0 };
        let mut picture = Picture {
            layout,
            memory: Memory::of(layout),
            grid,
            items: Vec::new(),
            named: (0..layout.rank()).collect(),
            text: extents.map(digits).sum::<usize>() + layout.rank(),
            gutter: digits(layout.size_elements()).max(before),
            key: key(layout),
        };
        if layout.is_empty() {
            return Ok(picture);
        }
        picture.lay(mark, width, rows)?;
        // What is the same all over the picture need not be in every cell. Narrower cells make longer
        // lines, on which more may vary.
        (picture.named, picture.text) = (picture.varying(), 0);
        loop {
            picture.text = picture.text.max(picture.needed());
            picture.lay(mark, width, rows)?;
            let mut more = picture.varying();
            more.retain(|d| !picture.named.contains(d));
            if more.is_empty() && picture.needed() <= picture.text {
                return Ok(picture);
            }
            picture.named.extend(more);
            picture.named.sort();
        }
    }

    /// Breaks lines for cells as wide as they are now, and looks up what is on them.
    fn lay(&mut self, mark: Option<usize>, width: usize, rows: usize) -> Result<(), Entangled> {
        let cell = (self.text + PADDING) as i128;
        let room = width as i128 - self.gutter as i128 - 1;
        self.grid = Grid::of(self.layout, |line, unit| {
            let gaps = if unit > 1 { line / unit - 1 } else { 0 };
            line.saturating_mul(cell).saturating_add(gaps) <= room
        });
        self.items.clear();
        let end = self.layout.size_elements() as i128 - 1;
        let first = self.grid.index(self.memory.next(0)?.unwrap_or(end));
        let last = self.grid.index(end);
        let mark = mark.map_or(first, |mark| self.grid.index(mark as i128));
        let mut at = self.look_up(first, last, rows)?;
        if mark >= at {
            self.items.clear();
            at = self.look_up(first, last, rows / 2)?;
            let rows = rows - rows / 2;
            let resumed = (mark - rows as i128 / 2).max(at);
            self.leave_out(at..resumed);
            at = self.look_up(resumed, last, rows)?;
        }
        self.leave_out(at..last + 1);
        Ok(())
    }

    /// Up to `rows` lines from line `at` on. Returns the line after them.
    fn look_up(&mut self, mut at: i128, last: i128, rows: usize) -> Result<i128, Entangled> {
        for _ in 0..rows {
            let owned = self.memory.next(self.grid.range(at).start)?;
            let owned = owned.map_or(last + 1, |address| self.grid.index(address));
            if owned - at >= FEW {
                self.items.push(Item::Gaps(owned - at));
                at = owned;
            }
            if at > last {
                break;
            }
            let range = self.grid.range(at);
            let spots = self.memory.stretch(range.clone())?;
            self.items.push(Item::Line(range, spots));
            at += 1;
        }
        Ok(at)
    }

    fn leave_out(&mut self, lines: Range<i128>) {
        if !lines.is_empty() {
            let end = self.grid.range(lines.end - 1).end;
            let last = end.min(self.layout.size_elements() as i128) - 1;
            self.items.push(Item::Left(lines.end - lines.start, last));
        }
    }

    /// Columns that the texts of the cells need.
    fn needed(&self) -> usize {
        let texts = self.spots().map(|spot| self.text_of(spot).chars().count());
        texts.max().unwrap_or(0).max(2)
    }

    fn lines(&self) -> impl Iterator<Item = (&Range<i128>, &[Option<Spot>])> {
        self.items.iter().filter_map(|item| match item {
            Item::Line(range, spots) => Some((range, spots.as_slice())),
            _ => None,
        })
    }

    /// Whether a gap is drawn as cells.
    pub(crate) fn has_gaps(&self) -> bool {
        let memory = 0..self.layout.size_elements() as i128;
        let mut cells = self.lines().flat_map(|(range, spots)| range.clone().zip(spots));
        cells.any(|(address, spot)| spot.is_none() && memory.contains(&address))
    }

    /// The spots that are drawn.
    pub(crate) fn spots(&self) -> impl Iterator<Item = &Spot> {
        self.lines().flat_map(|line| line.1).flatten()
    }

    /// The coordinates along one dim of the elements that are drawn.
    pub(crate) fn coordinates(&self, d: usize) -> impl Iterator<Item = isize> {
        let elements = self.spots().filter(|spot| spot.role == Role::Element);
        elements.map(move |spot| spot.coords[d])
    }

    /// The dims whose coordinate is not the same for all elements that are drawn; all where none is.
    fn varying(&self) -> Vec<usize> {
        let dims = 0..self.layout.rank();
        let varies = |&d: &usize| {
            let first = self.coordinates(d).next();
            self.coordinates(d).any(|i| Some(i) != first)
        };
        let varying: Vec<usize> = dims.clone().filter(varies).collect();
        if varying.is_empty() { dims.collect() } else { varying }
    }

    /// The coordinate that a dim has all over the picture, of each dim that cells leave out.
    pub(crate) fn unnamed(&self) -> impl Iterator<Item = (char, isize)> {
        let left = (0..self.layout.rank()).filter(|d| !self.named.contains(d));
        left.filter_map(|d| Some((letter(d), self.coordinates(d).next()?)))
    }
}

/// The dim that colours show: of the innermost block where there are blocks, else the innermost.
fn key(layout: &Layout) -> usize {
    let digits = layout.digits();
    let turning = || digits.iter().rev().filter(|digit| digit.radix > 1);
    let blocked = |dims: &[usize]| turning().filter(|digit| digit.dims == dims).count() > 1;
    let chosen = turning().find(|digit| blocked(&digit.dims)).or_else(|| turning().next());
    let dims = chosen.map_or(&[][..], |digit| &digit.dims);
    let long = dims.iter().rev().find(|&&d| layout.dims()[d] > 1);
    long.copied().unwrap_or(layout.rank() - 1)
}
