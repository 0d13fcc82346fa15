//! What a kernel does and what bounds it, in words. In: a pair and its plan, or a kernel. Out: figures, the plan with
//! its sequences, the machine code: what `retile explain` prints, and `retile_kernel_explain` writes.

use std::fmt::Write;

use crate::plan::Plan;
use crate::{Code, Isa, Kernel, emit};

/// A plan for any target, and the code that it becomes. The pair is what its line says.
pub fn plan(pair: &str, plan: &Plan) -> String {
    match emit(plan.clone()) {
        Ok(code) => text(pair, plan, Ok(&code)),
        Err(error) => text(pair, plan, Err(&error.to_string())),
    }
}

impl Kernel {
    /// What it does and what bounds it, as `retile explain` prints it for the same pair.
    ///
    /// ```
    /// use retile::{Attr, Kernel, Layout};
    /// let src: Layout = "f32:nchw:1x3x4x4".parse()?;
    /// let kernel = Kernel::new(&src, &src.destination("nhwc")?, &Attr::new())?;
    /// assert!(kernel.explain().starts_with("pair     f32:abcd:1x3x4x4 f32:acdb:1x3x4x4\n"));
    /// # Ok::<(), retile::Error>(())
    /// ```
    pub fn explain(&self) -> String {
        let attr = self.attr().to_string();
        let space = if attr.is_empty() { "" } else { " " };
        let pair = format!("{} {}{space}{attr}", self.src(), self.dst());
        match (self.code(), self.why_portable()) {
            (Some(code), _) => text(&pair, self.plan(), Ok(code)),
            (None, Some(why)) => text(&pair, self.plan(), Err(why)),
            (None, None) => plan(&pair, self.plan()),
        }
    }
}

/// Code, or why there is none.
fn text(pair: &str, plan: &Plan, code: Result<&Code, &str>) -> String {
    let mut text = String::new();
    for (label, value) in figures(pair, plan) {
        writeln!(text, "{label:<8} {value}").unwrap_or_default();
    }
    text += &tiles(plan);
    writeln!(text, "\n{}", plan.listing().trim_end()).unwrap_or_default();
    match code {
        Ok(code) => writeln!(text, "\n{}", disassembly(code).trim_end()).unwrap_or_default(),
        // The rest has been explained all the same.
        Err(why) => writeln!(text, "\ncode     none: {why}").unwrap_or_default(),
    }
    text
}

fn figures(pair: &str, plan: &Plan) -> Vec<(&'static str, String)> {
    let tier = plan.target.tier;
    // Where the environment names no tier, nothing was made under its cap.
    let isa = Isa::detect().unwrap_or_else(|_| Isa::of_this_cpu());
    let runs = match (isa.runs(tier), isa.runs_target(&plan.target)) {
        (true, true) => "it can run this".into(),
        (true, false) => "it cannot run this: it lacks the instruction for bf16".into(),
        (false, _) => format!("it cannot run this: {}", isa.absence(tier)),
    };
    let bounds = plan.bounds();
    let read = bounds.bytes.saturating_sub(bounds.stored);
    let mut figures = vec![
        ("pair", pair.to_string()),
        ("target", format!("{}, {tier}", plan.target)),
        ("host", format!("{}, {}; {runs}", cpu(), isa.tier())),
        ("moves", format!("{} bytes: {read} read, {} written", bounds.bytes, bounds.stored)),
    ];
    // Without registers there are no ports to count, and nothing takes no time.
    if tier.vector() > 0 && bounds.bytes > 0 {
        let by = bounds.limit();
        let each = bounds.bytes as f64 / bounds.cycles().max(1) as f64;
        let both = format!("{} cycles by ports, {} by memory", bounds.ports, bounds.memory);
        figures.push(("bounds", format!("{both}; {by} it is")));
        let again = match bounds.again {
            0 => String::new(),
            again => format!(", {again} of them for what comes again"),
        };
        let all = bounds.cycles();
        figures.push(("predicted", format!("{all} cycles{again}, {each:.1} bytes a cycle")));
    }
    figures
}

/// Of each tile what is done, by the ports that do it.
fn tiles(plan: &Plan) -> String {
    let mut text = String::new();
    let nests = plan.all_nests();
    for (n, tiling) in nests.filter_map(|nest| nest.tiling.as_ref()).enumerate() {
        for (t, tile) in tiling.tiles.iter().enumerate() {
            let (chosen, program) = (&tile.found.candidates[0], &tile.found.program);
            let counts = chosen.cost.counts;
            let numbers = [
                counts.loads as usize,
                counts.shuffles as usize,
                counts.blends as usize,
                counts.stores as usize,
                chosen.cost.ops as usize,
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

/// Machine code, instruction by instruction.
fn disassembly(code: &Code) -> String {
    let (all, constants) = (code.bytes().len(), code.bytes().len() - code.constants());
    let instructions = instructions(code);
    format!("code     {all} bytes, {constants} of them constants\n\n{instructions}")
}

#[cfg(feature = "listing")]
fn instructions(code: &Code) -> String {
    code.listing()
}

#[cfg(not(feature = "listing"))]
fn instructions(_: &Code) -> String {
    "built without the feature `listing`, which shows the instructions".into()
}

/// What the CPU calls itself.
#[cfg(all(target_arch = "x86_64", not(retile_portable), not(miri)))]
pub fn cpu() -> String {
    let brand = raw_cpuid::CpuId::new().get_processor_brand_string();
    brand.map_or("x86_64".into(), |brand| brand.as_str().trim().into())
}

/// The architecture, where it has no name of its own.
#[cfg(not(all(target_arch = "x86_64", not(retile_portable), not(miri))))]
pub fn cpu() -> String {
    std::env::consts::ARCH.into()
}

#[cfg(test)]
mod tests {
    use crate::plan::plan_with;
    use crate::{Attr, Layout, Options, Problem, Tier};

    use super::*;

    /// A kernel's plan and code are those that anybody makes of the pair for its target.
    #[test]
    fn kernels_are_explained_as_their_plans_are() {
        for (src, dst, attr) in [
            ("f32:abcd:2x17x5x9", "f32:acdb:2x17x5x9", Attr::new()),
            ("f32:abcd:2x17x5x9", "s8:aBcd16b:2x17x5x9", Attr::new().dst_scale(2).sum(0.5)),
            ("u8:a:0", "u8:a:0", Attr::new()),
        ] {
            let (from, to): (Layout, Layout) = (src.parse().unwrap(), dst.parse().unwrap());
            // Under Miri they are all one.
            for tier in Tier::ALL.into_iter().step_by(if cfg!(miri) { 4 } else { 1 }) {
                let options = Options::new().max_tier(tier);
                let kernel = Kernel::with_options(&from, &to, &attr, &options).unwrap();
                let (problem, _) = Problem::new(&from, &to, &attr).unwrap();
                let planned = plan_with(&problem, &kernel.plan().target, Default::default());
                let pair = format!("{src} {dst} {attr}");
                assert_eq!(kernel.explain(), plan(pair.trim_end(), &planned));
            }
        }
    }
}
