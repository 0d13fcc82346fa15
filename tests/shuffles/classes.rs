//! Named classes of tiles, each with the best sequence that is known for a target.

use retile::Target;
use retile::shuffle::{Change, Cost, Counts, Dim, Movement};

use self::Source::{Counted, Measured};

/// Extent, and bytes from one position to the next on either side.
type Strides = (usize, isize, isize);

/// A tile for a target, and the best that is known.
pub(crate) struct Class {
    pub(crate) target: &'static str,
    pub(crate) name: &'static str,
    /// Bytes of an element.
    pub(crate) size: usize,
    pub(crate) dims: &'static [Strides],
    /// Loads, shuffles, blends and stores of the best sequence that is known.
    pub(crate) known: [u32; 4],
    pub(crate) from: Source,
    /// By how many parts of a cycle what is found exceeds that, exactly, and why.
    pub(crate) short: (u64, &'static str),
}

/// Where a known mix is from.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// Written out by hand as a trial kernel, and timed.
    Measured,
    /// Counted by hand.
    Counted,
}

impl Class {
    const fn short(mut self, parts: u64, why: &'static str) -> Class {
        self.short = (parts, why);
        self
    }

    pub(crate) fn target(&self) -> Target {
        self.target.parse().unwrap()
    }

    pub(crate) fn movement(&self) -> Movement {
        Movement::plain(self.size, self.dims.iter().map(|&(n, s, d)| Dim::even(n, s, d)))
    }

    /// Bytes read and written.
    pub(crate) fn bytes(&self) -> u64 {
        2 * (self.movement().positions() * self.size) as u64
    }

    pub(crate) fn known(&self) -> Cost {
        let [loads, shuffles, blends, stores] = self.known;
        // Where a permutation goes makes no difference to what is known.
        let counts = Counts { loads, shuffles, blends, stores, ..Counts::default() };
        let width = self.target().tier.vector() as u8;
        Cost { counts, ops: loads + shuffles + stores, width, change: Change::default() }
    }
}

const fn class(
    target: &'static str,
    name: &'static str,
    size: usize,
    dims: &'static [Strides],
    known: [u32; 4],
    from: Source,
) -> Class {
    Class { target, name, size, dims, known, from, short: (0, "") }
}

const SQUARE: &[Strides] = &[(16, 4, 4000), (16, 4000, 4)];
const SQUARE_8: &[Strides] = &[(8, 4, 4000), (8, 4000, 4)];
const WIDE: &[Strides] = &[(8, 8, 4000), (8, 4000, 8)];
const BYTES: &[Strides] = &[(16, 1, 4000), (64, 4000, 1)];
const BYTE_BLOCKS: &[Strides] = &[(16, 1, 16), (16, 4000, 1)];
const WORDS: &[Strides] = &[(8, 2, 4000), (32, 4000, 2)];
const THREE_1: &[Strides] = &[(64, 1, 3), (3, 4000, 1)];
const THREE_1_BACK: &[Strides] = &[(64, 3, 1), (3, 1, 4000)];
const THREE_2: &[Strides] = &[(32, 2, 6), (3, 4000, 2)];
const THREE_2_BACK: &[Strides] = &[(32, 6, 2), (3, 2, 4000)];
const THREE_4: &[Strides] = &[(16, 4, 12), (3, 4000, 4)];
const THREE_4_BACK: &[Strides] = &[(16, 12, 4), (3, 4, 4000)];
const HALF_THREE_1: &[Strides] = &[(32, 1, 3), (3, 4000, 1)];
const HALF_THREE_1_BACK: &[Strides] = &[(32, 3, 1), (3, 1, 4000)];
const FOUR_1: &[Strides] = &[(16, 1, 4), (4, 4000, 1)];
const FOUR_1_BACK: &[Strides] = &[(64, 4, 1), (4, 1, 4000)];
/// 4i16o4i of bytes, inputs or outputs being neighbours in the source.
const FOURS_OI: &[Strides] = &[(4, 1, 1), (4, 4, 64), (16, 4000, 4)];
const FOURS_IO: &[Strides] = &[(16, 1, 4), (4, 4000, 1), (4, 16000, 64)];
/// 8b8a2b of 2 bytes, from rows of `b`, and from rows of `a`.
const PAIRS_AB: &[Strides] = &[(2, 2, 2), (8, 4, 32), (8, 4000, 4)];
const PAIRS_BA: &[Strides] = &[(8, 2, 4), (2, 4000, 2), (8, 8000, 32)];
const TO_16: &[Strides] = &[(8, 4, 4), (2, 4000, 32), (2, 32, 64)];
const TO_8: &[Strides] = &[(8, 4, 4), (2, 32, 4000), (2, 64, 32)];

