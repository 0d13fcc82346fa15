//! What lies at an address, the inverse of [`Layout::offset_of`]. In: a layout. Out: the cells of any
//! stretch of its memory.
//!
//! Digits are walked from the widest stride to the narrowest, and what cannot reach the stretch is
//! left out on the way. So the cost is that of the stretch, however large the tensor is.

use std::cmp::Reverse;
use std::ops::Range;

use retile::{Layout, MAX_RANK, Role};

use crate::axis::{Axis, Window};

#[cfg(test)]
mod tests;

/// Visits of digits for one stretch, before the search is given up. Layouts that can be written need
/// about one for each cell and digit.
const PATIENCE: u32 = 1 << 20;

/// A layout seen from its memory.
pub(crate) struct Memory {
    axes: Vec<Axis>,
    /// Widest stride first.
    steps: Vec<Step>,
    base: i128,
    /// Every element is met again at other coordinates.
    repeated: bool,
    /// How much is owned, and for what.
    pub(crate) counts: Counts,
}

/// What lies in one element's worth of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) role: Role,
    /// Of an element or a margin, as many as there are dims.
    pub(crate) coords: [isize; MAX_RANK],
    /// Whether other coordinates lie here too.
    pub(crate) shared: bool,
}

/// The cells that a layout owns, by what they are for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counts {
    pub(crate) elements: usize,
    pub(crate) margins: usize,
    pub(crate) tails: usize,
}

/// Strides that overlap in so many ways that the search was given up.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entangled;

/// One digit, on the way from an address to positions along the axes.
struct Step {
    axis: usize,
    weight: isize,
    radix: isize,
    stride: i128,
    values: Range<isize>,
    /// The least and the most that the steps after this one add.
    inside: (i128, i128),
}

impl Memory {
    pub(crate) fn of(layout: &Layout) -> Memory {
        let windows = Window::all(layout);
        let mut dims: Vec<Vec<usize>> = Vec::new();
        let mut steps: Vec<Step> = Vec::new();
        for digit in layout.digits() {
            let known = dims.iter().position(|merged| *merged == digit.dims);
            let axis = known.unwrap_or(dims.len());
            if axis == dims.len() {
                dims.push(digit.dims);
            }
            let radix = digit.radix as isize;
            steps.push(Step {
                axis,
                weight: digit.divisor as isize,
                radix,
                stride: digit.stride as i128,
                values: 0..radix,
                inside: (0, 0),
            });
        }
        let axes = dims.iter().enumerate().map(|(a, merged)| {
            let own = steps.iter().filter(|step| step.axis == a);
            let windows = merged.iter().map(|&d| windows[d].clone()).collect();
            Axis::new(windows, own.map(|step| step.radix).product())
        });
        let axes: Vec<Axis> = axes.collect();
        let mut repeated = false;
        for step in &mut steps {
            let axis = &axes[step.axis];
            if step.weight * step.radix != axis.extent {
                continue;
            }
            step.values = axis.first() / step.weight..axis.last() / step.weight + 1;
            if step.stride == 0 && step.weight == 1 {
                // All of its positions lie in the same places: one stands for them.
                repeated |= axis.owned() > 1;
                step.values.end = step.values.start + 1;
            }
        }
        steps.sort_by_key(|step| Reverse(step.stride.unsigned_abs()));
        let mut inside = (0, 0);
        for step in steps.iter_mut().rev() {
            step.inside = inside;
            let ends = [step.values.start, step.values.end - 1].map(|v| v as i128 * step.stride);
            inside.0 += ends[0].min(ends[1]);
            inside.1 += ends[0].max(ends[1]);
        }
        Memory {
            counts: Counts::of(layout, &windows, &axes),
            base: layout.offset() as i128,
            axes,
            steps,
            repeated,
        }
    }

