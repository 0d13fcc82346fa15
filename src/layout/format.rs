//! A format: how dims are placed, whatever their extents. In: a tag, a name's row or a text. Out: with
//! an element type, extents and options, a layout.

use std::cmp::Reverse;
use std::fmt;

use arrayvec::ArrayVec;

use super::build::{AxisParts, Parts, lcm, round_up, too_large};
use super::{Axis, Digit, Layout, MAX_DIGITS, MAX_RANK, Row, Window, dim_name};
use crate::error::invalid;
use crate::{DType, Error, Result};

/// Axes and digits without extents. Every name and tag is one of these.
#[derive(Clone, Debug, Default)]
pub(crate) struct Format {
    /// A letter for each logical dim, in logical order.
    pub(crate) letters: ArrayVec<char, MAX_RANK>,
    pub(crate) axes: Vec<FormatAxis>,
    /// Outermost first.
    pub(crate) digits: Vec<FormatDigit>,
    /// The digits from here on lie inside a row, whose length is rounded up to the pitch.
    pub(crate) mark: Option<usize>,
    pub(crate) fixed: Vec<(usize, isize)>,
    pub(crate) flipped: u32,
    /// What the format needs of an extent.
    pub(crate) needs: Option<Need>,
}

/// An extent that a name is only defined for multiples of, and why.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Need {
    pub(crate) name: &'static str,
    pub(crate) d: usize,
    pub(crate) multiple: isize,
    pub(crate) reason: &'static str,
}

#[derive(Clone, Debug)]
pub(crate) struct FormatAxis {
    pub(crate) dims: ArrayVec<u8, MAX_RANK>,
    pub(crate) align: isize,
}

/// `axis % modulus / divisor @ stride`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FormatDigit {
    pub(crate) axis: usize,
    pub(crate) modulus: Option<isize>,
    pub(crate) divisor: isize,
    pub(crate) stride: Option<isize>,
}

/// A digit of a format with its extent and stride in a layout.
type Placed = (FormatDigit, Digit);

/// What a text says behind the extents.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    pub(crate) offset: isize,
    pub(crate) lower: Option<Vec<isize>>,
    pub(crate) upper: Option<Vec<isize>>,
    pub(crate) fill: f32,
    /// A parent's extents, and where we start in it.
    pub(crate) parent: Option<(Vec<isize>, Vec<isize>)>,
    pub(crate) pitch: Option<isize>,
}

impl Format {
    pub(crate) fn rank(&self) -> usize {
        self.letters.len()
    }

    /// One stride a dim.
    pub(crate) fn strided(strides: &[isize]) -> Format {
        Format::plain(strides.iter().map(|&stride| Some(stride)).enumerate())
    }

    /// A digit for each dim, outermost first, with the stride it is given or the running one.
    pub(crate) fn plain(digits: impl ExactSizeIterator<Item = (usize, Option<isize>)>) -> Format {
        let mut format = Format::default();
        for d in 0..digits.len() {
            format.letters.push(dim_name(d));
            format.axes.push(FormatAxis { dims: ArrayVec::from_iter([d as u8]), align: 1 });
        }
        let digit = |(axis, stride)| FormatDigit { axis, modulus: None, divisor: 1, stride };
        format.digits.extend(digits.map(digit));
        format
    }

    /// The digits of each axis must tile it: the top of one is the modulus of the next.
    pub(crate) fn check(&self) -> Result<()> {
        for (a, axis) in self.axes.iter().enumerate() {
            let name: String = axis.dims.iter().map(|&d| self.letters[d as usize]).collect();
            let mut digits: Vec<_> = self.digits.iter().filter(|digit| digit.axis == a).collect();
            digits.sort_by_key(|digit| (digit.divisor, digit.modulus.is_none(), digit.modulus));
            let mut reached = Some(1);
            for digit in digits {
                if Some(digit.divisor) != reached {
                    let found = digit.divisor;
                    return match reached {
                        Some(at) => invalid!(
                            "the digits of `{name}` must tile it: {name}/{found} follows on {name}%{at}"
                        ),
                        None => {
                            invalid!(
                                "the digits of `{name}` must tile it: two of them have no modulus"
                            )
                        }
                    };
                }
                reached = digit.modulus;
            }
            match reached {
                None => {}
                Some(1) => return invalid!("a digit must place `{name}`"),
                Some(at) => {
                    return invalid!(
                        "the digits of `{name}` end at {name}%{at}, there must be a digit {name}/{at}"
                    );
                }
            }
        }
        Ok(())
    }