/// Why some fall short.
const TWICE: &str = "what is known sorts a register by one permutation in blocks and one of 4-byte groups; the stages \
                     here leave an order that takes 2-byte groups, which count twice, and a third permutation";
const ISSUED: &str = "windows of 16 bytes are loads of their own, and more operations to issue";
const PAIR: &str = "there is no permutation of 4-byte groups from two registers, which would do a stage and the sorting \
                    at once";

/// Sorted by target. A square of 4 bytes is there once for each way it has been done by hand.
#[rustfmt::skip]
pub(crate) const CLASSES: &[Class] = &[
    class("haswell", "4-byte 8x8, inserts and integer unpacks", 4, SQUARE_8, [16, 16, 8, 8], Measured),
    class("haswell", "4-byte 8x8, inserts and float unpacks", 4, SQUARE_8, [16, 16, 8, 8], Measured),
    class("haswell", "8-byte 8x8", 8, WIDE, [32, 16, 16, 16], Counted),
    class("haswell", "bytes, 64 rows of 16", 1, BYTES, [64, 128, 32, 32], Measured),
    // Six blends by bytes, each two operations here and three on the machine that was measured.
    class("haswell", "3 channels of bytes", 1, HALF_THREE_1, [3, 6, 12, 3], Measured),
    class("haswell", "3 channels of bytes, back", 1, HALF_THREE_1_BACK, [3, 6, 12, 3], Measured)
        .short(18, ISSUED),
    class("haswell", "4i16o4i of bytes, from oi", 1, FOURS_OI, [16, 16, 8, 8], Counted),
    class("haswell", "8b8a2b of 2 bytes, from ab", 2, PAIRS_AB, [16, 16, 8, 8], Counted),

    class("skx", "4-byte 16x16", 4, SQUARE, [64, 32, 48, 16], Counted),
    class("skx", "8-byte 8x8", 8, WIDE, [16, 12, 16, 8], Counted),
    class("skx", "bytes, 64 rows of 16", 1, BYTES, [64, 64, 48, 16], Counted),
    class("skx", "bytes to blocks of 16", 1, BYTE_BLOCKS, [16, 16, 12, 4], Counted)
        .short(144, TWICE),
    class("skx", "2 bytes, 32 rows of 8", 2, WORDS, [32, 24, 24, 8], Counted),
    class("skx", "3 channels of 2 bytes", 2, THREE_2, [3, 6, 6, 3], Counted),
    class("skx", "3 channels of 2 bytes, back", 2, THREE_2_BACK, [3, 6, 6, 3], Counted),
    class("skx", "3 channels of 4 bytes", 4, THREE_4, [3, 3, 6, 3], Counted),
    class("skx", "3 channels of 4 bytes, back", 4, THREE_4_BACK, [3, 3, 6, 3], Counted),
    class("skx", "4 channels of bytes", 1, FOUR_1, [4, 2, 3, 1], Counted),
    class("skx", "4i16o4i of bytes, from oi", 1, FOURS_OI, [16, 8, 12, 4], Counted),
    class("skx", "4i16o4i of bytes, from io", 1, FOURS_IO, [16, 8, 12, 4], Counted),
    class("skx", "8b8a2b of 2 bytes, from ab", 2, PAIRS_AB, [16, 4, 12, 4], Counted)
        .short(48, PAIR),

    class("spr", "4-byte 16x16, network of whole lines", 4, SQUARE, [16, 64, 0, 16], Measured),
    class("spr", "4-byte 16x16, network of two-source permutes", 4, SQUARE, [16, 64, 0, 16], Counted),
    class("spr", "4-byte 16x16, network with blends", 4, SQUARE, [16, 43, 42, 16], Measured),
    class("spr", "4-byte 16x16, 16-byte pieces", 4, SQUARE, [64, 32, 48, 16], Measured),
    class("spr", "4-byte 16x16, 32-byte inserts", 4, SQUARE, [32, 48, 16, 16], Measured),
    class("spr", "4-byte 16x16, 32-byte inserts and blends", 4, SQUARE, [32, 40, 32, 16], Measured),
    class("spr", "4-byte 16x16, stored in quarters", 4, SQUARE, [16, 32, 0, 64], Measured),
    class("spr", "8-byte 8x8", 8, WIDE, [16, 12, 16, 8], Counted),
    class("spr", "bytes, 64 rows of 16", 1, BYTES, [64, 64, 48, 16], Measured),
    class("spr", "bytes, 64 rows of 16, 4 at a time first", 1, BYTES, [64, 80, 48, 16], Counted),
    class("spr", "bytes to blocks of 16", 1, BYTE_BLOCKS, [16, 12, 12, 4], Measured),
    class("spr", "2 bytes, 32 rows of 8", 2, WORDS, [32, 24, 24, 8], Measured),
    class("spr", "3 channels of bytes", 1, THREE_1, [3, 3, 6, 3], Measured),
    class("spr", "3 channels of bytes, two-source permutes", 1, THREE_1, [3, 9, 3, 3], Measured),
    class("spr", "3 channels of bytes, back", 1, THREE_1_BACK, [3, 3, 6, 3], Measured),
    class("spr", "3 channels of 2 bytes", 2, THREE_2, [3, 3, 6, 3], Measured),
    class("spr", "3 channels of 2 bytes, back", 2, THREE_2_BACK, [3, 3, 6, 3], Measured),
    class("spr", "3 channels of 4 bytes", 4, THREE_4, [3, 3, 6, 3], Measured),
    class("spr", "3 channels of 4 bytes, back", 4, THREE_4_BACK, [3, 3, 6, 3], Measured),
    class("spr", "4 channels of bytes", 1, FOUR_1, [4, 1, 3, 1], Measured),
    class("spr", "4 channels of bytes, back", 1, FOUR_1_BACK, [4, 12, 0, 4], Measured),
    class("spr", "4i16o4i of bytes, from oi", 1, FOURS_OI, [16, 8, 12, 4], Counted),
    class("spr", "4i16o4i of bytes, from io", 1, FOURS_IO, [16, 4, 12, 4], Counted),
    class("spr", "8b8a2b of 2 bytes, from ab", 2, PAIRS_AB, [16, 4, 12, 4], Counted)
        .short(48, PAIR),
    class("spr", "8b8a2b of 2 bytes, from ba", 2, PAIRS_BA, [16, 4, 12, 4], Counted),
    class("spr", "blocks of 8 to 16, 4 bytes", 4, TO_16, [2, 2, 0, 2], Measured),
    class("spr", "blocks of 16 to 8, 4 bytes", 4, TO_8, [2, 2, 0, 2], Measured),
    class("spr", "a row, copied", 4, &[(64, 4, 4)], [4, 0, 0, 4], Measured),
    class("spr", "a row of 4 bytes, backwards", 4, &[(16, -4, 4)], [1, 1, 0, 1], Counted),
    class("spr", "a row of bytes, backwards", 1, &[(64, -1, 1)], [1, 1, 0, 1], Counted),
    class("spr", "rows of 12, packed", 4, &[(12, 4, 4), (4, 400, 48)], [6, 0, 3, 3], Counted),

    class("spr:avx2", "4-byte 8x8, inserts and integer unpacks", 4, SQUARE_8, [16, 16, 8, 8], Measured),
    class("spr:avx2", "8-byte 8x8", 8, WIDE, [32, 16, 16, 16], Counted),
    class("spr:avx2", "bytes, 64 rows of 16", 1, BYTES, [64, 128, 32, 32], Measured),
    class("spr:avx2", "3 channels of bytes", 1, HALF_THREE_1, [3, 6, 12, 3], Measured),
    class("spr:avx2", "3 channels of bytes, back", 1, HALF_THREE_1_BACK, [3, 6, 12, 3], Measured),
    class("spr:avx2", "4i16o4i of bytes, from oi", 1, FOURS_OI, [16, 16, 8, 8], Counted),

    class("zen4", "4-byte 16x16, network of whole lines", 4, SQUARE, [16, 64, 0, 16], Counted),
    class("zen4", "4-byte 16x16, 16-byte pieces", 4, SQUARE, [64, 32, 48, 16], Counted),
    class("zen4", "4-byte 16x16, 32-byte inserts", 4, SQUARE, [32, 48, 16, 16], Counted),
    class("zen4", "bytes, 64 rows of 16", 1, BYTES, [64, 64, 48, 16], Counted),

    class("zen5", "4-byte 16x16, network of whole lines", 4, SQUARE, [16, 64, 0, 16], Counted),
    class("zen5", "4-byte 16x16, 16-byte pieces", 4, SQUARE, [64, 32, 48, 16], Counted),
    class("zen5", "4-byte 16x16, 32-byte inserts", 4, SQUARE, [32, 48, 16, 16], Counted),
    class("zen5", "8-byte 8x8", 8, WIDE, [16, 16, 8, 8], Counted),
    class("zen5", "bytes, 64 rows of 16", 1, BYTES, [64, 64, 48, 16], Counted),
];
