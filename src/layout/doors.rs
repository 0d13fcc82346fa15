//! The other ways in: strides, a pointer's byte strides, oneDNN's and clDNN's descriptors. In: numbers
//! as those libraries hold them. Out: layouts.

use arrayvec::ArrayVec;

use super::build::{AxisParts, Parts, too_large};
use super::format::{Format, Options};
use super::{Digit, Layout, Window, dim_name, names};
use crate::error::invalid;
use crate::{DType, Error, Result};

/// oneDNN's blocking descriptor, as `dnnl_memory_desc_query` gives it.
#[derive(Clone, Copy, Debug)]
pub struct Blocking<'a> {
    /// Logical extents.
    pub dims: &'a [usize],
    /// Extents with padding, multiples of the blocks.
    pub padded_dims: &'a [usize],
    /// Outer strides in elements.
    pub strides: &'a [isize],
    /// Sizes of the inner blocks, outermost first.
    pub inner_sizes: &'a [usize],
    /// The dim of each inner block.
    pub inner_dims: &'a [usize],
    /// `offset0`, in elements.
    pub offset: isize,
}

/// clDNN's description of a memory: `cldnn_layout` with its padding.
#[derive(Clone, Copy, Debug)]
pub struct ClDnn<'a> {
    /// `cldnn_data_type`: the size in bytes, plus 0x80 for floats and 0x40 for unsigned types.
    pub data_type: usize,
    /// The format.
    pub format: ClDnnFormat<'a>,
    /// Sizes in the order b, f, x, y (then z, w, ..), missing ones 1.
    pub size: &'a [usize],
    /// Padding before each, in the same order, missing ones 0.
    pub lower: &'a [usize],
    /// Padding behind each, in the same order, missing ones 0.
    pub upper: &'a [usize],
    /// What the padding is filled with.
    pub fill: f32,
}

/// A clDNN format, by the enumerator of its first API or by name.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum ClDnnFormat<'a> {
    /// `cldnn_format_type`.
    Code(i32),
    /// Without the prefix `cldnn_format_`.
    Name(&'a str),
}

/// The enumerators of `cldnn_format_type`, from 0 on.
const CLDNN_FORMATS: [&str; 12] = [
    "yxfb",
    "byxf",
    "bfyx",
    "fyxb",
    "os_iyx_osv16",
    "bs_xs_xsv8_bsv8",
    "bs_xs_xsv8_bsv16",
    "bs_x_bsv16",
    "bf8_xy16",
    "image_2d_weights_c4_fyx_b",
    "image_2d_weights_c1_b_fyx",
    "format_num",
];

/// `cldnn_data_type` and our types.
const CLDNN_TYPES: [(usize, DType); 6] = [
    (0x01, DType::S8),
    (0x41, DType::U8),
    (0x82, DType::F16),
    (0x84, DType::F32),
    (0x04, DType::S32),
    (0x08, DType::S64),
];

impl Layout {
    /// Dense, the last dim innermost.
    pub fn row_major(dtype: DType, dims: &[usize]) -> Result<Layout> {
        dense(dtype, dims, 0..dims.len())
    }

    /// Dense, the first dim innermost.
    pub fn col_major(dtype: DType, dims: &[usize]) -> Result<Layout> {
        dense(dtype, dims, (0..dims.len()).rev())
    }

    /// Strides in elements, one for each dim, of any sign; `offset` is that of element 0.
    pub fn strided(
        dtype: DType,
        dims: &[usize],
        strides: &[isize],
        offset: isize,
    ) -> Result<Layout> {
        if strides.len() != dims.len() {
            return invalid!("{} strides given for {} dims", strides.len(), dims.len());
        }
        let options = Options { offset, ..Options::default() };
        super::build::check_rank(dims.len())?;
        Format::strided(strides).lay_out(dtype, dims, &options)
    }

