//! Registers. In: operations on as many registers as they like. Out: the same on those that the target
//! has; what does not fit is loaded again, or waits on the stack.

use super::op::{Line, NONE, Op, Program, Reg, Table};
use super::{Change, Cost};
use crate::target::Target;

/// Sequences that need many tables are not made better by looking through all of them.
const LATEST: usize = 24;

/// Operations as they are found, each result a register of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) lane: usize,
    pub(super) lanes: usize,
    pub(super) lines: Vec<Line>,
    pub(super) tables: Vec<Table>,
    pub(super) change: Change,
    registers: Reg,
}

impl Draft {
    pub(super) fn new(lane: usize, lanes: usize, change: Change) -> Draft {
        let (lines, tables) = (Vec::with_capacity(128), Vec::new());
        Draft { lane, lanes, lines, tables, change, registers: 0 }
    }

    /// The register that holds the result of an operation.
    pub(super) fn push(&mut self, op: Op) -> Reg {
        let to = self.registers;
        self.registers += 1;
        self.lines.push(Line { to, op });
        to
    }

    /// An operation without a result.
    pub(super) fn store(&mut self, op: Op) {
        self.lines.push(Line { to: NONE, op });
    }

    /// A table, the same one where it is among the latest already.
    pub(super) fn table(&mut self, table: Table) -> u16 {
        let old = self.tables.len().saturating_sub(LATEST);
        let known = self.tables[old..].iter().position(|known| *known == table);
        known.map(|known| old + known).unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        }) as u16
    }

    pub(super) fn cost(&self, target: &Target) -> Cost {
        let ops = self.lines.iter().map(|line| &line.op);
        Cost::of(ops, self.lane, self.lane * self.lanes, self.change, target)
    }

    /// Registers that hold what never changes, what permutations look up and padding, and one more for
    /// elements beside padding, and for what is put together in pieces or out of bytes where lanes cannot
    /// be masked.
    fn constants(&self, target: &Target, spare: usize) -> usize {
        // That some of very many are counted as one does no harm: no more than a quarter is kept.
        let mut tables = 0u64;
        let (mut padding, mut moment, mut blanked) = (false, false, false);
        let part = |place: u8, count: u8| {
            let (from, bytes) = (place as usize * self.lane, count as usize * self.lane);
            bytes < self.lanes * self.lane && !(from.is_multiple_of(16) && bytes == 16)
        };
        for line in &self.lines {
            match line.op {
                Op::Permute { table, .. } => tables |= 1 << (table % 64),
                Op::Store { a, place, count, blank, .. } => {
                    padding |= a == NONE || blank != 0;
                    blanked |= a != NONE && blank != 0;
                    moment |= part(place, count);
                }
                Op::Load { place, count, .. } => moment |= part(place, count),
                Op::Blend { .. } => moment |= self.lane < 4,
                _ => {}
            }
        }
        let moment = blanked || (moment || spare > 0) && !target.tier.masks();
        // What is done on the way may want one too.
        let kept = tables.count_ones() as usize + padding as usize + (spare > 0) as usize;
        kept.min(target.tier.registers() / 4) + moment as usize
    }
}

const NEVER: u32 = u32::MAX;

/// Where the value of a virtual register is.
#[derive(Clone, Copy, Debug)]
struct Value {
    /// The register, or [`NONE`].
    held: Reg,
    slot: u16,
    /// The line that made it.
    made: u32,
    /// The next line that reads it.
    next: u32,
    /// Whether none has since it was made.
    unread: bool,
}

const NO_SLOT: u16 = u16::MAX;

/// Gives every result a register, of all but `spare`.
pub(super) fn schedule(draft: Draft, spare: usize, target: &Target) -> Program {
    let uses = uses(&draft);
    let budget = target.tier.registers() - spare - draft.constants(target, spare);
    let value = Value { held: NONE, slot: NO_SLOT, made: 0, next: NEVER, unread: true };
    let mut scheduler = Scheduler {
        values: vec![value; draft.registers as usize],
        holds: [NONE; 32],
        free: u32::MAX >> (32 - budget),
        budget,
        added: Vec::new(),
        free_slots: Vec::new(),
        slots: 0,
        used: 0,
        idle: false,
        loads_plainly: draft.change.loads.0 == 0,
    };
    let Draft { lane, lanes, mut lines, tables, .. } = draft;
    for (at, uses) in uses.iter().enumerate() {
        scheduler.line(at, &mut lines, uses);
    }
    let Scheduler { added, slots, used, idle, .. } = scheduler;
    if idle || !added.is_empty() {
        lines = with_added(lines, added);
    }
    Program { lanes, lane, lines, tables, registers: used, slots }
}

/// Lines among those they were added before, and without those that nobody reads.
fn with_added(lines: Vec<Line>, added: Vec<(u32, Line)>) -> Vec<Line> {
    let mut all = Vec::with_capacity(lines.len() + added.len());
    let mut added = added.into_iter().peekable();
    for (at, line) in lines.into_iter().enumerate() {
        while let Some((_, line)) = added.next_if(|(before, _)| *before as usize == at) {
            all.push(line);
        }
        if line.to != NONE || matches!(line.op, Op::Store { .. } | Op::Spill { .. }) {
            all.push(line);
        }
    }
    all
}

/// What a line reads, and which lines read it next.
#[derive(Clone, Copy)]
struct Uses {
    operands: [Reg; 2],
    /// Whether the result takes the place of the second operand.
    keeps: bool,
    /// The next lines that read the operands, and the result.
    next: [u32; 3],
}

