//! Tests of turns: how many rows go at a time, and how much of each.

use crate::plan::stores::Stores;
use crate::plan::{Locality, Tiling, planned};

/// Rows of the destination that a tile takes, and bytes of each that go together.
fn turns(target: &str, pair: &str) -> (usize, usize) {
    kept(target, pair, Locality::Auto)
}

/// What the first kernel of a pair is tiled by.
fn tiling(target: &str, pair: &str, locality: Locality) -> Tiling {
    let plan = planned(pair, target.parse().unwrap(), locality);
    plan.nests().next().and_then(|nest| nest.tiling.clone()).unwrap()
}

fn kept(target: &str, pair: &str, locality: Locality) -> (usize, usize) {
    let tiling = tiling(target, pair, locality);
    let Stores::Keep { group, .. } = tiling.stores else { panic!("{pair} streams") };
    (tiling.takes.iter().product::<usize>() / tiling.tiles[0].found.program.lanes, group)
}

/// Four rows in one place, or eight in two, where lines come when they are stored to; in four all of a tile's have
/// room, and those of the next one have if it comes a line later.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn as_many_rows_as_have_room() {
    for (pair, expected) in [
        ("f32:ab:1024x196 ba", (4, 512)),
        ("f32:ab:1020x196 ba", (4, 512)),
        ("f32:ab:512x196 ba", (8, 512)),
        ("f32:ab:256x196 ba", (16, 128)),
        ("bf16:ab:1024x196 ba", (8, 256)),
        ("u8:ab:1024x196 ba", (16, 128)),
    ] {
        assert_eq!(turns("zen4", pair), expected, "{pair}");
    }
}

/// Rows elsewhere, lines of the source that are read once, rows of it that share places themselves, what lies in
/// the first level.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn all_where_that_is_no_use() {
    for pair in [
        "f32:ab:1000x196 ba",
        "f32:ab:256x784 ba",
        "f32:ab:512x512 ba",
        "f32:ab:1024x1024 ba",
        "f32:ab:256x16 ba",
    ] {
        assert_eq!(turns("zen4", pair), (16, 0), "{pair}");
    }
}

/// Where lines are asked for ahead, eight.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn lines_that_are_asked_for_wait_longer() {
    assert_eq!(turns("spr", "f32:ab:1024x196 ba"), (8, 2048));
    assert_eq!(turns("spr", "f32:ab:256x196 ba"), (16, 0));
    // Rows that pass slowly through one another's places: half of those that take two parts, but no quarter.
    assert_eq!(turns("spr", "f32:ab:1036x128 ba"), (8, 2048));
    assert_eq!(turns("spr", "f32:ab:1040x128 ba").1, 0);
    assert_eq!(turns("spr:avx2", "f32:ab:1036x128 ba").1, 0);
    assert_eq!(turns("spr", "bf16:ab:2064x128 ba"), (32, 0));
}

/// Parts of the source's lines that share places too would not be there again: no fewer rows than past the caches.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn no_fewer_where_both_sides_share_places() {
    assert_eq!(kept("zen4", "bf16:ab:4096x4096 ba", Locality::Keep).0, 16);
    assert_eq!(kept("zen4", "f32:ab:4096x4096 ba", Locality::Keep).0, 16);
    assert_eq!(kept("zen4", "f32:ab:1024x4000 ba", Locality::Keep).0, 4);
}

/// Lines that are asked for: as much of each row as leaves lines of the source their places.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn groups_leave_room_for_the_source() {
    for (pair, expected) in [
        ("bf16:ab:2048x128 ba", (8, 256)),
        ("bf16:ab:1024x512 ba", (8, 64)),
        ("f32:ab:1024x128 ba", (8, 256)),
        ("bf16:ab:2048x64 ba", (8, 512)),
        // Off lines more, and where those of the source hold several each.
        ("bf16:ab:2056x128 ba", (8, 2048)),
        ("bf16:nChw16c:1x32x32x64 nchw", (8, 1024)),
        ("bf16:ab:2080x128 ba", (32, 0)),
        // Of rows that have no equal parts the last is shorter; of fewer than there are ways lines stay.
        ("f32:nhwc:1x13x64x64 nchw", (7, 2048)),
        ("bf16:nhwc:1x27x64x64 nchw", (8, 512)),
        ("f32:nhwc:1x10x64x64 nchw", (10, 0)),
    ] {
        assert_eq!(turns("spr", pair), expected, "{pair}");
    }
}

/// Bytes of fewer than 16 rows, too, where lines are stored in halves, or several of each row.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn shorter_pieces_where_lines_would_come_twice() {
    let rows = |target: &str, pair| {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        let nest = plan.nests().next().unwrap();
        let across = nest.loops.iter().position(|node| node.strides[1].unsigned_abs() >= 4000);
        nest.tiling.as_ref().unwrap().takes[across.unwrap()]
    };
    for (target, pair, expected) in [
        ("spr:avx2", "u8:ab:4096x64 ba", 8),
        ("spr:avx2", "u8:ba:13x16384 ab", 8),
        ("spr:avx2", "u8:ba:12x16384 ab", 12),
        ("spr", "u8:ba:16x8192 f32:ab", 8),
        ("spr", "u8:ba:16x8192 f16:ab", 16),
        ("spr", "u8:ba:16x8192 ab", 16),
        // Off lines each is stored in two parts.
        ("spr", "u8:ab:4095x64 ba", 8),
        ("spr", "u8:ab:4112x64 ba", 8),
        ("spr:avx2", "u8:ab:4095x64 ba", 8),
        ("spr:avx2", "u8:ab:4112x64 ba", 16),
        // There lines of the source crowd too.
        ("spr", "u8:ab:4095x17 ba", 8),
        ("spr", "u8:ab:4095x192 ba", 8),
        ("spr", "u8:ab:4095x128 ba", 16),
        ("spr:avx2", "u8:ab:4095x128 ba", 8),
        ("spr:avx2", "u8:ab:4095x256 ba", 16),
    ] {
        assert_eq!(rows(target, pair), expected, "{pair} for {target}");
    }
}

