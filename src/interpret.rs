//! The portable tier. In: a plan, bases, buffers and values. Out: the destination written, by ordinary
//! Rust that any CPU runs; inner loops are simple enough for the compiler to make vectors of.
//!
//! The loops of a nest are walked from the outside, offsets carried along; the two innermost are one
//! call of a kernel that knows the element size. Where a loop steps along a fold, the fold is taken
//! apart at the innermost loop, once for each run that stays within its digits.
#![allow(unsafe_code)] // The byte access: buffers are raw pointers, as the callers' regions may interleave.

mod element;
mod tiles;

use std::ops::Range;

use crate::attr::Values;
use crate::plan::{Cut, Nest, Plan, Sharing, Work};
use crate::problem::{Bases, DST, MAX_FOLDS, Node, SRC, Strides};
use tiles::Tiles;

/// Both buffers, from their starts.
#[derive(Clone, Copy)]
pub(crate) struct Buffers {
    pub(crate) src: *const u8,
    pub(crate) dst: *mut u8,
}

/// Runs one of `count` tasks of a plan; `sums` are the destination's bytes that hold appended sums.
///
/// # Safety
///
/// - `plan` and `bases` come from two layouts and attributes that [`crate::Attr::sizes`] accepts.
/// - `buffers.src` is valid for reads, and `buffers.dst` for reads and writes, of all bytes of their
///   layouts' footprints and of the appended sums; both are aligned for their elements.
/// - No byte of one footprint is in the other, and nobody writes to the source's, or reads or writes
///   those of the destination that this task writes, meanwhile.
/// - `values` holds as many values as the masks ask for.
pub(crate) unsafe fn run(
    plan: &Plan,
    bases: &Bases,
    sums: Range<usize>,
    buffers: Buffers,
    values: &Values<'_>,
    task: usize,
    count: usize,
) {
    // SAFETY: the same contract.
    unsafe { clear(plan, bases, sums, buffers, task, count) };
    let nests = plan.nests();
    for nest in nests {
        // SAFETY: the same contract; the ranges of different tasks do not meet, as `range` says.
        unsafe { walk(plan, nest, bases, buffers, values, task, count) };
    }
}

/// Sets the sums that are one task's to zero, as it is done before anything is added to them. Apart from its callers:
/// short runs that have no use for it are a hundredth faster.
///
/// # Safety
///
/// As for [`run`].
#[inline(never)]
pub(crate) unsafe fn clear(
    plan: &Plan,
    bases: &Bases,
    sums: Range<usize>,
    buffers: Buffers,
    task: usize,
    count: usize,
) {
    if count == 1 || plan.sharing == Sharing::Whole && task == 0 {
        // SAFETY: the sums are part of the destination, and all of them this task's.
        return unsafe { buffers.dst.add(sums.start).write_bytes(0, sums.len()) };
    }
    for nest in &plan.clear {
        // SAFETY: the same contract.
        unsafe { walk(plan, nest, bases, buffers, &Values::default(), task, count) };
    }
}

/// One nest, as far as it is a task's.
///
/// # Safety
///
/// As for [`run`].
unsafe fn walk(
    plan: &Plan,
    nest: &Nest,
    bases: &Bases,
    buffers: Buffers,
    values: &Values<'_>,
    task: usize,
    count: usize,
) {
    let mut at = bases.0;
    add(&mut at, &nest.start, 1);
    // SAFETY: the same contract.
    unsafe { Walk { plan, nest, buffers, values }.task(at, task, count) };
}

/// A place so many steps on. What is added up on the way to a place need not be one: a base is where all nodes are at
/// 0, which may be nowhere in the buffer, and a digit of a fold leads back where it ends. So parts may be past what
/// numbers hold, and come round; all of it together is in the buffer, and is right whichever way its parts went.
fn on(at: isize, stride: isize, steps: isize) -> isize {
    at.wrapping_add(stride.wrapping_mul(steps))
}

/// The place of every operand so many steps on.
fn add(at: &mut Strides, strides: &Strides, steps: isize) {
    for (at, stride) in at.iter_mut().zip(strides) {
        *at = on(*at, *stride, steps);
    }
}

/// The places of both sides at a step of a loop's table, where it has one.
fn add_listed(at: &mut Strides, node: &Node, step: usize) {
    if let Some(table) = &node.table {
        at[SRC] = on(at[SRC], table[step].0, 1);
        at[DST] = on(at[DST], table[step].1, 1);
    }
}

/// The share of `task` of so many steps, in multiples of `granule`.
fn share(steps: usize, granule: usize, task: usize, count: usize) -> Range<usize> {
    let groups = steps.div_ceil(granule);
    let cut = |task: usize| {
        let group = (groups as u128 * task as u128 / count as u128) as usize;
        (group * granule).min(steps)
    };
    cut(task)..cut(task + 1)
}

