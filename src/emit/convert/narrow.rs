//! Units become elements of the destination. In: units, each element still as long as arithmetic has it. Out: one
//! register of elements as they are stored.

use super::super::evex::{Evex, V, Width};
use super::super::held::Constant;
use super::formula::UPPER;
use super::{Convert, Unit, Work, width};
use crate::DType;
use crate::target::Tier;

impl Work<'_, '_> {
    /// A unit as elements of a type, in the low part of `d`, all above them zero.
    pub(super) fn narrow(&mut self, to: DType, d: V, t: V) -> V {
        let unit = self.unit();
        let narrow = V { width: width(unit.per * to.size()), ..d };
        if to.size() == unit.element {
            if d.number != t.number {
                self.a.vmovdqa(narrow, t);
            }
            return narrow;
        }
        if to == DType::Bf16 {
            self.a.vpsrld(t, t, 16);
        }
        self.look(t);
        match (to, self.a.masks()) {
            (DType::F16, _) => self.a.vcvtps2ph(narrow, t),
            (DType::F32, _) => self.a.vcvtpd2ps(narrow, t),
            (DType::Bf16, true) => self.a.ops.vpmovdw(narrow, t),
            (DType::S32, true) => self.a.ops.vpmovsqd(narrow, t),
            (DType::S8, true) => self.a.ops.vpmovsdb(narrow, t),
            (DType::U8, true) => {
                let zero = self.number(0);
                self.a.vpmaxsd(t, t, zero);
                self.a.ops.vpmovusdb(narrow, t);
            }
            (DType::S32, false) => self.narrow_longs(narrow, t),
            (_, false) => {
                let zero = self.temp(4, Width::X);
                self.a.vpxor(zero, zero, zero);
                let low = V { width: Width::X, ..t };
                let high = match t.width {
                    Width::X => zero,
                    _ => {
                        let high = self.temp(3, Width::X);
                        self.a.vextracti128(high, t, 1);
                        high
                    }
                };
                if to == DType::Bf16 {
                    self.a.vpackusdw(narrow, low, high);
                } else {
                    self.a.vpackssdw(narrow, low, high);
                    self.pack_bytes(to, narrow, narrow, zero);
                }
            }
            (other, true) => unreachable!("{other} is not the narrower"),
        }
        narrow
    }

    /// Words to bytes, saturated.
    pub(super) fn pack_bytes(&mut self, to: DType, d: V, low: V, high: V) {
        match to {
            DType::S8 => self.a.vpacksswb(d, low, high),
            _ => self.a.vpackuswb(d, low, high),
        }
    }

    /// Whole numbers of 8 bytes to those of 4, without instructions for it.
    fn narrow_longs(&mut self, d: V, t: V) {
        let (limit, mask) = (self.temp(3, t.width), self.temp(4, t.width));
        for (number, above) in [(i64::from(i32::MAX), true), (i64::from(i32::MIN), false)] {
            let m = self.a.constant(&number.to_le_bytes());
            self.a.broadcast(limit, m, 8);
            match above {
                true => self.a.vpcmpgtq(mask, t, limit),
                false => self.a.vpcmpgtq(mask, limit, t),
            }
            self.a.vpblendvb(t, t, limit, mask);
        }
        self.a.vshufps(t, t, t, 0x88);
        match t.width {
            Width::X => self.a.vmovdqa(d, t),
            _ => self.a.vpermq(V { width: Width::Y, ..d }, t, 0b1000),
        }
    }

    /// The units of a register, each as it comes: what waits for others does so in the temporary registers that
    /// [`TURNS`] says. With the last one all are in `d`; whether they are packed, and so to be put in order.
    pub(super) fn join(&mut self, to: DType, d: V, u: usize) -> bool {
        let unit = self.unit();
        let [one, two, three] = [0, 1, 2].map(|k| self.temp(k, unit.width));
        let packed = V { width: unit.width, ..d };
        match (unit.count, u) {
            (1, _) => {
                self.narrow(to, d, one);
            }
            (2, 1) if to == DType::Bf16 => return self.weave(d, one, two),
            (2, 1) if to.size() > 1 => {
                let high = self.narrow(to, two, two);
                self.narrow(to, d, one);
                match self.a.masks() {
                    true if d.width == Width::Z => self.a.ops.vinserti64x4(d, d, high, 1),
                    true => self.a.ops.vinserti32x4(d, d, high, 1),
                    false => self.a.vinserti128(d, d, high, 1),
                }
            }
            (2, 1) => {
                self.a.vpackssdw(one, one, two);
                self.look(one);
                self.pack_bytes(to, packed, one, one);
                return true;
            }
            (4, 1) => {
                self.a.vpackssdw(one, one, two);
                self.look(one);
            }
            (4, 3) => {
                self.a.vpackssdw(two, two, three);
                self.look(two);
                self.pack_bytes(to, packed, one, two);
                return true;
            }
            _ => {}
        }
        false
    }

