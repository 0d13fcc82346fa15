//! Values of the formula. In: for each lane of a unit, how far its value lies from where a pointer is. Out: the values
//! as an operand: one for all lanes, some in a row, or gathered from anywhere.
//!
//! Where there are few, they were made ready before: zero points are floats, and a destination's scale is its
//! reciprocal, with room around them for a whole register. Else they are as the caller gave them.

use smallvec::SmallVec;

use super::super::evex::{Evex, K, Mem, Rm, V};
use super::super::frame::spill;
use super::{Deed, HELD, PASSED, VALUES, Work};
use crate::problem::{Operand, Strides};

/// Where the values of a unit lie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) enum Pattern {
    /// Nowhere: no lane has any.
    None,
    /// One for all.
    Same(i32),
    /// In a row, that of the first lane here, and the lanes that have any.
    Row(i32, u64),
    /// Anywhere.
    Any(SmallVec<[Option<i32>; 16]>),
}

/// Values that a slot holds, for as long as a pointer stands still.
pub(in super::super) type Known = Vec<(usize, Pattern, Mem)>;

/// A mask register for a moment.
pub(in super::super) const MOMENT: K = K(6);

impl Pattern {
    pub(super) fn of(lanes: &[Option<[i32; 4]>], value: usize) -> Pattern {
        let known = || {
            let lanes = lanes.iter().enumerate();
            lanes.filter_map(|(i, lane)| lane.map(|lane| (i as i32, lane[value])))
        };
        let Some((first, start)) = known().next() else { return Pattern::None };
        if known().all(|(_, at)| at == start) {
            return Pattern::Same(start);
        }
        let row = start - 4 * first;
        if known().all(|(i, at)| at == row + 4 * i) {
            let lanes = lanes.iter().enumerate().filter(|(_, lane)| lane.is_some());
            return Pattern::Row(row, lanes.fold(0, |bits, (i, _)| bits | 1 << i));
        }
        Pattern::Any(lanes.iter().map(|lane| lane.map(|lane| lane[value])).collect())
    }
}

/// The first of values that one register has room for, all of them, if it can be permuted. A multiple of the register's
/// bytes if one is, so that no load crosses lines and many load the same.
fn near(offsets: &[Option<i32>], bytes: usize) -> Option<i32> {
    let known = || offsets.iter().flatten();
    let (first, last) = (*known().min()?, *known().max()?);
    let whole = first - first.rem_euclid(bytes as i32);
    let fits = |from: &i32| bytes >= 32 && ((last - from) as usize) < bytes;
    [whole, first].into_iter().find(fits)
}

impl Work<'_, '_> {
    /// The values of an operand for some lanes, as an operand of an instruction; `t` may hold them.
    pub(super) fn value(&mut self, t: V, value: usize, lanes: &[Option<[i32; 4]>]) -> Rm {
        let pattern = Pattern::of(lanes, value);
        let operand = VALUES[value];
        let known = self.held.values.iter().find(|known| known.0 == operand && known.1 == pattern);
        if let Some((.., slot)) = known {
            return Rm::M(*slot);
        }
        self.find(t, value, &pattern)
    }

    /// The same, from where they are.
    pub(super) fn find(&mut self, t: V, value: usize, pattern: &Pattern) -> Rm {
        let operand = VALUES[value];
        let raw = self.convert.raw[operand];
        let base = self.convert.registers[operand];
        let on = self.on[operand];
        let v = match pattern {
            Pattern::None => {
                // Where all lanes are padding, nothing may be there.
                self.a.vpxor(t, t, t);
                return Rm::V(t);
            }
            Pattern::Same(offset) => {
                let m = self.a.place(base, on + *offset as isize);
                if self.a.masks() && !raw {
                    return m.everywhere();
                }
                self.a.broadcast(t, m, 4);
                t
            }
            Pattern::Row(offset, own) => {
                let m = self.a.place(base, on + *offset as isize);
                if !raw {
                    return Rm::M(m);
                }
                self.row(t, m, *own);
                t
            }
            Pattern::Any(offsets) => {
                match near(offsets, t.width.bytes()).filter(|_| !raw) {
                    Some(first) => {
                        let m = self.a.place(base, on + first as isize);
                        self.pick(t, m, offsets, first);
                    }
                    None => {
                        let base = self.a.place(base, on);
                        self.gather(t, base, offsets);
                    }
                }
                t
            }
        };
        if raw {
            self.ready(v, operand);
        }
        Rm::V(v)
    }

    /// Values in a row, of lanes that have any.
    fn row(&mut self, t: V, m: Mem, bits: u64) {
        if self.a.masks() {
            let k = self.held.mask(self.a, bits);
            return self.a.ops.vmovdqu32(t.zero(k), m);
        }
        let bytes = super::super::bits::spread(bits, 4);
        let mask = super::super::bits::mask_bytes(bytes, t.width.bytes());
        let mask = self.a.constant(&mask);
        self.a.vmovdqu(t, mask);
        self.a.vpmaskmovd(t, t, m);
    }

