//! Two units at once, of elements that are the upper halves of floats. In: as many elements as a register has pairs of
//! bytes for. Out: a unit of those with even numbers and one of those with odd ones, and the order of the bytes that
//! both become in the end. Each takes one operation, where elements made longer one beside the other take two.

use super::super::evex::V;
use super::formula::UPPER;
use super::narrow::interleaved;
use super::{Convert, Part, Unit, Work};
use crate::problem::Arith;

impl Convert {
    /// Whether units are loaded by twos.
    pub(super) fn halves(&self, unit: Unit) -> bool {
        self.may_halve() && unit.count.is_multiple_of(2)
    }

    /// The same, where there are two. What changes the order of elements must not part them from their values.
    pub(super) fn may_halve(&self) -> bool {
        let mut values = self.offsets.iter().flatten();
        let first = values.next();
        let pairs = Arith::pairs_halves(self.from, self.to);
        self.loads && pairs && values.all(|value| Some(value) == first)
    }
}

impl Work<'_, '_> {
    /// Loads elements in parts; those with even numbers become one unit, the others the other one.
    pub(super) fn wide_halves(&mut self, even: V, odd: V, parts: &[Part]) {
        self.parts(odd, self.convert.from.size(), parts);
        self.a.vpslld(even, odd, 16);
        let upper = self.number(UPPER);
        self.a.vpand(odd, odd, upper);
    }

    /// Packed bytes of two units or four, of each 4 in a row those of one unit, as they follow one another within each
    /// 8; where one permutation cannot put all of them in order.
    pub(super) fn alternate(&mut self, packed: V) {
        let order: Vec<u8> = (0..16).map(|i| i & 8 | interleaved(i as usize & 7) as u8).collect();
        let order = order.repeat(packed.width.bytes() / 16);
        let m = self.a.constant(&order);
        self.a.vpshufb(packed, packed, m);
    }
}
