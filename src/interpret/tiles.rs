//! Tiles, run by a machine of lanes instead of a processor. In: a tiled nest, a place, buffers. Out: the
//! same bytes as machine code for it has to store; so a plan is checked before there is any.
//!
//! This is for checking: it allocates, and it is slow.
#![allow(unsafe_code)] // The byte access of the interpreter.

use std::collections::HashMap;
use std::ops::Range;

use super::element::{self, Moves, Places};
use super::{Buffers, DST, Positions, SRC, add, add_listed, on};
use crate::attr::Values;
use crate::plan::{Chunk, Nest, Plan, Step, Tile, Tiling, Work};
use crate::problem::{OPERANDS, Strides};
use crate::shuffle::Machine;

/// A tiled nest at work.
pub(super) struct Tiles<'a> {
    plan: &'a Plan,
    nest: &'a Nest,
    tiling: &'a Tiling,
    moves: Moves<'a>,
    /// For each tile, what every operand is at, from the tile's place on, by the destination's bytes.
    places: Vec<HashMap<isize, Strides>>,
}

impl<'a> Tiles<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        nest: &'a Nest,
        tiling: &'a Tiling,
        buffers: Buffers,
        values: &'a Values<'a>,
    ) -> Tiles<'a> {
        let moves = Moves { problem: &plan.problem, values, buffers };
        let converts = !plan.problem.moves_bits() && nest.work == Work::Move;
        let places = |tile: &Tile| if converts { places(plan, nest, tile) } else { HashMap::new() };
        let places = tiling.tiles.iter().map(places).collect();
        Tiles { plan, nest, tiling, moves, places }
    }

    /// Times `times` of the first `count` steps that tasks share, walked as one.
    ///
    /// # Safety
    ///
    /// As for [`super::run`]; no other task takes the same times.
    pub(super) unsafe fn share(
        &self,
        count: usize,
        times: Range<usize>,
        at: Strides,
        folds: &Positions,
    ) {
        let whole = self.whole();
        for time in times {
            let mut firsts = vec![0; whole.len()];
            let mut chunks = whole.clone();
            let mut rest = time;
            for step in self.shared(count).rev() {
                let extent = self.nest.loops[step.index].extent;
                let steps = step.times(extent);
                let (time, first) = (rest % steps, rest % steps * step.by);
                rest /= steps;
                let last = time + 1 == steps;
                chunks[step.index].extent = if last { extent - first } else { step.by };
                firsts[step.index] = first;
            }
            // SAFETY: the same contract.
            unsafe { self.steps(0, at, folds, &mut firsts, &mut chunks) };
        }
    }

    /// So many steps of the outermost loop, and all of the others.
    ///
    /// # Safety
    ///
    /// As for [`super::run`]; no other task takes the same steps.
    pub(super) unsafe fn span(&self, own: Range<usize>, at: Strides, folds: &Positions) {
        let mut chunks = self.whole();
        let mut firsts = vec![0; chunks.len()];
        (chunks[0].extent, firsts[0]) = (own.len(), own.start);
        // SAFETY: the same contract.
        unsafe { self.steps(0, at, folds, &mut firsts, &mut chunks) };
    }

    fn whole(&self) -> Vec<Chunk> {
        let chunk = |extent| Chunk { extent, start: 0, end: extent };
        self.nest.loops.iter().map(|node| chunk(node.extent)).collect()
    }

    /// How many times these have.
    pub(super) fn times(&self, count: usize) -> usize {
        self.shared(count).map(|step| step.times(self.nest.loops[step.index].extent)).product()
    }

    /// The first so many steps that tasks share.
    fn shared(&self, count: usize) -> impl DoubleEndedIterator<Item = &Step> {
        self.tiling.shares[..count].iter().map(|&k| &self.tiling.steps[k])
    }

    /// All times of the steps from one on; `firsts` and `chunks` say which part of each loop is left.
    ///
    /// # Safety
    ///
    /// As for [`Tiles::share`].
    unsafe fn steps(
        &self,
        from: usize,
        at: Strides,
        folds: &Positions,
        firsts: &mut [usize],
        chunks: &mut [Chunk],
    ) {
        let Some(step) = self.tiling.steps.get(from) else {
            // SAFETY: the same contract.
            return unsafe { self.tile(at, folds, firsts, chunks) };
        };
        let (extent, before) = (chunks[step.index].extent, firsts[step.index]);
        let mut first = 0;
        while first < extent {
            firsts[step.index] = before + first;
            let mut by = step.size(extent - first, |fold| self.position(fold, folds, firsts));
            let mut start = first;
            let next = if step.within.is_empty() { step.by } else { by };
            if by < step.by && step.overlaps() && extent >= step.by {
                (start, by) = (extent - step.last, step.last);
            }
            (chunks[step.index].extent, firsts[step.index]) = (by, before + start);
            // SAFETY: the same contract; this is a part of the loop.
            unsafe { self.steps(from + 1, at, folds, firsts, chunks) };
            first += next;
        }
        (chunks[step.index].extent, firsts[step.index]) = (extent, before);
    }

    /// Where a fold has come to, from where the nest starts along it.
    fn position(&self, fold: u8, starts: &Positions, firsts: &[usize]) -> isize {
        let steps = self.nest.loops.iter().zip(firsts).flat_map(|(node, &first)| {
            let own = node.folds.iter().filter(move |own| own.0 == fold);
            own.map(move |own| (own.1, first as isize))
        });
        steps.fold(starts[fold as usize], |at, (step, times)| on(at, step, times))
    }

    /// One tile.
    ///
    /// # Safety
    ///
    /// As for [`Tiles::share`].
    unsafe fn tile(&self, mut at: Strides, folds: &Positions, firsts: &[usize], chunks: &[Chunk]) {
        let (problem, nest) = (&self.plan.problem, self.nest);
        for ((node, &first), &take) in nest.loops.iter().zip(firsts).zip(&self.tiling.takes) {
            // A table that a tile has all of counts there.
            if take == 1 {
                add_listed(&mut at, node, first);
            }
            add(&mut at, &node.strides, first as isize);
        }
        for (i, fold) in problem.folds.iter().enumerate() {
            if nest.counts(i as u8, fold) {
                let operand = fold.side();
                let position = self.position(i as u8, folds, firsts);
                at[operand] = on(at[operand], fold.bytes(position), 1);
            }
        }
        let own = chunks.iter().zip(firsts).enumerate();
        let wanted: Vec<Chunk> =
            own.map(|(l, (chunk, &first))| nest.chunk(l, first, chunk.extent)).collect();
        let found = self.tiling.tile_of(&wanted);
        let program = &self.tiling.tiles[found].found.program;
        let blank = nest.padding();
        let size = if nest.work == Work::Move { problem.src.size() } else { problem.dst.size() };
        let (src, dst) = (self.moves.buffers.src, self.moves.buffers.dst);
        Machine::<u64>::new(program).run(
            program,
            |offset, i| {
                let offset = on(on(at[SRC], offset, 1), size as isize, i as isize);
                let mut lane = [0u64];
                // SAFETY: sequences read elements of their tile, or padding between these, as their check has it.
                unsafe { element::gather(problem.src, src.wrapping_offset(offset), 0, &mut lane) };
                lane[0]
            },
            |(offset, row)| {
                for (i, lane) in row.iter().enumerate() {
                    let offset = on(offset, problem.dst.size() as isize, i as isize);
                    let place = dst.wrapping_offset(on(at[DST], offset, 1));
                    // SAFETY: sequences store places of their tile alone, each once.
                    unsafe {
                        match lane {
                            None => element::fill(problem.dst, blank, place, 0, 1),
                            Some(bits) if problem.moves_bits() => {
                                element::fill(problem.dst, *bits, place, 0, 1);
                            }
                            Some(bits) => {
                                let mut element = at;
                                add(&mut element, &self.places[found][&offset], 1);
                                self.moves.store(&Places::single(element), &mut [*bits]);
                            }
                        }
                    }
                }
            },
        );
    }
}

/// What every operand of each position of a tile is at.
fn places(plan: &Plan, nest: &Nest, tile: &Tile) -> HashMap<isize, Strides> {
    let mut places = vec![[0isize; OPERANDS]];
    for (l, (node, chunk)) in nest.loops.iter().zip(&tile.chunks).enumerate() {
        let strides = nest.strides(l, &plan.problem);
        let position = |place: &Strides, step: usize| {
            let mut place = *place;
            add(&mut place, &strides, step as isize);
            add_listed(&mut place, node, step);
            place
        };
        // A table's offsets count where the tile has all of it; a single step has been taken already.
        if chunk.extent > 1 {
            let all = places.iter().flat_map(|place| (0..chunk.extent).map(|s| position(place, s)));
            places = all.collect();
        }
    }
    places.into_iter().map(|place| (place[DST], place)).collect()
}
