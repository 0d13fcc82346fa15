//! Conversions. In: loads or stores of a sequence whose elements change their type, or pass the formula, on the
//! way. Out: their instructions, a unit at a time.
//!
//! ```text
//! unit      the elements that fill a register where each takes as many bytes as arithmetic needs, 4 or 8
//! wide      elements of the source, as f32 or whole numbers of a unit       (wide, halves, spread, masks)
//! script    where elements of a line come from                           (script, origins, straight, windows)
//! formula   what is asked for of it, each step rounded for itself                  (formula, values)
//! narrow    units as elements of the destination, several joined in a register     (narrow, bf16)
//! stores    what lines store, a unit at a time or several joined                          (stores)
//! ```
//!
//! What makes bytes of bytes, and needs no more than bytes for it, has no units                    (bytes).
//!
//! Where elements become narrower they are converted as they are loaded, and all shuffles move bytes; loads that fill
//! one register piece by piece are one load here. Else they are converted as they are stored: from a slot of the
//! frame, or where they were loaded from just so, from the source.

mod bf16;
mod bytes;
mod formula;
mod given;
mod halves;
mod kept;
mod lookup;
mod masks;
mod narrow;
mod offsets;
mod origins;
mod packed;
mod padding;
mod script;
mod spread;
mod stores;
mod straight;
mod values;
mod wide;
mod windows;

use std::ops::Range;

use smallvec::SmallVec;

use super::asm::{Asm, RDI};
use super::bits::every;
use super::edges;
use super::evex::{Mem, V, Width};
use super::frame::spill;
use super::held::Held;
use super::moves::Moves;
use crate::DType;
use crate::plan::{Bytewise, TEMPS, Trust};
use crate::problem::{Arith, OPERANDS, VALUE_OPERANDS};
use crate::shuffle::Reg;
pub(super) use bf16::{Far, emit_far};
pub(super) use given::Picked;
pub(super) use kept::Known;
pub(super) use lookup::{PARTS, paired};
pub(super) use offsets::{Offsets, offsets};
pub(super) use script::{Deed, Piece, Source};

/// How the elements of a sequence change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Convert {
    pub(super) from: DType,
    pub(super) to: DType,
    pub(super) arith: Arith,
    /// What is done to bytes that stay bytes, and need not become longer for it.
    pub(super) bytewise: Option<Bytewise>,
    /// As they are loaded, not as they are stored.
    pub(super) loads: bool,
    /// How many registers are free for it.
    pub(super) temps: usize,
    /// What points at the values of each operand, and whether these are as the caller gave them.
    pub(super) registers: [u8; OPERANDS],
    pub(super) raw: [bool; OPERANDS],
    /// What it need not look for.
    pub(super) trust: Trust,
    /// Whether elements that are halves of floats become so by twos, where there are two units.
    pub(super) halves: bool,
    /// By line, the values of its elements.
    pub(super) offsets: Vec<Offsets>,
    /// Whether there is an instruction that makes bf16 of floats.
    pub(super) has_bf16: bool,
    /// Whether registers that are loaded whole stay as they are packed, and what reads them knows.
    pub(super) packed: bool,
    /// Whether parts of registers are taken out of them, and do not pass through a slot.
    pub(super) extracts: bool,
    /// Whether there is a permutation of bytes.
    pub(super) permutes_bytes: bool,
    /// Whether whole numbers are compared on more ports than floats.
    pub(super) compares_bits: bool,
    /// The first of [`SLOTS`] slots of the frame.
    pub(super) scratch: u16,
}

/// Slots that registers pass through, that hold values for the time of a loop, and that what is added up lies in.
/// Behind them is the table, where bytes are looked up.
pub(super) const SLOTS: usize = ADDED as usize + 8;
const TABLE: u16 = SLOTS as u16;
pub(super) const ADDED: u16 = PASSED + HELD as u16;
const PASSED: u16 = 4;
const HELD: usize = 32;

