//! A kernel held against the reference: every byte of the buffers, under guard pages, as a whole and
//! as tasks. In: a case. Out: nothing, or what differs, with the case as a line to paste.
#![allow(dead_code, unsafe_code)] // every test binary uses its own part; kernels take raw pointers

pub(crate) mod call;
pub(crate) mod case;
mod code;
pub(crate) mod entry;
pub(crate) mod guard;
pub(crate) mod pairs;
pub(crate) mod search;
pub(crate) mod tiers;
pub(crate) mod words;

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

use retile::plan::Locality;
use retile::{Attr, Isa, Kernel, Layout, Options, Reorder, Sizes, Target, Values, reference};

use crate::common::{Draw, Failures, Xorshift};
use case::Case;
use guard::Arena;
use tiers::targets;

/// Bytes beside a footprint that are looked at where no guard page is; whole lines.
const BESIDE: usize = 4 * LINE;
const LINE: usize = 64;

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
}

/// Holds kernel against reference. Gives whether there was something to run: false where both refuse
/// the pair.
pub(crate) fn compare(case: &Case, depth: Depth) -> Result<bool, String> {
    caught(case, |arenas| compare_in(case, arenas, depth))
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

/// Holds the machine code of a case that moves bits against the reference, for each of some targets and
/// localities: between guard pages, with destinations that start so many bytes beyond a line, as tasks,
/// and under the harness around calls. Gives how many codes were run.
pub(crate) fn compare_code(
    case: &Case,
    made: &[(Target, Locality)],
    beyond: &[usize],
) -> Result<usize, String> {
    caught(case, |arenas| compare_code_in(case, arenas, made, beyond))
}

fn compare_code_in(
    case: &Case,
    arenas: &mut [Arena; 2],
    made: &[(Target, Locality)],
    beyond: &[usize],
) -> Result<usize, String> {
    tiers::say();
    let (src, dst, attr) = (&case.src, &case.dst, case.attr());
    let sizes = attr.sizes(src, dst).map_err(|error| format!("refused: {error}"))?;
    let mut draw = Xorshift::new(case.seed);
    let source = words::source(src, &mut draw);
    let before = words::destination(dst, sizes.dst, &mut draw);
    let mut after = before.clone();
    reference::reorder(src, &source, dst, &mut after, &attr, &Values::default())
        .map_err(|error| format!("the reference refuses it: {error}"))?;
    let spans = [Span::of(src, None), Span::of(dst, Some(&sizes))];
    let mut ran = 0;
    for (target, locality) in made {
        let told =
            |what: String| format!("code for {target}, {locality:?}: {what}\n    {target:?}");
        let kernel = compiled(src, dst, &attr, target, *locality).map_err(told)?;
        // Sequences are right whoever can run them.
        let Some(kernel) = kernel else { continue };
        sequences(&kernel).map_err(told)?;
        ran += 1;
        let values = Values::default();
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

fn compare_in(case: &Case, arenas: &mut [Arena; 2], depth: Depth) -> Result<bool, String> {
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
    let mut one = Comparison {
        kernel: reorder.kernel().clone(),
        values: drawn.values(),
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
    if !isa.runs(target.tier) {
        return Ok(None);
    }
    let options = Options::new().target(*target).locality(locality);
    let kernel = Kernel::with_options(src, dst, attr, &options)
        .map_err(|error| format!("code was refused: {error}"))?;
    match kernel.code() {
        Some(_) => Ok(Some(kernel)),
        None if kernel.plan().problem.moves_bits() => {
            Err(format!("there is no code: {}", kernel.why_portable().unwrap_or("?")))
        }
        None => Ok(None),
    }
}

/// Whether every sequence of a plan moves its tile, looked at before it is run.
fn sequences(kernel: &Kernel) -> Result<(), String> {
    let plan = kernel.plan();
    for nest in plan.boxes.iter().flat_map(|one| &one.nests) {
        for tile in nest.tiling.iter().flat_map(|tiling| &tiling.tiles) {
            let movement = nest.movement(&tile.chunks, plan);
            let program = &tile.found.program;
            retile::shuffle::check(&movement, program, &plan.target)
                .map_err(|why| format!("{nest}\n{movement:?}\n{program}{why}"))?;
        }
    }
    Ok(())
}

/// Where the footprint lies between the guards.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    Start,
    End,
    /// Aligned for its elements and for nothing wider.
    Odd,
    /// So many bytes beyond the start of a line.
    Beyond(usize),
}

/// From the first to the last byte of a footprint, counted from the buffer's start.
#[derive(Clone, Copy)]
struct Span {
    least: usize,
    end: usize,
    size: usize,
}

impl Span {
    /// Of a layout, and of what is appended to it.
    fn of(layout: &Layout, sizes: Option<&Sizes>) -> Span {
        let size = layout.dtype().size();
        let (mut least, mut end) = (usize::MAX, 0);
        for cell in layout.cells() {
            least = least.min(cell.offset * size);
            end = end.max((cell.offset + 1) * size);
        }
        if let Some(sizes) = sizes.filter(|s| s.s8s8.is_some() || s.asymmetric.is_some()) {
            end = end.max(sizes.dst);
        }
        Span { least: least.min(end), end, size }
    }

    /// What the buffer's start must be, counted from the arena's.
    fn base(&self, place: Place, arena: &Arena) -> isize {
        let (least, end, length) = (self.least as isize, self.end as isize, arena.len() as isize);
        match place {
            Place::Start => -least,
            Place::End => length - end,
            Place::Odd => {
                let base = BESIDE as isize - least;
                round_up(base, 2 * self.size as isize) + self.size as isize
            }
            Place::Beyond(bytes) => BESIDE as isize - least + bytes as isize,
        }
    }
}

fn round_up(value: isize, to: isize) -> isize {
    (value + to - 1).div_euclid(to) * to
}

/// Which bytes of a buffer belong to the destination.
fn footprint(dst: &Layout, sizes: &Sizes) -> Vec<bool> {
    let mut own = vec![false; sizes.dst];
    let size = dst.dtype().size();
    for cell in dst.cells() {
        own[cell.offset * size..][..size].fill(true);
    }
    if let Some(sums) = sizes.s8s8.or(sizes.asymmetric) {
        own[sums..].fill(true);
    }
    own
}

struct Comparison<'a> {
    kernel: Kernel,
    values: Values<'a>,
    /// Of source and destination.
    spans: [Span; 2],
    source: &'a [u8],
    arenas: &'a mut [Arena; 2],
    seed: u64,
}

impl Comparison<'_> {
    /// Lays both buffers out, runs, and gives the destination's buffer back, what lies beside it
    /// having been looked at.
    fn run(
        &mut self,
        place: Place,
        before: &[u8],
        run: impl FnOnce(&Kernel, *const u8, *mut u8, &Values<'_>),
    ) -> Result<Vec<u8>, String> {
        let mut bases = [0; 2];
        let images = [self.source, before];
        let mut expected: [Vec<u8>; 2] = Default::default();
        for side in 0..2 {
            let span = self.spans[side];
            let needed = span.end - span.least + 2 * BESIDE + LINE;
            if self.arenas[side].len() < needed {
                self.arenas[side] = Arena::new(needed);
            }
            let arena = &mut self.arenas[side];
            bases[side] = span.base(place, arena);
            let (from, to) = window(bases[side], &span, arena.len());
            let canary = |at: usize| (at as u64 ^ self.seed).wrapping_mul(0x9e37_79b9) as u8 | 1;
            let image = images[side];
            let (first, end) = inside(bases[side], image.len(), (from, to));
            for at in (from..first).chain(end..to) {
                arena.bytes_mut()[at] = canary(at);
            }
            let skipped = (first as isize - bases[side]) as usize;
            arena.bytes_mut()[first..end].copy_from_slice(&image[skipped..][..end - first]);
            expected[side] = arena.bytes()[from..to].to_vec();
        }
        let at = |side: usize| self.arenas[side].at(bases[side]);
        run(&self.kernel, at(0), at(1), &self.values);
        let (from, to) = window(bases[0], &self.spans[0], self.arenas[0].len());
        if self.arenas[0].bytes()[from..to] != expected[0] {
            return Err(format!("{place:?}: the source was written"));
        }
        let (from, to) = window(bases[1], &self.spans[1], self.arenas[1].len());
        let mut image = before.to_vec();
        let (first, end) = inside(bases[1], image.len(), (from, to));
        let found = self.arenas[1].bytes();
        for at in (from..first).chain(end..to) {
            if found[at] != expected[1][at - from] {
                let own = at as isize - bases[1];
                return Err(format!("{place:?}: byte {own} beside the buffer was written"));
            }
        }
        let skipped = (first as isize - bases[1]) as usize;
        image[skipped..][..end - first].copy_from_slice(&found[first..end]);
        Ok(image)
    }

    /// In one call, against a guard page.
    fn whole(&mut self, place: Place, before: &[u8], after: &[u8]) -> Result<(), String> {
        let found = self.run(place, before, |kernel, src, dst, values| {
            // SAFETY: the spans lie between the guards, everything the layouts' footprints hold.
            unsafe { kernel.run_raw(src, dst, values) }
        })?;
        self.same(&found, after, before, &format!("{place:?}"))
    }

    /// Through slices of bytes.
    fn checked(&mut self, reorder: &Reorder, before: &[u8], after: &[u8]) -> Result<(), String> {
        let (mut src, mut dst) = (Aligned::of(self.source), Aligned::of(before));
        let (source, destination) = (src.bytes_mut(), dst.bytes_mut());
        reorder
            .run_bytes(source, destination, &self.values)
            .map_err(|error| format!("refused at run: {error}"))?;
        if source != self.source {
            return Err("slices: the source was written".into());
        }
        self.same(destination, after, before, "slices")
    }

    /// As so many tasks in any order.
    fn tasks(&mut self, count: usize, before: &[u8], after: &[u8]) -> Result<(), String> {
        // Aligned too, since rows are stored past the caches only there.
        let place = [Place::Odd, Place::Start][(self.seed as usize ^ count) % 2];
        self.tasks_at(place, count, before, after)
    }

    fn tasks_at(
        &mut self,
        place: Place,
        count: usize,
        before: &[u8],
        after: &[u8],
    ) -> Result<(), String> {
        let mut order: Vec<usize> = (0..count).collect();
        Xorshift::new(self.seed + 1).shuffle(&mut order);
        let found = self.run(place, before, |kernel, src, dst, values| {
            for &task in &order {
                // SAFETY: as for the whole.
                unsafe { kernel.run_task(task, count, src, dst, values) }
            }
        })?;
        self.same(
            &found,
            after,
            before,
            &format!("{place:?}: {count} tasks in the order {order:?}"),
        )
    }

    /// Each of so many tasks alone, twice: what it writes is found by what changes in two buffers
    /// that differ in every bit. Together they write each byte of the footprint once.
    fn apart(
        &mut self,
        count: usize,
        own: &[bool],
        after: &[u8],
        sums: bool,
    ) -> Result<(), String> {
        let mut writer: Vec<Option<usize>> = vec![None; own.len()];
        for task in 0..count {
            let mut written = vec![false; own.len()];
            for canary in [0x5a, 0xa5] {
                let before = vec![canary; own.len()];
                let found = self.run(Place::Odd, &before, |kernel, src, dst, values| {
                    // SAFETY: as for the whole.
                    unsafe { kernel.run_task(task, count, src, dst, values) }
                })?;
                for (written, found) in written.iter_mut().zip(&found) {
                    *written |= *found != canary;
                }
                for (at, found) in found.iter().enumerate().filter(|_| !sums) {
                    if *found != canary && *found != after[at] {
                        return Err(format!(
                            "task {task} of {count} leaves {found:#x} at byte {at}, expected {:#x}",
                            after[at]
                        ));
                    }
                }
            }
            for (at, _) in written.iter().enumerate().filter(|(_, written)| **written) {
                if let Some(other) = writer[at].replace(task) {
                    return Err(format!("tasks {other} and {task} of {count} write byte {at}"));
                }
            }
        }
        for (at, (writer, own)) in writer.iter().zip(own).enumerate() {
            match (writer, own) {
                (Some(task), false) => {
                    return Err(format!("task {task} of {count} writes byte {at} beside"));
                }
                (None, true) if !sums => {
                    return Err(format!("none of {count} tasks writes byte {at}"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn same(&self, found: &[u8], after: &[u8], before: &[u8], how: &str) -> Result<(), String> {
        let different = |at: &usize| found[*at] != after[*at];
        let Some(at) = (0..after.len()).find(different) else { return Ok(()) };
        let count = (0..after.len()).filter(different).count();
        let dst = self.kernel.dst();
        let element = at / self.spans[1].size;
        let cell = dst.cells().find(|cell| cell.offset == element);
        let cell = match cell {
            Some(cell) => format!("{:?} {:?}", cell.role, &cell.coords[..dst.rank()]),
            None => "no cell".into(),
        };
        Err(format!(
            "{how}: byte {at} ({cell}) is {:#04x}, expected {:#04x}, before {:#04x}; {count} of {} differ",
            found[at],
            after[at],
            before[at],
            after.len()
        ))
    }
}

/// The bytes of an arena that a run may concern, from and to.
fn window(base: isize, span: &Span, length: usize) -> (usize, usize) {
    let from = base + span.least as isize - BESIDE as isize;
    let to = base + span.end as isize + BESIDE as isize;
    (from.max(0) as usize, to.min(length as isize) as usize)
}

/// What of a window is a buffer's, of so many bytes from a base on.
fn inside(base: isize, length: usize, (from, to): (usize, usize)) -> (usize, usize) {
    let within = |at: isize| at.clamp(from as isize, to as isize) as usize;
    (within(base), within(base + length as isize))
}

/// Bytes aligned for any element.
struct Aligned {
    words: Vec<u64>,
    length: usize,
}

impl Aligned {
    fn of(bytes: &[u8]) -> Aligned {
        let mut aligned = Aligned { words: vec![0; bytes.len().div_ceil(8)], length: bytes.len() };
        aligned.bytes_mut().copy_from_slice(bytes);
        aligned
    }

    fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as many bytes as the words have, or less; any bytes are words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.length) }
    }
}
