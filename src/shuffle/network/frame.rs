//! The bits of a movement. In: dims. Out: which bits of the index tell lanes apart on either side.

use arrayvec::ArrayVec;

use crate::shuffle::{Dim, Movement};
use crate::target::Target;

/// A bit of the index, by its number; [`NO`] where a lane position has none.
pub(super) const NO: u8 = u8::MAX;

/// What bits tell lanes apart, from the lowest lane position on.
pub(super) type Lanes = [u8; 6];

/// More bits than this no tile has.
pub(super) const MOST_BITS: usize = 24;

/// A movement seen as bits.
#[derive(Debug)]
pub(crate) struct Frame {
    /// Bytes of a lane.
    pub(super) lane: usize,
    /// Lane positions of a register.
    pub(super) lanes_log: usize,
    /// Lane positions within a 16-byte block.
    pub(super) cross: usize,
    /// Dim and place value of each bit; bits of one dim follow one another.
    pub(super) bits: ArrayVec<(u8, u8), MOST_BITS>,
    /// The bits of contiguous elements.
    pub(super) src: Lanes,
    pub(super) src_bits: usize,
    pub(super) dst: Lanes,
    pub(super) dst_bits: usize,
    /// Bits counted downwards in the source.
    pub(super) downwards: u32,
    /// The lowest lane position that one permutation can move across blocks.
    pub(super) floor: usize,
}

impl Frame {
    /// With registers as wide as the target's, and as narrow as the longest run; none where lanes are
    /// not bits on one of the sides.
    pub(super) fn both(movement: &Movement, target: &Target) -> ArrayVec<Frame, 2> {
        let Some(wide) = Frame::of(movement, target) else { return ArrayVec::new() };
        let most = wide.src_bits.max(wide.dst_bits).max(wide.cross);
        if most >= wide.lanes_log {
            return ArrayVec::from_iter([wide]);
        }
        let narrow = Frame { lanes_log: most, bits: wide.bits.clone(), ..wide };
        ArrayVec::from([narrow, wide])
    }

    fn of(movement: &Movement, target: &Target) -> Option<Frame> {
        let lane = movement.lane;
        let mut bits = ArrayVec::new();
        let mut first = ArrayVec::<u8, 16>::new();
        for (d, dim) in movement.dims.iter().enumerate() {
            first.try_push(bits.len() as u8).ok()?;
            for log in 0..dim.extent.next_power_of_two().trailing_zeros() {
                bits.try_push((d as u8, log as u8)).ok()?;
            }
        }
        let vector = (target.tier.vector() / lane).trailing_zeros() as usize;
        let mut frame = Frame {
            lane,
            lanes_log: vector,
            cross: (16 / lane).trailing_zeros() as usize,
            bits,
            src: [NO; 6],
            src_bits: 0,
            dst: [NO; 6],
            dst_bits: 0,
            downwards: 0,
            floor: (target.tier.permute_grain() / lane).max(1).trailing_zeros() as usize,
        };
        frame.src_side(movement, &first)?;
        frame.dst_side(movement, &first)?;
        Some(frame)
    }

    fn src_side(&mut self, movement: &Movement, first: &[u8]) -> Option<()> {
        let mut run = movement.src_size as isize;
        let mut used = 0u32;
        loop {
            let next = movement.dims.iter().enumerate().find(|(d, dim)| {
                let stride = dim.src.stride().map(isize::abs);
                dim.extent > 1 && used >> d & 1 == 0 && stride == Some(run)
            });
            let Some((d, dim)) = next else { return Some(()) };
            used |= 1 << d;
            let logs = dim.extent.next_power_of_two().trailing_zeros() as usize;
            for log in 0..logs.min(self.lanes_log - self.src_bits) {
                let id = first[d] + log as u8;
                self.src[self.src_bits] = id;
                self.src_bits += 1;
                if dim.src.stride() == Some(-run) {
                    self.downwards |= 1 << id;
                }
            }
            // Lanes beyond a run that is not a power of two are none; so are those beside elements.
            let whole = dim.extent.is_power_of_two() && dim.data == (0..dim.extent);
            if !whole || self.src_bits == self.lanes_log {
                return Some(());
            }
            run *= dim.extent as isize;
        }
    }

    fn dst_side(&mut self, movement: &Movement, first: &[u8]) -> Option<()> {
        let mut run = movement.dst_size as isize;
        let mut used = 0u32;
        while self.dst_bits < self.lanes_log {
            let next = movement.dims.iter().enumerate().find(|(d, dim)| {
                dim.extent > 1 && used >> d & 1 == 0 && dim.dst.stride() == Some(run)
            });
            let Some((d, dim)) = next else { return Some(()) };
            used |= 1 << d;
            let logs = dim.extent.next_power_of_two().trailing_zeros() as usize;
            // A lane that stands for the same element as its neighbour is no bit of the source.
            if dim.src.stride() == Some(0) && dim.data.len() > 1 {
                return None;
            }
            for log in 0..logs.min(self.lanes_log - self.dst_bits) {
                self.dst[self.dst_bits] = first[d] + log as u8;
                self.dst_bits += 1;
            }
            if !dim.extent.is_power_of_two() {
                return Some(());
            }
            run *= dim.extent as isize;
        }
        Some(())
    }

    pub(super) fn lanes(&self) -> usize {
        1 << self.lanes_log
    }

    /// Bytes of a register.
    pub(super) fn width(&self) -> usize {
        self.lane << self.lanes_log
    }

    /// The lane position where a bit is stored.
    pub(super) fn stored_at(&self, id: u8) -> Option<usize> {
        self.dst[..self.dst_bits].iter().position(|bit| *bit == id)
    }

    /// Whether a bit leads along the rows of the destination, in registers or from one to the next.
    pub(super) fn leads_along_rows(&self, id: u8) -> bool {
        self.dst[..self.dst_bits].iter().any(|own| self.dim_of(*own) == self.dim_of(id))
    }

    fn dim_of(&self, id: u8) -> u8 {
        self.bits[usize::from(id)].0
    }

    /// How many rows of the destination follow one another without a gap, each with something left over at its end; 1
    /// where none does.
    pub(super) fn ends_in_a_row(&self, movement: &Movement) -> usize {
        let stored = || self.dst[..self.dst_bits].iter().map(|id| self.dim_of(*id));
        let along = movement.dims.iter().zip(0..).filter(|(_, d)| stored().any(|own| own == *d));
        let left = |d: u8, dim: &Dim| dim.extent % (1 << stored().filter(|own| *own == d).count());
        let (row, left) = along.fold((movement.dst_size, 0), |(row, all), (dim, d)| {
            (row.saturating_mul(dim.extent), all + left(d, dim))
        });
        let follows = |dim: &&Dim| dim.extent > 1 && dim.dst.stride() == Some(row as isize);
        let next = movement.dims.iter().find(follows).filter(|_| left > 0);
        next.map_or(1, |dim| dim.extent)
    }

    /// Whether two lane positions are on the same side of a block's border.
    pub(super) fn together(&self, one: usize, other: usize) -> bool {
        (one < self.cross) == (other < self.cross)
    }

    /// How many bits of the stored lanes are not among some lanes.
    pub(super) fn missing(&self, lanes: &Lanes) -> usize {
        self.dst[..self.dst_bits].iter().filter(|id| !lanes.contains(id)).count()
    }
}
