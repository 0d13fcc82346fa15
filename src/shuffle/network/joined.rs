//! Runs of several dims that are no powers of two. In: a movement. Out: the same movement, those dims of a run one dim,
//! whose positions on the other side are a table: lanes are bits of the index then, and registers are full, wherever
//! one dim ends in the middle of them.
//!
//! ```text
//! as it lies   9 taps of one channel, then 9 of the next, ..    lane = tap + 9 * channel: no bits
//! joined       position p of all of these                       lane = p: tap p % 9 of channel p / 9
//! ```

use smallvec::SmallVec;

use super::turn;
use crate::shuffle::{Dim, Movement, Side};

/// No more positions of one dim than these.
const MOST: usize = 1024;

/// The movement with dims joined: of both sides' runs as far as there are any, those of the source first, and those of
/// the destination first where they want the same dims.
pub(super) fn joined(movement: &Movement) -> SmallVec<[Movement; 2]> {
    let Movement { src_size, dst_size, ref dims, .. } = *movement;
    let mut ways = SmallVec::new();
    // Two of a run, and one that is the other side's.
    if dims.len() < 3 || dims.iter().all(|dim| dim.extent.is_power_of_two()) {
        return ways;
    }
    for destination_first in [false, true] {
        let mut dims = dims.clone();
        let mut sizes = [src_size as isize, dst_size as isize];
        if destination_first {
            turn(&mut dims);
            sizes.reverse();
        }
        let [first, second] = sizes;
        let one = join(&mut dims, first, second).is_some();
        turn(&mut dims);
        let other = join(&mut dims, second, first).is_some();
        if !destination_first {
            turn(&mut dims);
        }
        let way = Movement { dims, ..movement.clone() };
        if (one || other) && !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

/// Joins the dims of a run of the source, from the first on that is no power of two, but for those that are in a row
/// on the other side as well.
fn join(dims: &mut SmallVec<[Dim; 6]>, size: isize, other: isize) -> Option<()> {
    let (mut run, mut positions) = (size, 1);
    let mut together: SmallVec<[usize; 6]> = SmallVec::new();
    let next = |run: isize| {
        let whole = |dim: &Dim| dim.extent > 1 && dim.data == (0..dim.extent);
        dims.iter().position(|dim| whole(dim) && dim.src.stride() == Some(run))
    };
    while let Some(d) = next(run) {
        let Dim { extent, dst, .. } = &dims[d];
        if !together.is_empty() || !extent.is_power_of_two() {
            let apart = dst.stride().is_some_and(|on| on != 0 && on != other);
            if !apart || positions * extent > MOST {
                break;
            }
            together.push(d);
            positions *= extent;
        }
        run = run.checked_mul(*extent as isize)?;
    }
    let [first, _, ..] = together[..] else { return None };
    let place = |position: usize| {
        let mut left = position;
        together.iter().fold(0isize, |place, &d| {
            let on = dims[d].dst.at(left % dims[d].extent);
            left /= dims[d].extent;
            place.wrapping_add(on)
        })
    };
    let places = (0..positions).map(place).collect();
    let src = dims[first].src.clone();
    dims[first] = Dim { extent: positions, data: 0..positions, src, dst: Side::Table(places) };
    let mut number = 0..;
    dims.retain(|_| number.next().is_some_and(|d| d == first || !together.contains(&d)));
    Some(())
}

#[cfg(test)]
mod tests {
    use super::super::{best_joined, generate};
    use super::*;
    use crate::Target;
    use crate::shuffle::{check, schedule, synthesize};

    /// `taps` in a row for each of `channels` in the destination, where rows are far apart; rows side by side in the
    /// source, taps outermost.
    fn weights(size: usize, taps: usize, channels: usize, rows: usize) -> Movement {
        let at = |elements: usize| (elements * size) as isize;
        let dims = [
            (taps, at(rows * channels), at(1)),
            (channels, at(rows), at(taps)),
            (rows, at(1), at(1000)),
        ];
        Movement::plain(size, dims.map(|(n, src, dst)| Dim::even(n, src, dst)))
    }

    fn turned(movement: &Movement) -> Movement {
        let mut turned = movement.clone();
        turn(&mut turned.dims);
        turned
    }

    #[test]
    fn dims_from_the_first_odd_one_on_are_one() {
        let own = weights(1, 3, 5, 4);
        let table = Side::Table((0..15).map(|p| p % 3 * 20 + p / 3 * 4).collect());
        let dim = Dim { extent: 15, data: 0..15, src: table, dst: Side::Stride(1) };
        let expected = Movement { dims: [dim, own.dims[2].clone()].into_iter().collect(), ..own };
        assert_eq!(joined(&weights(1, 3, 5, 4))[..], *std::slice::from_ref(&expected));
        assert_eq!(joined(&turned(&weights(1, 3, 5, 4)))[..], [turned(&expected)]);
        // Bits below stay bits.
        let dims = [Dim::even(2, 60, 1), Dim::even(3, 20, 2), Dim::even(5, 4, 6)];
        let below = Movement::plain(1, dims.into_iter().chain([Dim::even(4, 1, 1000)]));
        let extents: Vec<usize> = joined(&below)[0].dims.iter().map(|dim| dim.extent).collect();
        assert_eq!(extents, [2, 15, 4]);
    }

    /// A dim that is in a run on either side is the source's first, then the destination's.
    #[test]
    fn what_both_sides_want_goes_to_each_in_turn() {
        // 6 planes of rows of 12, which lie one behind the other, to 6 channels of as many positions.
        let dims = [Dim::even(12, 2, 3000), Dim::even(16, 24, 12), Dim::even(6, 6000, 2)];
        let ways = joined(&Movement::plain(2, dims));
        let extents = |way: &Movement| way.dims.iter().map(|dim| dim.extent).collect::<Vec<_>>();
        assert_eq!(ways.iter().map(extents).collect::<Vec<_>>(), [vec![192, 6], vec![12, 96]]);
    }

    #[test]
    fn what_is_left_as_it_lies() {
        // Bits already, an odd one on top, or nothing behind it.
        for (taps, channels) in [(4, 8), (4, 9), (9, 1)] {
            assert!(joined(&weights(1, taps, channels, 8)).is_empty(), "{taps} {channels}");
        }
        let mut part = weights(1, 9, 4, 8);
        part.dims[0].data = 1..9;
        assert!(joined(&part).is_empty());
        let mut apart = weights(1, 9, 4, 8);
        apart.dims[1].dst = Side::Stride(10);
        assert!(joined(&apart).is_empty());
        // What is in a row on the other side has to stay in one.
        let mut both = weights(1, 9, 4, 8);
        (both.dims[1].src, both.dims[2].src) = (Side::Stride(1), Side::Stride(4));
        assert!(joined(&both).is_empty());
        let mut same = weights(1, 9, 4, 8);
        same.dims[1].src = Side::Stride(0);
        assert!(joined(&same).is_empty());
        assert!(joined(&weights(1, 33, 33, 8)).is_empty());
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn all_is_moved() {
        let mut seen = 0;
        for name in ["haswell", "skx", "spr", "zen4", "zen5"] {
            let target: Target = name.parse().unwrap();
            for (size, taps) in
                [1, 2, 4, 8].map(|size| [3, 5, 7, 9, 12, 25].map(|n| (size, n))).concat()
            {
                for (channels, rows) in [(2, 16), (3, 16), (7, 8), (16, 4), (5, 5)] {
                    let own = weights(size, taps, channels, rows);
                    for movement in [turned(&own), own] {
                        let mut all = SmallVec::new();
                        let Some(chosen) = best_joined(&movement, &target, &mut all) else {
                            continue;
                        };
                        let draft = generate(&movement, &chosen);
                        let program = schedule::schedule(draft, 0, &target);
                        if let Err(why) = check(&movement, &program, &target) {
                            panic!("{why}: {name} {movement:?}\n{program}");
                        }
                        seen += 1;
                    }
                }
            }
        }
        assert!(seen > 800, "{seen}");
    }

    #[test]
    fn where_it_is_cheaper() {
        let chosen = |target: &str, movement| {
            synthesize(&movement, &target.parse().unwrap()).candidates[0].name
        };
        for target in ["spr", "zen4", "zen5"] {
            assert_eq!(chosen(target, weights(1, 9, 7, 16)), "joined runs", "{target}");
        }
        assert_eq!(chosen("spr", turned(&weights(1, 9, 7, 16))), "joined runs");
        // 36 stores of whole registers, not 192 of 12 bytes.
        let dims = [Dim::even(12, 2, 6144), Dim::even(16, 24, 12), Dim::even(6, 12288, 2)];
        let found = synthesize(&Movement::plain(2, dims), &"spr".parse().unwrap());
        let stores = found.candidates[0].cost.counts.stores;
        assert_eq!((found.candidates[0].name, stores), ("16-byte pieces, joined", 36));
    }
}
