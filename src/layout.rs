//! Where each element of a tensor lies.
//!
//! In: an element type, the windows of the logical dims, and axes split into digits with strides.
//! Out: offsets, sizes, and everything else that can be asked of a layout.
//!
//! A coordinate becomes an offset in five steps:
//!
//! ```text
//! pad     p = before + lower + i          a dim is a window of a larger extent e
//! flip    p = e - 1 - p                   where the dim is reversed
//! merge   v = (.. p0 * e1 + p1) * e2 ..   an axis is one dim, or several in row-major order
//! split   v = .. + d1 * radix0 + d0       mixed radix; the axis' extent is rounded up to fit
//! place   offset = base + sum of digit * stride
//! ```
//!
//! Names, tags and doors *compute* strides; once made, a stride is data. So a region, permutation or
//! flip of any layout is again a layout, and nothing here knows a format by name.

mod blocking;
mod build;
mod doors;
mod footprint;
mod format;
mod names;
mod place;
mod reshape;
mod tag;
mod text;
mod views;

pub(crate) use text::{Extents, parse_float};

pub use blocking::BlockingDesc;
pub(crate) use build::{gcd, lcm, round_up};
pub use doors::{Blocking, ClDnn, ClDnnFormat};
pub use footprint::{Cell, Cells, Offsets, Role};
pub use format::DigitView;
pub(crate) use names::nearest_to;
pub use names::{Name, known_names};

use std::hash::{Hash, Hasher};
use std::ops::Range;

use arrayvec::ArrayVec;

use crate::error::{counted, invalid};
use crate::{DType, Error, Result};

/// The most dims a layout can have.
pub const MAX_RANK: usize = 12;

/// The most digits a layout can have.
pub const MAX_DIGITS: usize = 64;

/// An element type, logical dims, and where each element lies.
///
/// Made from text ([`str::parse`], [`Layout::named`]), strides ([`Layout::strided`],
/// [`Layout::byte_strided`], [`Layout::row_major`], [`Layout::col_major`]), oneDNN's blocking
/// descriptor ([`Layout::blocked`]) or clDNN's ([`Layout::cldnn`]). Layouts that place the same
/// elements the same way by the same digits are equal, however they were spelt.
#[derive(Clone, Eq)]
pub struct Layout {
    /// Of what tells layouts apart mostly. Known, since every look-up in the cache begins with it.
    hash: u64,
    dtype: DType,
    shape: Vec<usize>,
    windows: Vec<Window>,
    axes: Vec<Axis>,
    /// Grouped by axis, innermost first.
    digits: Vec<Digit>,
    base: isize,
    fill_bits: u32,
    row: Option<Row>,
    /// Of the footprint: its least and its greatest offset, 0 and -1 where it is empty.
    span: Span,
}

/// One logical dim: `n` elements, a margin of ours and a margin of a parent's on both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub struct Window {
    /// Logical elements.
    pub n: isize,
    /// Our own padding before them.
    pub lower: isize,
    /// Our own padding behind them.
    pub upper: isize,
    /// What a parent has before that.
    pub before: isize,
    /// What a parent has behind it.
    pub after: isize,
    /// The extent stored whatever `n` is; what is missing is tail.
    pub fixed: Option<isize>,
    /// Whether the last coordinate is stored first.
    pub reversed: bool,
}

impl Window {
    pub(crate) fn plain(n: isize) -> Window {
        Window { n, ..Window::default() }
    }

    /// Elements and our own margins.
    pub fn padded(&self) -> isize {
        self.lower + self.n + self.upper
    }

    /// Everything stored along this dim, the parent's margins included, tails of blocks not.
    pub fn extent(&self) -> isize {
        self.fixed.unwrap_or(self.before + self.padded() + self.after)
    }

    /// Positions in memory order that belong to this layout.
    pub fn owned(&self) -> Range<isize> {
        let end = match self.fixed {
            Some(extent) if self.after == 0 => extent,
            _ => self.before + self.padded(),
        };
        match self.reversed {
            false => self.before..end,
            true => self.extent() - end..self.extent() - self.before,
        }
    }

    /// The position in memory order of coordinate `i`.
    pub(crate) fn position(&self, i: isize) -> isize {
        let p = self.before + self.lower + i;
        if self.reversed { self.extent() - 1 - p } else { p }
    }

