//! Stores that convert. In: lines that store, and where what they store comes from. Out: their units one by one, or
//! joined in a register, each converted on the way, and padding as it is.

use std::ops::Range;

use super::super::bits::{every, spread};
use super::super::evex::{Mem, V};
use super::super::moves::Place;
use super::{Lanes, Part, Piece, RDI, Source, Work, narrow, width};
use crate::DType;

impl Work<'_, '_> {
    /// The values of the lanes of a store, but of padding.
    pub(super) fn elements(&self, piece: &Piece) -> Lanes {
        let mut lanes = self.convert.lanes_of(std::slice::from_ref(piece));
        let padded = self.moves.blank_of(piece.line);
        (0..64).filter(|i| padded >> i & 1 == 1).for_each(|i| lanes[i] = None);
        lanes
    }

    /// Stores lanes of a register, or of where it was loaded from, or padding.
    pub(super) fn store(&mut self, piece: &Piece, source: Source) {
        if let Some(bytewise) = self.convert.bytewise {
            return self.store_bytes(bytewise, piece, source);
        }
        let (from, to) = (self.convert.from.size(), self.convert.to.size());
        let lanes = self.elements(piece);
        let unit = self.unit();
        if let Source::Register { register, slot, last } = source
            && from != unit.element
        {
            let v = self.moves.v(register);
            if self.convert.is_spread(unit) {
                self.spread_first(v, last);
            } else if !self.extracts() && slot == piece.line {
                let slot = self.pass(slot);
                self.a.vmovdqu_store(slot, v);
            }
        }
        // What becomes no longer goes as it came, in one register. Halves of lines of f16 go by themselves, since to
        // join them is one permutation more; past the caches lines go whole.
        let joins = self.moves.streams || self.convert.to != DType::F16;
        match from == to && from < unit.element && joins {
            true => self.store_joined(piece, source, &lanes, 0..unit.count),
            false if self.convert.weaves(unit) => {
                let twos = (0..unit.count).step_by(2);
                twos.for_each(|u| self.store_joined(piece, source, &lanes, u..u + 2));
            }
            false => self.store_units(piece, source, &lanes),
        }
    }

    /// Stores some units as one register, if any of their elements are stored.
    fn store_joined(&mut self, piece: &Piece, source: Source, lanes: &Lanes, units: Range<usize>) {
        let unit = self.unit();
        let to = self.convert.to.size();
        let (start, end) = (units.start * unit.per, units.end * unit.per);
        let (first, last) = (piece.place as usize, (piece.place + piece.count) as usize);
        let own = first.max(start)..last.min(end);
        if own.is_empty() {
            return;
        }
        let d = self.temp(0, width((end - start) * to));
        let span = every(own.len()) << (own.start - start);
        let padding = self.moves.blank_of(piece.line) >> start & span;
        if padding == span {
            self.blanks(d);
        } else {
            let two = units.len() == 2;
            for (turn, u) in units.enumerate() {
                let t = self.temp(narrow::TURNS[turn], unit.width);
                match self.source(t, piece, source, u) {
                    true => {
                        let before = self.before(piece, u);
                        self.formula(t, &lanes[u * unit.per..(u + 1) * unit.per], Some(before));
                        self.finish(t);
                    }
                    false => self.a.vpxor(t, t, t),
                }
                let packed = match two && self.convert.to == DType::Bf16 {
                    false => self.join(self.convert.to, d, turn),
                    true if turn == 1 => {
                        let one = self.temp(narrow::TURNS[0], unit.width);
                        self.weave(d, one, t)
                    }
                    true => false,
                };
                if packed {
                    self.ordered(d);
                }
            }
            if padding != 0 {
                self.blank(d, padding);
            }
        }
        self.put(d, piece, (own.start - first) * to, spread(span, to));
    }

    /// Stores each unit for itself.
    fn store_units(&mut self, piece: &Piece, source: Source, lanes: &Lanes) {
        let unit = self.unit();
        let to = self.convert.to.size();
        for u in 0..unit.count {
            let own = unit.own(piece, u);
            if own.is_empty() {
                continue;
            }
            let start = u * unit.per;
            let span = every(own.len()) << (own.start - start);
            let padding = self.moves.blank_of(piece.line) >> start & span;
            let t = self.temp(0, unit.width);
            let v = if padding == span {
                let v = V { width: width(unit.per * to), ..t };
                self.blanks(v);
                v
            } else {
                self.source(t, piece, source, u);
                let before = self.before(piece, u);
                self.formula(t, &lanes[start..start + unit.per], Some(before));
                self.finish(t);
                let v = self.narrow(self.convert.to, t, t);
                if padding != 0 {
                    self.blank(v, padding);
                }
                v
            };
            let behind = (own.start - piece.place as usize) * to;
            self.put(v, piece, behind, spread(span, to));
        }
    }

    /// Where in the destination a unit's elements of a piece are, the first of their lanes, and how many.
    fn before(&self, piece: &Piece, u: usize) -> (isize, usize, usize) {
        let unit = self.unit();
        let own = unit.own(piece, u);
        let behind = (own.start - piece.place as usize) * self.convert.to.size();
        (self.led(piece, behind), own.start - u * unit.per, own.len())
    }

    /// Loads a unit of what is stored; false where none of it is.
    fn source(&mut self, t: V, piece: &Piece, source: Source, u: usize) -> bool {
        let unit = self.unit();
        let from = self.convert.from;
        let start = u * unit.per;
        let own = unit.own(piece, u);
        if own.is_empty() {
            return false;
        }
        match source {
            Source::Register { register, .. } if from.size() == unit.element => {
                self.a.vmovdqa(t, self.moves.v(register));
                self.widened(t, from);
            }
            Source::Register { register, last, .. } if self.convert.is_spread(unit) => {
                self.spread_part(t, self.moves.v(register), u, last);
            }
            Source::Windows(units) => {
                let v = V { number: units[u].register, width: t.width };
                self.spread(t, v, units[u]);
            }
            Source::Register { register, .. } if self.extracts() => {
                self.wide_part(t, from, self.moves.v(register), start * from.size());
            }
            Source::Register { slot, .. } => {
                let Mem { base, disp, .. } = self.pass(slot);
                let at = disp as isize + (start * from.size()) as isize;
                self.wide(t, from, &[Part { base, at, first: 0, count: unit.per }]);
            }
            Source::Memory(at) => {
                let run = at.wrapping_add((start * from.size()) as isize);
                self.wide_run(t, run, own.start - start..own.end - start);
            }
            Source::Runs(runs) => self.wide_run(t, runs[u], own.start - start..own.end - start),
            Source::Blank => unreachable!("padding comes from nowhere"),
        }
        true
    }

    /// Loads some lanes of a unit that is a run of the source, from where its first lane would lie on.
    fn wide_run(&mut self, t: V, run: isize, lanes: Range<usize>) {
        let from = self.convert.from;
        let at = run.wrapping_add((lanes.start * from.size()) as isize);
        self.wide(t, from, &[Part { base: RDI, at, first: lanes.start, count: lanes.len() }]);
    }

    /// Where in the destination the byte is that lies so many behind the start of a piece.
    pub(super) fn led(&self, piece: &Piece, behind: usize) -> isize {
        piece.at.wrapping_add(behind as isize)
    }

    /// Stores bytes of a register, so many behind the start of a piece.
    pub(super) fn put(&mut self, v: V, piece: &Piece, behind: usize, bytes: u64) {
        let place = Place { line: piece.line, at: self.led(piece, behind), bytes };
        self.moves.store(self.a, self.held, v, place);
    }
}
