//! Which colour a cell has. In: the coordinates drawn along one dim. Out: styles.

use anstyle::{Ansi256Color, Color, Style};
use retile::Role;

use crate::memory::Spot;
use crate::show::Picture;

/// Backgrounds that black letters stand out from, from blue to violet.
const PALETTE: [u8; 14] = [75, 81, 80, 79, 114, 150, 186, 222, 216, 210, 211, 212, 176, 141];

pub(super) const PLAIN: Style = Style::new();
pub(super) const DIM: Style = Style::new().dimmed();
pub(super) const BOLD: Style = Style::new().bold();
pub(super) const MARGIN: Style = on(246, 16);
pub(super) const TAIL: Style = on(237, 247);
pub(super) const MARKED: Style = on(160, 231).bold();

/// A colour for each coordinate along one dim; where they are many, neighbours share.
pub(super) struct Colours {
    key: usize,
    /// Those that are drawn, ascending.
    values: Vec<isize>,
}

impl Colours {
    pub(super) fn of(picture: &Picture<'_>) -> Colours {
        let mut values: Vec<isize> = picture.coordinates(picture.key).collect();
        values.sort();
        values.dedup();
        Colours { key: picture.key, values }
    }

    pub(super) fn of_spot(&self, spot: &Spot) -> Style {
        match spot.role {
            Role::Element => self.of_value(spot.coords[self.key]),
            Role::Margin => MARGIN,
            _ => TAIL,
        }
    }

    fn of_value(&self, value: isize) -> Style {
        let rank = self.values.binary_search(&value).unwrap_or(0);
        on(PALETTE[self.shade(rank)], 16)
    }

    /// Few values take colours far apart.
    fn shade(&self, rank: usize) -> usize {
        match self.values.len() {
            n if n > PALETTE.len() => rank * PALETTE.len() / n,
            1 => 0,
            n => rank * (PALETTE.len() - 1) / (n - 1),
        }
    }

    /// The last value, where there are not colours enough for all.
    pub(super) fn shared(&self) -> Option<isize> {
        let last = self.values.last().copied();
        last.filter(|_| self.values.len() > PALETTE.len())
    }

    /// The first value of each colour.
    pub(super) fn swatches(&self) -> impl Iterator<Item = (isize, Style)> {
        let first = |rank: &usize| *rank == 0 || self.shade(*rank) != self.shade(*rank - 1);
        let ranks = (0..self.values.len()).filter(first);
        ranks.map(|rank| (self.values[rank], self.of_value(self.values[rank])))
    }
}

const fn on(background: u8, letters: u8) -> Style {
    let (background, letters) = (Ansi256Color(background), Ansi256Color(letters));
    let style = Style::new().bg_color(Some(Color::Ansi256(background)));
    style.fg_color(Some(Color::Ansi256(letters)))
}