    /// Strides in bytes from a pointer to element 0, as NumPy, DLPack and MegEngine have them.
    ///
    /// The layout starts at the lowest element; the second value is how many bytes that is before
    /// the pointer.
    ///
    /// ```
    /// # use retile::{DType, Layout};
    /// // a[::-1] of four floats
    /// let (layout, before) = Layout::byte_strided(DType::F32, &[4], &[-4])?;
    /// assert_eq!((layout.offset_of(&[0])?, before), (3, 12));
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn byte_strided(
        dtype: DType,
        dims: &[usize],
        strides: &[isize],
    ) -> Result<(Layout, usize)> {
        super::build::check_rank(dims.len())?;
        if strides.len() != dims.len() {
            return invalid!("{} strides given for {} dims", strides.len(), dims.len());
        }
        let size = dtype.size() as isize;
        let (mut elements, mut before) = (Vec::with_capacity(dims.len()), 0isize);
        for (d, (&n, &stride)) in dims.iter().zip(strides).enumerate() {
            if stride % size != 0 && n > 1 && !dims.contains(&0) {
                let name = dim_name(d);
                return invalid!(
                    "the stride of dim {name} is {stride} bytes, not a multiple of {dtype}'s {size}"
                );
            }
            // The stride of a single element, or of none, is never taken.
            let stride = stride / size;
            elements.push(stride);
            if stride < 0 && !dims.contains(&0) {
                let back = isize::try_from(n - 1).ok().and_then(|steps| steps.checked_mul(stride));
                let Some(sum) = back.and_then(|back| before.checked_sub(back)) else {
                    let name = dim_name(d);
                    return too_large(format_args!(
                        "{n} elements of dim {name} by {stride} times {size} bytes"
                    ));
                };
                before = sum;
            }
        }
        let layout = Layout::strided(dtype, dims, &elements, before)?;
        Ok((layout, before as usize * dtype.size()))
    }

    /// A layout from oneDNN's blocking descriptor. Strides wider than dense and padded dims beyond
    /// the blocks' are taken as they are.
    pub fn blocked(dtype: DType, desc: &Blocking<'_>) -> Result<Layout> {
        let rank = desc.dims.len();
        super::build::check_rank(rank)?;
        if desc.padded_dims.len() != rank || desc.strides.len() != rank {
            let (padded, strides) = (desc.padded_dims.len(), desc.strides.len());
            return invalid!("{padded} padded dims and {strides} strides given for {rank} dims");
        }
        if desc.inner_sizes.len() != desc.inner_dims.len() {
            let (sizes, dims) = (desc.inner_sizes.len(), desc.inner_dims.len());
            return invalid!("{sizes} inner sizes given for {dims} inner dims");
        }
        let (mut windows, mut axes) = (Vec::with_capacity(rank), Vec::with_capacity(rank));
        for d in 0..rank {
            let (n, padded) = (isize::try_from(desc.dims[d]), isize::try_from(desc.padded_dims[d]));
            let (Ok(n), Ok(padded)) = (n, padded) else {
                let (name, n, padded) = (dim_name(d), desc.dims[d], desc.padded_dims[d]);
                return too_large(format_args!("dim {name} of {n} in {padded}"));
            };
            if padded < n {
                return invalid!(
                    "dim {} has {padded} padded elements, less than its {n}",
                    dim_name(d)
                );
            }
            windows.push(Window::plain(n));
            let dims = ArrayVec::from_iter([d as u8]);
            axes.push(AxisParts { dims, extent: padded, digits: Vec::new() });
        }
        let mut running = 1isize;
        for (&size, &d) in desc.inner_sizes.iter().zip(desc.inner_dims).rev() {
            if d >= rank || size < 1 {
                return invalid!("an inner block of {size} elements of dim {d}, of {rank} dims");
            }
            let radix = isize::try_from(size).ok();
            let next = radix.and_then(|radix| Some((radix, running.checked_mul(radix)?)));
            let Some((radix, next)) = next else {
                let sizes = desc.inner_sizes;
                return too_large(format_args!("inner blocks of {sizes:?} elements"));
            };
            axes[d].digits.push(Digit { radix, stride: running });
            running = next;
        }
        for (axis, &stride) in axes.iter_mut().zip(desc.strides) {
            axis.digits.push(Digit { radix: 0, stride });
        }
        Parts { dtype, windows, axes, base: desc.offset, fill: 0.0, row: None }.assemble()
    }

