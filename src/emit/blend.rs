//! Blends. In: two registers, and which bytes are the other's. Out: the instruction that the tier has for it.
//!
//! Where there are masks, and all that are held are others, the bytes come from memory as they are: on Intel a mask that
//! is loaded takes the one port that permutes.

use super::asm::Asm;
use super::bits::mask_bytes;
use super::edges;
use super::evex::{Evex, V};
use super::held::{Constant, Held};
use super::moves::Moves;

/// What `vpternlogd` makes of three, bit by bit: by the first of them the third or else the second, and by the third the
/// second or else the first, or the other way round.
const BY_FIRST: u8 = 0xac;
const BY_THIRD: u8 = 0xd8;
const BY_THIRD_TURNED: u8 = 0xe4;

impl Moves<'_> {
    /// The bytes in `mask` of `y`, the others of `x`.
    pub(super) fn blend(&self, a: &mut Asm, held: &mut Held, d: V, x: V, y: V, mask: u64) {
        if a.masks() {
            return blend(a, held, d, (x, y), mask);
        }
        if let Some(imm) = double_words(mask) {
            a.vpblendd(d, x, y, imm);
        } else if let Some(imm) = words(mask, self.width()) {
            a.vpblendw(d, x, y, imm);
        } else {
            let chosen = self.held(a, held, Constant::Chosen(mask));
            a.vpblendvb(d, x, y, chosen);
        }
    }
}

/// The bytes in `mask` of `y`, the others of `x`, where there are masks.
pub(super) fn blend(a: &mut Asm, held: &Held, d: V, (x, y): (V, V), mask: u64) {
    let width = d.width.bytes();
    let (grain, bits) = edges::grained(mask, width, 4);
    if let Some(k) = held.known_mask(bits) {
        return match grain {
            1 => a.ops.vpblendmb(d.keep(k), x, y),
            2 => a.ops.vpblendmw(d.keep(k), x, y),
            _ => a.ops.vpblendmd(d.keep(k), x, y),
        };
    }
    let chosen = a.constant(&mask_bytes(mask, width));
    if d == x {
        a.ops.vpternlogd(d, y, chosen, BY_THIRD);
    } else if d == y {
        a.ops.vpternlogd(d, x, chosen, BY_THIRD_TURNED);
    } else {
        a.vmovdqu(d, chosen);
        a.ops.vpternlogd(d, x, y, BY_FIRST);
    }
}

/// A bit for each 4 bytes, where these are all or none.
pub(super) fn double_words(bytes: u64) -> Option<u8> {
    let (grain, bits) = edges::grained(bytes, 32, 4);
    (grain == 4).then_some(bits as u8)
}

/// A bit for each 2 bytes of a block, where these are all or none and all blocks alike.
pub(super) fn words(bytes: u64, width: usize) -> Option<u8> {
    let (grain, bits) = edges::grained(bytes, width, 2);
    let alike = width == 16 || bits & 0xff == bits >> 8;
    (grain == 2 && alike).then_some(bits as u8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_three_choose_bit_by_bit() {
        for bits in 0..8 {
            let [first, second, third] = [2, 1, 0].map(|at| bits >> at & 1);
            let by = |chooser, one, other| if chooser == 1 { one } else { other };
            let made = [BY_FIRST, BY_THIRD, BY_THIRD_TURNED].map(|imm| imm >> bits & 1);
            let expected =
                [by(first, third, second), by(third, second, first), by(third, first, second)];
            assert_eq!(made, expected, "{bits:03b}");
        }
    }
}
