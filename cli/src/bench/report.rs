//! What was measured. In: rows. Out: a table with its means, or JSON.

use std::fmt;

use serde::Serialize;

use super::measure::Times;

/// One kernel of one pair.
#[derive(Serialize)]
pub(crate) struct Row {
    pub(crate) pair: String,
    /// As asked for, and what the kernel runs on.
    pub(crate) tier: String,
    pub(crate) runs_on: String,
    pub(crate) target: String,
    pub(crate) locality: String,
    pub(crate) threads: usize,
    pub(crate) tasks: usize,
    /// Of the source, each once, and of the destination's footprint.
    pub(crate) bytes: usize,
    pub(crate) plan_ns: f64,
    pub(crate) make_ns: f64,
    pub(crate) run_ns: f64,
    pub(crate) run_ns_least: f64,
    pub(crate) run_ns_most: f64,
    pub(crate) rounds: usize,
    pub(crate) ours_gbs: f64,
    pub(crate) memcpy_gbs: f64,
    pub(crate) nt_gbs: Option<f64>,
    pub(crate) naive_gbs: f64,
    pub(crate) ratio: f64,
    pub(crate) spread: f64,
    pub(crate) cpu: String,
}

impl Row {
    /// Sets what follows from times and bytes.
    pub(crate) fn count(&mut self, ours: Times, memcpy: Times, nt: Option<Times>, naive: Times) {
        let speed = |times: Times| self.bytes as f64 / times.median.max(1e-3);
        self.ours_gbs = speed(ours);
        self.memcpy_gbs = speed(memcpy);
        self.nt_gbs = nt.map(speed);
        self.naive_gbs = speed(naive);
        let copy = self.memcpy_gbs.max(self.nt_gbs.unwrap_or(0.0));
        // Where nothing is moved, nothing is lost.
        self.ratio = if self.bytes == 0 { 1.0 } else { self.ours_gbs / copy };
        self.run_ns = ours.median;
        self.run_ns_least = ours.least;
        self.run_ns_most = ours.most;
        self.rounds = ours.rounds;
        self.spread = (ours.most - ours.least) / ours.median.max(1e-3);
    }
}

/// Widths of the columns.
pub(crate) struct Table {
    pub(crate) pair: usize,
}

impl Table {
    /// For pairs of such lengths.
    pub(crate) fn of(lengths: impl Iterator<Item = usize>) -> Table {
        Table { pair: lengths.max().unwrap_or(0).clamp(4, 60) }
    }

    pub(crate) fn head(&self) -> String {
        let pair = self.pair;
        format!(
            "{:<pair$}  {:<10} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>6}  {}\n",
            "pair", "tier", "KiB", "us", "ours", "memcpy", "nt", "naive", "ratio", "spread"
        )
    }

    pub(crate) fn line(&self, row: &Row) -> String {
        let pair = self.pair;
        let mut text = row.pair.clone();
        if text.chars().count() > pair {
            text = text.chars().take(pair - 1).chain(['…']).collect();
        }
        // What it runs on; a star where more was asked for.
        let star = if row.runs_on == row.tier { "" } else { "*" };
        let tier = format!("{}{star}", row.runs_on);
        let nt = row.nt_gbs.map_or("-".into(), |nt| format!("{nt:.1}"));
        let percent = |time: f64| (time / row.run_ns.max(1e-3) - 1.0) * 100.0;
        format!(
            "{text:<pair$}  {tier:<10} {:>9.1} {:>9.2} {:>7.2} {:>7.1} {nt:>7} {:>7.2} {:>6.3}  {:+.0}% {:+.0}%\n",
            row.bytes as f64 / 1024.0,
            row.run_ns / 1e3,
            row.ours_gbs,
            row.memcpy_gbs,
            row.naive_gbs,
            row.ratio,
            percent(row.run_ns_least),
            percent(row.run_ns_most),
        )
    }
}

/// Geometric means of one tier: over all rows, and by where their bytes fit.
pub(crate) struct Means<'a> {
    pub(crate) tier: &'a str,
    pub(crate) rows: Vec<&'a Row>,
    pub(crate) l2: usize,
}

/// Where the smallest class ends.
const SMALL: usize = 32 << 10;

impl fmt::Display for Means<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Means { tier, rows, l2 } = self;
        writeln!(f, "geometric means, {tier}:")?;
        let classes: [(String, &dyn Fn(usize) -> bool); 4] = [
            ("all".into(), &|_| true),
            (format!("up to {} KiB", SMALL >> 10), &|bytes| bytes <= SMALL),
            (format!("up to {} KiB (L2)", l2 >> 10), &|bytes| bytes > SMALL && bytes <= *l2),
            ("beyond".into(), &|bytes| bytes > SMALL.max(*l2)),
        ];
        for (name, fits) in classes {
            let rows = rows.iter().filter(|row| row.bytes > 0 && fits(row.bytes));
            let mean = |of: fn(&Row) -> f64| mean(rows.clone().map(|row| of(row)));
            let Some(ratio) = mean(|row| row.ratio) else { continue };
            let naive = mean(|row| row.ours_gbs / row.naive_gbs).unwrap_or(1.0);
            let count = rows.clone().count();
            writeln!(f, "  {name:<18} {ratio:.3} of copy, {naive:.2} of naive, {count} pairs")?;
        }
        Ok(())
    }
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric() {
        assert_eq!(mean([].into_iter()), None);
        let found = mean([0.5, 2.0, 4.0, 4.0].into_iter()).unwrap();
        assert!((found - 2.0).abs() < 1e-12, "{found}");
    }
}
