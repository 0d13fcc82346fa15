//! A machine of lanes. In: a sequence, and what a load gives. Out: what its stores are handed. Tags for
//! lanes check a sequence; bits for lanes run it.

use std::collections::HashMap;

use super::{Movement, NONE, Op, Program, Table};
use crate::target::Target;

/// What a lane holds.
pub trait Lane: Copy {
    /// All bits 0.
    const ZERO: Self;
    /// Both, bit by bit.
    fn or(self, other: Self) -> Self;
}

impl Lane for u64 {
    const ZERO: u64 = 0;

    fn or(self, other: u64) -> u64 {
        self | other
    }
}

/// Registers and stack of lanes.
#[derive(Debug)]
pub struct Machine<T> {
    registers: Vec<[T; 64]>,
    slots: Vec<[T; 64]>,
}

/// A store as it happens: the place of its first element, and for each the lane, or none for padding.
pub type Stored<'a, T> = (isize, &'a [Option<T>]);

impl<T: Lane> Machine<T> {
    /// With all that a sequence uses.
    pub fn new(program: &Program) -> Machine<T> {
        Machine {
            registers: vec![[T::ZERO; 64]; program.registers],
            slots: vec![[T::ZERO; 64]; program.slots],
        }
    }

    /// Runs a sequence: `load` gives the element so many after a place, `store` takes a row of them.
    pub fn run(
        &mut self,
        program: &Program,
        mut load: impl FnMut(isize, usize) -> T,
        mut store: impl FnMut(Stored<'_, T>),
    ) {
        for line in &program.lines {
            let mut to = [T::ZERO; 64];
            let of = |reg: u16| self.registers[reg as usize];
            match line.op {
                Op::Load { at, place, count, keep } => {
                    if keep != NONE {
                        to = of(keep);
                    }
                    for i in 0..count as usize {
                        to[place as usize + i] = load(at, i);
                    }
                }
                Op::Repeat { at, count } => {
                    for (i, lane) in to[..program.lanes].iter_mut().enumerate() {
                        *lane = load(at, i % count as usize);
                    }
                }
                Op::Store { a, at, place, count, blank } => {
                    let row = if a == NONE { to } else { of(a) };
                    let mut lanes = [None; 64];
                    for (i, lane) in lanes[..count as usize].iter_mut().enumerate() {
                        let from = place as usize + i;
                        *lane = (blank >> from & 1 == 0).then_some(row[from]);
                    }
                    store((at, &lanes[..count as usize]));
                }
                Op::Spill { a, slot } => self.slots[slot as usize] = of(a),
                Op::Reload { slot } => to = self.slots[slot as usize],
                ref op => to = self.combined(program, op),
            }
            if line.to != NONE {
                self.registers[line.to as usize] = to;
            }
        }
    }

    /// What an operation makes of registers.
    fn combined(&self, program: &Program, op: &Op) -> [T; 64] {
        let lanes = program.lanes;
        // Lanes of a 16-byte block.
        let block = (16 / program.lane).min(lanes);
        let mut to = [T::ZERO; 64];
        let of = |reg: u16| self.registers[reg as usize];
        match *op {
            Op::Unpack { a, b, grain, high } => {
                let (a, b, grain) = (of(a), of(b), grain as usize);
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    let (start, within) = (i / block * block, i % block);
                    let from = within / (2 * grain) * grain + within % grain;
                    let from = start + from + if high { block / 2 } else { 0 };
                    *lane = if within / grain % 2 == 0 { a[from] } else { b[from] };
                }
            }
            Op::Quads { a, b, pick } => {
                let (a, b, group) = (of(a), of(b), 4 / program.lane);
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    let (start, quad) = (i / block * block, i % block / group);
                    let from = start + pick[quad] as usize * group + i % group;
                    *lane = if quad < 2 { a[from] } else { b[from] };
                }
            }
            Op::Straddle { a, b } => {
                let (a, b) = (of(a), of(b));
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    let half = block / 2;
                    *lane = if i % block < half { a[i + half] } else { b[i - half] };
                }
            }
            Op::Blocks { a, b, pick } => {
                let (a, b) = (of(a), of(b));
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    let from = pick[i / block] as usize * block + i % block;
                    *lane = if i < lanes / 2 { a[from] } else { b[from] };
                }
            }
            Op::Within { a, table, mask, keep } | Op::Permute { a, table, mask, keep, .. } => {
                let within = matches!(op, Op::Within { .. });
                let Table(table) = &program.tables[table as usize];
                let (a, keep) = (of(a), if keep == NONE { to } else { of(keep) });
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    *lane = match table[i] {
                        _ if mask >> i & 1 == 0 => keep[i],
                        Table::ZERO => T::ZERO,
                        from if within => a[i / block * block + from as usize % block],
                        from => a[from as usize],
                    };
                }
            }
            Op::Blend { a, b, mask } => {
                let (a, b) = (of(a), of(b));
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    *lane = if mask >> i & 1 == 1 { b[i] } else { a[i] };
                }
            }
            Op::Or { a, b } => {
                let (a, b) = (of(a), of(b));
                for (i, lane) in to[..lanes].iter_mut().enumerate() {
                    *lane = a[i].or(b[i]);
                }
            }
            Op::Copy { a } => to = of(a),
            Op::Load { .. }
            | Op::Repeat { .. }
            | Op::Store { .. }
            | Op::Spill { .. }
            | Op::Reload { .. } => unreachable!("{op:?} is of memory"),
        }
        to
    }
}

