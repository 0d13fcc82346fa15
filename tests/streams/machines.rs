//! Machines that plans are made for here: those that are, the same with caches of next to nothing, and any at all.

use retile::Target;
use retile::target::Parts;

use crate::common::Draw;
use crate::harness;

pub(super) const NAMES: [&str; 7] =
    ["haswell", "skx", "spr", "zen5", "spr:avx2", "zen4", "generic"];

pub(super) fn target(name: &str) -> Target {
    name.parse().unwrap()
}

/// Those that tests try, or fewer where `RETILE_TARGETS` says so.
pub(super) fn targets() -> Vec<Target> {
    match std::env::var_os("RETILE_TARGETS") {
        Some(_) => harness::tiers::targets(),
        None => NAMES.map(target).into(),
    }
}

/// The same machine with caches of next to nothing.
pub(super) fn pinched(mut target: Target) -> Target {
    target.l1 = 20 << 10;
    target.l2 = 64 << 10;
    (target.memory.stream_from, target.memory.turned_from) = (0, 0);
    target.memory.prefetch_from = 0;
    target.memory.row_group = 128;
    target.memory.ways = 2;
    target.memory.streams = 4;
    target
}

/// The same machine, where rows that share places are copied in blocks, and nothing goes past the caches.
pub(super) fn copying(mut target: Target) -> Target {
    target.l1 = 8 << 10;
    target.l2 = 16 << 10;
    (target.memory.stream_from, target.memory.turned_from) = (usize::MAX, usize::MAX);
    target.memory.prefetch_from = usize::MAX;
    target.memory.row_meets = 2;
    target.memory.under_way = 32;
    target.memory.copied = 8 << 10;
    target
}

/// The same machine, where what shares places passes the caches by, from blocks that are copied too.
pub(super) fn passing(target: Target) -> Target {
    let mut target = copying(target);
    target.memory.ways = 2;
    target.memory.met_from = 0;
    target
}

/// The same machine as if nearly nothing fit into it, where blocks are copied too, and long rows come together.
pub(super) fn copying_far(target: Target) -> Target {
    let mut target = pinched(target);
    target.memory.pages = 4;
    target.memory.copied = 16 << 10;
    target
}

/// Machines that are not: caches, ways and thresholds of any size. Lines are of 64 bytes.
pub(super) fn machine(draw: &mut impl Draw) -> Target {
    let mut target = target(draw.pick(&NAMES));
    target.l1 =
        draw.pick(&[32 << 10, 48 << 10, 16 << 10, 8 << 10, 24_000, 20 << 10, 4 << 10, 1 << 10]);
    target.l2 = draw.pick(&[256 << 10, 1 << 20, 64 << 10, 16 << 10]);
    target.memory.stream_from = draw.pick(&[0, 1 << 12, 0, 1 << 16, usize::MAX]);
    target.memory.turned_from = draw.pick(&[0, 1 << 12, 0, 1 << 14, usize::MAX]);
    target.memory.met_from = draw.pick(&[usize::MAX, 1 << 12, 0, 1 << 14, usize::MAX]);
    target.memory.prefetch_from = draw.pick(&[0, 1 << 12, 0, 1 << 15, usize::MAX]);
    target.memory.prefetch_ahead = draw.pick(&[64, 128, 0, 1, 4096, u16::MAX]);
    target.memory.ways = draw.pick(&[8, 12, 8, 12, 4, 2, 1, 0]);
    target.memory.row_group = draw.pick(&[128, 256, 128, 192, 100, 64, 1, 0, 512, 4096]);
    target.memory.row_group_crowded = draw.pick(&[0, 512, 128, 100, 1, 4096]);
    target.memory.row_turns = draw.pick(&[8, 16, 4, 2, 1, 0, u16::MAX]);
    target.memory.row_meets = draw.pick(&[8, 4, 2, 1, 0, u16::MAX]);
    target.memory.under_way = draw.pick(&[64, 32, 4, 1, 0, u16::MAX]);
    target.memory.under_way_read = draw.pick(&[32, 16, 4, 1, 0, u16::MAX]);
    target.memory.streams = draw.pick(&[32, 16, 4, 1, 0, u16::MAX]);
    target.memory.foreseen = draw.pick(&[0, 4, 0, 1, 16, u16::MAX]);
    target.memory.copied = draw.pick(&[0, 32 << 10, 4 << 10, 100, 1, u16::MAX]);
    target.memory.flight = draw.pick(&[2048, 4096, 512, 64, 0, u16::MAX]);
    target.memory.flight_rows = draw.pick(&[0, 8192, 512, 0, 64, 0, u16::MAX]);
    target.memory.blocks_from = draw.pick(&[0, 1 << 16, usize::MAX, 1 << 13]);
    target.memory.onward_from = draw.pick(&[usize::MAX, 0, 1 << 13, 1 << 16]);
    target.memory.off_lines_from = draw.pick(&[usize::MAX, 0, 1 << 14]);
    target.memory.even_apart = draw.pick(&[false, true]);
    target.memory.copies_lead = draw.pick(&[0, 8 << 10, 1 << 10, 1, u16::MAX]);
    target.memory.past_piece = draw.pick(&[0, 32, 64, 16, 1, u16::MAX]);
    target.memory.row_lines = draw.pick(&[2, 1, 0, 4, u16::MAX]);
    target.memory.reads_whole = draw.pick(&[false, true]);
    target.memory.reads_on = draw.pick(&[false, true]);
    target.memory.pages = draw.pick(&[64, 1024, 0, 8, u16::MAX]);
    target.memory.pages_far = draw.pick(&[1536, 64, 8, 1, 0, u16::MAX]);
    target.memory.pages_known = draw.pick(&[0, 2048, 16, 1, 3, u16::MAX]);
    target.memory.abreast = draw.pick(&[4, 2, 3, 0, 1, 7, u16::MAX]);
    target.memory.together = draw.pick(&[2, 1, 4, 3, 0, u16::MAX]);
    if draw.once_in(2) {
        let parts = |draw: &mut _, parts: &mut Parts| {
            let cycles = [12, 24, 6, 80, 240, 1];
            parts.vector = Draw::pick(draw, &cycles);
            parts.shuffle = Draw::pick(draw, &cycles).max(parts.vector);
            parts.across = Draw::pick(draw, &cycles).max(parts.shuffle);
            parts.load = Draw::pick(draw, &cycles);
            parts.store = Draw::pick(draw, &cycles);
        };
        parts(draw, &mut target.ports.narrow);
        parts(draw, &mut target.ports.wide);
        target.ports.issue = draw.pick(&[4, 6, 1, 40]);
        target.ports.extracts = draw.once_in(2);
        target.ports.unpacks_everywhere = draw.once_in(2);
        target.ports.narrow_single = draw.pick(&[1, 2, 3]);
        target.ports.stores_parts = draw.pick(&[8, 5, 0, u16::MAX]);
        target.ports.stores_inside = draw.pick(&[0, 24, u16::MAX]);
        target.ports.converts_rows = draw.pick(&[0, 9, 20]);
    }
    target
}
