//! What a row needs. In: a row. Out: the registers that its elements are in, and lanes of each; or the
//! pieces of the source that lie there as they do here.

use smallvec::SmallVec;

use super::rows::{BLANK, Row, Rows};
use crate::shuffle::Table;
use crate::target::Target;

/// What a row takes of one register: for each lane the lane it comes from, or [`Table::ZERO`].
pub(super) struct Share {
    /// The run, and which of its registers.
    pub(super) input: (u32, u32),
    pub(super) from: SmallVec<[u8; 64]>,
    pub(super) mask: u64,
}

impl Share {
    pub(super) fn empty(input: (u32, u32), lanes: usize) -> Share {
        Share { input, from: SmallVec::from_elem(Table::ZERO, lanes), mask: 0 }
    }

    /// A lane of one of several registers, in one of so many lanes.
    pub(super) fn gather(
        shares: &mut Vec<Share>,
        input: (u32, u32),
        (lane, from): (usize, u8),
        lanes: usize,
    ) {
        // The latest is the likeliest.
        let known = shares.iter().rposition(|share| share.input == input);
        let share = known.unwrap_or_else(|| {
            shares.push(Share::empty(input, lanes));
            shares.len() - 1
        });
        shares[share].from[lane] = from;
        shares[share].mask |= 1 << lane;
    }
}

/// Lanes of another table beside its own.
pub(super) fn overlay(own: &mut [u8], other: &[u8]) {
    own.iter_mut().zip(other).for_each(|(own, other)| *own = (*own).min(*other));
}

/// Whether all lanes stay where they are.
pub(super) fn is_still(from: &[u8]) -> bool {
    from.iter().enumerate().all(|(lane, at)| *at == Table::ZERO || *at as usize == lane)
}

/// Lanes of a row that lie in the source as they do here.
pub(super) struct Segment {
    pub(super) place: u8,
    pub(super) run: u32,
    pub(super) first: u32,
    pub(super) count: u8,
}

/// What a row is put together from.
pub(super) enum Shares {
    /// Pieces of the source, where loading them in their places is cheaper than permuting registers.
    Loaded(SmallVec<[Segment; 8]>),
    /// Registers of which one permutation each does.
    Permuted(Vec<Share>),
    /// So many registers, of which one permutation each does not.
    Windowed(usize),
}

impl Shares {
    pub(super) fn of(rows: &Rows, row: &Row, target: &Target) -> Shares {
        // What is loaded in its place need not be permuted.
        if rows.packs.is_empty()
            && let Some(segments) = segments(rows, row, target)
        {
            return Shares::Loaded(segments);
        }
        let lanes = rows.lanes;
        let mut shares: Vec<Share> = Vec::new();
        for (lane, &(run, element)) in rows.places(row).iter().enumerate() {
            if run == BLANK {
                continue;
            }
            let input = (run, rows.register(element));
            let from = rows.lane_of(element) as u8;
            Share::gather(&mut shares, input, (lane, from), lanes);
        }
        let can = |share: &Share| rows.can_permute(&share.from, share.mask, target);
        match shares.iter().all(can) {
            true => Shares::Permuted(shares),
            false => Shares::Windowed(shares.len()),
        }
    }

    /// The registers that are permuted, each as a whole.
    pub(super) fn permuted(&self) -> &[Share] {
        if let Shares::Permuted(shares) = self { shares } else { &[] }
    }

    /// How many of them do not stay as they are.
    pub(super) fn moved(&self) -> u32 {
        self.permuted().iter().filter(|share| !is_still(&share.from)).count() as u32
    }
}

fn segments(rows: &Rows, row: &Row, target: &Target) -> Option<SmallVec<[Segment; 8]>> {
    let mut segments: SmallVec<[Segment; 8]> = SmallVec::new();
    for (lane, &(run, element)) in rows.places(row).iter().enumerate() {
        if run == BLANK {
            continue;
        }
        match segments.last_mut() {
            Some(last)
                if last.run == run
                    && (last.place + last.count) as usize == lane
                    && last.first + u32::from(last.count) == element =>
            {
                last.count += 1;
            }
            _ => segments.push(Segment { place: lane as u8, run, first: element, count: 1 }),
        }
    }
    let simple = |segment: &Segment| {
        let start = segment.place as usize * rows.lane;
        let bytes = segment.count as usize * rows.lane;
        target.tier.masks()
            || (start.is_multiple_of(16) && matches!(bytes, 4 | 8 | 16 | 32))
            || (start == 0 && bytes.is_multiple_of(4))
    };
    // Where loading is more than that, a permutation is less than several loads; but runs of which nothing is left for
    // other rows are loaded once in any case.
    let whole = |segment: &Segment| rows.runs[segment.run as usize].1 == segment.count.into();
    let few = || match rows.loads_plainly {
        true => segments.len() <= row.inputs(rows) + 1,
        false => segments.iter().all(whole),
    };
    (segments.len() == 1 || segments.iter().all(simple) && few()).then_some(segments)
}
