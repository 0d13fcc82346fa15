//! Draws a picture of memory. In: what lies on each line. Out: coloured text, legible without colour.

mod colours;

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use retile::{Layout, Role};

use crate::axis::letter;
use crate::layout::{Place, count, counted, share, spell};
use crate::memory::Spot;
use crate::show::{Item, PADDING, Picture};
use colours::{BOLD, Colours, DIM, MARGIN, MARKED, PLAIN, TAIL};

/// A picture under the text it was asked for with, and its legend.
pub(crate) struct Drawing<'a> {
    pub(crate) picture: &'a Picture<'a>,
    pub(crate) asked: &'a str,
    pub(crate) place: Option<&'a Place>,
    /// Whether colours are worth a legend.
    pub(crate) coloured: bool,
}

impl Display for Drawing<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.title(f)?;
        if self.picture.layout.is_empty() {
            return writeln!(f, "no elements, and no memory");
        }
        let (colours, gutter) = (Colours::of(self.picture), self.picture.gutter);
        self.head(f)?;
        let mut drawn = false;
        for item in &self.picture.items {
            match item {
                Item::Line(range, spots) => {
                    if drawn && self.picture.grid.starts_group(range.start) {
                        writeln!(f)?;
                    }
                    self.line(f, &colours, range, spots)?;
                }
                Item::Gaps(lines) => {
                    let lines = count(*lines, "line");
                    writeln!(f, "{DIM}{:>gutter$}  {lines} of gaps{DIM:#}", "…")?;
                }
                Item::Left(lines, last) => {
                    let lines = count(*lines, "line");
                    let last = format!("left out, to element {last}");
                    writeln!(f, "{DIM}{:>gutter$}  {lines} {last}{DIM:#}", "…")?;
                }
            }
            drawn = matches!(item, Item::Line(..));
        }
        writeln!(f)?;
        self.legend(f)?;
        if self.coloured {
            self.swatches(f, &colours)?;
        }
        match self.place {
            Some(place) => writeln!(f, "\n{:gutter$}  {place}", ""),
            None => Ok(()),
        }
    }
}

impl Drawing<'_> {
    /// What the layout is, how large, and how it nests.
    fn title(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (layout, counts) = (self.picture.layout, self.picture.memory.counts);
        writeln!(f, "{BOLD}{}{BOLD:#}", self.asked)?;
        let elements = counted(counts.elements, "element");
        let bytes = counted(layout.size_bytes(), "byte");
        write!(f, "{DIM}{elements}, {bytes}")?;
        if counts.all() > counts.elements {
            let padding = (counts.all() - counts.elements) as f64 / counts.all() as f64;
            write!(f, ", {} padding", share(padding * 100.0))?;
        }
        let dims = letters(0..layout.rank(), " ");
        write!(f, "\n{dims} in memory order:")?;
        for digit in layout.digits() {
            write!(f, " {}", spell(&digit))?;
        }
        writeln!(f, "{DIM:#}\n")
    }

    /// What to add to a line's address, above each column.
    fn head(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (gutter, text) = (self.picture.gutter, self.picture.text);
        write!(f, "{DIM}{:gutter$} ", "")?;
        for at in 0..self.picture.grid.line {
            let width = text + PADDING;
            let column = format!("{:>text$}", format!("+{at}"));
            write!(f, "{}{column:^width$}", self.gap(at))?;
        }
        writeln!(f, "{DIM:#}")
    }

    fn line(
        &self,
        f: &mut Formatter<'_>,
        colours: &Colours,
        range: &Range<i128>,
        spots: &[Option<Spot>],
    ) -> fmt::Result {
        let (gutter, longest) = (self.picture.gutter, self.picture.text);
        let width = longest + PADDING;
        write!(f, "{DIM}{:>gutter$}{DIM:#} ", range.start)?;
        let memory = 0..self.picture.layout.size_elements() as i128;
        for (at, (address, spot)) in range.clone().zip(spots).enumerate() {
            let (mut text, mut style) = match spot {
                Some(spot) => (self.picture.text_of(spot), colours.of_spot(spot)),
                None if memory.contains(&address) => ("-".into(), DIM),
                None => (String::new(), PLAIN),
            };
            if self.place.is_some_and(|place| place.offset as i128 == address) {
                (text, style) = (format!("[{text}]"), MARKED);
            } else if spot.is_some_and(|spot| spot.role == Role::Element) {
                text = format!("{text:>longest$}");
            }
            write!(f, "{}{style}{text:^width$}{style:#}", self.gap(at as i128))?;
        }
        writeln!(f)
    }

    /// Sets blocks apart.
    fn gap(&self, at: i128) -> &'static str {
        let unit = self.picture.grid.unit;
        if at > 0 && at % unit == 0 && unit > 1 { " " } else { "" }
    }

    /// How to read the cells.
    fn legend(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (picture, gutter) = (self.picture, self.picture.gutter);
        let named = letters(picture.named.iter().copied(), ".");
        write!(f, "{:gutter$}  {BOLD}{named}{BOLD:#} of an element", "")?;
        for (i, (d, value)) in picture.unnamed().enumerate() {
            let lead = if i == 0 { ", where" } else { "," };
            write!(f, "{lead} {d} = {value}")?;
        }
        let has = |role| picture.spots().any(|spot| spot.role == role);
        if has(Role::Margin) {
            write!(f, "   {MARGIN} {} {MARGIN:#} margin", fill(picture.layout))?;
        }
        if has(Role::Tail) {
            write!(f, "   {TAIL} · {TAIL:#} tail")?;
        }
        if picture.has_gaps() {
            write!(f, "   {DIM}-{DIM:#} gap")?;
        }
        if picture.spots().any(|spot| spot.shared) {
            write!(f, "   {DIM}+{DIM:#} others lie here too")?;
        }
        writeln!(f)
    }

    fn swatches(&self, f: &mut Formatter<'_>, colours: &Colours) -> fmt::Result {
        let (picture, gutter) = (self.picture, self.picture.gutter);
        write!(f, "{:gutter$}  {BOLD}{}{BOLD:#}", "", letter(picture.key))?;
        for (value, style) in colours.swatches() {
            write!(f, " {style} {value} {style:#}")?;
        }
        if let Some(last) = colours.shared() {
            write!(f, " to {last}")?;
        }
        writeln!(f)
    }
}

impl Picture<'_> {
    /// How a cell reads.
    pub(crate) fn text_of(&self, spot: &Spot) -> String {
        match spot.role {
            Role::Element => {
                let coords = self.named.iter().map(|&d| spot.coords[d].to_string());
                let more = if spot.shared { "+" } else { "" };
                coords.collect::<Vec<String>>().join(".") + more
            }
            Role::Margin => fill(self.layout),
            _ => "·".into(),
        }
    }
}

/// How a margin's cells read: the fill, in as few letters as say it.
fn fill(layout: &Layout) -> String {
    let fill = format!("={:?}", layout.fill());
    fill.trim_end_matches(".0").into()
}

fn letters(dims: impl Iterator<Item = usize>, by: &str) -> String {
    let letters: Vec<String> = dims.map(|d| letter(d).to_string()).collect();
    letters.join(by)
}
