//! Known pages. In: the steps around a nest's tiles. Out: a step around them that takes the source's rows in parts,
//! where whole ones lead to more pages of the destination than are known at a time.
//!
//! What is stored together of a row of the destination is a few lines; then comes the same of the next row. Where that
//! goes through more pages than the machine keeps the places of, each is looked up anew for every few lines, in tables
//! that the caches have no room for beside all else. In parts, pages are looked up once a part, and the source's rows
//! are read in pieces as long as pages. Measured on a Granite Rapids, whose core keeps 2048: through 4096 to 5000 pages
//! parts were no better, through more they were up to two fifths faster.

use super::{Step, Steps};
use crate::plan::rows::PAGE;
use crate::plan::stores::Stores;
use crate::plan::view::View;
use crate::problem::{DST, SRC};

/// So many times as many pages as are known are gone through no slower: there is time to look the others up.
const WAITED_FOR: (usize, usize) = (5, 2);

impl View<'_> {
    /// The step around others that takes the source's rows in parts, and where among them it goes.
    pub(in crate::plan) fn parts_of_pages(
        &self,
        takes: &[usize],
        steps: &Steps,
        stores: &Stores,
    ) -> Option<(usize, Step)> {
        let known = usize::from(self.target.memory.pages_known);
        let moves = steps.iter().any(Step::overlaps) || self.terms.turns.is_some();
        let still = self.fills || !self.folds.is_empty() || self.terms.shared.is_some();
        if known == 0 || !matches!(stores, Stores::Stream { .. }) || moves || still {
            return None;
        }
        let along = self.next(takes, SRC).filter(|along| self.plain(*along))?;
        let apart = self.stride(along, DST).unsigned_abs().min(PAGE);
        let extent = self.loops[along].extent;
        let pages = extent.saturating_mul(apart) / PAGE;
        if pages <= known * WAITED_FOR.0 / WAITED_FOR.1 {
            return None;
        }
        // Around what leads on within pages: all of them are come back to once it has.
        let inside = steps.iter().position(|step| step.index == along)?;
        let within = |step: &Step| self.stride(step.index, DST).unsigned_abs() < PAGE;
        let at = steps[..inside].iter().position(within)?;
        // As many parts as there have to be, all alike.
        let whole = steps[inside].by;
        let most = known * PAGE / apart / whole * whole;
        if most == 0 {
            return None;
        }
        let by = extent.div_ceil(extent.div_ceil(most)).next_multiple_of(whole);
        (by < extent && self.has_blocks(along, by)).then(|| (at, Step::new(along, by)))
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::{Locality, planned};

    /// The outermost two steps of a pair's first nest, as the loop's extent and how much of it is taken.
    fn outermost(target: &str, pair: &str) -> Vec<(usize, usize)> {
        let plan = planned(pair, target.parse().unwrap(), Locality::Auto);
        let nest = plan.nests().next().unwrap();
        let steps = nest.tiling.as_ref().unwrap().steps.iter();
        steps.take(2).map(|step| (nest.loops[step.index].extent, step.by)).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn rows_lead_to_pages_that_are_known() {
        for (pair, expected) in [
            ("u8:ab:4096x8192 ba", [(8192, 2048), (4096, 128)]),
            ("bf16:ab:3008x10048 ba", [(10048, 2016), (3008, 64)]),
            ("f32:ab:1024x8192 ba", [(8192, 2048), (1024, 32)]),
            // Several rows a page: as many parts as have to be.
            ("f32:ab:512x16384 ba", [(16384, 4096), (512, 32)]),
            // Of each tensor by itself.
            ("f32:abc:4x1024x8192 acb", [(4, 1), (8192, 2048)]),
            // So few pages are known, or looked up in time.
            ("u8:ab:8192x4096 ba", [(8192, 128), (4096, 128)]),
            ("f32:ab:64x65536 ba", [(64, 32), (65536, 16)]),
        ] {
            assert_eq!(outermost("spr", pair), expected, "{pair}");
        }
        // Not known of these.
        assert_eq!(outermost("zen4", "f32:ab:1024x8192 ba")[0].0, 1024);
    }
}