    /// What lies at each address of a stretch.
    pub(crate) fn stretch(&self, range: Range<i128>) -> Result<Vec<Option<Spot>>, Entangled> {
        let start = range.start;
        let mut spots: Vec<Option<Spot>> = vec![None; (range.end - start) as usize];
        let mut missing = 2 * spots.len();
        self.walk(range, |offset, at, range| {
            let slot = &mut spots[(offset - start) as usize];
            let mut spot = self.spot(at);
            match slot {
                Some(old) => {
                    missing -= !old.shared as usize;
                    if old.role <= spot.role {
                        spot = *old;
                    }
                    spot.shared = true;
                }
                None => {
                    missing -= 1 + self.repeated as usize;
                    spot.shared = self.repeated;
                }
            }
            *slot = Some(spot);
            if missing == 0 {
                range.end = range.start;
            }
        })?;
        Ok(spots)
    }

    /// The first address from `from` on that the layout owns.
    pub(crate) fn next(&self, from: i128) -> Result<Option<i128>, Entangled> {
        let mut found = None;
        self.walk(from..i128::MAX, |offset, _, range| {
            found = Some(offset);
            range.end = offset;
        })?;
        Ok(found)
    }

    /// Shows every cell within `range` to `visit`, which may cut the range.
    fn walk(
        &self,
        range: Range<i128>,
        visit: impl FnMut(i128, &[isize], &mut Range<i128>),
    ) -> Result<(), Entangled> {
        let mut open = vec![0; self.axes.len()];
        for step in &self.steps {
            open[step.axis] += (step.radix - 1) * step.weight;
        }
        let mut walk = Walk {
            memory: self,
            range,
            at: vec![0; self.axes.len()],
            open,
            patience: PATIENCE,
            visit,
        };
        walk.descend(0, self.base);
        if walk.patience == 0 {
            return Err(Entangled);
        }
        Ok(())
    }

    fn spot(&self, at: &[isize]) -> Spot {
        let mut spot = Spot { role: Role::Element, coords: [0; MAX_RANK], shared: false };
        for (axis, &position) in self.axes.iter().zip(at) {
            spot.role = spot.role.max(axis.coordinates(position, &mut spot.coords));
        }
        if spot.role == Role::Tail {
            spot.coords = [0; MAX_RANK];
        }
        spot
    }
}

struct Walk<'m, F> {
    memory: &'m Memory,
    range: Range<i128>,
    /// The position along each axis, by the digits chosen so far, and what the others can still add.
    at: Vec<isize>,
    open: Vec<isize>,
    patience: u32,
    visit: F,
}

impl<F: FnMut(i128, &[isize], &mut Range<i128>)> Walk<'_, F> {
    fn descend(&mut self, depth: usize, offset: i128) {
        let Some(step) = self.memory.steps.get(depth) else {
            (self.visit)(offset, &self.at, &mut self.range);
            return;
        };
        let (a, axis) = (step.axis, &self.memory.axes[step.axis]);
        let at = self.at[a];
        self.open[a] -= (step.radix - 1) * step.weight;
        // Upwards in memory, from the first value that can reach the range.
        let count = step.values.len() as i128;
        let (first, way) = match step.stride {
            ..0 => (step.values.end - 1, -1),
            _ => (step.values.start, 1),
        };
        let (low, stride) = (offset + first as i128 * step.stride, step.stride.abs());
        let short = self.range.start.saturating_sub(low + step.inside.1);
        let skipped = if short > 0 && stride > 0 { (short - 1) / stride + 1 } else { 0 };
        for k in skipped..count {
            let offset = low + k * stride;
            if offset + step.inside.0 >= self.range.end || self.patience == 0 {
                break;
            }
            self.patience -= 1;
            self.at[a] = at + (first + way * k as isize) * step.weight;
            if axis.can_own(self.at[a], self.open[a]) {
                self.descend(depth + 1, offset);
            }
        }
        self.at[a] = at;
        self.open[a] += (step.radix - 1) * step.weight;
    }
}

impl Counts {
    fn of(layout: &Layout, windows: &[Window], axes: &[Axis]) -> Counts {
        if layout.is_empty() {
            return Counts::default();
        }
        let written: usize = windows.iter().map(Window::written).product();
        let owned: usize = axes.iter().map(Axis::owned).product();
        Counts {
            elements: layout.elements(),
            margins: written - layout.elements(),
            tails: owned - written,
        }
    }

    pub(crate) fn all(&self) -> usize {
        self.elements + self.margins + self.tails
    }
}