/// The place in the source that a lane's element was loaded from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tag {
    Zero,
    From(isize),
    /// Two elements ored together.
    Mixed,
}

impl Lane for Tag {
    const ZERO: Tag = Tag::Zero;

    fn or(self, other: Tag) -> Tag {
        match (self, other) {
            (Tag::Zero, tag) | (tag, Tag::Zero) => tag,
            _ => Tag::Mixed,
        }
    }
}

/// Whether a sequence moves just what it should: reads only elements, or what lies between them where that may be,
/// hands every place of the destination its own element or padding, once, and keeps to the target's registers and
/// forms.
pub fn check(movement: &Movement, program: &Program, target: &Target) -> Result<(), String> {
    if program.registers > target.tier.registers() - movement.spare {
        return Err(format!("{} registers on {}", program.registers, target.tier));
    }
    legal(program, target)?;
    let mut wanted: HashMap<isize, Option<isize>> = HashMap::new();
    for (dst, src) in movement.places() {
        if wanted.insert(dst, src).is_some() {
            return Err(format!("two positions are stored at {dst}"));
        }
    }
    let readable: std::collections::HashSet<isize> = wanted.values().flatten().copied().collect();
    let [first, last] = [readable.iter().min(), readable.iter().max()].map(|at| at.copied());
    let between = |place: isize| movement.over && first <= Some(place) && Some(place) <= last;
    let mut fault = None;
    let mut stray = None;
    Machine::new(program).run(
        program,
        |at, i| {
            let place = at + (i * movement.src_size) as isize;
            if !readable.contains(&place) && !between(place) {
                stray = Some(format!("reads {place}, where no element is"));
            }
            Tag::From(place)
        },
        |(at, row)| {
            for (i, lane) in row.iter().enumerate() {
                let place = at + (i * movement.dst_size) as isize;
                let expected = wanted.remove(&place);
                let right = match (lane, expected) {
                    (None, Some(None)) => true,
                    (Some(Tag::From(from)), Some(Some(src))) => *from == src,
                    _ => false,
                };
                if !right {
                    fault.get_or_insert(format!("stores {lane:?} at {place}, not {expected:?}"));
                }
            }
        },
    );
    match (stray.or(fault), wanted.keys().next()) {
        (Some(fault), _) => Err(fault),
        (None, Some(place)) => Err(format!("nothing is stored at {place}")),
        (None, None) => Ok(()),
    }
}

/// Whether every operation is one that the tier has.
fn legal(program: &Program, target: &Target) -> Result<(), String> {
    let masks = target.tier.masks();
    let finest = target.tier.permute_grain();
    let every = super::op::every(program.lanes);
    let width = program.lanes * program.lane;
    if !matches!(width, 16 | 32 | 64) || width > target.tier.vector() {
        return Err(format!("registers of {width} bytes on {}", target.tier));
    }
    for line in &program.lines {
        let op = line.op;
        let fault = match op {
            Op::Load { keep, .. } if keep != NONE && line.to != keep => "keeps another register",
            Op::Load { place, count, .. } | Op::Store { place, count, .. }
                if place as usize + count as usize > program.lanes =>
            {
                "leaves the register"
            }
            Op::Within { mask, keep, .. } | Op::Permute { mask, keep, .. }
                if mask != every && (!masks || keep != line.to) =>
            {
                "cannot be masked so"
            }
            Op::Load { count: 0, .. } | Op::Store { count: 0, .. } => "moves nothing",
            Op::Repeat { count, .. } if !repeats(count as usize * program.lane) => {
                "has no such period"
            }
            Op::Blocks { .. } if width == 16 => "has but one block",
            Op::Permute { grain, mask, .. } if !grouped(mask & every, grain) => "is masked in part",
            Op::Permute { table, grain, .. } if !together(program, table, grain, masks) => {
                "takes groups apart"
            }
            Op::Permute { grain, .. } if (grain as usize * program.lane) < finest => {
                "has no such grain"
            }
            _ => continue,
        };
        return Err(format!("{op:?} {fault}"));
    }
    Ok(())
}

/// Whether a load can fill a register with so many bytes again and again.
fn repeats(bytes: usize) -> bool {
    bytes.is_power_of_two() && bytes <= 16
}

/// Whether a permutation moves whole groups of lanes, from where groups are, or zeros where lanes can be
/// masked: an instruction names no more than the group.
fn together(program: &Program, table: u16, grain: u8, masks: bool) -> bool {
    let Table(table) = &program.tables[table as usize];
    let grain = grain as usize;
    table[..program.lanes].chunks(grain).all(|group| match group[0] {
        Table::ZERO => masks && group.iter().all(|from| *from == Table::ZERO),
        first => {
            let whole =
                group.iter().enumerate().all(|(i, from)| *from as usize == first as usize + i);
            (first as usize).is_multiple_of(grain) && whole
        }
    })
}

/// Whether a mask has all lanes of a group or none.
fn grouped(mask: u64, grain: u8) -> bool {
    let group = super::op::every(grain as usize);
    (0..64)
        .step_by(grain as usize)
        .all(|at| matches!(mask >> at & group, own if own == 0 || own == group))
}
