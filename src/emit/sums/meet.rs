//! What rows add up to meets the sums in memory. In: registers of double words, and where their sums lie. Out: sums
//! read, less by these or by 128 times as much, and written, none beside them.

use dynasmrt::{DynasmApi, DynasmLabelApi, dynasm};

use super::super::asm::Asm;
use super::super::evex::{Evex, Mem, V, Width};
use super::super::frame::spill;
use super::super::{bits, edges};
use super::Adding;
use crate::plan::sums::{Class, Kind, Runs, Shape, in_runs, shape};

impl Adding<'_> {
    /// A double word for each four lanes.
    pub(super) fn meet_groups(&mut self, class: &Class, sum: V) {
        // What is added up for one kind will do for the next.
        let mut folded = None;
        for (i, kind) in class.kinds.iter().enumerate() {
            match shape(&kind.lanes) {
                Shape::Row(at, count) => self.meet_row(kind, at, sum, count),
                Shape::Again(at, count) => {
                    let all = self.temp(2);
                    if folded != Some(count) {
                        self.a.vmovdqa(all, sum);
                        let half = if count == 8 { Width::Y } else { Width::X };
                        self.fold(all, Asm::vpaddd, half);
                    }
                    folded = Some(count);
                    self.meet_row(kind, at, all, count);
                }
                Shape::One(at) => {
                    // The sum itself is needed again by another kind.
                    let all = self.temp(2);
                    self.a.vmovdqa(all, sum);
                    folded = None;
                    let all = self.fold(all, Asm::vpaddd, Width::X);
                    self.across(all);
                    self.meet_row(kind, at, all, 1);
                }
                Shape::Anywhere => {
                    if i == 0 || !matches!(shape(&class.kinds[0].lanes), Shape::Anywhere) {
                        let slot = self.slot(0);
                        self.a.vmovdqu_store(slot, sum);
                    }
                    let places: Vec<(i32, i32)> = (kind.lanes.iter().enumerate())
                        .filter_map(|(g, at)| at.map(|at| (4 * g as i32, at)))
                        .collect();
                    self.meet_singly(kind, &places);
                }
            }
        }
    }

    /// Four double words of four registers are four lanes.
    pub(super) fn meet_lanes(&mut self, class: &Class, lanes: [V; 4]) {
        // What several kinds need is kept, and what is looked up lane by lane.
        let singly = |kind: &Kind| in_runs(&kind.lanes, 4).is_none();
        if class.kinds.len() > 1 || class.kinds.iter().any(singly) {
            for (k, &v) in lanes.iter().enumerate() {
                let slot = self.slot(k);
                self.a.vmovdqu_store(slot, v);
            }
        }
        for (i, kind) in class.kinds.iter().enumerate() {
            if i > 0 {
                for (k, &v) in lanes.iter().enumerate() {
                    let slot = self.slot(k);
                    self.a.vmovdqu(v, slot);
                }
            }
            let fours = in_runs(&kind.lanes, 4);
            let same = fours.as_deref().map(shape);
            match (fours, same) {
                (_, Some(Shape::One(at))) => self.meet_four(kind, at, lanes),
                (Some(fours), _) => self.meet_fours(kind, &fours, lanes),
                _ => {
                    // Slots are of 64 bytes.
                    let place = |lane: usize| 64 * (lane as i32 % 4) + 4 * (lane as i32 / 4);
                    let places: Vec<(i32, i32)> = (kind.lanes.iter().enumerate())
                        .filter_map(|(lane, at)| at.map(|at| (place(lane), at)))
                        .collect();
                    self.meet_singly(kind, &places);
                }
            }
        }
    }

    /// Sums of 16 lanes, which all blocks of two registers of words are added up in: even lanes and odd ones.
    pub(super) fn meet_blocks(&mut self, class: &Class, blocks: &[Runs], even: V, odd: V) {
        let [even, odd] = [even, odd].map(|words| self.fold(words, Asm::vpaddw, Width::X));
        let low = V { width: Width::X, ..self.temp(2) };
        self.a.vpunpcklwd(low, even, odd);
        self.a.vpunpckhwd(odd, even, odd);
        for (kind, runs) in class.kinds.iter().zip(blocks) {
            let whole = self.temp(0);
            let half = V { width: Width::Y, ..whole };
            match *runs {
                [(at, 8), (on, count @ 1..)] if self.a.masks() && on == at + 32 => {
                    self.a.ops.vinserti32x4(half, V { width: Width::Y, ..low }, odd, 1);
                    self.a.vpmovsxwd(whole, half);
                    self.meet_row(kind, at, whole, 8 + count);
                }
                _ => {
                    for (words, (at, count)) in [low, odd].into_iter().zip(*runs) {
                        if count == 0 {
                            continue;
                        }
                        self.a.vpmovsxwd(half, words);
                        self.meet_row(kind, at, half, count);
                    }
                }
            }
        }
    }

    fn slot(&self, k: usize) -> Mem {
        spill(self.sums.scratch + k as u16)
    }

    /// Four sums one behind the other, that all fours of lanes belong to.
    fn meet_four(&mut self, kind: &Kind, at: i32, [one, two, three, four]: [V; 4]) {
        let t = self.temp(4);
        for (low, high) in [(one, two), (three, four)] {
            self.a.vpunpckldq(t, low, high);
            self.a.vpunpckhdq(low, low, high);
            self.a.vpaddd(low, low, t);
        }
        self.a.vpunpcklqdq(t, one, three);
        self.a.vpunpckhqdq(one, one, three);
        self.a.vpaddd(one, one, t);
        let four = self.fold(one, Asm::vpaddd, Width::X);
        self.meet_row(kind, at, four, 4);
    }

    /// Four sums for each four lanes, wherever these fours lie.
    fn meet_fours(&mut self, kind: &Kind, fours: &[Option<i32>], lanes: [V; 4]) {
        let [one, two, three, four] = lanes;
        let t = self.temp(4);
        // Fours behind those of the lanes, which another kind may need again.
        let base = 4;
        self.a.vpunpckldq(t, one, two);
        self.a.vpunpckhdq(one, one, two);
        self.a.vpunpckldq(two, three, four);
        self.a.vpunpckhdq(three, three, four);
        for (k, (low, high, upper)) in
            [(t, two, false), (t, two, true), (one, three, false), (one, three, true)]
                .into_iter()
                .enumerate()
        {
            match upper {
                false => self.a.vpunpcklqdq(four, low, high),
                true => self.a.vpunpckhqdq(four, low, high),
            }
            let slot = self.slot(base + k);
            self.a.vmovdqu_store(slot, four);
        }
        let v = V { width: Width::X, ..one };
        for (g, at) in fours.iter().enumerate() {
            let Some(at) = *at else { continue };
            let same = |other: &usize| fours[*other] == Some(at);
            if (0..g).any(|other| same(&other)) {
                continue;
            }
            // All that belong to the same sums at once.
            for other in (g..fours.len()).filter(same) {
                let slot = self.slot(base + other % 4);
                let place = Mem { disp: slot.disp + 16 * (other / 4) as i32, ..slot };
                match other == g {
                    true => self.a.vmovdqu(v, place),
                    false => self.a.vpaddd(v, v, place),
                }
            }
            self.meet_row(kind, at, v, 4);
        }
    }

    /// Halves added up, by words or double words, until what is left is no wider than `to`.
    fn fold(&mut self, v: V, add: impl Fn(&mut Asm, V, V, V), to: Width) -> V {
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

    /// The four double words of a block added up in each.
    fn across(&mut self, v: V) {
        let t = V { width: Width::X, ..self.temp(4) };
        for order in [0b01_00_11_10, 0b10_11_00_01] {
            self.a.vpshufd(t, v, order);
            self.a.vpaddd(v, v, t);
        }
    }

    /// So many sums one behind the other, less by the first double words of a register.
    pub(super) fn meet_row(&mut self, kind: &Kind, at: i32, v: V, count: usize) {
        let width = super::super::convert::width(4 * count);
        let (old, times) = (V { width, ..self.temp(3) }, V { width, ..self.temp(4) });
        let v = V { width, ..v };
        let bytes = bits::every(4 * count);
        let m = self.place(kind, at);
        edges::load(self.a, self.held, old, m, bytes, 0);
        let less = match kind.shift {
            0 => v,
            shift => {
                self.a.vpslld(times, v, shift);
                times
            }
        };
        self.a.vpsubd(old, old, less);
        let m = self.place(kind, at);
        edges::store(self.a, self.held, old, m, bytes);
    }

    /// Double words of the slots, and their sums, by turns.
    fn meet_singly(&mut self, kind: &Kind, places: &[(i32, i32)]) {
        let table: Vec<u8> = (places.iter())
            .flat_map(|(from, to)| [from.to_le_bytes(), to.to_le_bytes()].concat())
            .collect();
        let table = self.a.constant(&table).disp;
        let (first, shift) = (self.slot(0).disp, kind.shift as i8);
        let register = self.sums.registers[kind.operand];
        let again = self.a.ops.new_dynamic_label();
        dynasm!(self.a.ops ; .arch x64
            ; xor edx, edx
            ; =>again
            ; mov eax, [r11 + rdx * 8 + table]
            ; mov eax, [r10 + rax + first]
            ; shl eax, shift
            ; movsxd r8, DWORD [r11 + rdx * 8 + table + 4]
            ; sub [Rq(register) + r8], eax
            ; inc edx
            ; cmp edx, places.len() as i32
            ; jne =>again
        );
    }
}
