//! Stages. In: the lanes of a frame. Out: what each kind of a pair of shuffles does to them, as shifts of a number that
//! has a byte for each lane position.

use arrayvec::ArrayVec;

use super::frame::{Frame, Lanes, NO};

/// A stage: what it does to lane positions, and on which bit of the register's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stage {
    pub(super) kind: Kind,
    pub(super) slot: u8,
}

/// What a pair of shuffles does to lane positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The bit comes in at a position, those above move up, and that at the top of the block goes.
    Unpack { at: u8 },
    /// It comes in at the top of the block; the next below goes, the old top in its place.
    Quads,
    /// The top bit of the register changes.
    Halves,
    /// It comes in at the top of the register; the next below goes, the old top in its place.
    Blocks,
}

/// What is at each lane position, a byte for each, the lowest position's lowest.
pub(super) type Packed = u64;

/// A kind, and how bytes of [`Packed`] move by it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swap {
    pub(super) kind: Kind,
    /// Whether it changes bits above the block's.
    pub(super) across: bool,
    /// The position that a bit comes in at.
    pub(super) entry: u8,
    /// The position that a bit goes from.
    exit: u8,
    /// Positions that stay, that move up by one and down by one.
    stay: Packed,
    up: Packed,
    down: Packed,
}

/// All kinds for registers of one width, those within blocks first.
pub(super) type Swaps = ArrayVec<Swap, 8>;

impl Stage {
    /// Whether it is two halves changing places, which blends can do in part.
    pub(super) fn straddles(&self, frame: &Frame) -> bool {
        match self.kind {
            Kind::Unpack { at } => at as usize + 1 == frame.cross,
            Kind::Halves => true,
            Kind::Quads | Kind::Blocks => false,
        }
    }
}

pub(super) fn pack([a, b, c, d, e, f]: Lanes) -> Packed {
    Packed::from_le_bytes([a, b, c, d, e, f, NO, NO])
}

pub(super) fn unpack(lanes: Packed) -> Lanes {
    let [a, b, c, d, e, f, ..] = lanes.to_le_bytes();
    [a, b, c, d, e, f]
}

/// The bytes of positions `from..to`.
fn bytes(from: usize, to: usize) -> Packed {
    ((1 << (8 * to)) - 1) & (Packed::MAX << (8 * from))
}

impl Swap {
    /// All that there are for registers of this width.
    pub(super) fn all(frame: &Frame) -> Swaps {
        let (block, all) = (frame.cross, frame.lanes_log);
        let unpacks = (0..block).rev().map(|at| {
            let kind = Kind::Unpack { at: at as u8 };
            Swap::of(kind, [at, block - 1], bytes(at, block - 1), 0)
        });
        let onto = |kind, top: usize| Swap::of(kind, [top, top - 1], 0, bytes(top, top + 1));
        let quads = (frame.lane <= 4).then(|| onto(Kind::Quads, block - 1));
        let halves = (all > block).then(|| Swap::of(Kind::Halves, [all - 1; 2], 0, 0));
        let blocks = (all > block + 1).then(|| onto(Kind::Blocks, all - 1));
        unpacks.chain(quads).chain(halves).chain(blocks).collect()
    }

    fn of(kind: Kind, [entry, exit]: [usize; 2], up: Packed, down: Packed) -> Swap {
        let (first, last) = (entry.min(exit), entry.max(exit));
        Swap {
            kind,
            across: matches!(kind, Kind::Halves | Kind::Blocks),
            entry: entry as u8,
            exit: exit as u8,
            stay: !bytes(first, last + 1),
            up,
            down,
        }
    }

    /// The lanes after, a bit coming in.
    pub(super) fn apply(&self, lanes: Packed, id: u8) -> Packed {
        let moved = (lanes & self.up) << 8 | (lanes & self.down) >> 8;
        lanes & self.stay | moved | Packed::from(id) << (8 * self.entry)
    }

    /// The bit that goes.
    pub(super) fn gone(&self, lanes: Packed) -> u8 {
        (lanes >> (8 * self.exit)) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::shuffle::{Dim, Movement};

    /// Of 4-byte lanes of a register of 64 bytes: what is where after each kind, as 9 comes in.
    #[test]
    fn every_kind_moves_what_it_says() {
        let dims = [Dim::even(16, 4, 64), Dim::even(16, 64, 4)];
        let target: Target = "spr".parse().unwrap();
        let frames = Frame::both(&Movement::plain(4, dims), &target);
        let after = |swap: &Swap| {
            let lanes = pack([0, 1, 2, 3, NO, NO]);
            (swap.kind, unpack(swap.apply(lanes, 9))[..4].to_vec(), swap.gone(lanes))
        };
        let all: Vec<_> = Swap::all(&frames[0]).iter().map(after).collect();
        let expected = [
            (Kind::Unpack { at: 1 }, vec![0, 9, 2, 3], 1),
            (Kind::Unpack { at: 0 }, vec![9, 0, 2, 3], 1),
            (Kind::Quads, vec![1, 9, 2, 3], 0),
            (Kind::Halves, vec![0, 1, 2, 9], 3),
            (Kind::Blocks, vec![0, 1, 3, 9], 2),
        ];
        assert_eq!(all, expected);
    }
}
