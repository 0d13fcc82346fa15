//! Padding beside elements. In: a register, and which of its lanes are elements. Out: the same, zeros or the
//! destination's padding in all others.

use super::super::bits::{every, mask_bytes, spread};
use super::super::edges;
use super::super::evex::{Evex, V};
use super::Work;

impl Work<'_, '_> {
    /// Padding, in all lanes.
    pub(super) fn blanks(&mut self, v: V) {
        let size = self.convert.to.size();
        let m = self.a.constant(&self.moves.blank.to_le_bytes()[..size]);
        self.a.broadcast(v, m, size);
    }

    /// Padding in some lanes of the destination.
    pub(super) fn blank(&mut self, v: V, lanes: u64) {
        let (size, width) = (self.convert.to.size(), v.width.bytes());
        let (bytes, bits) = (spread(lanes, size), self.moves.blank.to_le_bytes());
        if self.moves.blank != 0 && self.a.masks() {
            let all: Vec<u8> = (0..width).map(|i| bits[i % size]).collect();
            let m = self.a.constant(&all);
            let k = self.held.mask(self.a, bytes);
            return self.a.ops.vmovdqu8(v.keep(k), m);
        }
        edges::only(self.a, self.held, v, v, !bytes & every(width));
        if self.moves.blank != 0 {
            let mut all = mask_bytes(bytes, width);
            all.iter_mut().enumerate().for_each(|(i, byte)| *byte &= bits[i % size]);
            let m = self.a.constant(&all);
            self.a.vpor(v, v, m);
        }
    }
}
