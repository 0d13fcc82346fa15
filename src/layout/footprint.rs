//! What a layout owns, cell by cell. In: a layout. Out: iterators over its elements, its margins and
//! its tails. For tests, pictures and the reference, not for speed.

use super::{Axis, Digit, Layout, MAX_RANK, place};

/// One element's worth of memory that a layout owns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// In elements from the buffer's start.
    pub offset: usize,
    /// What lies there.
    pub role: Role,
    /// The coordinates of an element or a margin, as many as there are dims; 0 for a tail.
    pub coords: [isize; MAX_RANK],
}

/// What a cell is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// A logical element.
    Element,
    /// Explicit padding, written with the fill value.
    Margin,
    /// What a block, an alignment or a fixed extent leaves over, written with zero.
    Tail,
}

/// Iterator over the whole footprint, made by [`Layout::cells`].
#[derive(Clone, Debug)]
pub struct Cells<'a> {
    layout: &'a Layout,
    /// The position among an axis' own ones, for each axis, and what that adds to the cell.
    at: Vec<usize>,
    spots: Vec<Spot>,
    done: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Spot {
    offset: isize,
    tail: bool,
}

/// Iterator over the offsets of the logical elements, made by [`Layout::offsets`].
#[derive(Clone, Debug)]
pub struct Offsets<'a> {
    layout: &'a Layout,
    coords: [isize; MAX_RANK],
    left: usize,
}

impl Layout {
    /// Every cell of the footprint: elements, margins and tails, each once, in no promised order.
    pub fn cells(&self) -> Cells<'_> {
        let at = vec![0; self.axes.len()];
        let spots = vec![Spot::default(); self.axes.len()];
        let mut cells = Cells { layout: self, at, spots, done: self.is_empty() };
        for (a, (axis, digits)) in self.axes().enumerate().filter(|_| !self.is_empty()) {
            cells.spots[a] = cells.layout.spot(axis, digits, 0);
        }
        cells
    }

    /// The offsets of the logical elements, in row-major order of their coordinates.
    pub fn offsets(&self) -> Offsets<'_> {
        Offsets { layout: self, coords: [0; MAX_RANK], left: self.elements() }
    }

    /// The `k`-th position that this layout owns along an axis.
    fn owned_position(&self, axis: &Axis, mut k: usize) -> isize {
        let own: usize =
            axis.dims.iter().map(|&d| self.windows[d as usize].owned().len()).product();
        if k >= own {
            return self.stored_extent(axis) + (k - own) as isize;
        }
        let (mut value, mut weight) = (0, 1);
        for &d in axis.dims.iter().rev() {
            let window = &self.windows[d as usize];
            let owned = window.owned();
            value += (owned.start + (k % owned.len()) as isize) * weight;
            weight *= window.extent();
            k /= owned.len();
        }
        value
    }

    fn spot(&self, axis: &Axis, digits: &[Digit], k: usize) -> Spot {
        let position = self.owned_position(axis, k);
        let offset = place::contribution(digits, position);
        let mut coords = [0; MAX_RANK];
        Spot { offset, tail: !self.coordinates(axis, position, &mut coords) }
    }

    /// The coordinates of a position along an axis; false where it is tail.
    fn coordinates(&self, axis: &Axis, mut position: isize, coords: &mut [isize]) -> bool {
        if position >= self.stored_extent(axis) {
            return false;
        }
        for &d in axis.dims.iter().rev() {
            let window = &self.windows[d as usize];
            match window.coordinate(position % window.extent()) {
                Some(i) => coords[d as usize] = i,
                None => return false,
            }
            position /= window.extent();
        }
        true
    }
}

impl Iterator for Cells<'_> {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        if self.done {
            return None;
        }
        let layout = self.layout;
        let offset = self.spots.iter().fold(layout.base, |sum, spot| sum.wrapping_add(spot.offset));
        let mut cell = Cell { offset: offset as usize, role: Role::Tail, coords: [0; MAX_RANK] };
        if self.spots.iter().all(|spot| !spot.tail) {
            for ((axis, _), &k) in layout.axes().zip(&self.at) {
                layout.coordinates(axis, layout.owned_position(axis, k), &mut cell.coords);
            }
            let inside = |(&i, &n): (&isize, &usize)| (0..n as isize).contains(&i);
            let element = cell.coords.iter().zip(&layout.shape).all(inside);
            cell.role = if element { Role::Element } else { Role::Margin };
        }
        self.done = true;
        for (a, (axis, digits)) in layout.axes().enumerate() {
            self.at[a] += 1;
            self.done = self.at[a] == layout.owned_count(axis);
            if self.done {
                self.at[a] = 0;
            }
            self.spots[a] = layout.spot(axis, digits, self.at[a]);
            if !self.done {
                break;
            }
        }
        Some(cell)
    }
}

impl Iterator for Offsets<'_> {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        self.left = self.left.checked_sub(1)?;
        let layout = self.layout;
        let offset = layout.place(&self.coords[..layout.rank()]) as usize;
        for d in (0..layout.rank()).rev() {
            self.coords[d] += 1;
            if self.coords[d] < layout.shape[d] as isize {
                break;
            }
            self.coords[d] = 0;
        }
        Some(offset)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Offsets<'_> {}