    /// Places the dims: pads, merges, aligns, splits, and gives each digit its stride.
    pub(crate) fn lay_out(
        &self,
        dtype: DType,
        dims: &[usize],
        options: &Options,
    ) -> Result<Layout> {
        if dims.len() != self.rank() {
            let letters: String = self.letters.iter().collect();
            return invalid!("a layout of {} dims ({letters}), found {}", self.rank(), dims.len());
        }
        super::build::check_rank(dims.len())?;
        let windows = self.windows(dims, options)?;
        if let Some(Need { name, d, multiple, reason }) = self.needs
            && windows[d].extent() % multiple != 0
        {
            let (letter, n) = (self.letters[d], windows[d].extent());
            return Err(Error::Unsupported(format!(
                "`{name}` is refused where {letter} is {n}, not a multiple of {multiple}: {reason}"
            )));
        }
        let extents = (self.axes.iter().enumerate())
            .map(|(a, axis)| self.axis_extent(a, axis, &windows))
            .collect::<Option<Vec<isize>>>();
        let Some(extents) = extents else {
            let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
            return too_large(format_args!("dims {} with what lies around them", dims.join("x")));
        };
        let (digits, row) = self.strides(&extents, options.pitch)?;
        let axes = self.axes.iter().zip(&extents).enumerate().map(|(a, (axis, &extent))| {
            let mut own: Vec<_> = digits.iter().filter(|digit| digit.0.axis == a).collect();
            own.sort_by_key(|(digit, at)| {
                // Those of one value are told apart by their strides alone.
                (digit.divisor, digit.modulus.is_none(), digit.modulus, at.stride)
            });
            let digits = own.into_iter().map(|digit| digit.1).collect();
            AxisParts { dims: axis.dims.clone(), extent, digits }
        });
        let axes = axes.collect();
        let (base, fill) = (options.offset, options.fill);
        Parts { dtype, windows, axes, base, fill, row }.assemble()
    }

    fn windows(&self, dims: &[usize], options: &Options) -> Result<Vec<Window>> {
        let mut windows = Vec::with_capacity(dims.len());
        let at = |list: &Option<Vec<isize>>, d: usize| list.as_ref().map_or(0, |list| list[d]);
        for (d, &n) in dims.iter().enumerate() {
            let letter = self.letters[d];
            let Ok(n) = isize::try_from(n) else {
                return too_large(format_args!("{n} elements of dim {letter}"));
            };
            let (lower, upper) = (at(&options.lower, d), at(&options.upper, d));
            let Some(padded) = n.checked_add(lower).and_then(|sum| sum.checked_add(upper)) else {
                return too_large(format_args!(
                    "{n} elements of dim {letter} between margins of {lower} and {upper}"
                ));
            };
            let (before, after) = match &options.parent {
                Some((extents, at)) => {
                    (at[d], extents[d].saturating_sub(at[d]).saturating_sub(padded))
                }
                None => (0, 0),
            };
            if after < 0 {
                let parent = options.parent.as_ref().map_or(0, |(extents, _)| extents[d]);
                return invalid!(
                    "{padded} elements of dim {} from `{before}` on do not fit in a parent's `{parent}`",
                    self.letters[d]
                );
            }
            let fixed = self.fixed.iter().find(|fixed| fixed.0 == d).map(|fixed| fixed.1);
            let reversed = self.flipped >> d & 1 == 1;
            windows.push(Window { n, lower, upper, before, after, fixed, reversed });
        }
        Ok(windows)
    }

