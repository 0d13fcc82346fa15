//! Conversions drawn at random over what a text can say. In: a generator. Out: pairs of layouts of the
//! same dims, with attributes; errors where the library refuses what was drawn.

use retile::{DType, Layout, dtype::convert, known_names};

use crate::draw::Draw;
use crate::failure::Failure;
use crate::pair::Pair;

/// About so many elements at the most, and no layout of more cells and gaps than that.
const ELEMENTS: usize = 12_000;
const FURTHEST: usize = 1 << 17;

const RANKS: usize = 6;

const BLOCKS: [usize; 14] = [1, 1, 2, 3, 4, 5, 7, 8, 12, 16, 24, 32, 48, 64];

/// Names by the rank that they have.
pub(super) struct Formats([Vec<String>; RANKS + 1]);

impl Formats {
    /// All that the library knows.
    pub(super) fn known() -> Formats {
        let mut formats = Formats(Default::default());
        for name in known_names() {
            for family in name.families.split(',') {
                let text = format!("{family}/{}", name.name);
                // A name has one rank, and tells it by what it refuses.
                let fits = |&rank: &usize| Layout::named(DType::U8, &text, &vec![2; rank]).is_ok();
                if let Some(rank) = (1..=RANKS).find(fits) {
                    formats.0[rank].push(text);
                }
            }
        }
        formats
    }
}

/// A pair, which may still be refused.
pub(super) fn pair(draw: &mut Draw, formats: &Formats) -> Result<Pair, Failure> {
    let dims = dims(draw);
    let (from, to) = types(draw);
    let src = side(draw, &dims, from, formats, true)?;
    let dst = side(draw, &dims, to, formats, false)?;
    let words = attributes(draw, from, to, dims.len());
    Pair::new(&src.to_string(), &dst.to_string(), words)
}

/// Extents near the edges of blocks, primes among them.
pub(super) fn dims(draw: &mut Draw) -> Vec<usize> {
    let rank = draw.pick(&[1, 2, 2, 3, 4, 4, 4, 5, 5, 6]);
    let mut dims = vec![1; rank];
    let mut order: Vec<usize> = (0..rank).collect();
    draw.shuffle(&mut order);
    let mut left = if draw.once_in(4) { ELEMENTS } else { ELEMENTS / 8 };
    for d in order {
        let block = draw.pick(&BLOCKS);
        let extent = match draw.below(8) {
            0 => draw.pick(&[1, 2, 3, 13, 17, 31, 61, 127, 251, 509, 1021]),
            1 | 2 => draw.between(1, 9),
            3 => block.saturating_sub(1),
            4 => block + 1,
            5 => 2 * block - 1,
            _ => block,
        };
        dims[d] = extent.clamp(1, left);
        left = (left / dims[d]).max(1);
    }
    if draw.once_in(60) {
        dims[draw.below(rank)] = 0;
    }
    dims
}

/// Mostly the same type twice.
fn types(draw: &mut Draw) -> (DType, DType) {
    let from = draw.pick(&DType::ALL);
    let usual = [DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8];
    let (from, to) = match draw.below(8) {
        0 => (from, draw.pick(&DType::ALL)),
        1 => (draw.pick(&usual), DType::S8),
        2 | 3 => (draw.pick(&usual), draw.pick(&usual)),
        _ => (from, from),
    };
    if convert::allowed(from, to) { (from, to) } else { (from, from) }
}

fn side(
    draw: &mut Draw,
    dims: &[usize],
    dtype: DType,
    formats: &Formats,
    source: bool,
) -> Result<Layout, Failure> {
    let rank = dims.len();
    let mut options = String::new();
    let format = match draw.below(6) {
        0 => letters(draw, rank).into_iter().collect(),
        1 => tag(draw, rank),
        2 | 3 if !formats.0[rank].is_empty() => {
            let names = &formats.0[rank];
            names[draw.below(names.len())].clone()
        }
        4 => strides(draw, dims, source, &mut options),
        _ => digits(draw, rank, &mut options),
    };
    around(draw, dims, &mut options);
    let extents = dims.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    let layout: Layout = format!("{dtype}:{format}:{extents}{options}").parse()?;
    if layout.size_elements() > FURTHEST {
        // More would be slow, not wrong.
        return Ok(Layout::row_major(dtype, dims)?);
    }
    Ok(layout)
}

