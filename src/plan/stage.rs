//! Staging. In: the steps around a nest's tiles. Out: a buffer that rows of the source are copied to, a line of each,
//! a few side by side, or all of a block, before tiles take them apart: where rows lie so that their lines drive each
//! other out of the cache, each line is read once then, and so are those that the machine fetches with it.
//!
//! Where elements become narrower, and tiles would take pieces of the source that are shorter than registers, the rows
//! are converted on this way, all of a register at once, and tiles move what they have become.

pub(super) mod copied;

use smallvec::SmallVec;

use super::order::{Step, Steps};
use super::rows::{ALIAS, PAGE};
use super::view::View;
use crate::problem::{DST, SRC, VALUES, Zone};
use crate::shuffle::{Change, Cost, Line, NONE, Op, PARTS, Program};

/// How rows of the source are copied first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is inside of the steps before this one takes its source from the buffer.
    pub step: usize,
    /// The loops whose steps are rows, one or two; none where all is a single row.
    pub across: SmallVec<[Across; 2]>,
    /// The loops that are a row.
    pub along: SmallVec<[usize; 4]>,
    /// Bytes of an element in the source, and in the buffer.
    pub sizes: [usize; 2],
    /// Bytes of a row of the buffer at most.
    pub bytes: usize,
    /// Bytes of the buffer that are copied by one sequence: a row, or a part of a single one.
    pub once: usize,
    /// Bytes between rows of the buffer.
    pub pitch: usize,
    /// Bytes of the buffer that a step of each loop leads on, in place of the source's.
    pub strides: SmallVec<[isize; 8]>,
    /// Bytes of the buffer.
    pub size: usize,
    /// What converting all rows takes, in [`PARTS`](crate::shuffle::PARTS) of a cycle.
    pub price: u64,
    /// What it is weighed with beside its price. Where several tiles' are converted at once, that is what more it would
    /// take for each by itself; of a single row, what it waits for memory.
    pub handicap: u64,
    /// Where they are converted, what the whole nest would take by tiles that convert, in the same.
    pub instead: u64,
    /// So many bytes further on in the source lines are asked for meanwhile, into the second level; 0 for none.
    pub ahead: isize,
}

/// A loop whose steps are rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Across {
    /// Which loop of the nest.
    pub index: usize,
    /// Bytes of the source between its rows.
    pub stride: isize,
    /// Bytes of the buffer between them.
    pub pitch: isize,
}

/// Rows of the source.
pub(super) struct Inside {
    /// The loops that are a row, and its bytes.
    along: SmallVec<[usize; 4]>,
    run: usize,
    /// The loops whose steps are rows, and how many of them; those closest to one another first.
    pub(super) across: SmallVec<[(usize, usize); 4]>,
}

/// What there is room for of rows that are copied.
#[derive(Clone, Copy, Debug)]
pub(super) struct Room {
    /// Loops that they are the steps of.
    pub(super) loops: usize,
    /// Bytes of each.
    pub(super) row: usize,
    /// Bytes of all together.
    pub(super) all: usize,
    /// So many lines of each, side by side, are to have room in the first level, or a copy is worth it.
    pub(super) lines: usize,
}

/// No more bytes of the stack for rows that are converted, or copied a line or two of each.
const ROOM: usize = 8 << 10;

/// What going on to the next row takes that is converted, in parts of a cycle.
const ROW: u64 = 2 * PARTS;

/// Rows that are converted are short where they are fewer lines of the buffer.
const SHORT_ROW: usize = 2;

/// Fewer rows than this are not copied: they have room beside each other.
const LEAST_ROWS: usize = 8;

/// A single row is no longer than so many bytes, if it need not be: what is stored is to have room beside it.
const SINGLE: usize = 4 << 10;

/// So many registers of a single row are converted by one sequence, to be done again and again.
const ONCE: usize = 4;

/// One part in so many of the time in which memory gives a single row is waited for: tiles take all of it, and the next
/// row begins late.
const AWAIT: u64 = 2;

