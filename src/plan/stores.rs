//! Stores. In: a nest and its tiles. Out: whether lines pass the caches by, how much of a row goes together, and what
//! is asked for ahead.

mod alone;

use std::fmt;

use smallvec::SmallVec;

use super::Locality;
use super::order::{along, common, group_by};
use super::rows::Rows;
use super::view::View;
use crate::problem::{DST, SRC};
use crate::shuffle::{Op, Program};

/// How the destination is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stores {
    /// Through the caches.
    Keep {
        /// The line so many bytes ahead in a row is asked for before it is written; 0 for none.
        ahead: usize,
        /// So many bytes of a row together, where more rows share lines' places than have room; 0 where that does not
        /// matter.
        group: usize,
        /// Why not past the caches.
        why: Why,
    },
    /// Past the caches, in whole lines, where the destination turns out to be aligned.
    Stream {
        /// So many bytes of a row together.
        group: usize,
        /// Rows pass through a buffer that has their alignment, as they do not start on lines, or are stored in less
        /// than lines.
        carry: bool,
        /// All rows start on lines if one does.
        even: bool,
        /// There is little of it, but rows drive each other's lines out of the caches.
        met: bool,
    },
}

/// Why lines stay in the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The caller asked for it.
    Asked,
    /// Both sides are fewer bytes than these.
    Small(usize),
    /// Rows of the destination are shorter than two lines.
    ShortRows,
    /// What is stored is added to what was there.
    Sums,
    /// Its rows end where digits do, which is known at run time.
    Folds,
    /// Its rows do not start on lines, or lines are stored in parts, and cannot come together before.
    OffLines,
}

/// Bytes of a block, which shuffles move as one, and within which sums lie in a row.
pub(crate) const BLOCK: usize = 16;

/// Runs that both sides have in common are stored so many one behind the other, where each is a group by itself and
/// comes from a row of its own, of more rows than are foreseen: then all these rows are read on together.
const RUNS: usize = 8;

/// Bytes of a row from which on it is stored past the caches though it ends within lines: what is left at its ends is
/// little beside it.
const LONG: usize = 4 << 10;

/// What a policy is made after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// Nothing.
    First,
    /// Rows were found not to come together.
    CarriedInVain,
    /// Even by turns rows drive each other out of the caches: lines are to pass these by.
    DrivenOut,
}

/// The policy of a nest.
pub(super) fn stores(
    view: &View<'_>,
    takes: &[usize],
    program: &Program,
    locality: Locality,
    reads_destination: bool,
    attempt: Attempt,
) -> Stores {
    let in_vain = attempt == Attempt::CarriedInVain;
    let locality = if attempt == Attempt::DrivenOut { Locality::Stream } else { locality };
    let (memory, line) = (&view.target.memory, view.target.line);
    let row = view.row_bytes();
    let (on_lines, single) = (on_lines(view, takes), view.rows(takes) == 1);
    let as_they_are = view.change.stores == (0, 0);
    let pieces = || single && as_they_are && halves_over(program, line, view.sizes[DST]);
    let keep = |why| {
        // Rows that do not start on lines come to an end in one that the next tile writes on.
        let ahead = match (view.terms.demand.bytes >= memory.prefetch_from, on_lines && !single) {
            (false, _) => 0,
            (true, true) => memory.prefetch_ahead as usize,
            (true, false) if pieces() => 0,
            (true, false) => {
                let further = memory.prefetch_ahead as usize + line;
                // What comes before its time drives out what has not been written.
                let passes = Rows::of(view, takes, DST).pass(view, view.rows(takes), further);
                further - if passes { line } else { 0 }
            }
        };
        Stores::Keep { ahead, group: 0, why }
    };
    let why = match locality {
        _ if reads_destination => Some(Why::Sums),
        Locality::Keep => Some(Why::Asked),
        Locality::Auto if !view.is_beyond() => Some(Why::Small(view.stream_from())),
        _ if (0..view.loops.len()).any(|l| view.folds.ends_rows(l)) => Some(Why::Folds),
        _ if row < 2 * line => Some(Why::ShortRows),
        _ => None,
    };
    let Some(why) = why else {
        let group = group(view, takes);
        let leaves = single && !in_vain && leaves_lines(view, takes);
        let (even, met) = (on_lines && !leaves, false);
        // Parts of a line that are not stored one behind the other are not put together in time.
        let parts = match view.target.tier.vector() < line {
            true => !in_order(program, line, view.sizes[DST]),
            false => pieces(),
        };
        let parts = parts && !view.fills;
        return match (even && !parts, in_vain) {
            (true, _) if in_parts(view, takes) => match in_vain {
                true => keep(Why::OffLines),
                false => Stores::Stream { group, carry: true, even, met },
            },
            (true, _) => {
                Stores::Stream { group, carry: !in_vain && single_lines(view, takes), even, met }
            }
            (false, false) => Stores::Stream { group, carry: true, even, met },
            (false, true) => keep(Why::OffLines),
        };
    };
    keep(why)
}

