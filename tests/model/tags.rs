//! oneDNN's tags, read letter by letter.
#![allow(dead_code)] // every test binary uses its own part

use super::Format;
use crate::common::join;

impl Format {
    /// The digits of a oneDNN tag.
    pub(crate) fn tag(tag: &str) -> Self {
        let (outer, inner) = parts(tag);
        let mut left: Vec<usize> = (0..outer.len()).map(|d| block(&inner, d)).collect();
        let letter = |d: usize| (b'a' + d as u8) as char;
        let mut words: Vec<String> = outer
            .iter()
            .map(|&d| match left[d] {
                1 => letter(d).to_string(),
                block => format!("{}/{block}", letter(d)),
            })
            .collect();
        for &(size, d) in &inner {
            let whole = left[d];
            left[d] /= size;
            words.push(match left[d] {
                1 => format!("{}%{whole}", letter(d)),
                rest => format!("{}%{whole}/{rest}", letter(d)),
            });
        }
        let letters = join((0..outer.len()).map(letter), "");
        Self::parse(&letters, &words.join(" "), "-", "-", "-")
    }
}

/// A tag's outer dims, outermost first, and its inner (size, dim) pairs.
pub(crate) fn parts(tag: &str) -> (Vec<usize>, Vec<(usize, usize)>) {
    let dim = |letter: char| (letter.to_ascii_lowercase() as u8 - b'a') as usize;
    let cut = tag.find(|c: char| c.is_ascii_digit()).unwrap_or(tag.len());
    let mut inner = Vec::new();
    let mut size = 0;
    for c in tag[cut..].chars() {
        match c.to_digit(10) {
            Some(digit) => size = size * 10 + digit as usize,
            None => inner.push((std::mem::take(&mut size), dim(c))),
        }
    }
    (tag[..cut].chars().map(dim).collect(), inner)
}

pub(crate) fn block(inner: &[(usize, usize)], d: usize) -> usize {
    let sizes = inner.iter().filter(|pair| pair.1 == d).map(|pair| pair.0);
    sizes.product()
}

/// The parts of a tag that get_size is made of: `padded / block` and the outer stride per dim,
/// and the product of the inner blocks.
pub(crate) fn outer(tag: &str, dims: &[usize]) -> (Vec<(usize, usize)>, usize) {
    let (outer, inner) = parts(tag);
    let blocks: usize = inner.iter().map(|pair| pair.0).product();
    let mut parts = vec![(0, 0); dims.len()];
    let mut running = blocks;
    for &d in outer.iter().rev() {
        let count = dims[d].div_ceil(block(&inner, d));
        parts[d] = (count, running);
        running *= count;
    }
    (parts, blocks)
}