impl View<'_> {
    /// The rows of the innermost tiles, if they are in each other's way.
    pub(super) fn stage(&self, takes: &[usize], steps: &[Step]) -> Option<Stage> {
        // Of a source line that tiles take in parts all of it.
        let next = self.next(takes, SRC)?;
        let step = match steps {
            [.., outer, last]
                if last.index == next && outer.index != next && !self.is_shared(next) =>
            {
                steps.len() - 1
            }
            // Tiles take whole lines, all parts of one in a few cycles.
            _ => return None,
        };
        let together = usize::from(self.target.memory.together.max(1));
        let room = Room { loops: 1, row: self.target.line * together, all: ROOM, lines: 1 };
        self.copying(&steps[..step], room)
    }

    /// What is inside of some steps, if it is rows that are in each other's way and have room there.
    pub(super) fn copying(&self, outer: &[Step], room: Room) -> Option<Stage> {
        if self.fills || !self.folds.is_empty() {
            return None;
        }
        let Inside { along, run, across: others } = self.rows_inside(outer);
        let whole = |l: usize| self.zones[l] == Zone::all(self.loops[l].extent);
        let plain = |l: &usize| self.loops[*l].table.is_none() && whole(*l);
        let forward = along.iter().all(|&l| self.stride(l, SRC) > 0);
        let pitch = run.next_multiple_of(self.target.line);
        let few = (1..=room.loops).contains(&others.len());
        let all = || others.iter().map(|(l, _)| l).chain(&along);
        if !few || pitch > room.row || !forward || !all().all(plain) {
            return None;
        }
        let mut strides: SmallVec<[isize; 8]> =
            (0..self.loops.len()).map(|l| self.stride(l, SRC)).collect();
        let mut across: SmallVec<[Across; 2]> = SmallVec::new();
        // Rows lie beside one another in the source as they will in the buffer.
        let (mut rows, mut reach) = (1usize, pitch);
        for &(index, times) in &others {
            let stride = strides[index];
            if stride.unsigned_abs() < reach {
                return None;
            }
            let own = (rows * pitch) as isize;
            across.push(Across { index, stride, pitch: own });
            strides[index] = own;
            rows *= times;
            reach = stride.unsigned_abs().checked_mul(times)?;
        }
        let size = rows.checked_mul(pitch).filter(|size| *size <= room.all)?;
        let lines = room.lines.min(pitch / self.target.line);
        if rows < LEAST_ROWS || !self.drives_out(&self.strides(others), lines) {
            return None;
        }
        let sizes = [self.sizes[SRC]; 2];
        Some(Stage {
            step: outer.len(),
            across,
            along,
            sizes,
            bytes: run,
            once: run,
            pitch,
            strides,
            size,
            price: 0,
            handicap: 0,
            instead: 0,
            ahead: 0,
        })
    }

    /// So many rows are inside of some steps.
    pub(super) fn count_inside(&self, outer: &[Step]) -> usize {
        self.rows_inside(outer).across.iter().map(|(_, times)| times).product()
    }

    /// Rows of the source that are inside of some steps.
    pub(super) fn rows_inside(&self, outer: &[Step]) -> Inside {
        let inside = self.inside_of(outer);
        let mut along: SmallVec<[usize; 4]> = SmallVec::new();
        let mut run = self.sizes[SRC];
        for &l in self.chain(SRC) {
            along.push(l);
            run *= inside[l];
            if inside[l] < self.loops[l].extent {
                break;
            }
        }
        let others = (0..self.loops.len())
            .filter(|l| inside[*l] > 1 && !self.stands_still(*l, SRC) && !along.contains(l));
        let mut across: SmallVec<[(usize, usize); 4]> = others.map(|l| (l, inside[l])).collect();
        across.sort_by_key(|(l, _)| self.stride(*l, SRC).unsigned_abs());
        Inside { along, run, across }
    }

    /// The rows that are converted first: as much of the source as there is room for, that lies in rows of one loop,
    /// each with the same values, or in one row; inside of the steps before `from` at least.
    pub(super) fn converting(&self, steps: &[Step], from: usize, change: Change) -> Option<Stage> {
        (from..=steps.len()).find_map(|step| self.converting_at(steps, step, change))
    }

    /// The rows that are converted first, inside of the steps before `from` at least, with as much of each row at once
    /// as there is room for, where rows are short, or there is one, and the step around leads on along them: they are
    /// ends for the most part, and pieces of what was stored just before wait for it. Or those of fewer rows and more of
    /// each, if that takes less, where a step further out leads on: what is between goes around it then.
    pub(super) fn converting_longer(
        &self,
        steps: &mut Steps,
        from: usize,
        change: Change,
        stage: Stage,
    ) -> Stage {
        let short = if stage.is_single() { SINGLE } else { SHORT_ROW * self.target.line };
        if stage.step == 0 || stage.bytes >= short {
            return stage;
        }
        let around = self.longer(steps, &stage, stage.step - 1, change).map(|(steps, other)| {
            // Weighed as short ones.
            let saved = stage.price.saturating_sub(other.price);
            (steps, Stage { handicap: stage.handicap.saturating_add(saved), ..other })
        });
        let best = around.unwrap_or_else(|| (steps.clone(), stage));
        let further = |step: usize| {
            let short = self.converting_at(steps, step, change)?;
            self.longer(steps, &short, step.checked_sub(2)?, change)
        };
        // Memory wants rows of the source one after the other.
        let from = if self.is_beyond() { usize::MAX } else { from };
        let all = (from..=steps.len()).filter_map(further);
        let (found, stage) = all.fold(best, |best, other| match other.1.price < best.1.price {
            true => other,
            false => best,
        });
        *steps = found;
        stage
    }

    /// Rows that go on over as many of a step around them as there is room for, if that leads on along them. What it
    /// leads to in the destination stays within a page where other steps are between.
    fn longer(
        &self,
        steps: &Steps,
        short: &Stage,
        at: usize,
        change: Change,
    ) -> Option<(Steps, Stage)> {
        let Step { index, by, ref within, .. } = steps[at];
        let between = &steps[at + 1..short.step];
        let extent = self.loops[index].extent;
        let known = between.iter().any(|step| step.index == index);
        if known || !within.is_empty() || !extent.is_multiple_of(by) {
            return None;
        }
        let (apart, times) = (self.stride(index, DST).unsigned_abs(), extent / by);
        let room = if short.is_single() { SINGLE } else { ROOM };
        let room = room / (short.size / short.pitch * short.bytes);
        let near = if between.is_empty() { usize::MAX } else { PAGE / apart.max(1) / by };
        let parts =
            (2..=times.min(room).min(near)).rev().filter(|part| times.is_multiple_of(*part));
        { parts }.find_map(|part| {
            let mut longer = steps.clone();
            let own = longer.remove(at);
            longer.insert(short.step - 1, own);
            if part < times {
                longer.insert(at, Step::new(index, by * part));
            }
            let inside = if part < times { short.step } else { short.step - 1 };
            let stage = self.converting_at(&longer, inside, change)?;
            stage.along.contains(&index).then_some((longer, stage))
        })
    }

    fn converting_at(&self, steps: &[Step], step: usize, change: Change) -> Option<Stage> {
        let [from, to] = self.sizes;
        if steps[step..].iter().any(|step| self.is_shared(step.index)) {
            return None;
        }
        let inside = self.inside_of(&steps[..step]);
        let mut along: SmallVec<[usize; 4]> = SmallVec::new();
        let mut run = 1;
        for &l in self.chain(SRC) {
            if inside[l] > 1 {
                along.push(l);
                run *= inside[l];
            }
            if inside[l] < self.loops[l].extent {
                break;
            }
        }
        let all = 0..self.loops.len();
        let others = all.clone().filter(|l| inside[*l] > 1 && !along.contains(l));
        let others: SmallVec<[usize; 4]> = others.collect();
        let across = match others[..] {
            [] => None,
            [across] => Some(across),
            _ => return None,
        };
        let whole = |l: usize| self.zones[l] == Zone::all(self.loops[l].extent);
        let plain = |l: usize| self.loops[l].table.is_none() && whole(l);
        let even = |l: usize| self.loops[l].strides[VALUES].iter().all(|stride| *stride == 0);
        let row = |l: usize| plain(l) && even(l) && self.stride(l, SRC) > 0;
        let apart = |l: usize| plain(l) && self.stride(l, SRC).unsigned_abs() >= run * from;
        let long = run >= change.unit.into();
        if !across.is_none_or(apart) || !along.iter().all(|&l| row(l)) || !long {
            return None;
        }
        let bytes = run * to;
        let pitch = bytes.next_multiple_of(self.target.line);
        let rows = across.map_or(1, |l| inside[l]);
        let size = rows.checked_mul(pitch).filter(|size| *size <= ROOM)?;
        let stage = |l: usize| match Some(l) == across {
            true => pitch as isize,
            // What is not inside stands still meanwhile.
            false => self.stride(l, SRC) / from as isize * to as isize,
        };
        let strides = all.map(stage).collect();
        let vector = self.target.tier.vector();
        let once = if across.is_none() { run.min(ONCE * vector / to) } else { run };
        let cost = |count: usize| {
            let program = row_of([from, to], vector, count);
            let ops = program.lines.iter().map(|line| &line.op);
            Cost::of(ops, to, vector, change, self.target).bound(self.target) + ROW
        };
        let (whole, left) = ((run / once) as u64, run % once);
        let row = whole * cost(once) + if left > 0 { cost(left) } else { 0 };
        let extents = self.loops.iter().map(|node| node.extent);
        let all = (extents.fold(1, usize::saturating_mul) / run) as u64;
        let waits = match across {
            Some(_) => 0,
            None => {
                (run * from) as u64 * PARTS / self.target.rate(self.terms.demand.places) / AWAIT
            }
        };
        let sizes = self.sizes;
        let across = across.into_iter().map(|index| {
            let stride = self.stride(index, SRC);
            Across { index, stride, pitch: pitch as isize }
        });
        Some(Stage {
            step,
            across: across.collect(),
            along,
            sizes,
            bytes,
            once: once * to,
            pitch,
            strides,
            size,
            price: row.saturating_mul(all),
            handicap: waits.saturating_mul(all),
            instead: 0,
            ahead: 0,
        })
    }

    /// The loops that lead from row to row of the source within a tile: their strides, and how many steps.
    pub(super) fn apart(&self, takes: &[usize]) -> SmallVec<[(isize, usize); 4]> {
        let own = self.own(takes, SRC);
        let across = |l: &usize| takes[*l] > 1 && !self.stands_still(*l, SRC) && !own.contains(l);
        self.strides((0..takes.len()).filter(across).map(|l| (l, takes[l])))
    }

    /// The strides of some loops in the source, with how many steps of each.
    pub(super) fn strides(
        &self,
        loops: impl IntoIterator<Item = (usize, usize)>,
    ) -> SmallVec<[(isize, usize); 4]> {
        loops.into_iter().map(|(l, times)| (self.stride(l, SRC), times)).collect()
    }

    /// Whether rows have more lines in a set of the first level than there are ways, so many side by side of each,
    /// counted set by set; those rows that some loops make, given as their strides and how many steps.
    pub(super) fn drives_out(&self, loops: &[(isize, usize)], lines: usize) -> bool {
        let line = self.target.line;
        let mut sets = [0u16; 64];
        let count = (ALIAS / line).clamp(1, sets.len());
        let rows: usize = loops.iter().map(|(_, times)| times).product();
        (0..rows).any(|mut row| {
            let lead = |&(stride, times): &(isize, usize)| {
                let step = row % times;
                row /= times;
                stride.wrapping_mul(step as isize).rem_euclid(ALIAS as isize) as usize
            };
            let at: usize = loops.iter().map(lead).sum();
            (0..lines).any(|next| {
                let set = &mut sets[(at % ALIAS / line + next) % count];
                *set += 1;
                *set > self.target.memory.ways
            })
        })
    }
}

