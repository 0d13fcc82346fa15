//! Machine code. In: a plan. Out: bytes that do what it says, for whichever machine it was made; they run
//! where that has the plan's tier.
//!
//! ```text
//! entry      src in rdi, dst in rsi, task in rdx, count in rcx, in r8 pointers to what arithmetic reads, and behind
//!            them whether that is not tame
//! nests      loops around tiles, each calling leaves          (nest, tasks, folds)
//! leaves     a tile's sequence in a loop of its own           (leaf, moves, edges)
//! constants  tables of permutations, masks, tables of nodes
//! ```
//!
//! While it runs, `rdi` and `rsi` are where the walk is in source and destination, `r10` is the frame, `r11` the
//! constants, and `rcx` says how often a leaf goes round. Registers that point at what else is read or written are
//! listed in pointers.rs, `r9` where there are many; all others that calls may change are free for a moment's use,
//! `rax` also where an offset is too far for an instruction.

#![allow(clippy::useless_conversion)] // dynasm! converts the numbers of registers, which are converted already.

mod ask;
mod asm;
mod bits;
mod blend;
mod carry;
mod convert;
mod edges;
mod evex;
mod folds;
mod frame;
mod held;
mod leaf;
mod moves;
mod nest;
mod pointers;
mod stage;
mod sums;
mod table;
mod tasks;

use dynasmrt::{DynamicLabel, DynasmApi, DynasmLabelApi, dynasm};
use smallvec::SmallVec;

use crate::code::{Code, Given, Note, Notes};
use crate::plan::{Bytewise, Carry, Nest, Plan, Stores, Tiling, Trust};
use crate::problem::{DST, OPERANDS, SRC, SUMS, VALUES};
use crate::{Error, Problem, Result, Target, Tier};
use asm::{Asm, RSI};
use carry::Flush;
use frame::{Frame, Word};
use leaf::{Leaf, stream_start};
use nest::Walk;
use pointers::{KEPT, Places, Pointers, pointers};
use sums::copies;

/// Code under way, and what it refers to.
struct Emitter<'p> {
    a: Asm,
    plan: &'p Plan,
    frame: Frame,
    /// The operands, and what points at them.
    pointers: Pointers,
    /// Where the caller's pointers and numbers are kept.
    bases: Places,
    /// Registers that callees keep, and where.
    kept: SmallVec<[(u8, Word); 5]>,
    /// What the first of two sequences trusts in, and where it says, other than 0, that this is not met.
    trust: Trust,
    wild: Option<Word>,
    task: Word,
    count: Word,
    /// The positions along folds.
    positions: Vec<Word>,
    /// What takes them apart, where it is called.
    folds: Vec<Option<DynamicLabel>>,
    share: DynamicLabel,
    /// The first slot of the frame that conversions use.
    scratch: u16,
    /// The first of those for rows that are added up but pass the caches by.
    copies: u16,
    leaves: Vec<Leaf<'p>>,
    flushes: Vec<Flush<'p>>,
    notes: Notes,
    /// The nest that is being emitted.
    nest: usize,
    /// Whether some leaf stores past the caches.
    streamed: bool,
}

/// The most values or sums of one operand, 1 GiB of them: so all are within the displacement of an instruction from
/// each other.
const MOST_VALUES: usize = 1 << 28;

/// So far below what is in use the stack may grow at once.
const PAGE: i32 = 4096;

/// Turns a plan into code.
pub fn emit(plan: Plan) -> Result<Code> {
    supports(&plan.problem, &plan.target)?;
    let (bytes, notes) = Emitter::new(&plan).emit()?;
    Ok(Code::new(plan, bytes, notes))
}

