//! Conversions by the kernels of every tier of this machine, held to the scalar ones: all inputs of 8 and 16 bits, and
//! of longer ones every exponent with the fractions around each tie, and a stride through the rest. `tests/prove.rs`
//! asks the same of every input of 32 bits.
#![cfg(not(miri))] // kernels by the hundred
#![allow(unsafe_code)] // kernels take raw pointers

mod oracle;
mod proof;

use oracle::Format;
use oracle::sample::{corners, float_corners, integer_corners, stride};
use proof::Proof;
use retile::DType;

/// Of the short lengths, one in so many for each type.
const EVERY: usize = 9;

/// One in so many of evenly spread inputs.
const SPREAD: usize = 16;

fn proof(from: DType) -> Proof {
    Proof::new(from, EVERY)
}

#[test]
fn sampled_f32() {
    let spread = stride().step_by(SPREAD).map(u64::from);
    proof(DType::F32).list(&float_corners(8, 23).chain(spread).collect::<Vec<_>>());
}

#[test]
fn sampled_s32() {
    let spread = stride().step_by(SPREAD);
    proof(DType::S32).list(&integer_corners().chain(spread).map(u64::from).collect::<Vec<_>>());
}

#[test]
fn every_f16() {
    proof(DType::F16).list(&(0..1 << 16).collect::<Vec<_>>());
}

#[test]
fn every_bf16() {
    proof(DType::Bf16).list(&(0..1 << 16).collect::<Vec<_>>());
}

#[test]
fn every_byte() {
    for from in [DType::S8, DType::U8, DType::Bool] {
        proof(from).list(&(0..1 << 8).collect::<Vec<_>>());
    }
}

#[test]
fn sampled_f64() {
    // Halfway between neighbours of f32 and around there, and its own exponents.
    let near = |bits: u32| Format::F64.encode(Format::F32.decode(bits.into()));
    let ties = stride().step_by(SPREAD).flat_map(|bits| {
        let (bits, half) = (near(bits), 1 << 28);
        [bits, bits | half, bits | (half - 1), bits | (half + 1)]
    });
    let own = float_corners(11, 52).step_by(41);
    proof(DType::F64).list(&ties.chain(own).collect::<Vec<_>>());
}

#[test]
fn sampled_s64() {
    let near = stride().step_by(SPREAD).map(|bits| bits as i32 as u64);
    let limits = [i32::MIN, i32::MAX].map(i64::from);
    let limits = limits.into_iter().flat_map(|at| (at - 300..at + 300).map(|at| at as u64));
    proof(DType::S64).list(&corners(64).into_iter().chain(near).chain(limits).collect::<Vec<_>>());
}