    /// What lies at a position that this layout owns: a coordinate, or nothing where it is tail.
    pub(crate) fn coordinate(&self, position: isize) -> Option<isize> {
        let p = if self.reversed { self.extent() - 1 - position } else { position };
        (p < self.before + self.padded()).then_some(p - self.before - self.lower)
    }
}

/// One dim, or several merged in row-major order, as the digits see them.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axis {
    pub(crate) dims: ArrayVec<u8, MAX_RANK>,
    /// Rounded up to what the digits (and an alignment) need.
    pub(crate) extent: isize,
    /// How many of the layout's digits are this axis'.
    pub(crate) digits: u8,
}

/// One digit of an axis in mixed radix. Its weight is the product of the radices inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Digit {
    pub(crate) radix: isize,
    pub(crate) stride: isize,
}

/// Rows rounded up to a pitch: `inner` elements, then `slack` that are never touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) inner: isize,
    pub(crate) slack: isize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Span {
    pub(crate) least: isize,
    pub(crate) greatest: isize,
}

/// By what the rest follows from.
impl PartialEq for Layout {
    fn eq(&self, other: &Layout) -> bool {
        let own = |layout: &Layout| (layout.hash, layout.base, layout.dtype, layout.fill_bits);
        own(self) == own(other)
            && self.row == other.row
            && self.digits == other.digits
            && self.axes == other.axes
            && self.windows == other.windows
    }
}

impl Hash for Layout {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl Layout {
    /// The type of the elements.
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// How many logical dims there are.
    pub fn rank(&self) -> usize {
        self.shape.len()
    }

    /// The logical extents, without padding.
    pub fn dims(&self) -> &[usize] {
        &self.shape
    }

    /// Elements of our own padding before dim `d`; panics where there is none.
    pub fn lower(&self, d: usize) -> usize {
        self.windows[d].lower as usize
    }

    /// Elements of our own padding after dim `d`; panics where there is none.
    pub fn upper(&self, d: usize) -> usize {
        self.windows[d].upper as usize
    }

    /// What explicit padding is filled with, before conversion to the element type.
    pub fn fill(&self) -> f32 {
        f32::from_bits(self.fill_bits)
    }

    /// Where all digits are 0, in elements from the buffer's start.
    pub fn offset(&self) -> isize {
        self.base
    }

    /// Whether an extent is 0, so that nothing is read or written.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// Whether this is a part of a larger tensor, whose margins belong to somebody else.
    pub fn is_region(&self) -> bool {
        self.windows.iter().any(|w| w.before != 0 || w.after != 0)
    }

    /// The number of logical elements.
    pub fn elements(&self) -> usize {
        // Other extents of an empty tensor may be any.
        if self.is_empty() { 0 } else { self.shape.iter().product() }
    }

    /// Extents with our own padding and the block tails that this layout owns.
    ///
    /// The tail of an axis that merges several dims belongs to none of them alone. Where an extent is 0 nothing is
    /// owned, and these still say what padding there would be: [`Layout::blocked`] makes the same layout of them.
    pub fn padded_dims(&self) -> Vec<usize> {
        let mut padded: Vec<usize> = self.windows.iter().map(|w| w.owned().len()).collect();
        for (axis, _) in self.axes() {
            if let &[d] = axis.dims.as_slice() {
                padded[d as usize] = self.owned_count(axis);
            }
        }
        padded
    }

    /// Elements from the buffer's start to the end of the footprint.
    ///
    /// The slack of the last row is counted where this layout reaches the ends of the rows.
    pub fn size_elements(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        (self.span.greatest + 1 + self.slack()) as usize
    }

    /// Bytes from the buffer's start to the end of the furthest byte of the footprint; 0 when an
    /// extent is 0.
    pub fn size_bytes(&self) -> usize {
        self.size_elements() * self.dtype.size()
    }

    /// From the first byte of the footprint to the end of its furthest, counted from the buffer's
    /// start; slack is not counted.
    ///
    /// ```
    /// # use retile::Layout;
    /// let rows: Layout = "f32:strides(8,1):2x3:offset=2".parse()?;
    /// assert_eq!(rows.span_bytes(), 8..52);
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn span_bytes(&self) -> Range<usize> {
        let size = self.dtype.size();
        self.span.least as usize * size..(self.span.greatest + 1) as usize * size
    }

