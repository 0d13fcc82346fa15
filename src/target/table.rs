//! The table of microarchitectures. In: nothing. Out: their figures, one row for each.
//!
//! Thresholds of spr and zen4 were measured; those of others are guesses, by what is most like them: zen3 and zen5 have
//! zen4's, but that a zen5's ports and rates were measured too, of how many rows it foresees lines, how it takes rows
//! that share places, and from how many bytes on lines pass its caches by; and a zen3's ports, from how many bytes on
//! lines pass its caches by or are asked for, and how much of rows that share places is copied. Other ports are from the
//! makers' manuals, in parts of a cycle: `24 / 2` is two operations a cycle, `24 * 2` one every second.

use super::{Memory, Parts, Ports, Target, Tier};

/// Without permutations on two ports: up to Skylake.
const ONE_SHUFFLE: Parts =
    Parts { shuffle: 24, across: 24, vector: 24 / 3, load: 24 / 2, store: 24 };

/// On Intel 64-byte registers take two ports together, which leaves two.
const INTEL_WIDE: Parts = Parts { vector: 24 / 2, ..ONE_SHUFFLE };

/// Ice Lake has a second port for what stays within 16-byte lanes, and another for stores.
const ICELAKE: Ports = Ports {
    narrow: Parts { shuffle: 24 / 2, across: 24, vector: 24 / 3, load: 24 / 2, store: 24 / 2 },
    wide: INTEL_WIDE,
    issue: 24 / 6,
    unpacks_everywhere: false,
    narrow_single: 1,
    extracts: false,
    compares_bits: false,
    stores_parts: 8,
    stores_inside: 24,
    converts_rows: 11,
    converts_rows_asked: 14,
};

const SPR: Ports = Ports { narrow: Parts { load: 24 / 3, ..ICELAKE.narrow }, ..ICELAKE };

const ZEN4: Ports = Ports {
    narrow: Parts { shuffle: 24 / 2, across: 24 / 2, vector: 24 / 4, load: 24 / 2, store: 24 },
    // As two halves, one after the other.
    wide: Parts { shuffle: 24, across: 24, vector: 24 / 2, load: 24, store: 24 * 2 },
    issue: 24 / 6,
    unpacks_everywhere: false,
    narrow_single: 1,
    extracts: true,
    compares_bits: true,
    stores_parts: 8,
    stores_inside: 0,
    converts_rows: 9,
    converts_rows_asked: 9,
};

/// What fits the unknown: no more than most have, so that nothing relies on what is not there.
const GENERIC: Ports = Ports {
    narrow: ONE_SHUFFLE,
    wide: INTEL_WIDE,
    issue: 24 / 6,
    unpacks_everywhere: false,
    narrow_single: 1,
    extracts: false,
    compares_bits: false,
    stores_parts: 8,
    stores_inside: 24,
    converts_rows: 10,
    converts_rows_asked: 10,
};

/// What lines cost on the larger cores of Intel; where nothing else is known, too.
const INTEL: Memory = Memory {
    l1_rate: 128,
    l2_rate: 28,
    far_rate: 9,
    ways: 8,
    stream_from: 4 << 20,
    turned_from: 4 << 20,
    met_from: usize::MAX,
    prefetch_from: 32 << 10,
    prefetch_ahead: 64,
    row_group: 256,
    row_group_crowded: 0,
    row_turns: 8,
    row_meets: 8,
    under_way: 64,
    under_way_read: 32,
    row_lines: 2,
    reads_whole: false,
    reads_on: false,
    together: 2,
    streams: 32,
    foreseen: 0,
    copied: 0,
    flight: 2048,
    flight_rows: 0,
    past_piece: 0,
    blocks_from: 0,
    onward_from: usize::MAX,
    off_lines_from: usize::MAX,
    copies_lead: 0,
    even_apart: false,
    abreast: 4,
    pages: 64,
    pages_far: 1536,
    pages_known: 0,
};

/// And on AMD's: as of Zen 4; the rows of the others say where they differ.
const ZEN: Memory = Memory {
    l1_rate: 64,
    l2_rate: 32,
    far_rate: 14,
    ways: 8,
    stream_from: 13 << 20,
    turned_from: 21 << 19,
    met_from: usize::MAX,
    prefetch_from: 16 << 20,
    prefetch_ahead: 64,
    row_group: 256,
    row_group_crowded: 1024,
    row_turns: 16,
    row_meets: 4,
    under_way: 32,
    under_way_read: 32,
    row_lines: 1,
    reads_whole: true,
    reads_on: true,
    together: 1,
    streams: 32,
    foreseen: 0,
    copied: 16 << 10,
    flight: 2048,
    flight_rows: 8192,
    past_piece: 32,
    blocks_from: usize::MAX,
    onward_from: usize::MAX,
    off_lines_from: usize::MAX,
    copies_lead: 0,
    even_apart: false,
    abreast: 4,
    pages: 1024,
    pages_far: 1536,
    pages_known: 0,
};