impl Stage {
    /// Whether all that is copied is one row.
    pub fn is_single(&self) -> bool {
        self.across.is_empty()
    }

    /// Whether elements are converted on the way.
    pub fn converts(&self) -> bool {
        self.sizes[SRC] != self.sizes[DST]
    }

    /// Where an element is in the buffer that would be `at` bytes from where a tile starts in the source, of which it
    /// takes so many `rows` of each loop across.
    pub(crate) fn place(&self, at: isize, rows: &[usize]) -> isize {
        let [from, to] = self.sizes.map(|size| size as isize);
        let bytes = self.bytes as isize / to * from;
        let times = |k: usize| rows.get(k).map_or(1, |rows| *rows as isize);
        let rows = (0..times(1)).flat_map(|outer| (0..times(0)).map(move |inner| [inner, outer]));
        let lead = |row: [isize; 2], side: fn(&Across) -> isize| -> isize {
            self.across.iter().zip(row).map(|(across, i)| side(across) * i).sum()
        };
        let start = |row: &[isize; 2]| lead(*row, |across| across.stride);
        let row = { rows }.find(|row| (0..bytes).contains(&(at - start(row))));
        let row = row.unwrap_or_else(|| unreachable!("a row for byte {at}"));
        (at - start(&row)) / from * to + lead(row, |across| across.pitch)
    }

