//! Which positions along an axis a layout owns, and what lies there. In: the windows of a
//! layout's dims. Out: roles and coordinates.

use std::ops::Range;

use retile::{Layout, Role};

/// One dim, or several merged in row-major order.
pub(crate) struct Axis {
    windows: Vec<Window>,
    /// Rounded up to what the digits need.
    pub(crate) extent: isize,
    /// Before it was rounded up.
    stored: isize,
}

/// What is stored along a dim, and the part of it that is the layout's own.
#[derive(Clone, Debug)]
pub(crate) struct Window {
    dim: usize,
    n: isize,
    lower: isize,
    /// Elements and margins; up to `end`, tail.
    written: Range<isize>,
    end: isize,
    extent: isize,
    reversed: bool,
}

impl Axis {
    pub(crate) fn new(windows: Vec<Window>, extent: isize) -> Axis {
        let stored = windows.iter().map(|w| w.extent).product();
        Axis { windows, extent, stored }
    }

    /// How many positions are owned.
    pub(crate) fn owned(&self) -> usize {
        let own: usize = self.windows.iter().map(|w| w.owned().len()).product();
        own + self.tail() as usize
    }

    /// The least position that is owned.
    pub(crate) fn first(&self) -> isize {
        let windows = self.windows.iter();
        windows.fold(0, |first, w| first * w.extent + w.owned().start)
    }

    /// The greatest position that is owned.
    pub(crate) fn last(&self) -> isize {
        if self.tail() > 0 {
            return self.extent - 1;
        }
        let windows = self.windows.iter();
        windows.fold(0, |last, w| last * w.extent + w.owned().end - 1)
    }

    /// Whether one of the positions `at..=at + open` may be owned; exact for a single one.
    pub(crate) fn can_own(&self, at: isize, open: isize) -> bool {
        if at > self.last() || at + open < self.first() {
            return false;
        }
        open > 0 || at >= self.stored || self.split(at).all(|(w, p)| w.owned().contains(&p))
    }

    /// What lies at a position that is owned, with its coordinates where it is not tail.
    pub(crate) fn coordinates(&self, at: isize, coords: &mut [isize]) -> Role {
        if at >= self.stored {
            return Role::Tail;
        }
        let mut role = Role::Element;
        for (window, position) in self.split(at) {
            let p = window.turned(position);
            let i = p - window.written.start - window.lower;
            coords[window.dim] = i;
            role = role.max(match i {
                _ if !window.written.contains(&p) => Role::Tail,
                i if (0..window.n).contains(&i) => Role::Element,
                _ => Role::Margin,
            });
        }
        role
    }

    /// The position along each dim.
    fn split(&self, mut at: isize) -> impl Iterator<Item = (&Window, isize)> {
        self.windows.iter().rev().map(move |window| {
            let position = at % window.extent;
            at /= window.extent;
            (window, position)
        })
    }

    /// What rounding up added belongs to whoever reaches the end.
    fn tail(&self) -> isize {
        let ends = self.windows.iter().all(|w| w.owned().end == w.extent);
        if ends { self.extent - self.stored } else { 0 }
    }
}

impl Window {
    /// The windows of a layout.
    pub(crate) fn all(layout: &Layout) -> Vec<Window> {
        let window = |(dim, window): (usize, &retile::Window)| {
            let written = window.before..window.before + window.padded();
            Window {
                dim,
                n: window.n,
                lower: window.lower,
                end: window.fixed.filter(|_| window.after == 0).unwrap_or(written.end),
                written,
                extent: window.extent(),
                reversed: window.reversed,
            }
        };
        layout.windows().iter().enumerate().map(window).collect()
    }

    /// How many positions hold elements and margins.
    pub(crate) fn written(&self) -> usize {
        self.written.len()
    }

    /// The positions in memory order that are owned.
    fn owned(&self) -> Range<isize> {
        match self.reversed {
            false => self.written.start..self.end,
            true => self.extent - self.end..self.extent - self.written.start,
        }
    }

    /// A position in memory order as one in the order of the coordinates, or back.
    fn turned(&self, position: isize) -> isize {
        match self.reversed {
            false => position,
            true => self.extent - 1 - position,
        }
    }
}

/// What dim `d` is called in texts: a, b, c, ..
pub(crate) fn letter(d: usize) -> char {
    (b'a' + d as u8) as char
}
