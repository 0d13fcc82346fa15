//! What a second opinion came to. In: what came of each pair. Out: lines that count.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::compare::Found;
use super::rules::{ROWS, Rule};
use crate::bench::onednn::Refused;
use crate::layout::counted;

#[derive(Default)]
pub(super) struct Tally {
    /// Pairs that both have run, with all numbers.
    pub(super) compared: usize,
    /// Pairs that oneDNN does not run, or cannot be asked for.
    pub(super) refused: BTreeMap<Refused, usize>,
    /// Pairs with a difference that no rule explains, and lines that are no pairs.
    pub(super) failed: usize,
    /// By kind of numbers.
    with: [Counts; 2],
    /// Pairs and elements of each rule.
    rules: BTreeMap<Rule, [Share; 2]>,
    implementations: BTreeMap<String, usize>,
    /// The pair that is being counted has failed, or differs by rules.
    wrong: bool,
    different: usize,
    differs: bool,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    equal: usize,
    explained: usize,
    wrong: usize,
    cells: usize,
    cells_explained: usize,
}

#[derive(Clone, Copy, Default)]
struct Share {
    pairs: usize,
    cells: usize,
}

impl Tally {
    /// Counts what came of a pair with one kind of numbers.
    pub(super) fn add(&mut self, which: usize, found: &Found) {
        let with = &mut self.with[which];
        match (found.unexplained, found.explained) {
            (0, 0) => with.equal += 1,
            (0, _) => with.explained += 1,
            _ => with.wrong += 1,
        }
        with.cells += found.cells;
        with.cells_explained += found.explained;
        self.wrong |= found.unexplained > 0;
        self.differs |= found.explained > 0;
        for (rule, cells) in &found.rules {
            let share = &mut self.rules.entry(*rule).or_default()[which];
            share.pairs += 1;
            share.cells += cells;
        }
    }

    /// The pair is at its end.
    pub(super) fn close(&mut self, implementation: &str) {
        self.compared += 1;
        self.failed += usize::from(self.wrong);
        self.different += usize::from(self.differs && !self.wrong);
        (self.wrong, self.differs) = (false, false);
        *self.implementations.entry(implementation.into()).or_default() += 1;
    }

    pub(super) fn report(&self, words: [&str; 2]) -> String {
        let mut text = String::new();
        let refused: usize = self.refused.values().sum();
        if refused > 0 {
            _ = writeln!(text, "not to be had of oneDNN: {}", counted(refused, "pair"));
        }
        for (why, count) in &self.refused {
            _ = writeln!(text, "  {count:>7}  {why}");
        }
        for (counts, word) in self.with.iter().zip(words) {
            let Counts { equal, explained, wrong, cells, cells_explained } = counts;
            _ = writeln!(
                text,
                "{word} numbers: {} equal, {explained} differ by rules alone, {wrong} \
                 otherwise; {cells_explained} of {cells} elements differ by rules",
                counted(*equal, "pair")
            );
        }
        if !self.rules.is_empty() {
            let columns = words.map(|word| format!("{:>24}", format!("{word}: pairs, cells")));
            _ = writeln!(text, "{:<22}{}", "rule", columns.concat());
        }
        for row in &ROWS {
            let Some(shares) = self.rules.get(&row.rule) else { continue };
            let [moderate, extreme] =
                shares.map(|Share { pairs, cells }| format!("{pairs:>12}{cells:>12}"));
            _ = writeln!(text, "{:<22}{moderate}{extreme}  {}", row.name, row.what);
        }
        for (name, count) in &self.implementations {
            _ = writeln!(text, "by oneDNN's {name}: {}", counted(*count, "pair"));
        }
        text
    }

    pub(super) fn verdict(&self) -> String {
        let Tally { compared, different, failed, .. } = self;
        let equal = compared.saturating_sub(different + failed);
        match failed {
            0 => format!("{equal} equal, {different} differ by documented rules, none otherwise"),
            n => format!("{equal} equal, {different} differ by documented rules, {n} FAILED"),
        }
    }
}
