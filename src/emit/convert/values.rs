//! Values of the formula. In: for each lane of a unit, how far its value lies from where a pointer is. Out: the values
//! as an operand: one for all lanes, some in a row, or gathered from anywhere.
//!
//! Mostly they were made ready before: zero points are floats, and a destination's scale is its reciprocal, with room
//! around them for a whole register. Else they are as the caller gave them.

use smallvec::SmallVec;

use super::super::bits::every;
use super::super::evex::{Evex, MOMENT, Mem, Rm, V, Width};
use super::{Deed, Lanes, VALUES, Work};
use crate::code::Given;
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

/// Bytes of the index by which values are picked.
pub(super) type Index = SmallVec<[u8; 64]>;

/// Which values are picked, by number, of those from one on.
pub(super) fn index(offsets: &[Option<i32>], first: i32) -> Index {
    offsets.iter().flat_map(|at| ((at.unwrap_or(first) - first) / 4).to_le_bytes()).collect()
}

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

/// The first of values that one register or two have room for, all of them, if they can be permuted. A multiple of the
/// bytes if one is, so that no load crosses lines and many load the same.
pub(super) fn near(offsets: &[Option<i32>], bytes: usize) -> Option<i32> {
    let known = || offsets.iter().flatten();
    let (first, last) = (*known().min()?, *known().max()?);
    let whole = first - first.rem_euclid(bytes.min(64) as i32);
    let fits = |from: &i32| bytes >= 32 && ((last - from) as usize) < bytes;
    [whole, first].into_iter().find(fits)
}

// Registers of values reach no further than what may be read around those.
const _: () = assert!(Width::Z.bytes() <= size_of::<f32>() * Given::AROUND);

impl Work<'_, '_> {
    /// The values of an operand for some lanes, as an operand of an instruction; `t` may hold them.
    pub(super) fn value(&mut self, t: V, value: usize, lanes: &[Option<[i32; 4]>]) -> Rm {
        let pattern = Pattern::of(lanes, value);
        let operand = VALUES[value];
        if let Some(place) = self.held.values.of(operand, &pattern).next() {
            return place;
        }
        self.find(t, value, &pattern)
    }

    /// The values of such a pattern, from where they are; a zero point with what bytes lie upon, where that is taken
    /// off with it.
    pub(super) fn find(&mut self, t: V, value: usize, pattern: &Pattern) -> Rm {
        let place = self.find_alone(t, value, pattern);
        let Some(base) = self.lies_on(VALUES[value]) else { return place };
        let point = match place {
            Rm::V(v) => v,
            place => {
                self.load_value(t, place);
                t
            }
        };
        let base = self.number(base);
        self.a.vaddps(t, point, base);
        Rm::V(t)
    }

    /// What bytes lie upon that is taken off with an operand's values.
    fn lies_on(&self, operand: usize) -> Option<u32> {
        let takes_off = operand == Operand::SrcZeroPoint as usize;
        self.convert.base(self.unit()).filter(|_| takes_off)
    }

