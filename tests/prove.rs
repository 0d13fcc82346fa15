//! Conversions proved by exhaustion: every f32 and every s32, to every type they convert to.
//! Minutes in a release build, hence ignored: `cargo test --release --test prove -- --ignored`.

mod oracle;

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

#[test]
#[ignore = "minutes: run by `just prove`"]
fn every_f32() {
    for_all_32_bits("f32", oracle::judge_f32);
}

#[test]
#[ignore = "minutes: run by `just prove`"]
fn every_s32() {
    for_all_32_bits("s32", oracle::judge_s32);
}

/// Every value of 32 bits goes to `judge`, 2^24 at a time to whichever thread is free. A panic in
/// one of them fails the test when the others are done.
fn for_all_32_bits(name: &str, judge: fn(u32)) {
    const CHUNKS: u32 = 256;
    let threads = thread::available_parallelism().map_or(1, |count| count.get());
    let (next, done) = (AtomicU32::new(0), AtomicU32::new(0));
    let work = || {
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            if chunk >= CHUNKS {
                return;
            }
            (0..1 << 24).for_each(|low| judge(chunk << 24 | low));
            let done = done.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(16) {
                eprintln!("{name}: {done} of {CHUNKS} parts agree");
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
    assert_eq!(done.into_inner(), CHUNKS);
}