/// The dims' letters in any order.
fn letters(draw: &mut Draw, rank: usize) -> Vec<char> {
    let mut letters: Vec<char> = ('a'..='z').take(rank).collect();
    draw.shuffle(&mut letters);
    letters
}

/// A tag of up to three blocks.
fn tag(draw: &mut Draw, rank: usize) -> String {
    let mut letters = letters(draw, rank);
    let mut blocks = String::new();
    for _ in 0..draw.between(1, 3) {
        let which = draw.below(rank);
        let size = draw.pick(&[2, 3, 4, 8, 8, 12, 16, 16, 24, 32]);
        blocks += &format!("{size}{}", letters[which].to_ascii_lowercase());
        letters[which] = letters[which].to_ascii_uppercase();
    }
    letters.into_iter().collect::<String>() + &blocks
}

/// Dense ones in any order, some wider, some negative; those of a source also 0, and one of them at times out of turn,
/// so that rows overlap.
fn strides(draw: &mut Draw, dims: &[usize], source: bool, options: &mut String) -> String {
    let mut order: Vec<usize> = (0..dims.len()).collect();
    draw.shuffle(&mut order);
    let mut strides = vec![0isize; dims.len()];
    let mut ends = vec![1];
    for &d in &order {
        let stride = ends[ends.len() - 1] + draw.pick(&[0, 0, 0, 1, 3, 16]);
        strides[d] = match draw.below(8) {
            0 => -stride,
            1 if source => 0,
            _ => stride,
        };
        ends.push(stride * dims[d].max(1) as isize);
    }
    if source && draw.once_in(4) {
        let some = [draw.pick(&ends), draw.pick(&strides), draw.between(1, 40) as isize];
        let step = draw.pick(&some);
        strides[draw.pick(&order)] = step + draw.pick(&[0, 0, 1, -1]);
    }
    let back = |(stride, dim): (&isize, &usize)| stride.min(&0) * dim.saturating_sub(1) as isize;
    let least: isize = strides.iter().zip(dims).map(back).sum();
    if least < 0 {
        *options += &format!(":offset={}", -least);
    }
    let strides = strides.iter().map(isize::to_string).collect::<Vec<_>>().join(",");
    format!("strides({strides})")
}

/// Axes of one or two dims in one to three digits; aligned, flipped, with a row pitch.
fn digits(draw: &mut Draw, rank: usize, options: &mut String) -> String {
    let letters: String = ('a'..='z').take(rank).collect();
    let (mut digits, mut alone) = (Vec::new(), Vec::new());
    let mut at = 0;
    while at < rank {
        let merged = if draw.once_in(5) { 2.min(rank - at) } else { 1 };
        let axis = &letters[at..at + merged];
        if merged == 1 {
            alone.push(axis);
        }
        at += merged;
        let low = draw.pick(&[2, 3, 4, 8, 12, 16, 32]);
        let high = low * draw.pick(&[2, 3, 4]);
        digits.extend(match draw.below(5) {
            0 => vec![
                format!("{axis}/{high}"),
                format!("{axis}%{high}/{low}"),
                format!("{axis}%{low}"),
            ],
            1 | 2 => vec![format!("{axis}/{low}"), format!("{axis}%{low}")],
            _ => vec![axis.to_string()],
        });
    }
    draw.shuffle(&mut digits);
    if digits.len() > 1 && draw.once_in(8) {
        digits.insert(draw.between(1, digits.len() - 1), "|".into());
        *options += &format!(":pitch={}", draw.pick(&[1, 7, 16, 64]));
    }
    let mut text = format!("digits({letters}; {}", digits.join(" "));
    if draw.once_in(6) && !alone.is_empty() {
        text += &format!("; align {}:{}", draw.pick(&alone), draw.pick(&[2, 3, 4, 8]));
    }
    if draw.once_in(6) && !alone.is_empty() {
        text += &format!("; flip {}", draw.pick(&alone));
    }
    text + ")"
}

