//! A movement as rows. In: dims. Out: the registers that source runs fill, and the rows that are stored,
//! with the register and lane that each element comes from.

use smallvec::SmallVec;

use super::packs::Pack;
use crate::shuffle::cost::Cost;
use crate::shuffle::op::every;
use crate::shuffle::{Dim, Movement, NONE, Op, Reg, Side, Table, places_of};
use crate::target::Target;

/// No element: the lane is padding.
pub(super) const BLANK: u32 = u32::MAX;

/// Runs of the source and rows of the destination.
pub(super) struct Rows {
    pub(super) lane: usize,
    pub(super) lanes: usize,
    /// Lanes of a 16-byte block.
    pub(super) block: usize,
    /// Where each run starts, in bytes, and its elements.
    pub(super) runs: Vec<(isize, usize)>,
    pub(super) rows: Vec<Row>,
    /// For all lanes of all rows the run and the element in it.
    places: Vec<Place>,
    /// How many elements of the source there are in them.
    pub(super) elements: usize,
    /// What their stores cost, however they come about.
    pub(super) stored: Cost,
    /// Whether loads are nothing more.
    pub(super) loads_plainly: bool,
    /// What is loaded in place of runs, where pieces of several lie side by side.
    pub(super) packs: Vec<Pack>,
}

/// A run, or [`BLANK`], and an element of it.
pub(super) type Place = (u32, u32);

/// A row of up to a register's lanes.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) at: isize,
    /// The first of its lanes among those of all rows, and how many there are.
    first: usize,
    len: usize,
    /// Those of them that are padding.
    blank: u64,
}

impl Row {
    /// One more lane.
    fn push(&mut self, (run, _): Place) {
        self.blank |= u64::from(run == BLANK) << self.len;
        self.len += 1;
    }

    /// How it is stored from a register.
    pub(super) fn store(&self, register: Reg) -> Op {
        let Row { at, len, blank, .. } = *self;
        // Padding alone is of no register.
        let a = if blank == every(len) { NONE } else { register };
        Op::Store { a, at, place: 0, count: len as u8, blank }
    }

    /// From how many registers its elements come.
    pub(super) fn inputs(&self, rows: &Rows) -> usize {
        let mut inputs: SmallVec<[Place; 64]> = SmallVec::new();
        for &(run, element) in rows.places(self).iter().filter(|from| from.0 != BLANK) {
            let input = (run, rows.register(element));
            if inputs.last() != Some(&input) {
                inputs.push(input);
            }
        }
        if inputs.len() > 1 {
            inputs.sort_unstable();
            inputs.dedup();
        }
        inputs.len()
    }
}

/// The elements' places in the source, mostly in its order.
fn sources(movement: &Movement) -> Vec<isize> {
    let mut sources = vec![0isize];
    for dim in by_steps(movement, |dim| &dim.src) {
        let inner = std::mem::take(&mut sources);
        // A stride of 0 repeats one element.
        let most = if dim.src.stride() == Some(0) { 1 } else { usize::MAX };
        for position in dim.data.clone().take(most) {
            let src = dim.src.at(position);
            sources.extend(inner.iter().map(|from| from.wrapping_add(src)));
        }
    }
    sources
}

/// Dims, that of the shortest steps first.
fn by_steps(movement: &Movement, side: impl Fn(&Dim) -> &Side) -> SmallVec<[&Dim; 6]> {
    let mut dims: SmallVec<[&Dim; 6]> = movement.dims.iter().collect();
    dims.sort_by_key(|dim| match side(dim) {
        Side::Stride(stride) => stride.unsigned_abs(),
        Side::Table(table) => {
            table.windows(2).map(|two| two[0].abs_diff(two[1])).min().unwrap_or(0)
        }
    });
    dims
}

/// The elements of a movement, in the order of either side.
pub(super) struct Elements {
    /// Places in the destination, and in the source where there is an element.
    places: Vec<(isize, Option<isize>)>,
    sources: Vec<isize>,
    /// The most that lie one beside the other in the destination.
    long: usize,
}

impl Elements {
    pub(super) fn of(movement: &Movement) -> Elements {
        // As they come they are mostly in order, which takes little to find.
        let mut places = places_of(&by_steps(movement, |dim| &dim.dst));
        places.sort_unstable_by_key(|place| place.0);
        let mut sources = sources(movement);
        sources.sort_unstable();
        sources.dedup();
        let (mut long, mut count) = (1, 1);
        for pair in places.windows(2) {
            let beside = pair[0].0 + movement.dst_size as isize == pair[1].0;
            count = if beside { count + 1 } else { 1 };
            long = long.max(count);
        }
        Elements { places, sources, long }
    }
}