/// Whether all rows of a tile start on lines if one does; a single row is one stream.
pub(super) fn on_lines(view: &View<'_>, takes: &[usize]) -> bool {
    let own = view.own(takes, DST);
    let even = |l: usize| view.stride(l, DST).unsigned_abs().is_multiple_of(view.target.line);
    let even =
        || view.rows(takes) == 1 || (0..view.loops.len()).filter(|l| !own.contains(l)).all(even);
    !view.terms.off_lines && even()
}

/// Whether the one row that a tile stores starts off lines at other steps, if it starts on one at the first, and both
/// sides are walked in order.
fn leaves_lines(view: &View<'_>, takes: &[usize]) -> bool {
    let lead = |l: usize| view.stride(l, DST).wrapping_mul(takes[l] as isize);
    let mut walked: SmallVec<[usize; 8]> =
        (0..view.loops.len()).filter(|&l| view.loops[l].extent > takes[l]).collect();
    walked.sort_by_key(|&l| view.stride(l, DST));
    let off = |&l: &usize| !lead(l).unsigned_abs().is_multiple_of(view.target.line);
    let in_order = walked.is_sorted_by_key(|&l| view.stride(l, SRC));
    in_order && walked.iter().any(off) && goes_on(view.row_bytes())
}

/// Whether a row of so many bytes, whose ends are parts of lines, is worth storing in whole lines.
pub(super) fn goes_on(row: usize) -> bool {
    row >= LONG
}

/// Whether the sequence stores each line whole by stores that follow one another, of elements of so many bytes.
fn in_order(program: &Program, line: usize, size: usize) -> bool {
    let stores: SmallVec<[(isize, usize); 32]> = stored(program, size).collect();
    let start = stores.iter().map(|store| store.0).min().unwrap_or(0);
    let of = |store: &(isize, usize)| (store.0 - start).div_euclid(line as isize);
    let lines = stores.chunk_by(|a, b| of(a) == of(b));
    lines.into_iter().all(|parts| parts.iter().map(|part| part.1).sum::<usize>() >= line)
}

/// Whether each store is more than half a line and less than a whole: lines that are written so one after the other
/// come best when they are written.
fn halves_over(program: &Program, line: usize, size: usize) -> bool {
    let mut stores = stored(program, size);
    stores.all(|(_, bytes)| bytes > line / 2 && bytes < line)
}

/// Where a sequence stores, and how many bytes.
fn stored(program: &Program, size: usize) -> impl Iterator<Item = (isize, usize)> {
    program.lines.iter().filter_map(move |line| match line.op {
        Op::Store { at, count, .. } => Some((at, usize::from(count) * size)),
        _ => None,
    })
}

/// Bytes of a row that are stored together: fewer where rows of the source that make them lie on more pages than are
/// found, or foreseen, at once. All of a short row stays together where fewer would be too many yet.
fn group(view: &View<'_>, takes: &[usize]) -> usize {
    let (line, memory) = (view.target.line, &view.target.memory);
    let run = view.run(takes, DST) * view.sizes[DST];
    let several = runs(view, takes);
    let most = several.unwrap_or(memory.row_group.into()).min(view.row_bytes()).max(run);
    let [from, to] = [SRC, DST].map(|side| Rows::of(view, takes, side));
    if memory.row_group_crowded > 0 && several.is_none() && from.crowd(view, 1, 0) {
        let mut group = usize::from(memory.row_group_crowded).min(view.row_bytes()).max(run);
        // Their pages share places too, where tables of them are known a level further off.
        while from.page_places(group / run) > 2 * usize::from(memory.pages)
            && group / 2 >= run.max(2 * line)
        {
            group /= 2;
        }
        return group;
    }
    let far = |group: usize| {
        let pages = from.pages(group / run);
        pages > memory.streams.into() || pages + to.pages(1) > memory.pages.into()
    };
    let mut group = most;
    while far(group) && group / 2 >= run.max(2 * line) {
        group /= 2;
    }
    let whole = group_by(view, takes, most).is_none();
    if whole && far(group) { most } else { group }
}

/// Bytes of several runs that both sides have in common, where these are groups by themselves and the source has more
/// rows of them than are foreseen.
fn runs(view: &View<'_>, takes: &[usize]) -> Option<usize> {
    let memory = &view.target.memory;
    let run: usize = common(view).iter().map(|&l| view.loops[l].extent).product();
    let run = run.saturating_mul(view.sizes[DST]);
    let [src, dst] = [SRC, DST].map(|side| along(view, takes, side));
    let rows = if src? == dst? { 1 } else { view.loops[dst?].extent };
    let many = run >= memory.row_group.into() && rows > memory.streams.into();
    many.then(|| run.saturating_mul(RUNS))
}