    /// The stride of each dim in elements, where one number a dim says it all.
    pub fn strides(&self) -> Option<Vec<isize>> {
        let mut strides = vec![0; self.rank()];
        for (axis, digits) in self.axes() {
            let (&[d], &[digit]) = (axis.dims.as_slice(), digits) else {
                return None;
            };
            if self.windows[d as usize].reversed {
                return None;
            }
            strides[d as usize] = digit.stride;
        }
        Some(strides)
    }

    /// The distance in elements between neighbouring rows, of a plain layout with contiguous rows.
    ///
    /// For a matrix this is the leading dimension of BLAS, whichever way it is stored. Dims of extent 1 have no
    /// neighbours: theirs counts only where no other dim has any.
    pub fn leading_dimension(&self) -> Option<isize> {
        let strides = self.strides()?;
        let single = |d: &usize| self.dims()[*d] == 1;
        let dims = 0..strides.len();
        let inner = dims.clone().filter(|&d| strides[d] == 1).max_by_key(|d| (!single(d), *d))?;
        let others = dims.filter(|&d| d != inner);
        let next = others.min_by_key(|d| (single(d), strides[*d].unsigned_abs()))?;
        Some(strides[next])
    }

    /// Whether the footprint is the whole buffer, each byte of it once.
    pub fn is_dense(&self) -> bool {
        self.is_empty()
            || (self.owned_cells() == self.size_elements() && self.check_destination().is_ok())
    }

    /// Whether a buffer laid out so can be written: no two coordinates may share an element.
    ///
    /// The rule is oneDNN's: ordered by |stride|, each digit steps over as many steps of the one inside it as that has
    /// values. A few layouts that do not meet are refused too: `strides(2,3):2x2`, and `strides(5,2):3x3`, every second
    /// column of rows of 5. The error names the two dims at fault.
    pub fn check_destination(&self) -> Result<()> {
        if self.is_empty() {
            return Ok(());
        }
        let mut steps: ArrayVec<(usize, usize, &Axis), MAX_DIGITS> = ArrayVec::new();
        for (axis, digits) in self.axes() {
            let (first, last) = self.owned_hull(axis);
            let mut weight = 1;
            for digit in digits {
                let outer = weight * digit.radix;
                // What runs past the digit's end comes round to its start, and may have all of its values.
                let values = match first / outer == last / outer {
                    true => last / weight - first / weight + 1,
                    false => digit.radix,
                };
                if values > 1 {
                    steps.push((digit.stride.unsigned_abs(), values as usize, axis));
                }
                weight = outer;
            }
        }
        steps.sort_by_key(|&(stride, ..)| stride);
        let (mut reach, mut inside) = (1, None);
        for (stride, values, axis) in steps {
            if stride < reach {
                let outer = axis_name(axis);
                let Some((inner, s, n)) = inside else {
                    return invalid!(
                        "a destination cannot repeat an element: dim {outer} has stride 0"
                    );
                };
                return invalid!(
                    "a destination cannot overlap itself or interleave: dim {outer} has stride {stride}, less than \
                     the {n} steps of {s} that dim {} takes inside it",
                    axis_name(inner)
                );
            }
            reach = stride.saturating_mul(values);
            inside = Some((axis, stride, values));
        }
        Ok(())
    }

    /// Where one element lies, in elements from the buffer's start. Coordinates run from `-lower`
    /// to `n + upper`.
    pub fn offset_of(&self, coords: &[isize]) -> Result<usize> {
        if coords.len() != self.rank() {
            let given = counted(coords.len(), "coordinate");
            return invalid!("{given} given for {}", counted(self.rank(), "dim"));
        }
        for (d, (&i, w)) in coords.iter().zip(&self.windows).enumerate() {
            if i < -w.lower || i >= w.n + w.upper {
                let (from, to) = (-w.lower, w.n + w.upper);
                return invalid!("coordinate {i} of dim {} is outside {from}..{to}", dim_name(d));
            }
        }
        if self.is_empty() {
            return invalid!("an empty tensor has no element at {coords:?}");
        }
        Ok(self.place(coords) as usize)
    }

