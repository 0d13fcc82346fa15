//! Bytes that become other bytes, each for itself, whatever they lie in. In: a register of bytes. Out: bytes of the
//! destination, stored.
//!
//! One zero point, and nothing else, is bytes too: the difference to a byte counts up to 255 and no further, and that
//! much is added in two saturating steps the same way, neither of which passes what a signed byte holds. Unsigned ones
//! are signed ones with the highest bit turned over.

use arrayvec::ArrayVec;

use super::super::asm::RSI;
use super::super::evex::{Mem, V};
use super::super::frame::spill;
use super::narrow::TURNS;
use super::values::Pattern;
use super::{Convert, HELD, Lanes, PASSED, Piece, Source, VALUES, Work};
use crate::DType;
use crate::problem::{DST, Operand};

/// The highest bit of a byte, and what it counts.
const SIGN: u8 = 0x80;
const HALF: f32 = 128.0;

/// What one byte and another are apart at most.
const MOST: f32 = 255.0;

impl Convert {
    pub(super) fn is_bytewise(&self) -> bool {
        let bytes = self.from.size() == 1 && self.to.size() == 1;
        bytes && (!self.floats() || self.shift().is_some())
    }

    /// Which of the values is added or taken off, where bytes are all that it takes.
    pub(super) fn shift(&self) -> Option<usize> {
        let operand = self.arith.shifts_bytes(self.from, self.to)? as usize;
        VALUES.iter().position(|value| *value == operand)
    }
}

impl Work<'_, '_> {
    pub(super) fn store_bytes(&mut self, piece: &Piece, source: Source) {
        let span = self.moves.span(piece.place, piece.count);
        let t = self.temp(0, self.moves.v(0).width);
        match source {
            Source::Register(register) => {
                let a = self.moves.v(register);
                match self.convert.shift() {
                    Some(value) => {
                        let lanes = self.elements(piece);
                        self.shifted(t, a, value, &lanes);
                    }
                    None => self.clamped(t, a),
                }
                let padding = self.moves.blank_of(piece.line) & span;
                if padding != 0 {
                    self.blank(t, padding);
                }
            }
            _ => self.blanks(t),
        }
        let m = self.a.place(RSI, piece.at.wrapping_add(self.on[DST]));
        self.put(t, m, span);
    }

    /// Within what both types hold.
    fn clamped(&mut self, t: V, a: V) {
        let (limit, signed) = match (self.convert.from, self.convert.to) {
            (DType::S8, _) => (0, true),
            (DType::U8, DType::S8) => (127, false),
            _ => (1, false),
        };
        let limit = self.a.constant(&[limit; 64][..t.width.bytes()]);
        match signed {
            true => self.a.vpmaxsb(t, a, limit),
            false => self.a.vpminub(t, a, limit),
        }
    }

    /// More or less by a zero point, saturated.
    fn shifted(&mut self, t: V, a: V, value: usize, lanes: &Lanes) {
        let pattern = Pattern::of(&lanes[..t.width.bytes()], value);
        let known = self.held.values.iter();
        let known = known.filter(|known| known.0 == VALUES[value] && known.1 == pattern);
        let halves: ArrayVec<Mem, 2> = known.map(|known| known.2).collect();
        let [up, down] = halves.into_inner().unwrap_or_else(|_| {
            let slots = [0, 1].map(|k| spill(self.convert.scratch + k));
            self.halves(slots, value, lanes, &pattern);
            slots
        });
        let (from, to) = (self.convert.from, self.convert.to);
        let sign = self.a.constant(&[SIGN; 64][..t.width.bytes()]);
        let x = match from {
            DType::U8 => {
                self.a.vpxor(t, a, sign);
                t
            }
            _ => a,
        };
        self.a.vpaddsb(t, x, up);
        self.a.vpsubsb(t, t, down);
        if to == DType::U8 {
            self.a.vpxor(t, t, sign);
        }
    }

