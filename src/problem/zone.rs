//! Zones. In: positions of a line or of a loop. Out: how many they are, and what of them lies in others.

use std::ops::Range;

/// Positions `start..end` of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub struct Zone {
    pub start: usize,
    pub end: usize,
}

impl Zone {
    /// All of so many steps.
    pub fn all(extent: usize) -> Zone {
        Zone { start: 0, end: extent }
    }

    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    pub(crate) fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// The part of it that lies in another, counted from where that starts.
    pub(crate) fn seen_from(self, other: Zone) -> Zone {
        let at = |position: usize| position.clamp(other.start, other.end) - other.start;
        Zone { start: at(self.start), end: at(self.end) }
    }

    /// What both have; it ends before it starts where they lie apart.
    pub(crate) fn meet(self, other: Zone) -> Zone {
        Zone { start: self.start.max(other.start), end: self.end.min(other.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zones_are_cut_to_others() {
        let zone = |start, end| Zone { start, end };
        assert_eq!(zone(2, 9).seen_from(zone(4, 12)), zone(0, 5));
        assert_eq!(zone(5, 6).seen_from(zone(4, 12)), zone(1, 2));
        assert_eq!(zone(2, 3).seen_from(zone(4, 12)), zone(0, 0));
        assert_eq!(zone(2, 9).meet(zone(4, 12)), zone(4, 9));
        assert!(zone(2, 3).meet(zone(4, 12)).range().is_empty());
    }
}
