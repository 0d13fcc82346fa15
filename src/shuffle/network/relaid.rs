//! Runs whose dims are no powers of two one above the other. In: a movement. Out: the same movement as if the runs of
//! one side had been laid with that dim on top, so that lanes are bits of the index. A permutation of each register
//! makes that so: of the source's runs behind the loads, of the destination's ahead of the stores. Where none takes
//! single elements from anywhere, runs are no longer than the 16-byte blocks that one works within.
//!
//! ```text
//! as it lies  9 taps of one channel, then 9 of the next, ..    lane = tap + 9 * channel: no bits
//! laid anew   4 channels of one tap, then 4 of the next, ..    lane = channel + 4 * tap
//! ```

use smallvec::SmallVec;

use super::turn;
use crate::shuffle::{Dim, Movement, Side, Table};
use crate::target::Target;

/// A movement of which runs are laid anew.
#[derive(Debug)]
pub(super) struct Relaid {
    /// As it is then.
    pub(super) movement: Movement,
    /// For each lane of a run, behind the permutation, the one that belongs there: of the source's, and of the
    /// destination's.
    from: [Option<SmallVec<[u8; 64]>>; 2],
    /// Whether runs of the destination go on one behind the other: whole registers of them could be stored.
    pub(super) goes_on: bool,
    pub(super) laid: Laid,
}

/// How runs are laid anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Laid {
    runs: Runs,
    /// Within 16-byte blocks.
    pub(super) within: bool,
}

impl Laid {
    /// Whether those of a side are.
    pub(super) fn has(self, side: Runs) -> bool {
        self.runs.has(side)
    }
}

/// Whose runs are laid anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Runs {
    Source,
    Destination,
    /// Of both, where neither's would be bits.
    Both,
}

impl Runs {
    /// Whether those of a side are among them.
    fn has(self, side: Runs) -> bool {
        self == side || self == Runs::Both
    }
}

impl Relaid {
    /// Where that makes bits of what are none, and one permutation can.
    pub(super) fn of(movement: &Movement, runs: Runs, target: &Target) -> Option<Relaid> {
        let Movement { src_size, dst_size, lane, .. } = *movement;
        let within = target.tier.permute_grain() > lane;
        let lanes = if within { BLOCK } else { target.tier.vector() } / lane;
        let mut dims = movement.dims.clone();
        let mut goes_on = false;
        let mut from = [None, None];
        if runs.has(Runs::Source) {
            from[0] = Some(lay(&mut dims, src_size, lanes)?);
        }
        if runs.has(Runs::Destination) {
            turn(&mut dims);
            let laid = lay(&mut dims, dst_size, lanes)?;
            let row = Some((laid.len() * dst_size) as isize);
            goes_on = dims.iter().any(|dim| dim.extent > 1 && dim.src.stride() == row);
            turn(&mut dims);
            let mut back = laid.clone();
            laid.iter().zip(0..).for_each(|(&own, lane)| back[usize::from(own)] = lane);
            from[1] = Some(back);
        }
        // What is loaded is a run, and no piece of it.
        let whole = movement.whole || runs.has(Runs::Source);
        let movement = Movement { dims, whole, ..movement.clone() };
        Some(Relaid { movement, from, goes_on, laid: Laid { runs, within } })
    }

    /// The permutation of a register that runs of a side fill, of so many lanes each; none where these stay as they lie.
    pub(super) fn table(&self, side: Runs, run: usize, lanes: usize) -> Option<Table> {
        let from = self.from[usize::from(side == Runs::Destination)].as_ref()?;
        // Lanes beyond a run are nobody's.
        let own = |lane: usize| from.get(lane % run).copied().unwrap_or(0);
        Some(Table((0..lanes).map(|lane| (lane / run * run) as u8 + own(lane)).collect()))
    }
}

/// Bytes that a permutation works within where none takes single elements from anywhere.
const BLOCK: usize = 16;

