//! Sequences. In: the operations of a tile. Out: their instructions, at places counted from `rsi` and
//! `rdi`.
//!
//! What never changes, tables of permutations, padding, masks of blends and of AVX-512, is held in registers that
//! the sequence leaves free, loaded once before the tile's loop; what has no room is loaded where it is used.

use std::borrow::Cow;

use super::asm::{Asm, RDI, RSI};
use super::bits::{every, mask_bytes, spread, squeeze};
use super::edges;
use super::evex::{Evex, K, V, Width};
use super::frame::spill;
use crate::shuffle::{NONE, Op, Program, Reg};

/// A sequence and how its rows are stored.
pub(super) struct Moves<'a> {
    pub(super) program: Cow<'a, Program>,
    /// Past the caches.
    pub(super) streams: bool,
    /// So many bytes ahead lines are asked for; 0 for none.
    pub(super) ahead: usize,
    /// The bits of padding, an element's.
    pub(super) blank: u64,
}

/// The constants of a sequence, and where they are held.
pub(super) struct Held {
    vectors: Vec<(Constant, u8)>,
    masks: Vec<(u64, K)>,
    /// A register for what is needed for a moment.
    spare: u8,
    /// What the last mask register holds, where it is loaded on the way.
    passing: Option<u64>,
    /// The lines that store lanes as padding which are not zero as it is.
    dirty: Vec<bool>,
}

/// What a register can hold for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    /// The index of a permutation.
    Index(u16, u8),
    /// The bytes that a blend takes from its second register.
    Chosen(u64),
    /// Padding.
    Blank,
}

/// Bytes that are asked for at once.
const LINE: isize = 64;

/// The mask register for what has no other.
const PASSING: K = K(7);