    /// The offset of coordinates known to be inside.
    pub(crate) fn place(&self, coords: &[isize]) -> isize {
        let mut offset = self.base;
        for (axis, digits) in self.axes() {
            let value = axis.dims.iter().fold(0isize, |value, &d| {
                let window = &self.windows[d as usize];
                value * window.extent() + window.position(coords[d as usize])
            });
            offset = offset.wrapping_add(place::contribution(digits, value));
        }
        offset
    }

    /// Each axis with its digits, innermost first.
    pub(crate) fn axes(&self) -> impl Iterator<Item = (&Axis, &[Digit])> {
        let mut rest = self.digits.as_slice();
        self.axes.iter().map(move |axis| {
            let (own, others) = rest.split_at(axis.digits as usize);
            rest = others;
            (axis, own)
        })
    }

    /// What is stored along each dim, and which part of it is this layout's own.
    pub fn windows(&self) -> &[Window] {
        &self.windows
    }

    /// The extent of an axis before it was rounded up.
    pub(crate) fn stored_extent(&self, axis: &Axis) -> isize {
        axis.dims.iter().map(|&d| self.windows[d as usize].extent()).product()
    }

    /// A tail belongs to whoever reaches the end of the axis.
    pub(crate) fn owns_tail(&self, axis: &Axis) -> bool {
        axis.dims.iter().all(|&d| {
            let window = &self.windows[d as usize];
            window.owned().end == window.extent()
        })
    }

    /// How many positions along an axis this layout owns.
    pub(crate) fn owned_count(&self, axis: &Axis) -> usize {
        let own =
            axis.dims.iter().map(|&d| self.windows[d as usize].owned().len()).product::<usize>();
        let tail = if self.owns_tail(axis) { axis.extent - self.stored_extent(axis) } else { 0 };
        own + tail as usize
    }

    /// Elements and padding of the footprint, counted as if nothing overlapped.
    fn owned_cells(&self) -> usize {
        self.axes().map(|(axis, _)| self.owned_count(axis)).product()
    }

    /// Whether there is nothing but elements and padding from its first byte to its last, each in a place of its own.
    pub(crate) fn is_filled(&self) -> bool {
        let spanned = self.span.greatest - self.span.least + 1;
        !self.is_empty()
            && self.owned_cells() as isize == spanned
            && self.check_destination().is_ok()
    }

    /// Whether there is padding in its footprint.
    pub(crate) fn is_padded(&self) -> bool {
        self.owned_cells() > self.elements()
    }

    /// The first and the last position along an axis that this layout owns.
    fn owned_hull(&self, axis: &Axis) -> (isize, isize) {
        let (mut first, mut last) = (0, 0);
        for &d in &axis.dims {
            let window = &self.windows[d as usize];
            let owned = window.owned();
            first = first * window.extent() + owned.start;
            last = last * window.extent() + owned.end - 1;
        }
        if self.owns_tail(axis) { (first, axis.extent - 1) } else { (first, last) }
    }

    fn slack(&self) -> isize {
        let Some(row) = self.row else { return 0 };
        let ends = self.axes().all(|(axis, digits)| {
            let inside = digits
                .iter()
                .any(|d| (1..row.inner.unsigned_abs()).contains(&d.stride.unsigned_abs()));
            !inside || self.owns_tail(axis)
        });
        if ends { self.row_end(row) } else { 0 }
    }

    /// How far behind its last element a row ends: the slack, and what steps within the row leave beside them.
    fn row_end(&self, row: Row) -> isize {
        let inside = |digit: &&Digit| digit.stride.unsigned_abs() < row.inner.unsigned_abs();
        let reach = |sum: isize, digit: &Digit| {
            sum.saturating_add((digit.radix - 1).saturating_mul(digit.stride.abs()))
        };
        let last = self.digits.iter().filter(inside).fold(0, reach);
        row.slack + (row.inner - 1 - last).max(0)
    }
}

impl TryFrom<&str> for Layout {
    type Error = Error;

    fn try_from(text: &str) -> Result<Layout> {
        text.parse()
    }
}

/// Dims are called a, b, c, .. wherever they need a name.
pub(crate) fn dim_name(d: usize) -> char {
    (b'a' + d as u8) as char
}

pub(crate) fn axis_name(axis: &Axis) -> String {
    axis.dims.iter().map(|&d| dim_name(d as usize)).collect()
}
