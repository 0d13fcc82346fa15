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

/// Calls `run` with pointers to the values of a problem beside those there are. In the default floating-point
/// environment.
pub(super) fn with_ready<R>(
    problem: &Problem,
    bases: &Bases,
    values: &Values<'_>,
    pointers: Pointers,
    run: impl FnOnce(&Pointers) -> R,
) -> R {
    let arith = &problem.arith;
    let needs = |operand: Operand, present: bool| match problem.values(operand as usize).1 {
        count if present && count <= READY => count + 2 * AROUND,
        _ => 0,
    };
    let all = needs(Operand::SrcScale, arith.src_scale)
        + needs(Operand::DstScale, arith.dst_scale)
        + needs(Operand::SrcZeroPoint, arith.src_zero_point)
        + needs(Operand::DstZeroPoint, arith.dst_zero_point);
    match all {
        0..=FEW => with_room::<FEW, R>(problem, bases, values, pointers, run),
        _ => with_room::<MANY, R>(problem, bases, values, pointers, run),
    }
}

#[inline(never)] // Not everyone needs so much of the stack.
fn with_room<const N: usize, R>(
    problem: &Problem,
    bases: &Bases,
    values: &Values<'_>,
    mut pointers: Pointers,
    run: impl FnOnce(&Pointers) -> R,
) -> R {
    let mut room = [const { MaybeUninit::<f32>::uninit() }; N];
    let start = room.as_ptr();
    let mut rest = &mut room[..];
    let arith = &problem.arith;
    let floats = [
        (Operand::SrcScale, arith.src_scale, values.src_scale),
        (Operand::DstScale, arith.dst_scale, values.dst_scale),
    ];
    let zero_points = [
        (Operand::SrcZeroPoint, arith.src_zero_point, values.src_zero_point),
        (Operand::DstZeroPoint, arith.dst_zero_point, values.dst_zero_point),
    ];
    let mut used = 0;
    let mut ready = |operand: Operand, own: &mut dyn Iterator<Item = f32>| {
        let (least, count) = problem.values(operand as usize);
        let (room, after) = std::mem::take(&mut rest).split_at_mut(count + 2 * AROUND);
        rest = after;
        // Where padding comes first, no value is where the nodes start.
        let from = bases.0[operand as usize].wrapping_add(least);
        let zeros = || std::iter::repeat(0.0);
        let before = zeros().take((-from).max(0) as usize);
        let own = before.chain(own.skip(from.max(0) as usize)).take(count);
        let own = zeros().take(AROUND).chain(own).chain(zeros());
        room.iter_mut().zip(own).for_each(|(place, value)| _ = place.write(value));
        let first = start.wrapping_add(used + AROUND).wrapping_offset(-least);
        used += room.len();
        first.cast::<u8>()
    };
    for (operand, present, own) in floats {
        let raw = problem.is_raw(operand as usize);
        pointers[operand as usize] = match (present, raw) {
            (false, _) => continue,
            (true, true) => own.as_ptr().wrapping_offset(bases.0[operand as usize]).cast(),
            (true, false) => match operand {
                Operand::DstScale => ready(operand, &mut own.iter().map(|scale| 1.0 / scale)),
                _ => ready(operand, &mut own.iter().copied()),
            },
        };
    }
    for (operand, present, own) in zero_points {
        let raw = problem.is_raw(operand as usize);
        pointers[operand as usize] = match (present, raw) {
            (false, _) => continue,
            (true, true) => own.as_ptr().wrapping_offset(bases.0[operand as usize]).cast(),
            (true, false) => ready(operand, &mut own.iter().map(|point| *point as f32)),
        };
    }
    run(&pointers)
}