/// Every microarchitecture that a plan can be made for by name, each with the best tier that it has.
#[rustfmt::skip]
pub const TARGETS: &[Target] = &[
    Target {
        name: "portable", tier: Tier::Portable, bf16: false, l1: 32 << 10, l2: 512 << 10, line: 64,
        ports: GENERIC,
        memory: Memory { l1_rate: 16, l2_rate: 12, far_rate: 6,
                         stream_from: usize::MAX, turned_from: usize::MAX, prefetch_from: usize::MAX, prefetch_ahead: 0,
                         row_meets: u16::MAX, together: 1, flight: 0, abreast: 0, ..INTEL },
    },
    // Also Broadwell, and Skylake and its like without AVX-512.
    Target {
        name: "haswell", tier: Tier::Avx2, bf16: false, l1: 32 << 10, l2: 256 << 10, line: 64,
        ports: Ports { narrow: ONE_SHUFFLE, wide: ONE_SHUFFLE, issue: 24 / 4, unpacks_everywhere: false,
                       narrow_single: 3, extracts: false, compares_bits: false, stores_parts: 8,
                       stores_inside: 0, converts_rows: 10, converts_rows_asked: 10 },
        memory: Memory { l1_rate: 64, l2_rate: 24, row_group: 128, ..INTEL },
    },
    // Skylake and Cascade Lake servers.
    Target {
        name: "skx", tier: Tier::Avx512, bf16: false, l1: 32 << 10, l2: 1 << 20, line: 64,
        ports: Ports { narrow: ONE_SHUFFLE, wide: INTEL_WIDE, issue: 24 / 6, unpacks_everywhere: false,
                       narrow_single: 2, extracts: false, compares_bits: false, stores_parts: 8,
                       stores_inside: 24, converts_rows: 11, converts_rows_asked: 14 },
        memory: Memory { stream_from: 5 << 18, turned_from: 5 << 18, ..INTEL },
    },
    // Also Tiger Lake and Rocket Lake.
    Target {
        name: "icelake", tier: Tier::Avx512Vbmi, bf16: false, l1: 48 << 10, l2: 5 << 18, line: 64,
        ports: ICELAKE,
        memory: Memory { far_rate: 10, ways: 12, stream_from: 25 << 16, turned_from: 25 << 16,
                         prefetch_from: 48 << 10, ..INTEL },
    },
    // Sapphire, Emerald and Granite Rapids; the larger cores of Alder Lake and its heirs, with avx2.
    Target {
        name: "spr", tier: Tier::Avx512Vbmi, bf16: true, l1: 48 << 10, l2: 2 << 20, line: 64,
        ports: SPR,
        memory: Memory { far_rate: 8, ways: 12, stream_from: 5 << 19, turned_from: 5 << 19,
                         prefetch_from: 48 << 10, blocks_from: 40 << 20, onward_from: 48 << 20,
                         off_lines_from: 48 << 20, copies_lead: 8 << 10, even_apart: true, pages_known: 2048,
                         ..INTEL },
    },
    // Also Zen 2, and Zen, whose figures are lower.
    Target {
        name: "zen3", tier: Tier::Avx2, bf16: false, l1: 32 << 10, l2: 512 << 10, line: 64,
        ports: Ports { narrow: Parts { across: 24, ..ZEN4.narrow }, ..ZEN4 },
        memory: Memory { far_rate: 12, stream_from: 16 << 20, turned_from: 9 << 20, prefetch_from: 7 << 20,
                         row_group: 128, ..ZEN },
    },
    Target {
        name: "zen4", tier: Tier::Avx512Vbmi, bf16: true, l1: 32 << 10, l2: 1 << 20, line: 64,
        ports: ZEN4,
        memory: ZEN,
    },
    Target {
        name: "zen5", tier: Tier::Avx512Vbmi, bf16: true, l1: 48 << 10, l2: 1 << 20, line: 64,
        ports: Ports {
            narrow: Parts { load: 24 / 3, store: 24 / 2, ..ZEN4.narrow },
            wide: Parts { shuffle: 24 / 2, across: 24 / 2, vector: 24 / 4, load: 24 / 2, store: 24 },
            issue: 24 / 8, unpacks_everywhere: true, narrow_single: 1, extracts: true, compares_bits: true,
            stores_parts: 5, stores_inside: 0, converts_rows: 9, converts_rows_asked: 9,
        },
        memory: Memory { l1_rate: 128, l2_rate: 48, far_rate: 20, ways: 12,
                         stream_from: 16 << 20, turned_from: 16 << 20, met_from: 256 << 10,
                         row_meets: 8, under_way: 64, foreseen: 4, copied: 32 << 10, ..ZEN },
    },
    // Whatever is not known.
    Target {
        name: "generic", tier: Tier::Avx512Vbmi, bf16: false, l1: 32 << 10, l2: 1 << 20, line: 64,
        ports: GENERIC,
        memory: Memory { l1_rate: 64, far_rate: 10, together: 1, ..INTEL },
    },
];
