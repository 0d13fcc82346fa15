//! Two units at once, of elements that are the upper halves of floats. In: as many elements as a register has pairs of
//! bytes for. Out: a unit of those with even numbers and one of those with odd ones, and the order of the bytes that
//! both become in the end. Each takes one operation, where elements made longer one beside the other take two.

use std::ops::Range;

use smallvec::SmallVec;

use super::super::evex::V;
use super::formula::UPPER;
use super::narrow::interleaved;
use super::script::{Deed, loads};
use super::values::{Need, Pattern};
use super::{Convert, Part, Piece, Unit, VALUES, Work};
use crate::problem::{Arith, Strides};
use crate::shuffle::Program;
use crate::target::Tier;

/// Elements that are loaded together when units are by twos.
const TWO: usize = 2;

impl Convert {
    /// Whether units are loaded by twos.
    pub(super) fn halves(&self, unit: Unit) -> bool {
        self.halves && unit.count.is_multiple_of(TWO)
    }

    /// Whether units are loaded by twos where there are two, in a sequence that leads so far each time round. What
    /// changes the order of elements must not part them from their values: these are the same for all, or are picked in
    /// that order out of two registers, once for all times round or for several units, or out of one that is held as it
    /// was given.
    pub(in super::super) fn may_halve(
        &self,
        program: &Program,
        tier: Tier,
        strides: &Strides,
    ) -> bool {
        if !self.loads || !Arith::pairs_halves(self.from, self.to) {
            return false;
        }
        let mut values = self.offsets.iter().flatten();
        let first = values.next();
        if values.all(|value| Some(value) == first) {
            return true;
        }
        let unit = self.unit(program.lanes, tier.vector());
        let mut needs: SmallVec<[Need; 8]> = SmallVec::new();
        for deed in loads(program) {
            let lanes = match &deed {
                Deed::Load(pieces, _) => self.lanes_of(pieces),
                Deed::Repeat(piece) => self.lanes_of(std::slice::from_ref(piece)),
                _ => continue,
            };
            for lanes in (0..unit.count).map(|u| unit.lanes(true, &lanes, u)) {
                for value in (0..VALUES.len()).filter(|&value| self.arith.present()[value]) {
                    Need::count(&mut needs, value, Pattern::of(&lanes, value));
                }
            }
        }
        let picked = |need: &Need| {
            let stays = strides[VALUES[need.value]] == 0;
            need.is_picked(unit.width, stays, self.raw[VALUES[need.value]])
        };
        tier.masks() && needs.iter().all(picked)
    }
}

impl Unit {
    /// The lanes that are loaded for a unit: of two that are halves, those of both.
    pub(super) fn loaded(self, halves: bool, u: usize) -> Range<usize> {
        let (first, units) = if halves { (u / TWO * TWO, TWO) } else { (u, 1) };
        first * self.per..(first + units) * self.per
    }

    /// The lanes of a piece that are a unit's.
    pub(super) fn own(self, piece: &Piece, u: usize) -> Range<usize> {
        let (first, last) = (piece.place as usize, (piece.place + piece.count) as usize);
        first.max(u * self.per)..last.min((u + 1) * self.per)
    }

    /// Which of a register's lanes are of a unit, of two by turns where units are halves.
    pub(super) fn lanes<T: Copy>(self, halves: bool, all: &[T], u: usize) -> SmallVec<[T; 16]> {
        let (first, step) = match halves {
            true => (u / TWO * TWO * self.per + u % TWO, TWO),
            false => (u * self.per, 1),
        };
        all.iter().skip(first).step_by(step).take(self.per).copied().collect()
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
