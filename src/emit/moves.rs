//! Sequences. In: the operations of a tile. Out: their instructions, at places counted from `rsi` and
//! `rdi`.
//!
//! What never changes, tables of permutations, padding, masks of blends and of AVX-512, is held in registers that
//! the sequence leaves free, loaded once before the tile's loop; what has no room is loaded where it is used.

use std::borrow::Cow;
use std::rc::Rc;

use super::ask::Requests;
use super::asm::{Asm, RDI, RSI};
use super::bits::{every, mask_bytes, spread, squeeze};
use super::convert::{Convert, Deed, Work};
use super::edges;
use super::evex::{Evex, To, V, Width};
use super::frame::spill;
use super::held::{Constant, Held};
use super::sums::{Adding, Rows, Sums};
use crate::plan::Trust;
use crate::problem::{DST, OPERANDS, SRC, Strides};
use crate::shuffle::{NONE, Op, Program, Reg};
use crate::target::Tier;

/// A sequence and how its rows are stored.
#[derive(Clone)]
pub(super) struct Moves<'a> {
    pub(super) program: Cow<'a, Program>,
    /// Past the caches.
    pub(super) streams: bool,
    pub(super) asks: Asks,
    /// Whether the source is reached alone, and the destination.
    pub(super) alone: [bool; 2],
    /// The bits of padding, an element's.
    pub(super) blank: u64,
    /// How elements change, where they do.
    pub(super) convert: Option<Rc<Convert>>,
    /// What its rows are added to, if to anything.
    pub(super) sums: Option<Rc<Sums>>,
}

/// What a sequence asks for that others read or store to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asks {
    /// So many bytes ahead lines are asked for that are stored to; 0 for none.
    pub(super) ahead: usize,
    /// Which lines of the source are asked for.
    pub(super) fetch: Option<Fetch>,
    /// What is asked for of the next block.
    pub(super) onward: Option<Requests>,
}

/// Lines of the source that are asked for before others load from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fetch {
    /// So many bytes on.
    pub(super) on: isize,
    /// Whether every other one is asked for a line further.
    pub(super) evenly: bool,
    /// Whether they come to the first level.
    pub(super) near: bool,
}

/// Where a line of a sequence stores so many bytes of a register.
pub(super) struct Place {
    pub(super) line: usize,
    pub(super) at: isize,
    pub(super) bytes: u64,
}

/// Bytes that come at once when one of them is asked for.
const LINE: isize = 64;

/// Registers that a sequence in hope needs besides its own: one for a moment, and one for what it looks at afterwards.
const HOPING: usize = 2;

