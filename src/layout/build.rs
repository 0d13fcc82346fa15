//! The one constructor. In: windows, axes and digits from a format, a door or a view. Out: a checked
//! layout in canonical form, so that what is placed alike compares equal.

use std::fmt;
use std::hash::{BuildHasher, Hasher};

use arrayvec::ArrayVec;

use super::{
    Axis, Digit, Layout, MAX_DIGITS, MAX_RANK, Row, Span, Window, axis_name, dim_name, place,
};
use crate::error::invalid;
use crate::{DType, Error, Result};

/// What a layout is made of, before it is checked.
#[derive(Clone, Debug)]
pub(crate) struct Parts {
    pub(crate) dtype: DType,
    pub(crate) windows: Vec<Window>,
    pub(crate) axes: Vec<AxisParts>,
    pub(crate) base: isize,
    pub(crate) fill: f32,
    pub(crate) row: Option<Row>,
}

#[derive(Clone, Debug)]
pub(crate) struct AxisParts {
    pub(crate) dims: ArrayVec<u8, MAX_RANK>,
    /// At least the dims' extents, and a multiple of what the digits need.
    pub(crate) extent: isize,
    /// Innermost first. The radix of the last one follows from the extent.
    pub(crate) digits: Vec<Digit>,
}

impl AxisParts {
    /// One dim with one stride.
    pub(crate) fn plain(d: usize, extent: isize, stride: isize) -> AxisParts {
        let dims = ArrayVec::from_iter([d as u8]);
        AxisParts { dims, extent, digits: vec![Digit { radix: extent, stride }] }
    }
}

/// Most combinations of merged positions looked at to find how far a region of them reaches.
const MERGED_POSITIONS: usize = 1 << 20;

impl Parts {
    /// A layout taken apart, to be changed and assembled again.
    pub(crate) fn of(layout: &Layout) -> Parts {
        let axes = layout.axes().map(|(axis, digits)| AxisParts {
            dims: axis.dims.clone(),
            extent: axis.extent,
            digits: digits.to_vec(),
        });
        Parts {
            dtype: layout.dtype,
            windows: layout.windows.clone(),
            axes: axes.collect(),
            base: layout.base,
            fill: layout.fill(),
            row: layout.row,
        }
    }

    pub(crate) fn assemble(mut self) -> Result<Layout> {
        check_rank(self.windows.len())?;
        for (d, window) in self.windows.iter_mut().enumerate() {
            check_window(d, window)?;
        }
        self.row = self.row.filter(|row| row.slack != 0);
        for axis in &mut self.axes {
            settle_extent(axis, &self.windows)?;
        }
        self.axes.sort_by_key(|axis| axis.dims[0]);
        self.unflip();
        let count: usize = self.axes.iter().map(|axis| axis.digits.len()).sum();
        if count > MAX_DIGITS {
            return invalid!("{count} digits are more than the {MAX_DIGITS} a layout may have");
        }
        let axes = self.axes.iter().map(|axis| Axis {
            dims: axis.dims.clone(),
            extent: axis.extent,
            digits: axis.digits.len() as u8,
        });
        // Every NaN fills alike, and a layout can be compared by its bits.
        let fill = if self.fill.is_nan() { f32::NAN } else { self.fill };
        let mut layout = Layout {
            hash: 0,
            dtype: self.dtype,
            shape: self.windows.iter().map(|w| w.n as usize).collect(),
            axes: axes.collect(),
            digits: self.axes.iter().flat_map(|axis| axis.digits.iter().copied()).collect(),
            windows: self.windows,
            base: self.base,
            fill_bits: fill.to_bits(),
            row: self.row,
            span: Span { least: 0, greatest: -1 },
        };
        check_count(&layout)?;
        layout.span = span(&layout)?;
        if layout.row.is_some() && super::format::Format::of(&layout).mark.is_none() {
            // The digits that made the rows are gone, repeated or split, and with them the pitch.
            return Parts { row: None, ..Parts::of(&layout) }.assemble();
        }
        layout.hash = hash(&layout);
        Ok(layout)
    }

