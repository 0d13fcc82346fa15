//! `retile check --onednn`: a second opinion. In: conversions, and oneDNN's library. Out: where it differs from
//! the reference and the kernels by no rule that is known, and how often by which.

mod compare;
mod element;
mod model;
mod random;
mod rules;
mod tally;

use std::io::Write;

use indicatif::ProgressBar;
use retile::Tier;

use crate::args::CheckArgs;
use crate::bench::onednn::{Onednn, Refused};
use crate::draw::{Draw, Numbers};
use crate::failure::Failure;
use crate::host;
use crate::layout::counted;
use crate::pair::{self, Pair};
use crate::tell::tell;
use compare::{Fault, compare};
use random::Tags;
use tally::Tally;

/// Every pair is run with each, which are told by these words.
const NUMBERS: [(Numbers, &str); 2] =
    [(Numbers::Moderate, "moderate"), (Numbers::Extreme, "extreme")];

pub(super) fn check(args: &CheckArgs, path: &str, out: &mut dyn Write) -> Result<(), Failure> {
    let text = args.batch.as_deref().map(pair::read).transpose()?;
    let library = Onednn::find(Some(path), 1).map_err(Failure::Absent)?;
    let library = library.ok_or_else(|| Failure::Absent("no oneDNN to compare with".into()))?;
    let tiers = host::tiers(&args.tier)?;
    let mut session =
        Session { args, path, library: &library, tiers, tally: Tally::default(), out };
    match (args.random, &text, &args.src, &args.dst) {
        (Some(count), ..) => session.random(count.get())?,
        (_, Some(text), ..) => session.batch(text)?,
        (_, _, Some(src), Some(dst)) => {
            let pair = Pair::new(src, dst, args.attr.words())?;
            pair.sizes()?;
            session.judge(&pair, &ProgressBar::hidden())?;
        }
        _ => unreachable!("the parser asks for one of them"),
    }
    session.close()
}

struct Session<'a> {
    args: &'a CheckArgs,
    path: &'a str,
    library: &'a Onednn,
    tiers: Vec<Tier>,
    tally: Tally,
    out: &'a mut dyn Write,
}

impl Session<'_> {
    fn batch(&mut self, text: &str) -> Result<(), Failure> {
        let lines: Vec<_> = pair::lines(text).collect();
        let bar = super::bar(lines.len());
        for (number, line) in lines {
            let pair = Pair::of_line(line).and_then(|pair| pair.sizes().map(|_| Ok(pair))?);
            match pair {
                Ok(pair) => _ = self.judge(&pair, &bar)?,
                Err(failure) => {
                    self.tally.failed += 1;
                    let text = format!("FAILED {line}\n  refused, in line {number}: {failure}\n");
                    self.say(&bar, &text)?;
                }
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// As many pairs as are asked for that oneDNN takes.
    fn random(&mut self, count: usize) -> Result<(), Failure> {
        let bar = super::bar(count);
        let tags = Tags::of(self.library.tags());
        let mut draw = Draw::new(self.args.seed);
        for drawn in 0.. {
            if self.tally.compared >= count {
                break;
            }
            if drawn > super::refused_at_most(count, 20) {
                return Err(Failure::Wrong("nearly all that is drawn is refused".into()));
            }
            let pair = random::pair(&mut draw, &tags);
            let Some(pair) = pair.ok().filter(|pair| pair.sizes().is_ok()) else {
                continue;
            };
            if self.judge(&pair, &bar)? {
                bar.inc(1);
            }
        }
        bar.finish_and_clear();
        Ok(())
    }

    /// Whether oneDNN has an opinion.
    fn judge(&mut self, pair: &Pair, bar: &ProgressBar) -> Result<bool, Failure> {
        let reorder = match self.library.reorder(pair) {
            Ok(reorder) => reorder,
            Err(why) => {
                self.refused(pair, why);
                return Ok(false);
            }
        };
        if self.args.verbose {
            tell!("{pair}: {}", reorder.implementation());
        }
        for (which, (numbers, word)) in NUMBERS.into_iter().enumerate() {
            let found = match compare(pair, &reorder, &self.tiers, numbers, self.args.seed) {
                Ok(found) => found,
                Err(Fault::Theirs(why)) => {
                    self.refused(pair, why);
                    return Ok(false);
                }
                Err(Fault::Ours(error)) => {
                    self.tally.failed += 1;
                    self.say(bar, &format!("FAILED {pair}\n  {error}\n"))?;
                    return Ok(false);
                }
            };
            if let Some(first) = &found.first {
                let text = format!(
                    "FAILED {pair}\n  {word} numbers: {first}; {} in all\n  \
                     retile check {} --onednn {} --seed {}\n",
                    found.unexplained,
                    pair.quoted(),
                    self.path,
                    self.args.seed
                );
                self.say(bar, &text)?;
            }
            if self.args.verbose {
                for (rules, example) in &found.examples {
                    let names: Vec<_> = rules.iter().map(|rule| rule.name()).collect();
                    tell!("  {}, {word}: {example}", names.join(" and "));
                }
            }
            self.tally.add(which, &found);
        }
        self.tally.close(reorder.implementation());
        Ok(true)
    }

    fn refused(&mut self, pair: &Pair, why: Refused) {
        if self.args.verbose {
            tell!("{pair}: {why}");
        }
        *self.tally.refused.entry(why).or_default() += 1;
    }

    fn say(&mut self, bar: &ProgressBar, text: &str) -> Result<(), Failure> {
        bar.suspend(|| self.out.write_all(text.as_bytes()))?;
        Ok(self.out.flush()?)
    }

    fn close(self) -> Result<(), Failure> {
        let Session { args, library, tiers, tally, out, .. } = self;
        let tiers: Vec<_> = tiers.iter().map(Tier::to_string).collect();
        let words = NUMBERS.map(|(_, word)| word);
        out.write_all(tally.report(words).as_bytes())?;
        writeln!(
            out,
            "compared {} with oneDNN {} and {}, seed {}: {}",
            counted(tally.compared, "pair"),
            library.version(),
            tiers.join(", "),
            args.seed,
            tally.verdict()
        )?;
        out.flush()?;
        match tally.failed {
            0 => Ok(()),
            n => Err(Failure::Wrong(format!("{n} failed"))),
        }
    }
}