/// An error where there is no code for a problem on a target, however it is planned.
pub(crate) fn supports(problem: &Problem, target: &Target) -> Result<()> {
    let mut counts = VALUES.map(|operand| problem.values(operand).1);
    if let Some(count) = counts.find(|count| *count > MOST_VALUES) {
        let why = format!("{count} values of one operand are more than code takes, {MOST_VALUES}");
        return Err(Error::Unsupported(why));
    }
    // Sums are led to in bytes.
    let sums = SUMS.map(|kind| problem.values(kind as usize).1);
    if let Some(bytes) = sums.into_iter().find(|bytes| *bytes > size_of::<i32>() * MOST_VALUES) {
        let why = format!("{bytes} bytes of sums are more than code takes, 4 x {MOST_VALUES}");
        return Err(Error::Unsupported(why));
    }
    if target.tier == Tier::Portable {
        let why = format!("target {target} has no machine code");
        return Err(Error::Unsupported(why));
    }
    Ok(())
}

impl<'p> Emitter<'p> {
    fn new(plan: &'p Plan) -> Emitter<'p> {
        let nests = plan.all_nests();
        let tiles = nests.filter_map(|nest| nest.tiling.as_ref()).flat_map(|tiling| &tiling.tiles);
        let slots = tiles.map(|tile| tile.found.program.slots).max().unwrap_or(0);
        let nests = plan.all_nests();
        let (mut buffer, mut stage) = (0, 0);
        for tiling in nests.filter_map(|nest| nest.tiling.as_ref()) {
            buffer = buffer.max(tiling.carry.as_ref().map_or(0, Carry::room));
            stage = stage.max(tiling.stage.as_ref().map_or(0, |stage| stage.size));
        }
        let tables = Bytewise::of(&plan.problem, &plan.target).map_or(0, Bytewise::tables);
        let converts = match plan.problem.moves_bits() {
            true => 0,
            false => convert::SLOTS + convert::PARTS * tables,
        };
        let copies = copies(plan);
        let mut frame = Frame::new(slots + converts + copies, buffer, stage);
        let pointers = pointers(&plan.problem);
        let mut bases = [Word(0); OPERANDS];
        pointers.iter().for_each(|&(operand, _)| bases[operand] = frame.word());
        let [task, count] = frame.words();
        let trust = Trust::of(&plan.problem, &plan.target);
        let wild = (trust != Trust::Nothing).then(|| frame.word());
        let kept = pointers.iter().map(|&(_, register)| register).filter(|own| KEPT.contains(own));
        let kept = kept.map(|register| (register, frame.word())).collect();
        let positions = plan.problem.folds.iter().map(|_| frame.word()).collect();
        let mut a = Asm::new(plan.target.tier);
        let share = a.ops.new_dynamic_label();
        Emitter {
            a,
            plan,
            frame,
            pointers,
            bases,
            kept,
            trust,
            wild,
            task,
            count,
            positions,
            folds: vec![None; plan.problem.folds.len()],
            share,
            scratch: slots as u16,
            copies: (slots + converts) as u16,
            leaves: Vec::new(),
            flushes: Vec::new(),
            notes: Vec::new(),
            nest: 0,
            streamed: false,
        }
    }

    fn emit(mut self) -> Result<(Vec<u8>, Notes)> {
        self.notes.push((0, Note::Entry));
        let constants = self.a.ops.new_dynamic_label();
        let size = self.enter(constants);
        self.make_table();
        let plan = self.plan;
        let mut number = 0;
        for nest in plan.nests() {
            if let Some(tiling) = nest.tiling.as_ref().filter(|_| nest.positions() > 0) {
                self.nest = number;
                self.either(nest, tiling);
            }
            // As all of them are counted, whatever there is to be done.
            number += 1 + usize::from(nest.off_lines.is_some());
        }
        self.notes.push((self.a.here(), Note::Exit));
        for &(register, word) in &self.kept {
            dynasm!(self.a.ops ; .arch x64 ; mov Rq(register), [r10 + word.0]);
        }
        dynasm!(self.a.ops ; .arch x64
            ; vzeroupper
            ; mov rsp, rbp
            ; pop rbp
            ; ret
        );
        self.emit_leaves();
        self.notes.push((self.a.here(), Note::Routines));
        self.emit_flushes();
        self.emit_share();
        self.emit_folds();
        convert::emit_far(&mut self.a, self.plan.problem.arith.is_formula());
        dynasm!(self.a.ops ; .arch x64 ; .align 64 ; =>constants);
        self.notes.push((self.a.here(), Note::Constants));
        let data = std::mem::take(&mut self.a.constants);
        self.a.ops.extend(data);
        // Room for the frame to start on a line.
        let frame = -(self.frame.size() + 64);
        let mut bytes =
            self.a.ops.finalize().map_err(|error| {
                Error::Internal(format!("code that does not assemble: {error}"))
            })?;
        bytes[size..size + 4].copy_from_slice(&frame.to_le_bytes());
        Ok((bytes, self.notes))
    }

    /// The frame, and what the caller gave. Gives where the frame's size goes, which is known at the end.
    fn enter(&mut self, constants: DynamicLabel) -> usize {
        dynasm!(self.a.ops ; .arch x64 ; push rbp ; mov rbp, rsp);
        // Pages of a long frame are touched one after the other, as the system wants it.
        for page in 1..=(self.frame.before_words() + PAGE / 2) / PAGE {
            dynasm!(self.a.ops ; .arch x64 ; lea rsp, [rbp - page * PAGE] ; test [rsp], rsp);
        }
        dynasm!(self.a.ops ; .arch x64 ; lea rsp, [rbp + i32::MIN]);
        let size = self.a.here() as usize - 4;
        dynasm!(self.a.ops ; .arch x64
            ; and rsp, -64
            ; mov r10, rsp
            ; lea r11, [=>constants]
            ; mov [r10 + self.bases[SRC].0], rdi
            ; mov [r10 + self.bases[DST].0], rsi
            ; mov [r10 + self.task.0], rdx
            ; mov [r10 + self.count.0], rcx
        );
        for &(register, word) in &self.kept {
            dynasm!(self.a.ops ; .arch x64 ; mov [r10 + word.0], Rq(register));
        }
        for &(operand, _) in self.pointers.iter().skip(2) {
            let (from, to) = (Given::pointer(operand), self.bases[operand].0);
            dynasm!(self.a.ops ; .arch x64 ; mov rax, [r8 + from] ; mov [r10 + to], rax);
        }
        if let Some(wild) = self.wild {
            match self.trust {
                Trust::Values => {
                    dynasm!(self.a.ops ; .arch x64 ; mov rax, [r8 + Given::WILD]);
                }
                _ => dynasm!(self.a.ops ; .arch x64 ; xor eax, eax),
            }
            dynasm!(self.a.ops ; .arch x64 ; mov [r10 + wild.0], rax);
        }
        size
    }

    /// One nest, or what is done in its place where the destination does not start on a line.
    fn either(&mut self, nest: &'p Nest, tiling: &'p Tiling) {
        let Some(other) = &nest.off_lines else { return self.nest(nest, tiling) };
        let (off_lines, done) = (self.a.ops.new_dynamic_label(), self.a.ops.new_dynamic_label());
        let (base, grain) = (self.bases[DST].0, self.vector() as i32);
        // Multiples of a register apart it is no other.
        let first = nest.start[DST].wrapping_add(stream_start(tiling)).rem_euclid(grain as isize);
        dynasm!(self.a.ops ; .arch x64
            ; mov eax, [r10 + base]
            ; add eax, first as i32
            ; test eax, grain - 1
            ; jnz =>off_lines
        );
        self.nest(nest, tiling);
        dynasm!(self.a.ops ; .arch x64 ; jmp =>done ; =>off_lines);
        self.nest += 1;
        if let Some(tiling) = &other.tiling {
            self.nest(other, tiling);
        }
        dynasm!(self.a.ops ; .arch x64 ; =>done);
    }

    /// One nest: past the caches where the plan wants it and the destination is aligned, else through them.
    fn nest(&mut self, nest: &'p Nest, tiling: &'p Tiling) {
        self.notes.push((self.a.here(), Note::Nest { nest: self.nest, streams: false }));
        let mark = self.frame.mark();
        let folds = self.start_folds(nest);
        self.own_steps(nest, tiling, |this, ranges| {
            this.start_pointers(nest, folds);
            let stage = tiling.stage.as_ref().map(|stage| this.new_stage(stage));
            let onward = tiling.onward.map(|_| this.frame.word());
            if let Some(carry) = &tiling.carry {
                this.notes.push((this.a.here(), Note::Nest { nest: this.nest, streams: true }));
                let flush = this.new_flush(carry);
                let walk = Walk::new(nest, tiling, ranges, false);
                this.steps(&mut Walk { flush: Some(flush), stage, onward, ..walk }, 0);
                return dynasm!(this.a.ops ; .arch x64 ; sfence);
            }
            let streams = matches!(tiling.stores, Stores::Stream { carry: false, .. })
                && Emitter::new(this.plan).would_stream(nest, tiling);
            let (kept, done) = (this.a.ops.new_dynamic_label(), this.a.ops.new_dynamic_label());
            if streams {
                if nest.off_lines.is_none() {
                    let grain = this.vector() as i32;
                    let place = this.a.place(RSI, stream_start(tiling));
                    dynasm!(this.a.ops ; .arch x64
                        ; lea rax, [Rq(place.base) + place.disp]
                        ; test eax, grain - 1
                        ; jnz =>kept
                    );
                }
                this.notes.push((this.a.here(), Note::Nest { nest: this.nest, streams: true }));
                let walk = Walk::new(nest, tiling, ranges.clone(), true);
                this.steps(&mut Walk { stage, onward, ..walk }, 0);
                dynasm!(this.a.ops ; .arch x64 ; sfence);
                if nest.off_lines.is_some() {
                    return;
                }
                dynasm!(this.a.ops ; .arch x64 ; jmp =>done ; =>kept);
            }
            let walk = Walk::new(nest, tiling, ranges, false);
            this.steps(&mut Walk { stage, onward, ..walk }, 0);
            dynasm!(this.a.ops ; .arch x64 ; =>done);
        });
        self.frame.back_to(mark);
    }

    /// Whether any leaf of a nest stores past the caches, if the destination is aligned: found by going
    /// through it once in vain.
    fn would_stream(mut self, nest: &'p Nest, tiling: &'p Tiling) -> bool {
        let ranges = SmallVec::from_elem(None, tiling.steps.len());
        self.steps(&mut Walk::new(nest, tiling, ranges, true), 0);
        self.streamed
    }
}

#[cfg(test)]
mod tests {
    use crate::{Attr, Layout, Problem, Target};

    /// Known before anything is planned; nobody needs so much memory for that.
    #[test]
    fn values_and_sums_further_apart_than_an_instruction_leads() {
        let supports = |src: &str, attr: &Attr| {
            let src: Layout = src.parse().unwrap();
            let dst = src.destination("ba").unwrap();
            let (problem, _) = Problem::new(&src, &dst, attr).unwrap();
            super::supports(&problem, &Target::generic())
        };
        let sums = Attr::new().s8s8_compensation(3);
        let scales = Attr::new().src_scale(3);
        for (dims, most) in [("64x4000000", true), ("64x9000000", false)] {
            for attr in [&sums, &scales] {
                let found = supports(&format!("s8:ab:{dims}"), attr);
                assert_eq!(found.is_ok(), most, "{dims} {found:?}");
            }
        }
        let told = supports("s8:ab:64x9000000", &sums).unwrap_err().to_string();
        assert!(told.contains("bytes of sums"), "{told}");
    }
}
