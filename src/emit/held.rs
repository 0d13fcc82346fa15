//! Constants of a sequence. In: its operations. Out: the registers that hold what never changes, loaded before the
//! tile's loop, and what has no room in them.

use std::cell::OnceCell;
use std::rc::Rc;

use smallvec::SmallVec;

use super::asm::Asm;
use super::bits::{every, mask_bytes};
use super::blend::{double_words, words};
use super::convert::{Deed, Known, Picked, Work, paired};
use super::edges;
use super::evex::{ALL, K, MOMENT, PASSING, V, Width};
use super::moves::Moves;
use super::sums::Adders;
use crate::plan::TEMPS;
use crate::problem::Strides;
use crate::shuffle::{NONE, Op, Reg, reaching};

/// What the operations of a sequence tell, wherever it is emitted and however it stores.
pub(super) struct Needs {
    /// The constants, those that are used most first.
    vectors: Vec<(Constant, usize)>,
    /// Constants that are operands in memory just as well, or loaded on the way, the more useful first.
    others: Vec<Constant>,
    /// Those that are worth a register first.
    masks: Vec<Mask>,
    /// The lines that store lanes as padding which are not zero as it is.
    pub(super) dirty: Vec<bool>,
    /// The bytes that lines which load keep, where they may be other than zero.
    pub(super) kept: Vec<u64>,
    /// Lines that store more lanes than their own, and how many.
    reaching: SmallVec<[(usize, u8); 16]>,
    /// What each line does where elements are converted; none where they are not.
    pub(super) script: Vec<Deed>,
    /// The registers of values, as the caller gave them, that units pick theirs from, once they were looked for.
    pub(super) picked: OnceCell<Vec<Picked>>,
}

impl Needs {
    /// How many lanes a line stores, of its own so many.
    pub(super) fn stored(&self, number: usize, own: u8) -> u8 {
        let longer = self.reaching.iter().find(|(line, _)| *line == number);
        longer.map_or(own, |(_, longer)| *longer)
    }
}

/// The constants of a sequence, and where they are held.
pub(super) struct Held {
    pub(super) needs: Rc<Needs>,
    vectors: Vec<(Constant, u8)>,
    masks: Vec<(u64, K)>,
    /// A register for what is needed for a moment.
    spare: u8,
    /// What the last mask register holds, where it is loaded on the way.
    pub(super) passing: Option<u64>,
    /// What keeps the least words that were packed, where elements are looked at afterwards.
    pub(super) least: Option<u8>,
    /// Values that are held.
    pub(super) values: Known,
    /// What adds up rows as they are stored, if anything does.
    pub(super) adders: Option<Adders>,
}

/// What a mask register can hold for long, and how often it is wanted.
struct Mask {
    bits: u64,
    /// By what has to load it otherwise.
    needed: usize,
    /// By what may have the bytes from memory as they are.
    beside: usize,
}

impl Mask {
    /// What it takes not to hold it.
    fn worth(&self) -> usize {
        LOADED * self.needed + self.beside
    }
}

/// A mask that is loaded passes the port of permutations, as bytes from memory do not: that is so many times worse.
const LOADED: usize = 4;

/// What a register can hold for long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Constant {
    /// The index of a permutation.
    Index(u16, u8),
    /// The bytes that a blend takes from its second register, or that are loaded.
    Chosen(u64),
    /// Padding.
    Blank,
    /// The order of what is packed as it is converted.
    Joined,
    /// The index that makes a unit of a register's elements from a byte on, every so many bytes.
    Spread(u8, u8),
    /// A part of the table that bytes are looked up in.
    Table(u8),
    /// The order of bytes whose lower and upper results are put together.
    Paired,
    /// These 4 bytes in every lane.
    Number(u32),
}

