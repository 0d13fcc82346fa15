//! Classes whose sums are met together. In: as many classes as a register has blocks, the sums of each four in a row
//! and right behind the last one's. Out: each class added up into a block of one register, which meets them all at
//! once.

use super::super::evex::{Evex, V, Width};
use super::super::frame::spill;
use super::Adding;
use crate::plan::sums::{Class, Shape, shape};

impl Adding<'_> {
    /// Adds up the rows of each class, or the words that they were added up to, then the blocks of each.
    pub(super) fn join(&mut self, classes: &[Class], words: &[V]) {
        let sum = self.temp(0);
        if words.is_empty() {
            self.begin_fours(classes[0].together.order());
        }
        let words = |i: usize| words.get(i).copied();
        if let [one, two, three, four] = classes {
            // The first pair is wanted in a register, and the other may lie in a slot then.
            let slot = spill(self.sums.scratch);
            self.pair([(three, words(2)), (four, words(3))], sum);
            self.a.vmovdqu_store(slot, sum);
            self.pair([(one, words(0)), (two, words(1))], sum);
            let even = self.temp(1);
            self.a.ops.vshufi64x2(even, sum, slot, 0b10_00_10_00);
            self.a.ops.vshufi64x2(sum, sum, slot, 0b11_01_11_01);
            self.a.vpaddd(sum, sum, even);
        } else if let [one, two] = classes {
            self.pair([(one, words(0)), (two, words(1))], sum);
        }
        let sums = 4 * classes.len();
        for kind in &classes[0].kinds {
            if let Shape::Again(at, _) = shape(&kind.lanes) {
                self.meet_row(kind, at, sum, sums);
            }
        }
    }

    /// Two classes, each in one half: their upper blocks come to the lower ones.
    fn pair(&mut self, [one, two]: [(&Class, Option<V>); 2], sum: V) {
        let [t, other] = [1, 2].map(|k| self.temp(k));
        for ((class, words), sum) in [(one, sum), (two, other)] {
            match words {
                Some(words) => self.by_fours(sum, words),
                None => self.add_fours(class, sum, t),
            }
        }
        let [low, high] = match self.width() {
            Width::Z => [[0, 1, 0, 1], [2, 3, 2, 3]],
            _ => [[0, 0, 0, 0], [1, 1, 1, 1]],
        };
        self.a.blocks(t, sum, other, low);
        self.a.blocks(sum, sum, other, high);
        self.a.vpaddd(sum, sum, t);
    }
}
