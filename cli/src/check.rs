//! `retile check`: kernels held against the reference. In: conversions. Out: what differs, and a line
//! that counts.

mod compare;
mod onednn;
mod random;

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};
use retile::{ErrorKind, Locality, Options, Target, Tier};

use crate::args::CheckArgs;
use crate::failure::Failure;
use crate::layout::counted;
use crate::pair::{self, Pair};
use crate::tell::{Unheard, tell};
use crate::{draw::Draw, host};

/// What kernels are made for.
#[derive(Clone, Copy, Debug)]
enum Asked {
    /// This machine, with no more than a tier.
    Tier(Tier),
    /// Another, whose instructions are here.
    Target(Target),
}

impl Asked {
    fn options(self) -> Options {
        match self {
            Asked::Tier(tier) => Options::new().max_tier(tier),
            Asked::Target(target) => Options::new().target(target),
        }
    }

    fn tier(self) -> Tier {
        match self {
            Asked::Tier(tier) => tier,
            Asked::Target(target) => target.tier,
        }
    }

    /// The argument that asks for it.
    fn argument(self) -> String {
        match self {
            Asked::Tier(_) => format!("--tier {self}"),
            Asked::Target(_) => format!("--target {self}"),
        }
    }
}

impl fmt::Display for Asked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Asked::Tier(tier) => tier.fmt(f),
            Asked::Target(target) => target.fmt(f),
        }
    }
}

/// How conversions are checked.
struct Checker {
    asked: Vec<Asked>,
    localities: Vec<Locality>,
    seed: u64,
    /// The arguments that asked for less than all of this machine, or for others.
    typed: String,
}

/// What was done so far.
#[derive(Default)]
struct Tally {
    /// Of a batch, among them those that are no pairs.
    lines: usize,
    /// Those that were run.
    pairs: usize,
    kernels: usize,
    runs: usize,
    bytes: u64,
    refused: usize,
    failed: usize,
    /// Kernels that run on less than was asked for, by its place among what was.
    lower: BTreeMap<(usize, Tier), usize>,
}

/// How a conversion fared.
enum Verdict {
    Right,
    /// The library refuses it, and so does the reference; or the system refused memory for it.
    Refused(retile::Error),
    Wrong(Vec<String>),
}

pub(crate) fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<(), Failure> {
    args.attr.belong_to(args.src.as_ref())?;
    // Who stops reading still wants to know by the status whether all is right.
    let out = &mut Unheard::new(out);
    if let Some(path) = &args.onednn {
        return onednn::check(args, path, out);
    }
    let asked = match args.target.is_empty() {
        true => host::tiers(&args.tier)?.into_iter().map(Asked::Tier).collect(),
        false => host::targets(&args.target)?.into_iter().map(Asked::Target).collect(),
    };
    let localities = match args.locality.is_empty() {
        true => vec![Locality::Auto, Locality::Stream],
        false => args.locality.clone(),
    };
    let checker = Checker { asked, localities, seed: args.seed, typed: typed(args) };
    let mut session = Session { checker, verbose: args.verbose, tally: Tally::default(), out };
    let start = Instant::now();
    match (args.random, &args.batch, &args.src, &args.dst) {
        (Some(count), ..) => session.random(count.get())?,
        (_, Some(file), ..) => session.batch(&pair::read(file)?)?,
        (_, _, Some(src), Some(dst)) => session.one(&Pair::new(src, dst, args.attr.words())?)?,
        _ => unreachable!("the parser asks for one of them"),
    }
    session.close(start.elapsed())
}

