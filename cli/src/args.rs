//! The arguments as they were typed. In: the command line. Out: plain data.

use std::str::FromStr;

use clap::{Parser, Subcommand, ValueEnum};

const EXAMPLES: &str = "\
Examples:
  retile show f32:nChw8c:1x11x2x3 --at 0,9,1,2
  retile layout u8:b_fs_yx_fsv16:1x3x224x224:upper=0,0,1,1:fill=1
  retile layout 'f32:strides(200704,1,3584,64):1x64x56x56:offset=128' --json";

/// Looks at tensor layouts: where each element lies, and what lies where.
#[derive(Parser, Debug)]
#[command(name = "retile", version, after_help = EXAMPLES, arg_required_else_help = true, args_override_self = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// When to colour
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true, display_order = 9)]
    pub(crate) color: Color,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    Layout(LayoutArgs),
    Show(ShowArgs),
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
    /// Lines to draw
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u16).range(1..=10000))]
    pub(crate) rows: u16,
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
            let number = part.trim().parse();
            number.map_err(|_| format!("`{part}` is not a coordinate, a whole number"))
        };
        text.split(',').map(number).collect::<Result<_, _>>().map(Coords)
    }
}