    /// Says reversed dims by negative strides, and fixed ones by their axes' extents, where they can be. Where a
    /// parent's other end is further than an address can say, ours need not be.
    fn unflip(&mut self) {
        let rows = self.row.is_some();
        let far = |parts: &Parts, a: usize| far_end(&parts.axes[a], &parts.windows, rows);
        let all = (0..self.axes.len()).try_fold(self.base as i128, |sum, a| {
            // Those of several dims may cancel.
            sum.checked_add(far(self, a).unwrap_or(0))
        });
        let whole = all.and_then(|base| isize::try_from(base).ok());
        // Until no other dim can be, so that what is assembled again stays as it is.
        while let Some((a, base)) = (0..self.axes.len()).find_map(|a| {
            let base = (self.base as i128).checked_add(far(self, a)?)?;
            Some((a, if whole.is_some() { self.base } else { isize::try_from(base).ok()? }))
        }) {
            let axis = &mut self.axes[a];
            self.windows[axis.dims[0] as usize].reversed = false;
            axis.digits[0].stride = -axis.digits[0].stride;
            self.base = base;
        }
        self.base = whole.unwrap_or(self.base);
        for axis in &self.axes {
            if let &[d] = axis.dims.as_slice()
                && !self.windows[d as usize].reversed
            {
                self.windows[d as usize].fixed = None;
            }
        }
    }
}

fn hash(layout: &Layout) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    hasher.write_u8(layout.dtype as u8);
    hasher.write_isize(layout.base);
    layout.shape.iter().for_each(|&n| hasher.write_usize(n));
    layout.digits.iter().for_each(|digit| hasher.write_isize(digit.stride));
    hasher.finish()
}

pub(crate) fn check_rank(rank: usize) -> Result<()> {
    match rank {
        1..=MAX_RANK => Ok(()),
        _ => invalid!("a layout has 1 to {MAX_RANK} dims, found {rank}"),
    }
}

fn check_window(d: usize, window: &mut Window) -> Result<()> {
    let name = dim_name(d);
    let parts = [
        ("extent", window.n),
        ("lower margin", window.lower),
        ("upper margin", window.upper),
        ("start in its parent", window.before),
        ("rest of its parent", window.after),
    ];
    let mut extent = 0isize;
    for (what, value) in parts {
        if value < 0 {
            return invalid!("the {what} of dim {name} is {value}, less than 0");
        }
        extent = match extent.checked_add(value) {
            Some(sum) => sum,
            None => return too_large(format_args!("dim {name} and what lies around it")),
        };
    }
    match window.fixed {
        Some(fixed) if fixed < extent => {
            return invalid!("dim `{name}` is fixed to `{fixed}` elements, less than its {extent}");
        }
        Some(_) if extent == 0 => window.fixed = None,
        _ => {}
    }
    // Reversing one element, or none, changes nothing.
    window.reversed &= window.extent() > 1;
    Ok(())
}

/// Fixes the axis' extent and the radix of its top digit.
fn settle_extent(axis: &mut AxisParts, windows: &[Window]) -> Result<()> {
    let stored = axis
        .dims
        .iter()
        .try_fold(1isize, |product, &d| product.checked_mul(windows[d as usize].extent()));
    let name = || axis.dims.iter().map(|&d| dim_name(d as usize)).collect::<String>();
    let Some(stored) = stored else {
        return too_large(format_args!("dims {} as one", name()));
    };
    let (_, rest) = axis.digits.split_last().expect("an axis has a digit");
    let Some(unit) =
        rest.iter().try_fold(1isize, |product, digit| product.checked_mul(digit.radix))
    else {
        return too_large(format_args!("the blocks of dim {}", name()));
    };
    if stored == 0 {
        axis.extent = 0;
    }
    if axis.extent < stored || axis.extent % unit != 0 {
        return invalid!(
            "dim {} is stored with {} elements, which must be at least {stored} and a multiple of {unit}",
            name(),
            axis.extent
        );
    }
    axis.digits.last_mut().expect("an axis has a digit").radix = axis.extent / unit;
    Ok(())
}

