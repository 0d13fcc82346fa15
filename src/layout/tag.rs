//! oneDNN's tags: `aBcd16b` says outer dims in memory order, then inner blocks, outermost first.
//! In: a tag, or one with benchdnn's wildcard `x`. Out: a format. And back, for a layout that is one.

use arrayvec::ArrayVec;

use super::format::{Format, FormatAxis, FormatDigit};
use super::{BlockingDesc, MAX_DIGITS, MAX_RANK, dim_name};
use crate::{Error, Result};

/// The format of a tag; `None` where the text does not have the form of one.
pub(crate) fn parse(tag: &str) -> Option<Result<Format>> {
    let split = tag.find(|c: char| c.is_ascii_digit()).unwrap_or(tag.len());
    let (outer, inner) = tag.split_at(split);
    let order: Vec<usize> = outer.chars().map(dim_of).collect::<Option<_>>()?;
    let rank = order.len();
    let mut seen = order.clone();
    seen.sort_unstable();
    if rank == 0 || seen.iter().enumerate().any(|(d, &seen)| seen != d) {
        return None;
    }
    let blocks = match inner_blocks(inner)? {
        Ok(blocks) => blocks,
        Err(error) => return Some(Err(error)),
    };
    Some(assemble(tag, outer, &order, &blocks))
}

fn dim_of(letter: char) -> Option<usize> {
    let d = (letter.to_ascii_lowercase() as usize).checked_sub('a' as usize)?;
    (d < MAX_RANK).then_some(d)
}

/// `16b4a` as (size, dim) pairs, outermost first.
fn inner_blocks(mut text: &str) -> Option<Result<Vec<(isize, usize)>>> {
    let mut blocks = Vec::new();
    while !text.is_empty() {
        let digits = text.find(|c: char| !c.is_ascii_digit())?;
        let (size, rest) = text.split_at(digits);
        let letter = rest.chars().next()?;
        if digits == 0 || !letter.is_ascii_lowercase() {
            return None;
        }
        let wrong = |expected| Some(Err(Error::text(format!("{size}{letter}"), expected)));
        match size.parse::<isize>() {
            Ok(0) => return wrong("a block of 1 or more elements".into()),
            Ok(size) => blocks.push((size, dim_of(letter)?)),
            Err(_) => return wrong(format!("a block of no more than {} elements", isize::MAX)),
        }
        text = &rest[1..];
    }
    Some(Ok(blocks))
}

fn assemble(tag: &str, outer: &str, order: &[usize], blocks: &[(isize, usize)]) -> Result<Format> {
    if order.len() + blocks.len() > MAX_DIGITS {
        return Err(Error::text(
            tag,
            format!("a tag of at most {MAX_DIGITS} outer dims and blocks"),
        ));
    }
    let mut inner = Vec::with_capacity(blocks.len());
    let mut block = [1isize; MAX_RANK];
    for &(size, d) in blocks.iter().rev() {
        let divisor = block[d];
        let Some(modulus) = divisor.checked_mul(size) else {
            return super::build::too_large(format_args!("the blocks of {tag}"));
        };
        block[d] = modulus;
        inner.push(FormatDigit { axis: d, modulus: Some(modulus), divisor, stride: None });
    }
    let mut format = Format::default();
    for (letter, &d) in outer.chars().zip(order) {
        let blocked = blocks.iter().any(|block| block.1 == d);
        if letter.is_ascii_uppercase() != blocked {
            let expected = match blocked {
                true => "an uppercase letter, as dims with inner blocks have",
                false => "a lowercase letter, as dims without inner blocks have",
            };
            return Err(Error::text(letter, format!("{expected} (in the tag `{tag}`)")));
        }
        format.digits.push(FormatDigit { axis: d, modulus: None, divisor: block[d], stride: None });
    }
    if let Some(&(size, d)) = blocks.iter().find(|block| block.1 >= order.len()) {
        let block = format!("{size}{}", dim_name(d));
        return Err(Error::text(block, format!("a block of one of the dims of `{tag}`")));
    }
    format.digits.extend(inner.into_iter().rev());
    for d in 0..order.len() {
        format.letters.push(dim_name(d));
        format.axes.push(FormatAxis { dims: ArrayVec::from_iter([d as u8]), align: 1 });
    }
    Ok(format)
}

/// Replaces benchdnn's `x` by all remaining dims, and drops the dims that the rank does not have.
///
/// The first letter put in is one behind the highest lowercase letter from `b` on, `c` without one.
pub(crate) fn expand(tag: &str, rank: usize) -> Option<String> {
    let at = tag.find('x')?;
    let known = |c: &char| ('b'..='l').contains(c);
    let first = tag.chars().filter(known).max().map_or(b'c', |c| c as u8 + 1);
    let rest: String = (first..b'a' + rank as u8).map(char::from).collect();
    let whole = format!("{}{rest}{}", &tag[..at], &tag[at + 1..]);
    let mut kept = String::new();
    let mut size = String::new();
    for c in whole.chars() {
        if c.is_ascii_digit() {
            size.push(c);
            continue;
        }
        let size = std::mem::take(&mut size);
        if dim_of(c).is_none_or(|d| d < rank) {
            kept.push_str(&size);
            kept.push(c);
        }
    }
    Some(kept + &size)
}

/// The tag that a blocking descriptor has the order of. Whether its strides are a tag's, the caller
/// finds by comparing.
pub(crate) fn spell(desc: &BlockingDesc) -> String {
    let rank = desc.dims.len();
    let extent = |d: usize| desc.padded_dims[d] / desc.block(d).max(1);
    let mut order: Vec<usize> = (0..rank).collect();
    order.sort_by_key(|&d| std::cmp::Reverse((desc.strides[d], extent(d).max(1))));
    let outer = order.into_iter().map(|d| match desc.inner_dims.contains(&d) {
        true => dim_name(d).to_ascii_uppercase(),
        false => dim_name(d),
    });
    let inner = (desc.inner_sizes.iter().zip(&desc.inner_dims))
        .map(|(size, &d)| format!("{size}{}", dim_name(d)));
    outer.collect::<String>() + &inner.collect::<String>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_grow_and_shrink_with_the_rank() {
        let cases = [
            ("abx", 4, "abcd"),
            ("axb", 4, "acdb"),
            ("xba", 4, "cdba"),
            ("aBx16b", 4, "aBcd16b"),
            ("aBx16b", 2, "aB16b"),
            ("aBx16b", 1, "a"),
            ("abxc", 5, "abdec"),
            ("ABx8b16a2b", 5, "ABcde8b16a2b"),
            ("abx", 1, "a"),
        ];
        for (tag, rank, expected) in cases {
            assert_eq!(expand(tag, rank).as_deref(), Some(expected), "{tag} at rank {rank}");
        }
        assert_eq!(expand("abcd", 4), None);
    }

    #[test]
    fn what_is_no_tag_is_none_and_what_is_a_wrong_one_an_error() {
        for text in ["", "nchw", "abd", "aab", "ab16", "ab16B", "a*b", "AB16b16", "aB16m"] {
            assert!(parse(text).is_none(), "{text}");
        }
        for text in ["aB", "ab16b", "aB0b", "aB16c16b", "aB99999999999999999999b"] {
            assert!(parse(text).is_some_and(|format| format.is_err()), "{text}");
        }
    }
}
