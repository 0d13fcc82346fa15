//! A kernel held against the reference: every byte of the buffers, under guard pages, as a whole and
//! as tasks. In: a case. Out: nothing, or what differs, with the case as a line to paste.
#![allow(dead_code, unsafe_code)] // every test binary uses its own part; kernels take raw pointers

pub(crate) mod call;
pub(crate) mod case;
mod code;
mod comparison;
pub(crate) mod entry;
pub(crate) mod guard;
pub(crate) mod pairs;
pub(crate) mod search;
pub(crate) mod tiers;
pub(crate) mod values;
pub(crate) mod words;

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use retile::{
    Attr, Isa, Kernel, Layout, Locality, Options, Reorder, Sizes, Target, Values, reference,
};

use crate::common::{Draw, Failures, Xorshift};
use case::Case;
use comparison::{Comparison, Place, Span, footprint};
use guard::Arena;
use tiers::targets;
use values::{Guarded, Lists};

/// Bytes beside a footprint that are looked at where no guard page is; whole lines.
const BESIDE: usize = 4 * LINE;
pub(crate) const LINE: usize = 64;

/// What is to be run of a case.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Depth {
    /// Under both guards, and once as tasks.
    Quick,
    /// Also through the checked door, as tasks of every count, and each task alone.
    Full,
}

thread_local! {
    static QUIET: Cell<bool> = const { Cell::new(false) };
    static LAST_PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
    static ARENAS: RefCell<[Arena; 2]> = RefCell::new([Arena::new(1), Arena::new(1)]);
    static LISTS: RefCell<[Lists; 2]> =
        RefCell::new([Lists::new(Guarded::Before), Lists::new(Guarded::Behind)]);
}

/// Holds kernel against reference. Gives whether there was something to run: false where both refuse
/// the pair.
pub(crate) fn compare(case: &Case, depth: Depth) -> Result<bool, String> {
    LISTS.with_borrow_mut(|lists| caught(case, |arenas| compare_in(case, arenas, lists, depth)))
}

/// Runs `work` on a case; panics are failures too.
fn caught<T>(
    case: &Case,
    work: impl FnOnce(&mut [Arena; 2]) -> Result<T, String>,
) -> Result<T, String> {
    let line = case.to_string();
    let run = || ARENAS.with_borrow_mut(work);
    match guard::told(&line, || quietly(run)) {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(what)) => Err(format!("{line}\n    {what}")),
        Err(panic) => {
            let text = panic.downcast_ref::<String>().cloned();
            let text = text.or(panic.downcast_ref::<&str>().map(|text| text.to_string()));
            let (text, at) = (text.unwrap_or_default(), LAST_PANIC.take().unwrap_or_default());
            Err(format!("{line}\n    panicked at {at}: {text}"))
        }
    }
}

/// Holds the machine code of a case against the reference, for each of some targets and
/// localities: between guard pages, with destinations that start so many bytes beyond a line, as tasks,
/// and under the harness around calls. Gives how many codes were run.
pub(crate) fn compare_code(
    case: &Case,
    made: &[(Target, Locality)],
    beyond: &[usize],
) -> Result<usize, String> {
    LISTS.with_borrow_mut(|lists| {
        caught(case, |arenas| compare_code_in(case, arenas, lists, made, beyond))
    })
}

fn compare_code_in(
    case: &Case,
    arenas: &mut [Arena; 2],
    lists: &mut [Lists; 2],
    made: &[(Target, Locality)],
    beyond: &[usize],
) -> Result<usize, String> {
    tiers::say();
    let (src, dst, attr, drawn) = (&case.src, &case.dst, case.attr(), case.values());
    let sizes = attr.sizes(src, dst).map_err(|error| format!("refused: {error}"))?;
    let mut draw = Xorshift::new(case.seed);
    let source = words::source(src, &mut draw);
    let before = words::destination(dst, sizes.dst, &mut draw);
    let mut after = before.clone();
    reference::reorder(src, &source, dst, &mut after, &attr, &drawn.values())
        .map_err(|error| format!("the reference refuses it: {error}"))?;
    let spans = [Span::of(src, None), Span::of(dst, Some(&sizes))];
    lists.iter_mut().for_each(|lists| lists.fill(&drawn.values()));
    let mut ran = 0;
    for (target, locality) in made {
        let told =
            |what: String| format!("code for {target}, {locality:?}: {what}\n    {target:?}");
        let kernel = compiled(src, dst, &attr, target, *locality).map_err(told)?;
        // Sequences are right whoever can run them.
        let Some(kernel) = kernel else { continue };
        sequences(&kernel).map_err(told)?;
        ran += 1;
        let values = [lists[0].values(), lists[1].values()];
        let (source, seed) = (&source[..], case.seed);
        let mut one = Comparison { kernel, values, spans, source, arenas, seed };
        let beyond = beyond.iter().map(|&bytes| Place::Beyond(bytes));
        let places: Vec<Place> = [Place::Start, Place::End].into_iter().chain(beyond).collect();
        for &place in &places {
            one.whole(place, &before, &after).map_err(told)?;
        }
        for count in [1, 2, 3, 7, 64] {
            one.tasks_at(draw.pick(&places), count, &before, &after).map_err(told)?;
        }
        #[cfg(all(target_arch = "x86_64", target_os = "linux", not(retile_portable), not(miri)))]
        one.guarded(&before, &after, &mut draw).map_err(told)?;
    }
    Ok(ran)
}

/// Holds the kernel of a line against the reference, where neither may refuse it.
pub(crate) fn judge(line: &str, depth: Depth, failures: &mut Failures) {
    match Case::parse(line).and_then(|case| compare(&case, depth)) {
        Ok(true) => {}
        Ok(false) => failures.add(format!("{line}: refused")),
        Err(what) => failures.add(what),
    }
}

