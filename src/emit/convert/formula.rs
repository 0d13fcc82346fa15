//! The formula. In: a unit of f32. Out: the same after each step that is asked for, every one rounded for itself.

use smallvec::SmallVec;

use super::super::asm::{Asm, RSI};
use super::super::evex::{Evex, MOMENT, Rm, V};
use super::bytes::SIGNS;
use super::{Convert, DST_POINT, DST_SCALE, Part, SRC_POINT, SRC_SCALE, Work};
use crate::DType;
use crate::plan::Bytewise;
use crate::problem::stays_within;
use crate::target::Tier;

/// Compares that are true where either is a NaN, also where they are equal, where neither is, and where the first is
/// not less.
const UNORDERED: u8 = 3;
const UNORDERED_OR_EQUAL: u8 = 8;
const ORDERED: u8 = 7;
const NOT_LESS: u8 = 29;

/// Bits of floats.
const LARGEST_S8: u32 = 0x42fe_0000;
const LARGEST_U8: u32 = 0x437f_0000;
const PAST_S32: u32 = 0x4f00_0000;

/// The least words of two bytes, which are what packing leaves of the least of four: conversions make that of NaNs and
/// of what is past all whole numbers.
const LEAST_WORDS: u32 = 0x8000_8000;
pub(super) const NAN: u32 = 0x7fc0_0000;
const QUIET: u32 = 0x0040_0000;

/// What is added to round the upper half of a float: less than half of its last bit, and half where that is odd; and
/// that half itself.
pub(super) const ODD: u32 = 0x1_0000;
pub(super) const HALF: u32 = 0x7fff;
pub(super) const MORE: u32 = 0x8000;
pub(super) const UPPER: u32 = 0xffff_0000;
const TWO_TO_16: u32 = 0x4780_0000;

/// What `vfixupimmps` makes of NaNs: zeros; zeros, and of infinity what was there before; quiet ones; what was there
/// before. Unless it says so, all else comes from the source. And what does so where numbers other than 0 stay.
const NANS_TO_ZERO: u32 = 0x88;
const BUT_INFINITY: u32 = 0x1101_1188;
pub(super) const NANS_TO_QUIET: u32 = 0x22;
pub(super) const ALL_BUT_NANS: u32 = 0x1111_1100;
const OTHER_THAN_NUMBERS: u32 = 0x0011_0111;

impl Convert {
    pub(super) fn keeps_bytes(&self) -> bool {
        self.arith.keeps_bytes(self.from)
    }

    fn is_small(&self) -> bool {
        self.arith.keeps_f16(self.from)
    }

    /// Whether NaNs become zeros by an operation of their own before they are bytes, where there are masks. The lesser
    /// of two floats does without, if the bytes have no sign; but cores that compare whole numbers on more ports find
    /// it where conversions are done, of which halves take two, and mend where products are found.
    fn mends_nans(&self, masks: bool) -> bool {
        match self.to {
            DType::S8 => true,
            DType::U8 => {
                masks && self.compares_bits && self.from.size() == 2 && !self.arith.is_scaled()
            }
            _ => false,
        }
    }

    /// Whether nothing is a NaN or past all whole numbers, or else is found out afterwards.
    fn stays_within(&self) -> bool {
        self.hopes() || self.is_tame() && stays_within(self.from, self.to)
    }

