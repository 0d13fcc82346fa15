//! Blocks that are copied first. In: a tile. Out: whether a block of the source is to lie in one piece in the first
//! level before tiles take it apart, of how many rows and how much of each, and the steps for it.
//!
//! Rows of the destination that share their lines' places are stored few at a time and much of each, so that lines are
//! there when they are written. That takes as many rows of the source, each of which is come back to; where these share
//! their places too, their lines would have gone each time.

use smallvec::SmallVec;

use super::{Room, Stage};
use crate::layout::gcd;
use crate::plan::carry::Carry;
use crate::plan::order::{Step, Steps, along, around, common, inmost};
use crate::plan::rows::Rows;
use crate::plan::view::View;
use crate::problem::{DST, SRC};
use crate::shuffle::{Line, Op, Program};
use crate::target::PARTS;

/// Of each row of the source no more bytes.
const MOST_OF_A_ROW: usize = 256;

/// Of each row of the destination no fewer lines.
const LEAST_LINES: usize = 2;

/// Rows of the destination that are no longer than so many lines are not foreseen.
const SHORT: usize = 3;

/// Cycles until two lines are there that are not foreseen, while nothing else is on its way.
const UNFORESEEN: u64 = 5;

/// So much of the source as is copied at once.
struct Block {
    /// Of the loop that leads on along the destination's rows.
    rows: usize,
    /// For each of its steps so many of other loops.
    beside: usize,
    /// Bytes of each row.
    run: usize,
}

/// Steps around tiles that take their source from such blocks.
pub(in crate::plan) struct Copied {
    pub(in crate::plan) steps: Steps,
    pub(in crate::plan) stage: Stage,
    /// The cycles that it takes, but for those of the tiles.
    pub(in crate::plan) price: u64,
}

