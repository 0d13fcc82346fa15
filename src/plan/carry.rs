//! Carry. In: the steps around a nest's tiles. Out: a buffer in which rows of the destination come together
//! with the alignment that they have there, so that whole lines of them can be stored past the caches.
//!
//! ```text
//! at a step    rows are led on by so many bytes each time
//! around some  of them at once, which have room beside each other:
//! inside       tiles are stored to the buffer
//! then         whole lines go from there to the destination; what is left of a line waits, one of each row
//! ```
//!
//! Steps of the buffer's rows are longer than their bytes by some lines, and as far off lines as those of the
//! destination, so that a byte has the same place in its line here and there.

use smallvec::SmallVec;

use super::fetch::ask::PART;
use super::order::{Step, Steps};
use super::rows::PAGE;
use super::view::View;
use crate::layout::gcd;
use crate::problem::{DST, READY, SRC, VALUE_OPERANDS};

/// How rows of the destination come together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Carry {
    /// The step that leads on along the rows, by number.
    pub step: usize,
    /// Inside of the steps before this one, by number, are the rows that come together at once.
    pub inside: usize,
    /// Bytes that it leads on each time, and that are there of each row before they are stored.
    pub bytes: usize,
    /// How many rows come together at once, at most.
    pub rows: usize,
    /// How many rows have part of a line kept until their next turn.
    pub waiting: usize,
    /// Bytes of the buffer that a step of each loop leads on, in place of the destination's.
    pub strides: SmallVec<[isize; 8]>,
    /// Bytes of the buffer, but for the lines that wait.
    pub size: usize,
}

/// Where rows start, in the destination and in the buffer.
type Rows = SmallVec<[(isize, isize); 16]>;

/// A single row comes together in no fewer bytes, where it has as many.
const TOGETHER: usize = 1 << 10;

/// Lines come together of so many bytes, which the code stores, and on targets alone whose lines are as long.
pub(crate) const LINE: usize = 64;

/// No more bytes of the stack for a buffer, however large the first level.
const ROOM: usize = 32 << 10;

/// No more rows at once.
pub(super) const MOST_ROWS: usize = 64;

/// No more of the stack for all rows, those that are copied first among them: with what else a frame has less than 128
/// KiB, which is all that some threads have.
pub(super) const STACK: usize = 126 << 10;

/// As much of that is for several values of scales and zero points, where there are some.
const VALUES: usize = VALUE_OPERANDS.len() * READY * size_of::<f32>() + (2 << 10);

/// So many rows of the source take as long as their next lines do that are asked for.
const LEAD: usize = 128;

/// Shorter pieces of the source's rows are over before the machine foresees them.
const PIECE: usize = 1 << 10;

