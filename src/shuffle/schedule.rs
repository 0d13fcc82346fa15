//! Registers. In: operations on as many registers as they like. Out: the same on those that the target
//! has; what does not fit is loaded again, or waits on the stack.

use super::mix::mix;
use super::op::{Line, NONE, Op, Program, Reg, Table};
use super::{Change, Cost};
use crate::target::Target;

/// Sequences that need many tables are not made better by looking through all of them.
const LATEST: usize = 24;

/// So many stores have registers of their own at a time, whatever else is under way.
const FEW_STORES: usize = 8;

/// Fewer operations on as many elements as are changed at a time, as they are stored, are worth no other order.
const MUCH: u8 = 3;

/// The fewest operations that are mixed with permutations: as elements are loaded, and as they are stored.
const MIXED: [u8; 2] = [5, 6];

/// As they are stored where bytes are permuted: elements become longer by that, beside which the rest is less.
const MIXED_BYTES: u8 = 4;

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
        Cost::of_lines(&self.lines, self.lane, self.lanes, self.change, target)
    }

    /// Puts stores behind all else, where there are few of them and much is done to each element: what they begin with
    /// is there by then, and the operations that they take do not wait for it one after the other.
    fn store_last(&mut self) {
        let stores = |line: &Line| matches!(line.op, Op::Store { .. });
        let few = self.lines.iter().filter(|line| stores(line)).count() <= FEW_STORES;
        if few && self.change.stores.0 >= MUCH {
            self.lines.sort_by_key(stores);
        }
    }

    /// Mixes operations of all kinds where much is done to each element.
    fn mix(&mut self, target: &Target) {
        let [loads, stores] = MIXED;
        let stores = if target.spreads() { MIXED_BYTES } else { stores };
        if self.change.loads.0 >= loads || self.change.stores.0 >= stores {
            self.lines = mix(&self.lines, self.registers as usize);
        }
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
    /// The last line that reads it; [`NEVER`] where none does.
    last: u32,
    /// The next one, once it matters which register is wanted last.
    next: u32,
    /// Whether none has since it was made.
    unread: bool,
}

const NO_SLOT: u16 = u16::MAX;

/// Gives every result a register, of all but `spare`.
pub(super) fn schedule(mut draft: Draft, spare: usize, target: &Target) -> Program {
    // Neither order was tried on the other's cores; stores last, only where there are many registers.
    match target.ports.extracts {
        true if target.tier.masks() => draft.store_last(),
        true => {}
        false => draft.mix(target),
    }
    let budget = target.tier.registers() - spare - draft.constants(target, spare);
    let mut scheduler = Scheduler {
        values: values(&draft),
        holds: [NONE; 32],
        free: u32::MAX >> (32 - budget),
        budget,
        uses: None,
        added: Vec::new(),
        free_slots: Vec::new(),
        slots: 0,
        used: 0,
        idle: false,
        loads_plainly: draft.change.loads.0 == 0,
    };
    let reaches = draft.change.reaches(target);
    let Draft { lane, lanes, mut lines, tables, .. } = draft;
    for at in 0..lines.len() {
        scheduler.line(at, &mut lines);
    }
    let Scheduler { added, slots, used, idle, .. } = scheduler;
    if idle || !added.is_empty() {
        lines = with_added(lines, added);
    }
    Program { lanes, lane, lines, tables, registers: used, slots, reaches }
}

