//! What the layout tests share: numbers drawn at random, tables, coordinates, messages.
#![allow(dead_code, unused_imports)] // every test binary uses its own part

mod draw;
mod tiers;

use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::fmt::Display;

pub(crate) use draw::{Draw, Xorshift};
pub(crate) use retile::{
    Blocking, Cell, ClDnn, ClDnnFormat, DType, Error, ErrorKind, Layout, MAX_RANK, Role,
};
pub(crate) use tiers::tiers;

pub(crate) const VECTORS: &str = include_str!("../data/vectors.tsv");
pub(crate) const NAMES: &str = include_str!("../data/names.tsv");
pub(crate) const TAGS: &str = include_str!("../data/tags.tsv");
pub(crate) const ALIASES: &str = include_str!("../data/aliases.tsv");

/// The rows below a table's heading, cut into fields.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    table.lines().skip(1).map(|line| line.split('\t').collect())
}

/// One row of `names.tsv`.
pub(crate) struct Name {
    pub(crate) family: &'static str,
    pub(crate) name: &'static str,
    pub(crate) letters: &'static str,
    pub(crate) digits: &'static str,
    pub(crate) align: &'static str,
    pub(crate) fixed: &'static str,
    pub(crate) reversed: &'static str,
    pub(crate) tag: Option<&'static str>,
}

impl Name {
    pub(crate) fn text(&self) -> String {
        format!("{}/{}", self.family, self.name)
    }

    /// The last element pair of an odd X lies outside the digits.
    pub(crate) fn wants_even_x(&self) -> bool {
        self.name.ends_with("__ao32")
    }
}

pub(crate) fn names() -> Vec<Name> {
    let row = |r: Vec<&'static str>| Name {
        family: r[0],
        name: r[1],
        letters: r[2],
        digits: r[3],
        align: r[4],
        fixed: r[5],
        reversed: r[6],
        tag: Some(r[7]).filter(|&tag| tag != "-"),
    };
    rows(NAMES).map(row).collect()
}

pub(crate) struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    pub(crate) fn new(list: Vec<u32>) -> Self {
        Self(list.into_iter())
    }
}

/// Choices that proptest shrinks, number by number, towards the first of everything.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u32>> {
    prop::collection::vec(any::<u32>(), 0..160)
}

/// All of them; under Miri, which takes thousands of times as long, one in so many.
pub(crate) fn some<I: Iterator>(all: I, one_in: usize) -> std::iter::StepBy<I> {
    all.step_by(if cfg!(miri) { one_in } else { 1 })
}

/// A failed case is told by its text; there is no file of seeds beside the tests.
pub(crate) fn config() -> ProptestConfig {
    let default = ProptestConfig::default();
    // The same cases each time; PROPTEST_RNG_SEED and PROPTEST_CASES draw others, and more.
    let rng_seed = match default.rng_seed {
        RngSeed::Random => RngSeed::Fixed(0x7265_7469_6c65),
        fixed => fixed,
    };
    let cases = if cfg!(miri) { 1 } else { default.cases.max(1000) };
    ProptestConfig { cases, rng_seed, failure_persistence: None, ..default }
}

impl Draw for Choices {
    fn next(&mut self) -> u64 {
        self.0.next().map_or(0, u64::from)
    }
}

/// An extent near a block's edges: 1, w-1, w, w+1, 2w-1; small where there is no block.
pub(crate) fn edge(draw: &mut impl Draw, block: usize) -> usize {
    if block == 1 {
        return draw.between(1, 4);
    }
    let edges = [block + 1, block, block - 1, 2 * block - 1, 1];
    draw.pick(&edges).max(1)
}

/// Every coordinate with `low[d] <= i[d] < high[d]`, row-major.
pub(crate) fn grid(low: &[isize], high: &[isize]) -> impl Iterator<Item = Vec<isize>> + use<> {
    let (low, high) = (low.to_vec(), high.to_vec());
    let full = low.iter().zip(&high).all(|(l, h)| l < h);
    let mut next = full.then(|| low.clone());
    std::iter::from_fn(move || {
        let here = next.take()?;
        let mut then = here.clone();
        for d in (0..then.len()).rev() {
            then[d] += 1;
            if then[d] < high[d] {
                next = Some(then);
                break;
            }
            then[d] = low[d];
        }
        Some(here)
    })
}

/// Every coordinate of a logical element.
pub(crate) fn elements(dims: &[usize]) -> impl Iterator<Item = Vec<isize>> + use<> {
    let high: Vec<isize> = dims.iter().map(|&n| n as isize).collect();
    grid(&vec![0; dims.len()], &high)
}

/// The row-major index of an element.
pub(crate) fn linear(coords: &[isize], dims: &[usize]) -> usize {
    coords.iter().zip(dims).fold(0, |sum, (&i, &n)| sum * n + i as usize)
}

/// The element of a row-major index.
pub(crate) fn unravel(mut index: usize, dims: &[usize]) -> Vec<isize> {
    let mut coords = vec![0; dims.len()];
    for d in (0..dims.len()).rev() {
        coords[d] = (index % dims[d]) as isize;
        index /= dims[d];
    }
    coords
}

pub(crate) fn join<T: Display>(list: impl IntoIterator<Item = T>, between: &str) -> String {
    let parts: Vec<String> = list.into_iter().map(|item| item.to_string()).collect();
    parts.join(between)
}

/// A list of numbers from a table: `2,1,0`.
pub(crate) fn numbers<T: std::str::FromStr<Err: std::fmt::Debug>>(
    text: &str,
    between: char,
) -> Vec<T> {
    text.split(between).map(|n| n.parse().unwrap()).collect()
}

/// The layout a text says, or a failed test that shows the text.
#[track_caller]
pub(crate) fn layout(text: &str) -> Layout {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The error a text gives, or a failed test that shows the text.
#[track_caller]
pub(crate) fn refused(text: &str) -> Error {
    match text.parse::<Layout>() {
        Err(error) => error,
        Ok(layout) => panic!("{text} was taken, as {layout}"),
    }
}

#[track_caller]
pub(crate) fn offset(layout: &Layout, coords: &[isize]) -> usize {
    layout.offset_of(coords).unwrap_or_else(|error| panic!("{layout} at {coords:?}: {error}"))
}

/// A role as one letter.
pub(crate) fn letter(role: Role) -> char {
    match role {
        Role::Element => 'e',
        Role::Margin => 'm',
        _ => 't',
    }
}

/// The places of a footprint with their roles, sorted.
pub(crate) fn footprint(layout: &Layout) -> Vec<(usize, char)> {
    let cell = |cell: Cell| (cell.offset, letter(cell.role));
    let mut cells: Vec<_> = layout.cells().map(cell).collect();
    cells.sort_unstable();
    cells
}

/// A layout or the reason why there is none, in one line.
pub(crate) fn told(found: &Result<Layout, Error>) -> String {
    match found {
        Ok(layout) => layout.to_string(),
        Err(error) => format!("({error})"),
    }
}

/// A list of failures, told in one message: how many, and the first twenty.
#[derive(Default)]
pub(crate) struct Failures(Vec<String>);

impl Failures {
    pub(crate) fn add(&mut self, failure: String) {
        self.0.push(failure);
    }

    pub(crate) fn check(&mut self, holds: bool, failure: impl FnOnce() -> String) {
        if !holds {
            self.add(failure());
        }
    }

    #[track_caller]
    pub(crate) fn none(self, of: usize) {
        let first = &self.0[..self.0.len().min(20)];
        assert!(self.0.is_empty(), "{} of {of} failed:\n{}", self.0.len(), first.join("\n"));
    }
}