/// How far it is to the other end of a reversed dim that a negative stride can say, which none can of some.
fn far_end(axis: &AxisParts, windows: &[Window], rows: bool) -> Option<i128> {
    let (&[d], [digit]) = (axis.dims.as_slice(), axis.digits.as_slice()) else {
        return None;
    };
    let window = &windows[d as usize];
    let can =
        window.reversed && axis.extent == window.extent() && !rows && digit.stride != isize::MIN;
    can.then(|| (axis.extent as i128 - 1) * digit.stride as i128)
}

/// The footprint, counted as if nothing overlapped, must be countable.
fn check_count(layout: &Layout) -> Result<()> {
    let cells = layout.axes().try_fold(layout.dtype.size() as isize, |product, (axis, _)| {
        let owned = axis.dims.iter().try_fold(1isize, |n, &d| {
            n.checked_mul(layout.windows[d as usize].owned().len() as isize)
        })?;
        // Of a region that reaches a parent's end only the tail behind it, and not what is before it.
        let tail = match layout.owns_tail(axis) {
            true => axis.extent - layout.stored_extent(axis),
            false => 0,
        };
        product.checked_mul(owned.checked_add(tail)?.max(1))
    });
    match cells {
        Some(_) => Ok(()),
        None => too_large(format_args!("all elements of {}", extents(layout))),
    }
}

fn span(layout: &Layout) -> Result<Span> {
    if layout.is_empty() {
        return Ok(Span { least: 0, greatest: -1 });
    }
    let mut sum = Some((layout.base as i128, layout.base as i128));
    for (axis, digits) in layout.axes() {
        sum = place::add(sum, axis_reach(layout, axis, digits)?);
    }
    let Some((least, greatest)) = sum else {
        return too_large(format_args!("the last element of {}", extents(layout)));
    };
    if least < 0 {
        return invalid!("the least offset of the layout is {least}, less than 0");
    }
    let beyond = 1 + layout.row.map_or(0, |row| layout.row_end(row) as i128);
    // The greatest may be the last that an i128 can say.
    let end = greatest.checked_add(beyond);
    let bytes = end.and_then(|end| end.checked_mul(layout.dtype.size() as i128));
    let known = bytes.is_some_and(|bytes| isize::try_from(bytes).is_ok()) && least <= greatest;
    match (isize::try_from(least), isize::try_from(greatest)) {
        (Ok(least), Ok(greatest)) if known => Ok(Span { least, greatest }),
        _ => too_large(format_args!("the last byte of {}", extents(layout))),
    }
}

/// The type, the dims and where they start, for somebody who is told that they are too large; and padding and steps, if
/// it is not the dims that are.
fn extents(layout: &Layout) -> String {
    let text = |dims: &[usize]| dims.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    let (dims, padded) = (layout.dims(), layout.padded_dims());
    let mut text_of_all = format!("{} {}", layout.dtype, text(dims));
    let mut add = |what: fmt::Arguments<'_>| text_of_all.push_str(&what.to_string());
    if padded != dims && !layout.is_empty() {
        add(format_args!(" padded to {}", text(&padded)));
    }
    if layout.base != 0 {
        add(format_args!(" from offset {} on", layout.base));
    }
    if layout.is_empty() {
        add(format_args!(", 0 counted as 1"));
    }
    let steps = layout.axes().flat_map(|(axis, digits)| digits.iter().map(move |one| (axis, one)));
    let furthest = steps.max_by_key(|(_, digit)| digit.stride.unsigned_abs());
    let count = padded.iter().try_fold(1usize, |count, &extent| count.checked_mul(extent.max(1)));
    if let (Some((axis, digit)), Some(count)) = (furthest, count)
        && digit.stride.unsigned_abs() > count
    {
        let name = axis_name(axis);
        add(format_args!(", with steps of {} along dim {name}", digit.stride));
    }
    text_of_all
}

