//! Values made ready. In: scales and zero points as the caller gives them. Out: what machine code takes: pointers to
//! floats that the formula takes as they are, zero points converted and scales of the destination turned into
//! reciprocals, and whether they are all tame. Where the plan says so they are left as they are, and the code does that
//! on the way.

use std::mem::MaybeUninit;

use smallvec::SmallVec;

use crate::DType;
use crate::attr::Values;
use crate::code::Given;
use crate::plan::{Plan, Trust};
use crate::problem::{Bases, Operand, READY, VALUE_OPERANDS, are_tame};
use crate::target::Target;

/// So many floats around values may be read with them.
const AROUND: usize = Given::AROUND;

/// Floats that values of few channels take, of some hundred, and of as many as are made ready at all.
const FEW: usize = 4 * (64 + 2 * AROUND);
const SOME: usize = 4 * (512 + 2 * AROUND);
const MANY: usize = 4 * (READY + 2 * AROUND);

/// Where values are made ready: registers of them start where lines do, as long as what they are for does.
#[repr(align(64))]
struct Lines<const N: usize>([MaybeUninit<f32>; N]);

/// Floats that so many values take: whole lines, which are as many floats, and what is around. A single one is
/// read alone.
fn room_of(count: usize) -> usize {
    match count {
        1 => AROUND,
        _ => count.next_multiple_of(AROUND) + 2 * AROUND,
    }
}

/// The values that a problem needs, known once it is.
#[derive(Clone, Debug)]
pub(super) struct Lists {
    lists: SmallVec<[List; 4]>,
    /// The types by which they are judged, where code does less if they are tame.
    tamed: Option<[DType; 2]>,
    /// Floats of those that are made ready.
    room: usize,
    /// Whether each operand has one value, and that is the caller's first.
    common: bool,
}

/// The values of one operand.
#[derive(Clone, Copy, Debug)]
struct List {
    operand: Operand,
    /// As many as elements lead to, if they are made ready.
    count: Option<usize>,
    /// The first of these in the caller's list; before it where padding comes first.
    from: isize,
    /// Where all nodes are at 0, in the caller's list.
    base: isize,
}

impl List {
    /// Those that the caller gave are taken as they are.
    fn as_given(&self, values: &Values<'_>, given: &mut Given) {
        let own: *const u8 = match self.operand {
            Operand::SrcScale => values.src_scale.as_ptr().cast(),
            Operand::DstScale => values.dst_scale.as_ptr().cast(),
            Operand::SrcZeroPoint => values.src_zero_point.as_ptr().cast(),
            _ => values.dst_zero_point.as_ptr().cast(),
        };
        let base = size_of::<f32>() as isize * self.base;
        given.pointers[self.operand as usize] = own.wrapping_offset(base);
    }
}

impl Lists {
    /// For code on a target.
    pub(super) fn of(plan: &Plan, bases: &Bases, target: &Target) -> Lists {
        let problem = &plan.problem;
        let list = |operand: Operand| {
            let ((least, count), base) =
                (problem.values(operand as usize), bases.0[operand as usize]);
            let count = (!plan.takes_as_given(operand)).then_some(count);
            List { operand, count, from: base.wrapping_add(least), base }
        };
        let lists: SmallVec<[List; 4]> = problem.arith.values().map(list).collect();
        let own = lists.iter().filter_map(|list| list.count);
        let trusts = Trust::of(problem, target) == Trust::Values;
        let tamed = trusts.then_some([problem.src, problem.dst]);
        let common = lists.iter().all(|list| list.count == Some(1) && list.from == 0);
        Lists { room: own.map(room_of).sum(), common, lists, tamed }
    }

