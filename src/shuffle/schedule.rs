//! Registers. In: operations on as many registers as they like. Out: the same on those that the target
//! has; what does not fit is loaded again, or waits on the stack.

use super::Cost;
use super::op::{Line, NONE, Op, Program, Reg, Table};
use crate::target::Target;

/// Operations as they are found, each result a register of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) lane: usize,
    pub(super) lanes: usize,
    pub(super) lines: Vec<Line>,
    pub(super) tables: Vec<Table>,
    registers: Reg,
}

impl Draft {
    pub(super) fn new(lane: usize, lanes: usize) -> Draft {
        Draft { lane, lanes, lines: Vec::with_capacity(128), tables: Vec::new(), registers: 0 }
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

    /// A table, the same one where it is there already.
    pub(super) fn table(&mut self, table: Table) -> u8 {
        let known = self.tables.iter().position(|known| *known == table);
        known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        }) as u8
    }

    pub(super) fn cost(&self, target: &Target) -> Cost {
        let ops = self.lines.iter().map(|line| &line.op);
        Cost::of(ops, self.lane, self.lane * self.lanes, target)
    }

    /// Registers that hold what never changes: what permutations look up, and padding.
    fn constants(&self, target: &Target) -> usize {
        let mut tables = 0u64;
        let mut padding = false;
        for line in &self.lines {
            match line.op {
                Op::Permute { table, .. } => tables |= 1 << (table % 64),
                Op::Store { a, blank, .. } => padding |= a == NONE || blank != 0,
                _ => {}
            }
        }
        (tables.count_ones() as usize + padding as usize).min(target.tier.registers() / 4)
    }
}

const NEVER: u32 = u32::MAX;

/// Where the value of a virtual register is.
#[derive(Clone, Copy, Debug)]
struct Value {
    /// The register, or [`NONE`].
    held: Reg,
    slot: u8,
    /// The line that made it.
    made: u32,
    /// The next line that reads it.
    next: u32,
}

const NO_SLOT: u8 = u8::MAX;

/// Gives every result a register.
pub(super) fn schedule(draft: Draft, target: &Target) -> Program {
    let reads = next_reads(&draft);
    let budget = target.tier.registers() - draft.constants(target);
    let value = Value { held: NONE, slot: NO_SLOT, made: 0, next: NEVER };
    let mut scheduler = Scheduler {
        values: vec![value; draft.registers as usize],
        holds: vec![NONE; budget],
        lines: Vec::with_capacity(draft.lines.len() + 16),
        free_slots: Vec::new(),
        slots: 0,
        used: 0,
        draft: &draft.lines,
    };
    for (at, line) in draft.lines.iter().enumerate() {
        scheduler.line(at, *line, reads[at]);
    }
    let Scheduler { lines, slots, used, .. } = scheduler;
    let Draft { lane, lanes, tables, .. } = draft;
    Program { lanes, lane, lines, tables, registers: used, slots }
}

/// For each line, the next lines after it that read its first and second operand, and its result.
fn next_reads(draft: &Draft) -> Vec<[u32; 3]> {
    let mut next = vec![NEVER; draft.registers as usize];
    let mut reads = vec![[NEVER; 3]; draft.lines.len()];
    for (at, line) in draft.lines.iter().enumerate().rev() {
        if line.to != NONE {
            reads[at][2] = next[line.to as usize];
        }
        for (k, reg) in line.op.reads().enumerate() {
            reads[at][k] = next[reg as usize];
        }
        for reg in line.op.reads() {
            next[reg as usize] = at as u32;
        }
    }
    reads
}

struct Scheduler<'a> {
    values: Vec<Value>,
    /// The value in each register.
    holds: Vec<Reg>,
    lines: Vec<Line>,
    free_slots: Vec<u8>,
    slots: usize,
    used: usize,
    draft: &'a [Line],
}