/// For each line.
fn uses(draft: &Draft) -> Vec<Uses> {
    let mut next = vec![NEVER; draft.registers as usize];
    let mut uses =
        vec![Uses { operands: [NONE; 2], keeps: false, next: [NEVER; 3] }; draft.lines.len()];
    for (at, line) in draft.lines.iter().enumerate().rev() {
        let one = &mut uses[at];
        one.operands = line.op.reads();
        if line.to != NONE {
            one.next[2] = next[line.to as usize];
            one.keeps = line.op.keeps() != NONE;
        }
        for (k, reg) in one.operands.into_iter().enumerate() {
            if reg != NONE {
                one.next[k] = next[reg as usize];
            }
        }
        for reg in one.operands {
            if reg != NONE {
                next[reg as usize] = at as u32;
            }
        }
    }
    uses
}

struct Scheduler {
    values: Vec<Value>,
    /// The value in each register.
    holds: [Reg; 32],
    /// Registers that hold none, as a mask.
    free: u32,
    budget: usize,
    /// Lines that come in before others.
    added: Vec<(u32, Line)>,
    free_slots: Vec<u16>,
    slots: usize,
    used: usize,
    /// Whether there are lines that make what nobody reads.
    idle: bool,
    /// Whether loads are nothing more.
    loads_plainly: bool,
}

impl Scheduler {
    /// Gives a line its registers, in place; none where nobody reads what it makes.
    fn line(&mut self, at: usize, lines: &mut [Line], uses: &Uses) {
        let Uses { operands, keeps, next } = *uses;
        let value = lines[at].to;
        if value != NONE && next[2] == NEVER {
            lines[at].to = NONE;
            self.idle = true;
            return;
        }
        let mut held = [NONE; 2];
        for reg in operands {
            if reg != NONE && self.values[reg as usize].held == NONE {
                self.bring(reg, operands, at, lines);
            }
        }
        for (k, reg) in operands.into_iter().enumerate() {
            if reg != NONE {
                let value = &mut self.values[reg as usize];
                (held[k], value.next, value.unread) = (value.held, next[k], false);
            }
        }
        let mut to = NONE;
        if keeps && next[1] != NEVER {
            // Somebody else reads it too: what is written over is a copy.
            to = self.register(operands, at, lines);
            self.added.push((at as u32, Line { to, op: Op::Copy { a: held[1] } }));
            held[1] = to;
            self.give(value, to, at, next[2]);
            self.release(operands);
        } else {
            self.release(operands);
            if value != NONE {
                to = if keeps { held[1] } else { self.register(operands, at, lines) };
                self.give(value, to, at, next[2]);
            }
        }
        lines[at].to = to;
        lines[at].op.read_from(held);
    }

    fn hold(&mut self, register: Reg, value: Reg) {
        self.holds[register as usize] = value;
        self.free &= !(1 << register);
    }

    fn give(&mut self, value: Reg, register: Reg, made: usize, next: u32) {
        self.hold(register, value);
        self.values[value as usize] =
            Value { held: register, slot: NO_SLOT, made: made as u32, next, unread: true };
    }

    /// Registers of values that are read no more are free.
    fn release(&mut self, operands: [Reg; 2]) {
        for reg in operands {
            if reg == NONE {
                continue;
            }
            let value = &mut self.values[reg as usize];
            if value.next != NEVER {
                continue;
            }
            if value.held != NONE && self.holds[value.held as usize] == reg {
                self.holds[value.held as usize] = NONE;
                self.free |= 1 << value.held;
            }
            if value.slot != NO_SLOT {
                self.free_slots.push(value.slot);
                value.slot = NO_SLOT;
            }
        }
    }

    /// Brings a value back that had to go.
    fn bring(&mut self, reg: Reg, operands: [Reg; 2], at: usize, lines: &mut [Line]) {
        let to = self.register(operands, at, lines);
        let value = &mut self.values[reg as usize];
        (value.held, value.unread) = (to, false);
        let op = match value.slot {
            NO_SLOT => lines[value.made as usize].op,
            slot => Op::Reload { slot },
        };
        self.hold(to, reg);
        self.added.push((at as u32, Line { to, op }));
    }

    /// A free register, if need be by sending away what is read last; operands stay.
    fn register(&mut self, operands: [Reg; 2], at: usize, lines: &mut [Line]) -> Reg {
        if self.free != 0 {
            let free = self.free.trailing_zeros() as usize;
            self.used = self.used.max(free + 1);
            return free as Reg;
        }
        let movable = |value: &&Reg| !operands.contains(value);
        let held = self.holds[..self.budget].iter().filter(movable);
        let last = held.max_by_key(|value| self.values[**value as usize].next);
        let gone = *last.expect("there are more registers than operands");
        let value = &mut self.values[gone as usize];
        let register = std::mem::replace(&mut value.held, NONE);
        // A plain load can be done again, if nothing else is done with it; all else is kept on the stack.
        let made = lines[value.made as usize].op;
        let plain = matches!(made, Op::Load { keep: NONE, .. } | Op::Repeat { .. });
        let again = plain && self.loads_plainly;
        if again && value.unread {
            // It came too early.
            lines[value.made as usize].to = NONE;
            self.idle = true;
        }
        if !again && value.slot == NO_SLOT {
            value.slot = self.free_slots.pop().unwrap_or_else(|| {
                self.slots += 1;
                (self.slots - 1) as u16
            });
            let op = Op::Spill { a: register, slot: value.slot };
            self.added.push((at as u32, Line { to: NONE, op }));
        }
        self.holds[register as usize] = NONE;
        self.free |= 1 << register;
        register
    }
}
