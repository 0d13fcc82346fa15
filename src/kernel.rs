//! A plan ready to run. In: two layouts and attributes. Out: a handle that any thread may run, with
//! the checks that the layouts call for.
#![allow(unsafe_code)] // Callers give raw pointers, because their regions may interleave.

#[cfg(feature = "ndarray")]
pub mod arrays;
mod call;
mod map;
pub(crate) mod mxcsr;
mod tasks;
mod values;
mod way;

use std::fmt;
use std::sync::Arc;

use crate::attr::{Attr, Sizes, Values};
use crate::code::Given;
use crate::interpret::{self, Buffers};
use crate::plan::{Locality, Plan, plan_with};
use crate::problem::{Bases, DST, Problem, SRC, SUMS};
use crate::target::{Target, Tier};
use crate::{Code, Error, Isa, Layout, Result, cache, verbose};
pub use tasks::Tasks;
pub(crate) use way::Way;
use way::Why;

/// How a kernel is made.
///
/// ```
/// use retile::{Attr, Kernel, Layout, Options, Tier};
/// let src: Layout = "f32:nchw:1x3x4x4".parse()?;
/// let dst = src.destination("nhwc")?;
/// let options = Options::new().max_tier(Tier::Avx2);
/// let kernel = Kernel::with_options(&src, &dst, &Attr::new(), &options)?;
/// assert!(kernel.tier() <= Tier::Avx2);
/// # Ok::<(), retile::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Options {
    max_tier: Option<Tier>,
    target: Option<Target>,
    locality: Locality,
}

impl Options {
    /// The best this machine has, under the cap of `RETILE_MAX_ISA`.
    pub fn new() -> Options {
        Options::default()
    }

    /// No more than the instructions of a tier.
    #[must_use]
    pub fn max_tier(self, tier: Tier) -> Options {
        Options { max_tier: Some(tier), ..self }
    }

    /// Planned for this target, whatever the machine is; an error where the machine, or what else is asked for, does
    /// not have the target's tier.
    #[must_use]
    pub fn target(self, target: Target) -> Options {
        Options { target: Some(target), ..self }
    }

    /// Whether the destination should be in the caches afterwards.
    #[must_use]
    pub fn locality(self, locality: Locality) -> Options {
        Options { locality, ..self }
    }

    /// What is planned for.
    fn resolve(&self, isa: Isa) -> Result<Target> {
        self.target.as_ref().map_or(Ok(()), Target::check)?;
        let most = self.max_tier.unwrap_or(Tier::BEST);
        let isa = isa.capped(most);
        match self.target {
            None => Ok(isa.target()),
            Some(target) if isa.runs_target(&target) => Ok(target),
            Some(target) if isa.runs(target.tier) => Err(Error::Unsupported(format!(
                "target {target} makes bf16 by an instruction that this CPU lacks"
            ))),
            Some(target) => {
                let (tier, why) = (target.tier, isa.absence(target.tier));
                Err(Error::Unsupported(format!("target {target} needs {tier}, and {why}")))
            }
        }
    }
}

/// One conversion, planned and compiled. Cheap to clone, shared between threads; its results are alike on every
/// machine.
#[derive(Clone)]
pub struct Kernel {
    inner: Arc<Inner>,
}

struct Inner {
    src: Layout,
    dst: Layout,
    attr: Attr,
    sizes: Sizes,
    bases: Bases,
    /// Whether each run is told.
    tells: bool,
    /// Whether all bytes of a destination are written, each up to its size.
    covers: bool,
    /// How many values it needs of each kind, and those that elements lead to.
    counts: [usize; 4],
    lists: values::Lists,
    /// Kernels of equal problems have one between them.
    way: Arc<Way>,
}

/// A way to run a problem, and whether it was made for this kernel, or is another's.
struct Made {
    way: Arc<Way>,
    here: bool,
}

impl Made {
    fn new(way: Way) -> Made {
        Made { way: Arc::new(way), here: true }
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut of = f.debug_struct("Kernel");
        of.field("src", &self.src()).field("dst", &self.dst()).field("attr", &self.attr());
        of.field("tier", &self.tier()).finish_non_exhaustive()
    }
}

impl Kernel {
    /// Plans the conversion for this machine, and makes code for it.
    pub fn new(src: &Layout, dst: &Layout, attr: &Attr) -> Result<Kernel> {
        Kernel::with_options(src, dst, attr, &Options::new())
    }

    /// Like [`new`](Kernel::new), with [`Options`]: a cap on the tier, a target other than this machine, a locality.
    pub fn with_options(
        src: &Layout,
        dst: &Layout,
        attr: &Attr,
        options: &Options,
    ) -> Result<Kernel> {
        let isa = Isa::detect()?;
        let target = options.resolve(isa)?;
        Kernel::make(src, dst, attr, |problem| {
            Way::new(problem, &target, options.locality, isa).map(Made::new)
        })
    }