/// The operands that have values, by their place among offsets.
const VALUES: [usize; VALUE_OPERANDS.len()] = {
    let [src_scale, dst_scale, src_point, dst_point] = VALUE_OPERANDS;
    [src_scale as usize, dst_scale as usize, src_point as usize, dst_point as usize]
};

/// These places by name.
const SRC_SCALE: usize = 0;
const DST_SCALE: usize = 1;
const SRC_POINT: usize = 2;
const DST_POINT: usize = 3;

/// What a register's elements are when arithmetic works on them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) width: Width,
    /// Bytes of an element.
    pub(super) element: usize,
    /// Elements.
    pub(super) per: usize,
    /// Units of the register.
    pub(super) count: usize,
}

/// Elements in memory, so many bytes from where a register points, and where in a unit they belong. Far ones are
/// placed one at a time, as they are loaded.
#[derive(Clone, Copy, Debug)]
struct Part {
    base: u8,
    at: isize,
    first: usize,
    count: usize,
}

/// Those of a unit.
type Parts = SmallVec<[Part; 8]>;

/// For each lane where its values are; none where it has no element.
type Lanes = [Option<[i32; 4]>; 64];

/// One sequence's conversions at work.
pub(super) struct Work<'a, 'p> {
    pub(super) a: &'a mut Asm,
    pub(super) held: &'a mut Held,
    pub(super) moves: &'a Moves<'p>,
    pub(super) convert: &'a Convert,
}

impl Convert {
    /// Bytes of an element of the source, and of the destination.
    pub(super) fn sizes(&self) -> [usize; 2] {
        [self.from.size(), self.to.size()]
    }

    /// Whether all values are known to be tame.
    fn is_tame(&self) -> bool {
        self.trust == Trust::Values
    }

    /// Whether elements are taken to be ordinary ones, and looked at afterwards.
    pub(super) fn hopes(&self) -> bool {
        self.trust == Trust::Elements
    }

    /// Whether values pass through f32.
    fn floats(&self) -> bool {
        self.arith.is_formula() || self.from.is_float() || self.to.is_float()
    }

    /// Whether there may be NaNs where elements become those of the destination.
    fn has_nans(&self) -> bool {
        let scaled = self.arith.is_scaled() && !self.is_tame();
        self.from.is_float() || scaled || self.arith.sum.is_some() && self.to.is_float()
    }

    /// What some lanes are of pieces.
    fn parts_of(&self, pieces: &[Piece], own: Range<usize>) -> Parts {
        let size = self.from.size();
        let part = |piece: &Piece| {
            let (from, end) = (piece.place as usize, (piece.place + piece.count) as usize);
            let (first, last) = (from.max(own.start), end.min(own.end));
            (first < last).then(|| {
                let at = piece.at + ((first - from) * size) as isize;
                Part { base: RDI, at, first: first - own.start, count: last - first }
            })
        };
        pieces.iter().filter_map(part).collect()
    }

    /// Whether pieces of a register are of its first unit alone, and become what they are by themselves: few elements
    /// need not be packed with others.
    fn is_few(&self, unit: Unit, pieces: &[Piece]) -> bool {
        let alone = unit.count == 4 || unit.count == 2 && unit.element == 4;
        alone && self.parts_of(pieces, unit.per..unit.count * unit.per).is_empty()
    }

    /// The units of a register of so many lanes.
    fn unit(&self, lanes: usize, most: usize) -> Unit {
        let element = self.from.size().max(self.to.size()).max(4);
        let bytes = (lanes * element).min(most);
        let width = match bytes {
            64 => Width::Z,
            32 => Width::Y,
            _ => Width::X,
        };
        let per = width.bytes() / element;
        Unit { width, element, per, count: lanes.div_ceil(per) }
    }
}

/// The width of registers that hold so many bytes.
pub(super) fn width(bytes: usize) -> Width {
    match bytes {
        33.. => Width::Z,
        17..=32 => Width::Y,
        _ => Width::X,
    }
}

