//! The arguments of `retile bench`.

use retile::{Locality, Tier};

use super::{AttrArgs, TEXT};
use crate::pair::quoted;

const BENCH_USAGE: &str = "\
retile bench [OPTIONS] <SRC> <DST>
       retile bench [OPTIONS] --batch <FILE> [--overhead]
       retile bench --overhead [--color <WHEN>]";

const BENCH_EXAMPLES: &str = "\
All that is timed takes turns within one process, and each number is the
median of the rounds:
  ours     the kernel
  memcpy   what the C library copies, nt a copy that stores past the caches: as
           many bytes as the conversion reads and writes, half of them read and
           half written
  naive    loops over the logical dims, the address of each side looked up for
           each dim; where addresses are no such sums, or there is arithmetic,
           the reference
  onednn   oneDNN 3, where its library can be loaded and it has a reorder for
           the pair, without arithmetic; x onednn is ours to it, with a ! where
           its bytes were not ours
  model    what the plan's model says: the cycles that its ports or its lines
           need at least, for a clock that is measured; for one thread, where
           the plan has tiles
GB/s count each byte of the source that is read, once, and each byte of the
destination that is written, its padding among them. ratio is ours to the
better of memcpy and nt, spread the fastest and the slowest round of ours to
its median. Elements, scales and zero points are ordinary numbers.

Examples:
  retile bench f32:nchw:1x64x56x56 nChw16c
  retile bench u8:nhwc:1x3x224x224 nchw --tier portable --rounds 5 --json
  retile bench --batch pairs.txt --tier avx2 --tier avx512vbmi
  retile bench --batch pairs.txt --markdown page.md
  retile bench --overhead
  retile bench --batch pairs.txt --onednn /opt/onednn/lib/libdnnl.so.3";

const ROUNDS: u16 = 9;

const SEED: u64 = 1;

/// What there is to time, without which nothing can be said of how.
const TIMED: &str = "timed";

/// Times a kernel against copies and plain loops
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{TEXT}\n{BENCH_EXAMPLES}"), override_usage = BENCH_USAGE)]
#[command(group(clap::ArgGroup::new(TIMED).args(["src", "batch"])))]
pub(crate) struct BenchArgs {
    /// The source's layout, DTYPE:FORMAT:DIMS[:OPTION]..
    #[arg(required_unless_present_any = ["batch", "overhead"], requires = "dst")]
    pub(crate) src: Option<String>,
    /// The destination's, [DTYPE:]FORMAT[:OPTION]..
    #[arg(required_unless_present_any = ["batch", "overhead"])]
    pub(crate) dst: Option<String>,
    /// Time the lines of a file; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "src")]
    pub(crate) batch: Option<String>,
    /// Time this tier; said again, others too [default: the best that this machine has]
    #[arg(long, value_name = "TIER", requires = TIMED)]
    pub(crate) tier: Vec<Tier>,
    /// Whether the destination should be in the caches afterwards: auto, keep or stream
    #[arg(long, value_name = "WHERE", default_value = "auto", requires = TIMED)]
    pub(crate) locality: Locality,
    /// Share the work between so many threads; copies too, but not the naive loops
    #[arg(long, value_name = "N", default_value_t = 1, requires = TIMED, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Rounds; fewer for what has taken half a second by then
    #[arg(long, value_name = "N", default_value_t = ROUNDS, requires = TIMED, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) rounds: u16,
    /// Go on with rounds for so long, for each conversion, and for five rounds at least
    #[arg(long, value_name = "S", conflicts_with = "rounds", requires = TIMED, value_parser = seconds)]
    pub(crate) seconds: Option<f64>,
    /// Draw elements, scales and zero points from this number
    #[arg(long, value_name = "S", default_value_t = SEED, requires = TIMED, value_parser = super::seed)]
    pub(crate) seed: u64,
    /// The library of oneDNN, or `none` [default: RETILE_ONEDNN, else libdnnl where the system finds it]
    #[arg(long, value_name = "PATH", requires = TIMED)]
    pub(crate) onednn: Option<String>,
    /// With --batch, write a page too: a table for each comment of the file, and what explains slow cases
    #[arg(long, value_name = "FILE", conflicts_with = "src", requires = "batch", value_parser = page)]
    pub(crate) markdown: Option<String>,
    /// Time what a kernel costs besides its work: to call, to find, to make, to keep; with a page, on it too
    #[arg(long, conflicts_with_all = ["src", "json"])]
    pub(crate) overhead: bool,
    /// Print a JSON object a line
    #[arg(long, requires = TIMED)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) attr: AttrArgs,
}

impl BenchArgs {
    /// As one would type it to have the same page, wherever the library lies.
    pub(crate) fn command(&self) -> String {
        let mut words = vec!["retile bench".to_string()];
        let mut say =
            |name: &str, value: String| words.push(format!("--{name} {}", quoted(&value)));
        if let Some(batch) = &self.batch {
            say("batch", batch.clone());
        }
        if let Some(page) = &self.markdown {
            say("markdown", page.clone());
        }
        if let Some(library) = &self.onednn {
            say("onednn", library.rsplit('/').next().unwrap_or_default().into());
        }
        self.tier.iter().for_each(|tier| say("tier", tier.to_string()));
        if self.locality != Locality::Auto {
            say("locality", self.locality.to_string());
        }
        if self.threads != 1 {
            say("threads", self.threads.to_string());
        }
        match self.seconds {
            Some(seconds) => say("seconds", seconds.to_string()),
            None if self.rounds != ROUNDS => say("rounds", self.rounds.to_string()),
            None => (),
        }
        if self.seed != SEED {
            say("seed", self.seed.to_string());
        }
        if self.overhead {
            words.push("--overhead".into());
        }
        words.join(" ")
    }
}

fn page(path: &str) -> Result<String, String> {
    match path {
        "-" => Err("a page needs a file: the tables go to standard output".into()),
        path => Ok(path.into()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("expected seconds, from 0 to 3600".into()),
    }
}
