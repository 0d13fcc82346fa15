//! The arguments as they were typed. In: the command line. Out: plain data.

mod bench;
mod check;
mod explain;
mod names;

pub(crate) use bench::BenchArgs;
pub(crate) use check::CheckArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use names::NamesArgs;

use std::str::FromStr;

use clap::{Parser, Subcommand, ValueEnum};
use retile::{Locality, Target, Tier};

use crate::failure::Failure;

const EXAMPLES: &str = "\
Examples:
  retile show f32:nChw8c:1x11x2x3 --at 0,9,1,2
  retile layout u8:b_fs_yx_fsv16:1x3x224x224:upper=0,0,1,1:fill=1
  retile layout 'f32:strides(200704,1,3584,64):1x64x56x56:offset=128' --json
  retile plan f32:nchw:1x64x56x56 nChw16c
  retile check f32:nchw:1x17x13x13 nChw16c
  retile bench f32:nchw:1x64x56x56 nhwc --rounds 5
  retile explain f32:nchw:1x64x56x56 nhwc --target spr
  retile names fsv16

Environment:
  RETILE_MAX_ISA   portable, avx2, avx512 or avx512vbmi: no more than its
                   instructions are used
  RETILE_VERBOSE   1 for a line on standard error for each kernel that is made,
                   2 for each run of it too
  RETILE_JIT_DUMP  a directory: the machine code of each kernel goes there, and
                   its listing
  RETILE_PERF      map: `perf report` knows kernels by name
  RETILE_ONEDNN    the library of oneDNN that bench compares with, or none

Exits with 2 where what was typed is wrong, with 1 where it cannot be done here
or something that was checked is wrong.";

/// Looks at tensor layouts, what lies where in them, and how one becomes another; checks and times that.
#[derive(Parser, Debug)]
#[command(name = "retile", version, after_help = EXAMPLES, arg_required_else_help = true, args_override_self = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// When to colour
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, display_order = 99)]
    pub(crate) color: Color,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Layout(LayoutArgs),
    Show(ShowArgs),
    Plan(PlanArgs),
    Check(CheckArgs),
    Bench(BenchArgs),
    Explain(ExplainArgs),
    Names(NamesArgs),
}

/// The text form in short.
const TEXT: &str = "\
A layout is DTYPE:FORMAT:DIMS[:OPTION]..
  DTYPE   f64 f32 f16 bf16 s64 s32 s16 u16 s8 u8 bool
  FORMAT  a name of oneDNN, clDNN, OpenVINO or MegEngine (nChw16c, b_fs_yx_fsv16),
          a tag (aBcd16b, acdb, abx), strides(S,S,..) or digits(LETTERS; DIGIT ..)
  DIMS    8x17x31x31, in logical order: n c h w, o i h w, b f y x
  OPTION  offset=N  lower=N,..  upper=N,..  fill=V  in=DIMS:at=N,..  pitch=N
";

const LAYOUT_EXAMPLES: &str = "\
Examples:
  retile layout f32:nChw16c:8x17x31x31
  retile layout f32:bf8_xy16:2x9x5x5 --at 1,8,3,4
  retile layout f32:nchw:1x2x3x3:lower=0,0,1,2:upper=0,0,0,1 --at 0,0,-1,-2
  retile layout u8:nhwc:1x3x224x224 --json";

/// Says all there is to say about a layout: sizes, digits, padding, an element's offset
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{TEXT}\n{LAYOUT_EXAMPLES}"))]
pub(crate) struct LayoutArgs {
    /// The layout, DTYPE:FORMAT:DIMS[:OPTION]..
    pub(crate) text: String,
    /// Coordinates of an element whose offset to print; below 0 in a margin
    #[arg(long, value_name = "N,N,..", allow_hyphen_values = true)]
    pub(crate) at: Option<Coords>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  retile show f32:nChw8c:1x11x2x3 --at 0,9,1,2
  retile show u8:b_fs_yx_fsv4:1x5x3x3:lower=0,0,1,1:upper=0,0,1,1:fill=7
  retile show f32:nhwc:1x3x2x2:in=1x4x5x5:at=0,0,1,1
  retile show u8:nchw:32x256x56x56 --rows 10 --width 160 --color always | less -R";

/// Draws a layout's memory: which element lies at which address
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{TEXT}\n{SHOW_EXAMPLES}"))]
pub(crate) struct ShowArgs {
    /// The layout, DTYPE:FORMAT:DIMS[:OPTION]..
    pub(crate) text: String,
    /// Coordinates of an element to mark, and to print the offset of; below 0 in a margin
    #[arg(long, value_name = "N,N,..", allow_hyphen_values = true)]
    pub(crate) at: Option<Coords>,
    /// Columns to draw in [default: those of the terminal, else 80]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(20..))]
    pub(crate) width: Option<u16>,
    /// Lines to draw, up to 10000
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=10000))]
    pub(crate) rows: u16,
}