impl View<'_> {
    /// A block from which tiles make as much of each of their rows as is on its way to memory at a time; where these go
    /// on as the source's do, one of the rows that a tile takes.
    fn copied_block(&self, takes: &[usize]) -> Block {
        let memory = &self.target.memory;
        let [src, dst] = [SRC, DST].map(|side| along(self, takes, side));
        let lines = usize::from(memory.under_way) / self.rows(takes);
        let next = dst.map_or(1, |l| self.stride(l, DST).unsigned_abs());
        let all = Rows::of(self, takes, SRC).count;
        let (rows, beside) = match dst.filter(|_| src != dst) {
            None => (all, 1),
            // Of other loops a tile takes rows too.
            Some(l) => {
                let line = self.target.line;
                let rows = (lines.max(LEAST_LINES) * line / next.max(1)).max(1);
                // Whole lines of the destination, where that is not much more.
                let whole = rows.next_multiple_of(self.lines_of(next));
                let rows = if whole <= 2 * rows { whole } else { rows };
                (rows.clamp(1, self.loops[l].extent), (all / takes[l]).max(1))
            }
        };
        let run = usize::from(memory.copied) / (rows * beside);
        Block { rows, beside, run: run.min(MOST_OF_A_ROW) }
    }

    /// The steps around tiles that take their source from blocks which are copied first, and how they are, if that is
    /// worth it: one block after the other along the source's rows, and the tiles of each along the destination's.
    pub(in crate::plan) fn copied_steps(&self, takes: &[usize]) -> Option<Copied> {
        let (memory, places) = (&self.target.memory, self.terms.demand.places);
        if memory.copied == 0 || self.narrows() || self.is_beyond() || places <= self.target.l1 {
            return None;
        }
        let block = self.copied_block(takes);
        let [src, dst] = [SRC, DST].map(|side| along(self, takes, side));
        let (src, dst) = (src?, dst?);
        // Parts that go abreast have no inner steps of their own.
        if self.terms.turns.is_some()
            || !common(self).is_empty()
            || !self.shares_places(takes, &block, src == dst)
        {
            return None;
        }
        let rows = self.rows_of_block(src, dst, block.run);
        let last = *rows.last()?;
        // The one that the destination's rows go on along, too, is within the others: these are the longer for it.
        let on = self.chain(DST).iter().skip_while(|l| **l != dst).nth(1).copied();
        let mut inner: SmallVec<[usize; 4]> = rows.iter().rev().copied().collect();
        inner.sort_by_key(|l| Some(*l) == on);
        let mut steps = inmost(around(self, takes), inner.into_iter().chain([dst]));
        let mut outer = steps.len().checked_sub(rows.len() + usize::from(src != dst))?;
        let most = block.run / self.stride(last, SRC).unsigned_abs().max(1);
        let sides = [(last, self.whole_lines(last, most, takes[last])), (dst, block.rows)];
        let blocks = if src == dst { &sides[..1] } else { &sides };
        let first = outer;
        for &(l, most) in blocks {
            let by = most / takes[l] * takes[l];
            let parts = by > takes[l] && by < self.loops[l].extent;
            if parts && self.has_blocks(l, by) {
                steps.insert(first, Step::new(l, by));
                outer += 1;
            }
        }
        // Where stores wait for one another and nothing is foreseen all lines of a block are wanted beside each other.
        let waits = self.rows_meet(takes) && !memory.has_no_foreseen_limit();
        let lines = if waits { block.run / self.target.line } else { 1 };
        let room = Room { loops: 2, row: block.run, all: memory.copied.into(), lines };
        let stage = self.copying(&steps[..outer], room);
        let row = block.rows.saturating_mul(self.stride(dst, DST).unsigned_abs());
        let short = src != dst && row <= SHORT * self.target.line && self.rows_meet(takes);
        let waits = if short { (self.lines(DST) / 2).saturating_mul(UNFORESEEN) } else { 0 };
        let price = self.line_copied().saturating_mul(self.lines(SRC)).saturating_add(waits);
        Some(Copied { steps, stage: stage?, price })
    }

    /// The loops of the source's rows that blocks of so many bytes are taken apart along: all but the last are whole.
    fn rows_of_block(&self, src: usize, dst: usize, run: usize) -> SmallVec<[usize; 4]> {
        let mut rows = SmallVec::from_elem(src, 1);
        let chain = self.chain(SRC).iter().copied().skip_while(|l| *l != src);
        for (l, on) in chain.clone().zip(chain.skip(1)) {
            let whole = self.stride(l, SRC).unsigned_abs().saturating_mul(self.loops[l].extent);
            // Several of these are whole lines.
            let lines = self.lines_of(whole).saturating_mul(whole);
            if on == dst || self.goes_around(on) || lines.max(whole.saturating_mul(2)) > run {
                break;
            }
            rows.push(on);
        }
        rows
    }

    /// The steps where blocks are copied and rows of the destination come together: of all rows of the source that
    /// these are made of as much as is walked over for several times of what comes together. Tiles that load whole
    /// lines come to each but once, and the next ones are there in time where all are foreseen.
    pub(in crate::plan) fn copied_carried(
        &self,
        takes: &[usize],
        steps: &Steps,
        carry: &Carry,
        program: &Program,
    ) -> Option<(Steps, Carry, Stage)> {
        let Carry { step, inside, .. } = *carry;
        let src = along(self, takes, SRC)?;
        let around = steps.get(..inside)?;
        let (apart, memory) = (self.stride(src, SRC).unsigned_abs(), &self.target.memory);
        let piece = |line: &Line| match line.op {
            Op::Load { count, .. } => usize::from(count) * self.sizes[SRC] < self.target.line,
            _ => false,
        };
        let pieces = program.lines.iter().any(piece);
        let leads = step + 1 < inside && around.last().is_some_and(|last| last.index == src);
        let copies = memory.copied > 0 && !memory.has_no_foreseen_limit();
        if !leads || !pieces || !copies || !self.is_beyond() {
            return None;
        }
        let own = around.last()?.by;
        let all = usize::from(memory.copied).min(self.stack().saturating_sub(carry.room()));
        let most = (all / self.count_inside(around)).min(MOST_OF_A_ROW);
        let by = most / apart.max(1) / own * own;
        if by <= own || !self.has_blocks(src, by) {
            return None;
        }
        let mut steps = steps.clone();
        steps.insert(inside - 1, Step::new(src, by));
        let stage = self.copying(&steps[..inside], Room { loops: 1, row: most, all, lines: 1 })?;
        Some((steps, Carry { inside: inside + 1, ..carry.clone() }, stage))
    }

    /// Cycles for a line that is copied: those in which it is stored.
    pub(in crate::plan) fn line_copied(&self) -> u64 {
        let width = self.target.tier.vector().min(self.target.line);
        let store = u64::from(self.target.ports.of(width).store);
        ((self.target.line / width) as u64 * store / PARTS).max(1)
    }

    /// Steps of a loop, as tiles take them: the most that are whole lines of the source where there are such.
    fn whole_lines(&self, l: usize, most: usize, take: usize) -> usize {
        let lines = self.lines_of(self.stride(l, SRC).unsigned_abs() * take);
        let times = most / take;
        (if times > lines { times / lines * lines } else { times }) * take
    }

    /// So many times so many bytes are whole lines.
    fn lines_of(&self, bytes: usize) -> usize {
        let line = self.target.line;
        line / gcd(bytes as isize, line as isize).unsigned_abs()
    }

    /// Lines of all elements of one side.
    pub(in crate::plan) fn lines(&self, side: usize) -> u64 {
        let extents = self.loops.iter().map(|node| node.extent);
        (extents.fold(self.sizes[side], usize::saturating_mul) / self.target.line) as u64
    }

    /// Whether a block's rows of the source have no room beside each other. Within the second level their lines come
    /// again soon, and only rows of the destination that share theirs are worth it, and so where tiles take whole
    /// lines and it takes several loops of the source's to be too many, or where lines of many rows are foreseen and
    /// do not all come to one place; or tiles that follow one another along `single` rows, each of which would have
    /// all its lines come again.
    fn shares_places(&self, takes: &[usize], block: &Block, single: bool) -> bool {
        let (from, line) = (Rows::of(self, takes, SRC), self.target.line);
        let memory = &self.target.memory;
        let meet = |rows| from.count > 1 && from.meet(self, rows, 0) > memory.ways.into();
        let pieces = self.run(takes, SRC) * self.sizes[SRC] < line;
        if single {
            return meet(block.rows) && pieces;
        }
        let all = || meet(block.rows * block.beside);
        match self.rows_meet(takes) {
            true => all(),
            false => {
                let comes = memory.has_no_foreseen_limit() && from.aligned && from.places(line) > 1;
                self.is_far() && (pieces || block.beside == 1 && !comes) && all()
            }
        }
    }

    /// Whether rows of the destination share their places, those of a tile and of the next one.
    fn rows_meet(&self, takes: &[usize]) -> bool {
        let rows = Rows::of(self, takes, DST);
        rows.meet(self, 2 * self.rows(takes), 0) > self.target.memory.row_meets.into()
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::carry::STACK;
    use crate::plan::{Locality, planned};

    /// Rows of the first block that is copied, and bytes of each; then lines that tiles store, one of each row.
    fn copied(target: &str, pair: &str, locality: Locality) -> Option<(usize, usize, usize)> {
        let plan = planned(pair, target.parse().unwrap(), locality);
        let tiling = plan.nests().next().and_then(|nest| nest.tiling.as_ref()).unwrap();
        tiling.orders.first().filter(|(name, _)| name.to_string() == "blocks of the source")?;
        let stage = tiling.stage.as_ref()?;
        let bytes = tiling.takes.iter().product::<usize>() * plan.problem.dst.size();
        Some((stage.size / stage.pitch, stage.bytes, bytes / plan.target.line))
    }

    /// Eight lines of each of eight rows, where these are in one place; more rows have room elsewhere. Where lines of
    /// many rows are foreseen, only if those of either side are not whole ones.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn as_many_rows_as_stores_have_under_way() {
        for (pair, expected) in [
            ("f32:ab:1024x1024 ba", (128, 256, 8)),
            ("f32:ab:1025x1023 ba", (128, 256, 8)),
            ("bf16:ab:2047x1023 ba", (256, 128, 8)),
            ("u8:ab:4096x768 ba", (512, 64, 8)),
            ("f32:ab:768x1024 ba", (64, 256, 16)),
            ("f32:nchw:4x256x32x32 nhwc", (64, 256, 16)),
            ("bf16:ab:1024x1024 ba", (128, 256, 16)),
            // Several rows of the source side by side.
            ("f32:oihw:512x256x3x3 hwio", (112, 252, 9)),
            // Rows of two loops, and those that end before so many lines are there.
            ("f32:abcde:8x16x24x32x12 edcba", (128, 192, 6)),
            ("bf16:abcde:8x16x24x32x12 edcba", (128, 192, 6)),
            ("u8:abcde:8x16x24x32x12 edcba", (128, 192, 12)),
            ("f32:abcd:8x64x32x32 dcba", (128, 256, 8)),
            ("f32:abcd:4x32x128x64 dcab", (128, 256, 8)),
            // Within the second level.
            ("f32:strides(1025,1):256x256 strides(1,1025)", (128, 256, 8)),
            // Whose first lines alone have room, every second one of them.
            ("f32:ab:1023x513 ba", (128, 256, 8)),
            // Of rows off lines no single ones.
            ("u8:ab:256x4095 ba", (256, 128, 16)),
            // Past the caches, in pieces of lines.
            ("u8:abc:128x512x16 cba", (128, 256, 16)),
        ] {
            assert_eq!(copied("zen5", pair, Locality::Auto), Some(expected), "{pair}");
            assert_eq!(copied("spr", pair, Locality::Auto), None, "{pair}");
        }
        for (pair, expected) in [
            ("f32:ab:1025x1023 ba", Some((128, 128, 4))),
            ("f32:ab:1025x256 ba", Some((128, 128, 4))),
            ("bf16:ab:2047x1023 ba", Some((256, 64, 4))),
            ("u8:abcde:8x16x24x32x12 edcba", Some((128, 120, 12))),
            // Rows that start on lines.
            ("f32:ab:1024x1024 ba", None),
            ("u8:abc:1024x6x128 cba", None),
            ("f32:abc:32x256x128 cba", None),
            ("f32:abc:96x24x512 acb", None),
            // In more places than one.
            ("f32:abc:8x2047x6 cab", None),
        ] {
            assert_eq!(copied("zen4", pair, Locality::Auto), expected, "{pair}");
        }
        let halves = copied("zen5:avx2", "f32:ab:1025x1025 ba", Locality::Auto);
        assert_eq!(halves, Some((128, 256, 8)));
    }

    /// All rows of a tile, where the destination's go on as they do, near or far.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_that_both_sides_go_on_along() {
        for (pair, expected) in [
            ("u8:nchw:1x64x64x64 nhwc", Some((64, 256, 16))),
            ("u8:nchw:1x64x128x128 nhwc", Some((64, 256, 16))),
            ("bf16:nchw:1x32x64x64 nhwc", Some((32, 256, 16))),
            ("f32:nchw:1x16x64x64 nhwc", Some((16, 256, 8))),
            ("f32:nchw:1x16x64x64 nChw16c", Some((16, 256, 8))),
            // Where they have room; in the first level.
            ("u8:nchw:1x64x56x56 nhwc", None),
            ("u8:ab:64x128 ba", None),
        ] {
            assert_eq!(copied("zen3", pair, Locality::Auto), expected, "{pair}");
            let whole = expected.filter(|_| pair.starts_with("u8"));
            assert_eq!(copied("zen4", pair, Locality::Auto), whole, "{pair}");
        }
    }

    /// Past the caches, of what is carried; where loads are pieces of lines that drive each other out.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_that_come_together() {
        for (target, pair, expected) in [
            // As much as the stack has room for beside so many lines that wait.
            ("zen5", "u8:ab:4097x4097 ba", Some((128, 128))),
            ("zen5", "bf16:ab:2049x4095 ba", Some((64, 256))),
            ("zen5", "u8:ab:4161x4161 ba", None),
            ("zen5", "f32:ab:4097x4097 ba", None),
            ("zen4", "u8:ab:4097x4097 ba", None),
        ] {
            let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
            let tiling = plan.nests().next().and_then(|nest| nest.tiling.as_ref()).unwrap();
            let inside = tiling.carry.as_ref().unwrap().inside;
            let found = tiling.stage.as_ref().filter(|stage| stage.step < inside);
            let found = found.map(|stage| (stage.size / stage.pitch, stage.bytes));
            assert_eq!(found, expected, "{pair} for {target}");
            let rows = tiling.carry.as_ref().map_or(0, super::Carry::room);
            let copied = tiling.stage.as_ref().map_or(0, |stage| stage.size);
            assert!(rows + copied <= STACK, "{rows} and {copied} for {pair}");
        }
    }

    /// Where either side has room; near; where elements become narrower; and past the caches.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn none_where_a_copy_is_no_use() {
        for pair in [
            "f32:ab:1000x1000 ba",
            "f32:ab:1024x1000 ba",
            "f32:ab:640x1024 ba",
            "f32:ab:768x1024 BA16b64a",
            "f32:ab:256x256 ba",
            "u8:nhwc:8x256x15x15 nchw",
            "f32:ab:1024x1024 s8:ba",
            "f32:ab:4096x4096 ba",
            // Two lines of each row of the destination, none of them foreseen.
            "f32:abcd:4x8x128x64 dcab",
            // Rows of two loops, of which tiles take whole lines, where the destination's do not share places.
            "f32:hwio:256x256x3x3 oihw",
            "f32:abc:7x384x512 cba",
            // Past the caches, in whole lines.
            "f32:abc:16x512x192 cba",
        ] {
            assert_eq!(copied("zen5", pair, Locality::Auto), None, "{pair}");
        }
        assert_eq!(copied("zen5", "f32:ab:1024x1024 ba", Locality::Stream), None);
    }
}