    /// Like [`with_options`](Kernel::with_options), with the code of an equal problem where a kernel still has it.
    pub(crate) fn shared(
        src: &Layout,
        dst: &Layout,
        attr: &Attr,
        options: &Options,
    ) -> Result<Kernel> {
        let isa = Isa::detect()?;
        let (target, locality) = (options.resolve(isa)?, options.locality);
        Kernel::make(src, dst, attr, |problem| {
            let place = match cache::codes().get(problem, &target, locality) {
                Ok(way) => return Ok(Made { way, here: false }),
                Err(place) => place,
            };
            let made = Made::new(Way::new(problem, &target, locality, isa)?);
            // Portable in place of code, which the system refused, for now perhaps: nobody else is given it.
            if made.way.target() != &target {
                return Ok(made);
            }
            let way = cache::codes().put(place, Arc::clone(&made.way));
            Ok(Made { here: Arc::ptr_eq(&way, &made.way), way })
        })
    }

    /// Plans the conversion for any target, to be interpreted on this machine. What is planned for
    /// registers runs slowly so, lane by lane: it is for checking plans, not for work.
    pub fn interpreted(
        src: &Layout,
        dst: &Layout,
        attr: &Attr,
        target: &Target,
        locality: Locality,
    ) -> Result<Kernel> {
        target.check()?;
        Kernel::make(src, dst, attr, |problem| {
            let plan = Box::new(plan_with(problem, target, locality));
            Ok(Made::new(Way::Interpreted { plan, why: None }))
        })
    }

    fn make(
        src: &Layout,
        dst: &Layout,
        attr: &Attr,
        way: impl FnOnce(&Problem) -> Result<Made>,
    ) -> Result<Kernel> {
        let start = verbose::start();
        let sizes = attr.sizes(src, dst)?;
        let (problem, bases) = Problem::with_sizes(src, dst, attr, &sizes)?;
        let Made { way, here } = way(&problem)?;
        let lists = values::Lists::of(way.brief(), &bases, way.target());
        let (src, dst, attr) = (src.clone(), dst.clone(), attr.clone());
        let sums = sizes.s8s8.or(sizes.asymmetric);
        let covers = dst.is_dense() && sums.is_none_or(|start| start == dst.size_bytes());
        let tells = verbose::tells_runs();
        let counts = attr.value_counts(src.dims());
        let inner = Inner { src, dst, attr, sizes, bases, tells, covers, counts, lists, way };
        let kernel = Kernel { inner: Arc::new(inner) };
        verbose::made(&kernel, start, here);
        Ok(kernel)
    }

    /// Where the source's elements lie.
    pub fn src(&self) -> &Layout {
        &self.inner.src
    }

    /// Where the destination's elements lie.
    pub fn dst(&self) -> &Layout {
        &self.inner.dst
    }

    /// The arithmetic on the way.
    pub fn attr(&self) -> &Attr {
        &self.inner.attr
    }

    /// What the buffers must hold.
    pub fn sizes(&self) -> Sizes {
        self.inner.sizes
    }

    /// How it is run. For machine code it is planned and emitted again when this, or [`code`](Kernel::code), is first
    /// asked for, and kept from then on.
    pub fn plan(&self) -> &Plan {
        self.inner.way.plan()
    }

    /// Its machine code, where it has any; made again when first asked for, as [`plan`](Kernel::plan) says.
    pub fn code(&self) -> Option<&Code> {
        match &*self.inner.way {
            Way::Code(ready) => Some(ready.code()),
            Way::Interpreted { .. } => None,
        }
    }

    /// Where its machine code is, and how many bytes, where it has any.
    pub(crate) fn mapped(&self) -> Option<(usize, usize)> {
        match &*self.inner.way {
            Way::Code(ready) => Some((ready.mapped.address(), ready.mapped.bytes())),
            Way::Interpreted { .. } => None,
        }
    }

    /// The instructions that it uses.
    pub fn tier(&self) -> Tier {
        match &*self.inner.way {
            Way::Code(ready) => ready.brief.target.tier,
            Way::Interpreted { .. } => Tier::Portable,
        }
    }

    /// Why it is of the portable tier, where a better one was to be had: a conversion reaches further than machine code
    /// is made for, or the system refused memory for it. Where the system had no memory just then, the [cache] does not
    /// keep the kernel, so that it is worth asking for another later.
    pub fn why_portable(&self) -> Option<&str> {
        self.why().map(|why| &*why.text)
    }

    /// Whether it is of the portable tier only until the system has memory again.
    pub(crate) fn is_makeshift(&self) -> bool {
        self.why().is_some_and(|why| why.passes)
    }

