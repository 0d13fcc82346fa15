//! Floats become bf16 by the instruction for it. In: two units of f32, or one. Out: one register of bf16, the first
//! unit's before the second's.
//!
//! The instruction rounds as it should, whatever the environment, and makes NaNs quiet; but it takes denormals for
//! zeros. Where there may be any, both units are looked at, and those that have some are rounded by whole numbers, out
//! of the way, in a routine that all share. So it is with NaNs where all are to be the same, if no element can be one
//! itself: only values make them then.

use dynasmrt::{DynamicLabel, DynasmLabelApi, dynasm};

use super::super::asm::Asm;
use super::super::evex::{Evex, MOMENT, PASSING, V, Width};
use super::formula::{ALL_BUT_NANS, HALF, MORE, NAN, NANS_TO_QUIET, ODD, UPPER, round_upper};
use super::narrow::{OR_AND, TURNS};
use super::{Convert, Unit, Work, width};
use crate::DType;
use crate::plan::TEMPS;

/// The class of floats that `vfpclassps` calls denormal.
const DENORMAL: u8 = 0x20;

/// And NaNs, quiet ones and others.
const NANS: u8 = 0x81;

/// Registers that have to go the longer way.
pub(in super::super) struct Far {
    from: DynamicLabel,
    back: DynamicLabel,
    to: u8,
    /// Whether there is but one unit.
    alone: bool,
}

impl Convert {
    /// Whether units become bf16 by twos, by the instruction.
    pub(super) fn instructed(&self, unit: Unit) -> bool {
        let joins = self.loads || self.from.size() == 2;
        self.has_bf16
            && self.to == DType::Bf16
            && !self.keeps_bytes()
            && (self.weaves(unit) || unit.count == 2 && joins)
    }

    /// Whether NaNs, all of which are to be the same, become so out of the way. What was there before may be one.
    pub(super) fn parts_nans(&self, unit: Unit) -> bool {
        let known = !self.from.is_float() && self.arith.sum.is_none();
        self.instructed(unit) && self.arith.is_formula() && known
    }
}

impl Work<'_, '_> {
    /// A unit and another behind it, if there is one, by the instruction.
    pub(super) fn instruct(&mut self, d: V, one: V, two: Option<V>) {
        let Convert { from: source, ref arith, .. } = *self.convert;
        let may = arith.has_denormals(source, self.convert.is_tame());
        let (from, back) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
        if may {
            let class =
                if self.convert.parts_nans(self.unit()) { DENORMAL | NANS } else { DENORMAL };
            self.a.ops.vfpclassps(MOMENT, one.width, one, class);
            let other = two.map_or(MOMENT, |two| {
                self.held.passing = None;
                self.a.ops.vfpclassps(PASSING, two.width, two, class);
                PASSING
            });
            self.a.ops.kortestw(MOMENT, other);
            dynasm!(self.a.ops ; .arch x64 ; jnz =>from);
        }
        match two {
            Some(two) => self.a.ops.vcvtne2ps2bf16(d, two, one),
            None => self.a.ops.vcvtneps2bf16(V { width: width(one.width.bytes() / 2), ..d }, one),
        }
        if may {
            dynasm!(self.a.ops ; .arch x64 ; =>back);
            self.a.far.push(Far { from, back, to: d.number, alone: two.is_none() });
        }
    }
}

/// The longer ways, and the routine that they call: of two units, in the temporary registers that the first and the
/// second of several by turns have, it leaves the bf16 in the first of these, and others than them it may write over.
/// With a formula all NaNs are to be the same.
pub(in super::super) fn emit_far(a: &mut Asm, formula: bool) {
    let far = std::mem::take(&mut a.far);
    if far.is_empty() {
        return;
    }
    let temp = |k: usize| V { number: (a.tier.registers() - TEMPS + k) as u8, width: Width::Z };
    let [one, two, sum] = [TURNS[0], TURNS[1], 3].map(temp);
    let round = a.ops.new_dynamic_label();
    for Far { from, back, to, alone } in far {
        dynasm!(a.ops ; .arch x64 ; =>from);
        if alone {
            a.vpxor(two, two, two);
        }
        dynasm!(a.ops ; .arch x64 ; call =>round);
        if to != one.number {
            a.vmovdqa(V { number: to, ..one }, one);
        }
        dynasm!(a.ops ; .arch x64 ; jmp =>back);
    }
    dynasm!(a.ops ; .arch x64 ; =>round);
    let numbers = [ODD, HALF, MORE, NANS_TO_QUIET, UPPER, ALL_BUT_NANS];
    let [odd, half, more, quiet, upper, all_but_nans] =
        numbers.map(|bits: u32| a.constant(&bits.to_le_bytes()).everywhere());
    let nan = a.constant(&NAN.to_le_bytes());
    for unit in [one, two] {
        if formula {
            a.ops.vpbroadcastd(sum, nan);
            a.ops.vfixupimmps(sum, unit, all_but_nans, 0);
            a.vmovdqa(unit, sum);
        }
        round_upper(a, unit, sum, [odd, half, more], Some(quiet));
    }
    a.ops.vpsrld(one, one, 16);
    a.ops.vpternlogd(one, two, upper, OR_AND);
    let order: Vec<u8> = (0..32u16).flat_map(|i| (i % 16 * 2 + i / 16).to_le_bytes()).collect();
    let m = a.constant(&order);
    a.vmovdqu(sum, m);
    a.ops.vpermw(one, sum, one);
    dynasm!(a.ops ; .arch x64 ; ret);
}