impl Scheduler<'_> {
    fn line(&mut self, at: usize, line: Line, next: [u32; 3]) {
        if line.to != NONE && next[2] == NEVER {
            return;
        }
        for reg in line.op.reads() {
            self.bring(reg, &line.op);
        }
        let keep = line.op.keeps();
        for (reg, next) in line.op.reads().zip(next) {
            self.values[reg as usize].next = next;
        }
        let op = line.op.renamed(|reg| match reg {
            NONE => NONE,
            reg => self.values[reg as usize].held,
        });
        let kept = keep != NONE && self.values[keep as usize].next != NEVER;
        let mut op = op;
        if kept {
            // Somebody else reads it too: what is written over is a copy.
            let copy = self.register(&line.op);
            self.lines.push(Line { to: copy, op: Op::Copy { a: self.values[keep as usize].held } });
            set_keep(&mut op, copy);
            self.give(line.to, copy, at, next[2]);
            self.release(&line.op);
            self.lines.push(Line { to: copy, op });
            return;
        }
        self.release(&line.op);
        let to = match line.to {
            NONE => NONE,
            _ if keep != NONE => op.keeps(),
            _ => self.register(&line.op),
        };
        if to != NONE {
            self.give(line.to, to, at, next[2]);
        }
        self.lines.push(Line { to, op });
    }

    fn give(&mut self, value: Reg, register: Reg, made: usize, next: u32) {
        self.holds[register as usize] = value;
        self.values[value as usize] =
            Value { held: register, slot: NO_SLOT, made: made as u32, next };
    }

    /// Registers of values that are read no more are free.
    fn release(&mut self, op: &Op) {
        for reg in op.reads() {
            let value = &mut self.values[reg as usize];
            if value.next != NEVER {
                continue;
            }
            if value.held != NONE && self.holds[value.held as usize] == reg {
                self.holds[value.held as usize] = NONE;
            }
            if value.slot != NO_SLOT {
                self.free_slots.push(value.slot);
                value.slot = NO_SLOT;
            }
        }
    }

    /// Brings a value back that had to go.
    fn bring(&mut self, reg: Reg, op: &Op) {
        if self.values[reg as usize].held != NONE {
            return;
        }
        let register = self.register(op);
        let value = &mut self.values[reg as usize];
        value.held = register;
        let again = self.draft[value.made as usize].op;
        let op = if value.slot == NO_SLOT { again } else { Op::Reload { slot: value.slot } };
        self.holds[register as usize] = reg;
        self.lines.push(Line { to: register, op });
    }

    /// A free register, if need be by sending away what is read last; operands of `op` stay.
    fn register(&mut self, op: &Op) -> Reg {
        if let Some(free) = self.holds.iter().position(|holds| *holds == NONE) {
            self.used = self.used.max(free + 1);
            return free as Reg;
        }
        let movable = |value: &&Reg| !op.reads().any(|reg| reg == **value);
        let last = self.holds.iter().filter(movable).max_by_key(|v| self.values[**v as usize].next);
        let gone = *last.expect("there are more registers than operands");
        let value = &mut self.values[gone as usize];
        let register = std::mem::replace(&mut value.held, NONE);
        let made = self.draft[value.made as usize].op;
        // A plain load can be done again; all else is kept on the stack.
        let again = matches!(made, Op::Load { keep: NONE, .. } | Op::Repeat { .. });
        if !again && value.slot == NO_SLOT {
            value.slot = self.free_slots.pop().unwrap_or_else(|| {
                self.slots += 1;
                (self.slots - 1) as u8
            });
            self.lines.push(Line { to: NONE, op: Op::Spill { a: register, slot: value.slot } });
        }
        self.holds[register as usize] = NONE;
        register
    }
}

fn set_keep(op: &mut Op, to: Reg) {
    if let Op::Load { keep, .. } | Op::Within { keep, .. } | Op::Permute { keep, .. } = op {
        *keep = to;
    }
}