/// Margins, a larger tensor around them, an offset, a fill.
fn around(draw: &mut Draw, dims: &[usize], options: &mut String) {
    let list = |numbers: &[usize], between: &str| {
        numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(between)
    };
    let mut own = dims.to_vec();
    if draw.once_in(6) {
        for side in ["lower", "upper"] {
            let margins: Vec<usize> = dims.iter().map(|_| draw.pick(&[0, 0, 1, 2])).collect();
            own.iter_mut().zip(&margins).for_each(|(own, margin)| *own += margin);
            *options += &format!(":{side}={}", list(&margins, ","));
        }
        *options += draw.pick(&["", ":fill=1", ":fill=-2.5", ":fill=0.1", ":fill=inf"]);
    }
    if draw.once_in(6) {
        let at: Vec<usize> = dims.iter().map(|_| draw.pick(&[0, 0, 1, 3, 8])).collect();
        let outer = own.iter().zip(&at).map(|(own, at)| own + at + draw.pick(&[0, 0, 1, 5]));
        let outer: Vec<usize> = outer.collect();
        *options += &format!(":in={}:at={}", list(&outer, "x"), list(&at, ","));
    }
    if draw.once_in(6) && !options.contains(":offset") {
        *options += &format!(":offset={}", draw.between(1, 40));
    }
}

/// Any arithmetic that these types take: none half of the time.
fn attributes(draw: &mut Draw, from: DType, to: DType, rank: usize) -> Vec<String> {
    let mut words = Vec::new();
    if !convert::arithmetic_allowed(from, to) || draw.once_in(2) {
        return words;
    }
    let mask = |draw: &mut Draw| match draw.below(4) {
        0 => 0,
        1 => 1 << draw.below(rank),
        2 => draw.below(1 << rank),
        _ => (1 << rank) - 1,
    };
    for name in ["src-scale", "dst-scale", "src-zp", "dst-zp"] {
        if draw.once_in(3) {
            words.push(match mask(draw) {
                0 => format!("--{name}=common"),
                mask => format!("--{name}=mask:{mask}"),
            });
        }
    }
    if to == DType::S8 && draw.once_in(3) {
        let (s8s8, zp) = (mask(draw), mask(draw));
        let kinds = [
            format!("--comp=s8s8:{s8s8}"),
            format!("--comp=zp:{zp}"),
            format!("--comp=s8s8:{s8s8}+zp:{zp}"),
        ];
        words.push(kinds[draw.below(kinds.len())].clone());
    } else if draw.once_in(4) {
        words.push(format!("--sum={}", draw.pick(&["1", "0.5", "-2", "0", "-0", "1e30", "1e-42"])));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_of_what_is_drawn_is_taken_and_all_kinds_are() {
        let formats = Formats::known();
        assert!(formats.0[4].len() > 100 && formats.0[5].len() > 100);
        let mut draw = Draw::new(5);
        let taken: Vec<String> = (0..2000)
            .filter_map(|_| pair(&mut draw, &formats).ok())
            .filter(|pair| pair.sizes().is_ok())
            .map(|pair| pair.to_string())
            .collect();
        assert!(taken.len() > 1000, "{}", taken.len());
        let kinds = [
            "strides(",
            "digits(",
            "flip",
            "align",
            "pitch=",
            ":in=",
            ":lower=",
            ":offset=",
            ":fill=",
            "%16/",
            "--comp",
            "--sum",
            "--dst-zp=mask",
            "strides(-",
            "x1021",
        ];
        for kind in kinds {
            assert!(taken.iter().any(|text| text.contains(kind)), "{kind}");
        }
    }
}