/// Lays the source's runs anew. Out: for each lane of one the element of it that comes there.
fn lay(dims: &mut SmallVec<[Dim; 6]>, size: usize, lanes: usize) -> Option<SmallVec<[u8; 64]>> {
    let run = run(dims, size, lanes);
    let above = run.iter().position(|&d| !dims[d].extent.is_power_of_two())?;
    if above + 1 == run.len() {
        return None;
    }
    // All others below it, and it alone on top.
    let mut anew = run.clone();
    let top = anew.remove(above);
    anew.push(top);
    let (mut from, mut stride) = (SmallVec::<[u8; 64]>::from_elem(0, 1), size as isize);
    for &d in &anew {
        let below = run.iter().take_while(|&&other| other != d);
        let step: usize = below.map(|&other| dims[other].extent).product();
        let first = from.clone();
        let further = |k: usize| first.iter().map(move |&lane| lane + (k * step) as u8);
        from.extend((1..dims[d].extent).flat_map(further));
    }
    for &d in &anew {
        dims[d].src = Side::Stride(stride);
        stride *= dims[d].extent as isize;
    }
    // What leads on within a run, over elements that it has already, would be taken for a part of it.
    let beside = |(d, dim): (usize, &Dim)| {
        let apart = |own: isize| own == 0 || own.unsigned_abs() >= stride as usize;
        run.contains(&d) || dim.extent == 1 || dim.src.stride().is_none_or(apart)
    };
    if !dims.iter().enumerate().all(beside) {
        return None;
    }
    Some(from)
}

/// The dims of a run, from the lowest on, as many as fit into a register with the odd one of them above the others; of
/// the last a part where that fits, the rest as a dim of its own.
fn run(dims: &mut SmallVec<[Dim; 6]>, size: usize, lanes: usize) -> SmallVec<[usize; 6]> {
    let mut run = SmallVec::new();
    let (mut bytes, mut room) = (size, lanes);
    let mut odd = false;
    while let Some(d) = next(dims, bytes as isize) {
        let extent = dims[d].extent;
        let even = extent.is_power_of_two();
        if room == 1 || !even && (odd || extent > room) {
            break;
        }
        if extent > room {
            let Some(upper) = split(&mut dims[d], room) else { break };
            dims.push(upper);
        }
        run.push(d);
        odd |= !even;
        bytes *= dims[d].extent;
        room /= dims[d].extent.next_power_of_two();
    }
    run
}

/// The dim that goes on where so many bytes end.
fn next(dims: &[Dim], bytes: isize) -> Option<usize> {
    let whole = |dim: &Dim| dim.extent > 1 && dim.data == (0..dim.extent);
    dims.iter().position(|dim| whole(dim) && dim.src.stride() == Some(bytes))
}

/// Leaves the first positions of a dim; the rest of it, as a dim that goes on in steps of so many.
fn split(dim: &mut Dim, low: usize) -> Option<Dim> {
    let rest = dim.extent / low;
    let on = |side: &Side| side.stride()?.checked_mul(low as isize);
    let upper = Dim::even(rest, on(&dim.src)?, on(&dim.dst)?);
    (dim.extent, dim.data) = (low, 0..low);
    Some(upper)
}

#[cfg(test)]
mod tests {
    use super::super::{BestRelaid, best_relaid, generate};
    use super::*;
    use crate::shuffle::{check, schedule, synthesize};

    type Strides = (usize, isize, isize);

    fn movement(size: usize, dims: &[Strides]) -> Movement {
        Movement::plain(size, dims.iter().map(|&(n, src, dst)| Dim::even(n, src, dst)))
    }

    /// The same channels innermost on the one side, taps in a row on the other.
    fn blocked(size: usize, taps: usize, channels: usize, rows: usize) -> Movement {
        let at = |elements: usize| (elements * size) as isize;
        let dims = [
            (rows, at(channels), at(1000)),
            (taps, at(channels * rows), at(1)),
            (channels, at(1), at(taps)),
        ];
        movement(size, &dims)
    }

    /// The elements of a run in their new order.
    fn order(target: &str, movement: &Movement) -> Option<Vec<u8>> {
        let target = target.parse().unwrap();
        Relaid::of(movement, Runs::Source, &target)
            .map(|relaid| relaid.from[0].as_ref().unwrap().to_vec())
    }

    fn turned(movement: &Movement) -> Movement {
        let mut turned = movement.clone();
        turn(&mut turned.dims);
        turned
    }

    /// `taps` in a row for each of `channels`, of `rows`; taps outermost in the destination, channels innermost.
    fn weights(size: usize, taps: usize, channels: usize, rows: usize) -> Movement {
        let at = |elements: usize| (elements * size) as isize;
        let dims = [
            (rows, at(1000), at(channels)),
            (taps, at(1), at(channels * rows)),
            (channels, at(taps), at(1)),
        ];
        movement(size, &dims)
    }