impl<'p> Work<'_, 'p> {
    fn unit(&self) -> Unit {
        self.convert.unit(self.moves.program.lanes, self.a.tier.vector())
    }

    /// A register for a moment. Where there are fewer than all, those are left out that nothing asks for then: of three
    /// there are the first, the fourth and the fifth; of one, the first.
    fn temp(&self, k: usize, width: Width) -> V {
        let temps = self.convert.temps;
        let own = if temps == TEMPS { k } else { [0, TEMPS, TEMPS, 1, 2][k] };
        assert!(own < temps, "temporary register {k}, where {temps} are free");
        V { number: (self.a.tier.registers() - temps + own) as u8, width }
    }

    /// What a line does in place of what it says.
    pub(super) fn deed(&mut self, to: Reg, deed: &Deed) {
        match deed {
            Deed::Plain | Deed::Nothing => {}
            Deed::Windows(starts) => self.load_windows(starts),
            Deed::Load(pieces, keeps) => self.load(to, pieces, *keeps),
            Deed::Repeat(piece) => self.repeat(to, piece),
            Deed::Store(piece, source) => self.store(piece, *source),
        }
    }

    /// Loads pieces of one register, the other lanes of which are kept, or zero.
    fn load(&mut self, to: Reg, pieces: &[Piece], keeps: bool) {
        let unit = self.unit();
        let lanes = self.convert.lanes_of(pieces);
        let d = self.moves.v(to);
        let place = if keeps { self.temp(0, d.width) } else { d };
        let few = self.convert.is_few(unit, pieces);
        let mut more = false;
        // The bytes that something is made of, zeros behind them.
        let mut made = every(d.width.bytes());
        if few {
            let half = unit.per == 8 && self.convert.parts_of(pieces, 4..8).is_empty();
            let t = self.temp(narrow::TURNS[0], unit.width);
            let parts = self.convert.parts_of(pieces, 0..unit.per);
            more = self.wide(t, self.convert.from, &parts);
            self.formula(t, &lanes[..unit.per], None);
            self.finish(t);
            let t = if half { V { width: Width::X, ..t } } else { t };
            match self.convert.instructed(unit) {
                true => self.instruct(place, t, None),
                false => {
                    self.narrow(self.convert.to, place, t);
                }
            }
            made = every(t.width.bytes() / unit.element * self.convert.to.size());
        }
        let whole = |piece: &Piece| packed::is_whole(&self.moves.program, piece.line);
        let as_packed = self.convert.packed && pieces.iter().all(whole);
        let halves = self.convert.halves(unit);
        for u in if few { 0..0 } else { 0..unit.count } {
            let parts = self.convert.parts_of(pieces, unit.loaded(halves, u));
            let t = self.temp(narrow::TURNS[u], unit.width);
            if parts.is_empty() {
                self.a.vpxor(t, t, t);
            } else {
                match halves {
                    true if u % 2 == 0 => {
                        let odd = self.temp(narrow::TURNS[u + 1], unit.width);
                        self.wide_halves(t, odd, &parts);
                    }
                    true => {}
                    false => more |= self.wide(t, self.convert.from, &parts),
                }
                self.formula(t, &unit.lanes(halves, &lanes, u), None);
                self.finish(t);
            }
            if self.join(self.convert.to, place, u) && !as_packed {
                self.ordered(place);
            }
        }
        let bytes = pieces.iter().fold(0, |all, p| all | self.moves.span(p.place, p.count));
        if keeps {
            self.moves.blend(self.a, self.held, d, d, place, bytes);
        } else if (more || self.convert.arith.is_formula()) && bytes != made {
            // The formula makes anything of zeros, and others may have been loaded with them.
            edges::only(self.a, self.held, d, d, bytes);
        }
    }

    /// Loads some elements again and again through all lanes.
    fn repeat(&mut self, to: Reg, piece: &Piece) {
        let d = self.moves.v(to);
        self.load(to, std::slice::from_ref(piece), false);
        let slot = self.pass(piece.line);
        self.a.vmovdqu_store(slot, d);
        self.a.broadcast(d, slot, piece.count as usize * self.convert.to.size());
    }

    /// The slot that a line's register passes through.
    fn pass(&self, number: usize) -> Mem {
        spill(self.convert.scratch + number as u16 % PASSED)
    }
}
