//! Pairs for oneDNN, drawn at random over what it has words for. In: a generator and its tags. Out: pairs of
//! layouts of the same dims, with attributes; it refuses some of them.

use retile::dtype::convert;
use retile::{DType, Layout};

use crate::check::random::dims;
use crate::draw::Draw;
use crate::failure::Failure;
use crate::pair::Pair;

/// Types that it has.
const TYPES: [DType; 6] = [DType::F32, DType::F16, DType::Bf16, DType::S32, DType::S8, DType::U8];

/// No layout of more elements and gaps than that.
const FURTHEST: usize = 1 << 17;

/// Tags with blocks by rank.
pub(super) struct Tags(Vec<Vec<String>>);

impl Tags {
    pub(super) fn of<'a>(tags: impl Iterator<Item = &'a str>) -> Tags {
        let mut by_rank = vec![Vec::new(); 13];
        for tag in tags {
            let letters = tag.chars().filter(char::is_ascii_alphabetic);
            let rank = letters.map(|c| (c.to_ascii_lowercase() as u8 - b'a') as usize + 1).max();
            if let Some(list) = rank.and_then(|rank| by_rank.get_mut(rank)) {
                list.push(tag.to_string());
            }
        }
        Tags(by_rank)
    }
}

/// A pair, which may still be refused, by us or by oneDNN.
pub(super) fn pair(draw: &mut Draw, tags: &Tags) -> Result<Pair, Failure> {
    let dims = dims(draw);
    let from = draw.pick(&TYPES);
    let to = if draw.once_in(3) { from } else { draw.pick(&TYPES) };
    let src = side(draw, &dims, from, tags, true)?;
    let dst = side(draw, &dims, to, tags, false)?;
    Pair::new(&src.to_string(), &dst.to_string(), attributes(draw, from, to, dims.len()))
}

fn side(
    draw: &mut Draw,
    dims: &[usize],
    dtype: DType,
    tags: &Tags,
    source: bool,
) -> Result<Layout, Failure> {
    let named = &tags.0[dims.len()];
    let mut options = String::new();
    let format = match draw.below(8) {
        0 => strides(draw, dims, source),
        1..4 => {
            if draw.once_in(4) {
                around(draw, dims, &mut options);
            }
            plain(draw, dims.len())
        }
        _ if named.is_empty() => plain(draw, dims.len()),
        _ => named[draw.below(named.len())].clone(),
    };
    if draw.once_in(8) {
        options += &format!(":offset={}", draw.between(1, 40));
    }
    let extents = dims.iter().map(usize::to_string).collect::<Vec<_>>().join("x");
    let layout: Layout = format!("{dtype}:{format}:{extents}{options}").parse()?;
    if layout.size_elements() > FURTHEST {
        // More would be slow, not wrong.
        return Ok(Layout::row_major(dtype, dims)?);
    }
    Ok(layout)
}

/// The dims' letters in any order.
fn plain(draw: &mut Draw, rank: usize) -> String {
    let mut letters: Vec<char> = ('a'..='z').take(rank).collect();
    draw.shuffle(&mut letters);
    letters.into_iter().collect()
}

/// Dense ones in any order, some wider; those of a source also 0.
fn strides(draw: &mut Draw, dims: &[usize], source: bool) -> String {
    let mut order: Vec<usize> = (0..dims.len()).collect();
    draw.shuffle(&mut order);
    let mut strides = vec![0; dims.len()];
    let mut running = 1;
    for d in order {
        let stride = running + draw.pick(&[0, 0, 0, 1, 3, 16]);
        strides[d] = if source && draw.once_in(8) { 0 } else { stride };
        running = stride * dims[d].max(1);
    }
    let strides = strides.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    format!("strides({strides})")
}

/// A larger tensor around it.
fn around(draw: &mut Draw, dims: &[usize], options: &mut String) {
    let at: Vec<usize> = dims.iter().map(|_| draw.pick(&[0, 0, 1, 3])).collect();
    let outer = dims.iter().zip(&at).map(|(n, at)| n + at + draw.pick(&[0, 0, 1, 5]));
    let list = |numbers: Vec<usize>, between: &str| {
        numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(between)
    };
    let (outer, at) = (list(outer.collect(), "x"), list(at, ","));
    *options += &format!(":in={outer}:at={at}");
}

/// Any arithmetic that both have: none for a third.
fn attributes(draw: &mut Draw, from: DType, to: DType, rank: usize) -> Vec<String> {
    let mut words = Vec::new();
    if !convert::arithmetic_allowed(from, to) || draw.once_in(3) {
        return words;
    }
    for name in ["src-scale", "dst-scale", "src-zp", "dst-zp"] {
        if draw.once_in(3) {
            // oneDNN takes few masks for zero points: one value in all is what it does.
            let masked = if name.ends_with("zp") { draw.once_in(8) } else { draw.once_in(2) };
            words.push(match masked {
                true => format!("--{name}=mask:{}", 1 << draw.below(rank)),
                false => format!("--{name}=common"),
            });
        }
    }
    if draw.once_in(4) {
        words.push(format!("--sum={}", draw.pick(&["1", "0.5", "-2", "0"])));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_drawn_by_rank_and_all_arithmetic_is() {
        let tags = Tags::of(["aBcd16b", "ABcd8b8a", "Abc4a", "AB16b16a", "aBcde4b"].into_iter());
        let mut draw = Draw::new(3);
        let drawn: Vec<String> = (0..2000)
            .filter_map(|_| pair(&mut draw, &tags).ok())
            .filter(|pair| pair.sizes().is_ok())
            .map(|pair| pair.to_string())
            .collect();
        assert!(drawn.len() > 1500, "{}", drawn.len());
        for kind in ["aBcd16b", "AB16b16a", "strides(", "in=", "offset=", "--sum=0.5", "=mask:4"] {
            assert!(drawn.iter().any(|text| text.contains(kind)), "{kind}");
        }
    }
}