    /// The numbers that each unit needs, the more useful first.
    pub(in super::super) fn numbers(&self, lanes: usize, tier: Tier) -> SmallVec<[u32; 8]> {
        let (masks, unit) = (tier.masks(), self.unit(lanes, tier.vector()));
        let mut numbers = SmallVec::new();
        if (self.shift().is_some() || self.bytewise == Some(Bytewise::Added))
            && self.from != self.to
        {
            numbers.push(SIGNS);
        }
        if !self.floats() || self.bytewise.is_some() || self.from.size().max(self.to.size()) == 8 {
            return numbers;
        }
        let formula = self.arith.is_formula();
        let nans = self.has_nans();
        match self.to {
            DType::F32 if self.from == DType::Bf16 && !formula && masks => {
                numbers.push(NANS_TO_QUIET);
            }
            DType::Bf16 if self.instructed(unit) => {}
            DType::Bf16 if self.keeps_bytes() => numbers.extend(masks.then_some(UPPER)),
            DType::Bf16 if self.is_small() => {
                numbers.push(TWO_TO_16);
                numbers.extend([OTHER_THAN_NUMBERS, UPPER].into_iter().filter(|_| masks));
            }
            DType::Bf16 if !masks => numbers.extend([1, HALF]),
            DType::Bf16 => {
                numbers.extend([ODD, HALF, MORE]);
                if nans && !formula {
                    numbers.push(NANS_TO_QUIET);
                }
                numbers.push(UPPER);
            }
            DType::S32 | DType::S8 | DType::U8 if self.stays_within() => {}
            DType::S32 => numbers.push(PAST_S32),
            DType::S8 => numbers.push(LARGEST_S8),
            DType::U8 => numbers.push(LARGEST_U8),
            _ => {}
        }
        if self.hopes() {
            numbers.push(LEAST_WORDS);
        } else if nans && masks {
            match self.to {
                _ if self.mends_nans(masks) && self.is_small() => numbers.push(BUT_INFINITY),
                to if to == DType::S32 || self.mends_nans(masks) => numbers.push(NANS_TO_ZERO),
                to if to.is_float() && formula && !self.parts_nans(unit) => {
                    numbers.extend([ALL_BUT_NANS, NAN])
                }
                _ => {}
            }
        }
        numbers.extend(self.halves.then_some(UPPER));
        numbers.extend(self.arith.sum.filter(|_| !self.arith.adds_once()));
        numbers
    }
}

impl Work<'_, '_> {
    /// All steps; `before` is where the destination's elements are, the first of their lanes, and how many.
    pub(super) fn formula(
        &mut self,
        t: V,
        lanes: &[Option<[i32; 4]>],
        before: Option<(isize, usize, usize)>,
    ) {
        let [src_scale, dst_scale, src_zero_point, dst_zero_point] = self.convert.arith.present();
        let values = self.convert.arith.present().contains(&true);
        let spare = if values { self.temp(3, t.width) } else { t };
        if src_zero_point {
            let value = self.value(spare, SRC_POINT, lanes);
            self.a.vsubps(t, t, value);
        }
        if src_scale {
            let value = self.value(spare, SRC_SCALE, lanes);
            self.a.vmulps(t, t, value);
        }
        if let Some(beta) = self.convert.arith.sum {
            let (at, first, count) = before.expect("a sum is stored");
            let part = Part { base: RSI, at, first, count };
            let old = self.temp(4, t.width);
            self.wide(old, self.convert.to, &[part]);
            if !self.convert.arith.adds_once() {
                let beta = self.number(beta);
                self.a.vmulps(old, old, beta);
            }
            self.a.vaddps(t, t, old);
        }
        if dst_scale {
            let value = self.value(spare, DST_SCALE, lanes);
            self.a.vmulps(t, t, value);
        }
        if dst_zero_point {
            let value = self.value(spare, DST_POINT, lanes);
            self.a.vaddps(t, t, value);
        }
    }

    /// These 4 bytes in all lanes.
    pub(super) fn number(&mut self, bits: u32) -> Rm {
        if let Some(number) = self.held.number(bits) {
            return Rm::V(V { number, width: self.unit().width });
        }
        let bytes = bits.to_le_bytes();
        match self.a.masks() {
            true => self.a.constant(&bytes).everywhere(),
            false => {
                let all: Vec<u8> = bytes.repeat(8);
                Rm::M(self.a.constant(&all))
            }
        }
    }

    /// Elements of the destination, each still in the place of a unit's.
    pub(super) fn finish(&mut self, t: V) {
        if !self.convert.floats() || self.unit().element == 8 {
            return;
        }
        let Convert { from, to, ref arith, .. } = *self.convert;
        let formula = arith.is_formula();
        let nans = self.convert.has_nans();
        if to.is_float() && formula && nans && !self.convert.parts_nans(self.unit()) {
            self.canonical(t);
        }
        match to {
            DType::F32 if from == DType::Bf16 && !formula => self.quiet(t),
            DType::Bf16 if self.convert.keeps_bytes() || self.convert.instructed(self.unit()) => {}
            DType::Bf16 if self.convert.is_small() => self.rounded_by_sums(t),
            DType::Bf16 => self.rounded(t, nans && !formula),
            DType::S32 | DType::S8 | DType::U8 if self.convert.stays_within() => {
                // Packing saturates.
                self.a.vcvtps2dq(t, t);
            }
            DType::S32 => self.whole(t, nans),
            DType::S8 => self.byte(t, LARGEST_S8, nans),
            DType::U8 => self.byte(t, LARGEST_U8, nans),
            _ => {}
        }
    }

