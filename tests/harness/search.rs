//! Cases drawn from a list of choices, and the shortest list that still fails. In: how to make a case
//! of choices, and how to judge it. Out: a failed test with the smallest case found.

use std::time::{Duration, Instant};

use crate::common::{Draw, Xorshift};

/// How long one case is shrunk.
const PATIENCE: Duration = Duration::from_secs(5);

/// How many cases a test draws: `RETILE_CASES` says it in place of `usual`; one where that takes Miri seconds.
pub(crate) fn cases(usual: u64) -> u64 {
    number("RETILE_CASES").unwrap_or(if cfg!(miri) { 1 } else { usual })
}

/// One line of so many is tried of the files of public cases: all, unless `RETILE_EVERY` says otherwise.
pub(crate) fn every() -> usize {
    number("RETILE_EVERY").unwrap_or(1) as usize
}

/// Where the seeds start: the same every time unless `RETILE_SEED` says otherwise.
pub(crate) fn seed() -> u64 {
    number("RETILE_SEED").unwrap_or(0)
}

fn number(name: &str) -> Option<u64> {
    let value = std::env::var(name).ok()?;
    Some(value.parse().unwrap_or_else(|_| panic!("{name}={value} is not a number")))
}

/// Choices made before, or new ones; all that were made are kept.
pub(crate) struct Tape {
    made: Vec<u64>,
    at: usize,
    more: Option<Xorshift>,
}

impl Tape {
    fn new(seed: u64) -> Tape {
        Tape { made: Vec::new(), at: 0, more: Some(Xorshift::new(seed)) }
    }

    /// Nothing but zeros behind these.
    fn replay(made: &[u64]) -> Tape {
        Tape { made: made.to_vec(), at: 0, more: None }
    }
}

impl Draw for Tape {
    fn next(&mut self) -> u64 {
        if self.at == self.made.len() {
            self.made.push(self.more.as_mut().map_or(0, Draw::next));
        }
        self.at += 1;
        self.made[self.at - 1]
    }
}

/// Judges `cases` cases and gives the smallest relative of each that failed, up to `most`.
pub(crate) fn failures(
    cases: u64,
    most: usize,
    mut judge: impl FnMut(&mut Tape) -> Result<(), String>,
) -> Vec<String> {
    let (mut found, first) = (Vec::new(), seed());
    for case in 0..cases {
        let mut tape = Tape::new(first.wrapping_add(case).wrapping_mul(0x2545_f491_4f6c_dd1d));
        if let Err(what) = judge(&mut tape) {
            let Tape { made, at, .. } = tape;
            let smallest = shrink(made[..at].to_vec(), what, &mut judge);
            eprintln!("case {case}: {smallest}");
            found.push(format!("case {case}: {smallest}"));
            if found.len() >= most {
                break;
            }
        }
    }
    found
}

/// Shortens the list and makes its numbers less, as long as the case fails.
fn shrink(
    mut list: Vec<u64>,
    mut what: String,
    judge: &mut impl FnMut(&mut Tape) -> Result<(), String>,
) -> String {
    let start = Instant::now();
    let mut fails = |list: &[u64]| {
        let mut tape = Tape::replay(list);
        (judge(&mut tape).err(), start.elapsed() < PATIENCE)
    };
    loop {
        let mut better = false;
        let mut length = list.len();
        while length > 0 {
            let mut at = 0;
            while at < list.len() {
                let end = (at + length).min(list.len());
                let without = [&list[..at], &list[end..]].concat();
                let mut zeroed = list.clone();
                zeroed[at..end].fill(0);
                for try_ in [without, zeroed] {
                    if try_ == list {
                        continue;
                    }
                    let (failure, more) = fails(&try_);
                    if let Some(failure) = failure {
                        (list, what, better) = (try_, failure, true);
                        break;
                    }
                    if !more {
                        return what;
                    }
                }
                at += length;
            }
            length /= 2;
        }
        for at in 0..list.len() {
            for less in [list[at] % 2, list[at] % 16, list[at] % 1024, list[at] / 2] {
                let mut lower = list.clone();
                lower[at] = less;
                if less < list[at] {
                    let (failure, more) = fails(&lower);
                    if let Some(failure) = failure {
                        (list, what, better) = (lower, failure, true);
                    }
                    if !more {
                        return what;
                    }
                }
            }
        }
        if !better {
            return what;
        }
    }
}