impl View<'_> {
    /// Where rows can come together, if anywhere, and the steps, which may be blocked for it. Those that are `even`
    /// start on lines.
    pub(super) fn carry(
        &self,
        takes: &[usize],
        even: bool,
        steps: &Steps,
    ) -> Option<(Steps, Carry)> {
        if !self.folds.is_empty() || self.sums || self.target.line != LINE {
            return None;
        }
        let room = (self.target.l1 / 2).min(ROOM);
        let single = self.single(takes, even, steps, room);
        if let Some(single) = single.as_ref().filter(|one| one.bytes >= TOGETHER) {
            return Some((steps.clone(), single.clone()));
        }
        let (k, unit) = match &single {
            Some(single) => (single.step, 1),
            None => {
                let next = self.next(takes, DST)?;
                (steps.iter().rposition(|step| step.index == next)?, self.target.line)
            }
        };
        let own = self.carry_at(steps, k)?;
        let rows = own.rows;
        let wide = self.wide(takes, steps, k, rows);
        if single.is_none() && (wide.is_none() || self.lies_behind(takes)) {
            // Part of a block end to end comes before rows by turns.
            let quarters = self.quarters(takes, steps, room);
            if quarters.is_some() {
                return quarters;
            }
        }
        let group = match rows {
            1 => TOGETHER,
            _ => {
                let lead = wide.map_or(0, |_| self.lead(takes, &own, &steps[k]));
                self.of_each_row(&own, lead, room)
            }
        };
        let lines = unit / gcd(own.bytes as isize, unit as isize).unsigned_abs();
        let times = (group / own.bytes).max(1).next_multiple_of(lines);
        let index = steps[k].index;
        let extent = self.extent_of(steps, k);
        // Rows that start on lines may end anywhere.
        let by = steps[k].by * times;
        let by = if even { by.min(extent) } else { by };
        if !even && by.saturating_mul(2) > extent {
            return None;
        }
        let mut steps = steps.clone();
        if by > steps[k].by {
            steps.insert(k, Step::new(index, by));
        }
        let carry = match wide {
            Some(wide) => self.lead_whole(&mut steps, k, wide),
            None => {
                let k = k + usize::from(self.block(takes, &mut steps, k));
                self.carry_at(&steps, k)
            }
        }?;
        let whole = rows == 1 || carry.bytes.is_multiple_of(self.target.line);
        let worth = carry.bytes >= 2 * self.target.line;
        (whole && worth && carry.size <= room).then_some((steps, carry))
    }

    /// No more of the stack for all rows.
    pub(super) fn stack(&self) -> usize {
        if self.valued { STACK - VALUES } else { STACK }
    }

    /// A line each waits of no more rows: 1504, 94 KiB of the stack, or 960 where values take their part of it.
    fn waiting(&self) -> usize {
        (self.stack() - ROOM) / LINE
    }

    /// Bytes of each of several rows that come together, at least `lead`, if there is room for them, in whole lines.
    fn of_each_row(&self, own: &Carry, lead: usize, room: usize) -> usize {
        let (line, least) = (self.target.line, usize::from(self.target.memory.row_group));
        let most = (room / own.rows).saturating_sub(3 * line);
        let group = least.max(own.bytes).max(lead).min(most);
        // Three lines by turns are slower than two: those of a pair belong together.
        line << (group / line).max(1).ilog2()
    }

    /// Steps of which all rows lie end to end: the fewest that come to enough bytes, if several of the last of them have
    /// to; of a row that does not start on lines the most that have room, as where it goes on in the next one its ends
    /// are in the buffer.
    fn single(&self, takes: &[usize], even: bool, steps: &[Step], room: usize) -> Option<Carry> {
        let goes_on = |own: &Carry| {
            let by = steps[own.step].by.saturating_mul((TOGETHER / own.bytes).max(1));
            even || own.bytes >= TOGETHER || by.saturating_mul(2) <= self.extent_of(steps, own.step)
        };
        let longest = match !even && self.rows(takes) == 1 {
            true => self.singles(steps, room / 2).filter(goes_on).last(),
            false => None,
        };
        let longer = longest.or_else(|| self.singles(steps, room).find(goes_on));
        longer.or_else(|| self.end_to_end(steps, room))
    }

    /// The fewest steps of which all rows lie end to end, one long row.
    fn end_to_end(&self, steps: &[Step], room: usize) -> Option<Carry> {
        self.singles(steps, room).next()
    }

    /// Steps of which all rows lie end to end, the fewest first.
    fn singles(&self, steps: &[Step], room: usize) -> impl Iterator<Item = Carry> {
        let one = move |k| self.carry_at(steps, k).filter(|one| one.rows == 1 && one.size <= room);
        (0..steps.len()).rev().filter_map(one)
    }

    /// Rows of a quarter of a block that lie end to end, where all of it is too long. Of the source it takes parts of
    /// lines, which have to be in the first level yet when the other quarters come.
    fn quarters(&self, takes: &[usize], steps: &[Step], room: usize) -> Option<(Steps, Carry)> {
        let inner = |k: usize| steps[k + 1..].iter().find(|step| step.index == steps[k].index);
        let can = |&k: &usize| inner(k).is_some_and(|own| steps[k].by.is_multiple_of(4 * own.by));
        let k = (0..steps.len()).rev().find(can)?;
        let mut quarters: Steps = steps.iter().cloned().collect();
        quarters[k].by /= 4;
        let single = self.end_to_end(&quarters, room).filter(|one| one.bytes >= TOGETHER)?;
        let rows = self.rows_inside(&quarters[..single.inside]).across;
        // Where rows lie behind one another these have been asked for, a level further off.
        let stay = self.lies_behind(takes) || !self.drives_out(&self.strides(rows), 1);
        stay.then_some((quarters, single))
    }

    /// So many steps of a loop as read from no more than so many pages, where it has more.
    pub(super) fn near(&self, index: usize, pages: usize) -> Option<usize> {
        let apart = self.stride(index, SRC).unsigned_abs();
        let most = (pages * PAGE / apart.clamp(1, PAGE)).max(1);
        (self.loops[index].extent > most).then_some(most)
    }

    /// Bytes of as many rows of the source as have to be walked over for the next pieces of each to come to the second
    /// level meanwhile, where they are asked for there, and not all of the next rows.
    fn lead(&self, takes: &[usize], own: &Carry, step: &Step) -> usize {
        let memory = &self.target.memory;
        let rows = usize::from(memory.row_group) / own.bytes * step.by;
        let singly = !memory.asks_near() && !self.block_waits(takes, rows);
        if singly { LEAD.saturating_mul(own.bytes) / step.by } else { 0 }
    }

    /// Whether rows of the source lie one right behind the other, short enough to be led on whole, and lines come to
    /// the second level: then those of the next rows are asked for while these are walked over.
    pub(super) fn lies_behind(&self, takes: &[usize]) -> bool {
        let [on, down] = [SRC, DST].map(|side| self.next(takes, side));
        let (Some(on), Some(down)) = (on, down) else { return false };
        let [step, apart] = [on, down].map(|l| self.stride(l, SRC).unsigned_abs());
        let (extent, further) = (self.loops[on].extent, !self.target.memory.asks_near());
        further && on != down && extent <= self.waiting() && apart <= step.saturating_mul(extent)
    }

    /// Whether that is so, and so many of the next rows have room there.
    pub(super) fn block_waits(&self, takes: &[usize], rows: usize) -> bool {
        let apart = self.next(takes, DST).map_or(0, |down| self.stride(down, SRC).unsigned_abs());
        self.lies_behind(takes) && rows.saturating_mul(apart) <= self.target.l2 / PART
    }

    /// Long rows are led on whole, and more of them than come together at once, where pieces of the source's rows
    /// are long then: how many steps of the loop before `k`, where it is so.
    fn wide(&self, takes: &[usize], steps: &[Step], k: usize, rows: usize) -> Option<usize> {
        let at = k.checked_sub(1)?;
        let along = steps[k].index;
        let &Step { index, by, .. } = &steps[at];
        let twice = steps[..at].iter().any(|step| step.index == index);
        if twice || self.next(takes, SRC) != Some(index) || along == index {
            return None;
        }
        let (extent, most) = (self.loops[index].extent, self.waiting() / rows * by);
        let wide = extent.div_ceil(extent.div_ceil(most.max(1))).next_multiple_of(by);
        let piece = wide.saturating_mul(self.stride(index, SRC).unsigned_abs());
        if wide >= extent && self.lies_behind(takes) {
            return (wide >= 2 * by).then_some(wide);
        }
        self.near(along, self.target.memory.pages.into())?;
        // Rows in each other's way do not even wait for the next piece.
        let crowded = self.drives_out(&[(self.stride(along, SRC), rows)], 1);
        let least = if crowded { PIECE / 2 } else { PIECE };
        (wide >= 2 * by && piece >= least).then_some(wide)
    }

    /// The buffer where the rows of step `k` are led on whole, those of so many steps of the loop before it by turns.
    fn lead_whole(&self, steps: &mut Steps, k: usize, wide: usize) -> Option<Carry> {
        let at = k - 1;
        let index = steps[at].index;
        steps[at..=k].rotate_left(1);
        let several = usize::from(wide < self.loops[index].extent);
        if several > 0 {
            steps.insert(at, Step::new(index, wide));
        }
        self.carry_of(steps, at + several, k + 1 + several)
    }

    /// Long rows are led on in blocks, so that what is read with them is still near when the next rows are;
    /// true where it is so. A block costs a part of a line at both of its ends.
    fn block(&self, takes: &[usize], steps: &mut Steps, k: usize) -> bool {
        let Step { index, by, .. } = steps[k];
        let next = self.next(takes, SRC);
        let Some(at) = next.and_then(|l| steps[..k].iter().position(|step| step.index == l)) else {
            return false;
        };
        let Some(most) = self.near(index, self.target.memory.pages_far.into()) else {
            return false;
        };
        let extent = self.loops[index].extent;
        let block = extent.div_ceil(extent.div_ceil(most)).next_multiple_of(by);
        steps.insert(at, Step::new(index, block));
        true
    }

    /// The buffer of what is inside a step.
    fn carry_at(&self, steps: &[Step], k: usize) -> Option<Carry> {
        self.carry_of(steps, k, k + 1)
    }

    /// The buffer of what is inside of the steps before one, led on by step `k`.
    fn carry_of(&self, steps: &[Step], k: usize, inside_at: usize) -> Option<Carry> {
        let (own, by) = (steps[k].index, steps[k].by);
        let all = 0..self.loops.len();
        let inside = self.inside_of(&steps[..inside_at]);
        if all.clone().any(|l| inside[l] > 1 && self.loops[l].table.is_some()) {
            return None;
        }
        // Along the row: loops that are whole, up to the step's own.
        let mut along: SmallVec<[usize; 8]> = SmallVec::from_iter([own]);
        let mut run = self.sizes[DST] as isize;
        while run != self.stride(own, DST) {
            let next = |&l: &usize| {
                inside[l] == self.loops[l].extent && inside[l] > 1 && self.stride(l, DST) == run
            };
            let next = { all.clone() }.find(|l| !along.contains(l) && next(l))?;
            along.push(next);
            run = run.checked_mul(inside[next] as isize)?;
        }
        let bytes = (run as usize).checked_mul(by)?;
        let mut strides: SmallVec<[isize; 8]> = all.clone().map(|l| self.stride(l, DST)).collect();
        let mut rows = 1usize;
        let mut size = bytes;
        let mut others: SmallVec<[usize; 8]> =
            { all.clone() }.filter(|l| inside[*l] > 1 && !along.contains(l)).collect();
        others.sort_by_key(|&l| strides[l].unsigned_abs());
        let line = self.target.line;
        for l in others {
            let stride = strides[l];
            let pitch = size.checked_next_multiple_of(line)? + 2 * line;
            let pitch = pitch + stride.rem_euclid(line as isize) as usize;
            // A loop across rows is known by a stride that is not the destination's.
            let pitch = if pitch as isize == stride { pitch + line } else { pitch };
            rows = rows.checked_mul(inside[l]).filter(|rows| *rows <= MOST_ROWS)?;
            strides[l] = pitch as isize;
            size += pitch * (inside[l] - 1);
        }
        let led = self.inside_of(&steps[..=k]);
        let waiting = { all.clone() }.filter(|l| !along.contains(l));
        let waiting = waiting.map(|l| led[l]).fold(1, usize::saturating_mul);
        // A part of a line before, and a line behind.
        let size = size + 2 * line;
        Some(Carry { step: k, inside: inside_at, bytes, rows, waiting, strides, size })
    }
}

