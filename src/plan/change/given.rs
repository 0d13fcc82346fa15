//! Values that are taken as the caller gave them. In: the nests of a plan. Out: of which operands tiles make values
//! ready themselves: where there are very many, and where each is needed by one tile alone, with a register of others.
//! To have all of them ready before would take as long, and wait for itself.

use smallvec::SmallVec;

use super::bytewise::Bytewise;
use crate::plan::tile::Converts;
use crate::plan::{Nest, PlanBox, Work};
use crate::problem::{DST, OPERANDS, Problem, SRC, VALUES};
use crate::target::Target;

/// Values that a register has room for, where arithmetic takes 4 bytes for each.
const REGISTER: usize = 16;

/// By operand.
pub(in crate::plan) fn given(
    problem: &Problem,
    boxes: &[PlanBox],
    target: &Target,
) -> [bool; OPERANDS] {
    let moves = || boxes.iter().flat_map(|one| &one.nests).filter(|nest| nest.work == Work::Move);
    let alone = target.tier.masks() && Bytewise::of(problem, target).is_none();
    std::array::from_fn(|operand| {
        let several = VALUES.contains(&operand) && problem.values(operand).1 > 1;
        let own = |nest: &Nest| nest.has_own_values(problem, operand);
        problem.is_raw(operand) || alone && several && moves().next().is_some() && moves().all(own)
    })
}

impl Nest {
    /// Whether a tile needs a register of values, several of them for each register of elements, and is all that needs
    /// them.
    fn has_own_values(&self, problem: &Problem, operand: usize) -> bool {
        let Some(tiling) = &self.tiling else { return false };
        let (side, size) = match tiling.converts {
            Converts::Loads => (SRC, problem.src.size()),
            Converts::Stores => (DST, problem.dst.size()),
            Converts::Staged | Converts::Never => return false,
        };
        let mut reach = 1;
        let mut rows: SmallVec<[(usize, usize, bool); 8]> = SmallVec::new();
        for (node, take) in self.loops.iter().zip(&tiling.takes) {
            let step = node.strides[operand].unsigned_abs();
            // What repeats values is within the tile.
            if !node.is_plain() || step == 0 && *take < node.extent {
                return false;
            }
            reach = step.saturating_mul(take - 1).saturating_add(reach);
            rows.push((node.strides[side].unsigned_abs() / size, *take, step == 0));
        }
        // So many elements in a row have the same.
        let mut row = 1;
        while let Some((_, extent, true)) = rows.iter().find(|own| own.0 == row && own.1 > 1) {
            row *= extent;
        }
        reach <= REGISTER && row < REGISTER
    }
}

#[cfg(test)]
mod tests {
    use crate::plan::plan;
    use crate::problem::Operand;
    use crate::{Attr, Layout, Problem};

    /// Whether scales of the destination are taken as they are given, along these dims.
    fn given(src: &str, dst: &str, mask: u32, target: &str) -> bool {
        let src: Layout = src.parse().unwrap();
        let attr = Attr::new().dst_scale(mask);
        let (problem, _) = Problem::new(&src, &src.destination(dst).unwrap(), &attr).unwrap();
        plan(&problem, &target.parse().unwrap()).takes_as_given(Operand::DstScale)
    }

    #[test]
    fn values_of_one_tile_are_taken_as_given() {
        for (src, dst, mask) in [
            ("f32:goihw:32x1x1x3x3", "s8:Goihw16g", 3),
            ("f32:goihw:40x1x1x3x3", "s8:Goihw16g", 1),
            ("bf16:goihw:512x1x1x3x3", "u8:Goihw8g", 1),
            ("f32:a:5000", "s8:a", 1),
        ] {
            assert!(given(src, dst, mask, "spr") && given(src, dst, mask, "zen4"), "{src} {dst}");
        }
    }

    #[test]
    fn others_are_made_ready_before() {
        for (src, dst, mask, target) in [
            // One for all.
            ("f32:goihw:32x1x1x3x3", "s8:Goihw16g", 0, "spr"),
            // Without masks.
            ("f32:goihw:32x1x1x3x3", "s8:Goihw16g", 3, "haswell"),
            ("f32:goihw:32x1x1x3x3", "s8:Goihw16g", 3, "portable"),
            // Whole registers have one.
            ("f32:ab:64x64", "s8:ab", 1, "spr"),
            ("f32:nchw:1x64x32x32", "s8:nhwc", 2, "spr"),
            // Many tiles need each.
            ("f32:nhwc:1x64x32x32", "s8:nhwc", 2, "spr"),
            ("f32:oihw:256x256x3x3", "s8:OIhw4i16o4i", 1, "spr"),
        ] {
            assert!(!given(src, dst, mask, target), "{src} {dst} {target}");
        }
    }
}