    fn axis_extent(&self, a: usize, axis: &FormatAxis, windows: &[Window]) -> Option<isize> {
        let extent = axis.dims.iter().try_fold(1isize, |product, &d| {
            let window = &windows[d as usize];
            let ends = [window.lower, window.n, window.upper, window.before, window.after];
            let natural = ends.iter().try_fold(0isize, |sum, &part| sum.checked_add(part))?;
            product.checked_mul(window.fixed.unwrap_or(natural))
        })?;
        let block = self.digits.iter().filter(|digit| digit.axis == a && digit.modulus.is_none());
        let block = block.map(|digit| digit.divisor).next().unwrap_or(1);
        round_up(extent, lcm(block, axis.align)?)
    }

    /// The strides, from the innermost outwards. An extent of 0 counts as 1, so that strides of an
    /// empty tensor stay what they are for one of one element.
    fn strides(
        &self,
        extents: &[isize],
        pitch: Option<isize>,
    ) -> Result<(Vec<Placed>, Option<Row>)> {
        let mut placed = Vec::with_capacity(self.digits.len());
        // A running stride that overflows is an error where something takes it, and no sooner.
        let (mut running, mut row) = (Some(1isize), None);
        for (i, digit) in self.digits.iter().enumerate().rev() {
            let radix = digit.modulus.unwrap_or(extents[digit.axis]) / digit.divisor;
            let too_far = || {
                let extents: Vec<String> = extents.iter().map(isize::to_string).collect();
                too_large(format_args!("a stride around some of {}", extents.join("x")))
            };
            let Some(stride) = digit.stride.or(running) else { return too_far() };
            placed.push((*digit, Digit { radix, stride }));
            running = stride.checked_mul(radix.max(1));
            if self.mark == Some(i) {
                let Some(inner) = running else { return too_far() };
                let (rounded, found) = round_row(inner, pitch)?;
                (running, row) = (Some(rounded), found);
            }
        }
        if self.mark == Some(self.digits.len()) {
            let count = self.digits.len();
            return invalid!("a row pitch mark behind all {count} digits has none inside its row");
        }
        if let (None, Some(pitch)) = (self.mark, pitch) {
            return invalid!("`pitch={pitch}` needs a format with a row pitch mark `|`");
        }
        Ok((placed, row))
    }

    /// The digits of a layout, in the order and with the marks that say it best.
    pub(crate) fn of(layout: &Layout) -> Format {
        let mut format = Format::default();
        format.letters.extend((0..layout.rank()).map(dim_name));
        for (axis, own) in layout.axes() {
            let inner: isize = own[..own.len() - 1].iter().map(|digit| digit.radix).product();
            let aligned = round_up(layout.stored_extent(axis), inner) != Some(axis.extent);
            let align = if aligned { axis.extent } else { 1 };
            format.axes.push(FormatAxis { dims: axis.dims.clone(), align });
        }
        for (d, window) in layout.windows().iter().enumerate() {
            format.fixed.extend(window.fixed.map(|fixed| (d, fixed)));
            format.flipped |= (window.reversed as u32) << d;
        }
        let mut digits = ordered(layout);
        let mut running = Some(1isize);
        for (i, (digit, at)) in digits.iter_mut().enumerate().rev() {
            if Some(at.stride) == running {
                digit.stride = None;
            }
            running = at.stride.checked_mul(at.radix.max(1));
            if let (None, Some(row)) = (format.mark, layout.row)
                && running == Some(row.inner)
            {
                format.mark = Some(i);
                running = row.inner.checked_add(row.slack);
            }
        }
        format.digits = digits.into_iter().map(|digit| digit.0).collect();
        format
    }
}

/// One digit of a layout: `axis % (divisor * radix) / divisor`, and where its steps lead.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DigitView {
    /// The dims of its axis, several where they are merged.
    pub dims: Vec<usize>,
    /// How many positions of the axis one step of it stands for.
    pub divisor: usize,
    /// How many values it takes.
    pub radix: usize,
    /// Elements between two of its values.
    pub stride: isize,
    /// Whether it is the axis' outermost digit.
    pub top: bool,
}

