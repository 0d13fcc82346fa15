//! What holds of means for memory in every plan, whatever machine it is for.

use retile::plan::{Cut, Plan, Sharing, Stores};

use super::LINE;
use super::means::tiled;

/// Bytes of a page.
const PAGE: usize = 4096;

/// No more bytes of the source are copied at once: two lines for each row of a tile.
const STAGED: usize = 8 << 10;

/// Bytes of the stack for rows, at most: 128 KiB less what else a frame has.
const DEEPEST: usize = 126 << 10;

/// What holds of means in every plan.
pub(super) fn lawful(plan: &Plan) -> Result<(), String> {
    for (nest, tiling) in tiled(plan) {
        let cut = match nest.cut {
            Cut::Outer { loops, .. } => &tiling.shares[..loops],
            _ => &[],
        };
        if let (Cut::Shared { walks: true, .. }, Sharing::Line { granule, .. }) =
            (nest.cut, plan.sharing)
            && let Some(step) =
                tiling.steps.iter().find(|step| step.index == 0 && step.by > granule)
        {
            return Err(format!("tasks cut within {} of what they share\n{nest}", step.by));
        }
        let innermost = cut.iter().copied().max();
        let wrong = |why: String| Err(format!("{why}\n{nest}"));
        let streams = matches!(tiling.stores, Stores::Stream { carry: true, .. });
        if streams != tiling.carry.is_some() {
            return wrong(format!("{}, carried {:?}", tiling.stores, tiling.carry));
        }
        if let Some(stage) = &tiling.stage
            && innermost.is_some_and(|k| k >= stage.step)
        {
            return wrong(format!("tasks cut step {innermost:?} inside of {}", stage.step));
        }
        if let Some(turns) = tiling.turns {
            let last = tiling.steps.last().map(|step| (step.index, step.by));
            if last != Some((turns, 1)) || innermost == Some(tiling.steps.len() - 1) {
                return wrong(format!("parts {turns} are not taken by turns: {:?}", tiling.steps));
            }
        }
        if tiling.part > 0 {
            let Some(step) = tiling.steps.iter().find(|step| step.by == tiling.part) else {
                return wrong(format!("no step is a part of {}: {:?}", tiling.part, tiling.steps));
            };
            let [_, dst, ..] = nest.loops[step.index].strides;
            let apart = dst.unsigned_abs().min(PAGE);
            let known = plan.target.memory.pages_known;
            if step.by * apart > usize::from(known) * PAGE {
                return wrong(format!("parts of {} lead to more than {known} pages", step.by));
            }
        }
        if let Some(carry) = &tiling.carry {
            if carry.size > plan.target.l1 / 2 {
                return wrong(format!("a buffer of {} for {}", carry.size, plan.target.l1));
            }
            if carry.bytes * carry.rows > carry.size {
                return wrong(format!("{} rows of {} in {carry:?}", carry.rows, carry.bytes));
            }
            let staged = tiling.stage.as_ref().map_or(0, |stage| stage.size);
            let apart = if carry.waiting > carry.rows { carry.waiting * LINE } else { 0 };
            let frame = apart + carry.size + staged;
            if frame > DEEPEST {
                return wrong(format!("{frame} bytes of the stack"));
            }
            if innermost.is_some_and(|k| k > carry.step) {
                return wrong(format!("tasks cut step {innermost:?} inside of {}", carry.step));
            }
            if tiling.steps[carry.step].overlaps() {
                return wrong("rows that are carried overlap".into());
            }
        }
        if let Some(ask) = &tiling.ask {
            let staged = tiling.stage.as_ref().is_some_and(|stage| stage.step <= ask.step);
            if ask.step + 1 >= tiling.steps.len() || staged {
                return wrong(format!("{ask:?} has nothing inside"));
            }
            if ask.rows * ask.bytes > plan.target.l2 / 8 || ask.bytes > 1 << 10 {
                return wrong(format!("{ask:?} for {} of the second level", plan.target.l2));
            }
        }
        if tiling.evenly && tiling.fetch == 0 {
            return wrong("every other line of none is asked for".into());
        }
        if let Some(onward) = &tiling.onward {
            if innermost.is_some_and(|k| k > onward.step) {
                return wrong(format!("tasks cut step {innermost:?} inside of {}", onward.step));
            }
            if plan.problem.arith.is_compensated() {
                return wrong("sums beside requests use one register".into());
            }
            let others = tiling.ask.is_some() || tiling.fetch != 0 || tiling.stage.is_some();
            if onward.step + 1 >= tiling.steps.len() || others {
                return wrong(format!("{onward:?} beside others, or with nothing inside"));
            }
            let block = plan.target.l2 / 8;
            if onward.bytes > block || onward.bytes % LINE != 0 || onward.ahead == 0 {
                return wrong(format!("{onward:?} for {} of the second level", plan.target.l2));
            }
        }
        if let Some(stage) = &tiling.stage {
            if stage.size > STAGED.max(plan.target.memory.copied.into()) {
                return wrong(format!("rows of {} bytes", stage.size));
            }
            if stage.bytes > stage.pitch {
                return wrong(format!("rows of {} bytes, {} apart", stage.bytes, stage.pitch));
            }
        }
    }
    Ok(())
}