impl Rows {
    /// With runs that go on over what is no element, up to so many bytes of it at a time.
    pub(super) fn of(
        elements: &Elements,
        movement: &Movement,
        over: usize,
        target: &Target,
    ) -> Rows {
        let lane = movement.lane;
        let (from, to) = (movement.src_size as isize, movement.dst_size as isize);
        let mut runs: Vec<(isize, usize)> = Vec::new();
        let goes_on = |end: isize, at: isize| {
            let between = at.abs_diff(end);
            between <= over && between.is_multiple_of(movement.src_size)
        };
        for &at in &elements.sources {
            match runs.last_mut() {
                Some((start, count)) if goes_on(*start + from * *count as isize, at) => {
                    *count = ((at - *start) / from) as usize + 1;
                }
                _ => runs.push((at, 1)),
            }
        }
        let long = runs.iter().fold(elements.long, |long, run| long.max(run.1));
        let least = 16 / lane;
        let lanes = (target.tier.vector() / lane).min(long.next_power_of_two().max(least));
        // Mostly that of the element before, or the next one.
        let mut last = 0;
        let holds = |run: usize, src: isize| {
            runs[run].0 <= src && runs.get(run + 1).is_none_or(|next| src < next.0)
        };
        let mut find = |src: Option<isize>| {
            let Some(src) = src else { return (BLANK, 0) };
            let next = if last + 1 < runs.len() { last + 1 } else { 0 };
            let near = [last, next].into_iter().find(|&run| holds(run, src));
            last = near.unwrap_or_else(|| runs.partition_point(|run| run.0 <= src) - 1);
            (last as u32, (src - runs[last].0) as u32 >> from.trailing_zeros())
        };
        let mut rows: Vec<Row> = Vec::with_capacity(elements.places.len().div_ceil(lanes));
        let mut places = Vec::with_capacity(elements.places.len());
        for &(at, src) in &elements.places {
            let place = find(src);
            let next = |row: &Row| row.at + to * row.len as isize;
            match rows.last_mut() {
                Some(row) if next(row) == at && row.len < lanes => row.push(place),
                _ => {
                    let mut row = Row { at, first: places.len(), len: 0, blank: 0 };
                    row.push(place);
                    rows.push(row);
                }
            }
            places.push(place);
        }
        let loads_plainly = movement.change.loads.0 == 0;
        let block = least.min(lanes);
        let mut stored = Cost { change: movement.change, ..Cost::default() };
        rows.iter().for_each(|row| stored.add(&row.store(0), 1, lane, lane * lanes, target));
        let elements = elements.sources.len();
        let packs = Vec::new();
        Rows { lane, lanes, block, elements, loads_plainly, runs, rows, places, stored, packs }
    }

    /// The same rows, of packs: where each lane comes from then.
    pub(super) fn of_packs(&self, packs: Vec<Pack>, places: Vec<Place>) -> Rows {
        let Rows { lane, lanes, block, elements, loads_plainly, stored, .. } = *self;
        let (runs, rows) = (vec![(0, lanes); packs.len()], self.rows.clone());
        Rows { lane, lanes, block, elements, loads_plainly, runs, rows, places, stored, packs }
    }

    /// The run and the element in it of each lane of a row.
    pub(super) fn places(&self, row: &Row) -> &[Place] {
        &self.places[row.first..row.first + row.len]
    }

    /// Groups of lanes, as large as can be, that move together, and are all in `mask` or all not;
    /// none within blocks.
    pub(super) fn grain(&self, from: &[u8], mask: u64) -> Option<usize> {
        let block = self.block;
        // Blocks are of a power of two lanes; all are looked at, which takes vectors of them at once.
        let outside = |(lane, at): (u8, &u8)| (*at != Table::ZERO) & ((*at ^ lane) >= block as u8);
        if !(0u8..).zip(from).fold(false, |any, lane| any | outside(lane)) {
            return None;
        }
        let mut grain = block.min(8 / self.lane).max(1);
        let together = |grain: usize| {
            from.chunks(grain).enumerate().all(|(k, group)| {
                let own = mask >> (k * grain) & every(grain);
                if own != 0 && own != every(grain) {
                    return false;
                }
                let base = group.iter().enumerate().find(|(_, at)| **at != Table::ZERO);
                let Some((k, at)) = base else { return true };
                let Some(start) = (*at as usize).checked_sub(k) else { return false };
                let fits = |(i, at): (usize, &u8)| *at == Table::ZERO || *at as usize == start + i;
                start.is_multiple_of(grain) && group.iter().enumerate().all(fits)
            })
        };
        while grain > 1 && !together(grain) {
            grain /= 2;
        }
        Some(grain)
    }

    /// Whether one permutation does it.
    pub(super) fn can_permute(&self, from: &[u8], mask: u64, target: &Target) -> bool {
        let least = target.tier.permute_grain();
        if self.lane >= least {
            return true;
        }
        let mask = if target.tier.masks() { mask } else { u64::MAX };
        self.grain(from, mask).is_none_or(|grain| grain * self.lane >= least)
    }

    /// Which register of its run an element is in.
    pub(super) fn register(&self, element: u32) -> u32 {
        element >> self.lanes.trailing_zeros()
    }

    /// Which lane of it.
    pub(super) fn lane_of(&self, element: u32) -> u32 {
        element & (self.lanes as u32 - 1)
    }

    /// The place of an element of a run.
    pub(super) fn place(&self, run: u32, element: u32, size: usize) -> isize {
        self.runs[run as usize].0 + (element as usize * size) as isize
    }
}