const PLAN_EXAMPLES: &str = "\
A destination is [DTYPE:]FORMAT[:OPTION].., with the source's dims, and its
type where none is named.

A plan for any target can be printed on any machine; `retile explain` prints
its machine code too.
  64(s12544,d4)     a loop of 64 steps of 12544 bytes in the source and 4 in
                    the destination; ss, ds, sz, dz steps of scales and zero
                    points, cs, ca of appended sums
  2(..)*16(..)      two loops that are one number, where some of its positions
                    are not elements:
  [0..32|0..20|0..17]  positions that are ours, of these elements and margins,
                    of these elements
  12(..,t0/0;4/4)   source and destination of each step, where no stride says it;
                    8x0/4+2/0 in it is eight steps, from 0/4 on by 2/0
  5(..,f0:1)        steps along fold 0, an axis whose digits are taken apart at
                    run time
  s32>s32           bits that are only moved, whatever their type
  src-dense, src-padding  what lies between elements of the source may be loaded
                    too: others, or padding
  bytes looked up   in a table of what each of 256 becomes, made at the start
  as given          values that tiles make ready themselves: very many, or each
                    needed by one tile alone
  sequences twice   the first looks for less than the second, and says for what
  tasks             how they share the work: each nest cut by itself, all of it
                    the first's, or the N steps of line L, so many together
  box 1 of 3        a part of the positions, and the nests that make it
  fill 0x0          a nest that writes padding, these bits
  first             what is done before all boxes: clear s8s8 or asym, appended
                    sums set to zero
  off lines         what is done in a nest's place where the destination does
                    not start on a line
  cut at            the outer loops, or the steps of `around`, that tasks share,
                    by so many together; shared from, or at, step N of the line
A target is a microarchitecture, used with all that it has (spr) or less
(spr:avx2, skx:avx2); haswell is also Broadwell and Skylake without AVX-512,
skx Cascade Lake, icelake Tiger and Rocket Lake, spr Emerald and Granite
Rapids, and Alder to Panther Lake, which have less; zen3 is also all of family
17h (Zen to Zen 2) and Hygon's, generic any other CPU. Where a target has
vector registers, each nest is tiled:
  predicted         cycles by the core's ports, and by the lines that move, if
                    nothing else is in the way; bytes stored in rows narrower
                    than a register
  around            the loops around the tiles, outermost first, and how much
                    of each at a time; 17 by 8 within 16 of f0:1+2, or 4, 2, 1
                    where digits of radix 16 end sooner: of fold 0, 1 position
                    a step, and up to 2 further on inside; the last earlier,
                    so that it is as long as the others; parts abreast, which
                    go on by turns
  order             what goes innermost, as weighed: cycles for lines that have
                    to come again, and values to be made anew
  stores            through the caches or past them, and why; what of the
                    source is copied or asked for first; lines N bytes ahead,
                    asked for meanwhile, into the second level where it says so,
                    or every other one a line further; what each tile asks for
                    of the block that comes next; which sides are reached under
                    masks; where elements change, as they are loaded, stored or
                    copied
  tile 16x16        what a tile takes of each loop, 16(0..3) with padding from
                    3 on; what is done, and the cycles of each way that was
                    weighed, the chosen one first:
    whole runs, 16-byte and 32-byte pieces  what registers are loaded with;
                    stages of shuffles go on from there, of two halves that
                    change places one by blends where it says so
    laid anew       a permutation first, for runs that are no powers of two, or
                    last, for rows; joined where a table says what they are
    merged rows     rows permute parts of registers and blend these; with shared
                    permutes one serves all rows, with blends first registers
                    are blended, and permuted then; packed pieces are loaded side
                    by side; over gaps with what lies between runs

Examples:
  retile plan f32:nchw:1x64x56x56 nChw16c
  retile plan f32:nchw:1x64x56x56 nChw16c --target portable
  retile plan f32:nchw:1x17x13x13 s8:nhwc --dst-scale=mask:2 --dst-zp=common
  retile plan f32:oihw:64x3x7x7 s8:OIhw4i16o4i --dst-scale=mask:1 --comp=s8s8:1";

/// What `--target` takes.
fn target_names() -> String {
    let names: Vec<&str> = retile::target::TARGETS.iter().map(|target| target.name).collect();
    format!("{}; with less than all that it has as spr:avx2", names.join(", "))
}

