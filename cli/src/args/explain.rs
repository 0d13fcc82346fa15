//! The arguments of `retile explain`.

use retile::{Locality, Target, Tier};

use super::{AttrArgs, TEXT};

const EXPLAIN_EXAMPLES: &str = "\
Any target can be explained on any machine. The plan is what
`retile plan --listing` prints; its help says how to read it.

Examples:
  retile explain f32:nchw:1x64x56x56 nChw16c
  retile explain u8:nhwc:1x3x224x224 nchw --target zen5
  retile explain f32:nchw:32x256x56x56 nhwc --tier avx2 --locality keep";

/// Says what a kernel does: bytes, bounds, tiles, the plan and the machine code
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{TEXT}\n{EXPLAIN_EXAMPLES}"))]
pub(crate) struct ExplainArgs {
    /// The source's layout, DTYPE:FORMAT:DIMS[:OPTION]..
    pub(crate) src: String,
    /// The destination's, [DTYPE:]FORMAT[:OPTION]..
    pub(crate) dst: String,
    /// What to plan for, as spr or spr:avx2: see `retile plan --help` [default: this machine]
    #[arg(long, value_name = "NAME", conflicts_with = "tier", value_parser = super::target)]
    pub(crate) target: Option<Target>,
    /// Plan for what has this tier
    #[arg(long, value_name = "TIER")]
    pub(crate) tier: Option<Tier>,
    /// Whether the destination should be in the caches afterwards: auto, keep or stream
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(crate) locality: Locality,
    #[command(flatten)]
    pub(crate) attr: AttrArgs,
}
