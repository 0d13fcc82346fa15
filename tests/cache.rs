//! The cache of kernels, whole: one for all of a process, so one test at a time has it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retile::cache::{self, Stats};
use retile::{Attr, Layout, Locality, Reorder, Tier};

/// Alone with an empty cache of so much room.
fn alone(capacity: usize) -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    cache::clear();
    cache::set_capacity(capacity);
    one
}

fn pair(channels: usize) -> (Layout, Layout) {
    let src: Layout = format!("f32:nchw:1x{channels}x5x5").parse().unwrap();
    let dst = src.destination("nChw16c").unwrap();
    (src, dst)
}

fn ask(channels: usize) -> Reorder {
    let (src, dst) = pair(channels);
    Reorder::new(&src, &dst).unwrap()
}

/// Hits, misses and entries since.
fn since(before: Stats) -> (u64, u64, usize) {
    let now = cache::stats();
    (now.hits - before.hits, now.misses - before.misses, now.entries)
}

#[test]
fn what_was_made_is_found() {
    let _one = alone(8);
    let before = cache::stats();
    let first = ask(17);
    let code = first.code().map_or(0, |code| code.bytes().len());
    assert_eq!((since(before), cache::stats().code_bytes), ((0, 1, 1), code));
    let again = ask(17);
    assert_eq!(since(before), (1, 1, 1));
    assert!(std::ptr::eq(first.plan(), again.plan()));
}

#[test]
fn options_and_attributes_make_another() {
    let _one = alone(8);
    let before = cache::stats();
    let (src, dst) = pair(17);
    let of = || Reorder::builder(&src, &dst);
    for _ in 0..2 {
        of().build().unwrap();
        of().max_tier(Tier::Portable).build().unwrap();
        of().locality(Locality::Keep).build().unwrap();
        of().attr(Attr::new().src_scale(0)).build().unwrap();
        of().uncached().build().unwrap();
        Reorder::uncached(&src, &dst, &Attr::new()).unwrap();
    }
    assert_eq!(since(before), (4, 4, 4));
}

#[test]
fn what_was_not_used_the_longest_goes_and_works_on() {
    let _one = alone(2);
    let (one, two) = (ask(1), ask(2));
    ask(1);
    let before = cache::stats();
    ask(3);
    ask(1);
    assert_eq!(since(before), (1, 1, 2));
    ask(2);
    assert_eq!(since(before), (1, 2, 2));
    for (reorder, channels) in [(one, 1), (two, 2)] {
        let mut blocks = [f32::NAN; 16 * 25];
        reorder.run(&vec![3f32; channels * 25], &mut blocks).unwrap();
        assert_eq!(blocks.iter().sum::<f32>(), 75.0 * channels as f32);
    }
}

#[test]
fn off_at_no_room() {
    let _one = alone(0);
    let before = cache::stats();
    ask(4);
    ask(4);
    assert_eq!((since(before), cache::capacity()), ((0, 2, 0), 0));
}

/// Pairs that move the same bytes the same way are two entries with one code, whatever is kept.
#[test]
fn equal_problems_have_one_code() {
    let _one = alone(8);
    let of = |src: &str, dst: &str| {
        let src: Layout = src.parse().unwrap();
        Reorder::new(&src, &src.destination(dst).unwrap()).unwrap()
    };
    let matrix = of("f32:ab:64x3136", "ba");
    let tensor = of("s32:nchw:1x64x56x56", "nhwc");
    assert!(std::ptr::eq(matrix.plan(), tensor.plan()));
    let stats = cache::stats();
    let code = matrix.code().map_or(0, |code| code.bytes().len());
    assert_eq!((stats.entries, stats.code_bytes), (2, code));
    // For as long as somebody has it.
    cache::clear();
    assert!(std::ptr::eq(of("f32:ab:64x3136", "ba").plan(), matrix.plan()));
}

#[test]
fn errors_are_not_kept() {
    let _one = alone(8);
    let before = cache::stats();
    let (src, dst) = (pair(3).0, pair(4).1);
    assert!(Reorder::new(&src, &dst).is_err());
    assert!(Reorder::new(&src, &dst).is_err());
    assert_eq!(since(before), (0, 2, 0));
}

/// Made, run, driven out, by eight threads at once.
#[test]
fn crowds() {
    storm(std::time::Duration::from_secs(2));
}

/// The same for a minute.
#[test]
#[ignore = "takes a minute: `just prove`"]
fn crowds_for_a_minute() {
    storm(std::time::Duration::from_secs(60));
}

fn storm(time: std::time::Duration) {
    let _one = alone(5);
    // Under Miri an hour would not be enough: so many turns for each thread.
    let turns = if cfg!(miri) { 4 } else { usize::MAX };
    let (before, start) = (cache::stats(), std::time::Instant::now());
    let asked = Arc::new(std::sync::atomic::AtomicU64::new(0));
    std::thread::scope(|scope| {
        for thread in 0..if cfg!(miri) { 3usize } else { 8 } {
            let asked = Arc::clone(&asked);
            scope.spawn(move || {
                let mut round = thread;
                let mut turn = 0;
                while turn < turns && (cfg!(miri) || start.elapsed() < time) {
                    turn += 1;
                    round = round.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(thread + 1);
                    let channels = 1 + (round >> 40) % 12;
                    let planes: Vec<f32> = (0..channels * 25).map(|i| i as f32).collect();
                    let mut blocks = [f32::NAN; 16 * 25];
                    ask(channels).run(&planes, &mut blocks).unwrap();
                    let pixel = (round >> 50) % 25;
                    for channel in 0..16 {
                        let wanted = planes.get(channel * 25 + pixel).copied().unwrap_or(0.0);
                        assert_eq!(blocks[pixel * 16 + channel], wanted);
                    }
                    asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    let (hits, misses, entries) = since(before);
    assert_eq!(hits + misses, asked.load(std::sync::atomic::Ordering::Relaxed));
    let all = (hits > 0 && misses > 12 && entries == 5) || cfg!(miri);
    assert!(all && entries <= 5, "{hits} hits, {misses} misses, {entries}");
}
