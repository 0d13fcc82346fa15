//! Staging. In: the steps around a nest's tiles. Out: a buffer that rows of the source are copied to, a line of each
//! or a few side by side, before tiles take them apart: where rows lie so that their lines drive each other out of the
//! cache, each line is read once then, and so are those that the machine fetches with it.

use smallvec::SmallVec;

use super::order::{ALIAS, Step};
use super::view::View;
use crate::problem::{SRC, Zone};

/// How rows of the source are copied first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stage {
    /// What is inside of the steps before this one takes its source from the buffer.
    pub step: usize,
    /// The loop whose steps are rows.
    pub across: usize,
    /// Bytes between them.
    pub stride: isize,
    /// The loops that are a row.
    pub along: SmallVec<[usize; 4]>,
    /// Bytes of a row at most.
    pub bytes: usize,
    /// Bytes between rows of the buffer.
    pub pitch: usize,
    /// Bytes of the buffer that a step of each loop leads on, in place of the source's.
    pub strides: SmallVec<[isize; 8]>,
    /// Bytes of the buffer.
    pub size: usize,
}

/// No more bytes of the stack for a buffer.
const ROOM: usize = 8 << 10;

/// Fewer rows have room beside each other.
const ROWS: usize = 8;

impl View<'_> {
    /// The rows of the innermost tiles, if they are in each other's way.
    pub(super) fn stage(&self, takes: &[usize], steps: &[Step]) -> Option<Stage> {
        if self.fills || !self.folds.is_empty() || self.shared.is_some() {
            return None;
        }
        let line = self.target.line;
        // Of a source line that tiles take in parts all of it.
        let next = self.next(takes, SRC)?;
        let step = match steps {
            [.., outer, last] if last.index == next && outer.index != next => steps.len() - 1,
            // Tiles take whole lines, all parts of one in a few cycles.
            _ => return None,
        };
        let inside = self.inside_of(&steps[..step]);
        let mut along: SmallVec<[usize; 4]> = SmallVec::new();
        let mut run = self.sizes.0;
        for &l in self.chain(SRC) {
            along.push(l);
            run *= inside[l];
            if inside[l] < self.loops[l].extent {
                break;
            }
        }
        let others = (0..self.loops.len())
            .filter(|l| inside[*l] > 1 && self.stride(*l, SRC) != 0 && !along.contains(l));
        let others: SmallVec<[usize; 4]> = others.collect();
        let &[across] = &others[..] else { return None };
        let whole = |l: usize| self.zones[l] == Zone { start: 0, end: self.loops[l].extent };
        let plain = |l: usize| self.loops[l].table.is_none() && whole(l);
        let stride = self.stride(across, SRC);
        let forward = along.iter().all(|&l| self.stride(l, SRC) > 0);
        let pitch = run.next_multiple_of(line);
        let most = line * (self.target.memory.together as usize).max(1);
        let fits = pitch <= most && stride.unsigned_abs() >= pitch && inside[across] >= ROWS;
        if !fits || !forward || !plain(across) || !along.iter().all(|&l| plain(l)) {
            return None;
        }
        if !self.drives_out(stride, inside[across]) {
            return None;
        }
        let mut strides: SmallVec<[isize; 8]> =
            (0..self.loops.len()).map(|l| self.stride(l, SRC)).collect();
        strides[across] = pitch as isize;
        let size = inside[across] * pitch;
        if size > ROOM {
            return None;
        }
        Some(Stage { step, across, stride, along, bytes: run, pitch, strides, size })
    }

    /// Whether so many rows have more lines in a set of the first level than there are ways.
    fn drives_out(&self, stride: isize, rows: usize) -> bool {
        let line = self.target.line;
        let mut sets = [0u16; 64];
        let count = (ALIAS / line).clamp(1, sets.len());
        (0..rows as isize).any(|i| {
            let at = stride.wrapping_mul(i).rem_euclid(ALIAS as isize) as usize;
            let set = &mut sets[at / line % count];
            *set += 1;
            *set > self.target.memory.ways
        })
    }
}

impl Stage {
    /// Where a byte is in the buffer that would be `at` bytes from where a tile starts in the source.
    pub(crate) fn place(&self, at: isize, rows: usize) -> isize {
        let own = |i: &isize| (0..self.bytes as isize).contains(&(at - i * self.stride));
        let row = (0..rows as isize).find(own);
        let row = row.unwrap_or_else(|| unreachable!("a row for byte {at}"));
        at - row * self.stride + row * self.pitch as isize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whichever way rows lie, and with lines between them or right behind one another.
    #[test]
    fn bytes_keep_their_place_in_the_row() {
        for (stride, bytes) in [(4096, 64), (-4096, 64), (64, 64), (-64, 40), (1000, 33), (96, 1)] {
            let strides = SmallVec::from_iter([64, 1]);
            let along = SmallVec::from_iter([1]);
            let (pitch, size) = (64, 20 * 64);
            let stage = Stage { step: 1, across: 0, stride, along, bytes, pitch, strides, size };
            for row in 0..20 {
                for byte in 0..bytes as isize {
                    assert_eq!(stage.place(row * stride + byte, 20), row * 64 + byte, "{stage:?}");
                }
            }
        }
    }
}
