//! Padding beside elements. In: a register, and which of its lanes are elements. Out: the same, zeros or the
//! destination's padding in all others.

use super::super::bits::{every, mask_bytes, spread};
use super::super::evex::{Evex, V};
use super::Work;

impl Work<'_, '_> {
    /// Zeros in place of all other bytes.
    pub(super) fn only(&mut self, d: V, bytes: u64) {
        if self.a.masks() {
            let k = self.held.mask(self.a, bytes);
            return self.a.ops.vmovdqu8(d.zero(k), d);
        }
        let m = self.a.constant(&mask_bytes(bytes, d.width.bytes()));
        self.a.vpand(d, d, m);
    }

    /// Padding, in all lanes.
    pub(super) fn blanks(&mut self, v: V) {
        let size = self.convert.to.size();
        let m = self.a.constant(&self.moves.blank.to_le_bytes()[..size]);
        self.a.broadcast(v, m, size);
    }

    /// Padding in some lanes of the destination.
    pub(super) fn blank(&mut self, v: V, lanes: u64) {
        let size = self.convert.to.size();
        let bytes = spread(lanes, size);
        let width = v.width.bytes();
        if self.moves.blank == 0 {
            return self.only(v, !bytes & every(width));
        }
        let bits = self.moves.blank.to_le_bytes();
        let mask = mask_bytes(bytes, width);
        if self.a.masks() {
            let all: Vec<u8> = (0..width).map(|i| bits[i % size]).collect();
            let m = self.a.constant(&all);
            let k = self.held.mask(self.a, bytes);
            return self.a.ops.vmovdqu8(v.keep(k), m);
        }
        self.only(v, !bytes & every(width));
        let all: Vec<u8> = mask.iter().enumerate().map(|(i, byte)| byte & bits[i % size]).collect();
        let m = self.a.constant(&all);
        self.a.vpor(v, v, m);
    }
}
