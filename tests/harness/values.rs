//! Scales and zero points between guard pages. In: the lists of a run. Out: the same as kernels take them, and pointers
//! to them as machine code does, past which nothing may be read.
#![allow(dead_code, unsafe_code)] // every test binary uses its own part; pages are the system's

use retile::plan::Plan;
use retile::problem::{Bases, OPERANDS, Operand};
use retile::{Problem, Values};

use super::guard::Arena;

/// What the fifth argument of machine code points at.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Given {
    pub(crate) pointers: [*const u8; OPERANDS],
    /// Whether not all values are tame, where code may ask.
    pub(crate) wild: usize,
}

impl Given {
    pub(crate) fn none() -> Given {
        Given { pointers: [std::ptr::null(); OPERANDS], wild: 1 }
    }
}

/// Where code wants floats, and not the caller's own lists, so many before and behind them may be read.
const AROUND: usize = 16;

/// What is in that room: whoever computes with it finds out.
const NOBODYS: u32 = 0x7fa0_beef;

/// On which side of a list the guard page is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Guarded {
    Before,
    Behind,
}

/// Copies of a run's lists, each up against a guard page.
pub(crate) struct Lists {
    guarded: Guarded,
    arenas: [Arena; 4],
    counts: [usize; 4],
}

impl Lists {
    /// With nothing in them.
    pub(crate) fn new(guarded: Guarded) -> Lists {
        Lists { guarded, arenas: std::array::from_fn(|_| Arena::new(1)), counts: [0; 4] }
    }

    /// Takes over what a run needs.
    pub(crate) fn fill(&mut self, values: &Values<'_>) {
        let words = [
            bytemuck::cast_slice::<f32, u32>(values.src_scale),
            bytemuck::cast_slice(values.dst_scale),
            bytemuck::cast_slice(values.src_zero_point),
            bytemuck::cast_slice(values.dst_zero_point),
        ];
        for (i, words) in words.into_iter().enumerate() {
            self.counts[i] = words.len();
            place(&mut self.arenas[i], self.guarded, words);
        }
    }

    pub(crate) fn values(&self) -> Values<'_> {
        let [src_scale, dst_scale, src_zero_point, dst_zero_point] = [0, 1, 2, 3].map(|i| {
            let (arena, bytes) = (&self.arenas[i], 4 * self.counts[i]);
            let from = start(arena, self.guarded, bytes);
            bytemuck::cast_slice::<u8, u32>(&arena.bytes()[from..from + bytes])
        });
        Values {
            src_scale: bytemuck::cast_slice(src_scale),
            dst_scale: bytemuck::cast_slice(dst_scale),
            src_zero_point: bytemuck::cast_slice(src_zero_point),
            dst_zero_point: bytemuck::cast_slice(dst_zero_point),
        }
    }
}

/// Where words start that lie up against a guard.
fn start(arena: &Arena, guarded: Guarded, bytes: usize) -> usize {
    match guarded {
        Guarded::Before => 0,
        Guarded::Behind => arena.len() - bytes,
    }
}

/// Writes words up against a guard, and gives where.
fn place(arena: &mut Arena, guarded: Guarded, words: &[u32]) -> *const u8 {
    let bytes: &[u8] = bytemuck::cast_slice(words);
    if arena.len() < bytes.len() {
        *arena = Arena::new(bytes.len());
    }
    let from = start(arena, guarded, bytes.len());
    arena.bytes_mut()[from..from + bytes.len()].copy_from_slice(bytes);
    arena.at(from as isize)
}

/// Values as machine code takes them: made ready where they are few.
pub(crate) struct Ready {
    given: Given,
    /// What it points into.
    arenas: [Arena; 4],
}

