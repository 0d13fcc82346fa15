//! Every name of a layout, as data. In: a name, with or without its family. Out: its format.
//!
//! `names.tsv` has a row for each name: the name, the families that use it so, and its format in the
//! text form: a tag, `digits(..)`, or `refused: ` and the reason. A fourth column holds what the name
//! needs of an extent, `x%2: ` and the reason. Rows are sorted by their bytes and found by bisection.

use super::format::{Format, Need};
use super::{tag, text};
use crate::{Error, Result};

static TABLE: &str = include_str!("names.tsv");

/// Where a name is taken from when its family is not said: the first that knows it.
const FAMILIES: [&str; 4] = ["onednn", "cldnn", "openvino", "megengine"];

/// A row of the table of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// The name, as it is written behind the element type.
    pub name: &'static str,
    /// The families that use it in this sense, separated by commas.
    pub families: &'static str,
    /// What it stands for, in the text form of a format.
    pub format: &'static str,
    needs: &'static str,
}

/// All rows of the table of names, sorted by name. Tags need none: they are a grammar.
pub fn known_names() -> impl Iterator<Item = Name> {
    TABLE.lines().filter_map(row)
}

fn row(line: &'static str) -> Option<Name> {
    let mut cells = line.split('\t');
    let (name, families, format) = (cells.next()?, cells.next()?, cells.next()?);
    Some(Name { name, families, format, needs: cells.next().unwrap_or("") })
}

/// The rows of one name.
fn rows(name: &str) -> impl Iterator<Item = Name> {
    let (mut low, mut high) = (0, TABLE.len());
    // Invariant: `low` is the start of a line, and every line that starts before it sorts before.
    while low < high {
        let middle = low + (high - low) / 2;
        let start = TABLE[..middle].rfind('\n').map_or(0, |at| at + 1).max(low);
        let end = TABLE[start..].find('\n').map_or(TABLE.len(), |at| start + at + 1);
        let found = TABLE[start..end].split('\t').next().unwrap_or("");
        if found.as_bytes() < name.as_bytes() { low = end } else { high = start }
    }
    let name = name.to_owned();
    TABLE[low..].lines().filter_map(row).take_while(move |row| row.name == name)
}

/// The format that a name or tag stands for, with or without `family/` before it.
pub(crate) fn resolve(text: &str, rank: Option<usize>) -> Result<Format> {
    let (family, name) = match text.split_once('/') {
        Some((family, name)) if FAMILIES.contains(&family) => (Some(family), name),
        Some((family, _)) => {
            let expected = format!("a family of names ({})", FAMILIES.join(", "));
            let nearest = nearest_to(family, FAMILIES.into_iter());
            return Err(Error::text_near(family, expected, nearest));
        }
        None => (None, text),
    };
    let order = |row: &Name| FAMILIES.iter().position(|family| belongs(row, family));
    let chosen = match family {
        Some(family) => rows(name).find(|row| belongs(row, family)),
        None => rows(name).min_by_key(order),
    };
    if let Some(row) = chosen {
        return from_row(row);
    }
    if matches!(family, None | Some("onednn")) {
        let expanded = rank.and_then(|rank| tag::expand(name, rank));
        if let Some(format) = tag::parse(expanded.as_deref().unwrap_or(name)) {
            return format;
        }
    }
    Err(unknown(family, name))
}

/// A format of clDNN's, with the letters of its dims.
pub(crate) fn cldnn(name: &str) -> Result<(Format, String)> {
    let format = resolve(&format!("cldnn/{name}"), None)?;
    let letters = format.letters.iter().collect();
    Ok((format, letters))
}

fn belongs(row: &Name, family: &str) -> bool {
    row.families.split(',').any(|one| one == family)
}

fn from_row(row: Name) -> Result<Format> {
    if let Some(reason) = row.format.strip_prefix("refused: ") {
        return Err(Error::Unsupported(format!("`{}` is refused: {reason}", row.name)));
    }
    let mut format = text::parse_format(row.format, None)?;
    format.needs = need(row, &format);
    Ok(format)
}

