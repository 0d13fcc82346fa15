//! Compensation. In: a tile whose rows are stored. Out: what they add up to, taken off the sums that are appended to
//! the destination: of registers as they are stored, else read back right behind.
//!
//! Rows whose lanes belong to the same sums are added up together, in words, of which 127 have room for what two
//! lanes make; only then do they meet the sums in memory.
//!
//! ```text
//! class    rows of a tile, all alike in which lane belongs to which sum       (plan/sums)
//! fours    lanes by fours belong together, maybe once they are brought there: words of two, double words of four
//! twos     or by twos: words
//! singles  each lane for itself, as words; blocks of 16 alike meet each other first
//! join     classes whose sums lie one behind the other, a block each or one: all of these in one register
//! passing  rows that are added up as they are stored, where there are registers that add up
//! shape    how what came out lies in memory: in a row, all in one, by fours, anywhere
//! ```

mod join;
mod meet;
mod passing;

use super::asm::{Asm, RSI};
use super::bits::every;
use super::edges;
use super::evex::{Evex, Mem, Rm, V, Width};
use super::frame::spill;
use super::held::Held;
use crate::plan::sums::{Class, Kind, Order, Together, groups};
use crate::plan::{Plan, Stores, TEMPS, Tile, Tiling};
use crate::problem::OPERANDS;
use crate::shuffle::{Line, Op};
pub(super) use passing::{Adders, Passing};

/// What a tile's rows add up to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sums {
    pub(super) classes: Vec<Class>,
    /// The registers that lead through sums, by operand.
    pub(super) registers: [u8; OPERANDS],
    /// The first of the slots that hold what comes out.
    pub(super) scratch: u16,
    /// The first of those that hold copies of rows which pass the caches by.
    pub(super) copies: u16,
    /// How rows are added up as they are stored, where there are registers for it.
    pub(super) passing: Option<Passing>,
    /// Whether what comes out is all of a sum, which is written over whatever is there.
    pub(super) written: bool,
}

impl Sums {
    /// Where the copy of a row is, by number.
    pub(super) fn copy(&self, row: usize) -> Mem {
        spill(self.copies + row as u16)
    }
}

/// Slots for the rows of a tile that are added up and pass the caches by, of the plan's longest.
pub(super) fn copies(plan: &Plan) -> usize {
    let is_store = |line: &&Line| matches!(line.op, Op::Store { .. });
    let stores = |tile: &Tile| tile.found.program.lines.iter().filter(is_store).count();
    let streams = |tiling: &&Tiling| matches!(tiling.stores, Stores::Stream { .. });
    let tilings = plan.nests().filter_map(|nest| nest.tiling.as_ref()).filter(streams);
    let tiles = tilings.flat_map(|tiling| &tiling.tiles);
    match plan.problem.arith.is_compensated() {
        true => tiles.map(stores).max().unwrap_or(0),
        false => 0,
    }
}

/// Sums of one sequence at work.
pub(super) struct Adding<'a> {
    pub(super) a: &'a mut Asm,
    pub(super) held: &'a mut Held,
    pub(super) sums: &'a Sums,
    pub(super) rows: Rows,
}

/// Where rows are that are added up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// In registers, as they are stored.
    Passing,
    /// Where they were stored.
    Stored,
    /// In slots, as they pass the caches by.
    Copied,
    /// Where they were stored, and come off what they were added to.
    Undone,
}

/// Double words that lanes were added up to, four each as a rule, and what they hold for each that these come to.
#[derive(Clone, Copy)]
struct Fours {
    sum: V,
    each: i32,
}

