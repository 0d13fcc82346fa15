//! Rows that are added up. In: a tile of one row, each of whose elements belongs to a sum of its own. Out: a tile of
//! several rows that belong to the same sums.
//!
//! To meet its sums costs such a row several times what it takes to be stored: they are four times as many bytes,
//! which are read and written. Rows that are added up in registers first meet them once for all.

use super::Takes;
use super::choices::{OPS, POSITIONS};
use crate::plan::view::View;
use crate::problem::{DST, SUMS};
use crate::shuffle::Found;

/// No more rows: by then most is spent on adding them up.
const ROWS: usize = 16;

impl View<'_> {
    /// More rows than the one that a tile has, if they belong to the same sums, each element of a row to another.
    pub(in crate::plan) fn rows_added_up(
        &self,
        takes: &[usize],
        inside: &Found,
    ) -> Option<(Takes, Found)> {
        if !self.sums || self.fills || !self.folds.is_empty() || self.rows(takes) > 1 {
            return None;
        }
        let leads = |l: usize| SUMS.iter().any(|kind| self.leads(l, *kind));
        let own = self.own(takes, DST);
        if own.is_empty() || own.iter().any(|&l| takes[l] > 1 && !leads(l)) {
            return None;
        }
        let room = (OPS.min(self.terms.ops) / inside.cost().ops.max(1)) as usize;
        let room = room.min(POSITIONS / takes.iter().product::<usize>()).min(ROWS);
        // Tasks do not cut tiles, and of parts that go on by turns a tile has one.
        let free = |l: usize| !self.is_shared(l) && self.terms.turns != Some(l);
        let can = |&l: &usize| takes[l] == 1 && !leads(l) && self.plain(l) && free(l);
        let l = { 0..takes.len() }.filter(can).min_by_key(|&l| self.reach(l))?;
        let rows = room.min(self.loops[l].extent);
        if rows < 2 {
            return None;
        }
        let mut takes = Takes::from_slice(takes);
        takes[l] = 1 << rows.ilog2();
        let inside = self.sequence(&takes);
        Some((takes, inside))
    }
}

#[cfg(test)]
mod tests {
    use crate::Attr;
    use crate::plan::{Locality, planned_by};

    /// What tiles take of each loop, of sums that are masked along these dims.
    fn takes(target: &str, pair: &str, mask: u32) -> Vec<usize> {
        let attr = Attr::new().s8s8_compensation(mask);
        let plan = planned_by(pair, &attr, target.parse().unwrap(), Locality::Auto);
        let tiling = plan.nests().next().and_then(|nest| nest.tiling.clone()).unwrap();
        tiling.takes.to_vec()
    }

    /// As many as sequences have room for.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_of_the_same_sums() {
        for (target, pair, mask, expected) in [
            ("spr", "s8:ab:512x512 s8:ab", 2, [64, 16]),
            ("spr", "f32:ab:512x512 s8:ab", 2, [64, 16]),
            ("spr:avx2", "s8:ab:512x512 s8:ab", 2, [64, 16]),
            ("spr", "s8:ab:512x6 s8:ab", 2, [2, 16]),
            ("spr", "s8:ab:7x512 s8:ab", 2, [64, 4]),
            // Each row is one sum, or all are.
            ("spr", "s8:ab:512x512 s8:ab", 1, [1, 256]),
        ] {
            assert_eq!(takes(target, pair, mask), expected, "{pair} for {target}");
        }
        assert_eq!(takes("spr", "s8:ab:512x512 s8:ab", 0), [256]);
    }
}