/// As many rows in one place as have room there are asked for in vain, if each store is a line and no fewer rows go.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn lines_that_would_be_gone_are_not_asked_for() {
    let asks = |target: &str, pair| {
        let tiling = tiling(target, pair, Locality::Auto);
        let Stores::Keep { ahead, .. } = tiling.stores else { panic!("{pair} streams") };
        ahead > 0
    };
    for (target, pair, expected) in [
        ("spr", "u8:ba:13x16384 ab", false),
        ("spr", "u8:ba:12x16384 ab", false),
        ("spr", "u8:ab:4096x64 ba", false),
        ("spr", "u8:nhwc:4x16x64x64 s8:nchw", false),
        ("spr", "u8:ba:11x16384 ab", true),
        // Fewer rows go; elsewhere they have room; the lines of a row are stored one after the other.
        ("spr", "f32:ba:13x4096 ab", true),
        ("spr", "u8:ba:13x16448 ab", true),
        ("spr", "u8:nhwc:8x12x64x64 f32:nchw", true),
        // Each line is stored by two.
        ("spr:avx2", "u8:ba:13x16384 ab", true),
    ] {
        assert_eq!(asks(target, pair), expected, "{pair} for {target}");
    }
}

/// Pieces of lines, which are copied first: of rows of one loop, of which two dozen share a place.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn lines_of_rows_that_share_places_are_copied() {
    let of = |pair| {
        let tiling = tiling("spr", pair, Locality::Auto);
        (turns("spr", pair).0, tiling.stage.map(|stage| (stage.size, stage.bytes)))
    };
    assert_eq!(of("bf16:ab:128x2048 ba"), (8, Some((32 * 64, 64))));
    assert_eq!(of("bf16:nchw:1x64x32x64 nhwc"), (8, Some((32 * 64, 64))));
    for pair in ["bf16:ab:128x2080 ba", "f32:ab:128x1024 ba", "bf16:abcd:5x6x24x256 dcba"] {
        assert_eq!(of(pair).1, None, "{pair}");
    }
}

/// Half of a source's line at a time, where rows come together past the caches and the other half is there yet.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn rows_that_come_together_are_fewer() {
    for (target, pair, expected) in [
        ("zen4", "f32:nhwc:8x57x57x300 nchw", 8),
        ("zen4", "f32:ab:3000x3001 ba", 8),
        ("zen4", "bf16:ab:3000x5001 ba", 16),
        ("zen4", "f32:ab:3000x3001 s8:ba", 8),
        ("zen4", "u8:ab:5000x5000 ba", 16),
        // Rows that share places, or are too many to be there yet.
        ("zen4", "f32:abc:16x577x1024 acb", 16),
        ("zen4", "f32:ab:900x9000 ba", 16),
        ("spr", "f32:ab:3000x3001 ba", 16),
    ] {
        let tiling = tiling(target, pair, Locality::Auto);
        assert!(tiling.carry.is_some(), "{pair}");
        let across = tiling.takes.iter().product::<usize>();
        let lanes = tiling.tiles[0].found.program.lanes;
        assert_eq!(across / lanes, expected, "{pair} for {target}");
    }
}

/// Past the caches no fewer rows go by turns where lines of the source, which are taken whole, would come again.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn whole_lines_that_would_come_again_stay_whole() {
    for (pair, expected) in [
        ("f32:ab:512x1024 BA16b32a", 16),
        ("bf16:abcd:5x8x24x1024 dcba", 32),
        // Rows that have room beside each other.
        ("f32:ab:512x1040 BA16b32a", 8),
        // Or two lines of each are copied.
        ("f32:ab:2048x2048 AB16b32a", 8),
        ("f32:nChw16c:8x64x56x56 nchw", 8),
    ] {
        let plan = planned(pair, "spr".parse().unwrap(), Locality::Auto);
        let nest = plan.nests().next().unwrap();
        let takes = &nest.tiling.as_ref().unwrap().takes;
        assert_eq!(nest.view(&plan).rows(takes), expected, "{pair}");
    }
}

/// Where fewer rows would be of no use. As many as have room stay, and where the caller wants them near, or there
/// is little of them.
#[test]
#[cfg_attr(miri, ignore = "long")]
fn rows_that_drive_each_other_out_pass_the_caches_by() {
    let streams = |target: &str, pair: &str, locality| {
        let tiling = tiling(target, pair, locality);
        matches!(tiling.stores, Stores::Stream { .. })
    };
    for pair in [
        "f32:abc:32x256x128 cba",
        "f32:abc:32x64x32 cba",
        "bf16:abc:64x256x32 cba",
        "u8:abc:128x64x48 cba",
        // Fewer, but yet too many.
        "u8:abc:384x128x24 cab",
        // What comes together to lines before.
        "bf16:abc:24x256x384 cba",
    ] {
        assert!(streams("zen5", pair, Locality::Auto), "{pair}");
        assert!(!streams("zen5", pair, Locality::Keep), "{pair}");
        assert!(!streams("zen4", pair, Locality::Auto), "{pair}");
    }
    for pair in [
        "f32:ab:1024x1024 ba",
        "f32:ab:1023x1024 ba",
        "u8:ab:4096x1024 ba",
        "f32:abc:16x256x96 cba",
        "f32:abc:32x16x32 cba",
        "bf16:abc:255x8x256 cba",
    ] {
        assert!(!streams("zen5", pair, Locality::Auto), "{pair}");
    }
}