    /// Two units' upper halves, one behind the other; whether they are packed, and so to be put in order.
    pub(super) fn weave(&mut self, d: V, one: V, two: V) -> bool {
        if self.convert.instructed(self.unit()) {
            self.instruct(d, one, Some(two));
            return false;
        }
        let d = V { width: one.width, ..d };
        if self.a.masks() {
            // One's below the other's.
            let upper = self.number(UPPER);
            self.a.vpsrld(d, one, 16);
            self.a.ops.vpternlogd(d, two, upper, OR_AND);
        } else {
            self.a.vpsrld(one, one, 16);
            self.a.vpsrld(two, two, 16);
            self.a.vpackusdw(d, one, two);
        }
        true
    }

    /// What units were packed to, in its order.
    pub(super) fn ordered(&mut self, d: V) {
        let width = self.unit().width;
        let index = self.moves.held(self.a, self.held, Constant::Joined);
        let [index, d] = [index, d].map(|v| V { width, ..v });
        if self.convert.halves(self.unit()) {
            if self.a.tier.permute_grain() == 1 {
                return self.a.ops.vpermb(d, index, d);
            }
            self.alternate(d);
        }
        match self.a.masks() {
            true if self.convert.to == DType::Bf16 => self.a.ops.vpermw(d, index, d),
            true => self.a.ops.vpermd(d, index, d),
            false => self.a.vpermd(d, index, d),
        }
    }
}

/// What `vpternlogd` makes of three: the first, or else what the others have in common.
pub(super) const OR_AND: u8 = 0xf8;

/// The temporary register of each unit.
pub(super) const TURNS: [usize; 4] = [0, 1, 1, 2];

impl Convert {
    /// Whether units are stored by twos, as longer elements of which the upper halves are wanted.
    pub(super) fn weaves(&self, unit: Unit) -> bool {
        let own = !self.loads && self.from.size() == 1;
        own && self.to == DType::Bf16 && unit.count.is_multiple_of(2)
    }

    /// Whether packing leaves a register of so many lanes out of order.
    pub(in super::super) fn packs(&self, lanes: usize, most: usize) -> bool {
        let unit = self.unit(lanes, most);
        let several = unit.count > 1 && !self.instructed(unit);
        let joins = self.loads || self.from.size() == self.to.size();
        (joins || self.weaves(unit))
            && several
            && (self.bytewise.is_none() || self.shift().is_some())
            && matches!(self.to, DType::Bf16 | DType::S8 | DType::U8)
    }

    /// Where all is that belongs in order: each 4 bytes, which packing has put unit by unit in each 16 bytes; or of
    /// two units that were woven into one another each element.
    pub(in super::super) fn order(&self, lanes: usize, tier: Tier) -> Vec<u8> {
        let unit = self.unit(lanes, tier.vector());
        let bytes = unit.width.bytes();
        let entry = self.order_entry(unit, tier);
        // Of a unit so many bytes in each 16, and so many in all.
        let each = self.to.size();
        let place = |i: usize| match entry {
            // Of two units in each 16 bytes 8 elements.
            1 => {
                let (two, at) = (i / (2 * unit.per), i % (2 * unit.per));
                (at / 8 * 16 + two * 8 + interleaved(at % 8)) % bytes
            }
            2 => i % unit.per * 2 + i / unit.per,
            _ => {
                let (units, each) = if self.halves(unit) { (2, 2 * each) } else { (1, each) };
                let own = units * unit.per * self.to.size() / 4;
                let (unit, at) = (i / own, i % own);
                (at / each * 4 + unit * each + at % each) % (bytes / 4)
            }
        };
        let number = |i: usize| (place(i) as u32).to_le_bytes();
        (0..bytes / entry).flat_map(|i| number(i).into_iter().take(entry)).collect()
    }

    /// Bytes that an entry of this counts in.
    pub(super) fn order_entry(&self, unit: Unit, tier: Tier) -> usize {
        match self.to {
            DType::Bf16 if tier.masks() => 2,
            _ if self.halves(unit) && tier.permute_grain() == 1 => 1,
            _ => 4,
        }
    }
}

/// Where an element lies of two fours, those with even numbers before the others.
pub(super) const fn interleaved(i: usize) -> usize {
    i % 2 * 4 + i / 2
}