/// The lines of a file of cases.
pub(crate) fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

/// Without the word and the backtrace that a panic prints: it is told as a failure.
fn quietly<T>(run: impl FnOnce() -> T) -> std::thread::Result<T> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let usual = panic::take_hook();
        panic::set_hook(Box::new(move |info| match QUIET.get() {
            true => LAST_PANIC.set(info.location().map(ToString::to_string)),
            false => usual(info),
        }));
    });
    QUIET.set(true);
    let result = panic::catch_unwind(AssertUnwindSafe(run));
    QUIET.set(false);
    result
}

fn compare_in(
    case: &Case,
    arenas: &mut [Arena; 2],
    lists: &mut [Lists; 2],
    depth: Depth,
) -> Result<bool, String> {
    tiers::say();
    let (src, dst, attr, drawn) = (&case.src, &case.dst, case.attr(), case.values());
    let (sizes, reorder) = match (attr.sizes(src, dst), Reorder::with_attr(src, dst, &attr)) {
        (Ok(sizes), Ok(reorder)) => (sizes, reorder),
        (Err(_), Err(_)) => return Ok(false),
        (Ok(_), Err(error)) => return Err(format!("refused: {error}")),
        (Err(error), Ok(_)) => return Err(format!("taken, and to be refused: {error}")),
    };
    let mut draw = Xorshift::new(case.seed);
    let source = words::source(src, &mut draw);
    let before = words::destination(dst, sizes.dst, &mut draw);
    let mut after = before.clone();
    reference::reorder(src, &source, dst, &mut after, &attr, &drawn.values())
        .map_err(|error| format!("the reference refuses it: {error}"))?;
    lists.iter_mut().for_each(|lists| lists.fill(&drawn.values()));
    let mut one = Comparison {
        kernel: reorder.kernel().clone(),
        values: [lists[0].values(), lists[1].values()],
        spans: [Span::of(src, None), Span::of(dst, Some(&sizes))],
        source: &source,
        arenas,
        seed: case.seed,
    };
    one.whole(Place::End, &before, &after)?;
    one.whole(Place::Start, &before, &after)?;
    let counts = [1, 2, 3, 7, 64];
    match depth {
        Depth::Quick => one.tasks(draw.pick(&counts), &before, &after)?,
        Depth::Full => {
            one.checked(&reorder, &before, &after)?;
            for count in counts {
                one.tasks(count, &before, &after)?;
            }
            let many = if sizes.dst < 1000 { counts.len() } else { 3 };
            let count = draw.pick(&counts[1..many]);
            one.apart(count, &footprint(dst, &sizes), &after, case.arith.sum.is_some())?;
        }
    }
    for target in targets().into_iter().chain(tiers::another(&mut draw)) {
        let name = target;
        let locality = draw.pick(&[Locality::Auto, Locality::Keep, Locality::Stream]);
        let kernel = Kernel::interpreted(src, dst, &attr, &target, locality)
            .map_err(|error| format!("refused for {name}: {error}"))?;
        let told = |what: String| format!("for {name}, {locality:?}: {what}");
        sequences(&kernel).map_err(told)?;
        one.kernel = kernel;
        one.whole(draw.pick(&[Place::End, Place::Start]), &before, &after).map_err(told)?;
        one.tasks(draw.pick(&counts), &before, &after).map_err(told)?;
        if let Some(kernel) = compiled(src, dst, &attr, &target, locality).map_err(told)? {
            let told = |what: String| format!("code for {name}, {locality:?}: {what}");
            one.kernel = kernel;
            let place = draw.pick(&[Place::End, Place::Start, Place::Odd]);
            one.whole(place, &before, &after).map_err(told)?;
            one.tasks(draw.pick(&counts), &before, &after).map_err(told)?;
            #[cfg(all(
                target_arch = "x86_64",
                target_os = "linux",
                not(retile_portable),
                not(miri)
            ))]
            one.guarded(&before, &after, &mut draw).map_err(told)?;
        }
        if depth == Depth::Full && sizes.dst < 1000 {
            let own = footprint(dst, &sizes);
            one.apart(draw.pick(&counts[1..]), &own, &after, case.arith.sum.is_some())
                .map_err(told)?;
        }
    }
    Ok(true)
}

/// The same as machine code, where there is any for it and this machine can run it.
fn compiled(
    src: &Layout,
    dst: &Layout,
    attr: &Attr,
    target: &Target,
    locality: Locality,
) -> Result<Option<Kernel>, String> {
    let isa = Isa::of_this_cpu();
    if !isa.runs_target(target) {
        return Ok(None);
    }
    let options = Options::new().target(*target).locality(locality);
    let kernel = Kernel::with_options(src, dst, attr, &options)
        .map_err(|error| format!("code was refused: {error}"))?;
    match kernel.code() {
        Some(_) => Ok(Some(kernel)),
        None => Err(format!("there is no code: {}", kernel.why_portable().unwrap_or("?"))),
    }
}

/// Whether every sequence of a plan moves its tile, looked at before it is run.
fn sequences(kernel: &Kernel) -> Result<(), String> {
    let plan = kernel.plan();
    for nest in plan.nests() {
        for tile in nest.tiling.iter().flat_map(|tiling| &tiling.tiles) {
            let movement = nest.movement(&tile.chunks, plan);
            let program = &tile.found.program;
            retile::shuffle::check(&movement, program, &plan.target)
                .map_err(|why| format!("{nest}\n{movement:?}\n{program}{why}"))?;
        }
    }
    Ok(())
}