    /// Keeps the least of words that may show what had to be mended.
    pub(super) fn look(&mut self, t: V) {
        if let Some(number) = self.held.least {
            let width = self.unit().width;
            let least = V { number, width };
            self.a.ops.vpminsw(least, least, V { width, ..t });
        }
    }

    /// Whether there was anything to mend, as flags: not zero where there was.
    pub(in super::super) fn was_wild(&mut self, least: u8) {
        let width = self.unit().width;
        let spare = self.temp(0, width);
        let words = self.number_in(LEAST_WORDS, spare);
        self.a.ops.vpcmpeqw(MOMENT, V { number: least, width }, words);
        self.a.ops.kortestq(MOMENT, MOMENT);
    }

    /// To whole numbers, no more than the largest of a byte; packing sees to the least.
    fn byte(&mut self, t: V, most: u32, nans: bool) {
        let (convert, masks) = (self.convert, self.a.masks());
        match nans {
            true if !convert.mends_nans(masks) => self.at_most_or_nan(t, most),
            true if masks && convert.is_small() => {
                let fixed = self.fixed(t, most, BUT_INFINITY);
                return self.a.vcvtps2dq(t, fixed);
            }
            mends => {
                if mends {
                    self.nans_to_zero(t);
                }
                let most = self.number(most);
                self.at_most(t, most);
            }
        }
        self.a.vcvtps2dq(t, t);
    }

    /// The lesser of each and a number. A NaN passes where it is the second; it becomes less than any, and so 0.
    fn at_most_or_nan(&mut self, t: V, most: u32) {
        let spare = self.temp(3, t.width);
        let most = self.number_in(most, spare);
        self.a.vminps(t, most, t);
    }

    /// A register with these 4 bytes in all lanes: one that holds them already, or else this one.
    fn number_in(&mut self, bits: u32, spare: V) -> V {
        if let Some(number) = self.held.number(bits) {
            return V { number, ..spare };
        }
        let place = self.a.constant(&bits.to_le_bytes());
        self.a.broadcast(spare, place, 4);
        spare
    }

    /// The lesser of each, where there are no NaNs, and a positive number. The bits of such floats have the order that
    /// these have, but for negative ones among each other. Floats that were floats before and are scaled, but moved by
    /// no zero point, find their minima on the ports of sums, which have the least to do there.
    fn at_most(&mut self, t: V, most: Rm) {
        let Convert { compares_bits, from, ref arith, .. } = *self.convert;
        let points = arith.src_zero_point || arith.dst_zero_point;
        let sums_are_few = from == DType::F32 && arith.is_scaled() && !points;
        match compares_bits && !sums_are_few {
            true => self.a.vpminsd(t, t, most),
            false => self.a.vminps(t, t, most),
        }
    }

    /// Every NaN the same.
    fn canonical(&mut self, t: V) {
        if self.a.masks() {
            let fixed = self.fixed(t, NAN, ALL_BUT_NANS);
            return self.a.vmovdqa(t, fixed);
        }
        let (mask, nan) = (self.temp(3, t.width), self.number(NAN));
        self.a.vcmpps(mask, t, t, UNORDERED);
        self.a.vblendvps(t, t, nan, mask);
    }

    /// What a table says, of which 0 is this number.
    fn fixed(&mut self, t: V, number: u32, table: u32) -> V {
        let fixed = self.temp(3, t.width);
        match self.held.number(number) {
            Some(number) => self.a.vmovdqa(fixed, V { number, width: t.width }),
            None => {
                let place = self.a.constant(&number.to_le_bytes());
                self.a.broadcast(fixed, place, 4);
            }
        }
        let table = self.number(table);
        self.a.ops.vfixupimmps(fixed, t, table, 0);
        fixed
    }

