//! The arguments of `retile names`.

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
    #[arg(long, value_parser = family)]
    pub(crate) family: Option<String>,
    /// Print a JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

/// One that some name is of.
fn family(text: &str) -> Result<String, String> {
    let known = retile::known_names().flat_map(|name| name.families.split(','));
    let mut families: Vec<&str> = Vec::new();
    known.for_each(|family| {
        if !families.contains(&family) {
            families.push(family);
        }
    });
    match families.contains(&text) {
        true => Ok(text.into()),
        false => Err(format!("expected a family of names ({})", families.join(", "))),
    }
}
