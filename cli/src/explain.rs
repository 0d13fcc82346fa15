//! `retile explain`: what a kernel does and what bounds it. In: a pair and a target. Out: figures, the
//! plan with its sequences, the machine code.

use std::fmt::Write;

use retile::plan::{Plan, plan_with};
use retile::{Isa, Problem, Target, Tier};

use crate::args::ExplainArgs;
use crate::failure::Failure;
use crate::host;
use crate::pair::Pair;

pub(crate) fn explain(args: &ExplainArgs) -> Result<String, Failure> {
    let pair = Pair::new(&args.src, &args.dst, args.attr.words())?;
    let isa = Isa::detect()?;
    let target = match (args.target, args.tier) {
        (Some(target), _) => target,
        (None, Some(tier)) => of_tier(tier, isa),
        (None, None) => isa.target(),
    };
    let (problem, _) = Problem::new(&pair.src, &pair.dst, &pair.attr)?;
    let plan = plan_with(&problem, &target, args.locality.into());
    let mut text = String::new();
    for (label, value) in figures(&pair, &plan, isa) {
        writeln!(text, "{label:<8} {value}").unwrap_or_default();
    }
    text += &tiles(&plan);
    writeln!(text, "\n{}", plan.listing().trim_end()).unwrap_or_default();
    match disassembly(&plan) {
        Ok(code) => writeln!(text, "\n{}", code.trim_end()).unwrap_or_default(),
        // The rest has been explained all the same.
        Err(failure) => writeln!(text, "\ncode     none: {failure}").unwrap_or_default(),
    }
    Ok(text)
}

/// What this machine would plan for with no more than a tier, or where it lacks that, one of no
/// particular microarchitecture.
fn of_tier(tier: Tier, isa: Isa) -> Target {
    match isa.runs(tier) {
        true => isa.capped(tier).target(),
        false => Target::generic().capped(tier),
    }
}

fn figures(pair: &Pair, plan: &Plan, isa: Isa) -> Vec<(&'static str, String)> {
    let tier = plan.target.tier;
    let runs = match isa.runs(tier) {
        true => "it can run this".into(),
        false => format!("it cannot run this: {}", host::absence(tier, isa)),
    };
    let bounds = plan.bounds();
    let read = bounds.bytes.saturating_sub(bounds.stored);
    let mut figures = vec![
        ("pair", pair.to_string()),
        ("target", format!("{}, {tier}", plan.target)),
        ("host", format!("{}, {}; {runs}", host::cpu(), isa.tier())),
        ("moves", format!("{} bytes: {read} read, {} written", bounds.bytes, bounds.stored)),
    ];
    // Without registers there are no ports to count.
    if tier.vector() > 0 {
        let by = bounds.limit();
        let each = bounds.bytes as f64 / bounds.cycles().max(1) as f64;
        let both = format!("{} cycles by ports, {} by memory", bounds.ports, bounds.memory);
        figures.push(("bounds", format!("{both}; {by} it is")));
        let again = match bounds.again {
            0 => String::new(),
            again => format!(", {again} of them for lines that come again"),
        };
        let all = bounds.cycles();
        figures.push(("predicted", format!("{all} cycles{again}, {each:.1} bytes a cycle")));
    }
    figures
}

/// Of each tile what is done, by the ports that do it.
fn tiles(plan: &Plan) -> String {
    let mut text = String::new();
    let nests = plan.boxes.iter().flat_map(|one| &one.nests);
    for (n, tiling) in nests.filter_map(|nest| nest.tiling.as_ref()).enumerate() {
        for (t, tile) in tiling.tiles.iter().enumerate() {
            let (chosen, program) = (&tile.found.candidates[0], &tile.found.program);
            let counts = chosen.cost.counts;
            let numbers = [
                counts.loads as usize,
                counts.shuffles as usize,
                counts.blends as usize,
                counts.stores as usize,
                chosen.cost.lines as usize,
                program.registers,
                program.slots,
            ];
            if text.is_empty() {
                text +=
                    "\nnest tile    loads shuffles   blends   stores      all registers    slots\n";
            }
            write!(text, "{:>4} {:>4}", n + 1, t + 1).unwrap_or_default();
            for number in numbers {
                write!(text, " {number:>8}").unwrap_or_default();
            }
            let extents = tile.chunks.iter().map(|chunk| chunk.extent.to_string());
            let extents = extents.collect::<Vec<_>>().join("x");
            writeln!(text, "  {extents}, {}", chosen.name).unwrap_or_default();
        }
    }
    text
}

/// The machine code of a plan, instruction by instruction.
#[cfg(feature = "listing")]
fn disassembly(plan: &Plan) -> Result<String, Failure> {
    let code = retile::emit(plan.clone())?;
    let (all, constants) = (code.bytes().len(), code.bytes().len() - code.constants());
    Ok(format!("code     {all} bytes, {constants} of them constants\n\n{}", code.listing()))
}

#[cfg(not(feature = "listing"))]
fn disassembly(_: &Plan) -> Result<String, Failure> {
    Err(Failure::Absent("this command was built without the feature `listing`".into()))
}