    /// NaNs become quiet and keep all else.
    fn quiet(&mut self, t: V) {
        if self.a.masks() {
            let table = self.number(NANS_TO_QUIET);
            return self.a.ops.vfixupimmps(t, t, table, 0);
        }
        let (mask, quiet) = (self.temp(3, t.width), self.number(QUIET));
        self.a.vcmpps(mask, t, t, UNORDERED);
        self.a.vpand(mask, mask, quiet);
        self.a.vpor(t, t, mask);
    }

    fn nans_to_zero(&mut self, t: V) {
        if self.a.masks() {
            let table = self.number(NANS_TO_ZERO);
            return self.a.ops.vfixupimmps(t, t, table, 0);
        }
        let mask = self.temp(3, t.width);
        self.a.vcmpps(mask, t, t, ORDERED);
        self.a.vpand(t, t, mask);
    }

    /// To whole numbers of 4 bytes.
    fn whole(&mut self, t: V, nans: bool) {
        if nans {
            self.nans_to_zero(t);
        }
        let past = self.number(PAST_S32);
        if self.a.masks() {
            self.a.ops.vcmpps(MOMENT, t, past, NOT_LESS);
            self.a.vcvtps2dq(t, t);
            let m = self.a.constant(&i32::MAX.to_le_bytes());
            return self.a.ops.vpbroadcastd(t.keep(MOMENT), m);
        }
        // What is too large becomes the least: all its bits turned over are the largest.
        let mask = self.temp(3, t.width);
        self.a.vcmpps(mask, t, past, NOT_LESS);
        self.a.vcvtps2dq(t, t);
        self.a.vpxor(t, t, mask);
    }

    /// To whole numbers of 4 bytes, of floats with no more than 11 bits, few enough for sums to round them: of a number
    /// that is 2^16 times as much the last bit is worth as much as the upper half's. What is left below is 0.
    fn rounded_by_sums(&mut self, t: V) {
        let sum = self.temp(3, t.width);
        let far = self.number(TWO_TO_16);
        self.a.vmovdqa(sum, t);
        self.a.vfmadd132ps(sum, t, far);
        self.a.vfnmadd231ps(sum, t, far);
        // Infinity less infinity is none, and zero less zero has lost its sign.
        if self.a.masks() {
            let table = self.number(OTHER_THAN_NUMBERS);
            self.a.ops.vfixupimmps(sum, t, table, 0);
            return self.a.vmovdqa(t, sum);
        }
        let (mask, zero) = (self.temp(4, t.width), self.number(0));
        self.a.vcmpps(mask, sum, zero, UNORDERED_OR_EQUAL);
        self.a.vblendvps(t, sum, t, mask);
    }

    /// The upper halves rounded to nearest, ties to even, whatever is left below them; `nans` where there may be some.
    fn rounded(&mut self, t: V, nans: bool) {
        let sum = self.temp(3, t.width);
        let half = self.number(HALF);
        if self.a.masks() {
            let (odd, more) = (self.number(ODD), self.number(MORE));
            let quiet = nans.then(|| self.number(NANS_TO_QUIET));
            return round_upper(self.a, t, sum, [odd, half, more], quiet);
        }
        self.a.vpsrld(sum, t, 16);
        let one = self.number(1);
        self.a.vpand(sum, sum, one);
        self.a.vpaddd(sum, sum, half);
        if !nans {
            return self.a.vpaddd(t, t, sum);
        }
        self.a.vpaddd(sum, sum, t);
        let (mask, quiet) = (self.temp(4, t.width), self.number(QUIET));
        self.a.vcmpps(mask, t, t, UNORDERED);
        self.a.vpor(t, t, quiet);
        self.a.vblendvps(t, sum, t, mask);
    }
}

/// Where there are masks, the upper halves rounded to nearest, ties to even; `quiet` is the table for NaNs, where there
/// may be some.
pub(super) fn round_upper(
    a: &mut Asm,
    t: V,
    sum: V,
    [odd, half, more]: [Rm; 3],
    quiet: Option<Rm>,
) {
    a.ops.vptestmd(MOMENT, t, odd);
    a.vpaddd(sum, t, half);
    a.ops.vpaddd(sum.keep(MOMENT), t, more);
    if let Some(quiet) = quiet {
        // The sum stays where the source is none.
        a.ops.vfixupimmps(sum, t, quiet, 0);
    }
    a.vmovdqa(t, sum);
}