/// Whether single lines of several rows would be stored by turns, whatever is walked over: of many rows more slowly
/// than several lines of each.
pub(super) fn single_lines(view: &View<'_>, takes: &[usize]) -> bool {
    let run = view.run(takes, DST) * view.sizes[DST];
    let several = usize::from(view.target.memory.row_lines) * view.target.line;
    let several = view.rows(takes) > 1 && run < several;
    several && group_by(view, takes, group(view, takes)).is_none()
}

/// Whether tiles store several rows that end within lines, which the next tile goes on with.
fn in_parts(view: &View<'_>, takes: &[usize]) -> bool {
    let run = view.run(takes, DST) * view.sizes[DST];
    let goes_on = run < view.row_bytes();
    view.rows(takes) > 1 && goes_on && !run.is_multiple_of(view.target.line)
}

impl fmt::Display for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Stores::Keep { ahead, group, why } => {
                write!(f, "keep ({why})")?;
                if group > 0 {
                    write!(
                        f,
                        ", {group} bytes of a row together, as rows share their lines' places"
                    )?;
                }
                match ahead {
                    0 => Ok(()),
                    ahead => write!(f, ", lines asked for {ahead} bytes ahead"),
                }
            }
            Stores::Stream { group, carry, met, .. } => {
                let why = if met { " (rows drive each other out of the caches)" } else { "" };
                write!(f, "stream{why}, {group} bytes of a row together")?;
                if carry { f.write_str(", carried to whole lines") } else { Ok(()) }
            }
        }
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Asked => f.write_str("as asked"),
            Why::Small(most) => write!(f, "both sides are less than {most} bytes"),
            Why::ShortRows => f.write_str("its rows are short"),
            Why::Folds => f.write_str("its rows end where digits do"),
            Why::Sums => f.write_str("it is read too"),
            Why::OffLines => f.write_str("lines of it cannot be stored whole"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::planned;

    /// Rows that go across those of the other side pass the caches by sooner than others, where a target says so.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_that_go_across_stream_sooner() {
        for (target, pair, expected) in [
            ("zen3", "f32:ab:1200x1100 ba", true),
            ("zen3", "f32:nchw:8x64x56x56 nChw16c", true),
            ("zen3", "f32:nhwc:8x64x56x56 nChw8c", false),
            ("zen3", "f32:nchw:8x64x56x56 nchw", false),
            ("zen3", "f32:ab:1000x1000 ba", false),
            ("zen4", "f32:ab:1200x1100 ba", false),
        ] {
            let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
            let tiling = plan.nests().next().and_then(|nest| nest.tiling.as_ref()).unwrap();
            let streams = matches!(tiling.stores, Stores::Stream { .. });
            assert_eq!(streams, expected, "{pair} for {target}");
        }
    }

    /// One row from end to end goes out in whole lines, be its images odd; one that ends within lines, where it is long.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn single_rows_that_leave_lines_come_together() {
        for (pair, expected) in [
            ("u8:nchw:2x3x1541x1593 nhwc", true),
            ("u8:nchw:2x3x1544x1600 nhwc", false),
            ("u8:nchw:1x3x3082x1593 nhwc", false),
            ("f32:strides(1007424,15741,99,1):1x64x151x97:offset=100 nchw", true),
            ("f32:strides(1007424,15741,99,1):1x64x151x96:offset=100 nchw", false),
            ("f32:ab:1032x2931 strides(2940,1)", true),
            ("f32:ab:3032x931 strides(940,1)", false),
            // Where the sides are walked in orders of their own lines of one wait for the other.
            ("bf16:abcd:1x3230x12x100 acbd", false),
        ] {
            for target in ["spr", "zen5"] {
                let plan = planned(pair, target.parse().unwrap(), Locality::Stream);
                let tiling = plan.nests().next().and_then(|nest| nest.tiling.as_ref()).unwrap();
                assert_eq!(tiling.carry.is_some(), expected, "{pair} for {target}");
            }
        }
    }

    /// Lines are asked for less far ahead where rows pass slowly through one another's places.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lines_are_asked_for_as_far_ahead_as_they_stay() {
        for (target, pair, expected) in [
            ("spr", "bf16:ab:2064x128 ba", 64),
            ("spr", "u8:ab:4072x128 ba", 64),
            ("spr", "f32:nhwc:2x64x1x516 nchw", 64),
            ("spr:avx2", "f32:ab:1036x128 ba", 64),
            // Eight rows of which all stay too close, rows elsewhere, and rows on lines.
            ("spr:avx2", "f32:ab:1030x128 ba", 128),
            ("spr", "f32:ab:1050x128 ba", 128),
            ("spr", "f32:ab:1040x128 ba", 64),
        ] {
            let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
            let tiling = plan.nests().next().and_then(|nest| nest.tiling.as_ref()).unwrap();
            let Stores::Keep { ahead, .. } = tiling.stores else { panic!("{pair} streams") };
            assert_eq!(ahead, expected, "{pair} for {target}");
        }
    }
}