/// `x%2: reason`.
fn need(row: Name, format: &Format) -> Option<Need> {
    let (condition, reason) = row.needs.split_once(": ")?;
    let (letter, multiple) = condition.split_once('%')?;
    let d = format.letters.iter().position(|&l| letter.chars().eq([l]))?;
    Some(Need { name: row.name, d, multiple: multiple.parse().ok()?, reason })
}

fn unknown(family: Option<&str>, name: &str) -> Error {
    let known = known_names().filter(|row| family.is_none_or(|family| belongs(row, family)));
    let elsewhere = family.and_then(|_| families_of(name).next());
    let nearest = match elsewhere {
        Some(other) => vec![format!("{other}/{name}")],
        None => nearest_to(name, known.map(|row| row.name)),
    };
    let expected = match family {
        Some("onednn") => "a tag of oneDNN's grammar or an alias of one".into(),
        Some(family) => format!("a layout's name in {family}"),
        None => "a layout's name, a tag, strides(..) or digits(..)".into(),
    };
    Error::Text { part: name.into(), expected, nearest }
}

/// The families that have a name, tags being oneDNN's.
fn families_of(name: &str) -> impl Iterator<Item = &'static str> {
    let has = |family: &&str| {
        rows(name).any(|row| belongs(&row, family))
            || *family == "onednn" && tag::parse(name).is_some_and(|format| format.is_ok())
    };
    FAMILIES.into_iter().filter(has)
}

/// Up to three known names that are spelt much like `found`.
pub(crate) fn nearest_to(found: &str, known: impl Iterator<Item = &'static str>) -> Vec<String> {
    // A name is short. What is longer than any of them by much is not a slip of the pen, nor is nothing.
    if found.is_empty() || found.len() > 80 {
        return Vec::new();
    }
    let far = 1 + (found.len() / 4).min(3);
    let folded = found.to_ascii_lowercase();
    let distance = |name: &'static str| {
        let slips = strsim::osa_distance(&folded, &name.to_ascii_lowercase());
        (slips <= far).then(|| (slips, strsim::osa_distance(found, name), name))
    };
    let mut near: Vec<(usize, usize, &str)> =
        known.filter(|name| name.len().abs_diff(found.len()) <= far).filter_map(distance).collect();
    near.sort_unstable();
    near.dedup();
    near.into_iter().take(3).map(|(.., name)| name.into()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "all names")]
    fn rows_are_sorted_found_and_understood() {
        let lines: Vec<&str> = TABLE.lines().collect();
        for pair in lines.windows(2) {
            assert!(pair[0] < pair[1], "by its bytes, this row comes first: {}", pair[1]);
        }
        let mut count = 0;
        for row in known_names() {
            assert!(rows(row.name).any(|found| found == row), "{}", row.name);
            assert!(row.families.split(',').all(|family| FAMILIES.contains(&family)), "{row:?}");
            let format = from_row(row);
            assert_eq!(format.is_err(), row.format.starts_with("refused: "), "{row:?}");
            assert_eq!(
                row.needs.is_empty(),
                format.is_ok_and(|f| f.needs.is_none()) || row.format.starts_with("refused: "),
                "{row:?}"
            );
            count += 1;
        }
        assert_eq!(count, lines.len());
    }

    #[test]
    #[cfg_attr(miri, ignore = "all names")]
    fn a_name_means_one_thing_in_a_family() {
        let mut seen = std::collections::HashSet::new();
        for row in known_names() {
            for family in row.families.split(',') {
                assert!(seen.insert((row.name, family)), "{family}/{}", row.name);
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "slips are looked for in all names")]
    fn slips_of_the_pen_find_the_name() {
        for (slip, name) in [("nChw16", "nChw16c"), ("NCHW16C", "nChw16c"), ("ncwh", "nchw")] {
            let Err(Error::Text { nearest, .. }) = resolve(slip, Some(4)) else { panic!("{slip}") };
            assert!(nearest.iter().any(|near| near == name), "{slip}: {nearest:?}");
        }
    }
}