/// How far the positions that the layout owns along an axis reach.
fn axis_reach(layout: &Layout, axis: &Axis, digits: &[Digit]) -> Result<place::Reach> {
    let (inner, outer) = axis.dims.split_last().expect("an axis has a dim");
    let window = |d: &u8| &layout.windows[*d as usize];
    let stored = layout.stored_extent(axis);
    let tail = layout.owns_tail(axis) && stored < axis.extent;
    let whole = outer.iter().all(|d| window(d).owned() == (0..window(d).extent()));
    if outer.is_empty() || (whole && window(inner).owned() == (0..window(inner).extent())) {
        let owned = window(inner).owned();
        let first = if outer.is_empty() { owned.start } else { 0 };
        let last = match (tail, outer.is_empty()) {
            (true, _) => axis.extent,
            (false, true) => owned.end,
            (false, false) => stored,
        };
        return Ok(place::reach(digits, first, last - 1));
    }
    let mut reach = None;
    for start in merged_starts(layout, axis, digits)? {
        let owned = window(inner).owned();
        let run = place::reach(digits, start + owned.start, start + owned.end - 1);
        reach = Some(reach.map_or(run, |so_far| place::either(so_far, run)));
    }
    let reach = reach.unwrap_or(None);
    if tail {
        return Ok(place::either(reach, place::reach(digits, stored, axis.extent - 1)));
    }
    Ok(reach)
}

/// Where the runs along the innermost dim of a merged axis start, as far as they can be extremes.
///
/// Stepping one of the outer dims by its period changes the top digit alone, so among positions
/// that far apart only the first and the last can reach furthest.
fn merged_starts(layout: &Layout, axis: &Axis, digits: &[Digit]) -> Result<Vec<isize>> {
    let unit: isize = digits[..digits.len() - 1].iter().map(|d| d.radix).product();
    let mut starts = vec![0isize];
    let mut weight =
        axis.dims.iter().map(|&d| layout.windows[d as usize].extent()).product::<isize>();
    let (_, outer) = axis.dims.split_last().expect("an axis has a dim");
    for &d in outer {
        let window = &layout.windows[d as usize];
        weight /= window.extent();
        let owned = window.owned();
        let period = unit / gcd(weight, unit);
        let ends = if owned.len() as isize / 2 > period { period } else { owned.len() as isize };
        let rest = (owned.start + ends).max(owned.end - ends)..owned.end;
        // Counted before they are listed: there may be more than memory has room for.
        let count = ends as usize + rest.len();
        if starts.len().saturating_mul(count) > MERGED_POSITIONS {
            let name = axis_name(axis);
            return Err(Error::Unsupported(format!(
                "a region of the merged dims {name} this large"
            )));
        }
        let positions: Vec<isize> = (owned.start..owned.start + ends).chain(rest).collect();
        starts = (starts.iter())
            .flat_map(|&start| positions.iter().map(move |&p| start + p * weight))
            .collect();
    }
    Ok(starts)
}

pub(crate) fn too_large<T>(what: impl fmt::Display) -> Result<T> {
    invalid!("{what}: that is more than an address can say, which ends at {}", isize::MAX)
}

pub(crate) fn gcd(a: isize, b: isize) -> isize {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}

/// `None` where it overflows.
pub(crate) fn lcm(a: isize, b: isize) -> Option<isize> {
    (a / gcd(a, b).max(1)).checked_mul(b)
}

/// The least multiple of `unit` that is at least `n`; `None` where it overflows.
pub(crate) fn round_up(n: isize, unit: isize) -> Option<isize> {
    match n % unit {
        0 => Some(n),
        over => n.checked_add(unit - over),
    }
}