impl Carry {
    /// Bytes of the lines that wait, before the buffer's rows; where no others come between, lines wait in front of
    /// their own rows.
    pub(crate) fn lines_apart(&self) -> usize {
        if self.waiting > self.rows { self.waiting * LINE } else { 0 }
    }

    /// Bytes of the buffer and of the lines that wait.
    pub(crate) fn room(&self) -> usize {
        self.lines_apart() + self.size
    }

    /// Where the rows start that some loops make, given as their strides and extents.
    pub(crate) fn rows(&self, loops: impl Iterator<Item = (isize, usize)>) -> Rows {
        let mut rows: Rows = SmallVec::from_iter([(0, 0)]);
        for (l, (stride, extent)) in loops.enumerate() {
            let pitch = self.strides[l];
            // Others lie along the rows.
            if pitch != stride {
                let moved =
                    |i: isize| move |row: &(isize, isize)| (row.0 + i * stride, row.1 + i * pitch);
                rows = (0..extent as isize).flat_map(|i| rows.iter().map(moved(i))).collect();
            }
        }
        rows
    }

    /// Where a byte goes in the buffer that would be `at` bytes from where a tile starts in the
    /// destination; `rows` are the tile's.
    pub(crate) fn place(&self, at: isize, rows: &[(isize, isize)]) -> isize {
        let own = |row: &&(isize, isize)| (0..self.bytes as isize).contains(&(at - row.0));
        let row = rows.iter().find(own).unwrap_or_else(|| unreachable!("a row for byte {at}"));
        at - row.0 + row.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Target;
    use crate::plan::{Locality, Nest, planned, planned_by};

    /// The nests of a pair whose rows come together.
    fn carried(pair: &str, target: &str) -> Vec<(Nest, Carry)> {
        let plan = planned(pair, target.parse().unwrap(), Locality::Stream);
        let nests = plan.boxes.into_iter().flat_map(|one| one.nests);
        let own = |nest: Nest| Some((nest.clone(), nest.tiling?.carry?));
        nests.filter_map(own).collect()
    }

    /// The strides of a nest's loops, with how much of each comes together.
    fn inside(nest: &Nest, carry: &Carry) -> Vec<(isize, usize)> {
        let steps = &nest.tiling.as_ref().unwrap().steps;
        let around = |l: usize| steps[..=carry.step].iter().rfind(|step| step.index == l);
        let own = |(l, node): (usize, &crate::problem::Node)| {
            (node.strides[DST], around(l).map_or(node.extent, |step| step.by))
        };
        nest.loops.iter().enumerate().map(own).collect()
    }

    const PAIRS: [&str; 9] = [
        "u8:ab:517x64 ba",
        "u8:ab:900x33 strides(1,-903):offset=40000",
        "bf16:ab:333x77 ba",
        "u8:ab:333x790 strides(1,403):offset=5",
        "f32:ab:203x301 ba",
        "f64:ab:133x77 ba",
        "u8:abc:3x500x70 strides(160000,1,509):offset=7",
        "f32:nchw:2x17x31x31 nhwc",
        "u8:ab:900x90 ba:lower=3,1:upper=2,5:fill=3",
    ];

    /// Each row has room for its bytes, for a part of a line before them, and for one behind.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_have_room_beside_each_other() {
        let mut several = 0;
        for (pair, target) in PAIRS.iter().flat_map(|pair| [(pair, "haswell"), (pair, "spr")]) {
            for (nest, carry) in carried(pair, target) {
                let mut rows = carry.rows(inside(&nest, &carry).into_iter());
                assert_eq!(rows.len(), carry.rows, "{pair} for {target}");
                assert!(rows.iter().all(|row| (row.0 - row.1) % 64 == 0), "{pair}: {rows:?}");
                rows.sort_by_key(|row| row.1);
                // The first row may start anywhere in its line.
                let end = |row: &(isize, isize)| row.1 + carry.bytes as isize;
                let apart = |two: &[(isize, isize)]| end(&two[0]) + 64 + 63 <= two[1].1;
                assert!(rows.windows(2).all(apart), "{pair} for {target}: {carry:?} {rows:?}");
                assert_eq!(rows[0].1, 0, "{pair}");
                assert!(end(&rows[rows.len() - 1]) + 2 * 64 <= carry.size as isize, "{carry:?}");
                several += usize::from(rows.len() > 1);
            }
        }
        assert!(several > 6, "{several} have several rows");
    }

