//! Conversions proved by exhaustion: every f32 and every s32, to every type they convert to; the scalar conversions
//! against an oracle of their own, and the kernels of every tier of this machine against these.
//! Minutes in a release build, hence ignored: `cargo test --release --test prove -- --ignored`.
#![cfg(not(miri))] // all inputs there are

mod oracle;
mod proof;

use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::Duration;

use proof::{LEAST, Proof, Which};
use retile::DType;

#[test]
#[ignore = "minutes: run by `just prove`"]
fn every_f32() {
    let judge = |chunk: u32| (0..1 << 24).for_each(|low| oracle::judge_f32(chunk << 24 | low));
    in_chunks("f32", 256, || judge);
}

#[test]
#[ignore = "minutes: run by `just prove`"]
fn every_s32() {
    let judge = |chunk: u32| (0..1 << 24).for_each(|low| oracle::judge_s32(chunk << 24 | low));
    in_chunks("s32", 256, || judge);
}

#[test]
#[ignore = "minutes: run by `just prove`"]
fn every_f32_by_kernels() {
    by_kernels(DType::F32);
}

#[test]
#[ignore = "minutes: run by `just prove`"]
fn every_s32_by_kernels() {
    by_kernels(DType::S32);
}

/// Every value of 32 bits through the kernels from a type.
fn by_kernels(from: DType) {
    let proof = Proof::new(from, 1);
    let took = Mutex::new(vec![Duration::ZERO; 1 + proof.targets().len()]);
    in_chunks(&format!("{from} by kernels"), 1 << 16, || {
        let mut work = proof.work();
        let (proof, took) = (&proof, &took);
        move |chunk: u32| {
            let first = u64::from(chunk) * LEAST as u64;
            let inputs = (first..).take(proof.inputs()).map(|bits| bits & u64::from(u32::MAX));
            work.judge(&inputs.collect::<Vec<_>>(), Which::Turn(chunk as usize));
            let own = [&mut work.scalar].into_iter().chain(&mut work.kernels);
            for (sum, own) in took.lock().unwrap().iter_mut().zip(own) {
                *sum += std::mem::take(own);
            }
        }
    });
    let took = took.into_inner().unwrap();
    eprintln!("{from}: {:.0?} of one core by scalar conversions", took[0]);
    for (target, took) in proof.targets().iter().zip(&took[1..]) {
        eprintln!("{from}: {took:.0?} of one core by kernels for {target}");
    }
}

/// Every chunk goes to whichever thread is free; each thread has a judge of its own. A panic in one of them fails the
/// test when the others are done.
fn in_chunks<J: FnMut(u32)>(name: &str, chunks: u32, judge: impl Fn() -> J + Sync) {
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    let (next, done) = (AtomicU32::new(0), AtomicU32::new(0));
    let work = || {
        let mut judge = judge();
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= chunks {
                return;
            }
            judge(chunk);
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(chunks / 16) {
                eprintln!("{name}: {done} of {chunks} parts agree");
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    assert_eq!(done.into_inner(), chunks);
}