    /// What is added to signed bytes, into two slots: half of it, and less the other half. Packing saturates, so more
    /// than bytes are apart becomes as much as they are.
    fn halves(&mut self, slots: [Mem; 2], value: usize, lanes: &Lanes, all: &Pattern) {
        let unit = self.unit();
        let own = lanes.chunks(unit.per).map(|own| match all {
            // Known again by others, with elements in other lanes.
            Pattern::Same(_) => all.clone(),
            _ => Pattern::of(own, value),
        });
        let own: ArrayVec<Pattern, 4> = own.take(unit.count).collect();
        let [one, two, three, four] = [0, 1, 2, 3].map(|k| self.temp(k, unit.width));
        if unit.count == 1 {
            self.difference(one, four, value, &own[0]);
            self.a.vpsrad(two, one, 1);
            self.a.vpsubd(three, two, one);
            for (slot, half) in slots.into_iter().zip([two, three]) {
                let d = V { width: self.moves.v(0).width, ..one };
                self.narrow(DType::S8, d, half);
                self.a.vmovdqu_store(slot, d);
            }
            return;
        }
        // One unit is all of them where all have the same.
        let apart = own.iter().any(|unit| *unit != own[0]);
        for (u, own) in own.iter().enumerate().take(if apart { unit.count } else { 1 }) {
            let t = self.temp(TURNS[u], unit.width);
            self.difference(t, four, value, own);
            if u % 2 == 1 || !apart {
                let first = self.temp(TURNS[u & !1], unit.width);
                self.a.vpackssdw(first, first, t);
            }
        }
        let words = &[(one, three), (two, four)][..if apart { unit.count / 2 } else { 1 }];
        for (word, half) in words {
            self.a.vpsraw(*half, *word, 1);
        }
        let last = words[words.len() - 1];
        let in_order = matches!(all, Pattern::Same(_));
        self.keep_half(slots[0], [three, last.1], in_order);
        for (word, half) in words {
            self.a.vpsubw(*word, *half, *word);
        }
        self.keep_half(slots[1], [one, last.0], in_order);
    }

    /// Words of all units, as bytes into a slot.
    fn keep_half(&mut self, slot: Mem, [low, high]: [V; 2], in_order: bool) {
        let d = self.temp(4, low.width);
        self.a.vpacksswb(d, low, high);
        if !in_order {
            self.ordered(d, d);
        }
        self.a.vmovdqu_store(slot, V { width: self.moves.v(0).width, ..d });
    }

    /// What is added to the bytes of a unit, as whole numbers of 4 bytes: what is above all of them is less here.
    fn difference(&mut self, t: V, spare: V, value: usize, own: &Pattern) {
        let (from, to) = (self.convert.from, self.convert.to);
        let sign = |dtype: DType| if dtype == DType::U8 { HALF } else { 0.0 };
        let base = sign(from) - sign(to);
        // Not among those held: these are halves.
        let point = self.find(spare, value, own);
        let place = self.a.constant(&base.to_bits().to_le_bytes());
        self.a.broadcast(t, place, 4);
        match VALUES[value] == Operand::SrcZeroPoint as usize {
            true => self.a.vsubps(t, t, point),
            false => self.a.vaddps(t, t, point),
        }
        let most = self.number(MOST.to_bits());
        self.a.vminps(t, t, most);
        // What is far below whole numbers becomes the least of them.
        self.a.vcvtps2dq(t, t);
    }

    /// Keeps in slots what a zero point makes of some lanes, where there is room.
    pub(super) fn hold_shift(&mut self, value: usize, lanes: &Lanes) {
        let all = &lanes[..self.moves.v(0).width.bytes()];
        let (operand, pattern) = (VALUES[value], Pattern::of(all, value));
        let held = &self.held.values;
        let known = held.iter().any(|known| known.0 == operand && known.1 == pattern);
        if known || held.len() + 2 > HELD || all.iter().all(Option::is_none) {
            return;
        }
        let first = self.convert.scratch + PASSED + held.len() as u16;
        let slots = [first, first + 1].map(spill);
        self.halves(slots, value, lanes, &pattern);
        let halves = slots.map(|slot| (operand, pattern.clone(), slot));
        self.held.values.extend(halves);
    }
}
