//! The arguments of `retile check`.

use std::num::NonZeroUsize;

use retile::{Locality, Target, Tier};

use super::{AttrArgs, TEXT};

const CHECK_USAGE: &str = "\
retile check [OPTIONS] <SRC> <DST>
       retile check [OPTIONS] --batch <FILE>
       retile check [OPTIONS] --random <N>";

const CHECK_EXAMPLES: &str = "\
Every tier that this machine has is run, with buffers on whole lines and with
buffers aligned for nothing but their elements, whole and as tasks in any
order, and every byte is compared with what the reference writes: elements,
padding, the gaps between them, and what lies beside the buffers. A file has a
conversion a line, SRC DST [attributes], and comments behind a #.

Exits with 1 where anything differs, or where a line of a file is refused; the
other lines are checked all the same. What failed is printed as a command that
shows it again.

With --onednn the reference, a kernel of every tier and oneDNN do the same
conversion, with moderate numbers and then with NaNs, infinities, denormals
and what saturates; scales that are left open are powers of two. What oneDNN
has no words for, or refuses, is counted. Differences by a rule of
docs/onednn.md are counted by rule, and any other fails; --random draws pairs
until oneDNN has taken so many.

Examples:
  retile check f32:nchw:1x17x13x13 nChw16c
  retile check f32:oihw:64x3x7x7 s8:OIhw4i16o4i --dst-scale=mask:1 --comp=s8s8:1 --tier portable
  retile check --random 100 --seed 7
  retile check --batch pairs.txt --tier avx2 --tier avx512
  retile check --random 100 --target zen4 --target haswell
  retile check --batch pairs.txt --onednn /opt/onednn/lib/libdnnl.so.3";

/// Compares kernels with the reference, byte by byte
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{TEXT}\n{CHECK_EXAMPLES}"), override_usage = CHECK_USAGE)]
pub(crate) struct CheckArgs {
    /// The source's layout, DTYPE:FORMAT:DIMS[:OPTION]..
    #[arg(required_unless_present_any = ["batch", "random"], requires = "dst")]
    pub(crate) src: Option<String>,
    /// The destination's, [DTYPE:]FORMAT[:OPTION]..
    #[arg(required_unless_present_any = ["batch", "random"])]
    pub(crate) dst: Option<String>,
    /// Check the lines of a file; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["src", "random"])]
    pub(crate) batch: Option<String>,
    /// Check so many conversions drawn from the seed
    #[arg(long, value_name = "N", conflicts_with = "src", value_parser = conversions)]
    pub(crate) random: Option<NonZeroUsize>,
    /// Draw conversions, elements, scales and zero points from this number
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = super::seed)]
    pub(crate) seed: u64,
    /// Run this tier; said again, others too [default: all that this machine has]
    #[arg(long, value_name = "TIER")]
    pub(crate) tier: Vec<Tier>,
    #[arg(long, value_name = "NAME", help = targets(), conflicts_with_all = ["tier", "onednn"], value_parser = super::target)]
    pub(crate) target: Vec<Target>,
    /// Run kernels made for this use of the destination, auto, keep or stream; said again, others too [default: auto
    /// and stream]
    #[arg(long, value_name = "WHERE")]
    pub(crate) locality: Vec<Locality>,
    /// Ask this library of oneDNN 3 for a second opinion
    #[arg(long, value_name = "PATH", conflicts_with = "locality")]
    pub(crate) onednn: Option<String>,
    /// Say each conversion on standard error before it is run
    #[arg(long, short)]
    pub(crate) verbose: bool,
    #[command(flatten)]
    pub(crate) attr: AttrArgs,
}

fn conversions(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| format!("expected a number of conversions, from 1 to {}", usize::MAX))
}

fn targets() -> String {
    format!(
        "Run what is planned for this machine, as far as its instructions are here: {}; said again, others too",
        super::target_names()
    )
}
