//! Bytes that become other bytes, each for itself, whatever they lie in. In: a register of bytes. Out: bytes of the
//! destination, stored.
//!
//! One zero point, and nothing else, is bytes too: the difference to a byte counts up to 255 and no further, and that
//! much is added in two saturating steps. Where the result is unsigned, one of them takes off what is less than
//! nothing; where it is signed, both go the same way, and neither is more than a signed byte holds. Bytes of the other
//! kind are what they become with the highest bit turned over. What was there before, with the factor 1, is added in
//! one such step.

use arrayvec::ArrayVec;

use super::super::asm::RSI;
use super::super::evex::{Rm, V, Width};
use super::super::frame::spill;
use super::narrow::TURNS;
use super::values::Pattern;
use super::{Convert, Lanes, Part, Piece, Source, VALUES, Work};
use crate::DType;
use crate::plan::Bytewise;
use crate::problem::Operand;

/// The highest bits of four bytes, and what one counts.
pub(super) const SIGNS: u32 = 0x8080_8080;
const HALF: f32 = 128.0;

/// What one byte and another are apart at most.
const MOST: f32 = 255.0;
const LEAST: i32 = -255;

impl Convert {
    /// Which of the values is added or taken off, where bytes are all that it takes.
    pub(super) fn shift(&self) -> Option<usize> {
        let operand = self.bytewise?.shift()? as usize;
        VALUES.iter().position(|value| *value == operand)
    }
}