    /// Calls `run` with pointers to the values beside those there are; they lead nowhere afterwards. In the default
    /// floating-point environment.
    pub(super) fn with_ready<R>(
        &self,
        values: &Values<'_>,
        given: &mut Given,
        run: impl FnOnce(&Given) -> R,
    ) -> R {
        let tame = self.tamed.is_some_and(|[from, to]| are_tame(from, to, values));
        given.wild = usize::from(!tame);
        match self.room {
            _ if self.common => common(values, given, run),
            0 => {
                self.lists.iter().for_each(|list| list.as_given(values, given));
                run(given)
            }
            room if room <= FEW => self.with_room::<FEW, R>(values, given, run),
            room if room <= SOME => self.with_room::<SOME, R>(values, given, run),
            _ => self.with_room::<MANY, R>(values, given, run),
        }
    }

    #[inline(never)] // Not everyone needs so much of the stack.
    fn with_room<const N: usize, R>(
        &self,
        values: &Values<'_>,
        given: &mut Given,
        run: impl FnOnce(&Given) -> R,
    ) -> R {
        let mut room = Lines([const { MaybeUninit::<f32>::uninit() }; N]);
        let mut rest = &mut room.0[..];
        for list @ &List { operand, count, from, base } in &self.lists {
            let Some(count) = count else {
                list.as_given(values, given);
                continue;
            };
            let (own, others) = rest.split_at_mut(room_of(count));
            rest = others;
            let first = match operand {
                Operand::SrcScale => fill(own, from, values.src_scale, |scale| scale),
                Operand::DstScale => fill(own, from, values.dst_scale, |scale| 1.0 / scale),
                Operand::SrcZeroPoint => fill(own, from, values.src_zero_point, |p| p as f32),
                _ => fill(own, from, values.dst_zero_point, |point| point as f32),
            };
            let first = own.as_ptr().wrapping_add(first);
            given.pointers[operand as usize] = first.wrapping_offset(base - from).cast();
        }
        run(given)
    }
}

/// Calls `run` with the values ready where each operand has one, or none.
fn common<R>(values: &Values<'_>, given: &mut Given, run: impl FnOnce(&Given) -> R) -> R {
    let scale = |own: &[f32]| own.first().copied().unwrap_or(1.0);
    let point = |own: &[i32]| own.first().copied().unwrap_or(0) as f32;
    let ready = [
        scale(values.src_scale),
        1.0 / scale(values.dst_scale),
        point(values.src_zero_point),
        point(values.dst_zero_point),
    ];
    for (operand, value) in VALUE_OPERANDS.into_iter().zip(&ready) {
        given.pointers[operand as usize] = std::ptr::from_ref(value).cast();
    }
    run(given)
}

/// Values from `from` on, each made ready, and zeros around them and where the caller has none. The place
/// of the first.
#[inline(never)] // In a function with three others it would keep all its own on the stack.
fn fill<T: Copy>(
    room: &mut [MaybeUninit<f32>],
    from: isize,
    values: &[T],
    ready: impl Fn(T) -> f32,
) -> usize {
    if room.len() == room_of(1) {
        let value = usize::try_from(from).ok().and_then(|from| values.get(from));
        room[0].write(value.map_or(0.0, |value| ready(*value)));
        return 0;
    }
    const ZEROS: [MaybeUninit<f32>; AROUND] = [MaybeUninit::new(0.0); AROUND];
    // As many at once as are known here are a few stores; of any number they would be a call.
    let (before, room) = room.split_first_chunk_mut().expect("room before the values");
    let (room, behind) = room.split_last_chunk_mut().expect("room behind them");
    (*before, *behind) = (ZEROS, ZEROS);
    let zeros = |room: &mut [MaybeUninit<f32>]| {
        if !room.is_empty() {
            room.fill(MaybeUninit::new(0.0));
        }
    };
    let (none, room) = room.split_at_mut(((-from).max(0) as usize).min(room.len()));
    zeros(none);
    let values = &values[(from.max(0) as usize).min(values.len())..];
    let (own, none) = room.split_at_mut(values.len().min(room.len()));
    own.iter_mut().zip(values).for_each(|(place, value)| _ = place.write(ready(*value)));
    zeros(none);
    AROUND
}