    fn find_alone(&mut self, t: V, value: usize, pattern: &Pattern) -> Rm {
        let operand = VALUES[value];
        if let Pattern::Any(offsets) = pattern
            && let Some(first) = self.near_given(operand, offsets, t)
        {
            self.pick_given(t, operand, offsets, first);
            return Rm::V(t);
        }
        let raw = self.convert.raw[operand];
        let base = self.convert.registers[operand];
        let v = match pattern {
            Pattern::None => {
                // Where all lanes are padding, nothing may be there.
                self.a.vpxor(t, t, t);
                return Rm::V(t);
            }
            Pattern::Same(offset) => {
                let m = self.a.place(base, *offset as isize);
                if self.a.masks() && !raw {
                    return m.everywhere();
                }
                self.a.broadcast(t, m, 4);
                t
            }
            Pattern::Row(offset, own) => {
                let m = self.a.place(base, *offset as isize);
                if !raw {
                    return Rm::M(m);
                }
                self.row(t, m, *own);
                t
            }
            Pattern::Any(offsets) => {
                let within =
                    |registers: usize| near(offsets, registers * t.width.bytes()).filter(|_| !raw);
                match (within(1), within(2).filter(|_| self.a.masks())) {
                    (Some(first), _) => {
                        let m = self.a.place(base, first as isize);
                        self.pick(t, m, offsets, first);
                    }
                    (None, Some(first)) => {
                        let [one, two] = [0, t.width.bytes()]
                            .map(|on| self.a.place(base, first as isize + on as isize));
                        self.pick_of_two(t, [one, two], offsets, first);
                    }
                    (None, None) => {
                        let base = self.a.place(base, 0);
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
    pub(super) fn row(&mut self, t: V, m: Mem, bits: u64) {
        if bits == every(t.width.bytes() / 4) {
            return self.a.vmovdqu(t, m);
        }
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
        self.load_index(t, offsets, first);
        match self.a.masks() {
            true => self.a.ops.vpermd(t, t, m),
            false => {
                let all = self.temp(4, t.width);
                self.a.vmovdqu(all, m);
                self.a.vpermd(t, t, all);
            }
        }
    }

    /// Values that lie near each other, out of two registers of them.
    fn pick_of_two(&mut self, t: V, [one, two]: [Mem; 2], offsets: &[Option<i32>], first: i32) {
        self.load_index(t, offsets, first);
        let all = self.temp(4, t.width);
        self.a.vmovdqu(all, one);
        self.a.ops.vpermi2d(t, all, two);
    }

    /// Which values are picked, by number.
    pub(super) fn load_index(&mut self, t: V, offsets: &[Option<i32>], first: i32) {
        let place = self.a.constant(&index(offsets, first));
        self.a.vmovdqu(t, place);
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
    pub(super) fn ready(&mut self, v: V, operand: usize) {
        if operand == Operand::DstScale as usize {
            let one = self.temp(4, v.width);
            let m = self.a.constant(&1f32.to_bits().to_le_bytes());
            self.a.broadcast(one, m, 4);
            self.a.vdivps(v, one, v);
        } else if operand != Operand::SrcScale as usize {
            self.a.vcvtdq2ps(v, v);
        }
    }

    /// Makes values ready that a sequence needs again and again, before its loop, and keeps them in registers that
    /// nothing else needs, or in slots. Where registers remain they hold those too that an operation could load: among
    /// many stores a load waits for one whose address is like its own.
    pub(in super::super) fn hold_values(&mut self, script: &[Deed], strides: &Strides) {
        let asked = |operand: usize| strides[operand] == 0;
        self.hold_given(asked);
        self.hold_indices(|operand| !asked(operand));
        self.keep(script, 1, asked, true);
        if self.held.values.has_register() {
            self.keep(script, 1, asked, false);
        }
    }

    /// Keeps values that are others each time round, and needed more than once in it, for this time.
    pub(in super::super) fn hold_this_time(&mut self, script: &[Deed]) {
        self.hold_given(|_| true);
        self.keep(script, 2, |_| true, true);
    }

    /// Where the values lie of what a line converts, if it does.
    fn lanes_at(&self, deed: &Deed) -> Option<Lanes> {
        match deed {
            Deed::Load(pieces, _) => Some(self.convert.lanes_of(pieces)),
            Deed::Repeat(piece) | Deed::Store(piece, _) => Some(self.elements(piece)),
            Deed::Plain | Deed::Nothing | Deed::Windows(_) => None,
        }
    }

    /// Tells of each unit that is converted where the values of some operands lie, by their place among offsets.
    pub(super) fn each_unit(
        &self,
        script: &[Deed],
        values: &[usize],
        mut tell: impl FnMut(usize, Pattern),
    ) {
        let unit = self.unit();
        let halves = self.convert.halves(unit);
        for lanes in script.iter().filter_map(|deed| self.lanes_at(deed)) {
            for u in 0..unit.count {
                let own = unit.lanes(halves, &lanes, u);
                values.iter().for_each(|&value| tell(value, Pattern::of(&own, value)));
            }
        }
    }

    /// Makes values ready that so many units need, of the operands that are asked for: those that take more than a
    /// load, or the others for which there is a register.
    fn keep(&mut self, script: &[Deed], uses: usize, asked: impl Fn(usize) -> bool, far: bool) {
        let (unit, present) = (self.unit(), self.convert.arith.present());
        let none = !{ 0..VALUES.len() }.any(|value| present[value] && asked(VALUES[value]));
        // Tables have them in what is found.
        if none || self.convert.bytewise.is_some_and(|own| own.tables() > 0) {
            return;
        }
        let mut needs: SmallVec<[Need; 8]> = SmallVec::new();
        for deed in script {
            let Some(lanes) = self.lanes_at(deed) else { continue };
            if let Some(value) = self.convert.shift() {
                let all = &lanes[..self.moves.v(0).width.bytes()];
                if far
                    && asked(VALUES[value])
                    && Need::count(&mut needs, value, Pattern::of(all, value)) == uses
                {
                    self.hold_shift(value, &lanes);
                }
                continue;
            }
            let halves = self.convert.halves(unit);
            for (value, operand) in VALUES.into_iter().enumerate() {
                if !present[value] || !asked(operand) {
                    continue;
                }
                for u in 0..unit.count {
                    let pattern = Pattern::of(&unit.lanes(halves, &lanes, u), value);
                    let wanted = match pattern {
                        Pattern::None => false,
                        Pattern::Any(_) => far,
                        _ => {
                            let more = self.convert.raw[operand] || self.lies_on(operand).is_some();
                            far == more && (far || self.held.values.has_register())
                        }
                    };
                    if wanted && Need::count(&mut needs, value, pattern.clone()) == uses {
                        self.hold(value, pattern);
                    }
                }
            }
        }
    }

    /// Makes the values of a unit ready, where there is a register or a slot for them.
    fn hold(&mut self, value: usize, pattern: Pattern) {
        let (operand, held) = (VALUES[value], &self.held.values);
        if held.has(operand, &pattern) || !held.has_room(1) {
            return;
        }
        let place = self.place();
        let t = self.made_in(place, 3);
        let found = self.find(t, value, &pattern);
        self.load_value(t, found);
        self.keep_in(place, t);
        self.held.values.add(operand, pattern, place);
    }

    /// Loads values, if they are not there.
    fn load_value(&mut self, t: V, place: Rm) {
        match place {
            Rm::B(m) => self.a.broadcast(t, m, 4),
            Rm::M(m) => self.a.vmovdqu(t, m),
            found => debug_assert_eq!(found, Rm::V(t)),
        }
    }

    /// A place for values, of those for which there is room.
    pub(super) fn place(&mut self) -> Rm {
        let (width, scratch) = (self.unit().width, self.convert.scratch);
        self.held.values.place(width, scratch)
    }

    /// The register in which a unit is made for a place, if need be that for a moment.
    pub(super) fn made_in(&self, place: Rm, moment: usize) -> V {
        match place {
            Rm::V(v) => v,
            _ => self.temp(moment, self.unit().width),
        }
    }

    /// Stores what was made for a slot.
    pub(super) fn keep_in(&mut self, place: Rm, made: V) {
        if let Rm::M(slot) = place {
            self.a.vmovdqu_store(slot, made);
        }
    }
}

/// So many units are worth that values are picked each time round.
const SEVERAL: usize = 4;

/// Values that units need, and so many of them.
pub(super) struct Need {
    pub(super) value: usize,
    pattern: Pattern,
    uses: usize,
}

impl Need {
    /// One more unit that needs them, and how many there are then.
    pub(super) fn count(needs: &mut SmallVec<[Need; 8]>, value: usize, pattern: Pattern) -> usize {
        let same = |need: &&mut Need| need.value == value && need.pattern == pattern;
        if let Some(need) = needs.iter_mut().find(same) {
            need.uses += 1;
            return need.uses;
        }
        needs.push(Need { value, pattern, uses: 1 });
        1
    }

    /// Whether they are one, or are picked out of two registers: once, where these values stay, else for several units;
    /// out of one, where they are as the caller gave them.
    pub(super) fn is_picked(&self, width: Width, stay: bool, raw: bool) -> bool {
        match &self.pattern {
            Pattern::Any(offsets) if raw => near(offsets, width.bytes()).is_some(),
            _ if raw => false,
            Pattern::Any(offsets) => {
                (stay || self.uses >= SEVERAL) && near(offsets, 2 * width.bytes()).is_some()
            }
            _ => true,
        }
    }
}
