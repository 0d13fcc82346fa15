//! Sequences for named classes of movements: each moves what it should, in no more operations than the
//! best that is known.

use retile::Target;
use retile::shuffle::{Cost, Counts, Dim, Movement, check, synthesize};

/// Extent, and bytes from one position to the next on either side.
type Strides = (usize, isize, isize);

fn movement(size: usize, dims: &[Strides]) -> Movement {
    let dims = dims.iter().map(|&(n, s, d)| Dim::even(n, s, d)).collect();
    Movement { src_size: size, dst_size: size, dims }
}

/// A class of movements: its name, its tile, and the loads, permutations, blends and stores of the best
/// sequence known for a target.
type Class = (&'static str, &'static str, usize, &'static [Strides], [u32; 4]);

#[rustfmt::skip]
const CLASSES: &[Class] = &[
    ("spr", "4-byte 16x16", 4, &[(16, 4, 4000), (16, 4000, 4)], [64, 32, 48, 16]),
    ("zen5", "4-byte 16x16", 4, &[(16, 4, 4000), (16, 4000, 4)], [32, 48, 16, 16]),
    ("haswell", "4-byte 8x8", 4, &[(8, 4, 4000), (8, 4000, 4)], [16, 16, 8, 8]),
    ("spr", "bytes, 64 rows of 16", 1, &[(16, 1, 4000), (64, 4000, 1)], [64, 64, 48, 16]),
    ("haswell", "bytes, 64 rows of 16", 1, &[(16, 1, 4000), (64, 4000, 1)], [64, 128, 32, 32]),
    ("spr", "bytes to blocks of 16", 1, &[(16, 1, 16), (16, 4000, 1)], [16, 12, 12, 4]),
    ("spr", "2 bytes, 32 rows of 8", 2, &[(8, 2, 4000), (32, 4000, 2)], [32, 24, 24, 8]),
    ("spr", "3 channels of bytes", 1, &[(64, 1, 3), (3, 4000, 1)], [3, 3, 6, 3]),
    ("spr", "3 channels of bytes, back", 1, &[(64, 3, 1), (3, 1, 4000)], [3, 3, 6, 3]),
    ("spr", "3 channels of 4 bytes", 4, &[(16, 4, 12), (3, 4000, 4)], [3, 3, 6, 3]),
    ("spr", "3 channels of 4 bytes, back", 4, &[(16, 12, 4), (3, 4, 4000)], [3, 3, 6, 3]),
    ("spr", "4 channels of bytes", 1, &[(16, 1, 4), (4, 4000, 1)], [4, 1, 3, 1]),
    ("spr", "4 channels of bytes, back", 1, &[(64, 4, 1), (4, 1, 4000)], [4, 12, 0, 4]),
    ("spr", "blocks of 8 to 16, 4 bytes", 4, &[(8, 4, 4), (2, 4000, 32), (2, 32, 64)], [2, 2, 0, 2]),
    ("spr", "a row, copied", 4, &[(64, 4, 4)], [4, 0, 0, 4]),
    ("spr", "a row of 4 bytes, backwards", 4, &[(16, -4, 4)], [1, 1, 0, 1]),
    ("spr", "a row of bytes, backwards", 1, &[(64, -1, 1)], [1, 1, 0, 1]),
    ("spr", "rows of 12, packed", 4, &[(12, 4, 4), (4, 400, 48)], [6, 0, 3, 3]),
];

#[test]
fn known_classes_are_as_short_as_is_known() {
    for &(target, name, size, dims, [loads, shuffles, blends, stores]) in CLASSES {
        let target: Target = target.parse().unwrap();
        let tile = movement(size, dims);
        let found = synthesize(&tile, &target);
        let listing = &found.program;
        check(&tile, listing, &target).unwrap_or_else(|why| panic!("{name}: {why}\n{listing}"));
        let counts = Counts { loads, shuffles, blends, stores };
        let known = Cost { counts, lines: loads + shuffles + stores };
        let (now, then) = (found.candidates[0].cost.bound(&target), known.bound(&target));
        assert!(
            now <= then,
            "{} {name}: {now} parts of a cycle, not {then}\n{listing}",
            target.name
        );
    }
}

/// The same tiles on all other targets, and what a target has no class of its own for.
#[test]
fn every_class_is_right_on_every_target() {
    for target in ["haswell", "skx", "spr", "zen5"] {
        let target: Target = target.parse().unwrap();
        for &(_, name, size, dims, _) in CLASSES {
            let tile = movement(size, dims);
            let program = synthesize(&tile, &target).program;
            check(&tile, &program, &target)
                .unwrap_or_else(|why| panic!("{} {name}: {why}\n{program}", target.name));
        }
    }
}