    #[test]
    fn what_is_no_power_of_two_comes_on_top() {
        let order = |movement| order("zen5", &movement);
        assert_eq!(order(weights(1, 3, 2, 8)), Some(vec![0, 3, 1, 4, 2, 5]));
        let two_below = movement(1, &[(2, 1, 8), (3, 2, 16), (4, 6, 1), (8, 64, 4)]);
        let expected = (0..24).map(|lane| lane % 2 + lane / 2 % 4 * 6 + lane / 8 * 2).collect();
        assert_eq!(order(two_below), Some(expected));
        // As much of the channels as there is room for.
        assert_eq!(order(weights(1, 9, 16, 8)).map(|run| run.len()), Some(36));
        assert_eq!(order(weights(2, 9, 16, 8)).map(|run| run.len()), Some(18));
        assert_eq!(order(weights(4, 3, 16, 8)).map(|run| run.len()), Some(12));
    }

    #[test]
    fn runs_are_as_long_as_blocks_where_bytes_stay_within_them() {
        let length =
            |target, size, taps| order(target, &weights(size, taps, 16, 8)).map(|run| run.len());
        for (target, size, taps, expected) in [
            ("haswell", 1, 3, Some(12)),
            ("haswell", 1, 5, Some(10)),
            ("haswell", 2, 3, Some(6)),
            ("haswell", 2, 5, None),
            ("skx", 1, 7, Some(14)),
            ("skx", 2, 7, Some(28)),
        ] {
            assert_eq!(length(target, size, taps), expected, "{target}: {taps} of {size} bytes");
        }
    }

    #[test]
    fn rows_are_laid_back() {
        let turned = turned(&weights(1, 3, 2, 8));
        let target = "zen5".parse().unwrap();
        let relaid = Relaid::of(&turned, Runs::Destination, &target).unwrap();
        assert_eq!(relaid.from[1].as_ref().unwrap().to_vec(), [0, 2, 4, 1, 3, 5]);
        let rows = |d: usize| relaid.movement.dims[d].dst.clone();
        assert_eq!([rows(1), rows(2)], [Side::Stride(2), Side::Stride(1)]);
        assert_eq!(order("zen5", &turned), None);
        assert!(!relaid.goes_on);
        // As much of the channels as there is room for is not all of a row.
        let long = self::turned(&weights(1, 9, 16, 8));
        assert!(Relaid::of(&long, Runs::Destination, &target).unwrap().goes_on);
    }

    #[test]
    fn what_is_left_as_it_lies() {
        let none = |target, movement| assert_eq!(order(target, &movement), None, "{target}");
        // On top already, or nothing besides it has room.
        none("zen5", movement(1, &[(4, 1, 16), (9, 4, 64), (16, 36, 4)]));
        none("zen5", weights(4, 9, 16, 8));
        none("zen5", weights(1, 33, 4, 8));
        // Not all of it is there, or it goes on elsewhere.
        let mut part = weights(1, 9, 4, 8);
        part.dims[1].data = 0..8;
        none("zen5", part);
        none("zen5", movement(1, &[(9, 1, 64), (4, 10, 1), (16, 100, 4)]));
        // Rows that overlap, as far apart as taps will be.
        none("zen5", movement(1, &[(9, 1, 64), (4, 9, 1), (16, 4, 4)]));
        none("zen5", movement(1, &[(8, 1, 1), (3, 1, 32), (4, 3, 8)]));
        // No permutation of single bytes but within blocks.
        none("skx", weights(1, 9, 4, 8));
        none("haswell", weights(2, 9, 4, 8));
    }

    /// Whether there is a network; cheapest or not, it moves all that there is.
    fn moves(movement: &Movement, target: &Target) -> bool {
        let BestRelaid { least, parts, pieces } =
            best_relaid(movement, target, &mut SmallVec::new());
        let mut some = false;
        for chosen in [least, parts, pieces].into_iter().flatten() {
            let program = schedule::schedule(generate(movement, &chosen), 0, target);
            if let Err(why) = check(movement, &program, target) {
                panic!("{why}: {target} {movement:?}\n{program}");
            }
            some = true;
        }
        some
    }