    /// The sequence that copies so many elements of a row.
    pub(crate) fn row(&self, vector: usize, count: usize) -> Program {
        row_of(self.sizes, vector, count)
    }
}

fn row_of([from, to]: [usize; 2], vector: usize, count: usize) -> Program {
    let lanes = vector / to;
    let mut lines = Vec::new();
    for first in (0..count).step_by(lanes) {
        let [source, buffer] = [from, to].map(|size| (first * size) as isize);
        let count = lanes.min(count - first) as u8;
        lines.push(Line { to: 0, op: Op::Load { at: source, place: 0, count, keep: NONE } });
        let store = Op::Store { a: 0, at: buffer, place: 0, count, blank: 0 };
        lines.push(Line { to: NONE, op: store });
    }
    Program { lanes, lane: to, lines, registers: 1, ..Program::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::{Locality, planned_by};

    /// Whichever way rows lie, with lines between them or right behind one another, as they are or narrower.
    #[test]
    fn elements_keep_their_place_in_the_row() {
        let rows = [(4096, 64), (-4096, 64), (64, 16), (-64, 16), (1000, 33), (96, 1)];
        for ((stride, count), sizes) in
            rows.into_iter().zip([[1, 1], [4, 1], [4, 2], [2, 1]].into_iter().cycle())
        {
            let (strides, along) = (SmallVec::from_iter([64, 1]), SmallVec::from_iter([1]));
            let (bytes, pitch) = (count * sizes[DST], 128);
            let across = SmallVec::from_iter([Across { index: 0, stride, pitch: 128 }]);
            let stage = Stage {
                step: 1,
                across,
                along,
                sizes,
                bytes,
                once: bytes,
                pitch,
                strides,
                size: 20 * pitch,
                price: 0,
                handicap: 0,
                instead: 0,
                ahead: 0,
            };
            for row in (0..20).step_by(if cfg!(miri) { 7 } else { 1 }) {
                for k in 0..count as isize {
                    let (at, place) = (k * sizes[SRC] as isize, k * sizes[DST] as isize);
                    let found = stage.place(row * stride + at, &[20]);
                    assert_eq!(found, row * 128 + place, "{stage:?}");
                }
            }
        }
    }

    /// What lies in one piece is a single row, where converting its pieces would take longer than what it waits for.
    #[test]
    fn what_lies_in_one_piece_is_converted_as_one_row() {
        let row = |pair: &str, attr: &str| {
            let attr: crate::Attr = attr.parse().unwrap();
            let plan = planned_by(pair, &attr, "spr".parse().unwrap(), Locality::Auto);
            let stage = plan.nests().next().unwrap().tiling.as_ref().unwrap().stage.clone();
            stage.map(|stage| (stage.is_single(), stage.bytes, stage.once))
        };
        let scaled = "--src-scale=common";
        assert_eq!(row("bf16:ab:4096x17 s8:ba", scaled), Some((true, 2176, 256)));
        assert_eq!(row("f32:ab:4096x18 bf16:ba", ""), None);
        assert_eq!(row("bf16:ab:4096x64 s8:ba", scaled), None);
    }
}