    fn why(&self) -> Option<&Why> {
        match &*self.inner.way {
            Way::Interpreted { why, .. } => why.as_ref(),
            Way::Code(_) => None,
        }
    }

    /// A number of tasks worth starting for so many threads of yours; 0 counts as 1, since only you know how many you
    /// have. [`run_on_threads`](Kernel::run_on_threads), which starts its own, takes 0 for all that the machine has.
    pub fn task_count(&self, threads: usize) -> usize {
        self.inner.way.brief().task_count(threads)
    }

    /// Runs the whole conversion.
    ///
    /// # Safety
    ///
    /// - `src` and `dst` are the starts of buffers that hold what [`Kernel::sizes`] says, aligned for
    ///   their elements; the source may be read, the destination read and written.
    /// - No byte of one layout's footprint is in the other's, and nobody else writes to either, or
    ///   reads the destination's, meanwhile.
    /// - `values` holds as many values as the masks ask for, and none of them in the destination.
    pub unsafe fn run_raw(&self, src: *const u8, dst: *mut u8, values: &Values<'_>) {
        // SAFETY: the same contract; one task of one is the whole.
        unsafe { self.run_task(0, 1, src, dst, values) }
    }

    /// Runs task `task` of `count`. Run each once, in any order, on any threads: together they are
    /// the whole conversion, and no two write the same byte.
    ///
    /// # Panics
    ///
    /// Where `task` is not less than `count`.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::run_raw`]; other tasks of the same `count` may run meanwhile.
    pub unsafe fn run_task(
        &self,
        task: usize,
        count: usize,
        src: *const u8,
        dst: *mut u8,
        values: &Values<'_>,
    ) {
        assert!(task < count, "task {task} of {count}");
        if self.inner.tells {
            let start = std::time::Instant::now();
            // SAFETY: the same contract.
            unsafe { self.run_quietly(task, count, src, dst, values) };
            return verbose::ran(self, task, count, start);
        }
        // SAFETY: the same contract.
        unsafe { self.run_quietly(task, count, src, dst, values) }
    }

    /// A task of a run, without the line that `RETILE_VERBOSE=2` asks for.
    ///
    /// # Safety
    ///
    /// As for [`Kernel::run_task`]; `task` is less than `count`.
    #[inline]
    unsafe fn run_quietly(
        &self,
        task: usize,
        count: usize,
        src: *const u8,
        dst: *mut u8,
        values: &Values<'_>,
    ) {
        let inner = &*self.inner;
        match &*inner.way {
            Way::Code(ready) => {
                let (plan, mapped) = (&ready.brief, &ready.mapped);
                let (problem, bases) = (&plan.problem, &inner.bases);
                let mut given = Given::NONE;
                if problem.arith.is_compensated() {
                    for sums in SUMS {
                        given.pointers[sums as usize] = dst.wrapping_offset(bases.0[sums as usize]);
                    }
                    let (sums, buffers) = (inner.sizes.sums(), Buffers { src, dst });
                    if plan.written_sums != Some(sums.len()) {
                        // SAFETY: the plan does this problem, the bases are these layouts', see `call` below; the
                        // caller promises the rest.
                        unsafe { interpret::clear(plan, bases, sums, buffers, task, count) };
                    }
                }
                let (src, dst) =
                    (src.wrapping_offset(bases.0[SRC]), dst.wrapping_offset(bases.0[DST]));
                let call = |values: &Given| {
                    // SAFETY:
                    // - the code was made of a problem that is equal to that of these layouts, which were checked:
                    //   it may have been another pair's first, but then the cache has compared the whole problem and
                    //   the target. Equal problems are the same accesses, counted from where all nodes are at 0, and
                    //   that is where the bases of these layouts lead;
                    // - it is for instructions that this CPU has, and the values are as it expects them;
                    // - the caller promises the rest.
                    unsafe { mapped.call(src, dst, task, count, values) }
                };
                // Moves know no environment.
                if problem.moves_bits() {
                    return call(&given);
                }
                mxcsr::with_default(|| match problem.arith.is_formula() {
                    true => inner.lists.with_ready(values, &mut given, call),
                    false => call(&given),
                });
            }
            Way::Interpreted { plan, .. } => {
                let work = || {
                    // SAFETY: the plan does this problem, the bases are these layouts', as with code; the caller
                    // promises the rest.
                    unsafe {
                        let (sums, buffers) = (inner.sizes.sums(), Buffers { src, dst });
                        interpret::run(plan, &inner.bases, sums, buffers, values, task, count)
                    }
                };
                // Moves know no environment.
                match plan.problem.moves_bits() {
                    true => work(),
                    false => mxcsr::with_default(work),
                }
            }
        }
    }
}

// A kernel is shared between threads and outlives whoever made it.
const _: () = {
    const fn shared<T: Send + Sync + 'static>() {}
    shared::<Kernel>();
};