impl Moves<'_> {
    /// A sequence that stores the ordinary way, and nothing but elements.
    pub(super) fn plain(program: Program) -> Moves<'static> {
        Moves {
            program: Cow::Owned(program),
            streams: false,
            asks: Asks::default(),
            alone: [false; 2],
            blank: 0,
            convert: None,
            sums: None,
        }
    }

    /// A sequence like it that trusts in something, where elements change, and there are registers for it.
    pub(super) fn trusting(&self, trust: Trust, tier: Tier) -> Option<Self> {
        let convert = Convert { trust, ..self.convert.as_deref()?.clone() };
        let taken = self.program.registers + convert.temps;
        let hopes = convert.hopes();
        let can = !hopes || convert.loads && taken + HOPING <= tier.registers();
        can.then(|| Moves { convert: Some(Rc::new(convert)), ..self.clone() })
    }

    /// Whether elements are to be looked at afterwards.
    pub(super) fn hopes(&self) -> bool {
        self.convert.as_deref().is_some_and(Convert::hopes)
    }

    /// Whether both are the same instructions.
    pub(super) fn same(&self, other: &Moves<'_>) -> bool {
        let of = |m: &Moves<'_>| (m.streams, m.asks, m.alone);
        of(self) == of(other) && self.is_like(other)
    }

    /// Whether both do the same, if perhaps by other stores.
    pub(super) fn is_like(&self, other: &Moves<'_>) -> bool {
        let (own, theirs) = (&*self.program, &*other.program);
        self.blank == other.blank
            && self.convert == other.convert
            && self.sums == other.sums
            && (std::ptr::eq(own, theirs) || own == theirs)
    }

    /// Flags that are not zero where elements had to be mended.
    pub(super) fn look_back(&self, a: &mut Asm, held: &mut Held) {
        let convert = self.convert.as_deref().expect("what hopes converts");
        let least = held.least.expect("what hopes keeps what it has seen");
        Work { a, held, moves: self, convert }.was_wild(least);
    }

    pub(super) fn width(&self) -> usize {
        self.program.lanes * self.program.lane
    }

    pub(super) fn v(&self, register: Reg) -> V {
        let width = match self.width() {
            16 => Width::X,
            32 => Width::Y,
            _ => Width::Z,
        };
        V { number: register as u8, width }
    }

    /// The bytes that lanes are.
    pub(super) fn bytes(&self, lanes: u64) -> u64 {
        spread(lanes & every(self.program.lanes), self.program.lane)
    }

    /// The bytes that so many lanes are, from one on.
    pub(super) fn span(&self, place: u8, count: u8) -> u64 {
        let lane = self.program.lane;
        every(count as usize * lane) << (place as usize * lane)
    }

    /// The lanes that a permutation makes.
    pub(super) fn lanes(&self, table: u16, mask: u64) -> u64 {
        let table = &self.program.tables[table as usize].0;
        let own = |i: &usize| mask >> i & 1 == 1 && table[*i] != crate::shuffle::Table::ZERO;
        (0..self.program.lanes).filter(own).fold(0, |lanes, i| lanes | 1 << i)
    }

    /// The lanes that a permutation makes, where these are not all.
    pub(super) fn made(&self, table: u16, mask: u64, keep: Reg) -> Option<u64> {
        let lanes = self.lanes(table, mask);
        debug_assert!(keep == NONE || lanes == mask & every(self.program.lanes));
        (lanes != every(self.program.lanes)).then_some(lanes)
    }

    /// All of it, once, so many bytes on, where elements are but moved.
    pub(super) fn emit(&self, a: &mut Asm, held: &mut Held, on: Strides) {
        debug_assert!(self.is_plain() || on == [0; OPERANDS]);
        held.passing = None;
        let Asks { ahead, fetch, onward } = self.asks;
        let asks = ahead > 0 && !self.streams;
        let (mut asked, mut fetched) = (Vec::new(), Vec::new());
        let lane = self.program.lane;
        let sizes = self.convert.as_deref().map_or([lane; 2], Convert::sizes);
        let needs = Rc::clone(&held.needs);
        let script = &needs.script;
        let known = held.values.mark();
        if let Some(convert) = self.convert.as_deref() {
            let mut work = Work { a: &mut *a, held: &mut *held, moves: self, convert };
            work.hold_this_time(script);
        }
        let mut requests = onward.map(|requests| requests.start(a, &self.program));
        for (number, line) in self.program.lines.iter().enumerate() {
            let op = led(line.op, on);
            match (self.convert.as_deref(), script.get(number)) {
                (Some(convert), Some(deed)) if *deed != Deed::Plain => {
                    let mut work = Work { a: &mut *a, held: &mut *held, moves: self, convert };
                    work.deed(line.to, deed);
                }
                _ => self.line(a, held, (number, line.to), &op),
            }
            if let Some(requests) = &mut requests {
                requests.after(a, &op);
            }
            match op {
                Op::Store { at, count, .. } if asks => {
                    for at in lines_of(at, count, sizes[DST]) {
                        if is_new(&mut asked, at) {
                            let place = a.place(RSI, at.saturating_add(ahead as isize));
                            a.prefetchw(place);
                        }
                    }
                }
                Op::Load { at, count, .. } | Op::Repeat { at, count } => {
                    let Some(fetch) = fetch else { continue };
                    for at in lines_of(at, count, sizes[SRC]) {
                        if is_new(&mut fetched, at) {
                            let further = fetch.evenly && fetched.len() % 2 == 0;
                            let on = fetch.on.saturating_add(if further { LINE } else { 0 });
                            let place = a.place(RDI, at.saturating_add(on));
                            if fetch.near { a.prefetcht0(place) } else { a.prefetcht1(place) }
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(requests) = requests {
            requests.end(a);
        }
        held.values.back_to(known);
        if let Some(sums) = self.sums.as_deref().filter(|_| held.adders.is_none()) {
            let rows = if self.streams { Rows::Copied } else { Rows::Stored };
            Adding { a, held, sums, rows }.emit();
        }
    }

    /// What the rows that were stored last have added up to comes off the sums again.
    pub(super) fn take_back(&self, a: &mut Asm, held: &mut Held) {
        let sums = self.sums.as_deref().expect("what is taken back was added up");
        held.passing = None;
        Adding { a, held, sums, rows: Rows::Undone }.emit();
    }

    /// Whether elements stay as they are, and nothing is added up.
    pub(super) fn is_plain(&self) -> bool {
        self.convert.is_none() && self.sums.is_none()
    }

    /// The lanes of a line that are padding.
    pub(super) fn blank_of(&self, number: usize) -> u64 {
        match self.program.lines[number].op {
            Op::Store { blank, .. } => blank,
            _ => 0,
        }
    }

    /// One line, by number, and the register that it makes.
    fn line(&self, a: &mut Asm, held: &mut Held, (number, to): (usize, Reg), op: &Op) {
        let lane = self.program.lane;
        let d = self.v(to);
        let v = |register: Reg| self.v(register);
        match *op {
            Op::Load { at, place, count, keep } => {
                let span = self.span(place, count);
                let from = a.place(RDI, at);
                let kept = if keep == NONE { 0 } else { held.needs.kept[number] };
                edges::load(a, held, d, from, span, kept);
            }
            Op::Repeat { at, count } => {
                let from = a.place(RDI, at);
                a.broadcast(d, from, count as usize * lane);
            }
            Op::Unpack { a: x, b: y, grain, high } => {
                let (x, y) = (v(x), v(y));
                match (grain as usize * lane, high) {
                    (1, false) => a.vpunpcklbw(d, x, y),
                    (2, false) => a.vpunpcklwd(d, x, y),
                    (4, false) => a.vpunpckldq(d, x, y),
                    (_, false) => a.vpunpcklqdq(d, x, y),
                    (1, true) => a.vpunpckhbw(d, x, y),
                    (2, true) => a.vpunpckhwd(d, x, y),
                    (4, true) => a.vpunpckhdq(d, x, y),
                    (_, true) => a.vpunpckhqdq(d, x, y),
                }
            }
            Op::Quads { a: x, b: y, pick } => {
                let imm = pick[0] | pick[1] << 2 | pick[2] << 4 | pick[3] << 6;
                a.vshufps(d, v(x), v(y), imm);
            }
            // The upper 8 bytes of the one, the lower of the other, in every block.
            Op::Straddle { a: x, b: y } => a.vshufpd(d, v(x), v(y), 0b0101_0101),
            Op::Blocks { a: x, b: y, pick } => a.blocks(d, v(x), v(y), pick),
            Op::Within { a: x, table, mask, keep } => {
                let place = a.constant(&self.within(table));
                let bytes = self.bytes(mask);
                if keep == NONE {
                    a.vpshufb(d, v(x), place);
                } else if let Some(moved) = held.aside(bytes, d) {
                    a.vpshufb(moved, v(x), place);
                    self.blend(a, held, d, d, moved, bytes);
                } else {
                    let k = held.mask(a, bytes);
                    a.ops.vpshufb(d.keep(k), v(x), place);
                }
            }
            Op::Permute { a: x, table, grain, mask, keep } => {
                self.permute(a, held, d, v(x), (table, grain), (mask, keep));
            }
            Op::Blend { a: x, b: y, mask } => self.blend(a, held, d, v(x), v(y), self.bytes(mask)),
            Op::Or { a: x, b: y } => a.vpor(d, v(x), v(y)),
            Op::Copy { a: x } => a.vmovdqa(d, v(x)),
            Op::Store { a: x, at, place, count, blank } => {
                let span = self.span(place, held.needs.stored(number, count));
                let row = match x {
                    NONE => self.held(a, held, Constant::Blank),
                    _ if !held.needs.dirty[number] => v(x),
                    _ => self.blanked(a, held, v(x), self.bytes(blank) & span),
                };
                self.store(a, held, row, Place { line: number, at, bytes: span });
            }
            Op::Spill { a: x, slot } => {
                let place = spill(slot);
                a.vmovdqu_store(place, v(x));
            }
            Op::Reload { slot } => {
                let place = spill(slot);
                a.vmovdqu(d, place);
            }
        }
    }

    /// Stores a register. Past the caches go whole ones. What is added up later stays in the frame too, as it would
    /// take long to come back.
    pub(super) fn store(&self, a: &mut Asm, held: &mut Held, v: V, place: Place) {
        let to = a.place(RSI, place.at);
        match self.streams {
            true => a.vmovntdq(to, v),
            false => edges::store(a, held, v, to, place.bytes),
        }
        let Some(sums) = self.sums.as_deref() else { return };
        let before = self.program.lines[..place.line].iter();
        let row = before.filter(|line| matches!(line.op, Op::Store { .. })).count();
        if held.adders.is_some() {
            sums.pass(a, held, (v, row));
        } else if self.streams {
            a.vmovdqu_store(sums.copy(row), v);
        }
    }

    /// What `vpshufb` looks up.
    fn within(&self, table: u16) -> Vec<u8> {
        let lane = self.program.lane;
        let block = (16 / lane).min(self.program.lanes);
        let table = &self.program.tables[table as usize].0;
        let mut bytes = Vec::with_capacity(64);
        for from in &table[..self.program.lanes] {
            for k in 0..lane {
                let byte = *from as usize % block * lane + k;
                let zero = *from == crate::shuffle::Table::ZERO;
                bytes.push(if zero { 0x80 } else { byte as u8 });
            }
        }
        bytes
    }

    fn permute(
        &self,
        a: &mut Asm,
        held: &mut Held,
        d: V,
        x: V,
        (table, grain): (u16, u8),
        (mask, keep): (u64, Reg),
    ) {
        let group = grain as usize * self.program.lane;
        let wide = |v: V| match group {
            4 | 8 => V { width: v.width.max(Width::Y), ..v },
            _ => v,
        };
        let (d, x) = (wide(d), wide(x));
        if !a.masks() && group >= 8 {
            return a.vpermq(d, x, self.picks(table, 8, 0b11));
        }
        if !a.masks() {
            let index = self.held(a, held, Constant::Index(table, grain));
            return a.vpermd(d, wide(index), x);
        }
        let Some(lanes) = self.made(table, mask, keep) else {
            return self.permute_to(a, held, d.into(), x, (table, grain));
        };
        let (bits, bytes) = (self.grouped(lanes, grain), self.bytes(lanes));
        if let Some(moved) = held.aside(bits, d).filter(|_| keep != NONE) {
            self.permute_to(a, held, moved.into(), x, (table, grain));
            return self.blend(a, held, d, d, moved, bytes);
        }
        let k = held.mask(a, bits);
        let to = if keep == NONE { d.zero(k) } else { d.keep(k) };
        self.permute_to(a, held, to, x, (table, grain));
    }

    /// Where there are masks, to a place that may have one.
    fn permute_to(&self, a: &mut Asm, held: &mut Held, to: To<V>, x: V, (table, grain): (u16, u8)) {
        let group = grain as usize * self.program.lane;
        if group >= 16 {
            let within = if x.width == Width::Z { 0b11 } else { 0b1 };
            return a.ops.vshufi64x2(to, x, x, self.picks(table, 16, within));
        }
        let index = V { width: x.width, ..self.held(a, held, Constant::Index(table, grain)) };
        match group {
            1 => a.ops.vpermb(to, index, x),
            2 => a.ops.vpermw(to, index, x),
            4 => a.ops.vpermd(to, index, x),
            _ => a.ops.vpermq(to, index, x),
        }
    }

    /// Which pieces of so many bytes a permutation takes, as an immediate names them, in fields as long as
    /// `field`.
    fn picks(&self, table: u16, bytes: usize, field: u8) -> u8 {
        let per = bytes / self.program.lane;
        let table = &self.program.tables[table as usize].0[..self.program.lanes];
        table.iter().step_by(per).enumerate().fold(0, |imm, (i, from)| {
            imm | ((from / per as u8) & field) << (i * field.count_ones() as usize)
        })
    }

    /// A bit for each element that a permutation in groups of lanes counts; none is longer than 8 bytes.
    pub(super) fn grouped(&self, lanes: u64, grain: u8) -> u64 {
        squeeze(lanes, (grain as usize).min(8 / self.program.lane))
    }

    /// Padding in place of the bytes in `padding`, in a register for a moment.
    fn blanked(&self, a: &mut Asm, held: &mut Held, x: V, padding: u64) -> V {
        let (width, spare) = (self.width(), held.spare(x));
        let others = !padding & every(width);
        if self.blank != 0 && a.masks() {
            let blank = self.held(a, held, Constant::Blank);
            self.blend(a, held, spare, blank, x, others);
            return spare;
        }
        edges::only(a, held, spare, x, others);
        if self.blank != 0 {
            let bits = self.blank.to_le_bytes();
            let mut bytes = mask_bytes(padding, width);
            let lane = self.program.lane;
            bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte &= bits[i % lane]);
            let place = a.constant(&bytes);
            a.vpor(spare, spare, place);
        }
        spare
    }
}

/// Where lines of so many elements start.
fn lines_of(at: isize, count: u8, size: usize) -> impl Iterator<Item = isize> {
    (0..count as isize * size as isize).step_by(LINE as usize).map(move |on| at.saturating_add(on))
}

/// Whether no line that was asked for has this byte; it has now.
fn is_new(asked: &mut Vec<isize>, at: isize) -> bool {
    let new = !asked.iter().any(|known| (*known..known.saturating_add(LINE)).contains(&at));
    if new {
        asked.push(at);
    }
    new
}

/// An operation that reads and writes so many bytes on.
fn led(mut op: Op, on: Strides) -> Op {
    let (src, dst) = (on[SRC], on[DST]);
    match &mut op {
        Op::Load { at, .. } | Op::Repeat { at, .. } => *at = at.wrapping_add(src),
        Op::Store { at, .. } => *at = at.wrapping_add(dst),
        _ => {}
    }
    op
}