impl Work<'_, '_> {
    pub(super) fn store_bytes(&mut self, bytewise: Bytewise, piece: &Piece, source: Source) {
        let become_others: fn(&mut Self, V, V, &Piece) = match bytewise {
            Bytewise::InPairs => return self.store_pairs(piece, source),
            Bytewise::Clamped => |work, t, a, _| work.clamped(t, a),
            Bytewise::Shifted(_) => |work, t, a, piece| {
                let lanes = work.elements(piece);
                work.shifted(t, a, &lanes);
            },
            Bytewise::Added => |work, t, a, piece| work.added(t, a, piece),
            Bytewise::LookedUp => |work, t, a, _| work.look_up(t, a),
        };
        let span = self.moves.span(piece.place, piece.count);
        let t = self.temp(0, self.moves.v(0).width);
        match source {
            Source::Register { register, .. } => {
                let a = self.moves.v(register);
                become_others(self, t, a, piece);
                let padding = self.moves.blank_of(piece.line) & span;
                if padding != 0 {
                    self.blank(t, padding);
                }
            }
            _ => self.blanks(t),
        }
        self.put(t, piece, 0, span);
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

    /// Saturated sums with what was there before, of both as the source is signed.
    fn added(&mut self, t: V, a: V, piece: &Piece) {
        let (first, count) = (piece.place as usize, piece.count as usize);
        self.parts(t, 1, &[Part { base: RSI, at: self.led(piece, 0), first, count }]);
        let turned =
            (self.convert.from != self.convert.to).then(|| as_wide(self.number(SIGNS), t.width));
        if let Some(signs) = turned {
            self.a.vpxor(t, t, signs);
        }
        match self.convert.from {
            DType::U8 => self.a.vpaddusb(t, t, a),
            _ => self.a.vpaddsb(t, t, a),
        }
        if let Some(signs) = turned {
            self.a.vpxor(t, t, signs);
        }
    }

    /// More or less by a zero point, saturated.
    fn shifted(&mut self, t: V, a: V, lanes: &Lanes) {
        let value = self.convert.shift().expect("an operand that bytes are shifted by");
        let pattern = Pattern::of(&lanes[..t.width.bytes()], value);
        let known: ArrayVec<Rm, 2> = self.held.values.of(VALUES[value], &pattern).collect();
        let places = known.into_inner().unwrap_or_else(|_| {
            let slots = [0, 1].map(|k| Rm::M(spill(self.convert.scratch + k)));
            self.steps(slots, value, lanes, &pattern);
            slots
        });
        let [add, off] = places.map(|place| as_wide(place, t.width));
        let mut x = a;
        if self.convert.from != self.convert.to {
            let signs = as_wide(self.number(SIGNS), t.width);
            self.a.vpxor(t, a, signs);
            x = t;
        }
        match self.convert.to {
            DType::U8 => {
                self.a.vpaddusb(t, x, add);
                self.a.vpsubusb(t, t, off);
            }
            _ => {
                self.a.vpaddsb(t, x, add);
                self.a.vpsubsb(t, t, off);
            }
        }
    }

    /// What is added to bytes, and what is taken off them then, into two places. Packing saturates, so more than bytes
    /// are apart becomes as much as they are.
    fn steps(&mut self, places: [Rm; 2], value: usize, lanes: &Lanes, all: &Pattern) {
        let (unit, bytes) = (self.unit(), self.moves.v(0).width);
        let own = lanes.chunks(unit.per).map(|own| match all {
            // Known again by others, with elements in other lanes.
            Pattern::Same(_) => all.clone(),
            _ => Pattern::of(own, value),
        });
        let own: ArrayVec<Pattern, 4> = own.take(unit.count).collect();
        let [one, two, three, four] = [0, 1, 2, 3].map(|k| self.temp(k, unit.width));
        if unit.count == 1 {
            self.difference(one, four, value, &own[0]);
            let steps = self.parted([one, two], false);
            for (place, step) in places.into_iter().zip(steps) {
                let d = V { width: bytes, ..self.made_in(place, 2) };
                self.narrow(self.convert.to, d, step);
                self.keep_in(place, d);
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
        let words = &[[one, three], [two, four]][..if apart { unit.count / 2 } else { 1 }];
        let steps = words.iter().map(|words| self.parted(*words, true));
        let steps: ArrayVec<[V; 2], 2> = steps.collect();
        let in_order = matches!(all, Pattern::Same(_));
        for (k, place) in places.into_iter().enumerate() {
            let d = self.made_in(place, 4);
            self.pack_bytes(self.convert.to, d, steps[0][k], steps[steps.len() - 1][k]);
            if !in_order {
                self.ordered(d);
            }
            self.keep_in(place, V { width: bytes, ..d });
        }
    }

    /// Of differences, as words or twice as long, what is added and what is taken off.
    fn parted(&mut self, [all, other]: [V; 2], words: bool) -> [V; 2] {
        let steps = match self.convert.to {
            DType::U8 => {
                self.a.vpxor(other, other, other);
                [all, other]
            }
            _ => {
                match words {
                    true => self.a.vpsraw(other, all, 1),
                    false => self.a.vpsrad(other, all, 1),
                }
                [other, all]
            }
        };
        // Nothing less all of it, or half of it less all of it.
        match words {
            true => self.a.vpsubw(steps[1], other, all),
            false => self.a.vpsubd(steps[1], other, all),
        }
        steps
    }

    /// What is added to the bytes of a unit, as whole numbers of 4 bytes: what is above all of them is less here.
    fn difference(&mut self, t: V, spare: V, value: usize, own: &Pattern) {
        let (from, to) = (self.convert.from, self.convert.to);
        let sign = |dtype: DType| if dtype == DType::U8 { HALF } else { 0.0 };
        let base = sign(from) - sign(to);
        // Not among those held: these are steps.
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
        if to == DType::U8 {
            let least = self.number(LEAST as u32);
            self.a.vpmaxsd(t, t, least);
        }
    }

    /// Keeps in slots what a zero point makes of some lanes, where there is room.
    pub(super) fn hold_shift(&mut self, value: usize, lanes: &Lanes) {
        let all = &lanes[..self.moves.v(0).width.bytes()];
        let (operand, pattern) = (VALUES[value], Pattern::of(all, value));
        let held = &self.held.values;
        let known = held.has(operand, &pattern);
        if known || !held.has_room(2) || all.iter().all(Option::is_none) {
            return;
        }
        let places = [(); 2].map(|()| self.place());
        self.steps(places, value, lanes, &pattern);
        for place in places {
            self.held.values.add(operand, pattern.clone(), place);
        }
    }
}

/// The place, of as many bytes as a register of this width has.
fn as_wide(place: Rm, width: Width) -> Rm {
    match place {
        Rm::V(v) => Rm::V(V { width, ..v }),
        place => place,
    }
}