    /// A layout from clDNN's description.
    ///
    /// Sizes a format has no letter for must be 1; the formats of fully connected weights flatten
    /// f, y and x into their x.
    pub fn cldnn(desc: &ClDnn<'_>) -> Result<Layout> {
        let Some(&(_, dtype)) = CLDNN_TYPES.iter().find(|row| row.0 == desc.data_type) else {
            return Err(Error::Unsupported(format!("clDNN's data type {:#x}", desc.data_type)));
        };
        let name = match desc.format {
            ClDnnFormat::Name(name) => name,
            ClDnnFormat::Code(-1) => "any",
            ClDnnFormat::Code(code) => {
                let known = usize::try_from(code).ok().and_then(|code| CLDNN_FORMATS.get(code));
                let Some(name) = known else {
                    return invalid!("clDNN has no format {code}");
                };
                name
            }
        };
        let (format, letters) = names::cldnn(name)?;
        let dims = by_letter(&letters, "size", desc.size, 1)?;
        let list = |what: &str, sizes: &[usize]| -> Result<Option<Vec<isize>>> {
            let list = by_letter(&letters, what, sizes, 0)?.into_iter().map(|n| {
                isize::try_from(n).or_else(|_| too_large(format_args!("a {what} margin of {n}")))
            });
            Ok(Some(list.collect::<Result<_>>()?))
        };
        let (lower, upper) = (list("lower", desc.lower)?, list("upper", desc.upper)?);
        let options = Options { lower, upper, fill: desc.fill, ..Options::default() };
        format.lay_out(dtype, &dims, &options)
    }
}

fn dense(
    dtype: DType,
    dims: &[usize],
    outermost_first: impl ExactSizeIterator<Item = usize>,
) -> Result<Layout> {
    super::build::check_rank(dims.len())?;
    let format = Format::plain(outermost_first.map(|d| (d, None)));
    format.lay_out(dtype, dims, &Options::default())
}

/// clDNN's sizes, or margins, in the order of a format's letters. `none` is what a missing one is.
///
/// Weights keep their output and input channels in b and f.
fn by_letter(letters: &str, what: &str, sizes: &[usize], none: usize) -> Result<Vec<usize>> {
    const ORDER: [&str; 6] = ["bo", "fi", "x", "y", "z", "w"];
    let size = |at: usize| sizes.get(at).copied().unwrap_or(none);
    let mut taken = 0u32;
    let mut dims = Vec::with_capacity(letters.len());
    for letter in letters.chars() {
        let Some(at) = ORDER.iter().position(|names| names.contains(letter)) else {
            return Err(Error::Unsupported(format!("a size of clDNN for the dim {letter}")));
        };
        taken |= 1 << at;
        dims.push(size(at));
    }
    for at in 0..sizes.len() {
        let named = ORDER.get(at).is_some_and(|_| taken >> at & 1 == 1);
        if named || size(at) == none {
            continue;
        }
        // Neurons by flattened inputs: x is f, y and x in one.
        let Some(x) = letters.find('x').filter(|_| letters == "bx" && none == 1) else {
            let size = size(at);
            return invalid!("{what} {at} is {size}, and the format has no dim for it");
        };
        dims[x] = match dims[x].checked_mul(size(at)) {
            Some(flat) => flat,
            None => return too_large(format_args!("{} times {}", dims[x], size(at))),
        };
    }
    Ok(dims)
}