/// One nest at work.
struct Walk<'a> {
    plan: &'a Plan,
    nest: &'a Nest,
    buffers: Buffers,
    values: &'a Values<'a>,
}

/// What a task has of a nest.
enum Own {
    Nothing,
    All,
    /// Its share of the steps of so many outer loops, in multiples of `granule`.
    Outer {
        loops: usize,
        granule: usize,
    },
    /// These steps of the outermost loop, which lies along the line that tasks share.
    Line(Range<usize>),
}

/// A position along each fold of the problem; on the stack, since running allocates nothing.
type Positions = arrayvec::ArrayVec<isize, MAX_FOLDS>;

impl Walk<'_> {
    /// # Safety
    ///
    /// As for [`run`].
    unsafe fn task(&self, at: Strides, task: usize, count: usize) {
        let nest = self.nest;
        let mut folds: Positions = nest.fold_starts(&self.plan.problem).collect();
        let own = self.own(task, count);
        match &nest.tiling {
            Some(tiling) => {
                let tiles = Tiles::new(self.plan, nest, tiling, self.buffers, self.values);
                let (steps, times) = match own {
                    Own::Nothing => return,
                    Own::All => (0, 0..1),
                    Own::Outer { loops, granule } => {
                        (loops, share(tiles.times(loops), granule, task, count))
                    }
                    // SAFETY: as for `run`; other tasks take other steps of the shared line.
                    Own::Line(steps) => return unsafe { tiles.span(steps, at, &folds) },
                };
                // SAFETY: as for `run`; other tasks take other times.
                unsafe { tiles.share(steps, times, at, &folds) };
            }
            None => match own {
                Own::Nothing => {}
                // SAFETY: as for `run`; no other task has any of it.
                Own::All => unsafe { self.loops(&nest.loops, at, &mut folds) },
                Own::Outer { loops, granule } => {
                    let steps = nest.loops[..loops].iter().map(|node| node.extent).product();
                    let own = share(steps, granule, task, count);
                    // SAFETY: as for `run`; other tasks take other steps of the outer loops.
                    unsafe { self.outer(loops, own, at, &folds) };
                }
                Own::Line(steps) => {
                    let (shared, inner) = nest.loops.split_first().expect("a nest along the line");
                    // SAFETY: as for `run`; other tasks take other steps of the shared line.
                    unsafe { self.span(shared, steps, inner, at, &mut folds) };
                }
            },
        }
    }

    /// What a task has of the nest.
    fn own(&self, task: usize, count: usize) -> Own {
        let first_task = if task == 0 { Own::All } else { Own::Nothing };
        match (self.plan.sharing, self.nest.cut) {
            (Sharing::Whole, _) | (_, Cut::Outer { loops: 0, .. }) => first_task,
            (_, Cut::Outer { loops, granule }) => Own::Outer { loops, granule },
            (Sharing::Line { steps, granule, .. }, Cut::Shared { walks, first }) => {
                let own = share(steps, granule, task, count);
                match walks {
                    true => {
                        let within = first..first + self.nest.loops[0].extent;
                        let clamp = |step: usize| step.clamp(within.start, within.end) - first;
                        Own::Line(clamp(own.start)..clamp(own.end))
                    }
                    false if own.contains(&first) => Own::All,
                    false => Own::Nothing,
                }
            }
            (Sharing::Nests, Cut::Shared { .. }) => {
                unreachable!("nests are cut as the plan shares")
            }
        }
    }

    /// Steps of the outer loops, walked as one, in parts that are steps of the innermost of them.
    ///
    /// # Safety
    ///
    /// As for [`Walk::loops`].
    unsafe fn outer(&self, loops: usize, mut left: Range<usize>, at: Strides, folds: &Positions) {
        let (outer, inner) = self.nest.loops.split_at(loops);
        let (last, outer) = outer.split_last().expect("a cut is at a loop");
        while !left.is_empty() {
            let (mut at, mut folds) = (at, folds.clone());
            let mut rest = left.start / last.extent;
            for node in outer.iter().rev() {
                advance(node, rest % node.extent, &mut at, &mut folds);
                rest /= node.extent;
            }
            let first = left.start % last.extent;
            let end = last.extent.min(first + left.len());
            // SAFETY: the same contract, a part of it.
            unsafe { self.span(last, first..end, inner, at, &mut folds) };
            left.start += end - first;
        }
    }

    /// Some steps of a loop around others.
    ///
    /// # Safety
    ///
    /// As for [`Walk::loops`].
    unsafe fn span(
        &self,
        node: &Node,
        steps: Range<usize>,
        inner: &[Node],
        mut at: Strides,
        folds: &mut Positions,
    ) {
        match inner {
            [] if node.table.is_none() => {
                advance(node, steps.start, &mut at, folds);
                // SAFETY: the place of the first step, and so many from there.
                unsafe { self.fold_run(Some(node), steps.len(), at, folds) };
                retreat(node, steps.start, folds);
            }
            [inner] if folds.is_empty() && node.is_plain() && inner.is_plain() => {
                advance(node, steps.start, &mut at, folds);
                let (outer, inner) = ((steps.len(), &node.strides), (inner.extent, &inner.strides));
                // SAFETY: the place of the first step, so many from there, and a loop around it.
                unsafe { self.rows(outer, inner, at) };
            }
            _ => {
                for step in steps {
                    let mut at = at;
                    advance(node, step, &mut at, folds);
                    // SAFETY: a step of the loop is a place within the nest.
                    unsafe { self.loops(inner, at, folds) };
                    retreat(node, step, folds);
                }
            }
        }
    }

    /// Walks loops from the outside.
    ///
    /// # Safety
    ///
    /// As for [`run`], `at` and `folds` being a place within the nest.
    unsafe fn loops(&self, loops: &[Node], at: Strides, folds: &mut Positions) {
        match loops.split_first() {
            // SAFETY: the same place.
            None => unsafe { self.fold_run(None, 1, at, folds) },
            // SAFETY: the same place, and all steps of the loop around it.
            Some((outer, inner)) => unsafe { self.span(outer, 0..outer.extent, inner, at, folds) },
        }
    }

    /// The innermost loop, in runs that stay within the digits of every fold.
    ///
    /// # Safety
    ///
    /// As for [`Walk::loops`].
    unsafe fn fold_run(&self, inner: Option<&Node>, extent: usize, at: Strides, folds: &Positions) {
        let none = [0; crate::problem::OPERANDS];
        let strides = inner.map_or(&none, |node| &node.strides);
        if folds.is_empty() {
            // SAFETY: the same place and loop.
            return unsafe { self.rows((1, &none), (extent, strides), at) };
        }
        let steps = |fold: usize| {
            let own = inner.and_then(|node| node.folds.iter().find(|own| own.0 as usize == fold));
            own.map_or(0, |own| own.1)
        };
        let mut done = 0;
        while done < extent {
            let mut place = at;
            add(&mut place, strides, done as isize);
            let (mut run, mut strides) = (extent - done, *strides);
            for (i, fold) in self.plan.problem.folds.iter().enumerate() {
                let operand = fold.side();
                if !self.nest.counts(i as u8, fold) {
                    continue;
                }
                let step = steps(i);
                let position = on(folds[i], step, done as isize);
                place[operand] = on(place[operand], fold.bytes(position), 1);
                let (radix, stride) = fold.digits[0];
                strides[operand] = on(strides[operand], stride, step);
                if step != 0 && fold.digits.len() > 1 {
                    let within = position.rem_euclid(radix);
                    let left = if step > 0 { (radix - 1 - within) / step } else { within / -step };
                    run = run.min(left as usize + 1);
                }
            }
            // SAFETY: within the run every fold steps evenly, so its places are the nest's.
            unsafe { self.rows((1, &none), (run, &strides), place) };
            done += run;
        }
    }

    /// The work at each place of two loops.
    ///
    /// # Safety
    ///
    /// As for [`Walk::loops`]; every place of the loops is one of the nest's.
    unsafe fn rows(&self, outer: (usize, &Strides), inner: (usize, &Strides), at: Strides) {
        let problem = &self.plan.problem;
        match self.nest.work {
            Work::Fill(bits) => {
                for step in 0..outer.0 {
                    let offset = on(at[DST], outer.1[DST], step as isize);
                    // SAFETY: the places are the nest's, so within the destination's footprint.
                    unsafe {
                        let dst = self.buffers.dst.wrapping_offset(offset);
                        element::fill(problem.dst, bits, dst, inner.1[DST], inner.0);
                    }
                }
            }
            Work::Clear(operand) => {
                let operand = operand as usize;
                for i in 0..outer.0 as isize {
                    for j in 0..inner.0 as isize {
                        let offset = on(on(at[operand], outer.1[operand], i), inner.1[operand], j);
                        // SAFETY: sums are part of the destination, one for each masked position.
                        unsafe { element::store_sum(self.buffers.dst.wrapping_offset(offset), 0) };
                    }
                }
            }
            Work::Move => {
                let moves = element::Moves { problem, values: self.values, buffers: self.buffers };
                // SAFETY: the places are the nest's, so within both footprints.
                unsafe { moves.rows(outer, inner, at) };
            }
        }
    }
}

fn advance(node: &Node, step: usize, at: &mut Strides, folds: &mut Positions) {
    add_listed(at, node, step);
    add(at, &node.strides, step as isize);
    for &(fold, weight) in &node.folds {
        folds[fold as usize] = on(folds[fold as usize], weight, step as isize);
    }
}

/// Undoes what [`advance`] did to folds.
fn retreat(node: &Node, step: usize, folds: &mut Positions) {
    for &(fold, weight) in &node.folds {
        folds[fold as usize] = on(folds[fold as usize], weight, -(step as isize));
    }
}