impl Ready {
    /// # Safety
    ///
    /// The lists of `values` live as long as what is made.
    pub(crate) unsafe fn new(
        plan: &Plan,
        bases: &Bases,
        values: &Values<'_>,
        guarded: Guarded,
    ) -> Ready {
        let problem = &plan.problem;
        let mut arenas = std::array::from_fn(|_| Arena::new(1));
        let mut given = Given { wild: usize::from(is_wild(problem, values)), ..Given::none() };
        let pointers = &mut given.pointers;
        let arith = &problem.arith;
        let src_scales = values.src_scale.to_vec();
        let reciprocals: Vec<f32> = values.dst_scale.iter().map(|scale| 1.0 / scale).collect();
        let floats = |points: &[i32]| points.iter().map(|point| *point as f32).collect::<Vec<_>>();
        let lists = [
            (Operand::SrcScale, arith.src_scale, values.src_scale.as_ptr().cast(), src_scales),
            (Operand::DstScale, arith.dst_scale, values.dst_scale.as_ptr().cast(), reciprocals),
            (
                Operand::SrcZeroPoint,
                arith.src_zero_point,
                values.src_zero_point.as_ptr().cast::<u8>(),
                floats(values.src_zero_point),
            ),
            (
                Operand::DstZeroPoint,
                arith.dst_zero_point,
                values.dst_zero_point.as_ptr().cast(),
                floats(values.dst_zero_point),
            ),
        ];
        for (i, (operand, present, own, ready)) in lists.into_iter().enumerate() {
            if !present {
                continue;
            }
            let base = bases.0[operand as usize];
            let (least, count) = reached(problem, operand as usize);
            pointers[operand as usize] = if plan.takes_as_given(operand) {
                own.wrapping_offset(4 * base)
            } else {
                let value = |at: isize| {
                    let at = usize::try_from(base + least + at).ok();
                    at.and_then(|at| ready.get(at)).map_or(NOBODYS, |value| value.to_bits())
                };
                let around = AROUND as isize;
                let words: Vec<u32> = (-around..count as isize + around)
                    .map(|at| if (0..count as isize).contains(&at) { value(at) } else { NOBODYS })
                    .collect();
                place(&mut arenas[i], guarded, &words).wrapping_offset(4 * (around - least))
            };
        }
        Ready { given, arenas }
    }

    pub(crate) fn given(&self) -> Given {
        self.given
    }
}

/// What tame values are, said once more: scales that are 0 or at least 2^-60 and divide by no 0, zero points of the
/// source up to 2^22, and all of them such that no step's result is past 2^120, or 2^30 where bytes become whole
/// numbers. All others may be anything, and code is told.
fn is_wild(problem: &Problem, values: &Values<'_>) -> bool {
    let far = |own: &[i32]| own.iter().map(|point| i64::from(*point).abs()).max().unwrap_or(0);
    let widest = |own: &[f32], of: fn(f64) -> f64| {
        own.iter().map(|scale| of(f64::from(*scale).abs())).reduce(f64::max).unwrap_or(1.0)
    };
    let bytes = problem.src.size() == 1;
    let numbers = far(values.src_zero_point) + if bytes { 256 } else { 1 << 31 };
    let first = numbers as f64 * widest(values.src_scale, |scale| scale);
    let second = first * widest(values.dst_scale, |scale| 1.0 / scale);
    let most = second + far(values.dst_zero_point) as f64;
    let limit = 2f64.powi(if bytes && !problem.dst.is_float() { 30 } else { 120 });
    let near = |scale: f32| scale.abs() >= 2f32.powi(-60) && scale.abs() <= f32::MAX;
    !values.src_scale.iter().all(|scale| *scale == 0.0 || near(*scale))
        || !values.dst_scale.iter().all(|scale| near(*scale) && scale.abs() <= 2f32.powi(60))
        || far(values.src_zero_point) > 1 << 22
        || first > 2f64.powi(120)
        || most.is_nan()
        || most > limit
}

/// From where nodes are at 0: the least place among an operand's values that they lead to, and how many there are from
/// there on.
fn reached(problem: &Problem, operand: usize) -> (isize, usize) {
    let nodes = problem.lines.iter().flat_map(|line| &line.nodes);
    let ends = nodes.map(|node| node.strides[operand] * (node.extent.max(1) - 1) as isize);
    let (least, most) = ends.fold((0, 0), |(low, high), end| (low + end.min(0), high + end.max(0)));
    (least, (most - least + 1) as usize)
}