impl Moves<'_> {
    /// Whether both are the same instructions.
    pub(super) fn same(&self, other: &Moves<'_>) -> bool {
        let of = |moves: &Moves<'_>| (moves.streams, moves.ahead, moves.blank);
        let (own, theirs) = (&*self.program, &*other.program);
        of(self) == of(other) && (std::ptr::eq(own, theirs) || own == theirs)
    }

    fn width(&self) -> usize {
        self.program.lanes * self.program.lane
    }

    fn v(&self, register: Reg) -> V {
        let width = match self.width() {
            16 => Width::X,
            32 => Width::Y,
            _ => Width::Z,
        };
        V { number: register as u8, width }
    }

    /// The bytes that lanes are.
    fn bytes(&self, lanes: u64) -> u64 {
        spread(lanes & every(self.program.lanes), self.program.lane)
    }

    /// The same of so many lanes from one on.
    fn span(&self, place: u8, count: u8) -> u64 {
        let lane = self.program.lane;
        every(count as usize * lane) << (place as usize * lane)
    }

    /// The lanes that a permutation makes.
    fn lanes(&self, table: u16, mask: u64) -> u64 {
        let table = &self.program.tables[table as usize].0;
        let own = |i: &usize| mask >> i & 1 == 1 && table[*i] != crate::shuffle::Table::ZERO;
        (0..self.program.lanes).filter(own).fold(0, |lanes, i| lanes | 1 << i)
    }

    /// The bytes that a permutation makes, where these are not all, and whether the others become zero.
    fn made(&self, table: u16, mask: u64, keep: Reg) -> Option<u64> {
        let lanes = self.lanes(table, mask);
        debug_assert!(keep == NONE || lanes == mask & every(self.program.lanes));
        (lanes != every(self.program.lanes)).then_some(lanes)
    }

    /// The constant that an operation wants in a register.
    fn wants(&self, op: &Op, masks: bool) -> Option<Constant> {
        let lane = self.program.lane;
        match *op {
            Op::Permute { table, grain, .. } => {
                // Whole blocks, and without masks whole quarters, are named by the instruction.
                let named = grain as usize * lane >= if masks { 16 } else { 8 };
                (!named).then_some(Constant::Index(table, grain))
            }
            Op::Blend { mask, .. } if !masks && lane < 4 => {
                let bytes = self.bytes(mask);
                (double_words(bytes).is_none() && words(bytes, self.width()).is_none())
                    .then_some(Constant::Chosen(bytes))
            }
            Op::Store { a, blank, .. } => {
                (a == NONE || masks && blank != 0).then_some(Constant::Blank)
            }
            _ => None,
        }
    }

    /// The masks that an operation wants, as a mask register has them.
    fn masks(&self, op: &Op, dirty: bool) -> [Option<u64>; 2] {
        let width = self.width();
        match *op {
            Op::Load { place, count, keep, .. } => {
                [edges::load_mask(self.span(place, count), width, keep != NONE), None]
            }
            Op::Store { a, place, count, blank, .. } => {
                let span = self.span(place, count);
                let elements = span & !self.bytes(blank);
                let beside = a != NONE && elements != span && dirty;
                [edges::store_mask(span, width), beside.then_some(elements)]
            }
            Op::Within { mask, keep, .. } if keep != NONE => [Some(self.bytes(mask)), None],
            Op::Permute { table, grain, mask, keep, .. } => {
                [self.made(table, mask, keep).map(|made| self.grouped(made, grain)), None]
            }
            Op::Blend { mask, .. } => [Some(edges::grained(self.bytes(mask), width, 4).1), None],
            _ => [None, None],
        }
    }

    /// Loads what the sequence can hold.
    pub(super) fn hold(&self, a: &mut Asm) -> Held {
        let ops = || self.program.lines.iter().map(|line| &line.op);
        let mut vectors: Vec<(Constant, usize)> = Vec::new();
        let mut masks: Vec<(u64, usize)> = Vec::new();
        let dirty = self.dirty();
        for (op, &dirty) in ops().zip(&dirty) {
            if let Some(constant) = self.wants(op, a.masks()) {
                count(&mut vectors, constant);
            }
            if a.masks() {
                self.masks(op, dirty)
                    .into_iter()
                    .flatten()
                    .for_each(|mask| count(&mut masks, mask));
            }
        }
        let mut free = self.program.registers as u8..a.tier.registers() as u8;
        let mut held =
            Held { vectors: Vec::new(), masks: Vec::new(), spare: u8::MAX, passing: None, dirty };
        let beside = ops().any(|op| matches!(*op, Op::Store { a, blank: 1.., .. } if a != NONE));
        let moment = beside || !a.masks() && ops().any(|op| self.needs_moment(op));
        if moment || vectors.len() > free.len() {
            held.spare = free.next_back().expect("schedules leave a register free for constants");
        }
        vectors.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
        for ((constant, _), register) in vectors.into_iter().zip(free) {
            self.constant(a, constant, register);
            held.vectors.push((constant, register));
        }
        masks.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
        let fits = if masks.len() > PASSING.0 as usize { PASSING.0 - 1 } else { PASSING.0 };
        for ((mask, _), k) in masks.into_iter().zip(1..=fits) {
            let place = a.constant(&mask.to_le_bytes());
            a.kmovq(K(k), place);
            held.masks.push((mask, K(k)));
        }
        held
    }

    /// Whether an operation needs a register besides its own, where lanes cannot be masked.
    /// For each line, whether it stores lanes as padding which are not zero as it is.
    fn dirty(&self) -> Vec<bool> {
        let all = every(self.program.lanes);
        let mut zeros = [0u64; 32];
        let mut dirty = Vec::with_capacity(self.program.lines.len());
        let of = |zeros: &[u64; 32], register: Reg| match register {
            NONE => all,
            register => zeros[register as usize],
        };
        for line in &self.program.lines {
            let known = match line.op {
                Op::Load { place, count, keep, .. } => {
                    of(&zeros, keep) & !(every(count as usize) << place)
                }
                Op::Permute { table, mask, keep, .. } if keep == NONE => {
                    all & !self.lanes(table, mask)
                }
                Op::Permute { mask, keep, .. } | Op::Within { mask, keep, .. } if keep != NONE => {
                    of(&zeros, keep) & !mask
                }
                Op::Blend { a, b, mask } => of(&zeros, a) & !mask | of(&zeros, b) & mask,
                Op::Or { a, b } => of(&zeros, a) & of(&zeros, b),
                Op::Copy { a } => of(&zeros, a),
                _ => 0,
            };
            dirty.push(match line.op {
                Op::Store { a, blank, .. } => self.blank != 0 || blank & !of(&zeros, a) != 0,
                _ => false,
            });
            if line.to != NONE {
                zeros[line.to as usize] = known;
            }
        }
        dirty
    }

    fn needs_moment(&self, op: &Op) -> bool {
        let width = self.width();
        match *op {
            Op::Load { place, count, keep, .. } => {
                edges::loads_in_pieces(self.span(place, count), width, keep != NONE)
            }
            Op::Store { place, count, .. } => {
                edges::stores_in_pieces(self.span(place, count), width)
            }
            _ => false,
        }
    }

    fn constant(&self, a: &mut Asm, constant: Constant, register: u8) {
        let to = self.v(Reg::from(register));
        match constant {
            Constant::Index(table, grain) => {
                let index = self.index(table, grain, a.masks());
                let wide = V {
                    width: if index.len() > 16 { to.width.max(Width::Y) } else { to.width },
                    ..to
                };
                let place = a.constant(&index);
                a.vmovdqu(wide, place);
            }
            Constant::Chosen(bytes) => {
                let place = a.constant(&mask_bytes(bytes, self.width()));
                a.vmovdqu(to, place);
            }
            Constant::Blank => {
                let place = a.constant(&self.blank.to_le_bytes()[..self.program.lane]);
                a.broadcast(to, place, self.program.lane);
            }
        }
    }

    /// The index of a permutation in groups of lanes.
    fn index(&self, table: u16, grain: u8, masks: bool) -> Vec<u8> {
        let table = &self.program.tables[table as usize].0;
        let (grain, lane) = (grain as usize, self.program.lane);
        let group = grain * lane;
        let mut index = Vec::with_capacity(64);
        for from in table[..self.program.lanes].iter().step_by(grain) {
            let from =
                if *from == crate::shuffle::Table::ZERO { 0 } else { *from as usize / grain };
            let entry = (from as u64).to_le_bytes();
            index.extend_from_slice(&entry[..group]);
        }
        debug_assert!(masks || group == 4);
        if group >= 4 && index.len() == 16 {
            // There are no such permutations of 16 bytes: the upper half does not matter.
            index.resize(32, 0);
        }
        index
    }

    /// All of it, once, so many bytes on.
    pub(super) fn emit(&self, a: &mut Asm, held: &mut Held, on: [isize; 2]) {
        held.passing = None;
        let asks = self.ahead > 0 && !self.streams;
        let mut asked: Vec<isize> = Vec::new();
        let near = |known: isize, at: isize| (known..known + LINE).contains(&at);
        for (number, line) in self.program.lines.iter().enumerate() {
            let op = led(line.op, on);
            self.line(a, held, number, line.to, &op);
            match op {
                Op::Store { at, .. } if asks && !asked.iter().any(|known| near(*known, at)) => {
                    asked.push(at);
                    let place = a.place(RSI, at.saturating_add(self.ahead as isize));
                    a.prefetchw(place);
                }
                _ => {}
            }
        }
    }

    fn line(&self, a: &mut Asm, held: &mut Held, number: usize, to: Reg, op: &Op) {
        let lane = self.program.lane;
        let d = self.v(to);
        let v = |register: Reg| self.v(register);
        match *op {
            Op::Load { at, place, count, keep } => {
                let span = self.span(place, count);
                let from = a.place(RDI, at);
                edges::load(a, held, d, from, span, keep != NONE);
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
                match keep {
                    NONE => a.vpshufb(d, v(x), place),
                    _ => {
                        let k = held.mask(a, self.bytes(mask));
                        a.ops.vpshufb(d.keep(k), v(x), place);
                    }
                }
            }
            Op::Permute { a: x, table, grain, mask, keep } => {
                self.permute(a, held, d, v(x), (table, grain), (mask, keep));
            }
            Op::Blend { a: x, b: y, mask } => self.blend(a, held, d, v(x), v(y), self.bytes(mask)),
            Op::Or { a: x, b: y } => a.vpor(d, v(x), v(y)),
            Op::Copy { a: x } => a.vmovdqa(d, v(x)),
            Op::Store { a: x, at, place, count, blank } => {
                let span = self.span(place, count);
                let to = a.place(RSI, at);
                let padding = if x == NONE { span } else { self.bytes(blank) & span };
                match x {
                    NONE => {
                        let blank = self.held(a, held, Constant::Blank);
                        match self.streams {
                            true => a.vmovntdq(to, blank),
                            false => edges::store(a, held, blank, to, span),
                        }
                    }
                    _ if self.streams => a.vmovntdq(to, v(x)),
                    _ if padding == 0 => edges::store(a, held, v(x), to, span),
                    _ if !held.dirty[number] => edges::store(a, held, v(x), to, span),
                    _ if a.masks() => {
                        let spare = held.spare(v(x));
                        let k = held.mask(a, span & !padding);
                        match self.blank {
                            0 => a.ops.vmovdqu8(spare.zero(k), v(x)),
                            _ => {
                                let blank = self.held(a, held, Constant::Blank);
                                a.ops.vpblendmb(spare.keep(k), blank, v(x));
                            }
                        }
                        edges::store(a, held, spare, to, span);
                    }
                    _ => {
                        let spare = held.spare(v(x));
                        self.blanked(a, spare, v(x), padding);
                        edges::store(a, held, spare, to, span);
                    }
                }
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
        let made = self.made(table, mask, keep);
        let k = made.map(|lanes| held.mask(a, self.grouped(lanes, grain)));
        let to = match (k, keep) {
            (None, _) => d.into(),
            (Some(k), NONE) => d.zero(k),
            (Some(k), _) => d.keep(k),
        };
        if group >= 16 {
            let within = if d.width == Width::Z { 0b11 } else { 0b1 };
            return a.ops.vshufi64x2(to, x, x, self.picks(table, 16, within));
        }
        let index = wide(self.held(a, held, Constant::Index(table, grain)));
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
    fn grouped(&self, lanes: u64, grain: u8) -> u64 {
        squeeze(lanes, (grain as usize).min(8 / self.program.lane))
    }

    /// The bytes in `mask` of `y`, the others of `x`.
    fn blend(&self, a: &mut Asm, held: &mut Held, d: V, x: V, y: V, mask: u64) {
        if a.masks() {
            let (grain, bits) = edges::grained(mask, self.width(), 4);
            let k = held.mask(a, bits);
            return match grain {
                1 => a.ops.vpblendmb(d.keep(k), x, y),
                2 => a.ops.vpblendmw(d.keep(k), x, y),
                _ => a.ops.vpblendmd(d.keep(k), x, y),
            };
        }
        if let Some(imm) = double_words(mask) {
            a.vpblendd(d, x, y, imm);
        } else if let Some(imm) = words(mask, self.width()) {
            a.vpblendw(d, x, y, imm);
        } else {
            let chosen = self.held(a, held, Constant::Chosen(mask));
            a.vpblendvb(d, x, y, chosen);
        }
    }

    /// Padding in place of the bytes in `padding`.
    fn blanked(&self, a: &mut Asm, d: V, x: V, padding: u64) {
        let width = self.width();
        let place = a.constant(&mask_bytes(!padding, width));
        a.vpand(d, x, place);
        if self.blank != 0 {
            let bits = self.blank.to_le_bytes();
            let mut bytes = mask_bytes(padding, width);
            let lane = self.program.lane;
            bytes.iter_mut().enumerate().for_each(|(i, byte)| *byte &= bits[i % lane]);
            let place = a.constant(&bytes);
            a.vpor(d, d, place);
        }
    }

    /// A constant in its register, or in the spare one.
    fn held(&self, a: &mut Asm, held: &Held, constant: Constant) -> V {
        match held.vectors.iter().find(|(known, _)| *known == constant) {
            Some((_, register)) => self.v(Reg::from(*register)),
            None => {
                self.constant(a, constant, held.spare);
                self.v(Reg::from(held.spare))
            }
        }
    }
}

impl Held {
    /// A register for a moment.
    pub(super) fn spare(&self, like: V) -> V {
        debug_assert_ne!(self.spare, u8::MAX, "a register for a moment");
        V { number: self.spare, ..like }
    }

    /// The register that holds a mask.
    pub(super) fn mask(&mut self, a: &mut Asm, bits: u64) -> K {
        if let Some((_, k)) = self.masks.iter().find(|(known, _)| *known == bits) {
            return *k;
        }
        if self.passing != Some(bits) {
            let place = a.constant(&bits.to_le_bytes());
            a.kmovq(PASSING, place);
            self.passing = Some(bits);
        }
        PASSING
    }
}

/// An operation that reads and writes so many bytes on.
fn led(mut op: Op, [src, dst]: [isize; 2]) -> Op {
    match &mut op {
        Op::Load { at, .. } | Op::Repeat { at, .. } => *at = at.wrapping_add(src),
        Op::Store { at, .. } => *at = at.wrapping_add(dst),
        _ => {}
    }
    op
}

/// One more use.
fn count<T: PartialEq>(uses: &mut Vec<(T, usize)>, one: T) {
    match uses.iter_mut().find(|(known, _)| *known == one) {
        Some((_, uses)) => *uses += 1,
        None => uses.push((one, 1)),
    }
}

/// A bit for each 4 bytes, where these are all or none.
fn double_words(bytes: u64) -> Option<u8> {
    let (grain, bits) = edges::grained(bytes, 32, 4);
    (grain == 4).then_some(bits as u8)
}

/// A bit for each 2 bytes of a block, where these are all or none and all blocks alike.
fn words(bytes: u64, width: usize) -> Option<u8> {
    let (grain, bits) = edges::grained(bytes, width, 2);
    let alike = width == 16 || bits & 0xff == bits >> 8;
    (grain == 2 && alike).then_some(bits as u8)
}