    /// Values that lie near each other, out of one register of them; what lies around those made ready may be read.
    fn pick(&mut self, t: V, m: Mem, offsets: &[Option<i32>], first: i32) {
        let index = offsets.iter().flat_map(|at| ((at.unwrap_or(first) - first) / 4).to_le_bytes());
        let index: Vec<u8> = index.collect();
        let place = self.a.constant(&index);
        self.a.vmovdqu(t, place);
        match self.a.masks() {
            true => self.a.ops.vpermd(t, t, m),
            false => {
                let all = self.temp(4, t.width);
                self.a.vmovdqu(all, m);
                self.a.vpermd(t, t, all);
            }
        }
    }

    /// Values from anywhere, of lanes that have any.
    fn gather(&mut self, t: V, base: Mem, offsets: &[Option<i32>]) {
        let index = self.temp(4, t.width);
        let bytes: Vec<u8> = offsets.iter().flat_map(|at| at.unwrap_or(0).to_le_bytes()).collect();
        let bits = offsets.iter().enumerate().filter(|(_, at)| at.is_some());
        let bits = bits.fold(0u64, |bits, (i, _)| bits | 1 << i);
        let m = self.a.constant(&bytes);
        self.a.vmovdqu(index, m);
        if self.a.masks() {
            let m = self.a.constant(&bits.to_le_bytes());
            self.a.kmovq(MOMENT, m);
            return self.a.ops.vgatherdps(t.keep(MOMENT), base.each(index, 1));
        }
        let mask = self.held.spare(t);
        let bytes = super::super::bits::spread(bits, 4);
        let bytes = super::super::bits::mask_bytes(bytes, t.width.bytes());
        let m = self.a.constant(&bytes);
        self.a.vmovdqu(mask, m);
        self.a.vgatherdps(t, base.each(index, 1), mask);
    }

    /// Values as the formula takes them, from those that the caller gave.
    fn ready(&mut self, v: V, operand: usize) {
        if operand == Operand::DstScale as usize {
            let one = self.temp(4, v.width);
            let m = self.a.constant(&1f32.to_bits().to_le_bytes());
            self.a.broadcast(one, m, 4);
            self.a.vdivps(v, one, v);
        } else if operand != Operand::SrcScale as usize {
            self.a.vcvtdq2ps(v, v);
        }
    }

    /// Makes values ready that a sequence needs again and again, before its loop, and keeps them in slots.
    pub(in super::super) fn hold_values(&mut self, script: &[Deed], strides: &Strides) {
        self.keep(script, 1, |operand| strides[operand] == 0);
    }

    /// The same of those that are others each time round, and needed more than once in it. They are known until as many
    /// are known again as before, which is told.
    pub(in super::super) fn hold_this_time(&mut self, script: &[Deed]) -> usize {
        let before = self.held.values.len();
        self.keep(script, 2, |_| true);
        before
    }

    /// Makes values ready that so many units need, of the operands that are asked for.
    fn keep(&mut self, script: &[Deed], uses: usize, asked: impl Fn(usize) -> bool) {
        let (unit, present) = (self.unit(), self.convert.present());
        let mut needs: SmallVec<[Need; 8]> = SmallVec::new();
        for deed in script {
            let lanes = match deed {
                Deed::Load(pieces, _) => self.convert.lanes_of(pieces),
                Deed::Repeat(piece) | Deed::Store(piece, _) => self.elements(piece),
                Deed::Plain | Deed::Nothing => continue,
            };
            if let Some(value) = self.convert.shift() {
                let all = &lanes[..self.moves.v(0).width.bytes()];
                if asked(VALUES[value])
                    && Need::count(&mut needs, value, Pattern::of(all, value)) == uses
                {
                    self.hold_shift(value, &lanes);
                }
                continue;
            }
            for (value, operand) in VALUES.into_iter().enumerate() {
                if !present[value] || !asked(operand) {
                    continue;
                }
                for u in 0..unit.count {
                    let pattern = Pattern::of(&lanes[u * unit.per..(u + 1) * unit.per], value);
                    let far = match pattern {
                        Pattern::None => false,
                        Pattern::Any(_) => true,
                        _ => self.convert.raw[operand],
                    };
                    if far && Need::count(&mut needs, value, pattern.clone()) == uses {
                        self.hold(value, pattern);
                    }
                }
            }
        }
    }

    /// Makes the values of a unit ready, where there is a slot for them.
    fn hold(&mut self, value: usize, pattern: Pattern) {
        let operand = VALUES[value];
        let known = |one: &(usize, Pattern, Mem)| one.0 == operand && one.1 == pattern;
        if self.held.values.len() == HELD || self.held.values.iter().any(known) {
            return;
        }
        let t = self.temp(3, self.unit().width);
        let found = self.find(t, value, &pattern);
        debug_assert_eq!(found, Rm::V(t));
        let slot = spill(self.convert.scratch + PASSED + self.held.values.len() as u16);
        self.a.vmovdqu_store(slot, t);
        self.held.values.push((operand, pattern, slot));
    }
}

/// Values that units need, and so many of them.
struct Need {
    value: usize,
    pattern: Pattern,
    uses: usize,
}

impl Need {
    /// One more unit that needs them, and how many there are then.
    fn count(needs: &mut SmallVec<[Need; 8]>, value: usize, pattern: Pattern) -> usize {
        let same = |need: &&mut Need| need.value == value && need.pattern == pattern;
        if let Some(need) = needs.iter_mut().find(same) {
            need.uses += 1;
            return need.uses;
        }
        needs.push(Need { value, pattern, uses: 1 });
        1
    }
}