impl Moves<'_> {
    /// The constant that an operation wants in a register.
    fn wants(&self, op: &Op, masks: bool) -> Option<Constant> {
        let lane = self.program.lane;
        match *op {
            Op::Permute { table, grain, .. } => {
                // Whole blocks, and without masks whole quarters, are named by the instruction.
                let named = grain as usize * lane >= if masks { 16 } else { 8 };
                (!named).then_some(Constant::Index(table, grain))
            }
            Op::Load { place, count, keep, .. } if !masks => {
                let bytes = self.span(place, count);
                edges::loads_by_mask(bytes, self.width(), keep != NONE)
                    .then_some(Constant::Chosen(bytes))
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

    /// The masks that an operation wants, as a mask register has them: one that it needs, and one in whose place it may
    /// have bytes.
    fn masks(&self, op: &Op, dirty: bool) -> [Option<u64>; 2] {
        let width = self.width();
        match *op {
            Op::Load { place, count, keep, .. } => {
                [edges::load_mask(self.span(place, count), width, keep != NONE), None]
            }
            Op::Store { a, place, count, blank, .. } => {
                let span = self.span(place, count);
                let elements = every(width) & !(self.bytes(blank) & span);
                let beside = a != NONE && dirty;
                [edges::store_mask(span, width), beside.then_some(elements)]
            }
            Op::Within { mask, keep, .. } if keep != NONE => [Some(self.bytes(mask)), None],
            Op::Permute { table, grain, mask, keep, .. } => {
                [self.made(table, mask, keep).map(|made| self.grouped(made, grain)), None]
            }
            Op::Blend { mask, .. } => [None, Some(edges::grained(self.bytes(mask), width, 4).1)],
            _ => [None, None],
        }
    }

    /// What the operations want to have held.
    pub(super) fn needs(&self, a: &Asm) -> Needs {
        let mut vectors: Vec<(Constant, usize)> = Vec::new();
        let mut masks: Vec<Mask> = Vec::new();
        let (dirty, kept) = self.known();
        let convert = self.convert.as_deref();
        let script =
            convert.map(|convert| convert.script(self, a.tier.vector())).unwrap_or_default();
        if convert.is_some_and(|convert| convert.orders(&script, &self.program, a.tier.vector())) {
            vectors.push((Constant::Joined, usize::MAX));
        }
        for (number, (line, &dirty)) in self.program.lines.iter().zip(&dirty).enumerate() {
            if let (Some(convert), Some(deed)) = (convert, script.get(number))
                && *deed != Deed::Plain
            {
                if a.masks() {
                    let want = &mut |mask| want(&mut masks, mask, [1, 0]);
                    convert.masks(self, deed, a.tier.vector(), want);
                }
                continue;
            }
            if let Some(constant) = self.wants(&line.op, a.masks()) {
                count(&mut vectors, constant, 1);
            }
            if a.masks() {
                let [needed, beside] = self.masks(&line.op, dirty);
                needed.into_iter().for_each(|bits| want(&mut masks, bits, [1, 0]));
                beside.into_iter().for_each(|bits| want(&mut masks, bits, [0, 1]));
            }
        }
        let mut others = Vec::new();
        if let Some(convert) = convert {
            others = convert.spreading(&script, self.program.lanes, a.tier);
            if !others.is_empty() {
                let stores = script.iter().filter(|deed| matches!(deed, Deed::Store(..))).count();
                want(&mut masks, convert.spread_mask(), [stores, 0]);
            }
            others.extend(convert.looks_up());
            others.extend(
                convert.numbers(self.program.lanes, a.tier).into_iter().map(Constant::Number),
            );
        }
        vectors.sort_by_key(|(_, uses)| std::cmp::Reverse(*uses));
        masks.sort_by_key(|mask| std::cmp::Reverse(mask.worth()));
        let reaching = match self.program.reaches {
            true => reaching(&self.program.lines, self.program.lane, self.program.lanes),
            false => SmallVec::new(),
        };
        Needs { vectors, others, masks, dirty, kept, reaching, script, picked: OnceCell::new() }
    }

    /// Loads what the sequence can hold, in a loop that leads on so far each time.
    pub(super) fn hold(&self, a: &mut Asm, strides: &Strides, needs: Rc<Needs>) -> Held {
        let ops = || self.program.lines.iter().map(|line| &line.op);
        let convert = self.convert.as_deref();
        let converts = convert.is_some() || self.sums.is_some();
        let temps = match convert {
            Some(convert) => convert.temps,
            None if converts => TEMPS,
            None => 0,
        };
        let mut free = self.program.registers as u8..(a.tier.registers() - temps) as u8;
        let mut held = Held {
            needs: Rc::clone(&needs),
            vectors: Vec::new(),
            masks: Vec::new(),
            spare: u8::MAX,
            passing: None,
            least: None,
            values: Known::default(),
            adders: None,
        };
        let loads = |most: &[Mask]| most.iter().any(|mask| mask.needed > 0);
        let fits = match needs.masks.get(PASSING.0 as usize..).is_some_and(loads) {
            _ if converts => MOMENT.0 - 1,
            true => PASSING.0 - 1,
            false => PASSING.0,
        };
        let fits = if self.alone.contains(&true) { fits.min(ALL.0 - 1) } else { fits };
        let blanks = ops().any(|op| matches!(*op, Op::Store { a, blank: 1.., .. } if a != NONE));
        let moment = blanks || !a.masks() && (converts || self.needs_moment(&needs));
        let hopes = convert.filter(|convert| convert.hopes());
        let wanted = needs.vectors.len() + usize::from(hopes.is_some());
        // Where one is left over, what comes beside others may be made in it.
        let beside = a.masks() && loads(needs.masks.get(usize::from(fits)..).unwrap_or(&[]));
        if moment || wanted > free.len() || beside && wanted < free.len() {
            held.spare = free.next_back().expect("schedules leave a register free for constants");
        }
        if let Some(convert) = hopes {
            let least = free.next_back().expect("sequences that hope have another one free");
            let v = V { number: least, width: Width::Z };
            a.vpxor(v, v, v);
            held.least = Some(least);
            debug_assert!(convert.loads);
        }
        let others = needs.others.iter().copied();
        let constants = needs.vectors.iter().map(|(constant, _)| *constant).chain(others);
        for (constant, register) in constants.zip(free.by_ref()) {
            self.load_constant(a, constant, self.v(Reg::from(register)));
            held.vectors.push((constant, register));
        }
        let passing = self.sums.as_deref().and_then(|sums| sums.passing.as_ref());
        held.adders = passing.and_then(|passing| passing.start(a, &mut free));
        held.values = Known::with(free);
        if self.alone.contains(&true) {
            let ones = a.constant(&u64::MAX.to_le_bytes());
            a.kmovq(ALL, ones);
        }
        for (Mask { bits, .. }, k) in needs.masks.iter().zip(1..=fits) {
            let place = a.constant(&bits.to_le_bytes());
            a.kmovq(K(k), place);
            held.masks.push((*bits, K(k)));
        }
        if let Some(convert) = convert {
            let mut work = Work { a, held: &mut held, moves: self, convert };
            work.hold_values(&needs.script, strides);
        }
        held
    }

    /// For each line, whether it stores lanes as padding which are not zero as it is, and the bytes that it keeps
    /// which may be other than zero.
    fn known(&self) -> (Vec<bool>, Vec<u64>) {
        let all = every(self.program.lanes);
        let mut zeros = [0u64; 32];
        let mut dirty = Vec::with_capacity(self.program.lines.len());
        let mut kept = Vec::with_capacity(self.program.lines.len());
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
                Op::Store { a, blank, .. } if a != NONE => {
                    blank & if self.blank == 0 { !of(&zeros, a) } else { all } != 0
                }
                _ => false,
            });
            kept.push(match line.op {
                Op::Load { keep, .. } => self.bytes(all & !of(&zeros, keep)),
                _ => 0,
            });
            if line.to != NONE {
                zeros[line.to as usize] = known;
            }
        }
        (dirty, kept)
    }

    /// Whether any operation needs a register besides its own, where lanes cannot be masked.
    fn needs_moment(&self, needs: &Needs) -> bool {
        let width = self.width();
        self.program.lines.iter().enumerate().any(|(number, line)| match line.op {
            Op::Load { place, count, keep, .. } => {
                edges::loads_in_pieces(self.span(place, count), width, keep != NONE)
            }
            Op::Store { place, count, .. } => {
                edges::stores_in_pieces(self.span(place, needs.stored(number, count)), width)
            }
            _ => false,
        })
    }

    /// Loads a constant.
    pub(super) fn load_constant(&self, a: &mut Asm, constant: Constant, to: V) {
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
            Constant::Joined => {
                let convert = self.convert.as_deref().expect("what is packed is converted");
                let order = convert.order(self.program.lanes, a.tier);
                let width = if order.len() > 32 { Width::Z } else { Width::Y };
                let place = a.constant(&order);
                a.vmovdqu(V { width, ..to }, place);
            }
            Constant::Spread(from, step) => {
                let convert = self.convert.as_deref().expect("units are converted");
                let place = a.constant(&convert.spread_index(from, step));
                a.vmovdqu(V { width: Width::Z, ..to }, place);
            }
            Constant::Table(part) => {
                let convert = self.convert.as_deref().expect("what is looked up is converted");
                a.vmovdqu(V { width: Width::Z, ..to }, convert.table(part));
            }
            Constant::Paired => {
                let place = a.constant(&paired());
                a.vmovdqu(V { width: Width::Z, ..to }, place);
            }
            Constant::Number(bits) => {
                let place = a.constant(&bits.to_le_bytes());
                let width = if a.masks() { Width::Z } else { Width::Y };
                a.broadcast(V { width, ..to }, place, 4);
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

    /// A constant in its register, or in the spare one.
    pub(super) fn held(&self, a: &mut Asm, held: &Held, constant: Constant) -> V {
        match held.vectors.iter().find(|(known, _)| *known == constant) {
            Some((_, register)) => self.v(Reg::from(*register)),
            None => {
                let spare = self.v(Reg::from(held.spare));
                self.load_constant(a, constant, spare);
                spare
            }
        }
    }
}

impl Held {
    /// The register that holds a constant, if one does.
    pub(super) fn vector(&self, constant: Constant) -> Option<u8> {
        let known = self.vectors.iter().find(|(known, _)| *known == constant);
        known.map(|(_, register)| *register)
    }

    /// The register that holds a number, if one does.
    pub(super) fn number(&self, bits: u32) -> Option<u8> {
        self.vector(Constant::Number(bits))
    }

    /// A register for a moment.
    pub(super) fn spare(&self, like: V) -> V {
        debug_assert_ne!(self.spare, u8::MAX, "a register for a moment");
        V { number: self.spare, ..like }
    }

    /// The register that holds a mask, if any does.
    pub(super) fn known_mask(&self, bits: u64) -> Option<K> {
        let held = self.masks.iter().find(|(known, _)| *known == bits).map(|(_, k)| *k);
        held.or((self.passing == Some(bits)).then_some(PASSING))
    }

    /// A register to make all in that some is kept of, where none holds the mask and one is left over for that.
    pub(super) fn aside(&self, bits: u64, like: V) -> Option<V> {
        let better = self.spare != u8::MAX && self.known_mask(bits).is_none();
        better.then(|| self.spare(like))
    }

    /// The register that holds a mask, which is loaded if none does.
    pub(super) fn mask(&mut self, a: &mut Asm, bits: u64) -> K {
        self.known_mask(bits).unwrap_or_else(|| {
            debug_assert!(self.masks.iter().all(|(_, k)| *k != PASSING), "a mask that was wanted");
            let place = a.constant(&bits.to_le_bytes());
            a.kmovq(PASSING, place);
            self.passing = Some(bits);
            PASSING
        })
    }
}

/// One more use of a mask, or several: needed, and beside.
fn want(masks: &mut Vec<Mask>, bits: u64, [needed, beside]: [usize; 2]) {
    match masks.iter_mut().find(|mask| mask.bits == bits) {
        Some(mask) => {
            mask.needed += needed;
            mask.beside += beside;
        }
        None => masks.push(Mask { bits, needed, beside }),
    }
}

/// So many more uses of one.
fn count<T: PartialEq>(uses: &mut Vec<(T, usize)>, one: T, more: usize) {
    match uses.iter_mut().find(|(known, _)| *known == one) {
        Some((_, uses)) => *uses += more,
        None => uses.push((one, more)),
    }
}
