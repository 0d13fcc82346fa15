//! What rows add up to meets the sums in memory. In: registers of double words, which hold so much for each that lanes
//! add up to, and where their sums lie. Out: sums read, less by these or by 128 times as much, and written, none beside
//! them; or written alone, where that is all.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::super::asm::Asm;
use super::super::evex::{Evex, Mem, V, Width};
use super::super::frame::spill;
use super::super::{bits, edges};
use super::{Adding, Fours};
use crate::plan::sums::{Class, Kind, Order, Run, Runs, SUM, Shape, runs, shape_in_order};

/// Bytes of what a few rows add up to.
const WORD: usize = 2;

/// Halves of a block change places, or those of each half.
const HALVES: u8 = 0b01_00_11_10;
const PAIRS: u8 = 0b10_11_00_01;

impl Adding<'_> {
    /// A double word for each four lanes.
    pub(super) fn meet_groups(&mut self, class: &Class, fours: Fours) {
        // What is added up for one kind will do for the next; the sum itself is needed again by others.
        let (sum, all) = (fours.sum, self.temp(2));
        let (mut added, mut kept) = (None, false);
        for kind in &class.kinds {
            let (order, shape) = shape_in_order(&kind.lanes);
            let (at, count) = match shape {
                Shape::Row(at, count) if order.is_none() => {
                    self.meet_row(kind, at, fours, count);
                    continue;
                }
                Shape::Row(at, count) | Shape::Again(at, count) => (at, count),
                Shape::One(at) => (at, 1),
                Shape::Anywhere => {
                    if !kept {
                        let slot = self.slot(0);
                        self.a.vmovdqu_store(slot, sum);
                        kept = true;
                    }
                    self.meet_singly(kind, SUM, fours.each);
                    continue;
                }
            };
            let again = !matches!(shape, Shape::Row(..));
            let wanted = Some((order, again.then_some(count)));
            if added != wanted {
                match wanted.as_ref().and_then(|(order, _)| order.as_ref()) {
                    Some(order) => self.bring(all, sum, order),
                    None => self.a.vmovdqa(all, sum),
                }
                if again {
                    self.add_up(all, count);
                }
                added = wanted;
            }
            self.meet_row(kind, at, Fours { sum: all, ..fours }, count);
        }
    }

    /// Double words in another order.
    fn bring(&mut self, to: V, sums: V, order: &Order) {
        let numbers: Vec<u8> = order.iter().flat_map(|&i| u32::from(i).to_le_bytes()).collect();
        let (index, m) = (self.temp(4), self.a.constant(&numbers));
        self.a.vmovdqu(index, m);
        match self.a.masks() {
            true => self.a.ops.vpermd(to, index, sums),
            false => self.a.vpermd(to, index, sums),
        }
    }

    /// So many double words, which are there again and again, added up in the first ones.
    fn add_up(&mut self, all: V, count: usize) {
        let all = self.fold(all, Asm::vpaddd, if count == 8 { Width::Y } else { Width::X });
        match count {
            1 => self.across(all, &[HALVES, PAIRS]),
            2 => self.across(all, &[HALVES]),
            _ => {}
        }
    }

    /// Words of lanes, those of the lower half of each block and of the upper, each for itself.
    pub(super) fn meet_lanes(&mut self, class: &Class, words: [V; 2]) {
        self.keep_in_order(words);
        self.meet_words(class);
    }

    /// Words of lanes by twos.
    pub(super) fn meet_twos(&mut self, class: &Class, words: V) {
        let slot = self.slot(0);
        self.a.vmovdqu_store(slot, words);
        self.meet_words(class);
    }

    /// Words that lie in slots, in the order of their sums' lanes.
    fn meet_words(&mut self, class: &Class) {
        let most = self.width().bytes() / SUM;
        for kind in &class.kinds {
            match runs(&kind.lanes, most) {
                Some(runs) => self.meet_runs(kind, &runs),
                None => self.meet_singly(kind, WORD, 1),
            }
        }
    }

    /// Words come to slots in the order of their lanes.
    fn keep_in_order(&mut self, [low, high]: [V; 2]) {
        let (t, slot) = (self.temp(2), self.slot(0));
        for (half, picks) in self.half_blocks().into_iter().enumerate() {
            self.a.blocks(t, low, high, picks);
            if t.width == Width::Z {
                self.a.blocks(t, t, t, [0, 2, 1, 3]);
            }
            let on = (half * t.width.bytes()) as isize;
            self.a.vmovdqu_store(slot.on(on), t);
        }
    }

    /// The blocks of two registers that are in their lower halves, and in their upper ones.
    pub(super) fn half_blocks(&self) -> [[u8; 4]; 2] {
        match self.width() {
            Width::Z => [[0, 1, 0, 1], [2, 3, 2, 3]],
            _ => [[0, 0, 0, 0], [1, 1, 1, 1]],
        }
    }

    /// Runs of words in their order, those of the same sums at once.
    fn meet_runs(&mut self, kind: &Kind, all: &[Run]) {
        let same = |a: &Run, b: &Run| (a.at, a.count) == (b.at, b.count);
        for (i, run) in all.iter().enumerate() {
            if all[..i].iter().any(|before| same(before, run)) {
                continue;
            }
            let width = super::super::convert::width(SUM * run.count);
            let [sum, t] = [0, 1].map(|k| V { width, ..self.temp(k) });
            for (k, own) in all[i..].iter().filter(|own| same(own, run)).enumerate() {
                let slot = self.slot(0);
                let words = slot.on((WORD * own.lane) as isize);
                self.a.vpmovsxwd(if k == 0 { sum } else { t }, words);
                if k > 0 {
                    self.a.vpaddd(sum, sum, t);
                }
            }
            self.meet_row(kind, run.at, Fours { sum, each: 1 }, run.count);
        }
    }

    /// Sums of 16 lanes, which all blocks of two registers of words are added up in.
    pub(super) fn meet_blocks(&mut self, class: &Class, blocks: &[Runs], words: [V; 2]) {
        let [low, high] = words.map(|words| self.fold(words, Asm::vpaddw, Width::X));
        for (kind, runs) in class.kinds.iter().zip(blocks) {
            let whole = self.temp(2);
            let half = V { width: Width::Y, ..whole };
            match *runs {
                [(at, 8), (on, count @ 1..)] if self.a.masks() && on == at + 32 => {
                    self.a.ops.vinserti32x4(half, V { width: Width::Y, ..low }, high, 1);
                    self.a.vpmovsxwd(whole, half);
                    self.meet_row(kind, at, Fours { sum: whole, each: 1 }, 8 + count);
                }
                _ => {
                    for (words, (at, count)) in [low, high].into_iter().zip(*runs) {
                        if count == 0 {
                            continue;
                        }
                        self.a.vpmovsxwd(half, words);
                        self.meet_row(kind, at, Fours { sum: half, each: 1 }, count);
                    }
                }
            }
        }
    }

    fn slot(&self, k: usize) -> Mem {
        spill(self.sums.scratch + k as u16)
    }

    /// Halves added up, by words or double words, until what is left is no wider than `to`.
    pub(super) fn fold(&mut self, v: V, add: impl Fn(&mut Asm, V, V, V), to: Width) -> V {
        let t = self.temp(4);
        let low = |width: Width| V { width, ..v };
        let spare = |width: Width| V { width, ..t };
        if v.width == Width::Z {
            self.a.ops.vextracti64x4(spare(Width::Y), v, 1);
            add(self.a, low(Width::Y), low(Width::Y), spare(Width::Y));
        }
        if to == Width::X {
            match self.a.masks() {
                true => self.a.ops.vextracti32x4(spare(Width::X), low(Width::Y), 1),
                false => self.a.vextracti128(spare(Width::X), low(Width::Y), 1),
            }
            add(self.a, low(Width::X), low(Width::X), spare(Width::X));
        }
        low(to)
    }

    /// The double words of a block that change places are added up in both.
    fn across(&mut self, v: V, orders: &[u8]) {
        let t = V { width: Width::X, ..self.temp(4) };
        for order in orders {
            self.a.vpshufd(t, v, *order);
            self.a.vpaddd(v, v, t);
        }
    }

    /// So many sums one behind the other gain what the first double words of a register say.
    pub(super) fn meet_row(&mut self, kind: &Kind, at: i32, fours: Fours, count: usize) {
        let width = super::super::convert::width(4 * count);
        let [old, times, v] =
            [self.temp(3), self.temp(4), fours.sum].map(|register| V { width, ..register });
        let bytes = bits::every(4 * count);
        let left = self.gain(kind) / fours.each;
        let gain = match left.abs() {
            1 => v,
            left => {
                self.a.vpslld(times, v, left.ilog2() as u8);
                times
            }
        };
        let m = self.place(kind, at);
        let sums = match (self.sums.written, left > 0) {
            (true, true) => gain,
            (false, true) if bytes == bits::every(width.bytes()) => {
                self.a.vpaddd(old, gain, m);
                old
            }
            (written, more) => {
                match written {
                    true => self.a.vpxor(old, old, old),
                    false => edges::load(self.a, self.held, old, m, bytes, 0),
                }
                match more {
                    true => self.a.vpaddd(old, old, gain),
                    false => self.a.vpsubd(old, old, gain),
                }
                old
            }
        };
        edges::store(self.a, self.held, sums, m, bytes);
    }

    /// Words or double words of the slots, which hold so much for each that lanes add up to, and their sums, by turns.
    fn meet_singly(&mut self, kind: &Kind, size: usize, each: i32) {
        let own = kind.lanes.iter().enumerate().filter_map(|(i, at)| at.map(|at| (i, at)));
        let places: Vec<(i32, i32)> = own.map(|(i, at)| ((i * size) as i32, at)).collect();
        let table: Vec<u8> = (places.iter())
            .flat_map(|(from, to)| [from.to_le_bytes(), to.to_le_bytes()].concat())
            .collect();
        let table = self.a.constant(&table).disp;
        let left = self.gain(kind) / each;
        let (first, shift) = (self.slot(0).disp, left.abs().ilog2() as i8);
        let register = self.sums.registers[kind.operand];
        let again = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64
            ; xor edx, edx
            ; =>again
            ; mov eax, [r11 + rdx * 8 + table]
        );
        match size {
            WORD => dynasm!(self.a.ops ; .arch x64 ; movsx eax, WORD [r10 + rax + first]),
            _ => dynasm!(self.a.ops ; .arch x64 ; mov eax, [r10 + rax + first]),
        }
        dynasm!(self.a.ops ; .arch x64
            ; shl eax, shift
            ; movsxd r8, DWORD [r11 + rdx * 8 + table + 4]
        );
        match left > 0 {
            true => dynasm!(self.a.ops ; .arch x64 ; add [Rq(register) + r8], eax),
            false => dynasm!(self.a.ops ; .arch x64 ; sub [Rq(register) + r8], eax),
        }
        dynasm!(self.a.ops ; .arch x64
            ; inc edx
            ; cmp edx, places.len() as i32
            ; jne =>again
        );
    }
}