impl Layout {
    /// The digits in memory order, outermost first.
    pub fn digits(&self) -> Vec<DigitView> {
        let axes: Vec<&Axis> = self.axes().map(|(axis, _)| axis).collect();
        let view = |(digit, at): Placed| DigitView {
            dims: axes[digit.axis].dims.iter().map(|&d| d as usize).collect(),
            divisor: digit.divisor as usize,
            radix: at.radix as usize,
            stride: at.stride,
            top: digit.modulus.is_none(),
        };
        ordered(self).into_iter().map(view).collect()
    }
}

/// The digits of a layout in memory order, outermost first; what takes no room stands outside what
/// does.
fn ordered(layout: &Layout) -> ArrayVec<Placed, MAX_DIGITS> {
    let mut digits = ArrayVec::new();
    for (axis, (_, own)) in layout.axes().enumerate() {
        let mut divisor = 1;
        for (i, &digit) in own.iter().enumerate() {
            let modulus = (i + 1 < own.len()).then_some(divisor * digit.radix);
            digits
                .push((FormatDigit { axis, modulus, divisor, stride: Some(digit.stride) }, digit));
            divisor = modulus.unwrap_or(divisor);
        }
    }
    digits.sort_by_key(|(digit, at)| {
        let stride = at.stride.unsigned_abs();
        let outside = Reverse((stride == 0, stride, at.radix.max(1)));
        (outside, digit.axis, Reverse((digit.divisor, digit.modulus.is_none(), digit.modulus)))
    });
    digits
}

impl Options {
    /// What a text of this layout says behind the extents.
    pub(crate) fn of(layout: &Layout) -> Options {
        let list = |get: fn(&Window) -> isize| -> Option<Vec<isize>> {
            let list: Vec<isize> = layout.windows().iter().map(get).collect();
            list.iter().any(|&v| v != 0).then_some(list)
        };
        let parent = layout.is_region().then(|| {
            let extents = |w: &Window| w.before + w.padded() + w.after;
            let windows = layout.windows();
            (windows.iter().map(extents).collect(), windows.iter().map(|w| w.before).collect())
        });
        Options {
            offset: layout.base,
            lower: list(|w| w.lower),
            upper: list(|w| w.upper),
            fill: layout.fill(),
            parent,
            pitch: layout.row.map(|row| row.inner + row.slack),
        }
    }
}

fn round_row(inner: isize, pitch: Option<isize>) -> Result<(isize, Option<Row>)> {
    let pitch = pitch.unwrap_or(1);
    if pitch < 1 {
        return invalid!("a row pitch of {pitch}, less than 1");
    }
    if inner < 1 {
        return invalid!("a row of {inner} elements has no pitch");
    }
    match round_up(inner, pitch) {
        Some(rounded) => Ok((rounded, Some(Row { inner, slack: rounded - inner }))),
        None => too_large(format_args!("a row of {inner} elements with a pitch of {pitch}")),
    }
}

/// `digits(ab; a/16 b a%16)`.
impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = |a: usize| -> String {
            self.axes[a].dims.iter().map(|&d| self.letters[d as usize]).collect()
        };
        write!(f, "digits({};", self.letters.iter().collect::<String>())?;
        for (i, digit) in self.digits.iter().enumerate() {
            if self.mark == Some(i) {
                f.write_str(" |")?;
            }
            write!(f, " {}", name(digit.axis))?;
            if let Some(modulus) = digit.modulus {
                write!(f, "%{modulus}")?;
            }
            if digit.divisor != 1 {
                write!(f, "/{}", digit.divisor)?;
            }
            if let Some(stride) = digit.stride {
                write!(f, "@{stride}")?;
            }
        }
        let mut lead = "; align";
        for (a, axis) in self.axes.iter().enumerate().filter(|(_, axis)| axis.align != 1) {
            write!(f, "{lead} {}:{}", name(a), axis.align)?;
            lead = "";
        }
        lead = "; fix";
        for &(d, extent) in &self.fixed {
            write!(f, "{lead} {}:{extent}", self.letters[d])?;
            lead = "";
        }
        lead = "; flip";
        for d in (0..self.rank()).filter(|d| self.flipped >> d & 1 == 1) {
            write!(f, "{lead} {}", self.letters[d])?;
            lead = "";
        }
        f.write_str(")")
    }
}