/// That of `plan` and `explain`.
fn targets() -> String {
    format!("What to plan for: {} [default: this machine]", target_names())
}

/// A target; a tier alone is none, which is said with what was meant.
fn target(text: &str) -> Result<Target, retile::Error> {
    text.parse().map_err(|mut error| {
        if let (Ok(tier), retile::Error::Text { nearest, .. }) = (text.parse::<Tier>(), &mut error)
        {
            nearest.extend([format!("generic:{tier}"), format!("--tier {tier}")]);
        }
        error
    })
}

/// Prints how a conversion is run: the problem, its boxes and their loops
#[derive(clap::Args, Debug)]
#[command(after_help = format!("{TEXT}\n{PLAN_EXAMPLES}"))]
pub(crate) struct PlanArgs {
    /// The source's layout, DTYPE:FORMAT:DIMS[:OPTION]..
    pub(crate) src: String,
    /// The destination's, [DTYPE:]FORMAT[:OPTION]..
    pub(crate) dst: String,
    #[arg(long, value_name = "NAME", help = targets(), conflicts_with = "tier", value_parser = target)]
    pub(crate) target: Option<Target>,
    /// Plan for what has this tier
    #[arg(long, value_name = "TIER")]
    pub(crate) tier: Option<Tier>,
    /// Whether the destination should be in the caches afterwards: auto, keep or stream
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(crate) locality: Locality,
    /// Print the sequence of each tile too
    #[arg(long)]
    pub(crate) listing: bool,
    #[command(flatten)]
    pub(crate) attr: AttrArgs,
}

/// Arithmetic on the way; lines of a file have their own
#[derive(clap::Args, Debug)]
#[command(next_help_heading = "Arithmetic")]
pub(crate) struct AttrArgs {
    /// Multiplies the source: common, or mask:N for a value for each index of the dims of N's bits
    #[arg(long, value_name = "MASK[:V,..]")]
    src_scale: Vec<String>,
    /// Divides the result
    #[arg(long, value_name = "MASK[:V,..]")]
    dst_scale: Vec<String>,
    /// Subtracted from the source
    #[arg(long, value_name = "MASK[:V,..]", allow_hyphen_values = true)]
    src_zp: Vec<String>,
    /// Added to the result
    #[arg(long, value_name = "MASK[:V,..]", allow_hyphen_values = true)]
    dst_zp: Vec<String>,
    /// Adds what the destination held before, times BETA
    #[arg(long, value_name = "BETA", allow_hyphen_values = true)]
    sum: Vec<String>,
    /// Appends sums for int8 weights: s8s8:MASK, zp:MASK, or both joined by +
    #[arg(long, value_name = "KIND:MASK")]
    comp: Vec<String>,
}

impl AttrArgs {
    /// Refuses them where there is no pair that they belong to.
    pub(crate) fn belong_to(&self, src: Option<&String>) -> Result<(), Failure> {
        match self.words().first().filter(|_| src.is_none()) {
            Some(word) => Err(Failure::Stray(word.split('=').next().unwrap_or(word).into())),
            None => Ok(()),
        }
    }

    /// The arguments as one would type them, for the library to read.
    pub(crate) fn words(&self) -> Vec<String> {
        let given = [
            ("src-scale", &self.src_scale),
            ("dst-scale", &self.dst_scale),
            ("src-zp", &self.src_zp),
            ("dst-zp", &self.dst_zp),
            ("sum", &self.sum),
            ("comp", &self.comp),
        ];
        // One that is given twice is the library's to refuse.
        let words = |(name, values): (&'static str, &'_ Vec<String>)| -> Vec<String> {
            values.iter().map(|value| format!("--{name}={value}")).collect()
        };
        given.into_iter().flat_map(words).collect()
    }
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum Color {
    Auto,
    Always,
    Never,
}

/// `0,9,1,2`.
#[derive(Clone, Debug)]
pub(crate) struct Coords(pub(crate) Vec<isize>);

impl FromStr for Coords {
    type Err = String;

    fn from_str(text: &str) -> Result<Coords, String> {
        let number = |part: &str| {
            use std::num::IntErrorKind::{NegOverflow, PosOverflow};
            let number = part.trim().parse();
            number.map_err(|error: std::num::ParseIntError| match error.kind() {
                NegOverflow | PosOverflow => format!("no dim is long enough for `{part}`"),
                _ => format!("`{part}` is not a coordinate, a whole number"),
            })
        };
        text.split(',').map(number).collect::<Result<_, _>>().map(Coords)
    }
}

/// What elements, scales and zero points are drawn from.
fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("expected a number from 0 to {}", u64::MAX))
}
