//! Classes whose sums are met together. In: as many classes as a register has blocks, the sums of each four in a row,
//! or up to four classes of one sum, right behind the last one's. Out: each class added up into a block of one
//! register, or into an element of a block, which meets them all at once.

use super::super::asm::Asm;
use super::super::evex::{Evex, V, Width};
use super::super::frame::spill;
use super::{Adding, Fours};
use crate::plan::sums::{Class, Shape, shape};

impl Adding<'_> {
    /// Adds up the rows of each class, or the words that they were added up to, and has all of them meet their sums.
    pub(super) fn together(&mut self, classes: &[Class], words: &[V]) {
        match shape(&classes[0].kinds[0].lanes) {
            Shape::One(_) => self.gather(classes, words),
            _ => self.join(classes, words),
        }
    }

    /// Four sums each: the blocks of each class are added up.
    fn join(&mut self, classes: &[Class], words: &[V]) {
        let sum = self.temp(0);
        if words.is_empty() {
            self.begin_fours(classes[0].together.order());
        }
        let words = |i: usize| words.get(i);
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
        let fours = Fours { sum, each: self.each(&classes[0].kinds) };
        for kind in &classes[0].kinds {
            if let Shape::Again(at, _) = shape(&kind.lanes) {
                self.meet_row(kind, at, fours, 4 * classes.len());
            }
        }
    }

    /// One sum each, of up to four classes: pairs of double words are packed to words, whose pairs are added up.
    fn gather(&mut self, classes: &[Class], words: &[V]) {
        let sum = self.temp(0);
        if words.is_empty() {
            self.begin_fours(classes[0].together.order());
        }
        let pairs = classes.chunks(2).enumerate().map(|(i, pair)| (2 * i, pair));
        let slot = spill(self.sums.scratch);
        // The upper pair first, which waits in a slot.
        for (i, pair) in pairs.rev() {
            // Words have no room for more than what lanes add up to.
            let each = 1;
            self.add(&pair[0], words.get(i), Fours { sum, each });
            let other = match pair.get(1) {
                Some(class) => {
                    let other = self.temp(2);
                    self.add(class, words.get(i + 1), Fours { sum: other, each });
                    other
                }
                None => sum,
            };
            self.a.vpackssdw(sum, sum, other);
            self.by_fours(Fours { sum, each }, sum);
            if i > 0 {
                self.a.vmovdqu_store(slot, sum);
            }
        }
        match classes.len() > 2 {
            true => self.a.vpackssdw(sum, sum, slot),
            false => self.a.vpackssdw(sum, sum, sum),
        }
        let fours = Fours { sum, each: self.each(&classes[0].kinds) };
        self.by_fours(fours, sum);
        let fours = Fours { sum: self.fold(sum, Asm::vpaddd, Width::X), ..fours };
        for kind in &classes[0].kinds {
            if let Shape::One(at) = shape(&kind.lanes) {
                self.meet_row(kind, at, fours, classes.len());
            }
        }
    }

    /// A double word for each four lanes of a class, which may have been added up to words.
    fn add(&mut self, class: &Class, words: Option<&V>, fours: Fours) {
        match words {
            Some(words) => self.by_fours(fours, *words),
            None => self.add_fours(class, fours, self.temp(1)),
        }
    }

    /// Two classes, each in one half: their upper blocks come to the lower ones.
    fn pair(&mut self, [one, two]: [(&Class, Option<&V>); 2], sum: V) {
        let [t, other] = [1, 2].map(|k| self.temp(k));
        for ((class, words), sum) in [(one, sum), (two, other)] {
            self.add(class, words, Fours { sum, each: self.each(&class.kinds) });
        }
        let [low, high] = self.half_blocks();
        self.a.blocks(t, sum, other, low);
        self.a.blocks(sum, sum, other, high);
        self.a.vpaddd(sum, sum, t);
    }
}
