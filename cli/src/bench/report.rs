//! What was measured. In: times. Out: rows, for a table or for JSON.

use retile::plan::Bounds;
use serde::Serialize;

use super::measure::Times;

/// One kernel of one pair.
#[derive(Serialize)]
#[cfg_attr(test, derive(Default))]
pub(crate) struct Row {
    pub(crate) pair: String,
    /// The comment above it in a file of cases.
    #[serde(skip)]
    pub(crate) head: String,
    /// What explains it, where it is far from a copy.
    #[serde(skip)]
    pub(crate) why: Vec<String>,
    /// The bytes of an element that is only moved.
    #[serde(skip)]
    pub(crate) element: Option<usize>,
    /// Whether it is an f32.
    #[serde(skip)]
    pub(crate) f32: bool,
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
    pub(crate) onednn_gbs: Option<f64>,
    /// Whether it wrote what we write.
    pub(crate) onednn_agrees: Option<bool>,
    /// What the plan's model says of a core with this clock, and which of its counts says it.
    pub(crate) predicted_gbs: Option<f64>,
    pub(crate) bound: Option<&'static str>,
    pub(crate) clock_ghz: f64,
    pub(crate) ratio: f64,
    pub(crate) spread: f64,
    pub(crate) cpu: String,
}

impl Row {
    /// Sets what follows from times and bytes.
    pub(crate) fn count(&mut self, ours: Times, others: Others) {
        let speed = |times: Times| self.bytes as f64 / times.median.max(1e-3);
        self.ours_gbs = speed(ours);
        self.memcpy_gbs = speed(others.memcpy);
        self.nt_gbs = others.nt.map(speed);
        self.naive_gbs = speed(others.naive);
        self.onednn_gbs = others.onednn.map(speed);
        // Where nothing is moved, nothing is lost.
        self.ratio = if self.bytes == 0 { 1.0 } else { self.ours_gbs / self.copy_gbs() };
        self.run_ns = ours.median;
        self.run_ns_least = ours.least;
        self.run_ns_most = ours.most;
        self.rounds = ours.rounds;
        self.spread = (ours.most - ours.least) / ours.median.max(1e-3);
    }

    /// Sets what a model says that counts cycles, where it has any.
    pub(crate) fn predict(&mut self, bounds: &Bounds) {
        if bounds.cycles() > 0 {
            let nanoseconds = bounds.cycles() as f64 / self.clock_ghz;
            self.predicted_gbs = Some(self.bytes as f64 / nanoseconds);
            self.bound = Some(bounds.limit());
        }
    }

    /// The better copy.
    pub(crate) fn copy_gbs(&self) -> f64 {
        self.memcpy_gbs.max(self.nt_gbs.unwrap_or(0.0))
    }

    /// Ours to oneDNN, where it ran.
    pub(crate) fn to_onednn(&self) -> Option<f64> {
        self.onednn_gbs.filter(|_| self.bytes > 0).map(|theirs| self.ours_gbs / theirs)
    }
}

/// Times of what kernels are compared with.
#[derive(Clone, Copy)]
pub(crate) struct Others {
    pub(crate) memcpy: Times,
    pub(crate) nt: Option<Times>,
    pub(crate) naive: Times,
    pub(crate) onednn: Option<Times>,
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
            "{:<pair$}  {:<10} {:>9} {:>9} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>6}  {}\n",
            "pair",
            "tier",
            "KiB",
            "us",
            "ours",
            "memcpy",
            "nt",
            "naive",
            "onednn",
            "x onednn",
            "model",
            "ratio",
            "spread"
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
        let cell = |gbs: Option<f64>| gbs.map_or("-".into(), |gbs| format!("{gbs:.1}"));
        let (nt, onednn, model) = (cell(row.nt_gbs), cell(row.onednn_gbs), cell(row.predicted_gbs));
        let wrong = if row.onednn_agrees == Some(false) { "!" } else { "" };
        let times = row.to_onednn().map_or("-".into(), |times| format!("{times:.2}{wrong}"));
        let percent = |time: f64| (time / row.run_ns.max(1e-3) - 1.0) * 100.0;
        format!(
            "{text:<pair$}  {tier:<10} {:>9.1} {:>9.2} {:>7.2} {:>7.1} {nt:>7} {:>7.2} {onednn:>7} {times:>8} {model:>7} {:>6.3}  {:+.0}% {:+.0}%\n",
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
