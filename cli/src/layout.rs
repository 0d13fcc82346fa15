//! `retile layout`: everything there is to say about a layout. In: a layout. Out: a report, plain data
//! that prints as text and serializes as JSON.

mod text;

pub(crate) use text::{count, counted, share, spell};

use retile::{DigitView, Layout};
use serde::{Serialize, Serializer};

use crate::memory::Memory;

/// What is said, in the order it is said in.
#[derive(Serialize)]
pub(crate) struct Report {
    layout: String,
    dtype: &'static str,
    element_bytes: usize,
    dims: Vec<usize>,
    padded_dims: Vec<usize>,
    elements: usize,
    size_elements: usize,
    size_bytes: usize,
    offset: isize,
    lower: Vec<usize>,
    upper: Vec<usize>,
    #[serde(serialize_with = "number_or_text")]
    fill: f32,
    padding: Padding,
    dense: bool,
    region: bool,
    destination: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    destination_fault: Option<String>,
    strides: Option<Vec<isize>>,
    leading_dimension: Option<isize>,
    digits: Vec<Digit>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<Place>,
}

/// Of the footprint: all cells that the layout owns.
#[derive(Serialize)]
struct Padding {
    cells: usize,
    margins: usize,
    tails: usize,
    margin_percent: f64,
    tail_percent: f64,
}

#[derive(Serialize)]
struct Digit {
    digit: String,
    dims: Vec<usize>,
    divisor: usize,
    radix: usize,
    stride: isize,
    stride_bytes: i128,
}

/// Where an element lies.
#[derive(Serialize)]
pub(crate) struct Place {
    coords: Vec<isize>,
    pub(crate) offset: usize,
    byte: usize,
    margin: bool,
}

impl Report {
    pub(crate) fn of(layout: &Layout, at: Option<Place>) -> Report {
        let counts = Memory::of(layout).counts;
        let percent = |part: usize| match counts.all() {
            0 => 0.0,
            all => part as f64 * 100.0 / all as f64,
        };
        let ends = |end: fn(&Layout, usize) -> usize| -> Vec<usize> {
            (0..layout.rank()).map(|d| end(layout, d)).collect()
        };
        let digits = layout.digits();
        let fault = layout.check_destination().err();
        let bytes = layout.dtype().size();
        Report {
            layout: layout.to_string(),
            dtype: layout.dtype().name(),
            element_bytes: bytes,
            dims: layout.dims().to_vec(),
            padded_dims: layout.padded_dims(),
            elements: layout.elements(),
            size_elements: layout.size_elements(),
            size_bytes: layout.size_bytes(),
            offset: layout.offset(),
            lower: ends(Layout::lower),
            upper: ends(Layout::upper),
            fill: layout.fill(),
            padding: Padding {
                cells: counts.all(),
                margins: counts.margins,
                tails: counts.tails,
                margin_percent: percent(counts.margins),
                tail_percent: percent(counts.tails),
            },
            dense: layout.is_dense(),
            region: layout.is_region(),
            destination: fault.is_none(),
            destination_fault: fault.map(|fault| fault.to_string()),
            strides: layout.strides(),
            leading_dimension: layout.leading_dimension(),
            digits: digits.iter().map(|digit| Digit::of(digit, bytes)).collect(),
            at,
        }
    }
}

impl Digit {
    fn of(digit: &DigitView, bytes: usize) -> Digit {
        Digit {
            digit: spell(digit),
            dims: digit.dims.clone(),
            divisor: digit.divisor,
            radix: digit.radix,
            stride: digit.stride,
            stride_bytes: digit.stride as i128 * bytes as i128,
        }
    }
}

impl Place {
    pub(crate) fn of(layout: &Layout, coords: &[isize]) -> retile::Result<Place> {
        let offset = layout.offset_of(coords)?;
        let inside = |(&i, &n): (&isize, &usize)| (0..n as isize).contains(&i);
        Ok(Place {
            coords: coords.to_vec(),
            offset,
            byte: offset * layout.dtype().size(),
            margin: !coords.iter().zip(layout.dims()).all(inside),
        })
    }
}

/// JSON has no word for what is not finite.
fn number_or_text<S: Serializer>(value: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    match value.is_finite() {
        true => serializer.serialize_f32(*value),
        false => serializer.collect_str(value),
    }
}
