//! `retile names`: the names of layouts. In: a family, and a part of names. Out: a line for each name that has them.

use std::fmt::Write;
use std::io;

use retile::known_names;
use serde::Serialize;

use crate::args::NamesArgs;
use crate::failure::Failure;

/// A row for programs: a format, or why there is none.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    families: Vec<&'static str>,
    format: Option<&'static str>,
    refused: Option<&'static str>,
}

pub(crate) fn names(args: &NamesArgs) -> Result<String, Failure> {
    let word = args.word.as_ref().map_or(String::new(), |word| word.to_lowercase());
    let of_family = |families: &str| {
        args.family.as_ref().is_none_or(|family| families.split(',').any(|one| one == family))
    };
    let wanted = known_names()
        .filter(|row| of_family(row.families) && row.name.to_lowercase().contains(&word));
    let rows: Vec<_> = wanted.collect();
    if rows.is_empty() {
        let family = args.family.as_ref().map_or(String::new(), |family| format!(" of {family}"));
        return Err(Failure::Absent(format!("no name{family} has `{word}` in it")));
    }
    let mut text = String::new();
    if args.json {
        for row in rows {
            let refused = row.format.strip_prefix("refused: ");
            let format = refused.is_none().then_some(row.format);
            let families = row.families.split(',').collect();
            let row = Row { name: row.name, families, format, refused };
            text += &serde_json::to_string(&row).map_err(io::Error::from)?;
            text.push('\n');
        }
        return Ok(text);
    }
    let name = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let families = rows.iter().map(|row| row.families.len()).max().unwrap_or(0);
    for row in rows {
        _ = writeln!(text, "{:<name$}  {:<families$}  {}", row.name, row.families, row.format);
    }
    Ok(text)
}
