//! The arguments of `retile names`.

use clap::builder::PossibleValuesParser;

const NAMES_EXAMPLES: &str = "\
A name that families use in two senses has a row for each, and is taken from
the first of onednn, cldnn, openvino and megengine where none is said:
f32:io:8x4, f32:cldnn/io:8x4. Tags of oneDNN (aBcd16b, acdb, abx), strides(..)
and digits(..) are formats too, and need no name.

Examples:
  retile names
  retile names fsv16 --family openvino
  retile names --family megengine --json";

/// Lists the names of layouts: families, and the format that each stands for, or why it is refused
#[derive(clap::Args, Debug)]
#[command(after_help = NAMES_EXAMPLES)]
pub(crate) struct NamesArgs {
    /// Only names that have this in them, whatever its case
    pub(crate) word: Option<String>,
    /// Only names of this family: onednn, cldnn, openvino or megengine
    #[arg(long, value_parser = PossibleValuesParser::new(families()), hide_possible_values = true)]
    pub(crate) family: Option<String>,
    /// Print a JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// Those that some name is of.
fn families() -> Vec<&'static str> {
    let mut families = Vec::new();
    for family in retile::known_names().flat_map(|name| name.families.split(',')) {
        if !families.contains(&family) {
            families.push(family);
        }
    }
    families
}
