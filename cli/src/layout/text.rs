//! A report as text. In: the report. Out: a line for each thing said, and a table of the digits.

use std::fmt::{self, Display, Formatter};

use anstyle::Style;
use retile::DigitView;

use super::{Place, Report};
use crate::axis::letter;

const PLAIN: Style = Style::new();
const LABEL: Style = Style::new().dimmed();
const BOLD: Style = Style::new().bold();

/// Columns of the labels.
const WIDTH: usize = 12;

impl Display for Report {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "{BOLD}{}{BOLD:#}\n", self.layout)?;
        for (label, value) in self.rows() {
            writeln!(f, "{LABEL}{label:<WIDTH$}{LABEL:#} {value}")?;
        }
        writeln!(f)?;
        self.table(f)?;
        match &self.at {
            Some(place) => writeln!(f, "\n{place}"),
            None => Ok(()),
        }
    }
}

impl Report {
    fn rows(&self) -> Vec<(&'static str, String)> {
        let (dims, padded) = (list(&self.dims, "x"), list(&self.padded_dims, "x"));
        let wide = dims.len().max(padded.len()) + 2;
        let room = |n: isize| count(n as i128 * self.element_bytes as i128, "byte");
        let both = |n: isize| format!("{}, {}", room(n), count(n as i128, "element"));
        let dims = format!("{dims:<wide$}{}", elements(self.elements));
        let padded = format!("{padded:<wide$}{} in the footprint", self.padding.cells);
        let destination = match &self.destination_fault {
            None => yes(true),
            Some(fault) => format!("no: {fault}"),
        };
        let offset = match self.offset {
            0 => "0".into(),
            n => both(n),
        };
        let mut rows = vec![
            ("type", format!("{}, {}", self.dtype, room(1))),
            ("dims", dims),
            ("padded dims", padded),
            ("margins", self.margins()),
            ("tails", self.tails()),
            ("size", both(self.size_elements as isize)),
            ("offset", offset),
            ("dense", self.dense()),
            ("region", yes(self.region)),
            ("destination", destination),
        ];
        let strides = self.strides.iter();
        rows.extend(strides.map(|strides| ("strides", list(strides, ","))));
        let leading = self.leading_dimension.iter();
        rows.extend(leading.map(|leading| ("leading dim", leading.to_string())));
        rows
    }

    fn margins(&self) -> String {
        let padding = &self.padding;
        part(padding.margins, padding.margin_percent, &self.fill)
    }

    fn tails(&self) -> String {
        part(self.padding.tails, self.padding.tail_percent, &"zero")
    }

    fn dense(&self) -> String {
        let gaps = self.size_elements.checked_sub(self.padding.cells);
        match gaps.filter(|_| !self.dense && self.destination) {
            None => yes(self.dense),
            Some(gaps) => format!("no: {gaps} of {} are gaps", elements(self.size_elements)),
        }
    }

    fn table(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let head = ["digit", "radix", "stride", "bytes"].map(String::from);
        let rows = self.digits.iter().map(|digit| {
            let numbers = [digit.radix as i128, digit.stride as i128, digit.stride_bytes];
            let [radix, stride, bytes] = numbers.map(|n| n.to_string());
            [digit.digit.clone(), radix, stride, bytes]
        });
        let table: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
        let width = |column: usize| table.iter().map(|row| row[column].len()).max().unwrap_or(0);
        let [first, a, b, c] = [width(0).max(WIDTH), width(1), width(2) + 3, width(3) + 3];
        for (i, [digit, radix, stride, bytes]) in table.iter().enumerate() {
            let style = if i == 0 { LABEL } else { PLAIN };
            let numbers = format!("{radix:>a$}{stride:>b$}{bytes:>c$}");
            writeln!(f, "{style}{digit:<first$} {numbers}{style:#}")?;
        }
        Ok(())
    }
}

/// `0,9,1,2 lies at element 89, byte 356`.
impl Display for Place {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (coords, offset, byte) = (list(&self.coords, ","), self.offset, self.byte);
        let margin = if self.margin { ", in a margin" } else { "" };
        write!(
            f,
            "{BOLD}{coords}{BOLD:#} lies at element {BOLD}{offset}{BOLD:#}, byte {byte}{margin}"
        )
    }
}

/// A digit as the text form has it, `b%16/4`.
pub(crate) fn spell(digit: &DigitView) -> String {
    let mut spelt: String = digit.dims.iter().map(|&d| letter(d)).collect();
    if !digit.top {
        spelt += &format!("%{}", digit.divisor * digit.radix);
    }
    if digit.divisor != 1 {
        spelt += &format!("/{}", digit.divisor);
    }
    spelt
}

/// Percents, never rounded to nothing or to all.
pub(crate) fn share(percent: f64) -> String {
    match percent {
        ..0.05 => "under 0.1 %".into(),
        99.95.. => "over 99.9 %".into(),
        _ => format!("{percent:.1} %"),
    }
}

/// A part of the footprint, and what is written there.
fn part(n: usize, percent: f64, fill: &dyn Display) -> String {
    let (percent, cells) = (share(percent), elements(n));
    match n {
        0 => "none".into(),
        _ => format!("{percent} of the footprint: {cells} of {fill}"),
    }
}

fn elements(n: usize) -> String {
    counted(n, "element")
}

/// `1 line`, `2 lines`.
pub(crate) fn count(n: i128, what: &str) -> String {
    format!("{n} {what}{}", if n == 1 { "" } else { "s" })
}

/// `1 line`, `2 lines`, of things that there are.
pub(crate) fn counted(n: usize, what: &str) -> String {
    count(n as i128, what)
}

fn yes(yes: bool) -> String {
    if yes { "yes" } else { "no" }.into()
}

fn list<T: Display>(items: &[T], by: &str) -> String {
    let items: Vec<String> = items.iter().map(T::to_string).collect();
    items.join(by)
}