/// The values before any is made.
fn values(draft: &Draft) -> Vec<Value> {
    let none = Value { held: NONE, slot: NO_SLOT, made: 0, last: NEVER, next: NEVER, unread: true };
    let mut values = vec![none; draft.registers as usize];
    for (at, line) in draft.lines.iter().enumerate() {
        for reg in line.op.reads().into_iter().filter(|reg| *reg != NONE) {
            values[reg as usize].last = at as u32;
        }
    }
    values
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

/// The lines from one on: which read their operands next, and their result.
struct Uses {
    first: usize,
    next: Vec<[u32; 3]>,
}

impl Uses {
    /// Of the lines from `first` on, which have no registers yet; and of each value the line that reads it next.
    fn of(lines: &[Line], first: usize, values: &mut [Value]) -> Uses {
        let mut next = vec![[NEVER; 3]; lines.len() - first];
        for (at, line) in lines.iter().enumerate().skip(first).rev() {
            let operands = line.op.reads();
            let of = |reg: Reg| values.get(reg as usize).map_or(NEVER, |value| value.next);
            next[at - first] = [of(operands[0]), of(operands[1]), of(line.to)];
            // What the first of them reads is read already.
            for reg in operands.into_iter().filter(|reg| *reg != NONE && at > first) {
                values[reg as usize].next = at as u32;
            }
        }
        Uses { first, next }
    }
}

struct Scheduler {
    values: Vec<Value>,
    /// The value in each register.
    holds: [Reg; 32],
    /// Registers that hold none, as a mask.
    free: u32,
    budget: usize,
    /// Made where the registers do not suffice.
    uses: Option<Uses>,
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
    fn line(&mut self, at: usize, lines: &mut [Line]) {
        let Line { to: value, op } = lines[at];
        if value != NONE && self.values[value as usize].last == NEVER {
            lines[at].to = NONE;
            self.idle = true;
            return;
        }
        let operands = op.reads();
        let mut held = [NONE; 2];
        for (k, reg) in operands.into_iter().enumerate() {
            if reg == NONE {
                continue;
            }
            if self.values[reg as usize].held == NONE {
                self.bring(reg, operands, at, lines);
            }
            let value = &mut self.values[reg as usize];
            (held[k], value.unread) = (value.held, false);
            if let Some(uses) = &self.uses {
                value.next = uses.next[at - uses.first][k];
            }
        }
        let keeps = op.keeps();
        let mut to = NONE;
        if keeps != NONE && self.values[keeps as usize].last != at as u32 {
            // Somebody else reads it too: what is written over is a copy.
            to = self.register(operands, at, lines);
            self.added.push((at as u32, Line { to, op: Op::Copy { a: held[1] } }));
            held[1] = to;
            self.give(value, to, at);
            self.release(operands, at);
        } else {
            self.release(operands, at);
            if value != NONE {
                to = if keeps != NONE { held[1] } else { self.register(operands, at, lines) };
                self.give(value, to, at);
            }
        }
        let line = &mut lines[at];
        line.to = to;
        line.op.read_from(held);
    }

    fn hold(&mut self, register: Reg, value: Reg) {
        self.holds[register as usize] = value;
        self.free &= !(1 << register);
    }

    fn give(&mut self, value: Reg, register: Reg, made: usize) {
        self.hold(register, value);
        let value = &mut self.values[value as usize];
        (value.held, value.made) = (register, made as u32);
        if let Some(uses) = &self.uses {
            value.next = uses.next[made - uses.first][2];
        }
    }

    /// Registers of values that are read no more are free.
    fn release(&mut self, operands: [Reg; 2], at: usize) {
        for reg in operands.into_iter().filter(|reg| *reg != NONE) {
            let value = &mut self.values[reg as usize];
            if value.last != at as u32 {
                continue;
            }
            self.free |= 1 << value.held;
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
    #[inline]
    fn register(&mut self, operands: [Reg; 2], at: usize, lines: &mut [Line]) -> Reg {
        if self.free == 0 {
            return self.send_away(operands, at, lines);
        }
        let free = self.free.trailing_zeros() as usize;
        self.used = self.used.max(free + 1);
        free as Reg
    }

    /// The register of what is read last, operands apart, which is kept elsewhere or loaded again.
    #[cold]
    fn send_away(&mut self, operands: [Reg; 2], at: usize, lines: &mut [Line]) -> Reg {
        if self.uses.is_none() {
            self.uses = Some(Uses::of(lines, at, &mut self.values));
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rows, each loaded and stored, of elements to which so much is done.
    fn order(target: &str, much: u8) -> String {
        let change = Change { unit: 16, stores: (much, 1), ..Change::default() };
        let mut draft = Draft::new(1, 16, change);
        for at in [0, 16] {
            let a = draft.push(Op::Load { at, place: 0, count: 16, keep: NONE });
            draft.store(Op::Store { a, at, place: 0, count: 16, blank: 0 });
        }
        let program = schedule(draft, 5, &target.parse().unwrap());
        let is_store = |line: &Line| matches!(line.op, Op::Store { .. });
        program.lines.iter().map(|line| if is_store(line) { 's' } else { 'l' }).collect()
    }

    #[test]
    fn stores_come_last_where_they_take_long() {
        assert_eq!(order("zen4", 3), "llss");
        assert_eq!(order("zen4", 2), "lsls");
        assert_eq!(order("zen4:avx2", 3), "lsls");
        assert_eq!(order("spr", 3), "lsls");
    }
}
