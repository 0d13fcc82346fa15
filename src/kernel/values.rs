//! Values made ready. In: scales and zero points as the caller gives them. Out: pointers for machine code, to floats that
//! the formula takes as they are: zero points converted, scales of the destination turned into reciprocals. Very many
//! are left as they are, and the code does that on the way.

use std::mem::MaybeUninit;

use crate::attr::Values;
use crate::problem::{Bases, OPERANDS, Operand, Problem, READY};

/// Where the values of each operand are, where all nodes are at 0.
pub(super) type Pointers = [*const u8; OPERANDS];

/// So many floats around values may be read with them.
const AROUND: usize = 16;

/// Floats that values of few channels take, and of as many as are made ready at all.
const FEW: usize = 4 * (64 + 2 * AROUND);
const MANY: usize = 4 * (READY + 2 * AROUND);

/// The values that a problem needs, known once it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lists {
    lists: [Option<List>; 4],
    /// Floats of those that are made ready.
    room: usize,
}

/// The values of one operand.
#[derive(Clone, Copy, Debug)]
struct List {
    operand: usize,
    /// As many as elements lead to, if they are made ready.
    count: Option<usize>,
    /// The first of these in the caller's list; before it where padding comes first.
    from: isize,
    /// Where all nodes are at 0, in the caller's list.
    base: isize,
}

impl Lists {
    pub(super) fn of(problem: &Problem, bases: &Bases) -> Lists {
        let arith = &problem.arith;
        let list = |operand: Operand, present: bool| {
            let operand = operand as usize;
            let ((least, count), base) = (problem.values(operand), bases.0[operand]);
            let count = (!problem.is_raw(operand)).then_some(count);
            present.then_some(List { operand, count, from: base.wrapping_add(least), base })
        };
        let lists = [
            list(Operand::SrcScale, arith.src_scale),
            list(Operand::DstScale, arith.dst_scale),
            list(Operand::SrcZeroPoint, arith.src_zero_point),
            list(Operand::DstZeroPoint, arith.dst_zero_point),
        ];
        let own = lists.iter().flatten().filter_map(|list| list.count);
        Lists { lists, room: own.map(|count| count + 2 * AROUND).sum() }
    }

    /// Calls `run` with pointers to the values beside those there are. In the default floating-point environment.
    pub(super) fn with_ready<R>(
        &self,
        values: &Values<'_>,
        pointers: Pointers,
        run: impl FnOnce(&Pointers) -> R,
    ) -> R {
        match self.room {
            0..=FEW => self.with_room::<FEW, R>(values, pointers, run),
            _ => self.with_room::<MANY, R>(values, pointers, run),
        }
    }

    #[inline(never)] // Not everyone needs so much of the stack.
    fn with_room<const N: usize, R>(
        &self,
        values: &Values<'_>,
        mut pointers: Pointers,
        run: impl FnOnce(&Pointers) -> R,
    ) -> R {
        let mut room = [const { MaybeUninit::<f32>::uninit() }; N];
        let mut starts = [0; 4];
        let mut used = 0;
        for (k, list) in self.lists.iter().enumerate() {
            let Some(List { count: Some(count), from, .. }) = *list else { continue };
            starts[k] = used;
            let own = &mut room[used..used + count + 2 * AROUND];
            used += own.len();
            match k {
                0 => fill(own, from, values.src_scale, |scale| scale),
                1 => fill(own, from, values.dst_scale, |scale| 1.0 / scale),
                2 => fill(own, from, values.src_zero_point, |point| point as f32),
                _ => fill(own, from, values.dst_zero_point, |point| point as f32),
            }
        }
        let room = room.as_ptr();
        for (k, list) in self.lists.iter().enumerate() {
            let Some(List { operand, count, from, base }) = *list else { continue };
            pointers[operand] = match (count, k) {
                (Some(_), _) => {
                    room.wrapping_add(starts[k] + AROUND).wrapping_offset(base - from).cast()
                }
                (None, 0) => values.src_scale.as_ptr().wrapping_offset(base).cast(),
                (None, 1) => values.dst_scale.as_ptr().wrapping_offset(base).cast(),
                (None, 2) => values.src_zero_point.as_ptr().wrapping_offset(base).cast(),
                (None, _) => values.dst_zero_point.as_ptr().wrapping_offset(base).cast(),
            };
        }
        run(&pointers)
    }
}

/// Values from `from` on, each made ready, and zeros where the caller has none.
fn fill<T: Copy>(
    room: &mut [MaybeUninit<f32>],
    from: isize,
    values: &[T],
    ready: impl Fn(T) -> f32,
) {
    let none = (-from).max(0) as usize;
    let (before, room) = room.split_at_mut((AROUND + none).min(room.len()));
    before.iter_mut().for_each(|place| _ = place.write(0.0));
    let values = &values[(from.max(0) as usize).min(values.len())..];
    let count = values.len().min(room.len().saturating_sub(AROUND));
    let (own, behind) = room.split_at_mut(count);
    own.iter_mut().zip(values).for_each(|(place, value)| _ = place.write(ready(*value)));
    behind.iter_mut().for_each(|place| _ = place.write(0.0));
}