    fn targets() -> impl Iterator<Item = Target> {
        ["haswell", "skx", "spr", "zen4", "zen5"].map(|name| name.parse().unwrap()).into_iter()
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn all_is_moved() {
        let mut seen = 0;
        for target in targets() {
            for (size, taps) in
                [1, 2, 4].map(|size| [3, 5, 6, 7, 9, 11, 25].map(|n| (size, n))).concat()
            {
                for (channels, rows) in [(2, 16), (4, 16), (4, 5), (8, 8), (16, 4)] {
                    let own = weights(size, taps, channels, rows);
                    seen += usize::from(moves(&own, &target));
                    seen += usize::from(moves(&turned(&own), &target));
                    seen += usize::from(moves(&blocked(size, taps, channels, rows), &target));
                }
            }
        }
        assert!(seen > 500, "{seen}");
    }

    /// Units of an odd length that change places, with and without a whole register of them on either side.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn units_change_places() {
        let mut seen = 0;
        for target in targets() {
            for (size, unit) in [(1, 3), (1, 5), (1, 6), (1, 7), (1, 9), (2, 3), (2, 7), (4, 3)] {
                for (across, along) in [(2, 2), (4, 4), (8, 8), (8, 4), (16, 8), (4, 3)] {
                    let at = |elements: usize| (elements * size) as isize;
                    let dims = [
                        (across, at(1000), at(unit)),
                        (along, at(unit), at(1000)),
                        (unit, at(1), at(1)),
                    ];
                    seen += usize::from(moves(&movement(size, &dims), &target));
                }
            }
        }
        assert!(seen > 50, "{seen}");
        let units = movement(1, &[(8, 96, 6), (8, 6, 96), (6, 1, 1)]);
        for target in ["spr", "zen5"] {
            let found = synthesize(&units, &target.parse().unwrap());
            assert_eq!(found.candidates[0].name, "both sides laid anew", "{target}");
        }
    }

    /// However far apart they are: some overlap, some lie as far from one another as a tap will.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_may_overlap() {
        for target in targets() {
            let seen = (-80..80).filter(|&apart| {
                let dims = [(16, apart, 4), (9, 1, 64), (4, 9, 1)];
                let turned = [dims[1], dims[2], dims[0]];
                moves(&movement(1, &dims), &target) | moves(&movement(1, &turned), &target)
            });
            let seen = seen.count();
            assert!(seen == 0 || seen > 80, "{target}: {seen}");
        }
    }

    #[test]
    fn where_it_is_cheaper() {
        let chosen = |target: &str, movement| {
            synthesize(&movement, &target.parse().unwrap()).candidates[0].name
        };
        let weights_of_bytes = || weights(1, 9, 4, 16);
        assert_eq!(chosen("zen5", weights_of_bytes()), "runs laid anew");
        assert_eq!(chosen("zen4", weights_of_bytes()), "runs laid anew and blends");
        assert!(chosen("zen5", blocked(1, 9, 4, 16)).contains("rows laid anew"));
        assert!(chosen("spr", blocked(1, 9, 4, 16)).contains("rows laid anew"));
        // Parts of registers, one behind the other, where all else takes twice as long; on some cores a quarter longer,
        // and on all where other ways store shorter parts.
        let planes = |size: usize, channels: usize| {
            let (rows, at) = (64 / size, |elements: usize| (elements * size) as isize);
            movement(size, &[(rows, at(1), at(channels)), (channels, at(1000), at(1))])
        };
        for (size, channels, elsewhere) in
            [(1, 14, true), (1, 24, true), (1, 10, false), (2, 12, true), (2, 6, false)]
        {
            let parts = |target| chosen(target, planes(size, channels)).contains("rows laid anew");
            assert!(parts("zen5"), "{size} {channels}");
            assert_eq!(parts("spr"), elsewhere, "{size} {channels}");
        }
        for target in ["zen5", "zen4", "spr"] {
            assert!(!chosen(target, planes(1, 3)).contains("laid anew"), "{target}");
        }
        // Within blocks, where whole rows take more blends.
        for (channels, laid) in [(3, false), (4, false), (6, true), (7, true)] {
            let rows = chosen("spr:avx2", planes(1, channels)).contains("rows laid anew");
            assert_eq!(rows, laid, "{channels} channels");
        }
        // One port permutes.
        assert_eq!(chosen("spr", weights_of_bytes()), "whole runs");
        // As cheap, with a permutation more on the way.
        assert_eq!(chosen("zen5", weights(1, 25, 4, 16)), "whole runs");
    }
}