struct Session<'a> {
    checker: Checker,
    verbose: bool,
    tally: Tally,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn one(&mut self, pair: &Pair) -> Result<(), Failure> {
        match self.judge(pair) {
            Verdict::Refused(error) => Err(error.into()),
            Verdict::Right => self.say(&ProgressBar::hidden(), &[]),
            Verdict::Wrong(failures) => self.say(&ProgressBar::hidden(), &failures),
        }
    }

    fn batch(&mut self, text: &str) -> Result<(), Failure> {
        let lines: Vec<_> = pair::lines(text).collect();
        let bar = bar(lines.len());
        for (number, line) in lines {
            let refused = |why: &dyn std::fmt::Display| {
                vec![format!("FAILED {line}\n  refused, in line {number}: {why}\n")]
            };
            let failures = match Pair::of_line(line) {
                Err(failure) => refused(&failure),
                Ok(pair) => match self.judge(&pair) {
                    Verdict::Right => Vec::new(),
                    Verdict::Refused(error) => refused(&error),
                    Verdict::Wrong(failures) => failures,
                },
            };
            self.say(&bar, &failures)?;
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    fn random(&mut self, count: usize) -> Result<(), Failure> {
        let bar = bar(count);
        let formats = random::Formats::known();
        let mut draw = Draw::new(self.checker.seed);
        while self.tally.pairs < count {
            // Far fewer than half are refused; more would be a defect of what draws them.
            if self.tally.refused > refused_at_most(count, 4) {
                return Err(Failure::Wrong("nearly all that is drawn is refused".into()));
            }
            let Ok(pair) = random::pair(&mut draw, &formats) else {
                self.tally.refused += 1;
                continue;
            };
            match self.judge(&pair) {
                Verdict::Refused(error) if error.kind() == ErrorKind::Memory => {
                    return Err(error.into());
                }
                Verdict::Refused(_) => {
                    self.tally.refused += 1;
                    continue;
                }
                Verdict::Right => self.say(&bar, &[])?,
                Verdict::Wrong(failures) => self.say(&bar, &failures)?,
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Checks a conversion; a panic is a failure like others, so that the rest of a batch is checked.
    fn judge(&mut self, pair: &Pair) -> Verdict {
        if self.verbose {
            tell!("{pair}");
        }
        let Session { checker, tally, .. } = self;
        let verdict = catch_unwind(AssertUnwindSafe(|| checker.compare(pair, tally)));
        let verdict = verdict.unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str);
            let said = said.or(panic.downcast_ref::<&str>().copied()).unwrap_or("");
            checker.odd(pair, &format!("panicked: {said}"))
        });
        if !matches!(verdict, Verdict::Refused(_)) {
            self.tally.pairs += 1;
        }
        verdict
    }

    /// Counts a conversion, and prints what is wrong with it.
    fn say(&mut self, bar: &ProgressBar, failures: &[String]) -> Result<(), Failure> {
        self.tally.lines += 1;
        if failures.is_empty() {
            return Ok(());
        }
        self.tally.failed += 1;
        bar.suspend(|| failures.iter().try_for_each(|text| self.out.write_all(text.as_bytes())))?;
        Ok(self.out.flush()?)
    }

    fn close(self, elapsed: Duration) -> Result<(), Failure> {
        let Tally { lines, pairs, kernels, runs, bytes, refused, failed, lower } = self.tally;
        let names: Vec<_> = self.checker.asked.iter().map(Asked::to_string).collect();
        for ((place, ran), kernels) in lower {
            let asked = self.checker.asked[place];
            let kernels = counted(kernels, "kernel");
            writeln!(
                self.out,
                "asked for {asked}, without code of their own and run on {ran}: {kernels}"
            )?;
        }
        if refused > 0 {
            writeln!(self.out, "drawn, refused by the library and left out: {refused}")?;
        }
        let failures = match failed {
            0 => "no failures".into(),
            n => counted(n, "failure"),
        };
        let [pairs, kernels, runs] =
            [(pairs, "pair"), (kernels, "kernel"), (runs, "run")].map(|(n, what)| counted(n, what));
        let seconds = elapsed.as_secs_f64();
        let names = names.join(", ");
        writeln!(
            self.out,
            "checked {pairs} on {names}, seed {}: {kernels}, {runs}, \
             {bytes} bytes compared, {seconds:.1} s, {failures}",
            self.checker.seed
        )?;
        self.out.flush()?;
        match failed {
            0 => Ok(()),
            n => Err(Failure::Wrong(format!("{n} of {lines} failed"))),
        }
    }
}

/// What kernels are made for, as it was asked for.
fn typed(args: &CheckArgs) -> String {
    let tiers = args.tier.iter().map(|tier| format!(" --tier {tier}"));
    let targets = args.target.iter().map(|target| format!(" --target {target}"));
    let localities = args.locality.iter().map(|locality| format!(" --locality {locality}"));
    tiers.chain(targets).chain(localities).collect()
}

/// What may be refused in vain before so many pairs are there, so many for each.
fn refused_at_most(count: usize, each: usize) -> usize {
    count.saturating_mul(each).saturating_add(100)
}

/// Draws nothing where standard error is no terminal.
fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    match ProgressStyle::with_template("{bar:40} {pos}/{len}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_many_pairs_as_numbers_count_may_be_asked_for() {
        assert_eq!(refused_at_most(10, 4), 140);
        for count in [usize::MAX, usize::MAX / 4, usize::MAX / 20 + 1] {
            assert!(refused_at_most(count, 4) >= count && refused_at_most(count, 20) >= count);
        }
    }
}