impl Adding<'_> {
    /// Adds up all rows.
    pub(super) fn emit(&mut self) {
        let sums = self.sums;
        for own in groups(&sums.classes, self.a.tier) {
            match &sums.classes[own] {
                [class] => match class.together {
                    Together::Fours | Together::Brought(_) => self.fours(class),
                    Together::Twos => self.twos(class),
                    Together::Singles => self.singles(class),
                },
                several => self.together(several, &[]),
            }
        }
    }

    fn width(&self) -> Width {
        if self.a.masks() { Width::Z } else { Width::Y }
    }

    fn temp(&self, k: usize) -> V {
        V { number: (self.a.tier.registers() - TEMPS + k) as u8, width: self.width() }
    }

    /// A constant as long as a register, of these bytes again and again.
    fn all(&mut self, bytes: &[u8]) -> Mem {
        let width = self.width().bytes();
        self.a.constant(&bytes.repeat(width / bytes.len()))
    }

    /// The bytes of a row, those that are no elements zero, in memory if they are there just so.
    fn row(&mut self, class: &Class, row: usize, t: V) -> Rm {
        let row = &class.rows[row];
        let m = match self.rows {
            Rows::Copied => self.sums.copy(row.number),
            _ => self.a.place(RSI, row.at),
        };
        let whole = every(self.width().bytes());
        if row.elements == whole {
            return m.into();
        }
        let bytes = every(row.count);
        if self.a.masks() && row.elements != bytes {
            let k = self.held.mask(self.a, row.elements);
            self.a.ops.vmovdqu8(t.zero(k), m);
            return t.into();
        }
        // As it was stored: a wider load would wait until the store has left for the cache.
        edges::load(self.a, self.held, t, m, bytes, 0);
        if row.elements != bytes {
            edges::only(self.a, self.held, t, t, row.elements);
        }
        t.into()
    }

    /// Lanes by fours, in a row or brought there.
    fn fours(&mut self, class: &Class) {
        self.begin_fours(class.together.order());
        let fours = Fours { sum: self.temp(0), each: self.each(&class.kinds) };
        self.add_fours(class, fours, self.temp(1));
        self.meet_groups(class, fours);
    }

    /// What a sum of this kind gains for each that lanes add up to.
    fn gain(&self, kind: &Kind) -> i32 {
        let times = 1 << kind.shift;
        if self.rows == Rows::Undone { times } else { -times }
    }

    /// What double words of four lanes hold for each that these add up to: as much as one of these kinds gains, the
    /// least of them, which the others are multiples of.
    fn each(&self, kinds: &[Kind]) -> i32 {
        let gains = kinds.iter().map(|kind| self.gain(kind));
        gains.min_by_key(|gain| gain.abs()).unwrap_or(1)
    }

    /// What fours are added up with, in the last two registers.
    fn begin_fours(&mut self, order: Option<&Order>) {
        let [places, ones] = [3, 4].map(|k| self.temp(k));
        let m = self.all(&[1]);
        self.a.vmovdqu(ones, m);
        if let Some(order) = order {
            let m = self.a.constant(order);
            self.a.vmovdqu(places, m);
        }
    }

    /// A double word for each four lanes; `t` is there for a moment.
    fn add_fours(&mut self, class: &Class, fours: Fours, t: V) {
        self.add_twos(class, fours.sum, t);
        self.by_fours(fours, fours.sum);
    }

    /// Lanes by twos.
    fn twos(&mut self, class: &Class) {
        self.begin_fours(None);
        let sum = self.temp(0);
        self.add_twos(class, sum, self.temp(1));
        self.meet_twos(class, sum);
    }

    /// A word for each two lanes, in the order of the class.
    fn add_twos(&mut self, class: &Class, sum: V, t: V) {
        let [places, ones] = [3, 4].map(|k| self.temp(k));
        for row in 0..class.rows.len() {
            let mut bytes = self.row(class, row, t);
            if class.together.order().is_some() {
                match (self.a.tier.permute_grain(), bytes) {
                    (1, _) => self.a.ops.vpermb(t, places, bytes),
                    (_, Rm::M(m)) => {
                        self.a.vmovdqu(t, m);
                        self.a.vpshufb(t, t, places);
                    }
                    _ => self.a.vpshufb(t, t, places),
                }
                bytes = t.into();
            }
            let to = if row == 0 { sum } else { t };
            self.a.vpmaddubsw(to, ones, bytes);
            if row > 0 {
                self.a.vpaddw(sum, sum, t);
            }
        }
    }

    /// Double words of pairs of words.
    fn by_fours(&mut self, fours: Fours, words: V) {
        let m = self.all(&(fours.each as i16).to_le_bytes());
        self.a.vpmaddwd(fours.sum, words, m);
    }

    /// Each lane for itself.
    fn singles(&mut self, class: &Class) {
        let words = [0, 1].map(|k| self.temp(k));
        self.add_singles(class, words);
        match class.blocks() {
            Some(blocks) => self.meet_blocks(class, &blocks, words),
            None => self.meet_lanes(class, words),
        }
    }

    /// A word for each lane: of the lower half of each block, and of the upper. Two rows at once, whose lanes by turns
    /// are pairs.
    fn add_singles(&mut self, class: &Class, sums: [V; 2]) {
        let [row, other, t] = [2, 3, 4].map(|k| self.temp(k));
        let ones = self.all(&[1]);
        for first in (0..class.rows.len()).step_by(2) {
            if let Rm::M(m) = self.row(class, first, row) {
                self.a.vmovdqu(row, m);
            }
            let beside = match first + 1 < class.rows.len() {
                true => self.row(class, first + 1, other),
                false => {
                    self.a.vpxor(other, other, other);
                    other.into()
                }
            };
            let [low, high] = if first == 0 { sums } else { [t, row] };
            self.a.vpunpcklbw(low, row, beside);
            self.a.vpunpckhbw(high, row, beside);
            self.a.vmovdqu(other, ones);
            for (sum, pairs) in sums.into_iter().zip([low, high]) {
                self.a.vpmaddubsw(pairs, other, pairs);
                if first > 0 {
                    self.a.vpaddw(sum, sum, pairs);
                }
            }
        }
    }

    /// Where the sums of a kind are that lie so many bytes on.
    fn place(&mut self, kind: &Kind, at: i32) -> Mem {
        self.a.place(self.sums.registers[kind.operand], at as isize)
    }
}