    /// Every byte of every row has its own.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn bytes_keep_their_place_in_the_row() {
        for (nest, carry) in PAIRS.iter().flat_map(|pair| carried(pair, "spr")) {
            let rows = carry.rows(inside(&nest, &carry).into_iter());
            for row in &rows {
                for byte in 0..carry.bytes as isize {
                    assert_eq!(carry.place(row.0 + byte, &rows), row.1 + byte, "{carry:?}");
                }
            }
        }
    }

    /// Parts of lines that do not stay until the next quarter comes are no way to have rows end to end.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn blocks_are_quartered_where_lines_of_the_source_stay() {
        for (pair, rows) in [
            ("u8:nchw:16x430x26x26 nhwc", 1),
            ("f32:nchw:16x129x21x21 nhwc", 1),
            ("u8:nhwc:16x256x28x28 nchw", 64),
            ("u8:nhwc:64x256x20x20 nchw", 64),
            ("u8:ab:1500x1501 ba", 64),
        ] {
            let all = carried(pair, "spr");
            assert_eq!(all[0].1.rows, rows, "{pair}");
        }
    }

    /// Values of scales and zero points are on the stack beside the rows, which have less of it then.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn values_have_room_beside_rows() {
        let few = crate::Attr::new().src_scale(0);
        let several = crate::Attr::new().src_scale(2).dst_scale(2).src_zero_point(2);
        for (attr, room) in [(&few, super::STACK), (&several, super::STACK - super::VALUES)] {
            let pair = "s32:ba:1456x1153 f16:ab";
            let plan = planned_by(pair, attr, "spr".parse().unwrap(), Locality::Auto);
            let carry = plan.nests().next().unwrap().tiling.as_ref().unwrap().carry.as_ref();
            let own = carry.unwrap().room();
            assert!(own <= room && own > room - (40 << 10), "{own} of {room}");
        }
    }

    /// Rows are put together by lines that the code stores; by others they have no room, or wait in the wrong place.
    #[test]
    fn lines_of_a_target_are_those_of_the_code() {
        for line in [16, 32, 128] {
            let target = Target { line, .."haswell".parse().unwrap() };
            let plan = planned("u8:ab:300x16 ba", target, Locality::Stream);
            let mut nests = plan.nests();
            assert!(nests.all(|nest| nest.tiling.as_ref().unwrap().carry.is_none()), "{line}");
        }
    }
}
