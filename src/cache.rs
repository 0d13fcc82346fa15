//! Kernels made before. In: two layouts, arithmetic and options. Out: a kernel that was made for the same, or a new
//! one, which is kept.
//!
//! ```text
//! shelf   kernels by their layouts, arithmetic and options: a look-up compares what is in hand, and allocates nothing
//! codes   code by the canonical problem, the target and the locality: pairs that move the same bytes the same way
//!         share it, for as long as a kernel has it
//! ```
//!
//! The canonical form of a problem takes some microseconds where it has tails, folds and masks, which is too long for
//! every look-up: so it is the key of the second table alone, which is asked where the first knows nothing.
//!
//! A process that was forked off while another thread was at the cache starts with an empty one, of the same capacity,
//! as soon as it comes upon what was locked.
//!
//! A kernel that is portable because the system had no memory for its code just then is not kept: whoever asks next has
//! it tried again. Where the system forbids code, or there is none for a conversion, that is kept like any other.

mod codes;
mod heirs;
mod shelf;

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use crate::attr::Attr;
use crate::kernel::Options;
use crate::{Kernel, Layout, Result};
pub(crate) use codes::Codes;
use heirs::Heirs;
use shelf::{Counts, Shelf};

/// So many kernels are kept unless [`set_capacity`] says otherwise.
pub const CAPACITY: usize = 1024;

/// What the cache has done, and what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Kernels that were asked for and there.
    pub hits: u64,
    /// Kernels that were asked for and not there: those that were made, and those refused with an error.
    pub misses: u64,
    /// Kernels that it holds.
    pub entries: usize,
    /// Bytes of their machine code, which several may share.
    pub code_bytes: usize,
}

/// A kernel and what it was made with, besides what it knows itself.
#[derive(Clone, Debug)]
struct Kept {
    options: Options,
    kernel: Kernel,
}

static CACHE: LazyLock<Heirs<Kept>> = LazyLock::new(|| Heirs::new(Shelf::new(CAPACITY)));

/// The kernel for a pair.
pub(crate) fn kernel(src: &Layout, dst: &Layout, attr: &Attr, options: &Options) -> Result<Kernel> {
    let hash = hash(src, dst, attr, options);
    let is = |kept: &Kept| {
        let kernel = &kept.kernel;
        kernel.src() == src
            && kernel.dst() == dst
            && kernel.attr() == attr
            && kept.options == *options
    };
    if let Some(kept) = CACHE.shelf().get(hash, is) {
        return Ok(kept.kernel);
    }
    let kernel = Kernel::shared(src, dst, attr, options)?;
    if kernel.is_makeshift() {
        return Ok(kernel);
    }
    let mut kept = Kept { options: *options, kernel };
    CACHE.with(|shelf| {
        kept = shelf.put(hash, &kept, is)?;
        Some(())
    });
    Ok(kept.kernel)
}

fn hash(src: &Layout, dst: &Layout, attr: &Attr, options: &Options) -> u64 {
    let mut hasher = foldhash::fast::FixedState::default().build_hasher();
    src.hash(&mut hasher);
    dst.hash(&mut hasher);
    attr.hash(&mut hasher);
    options.hash(&mut hasher);
    hasher.finish()
}

/// What the cache has done so far.
///
/// ```
/// use retile::{Layout, Reorder, cache};
/// let src: Layout = "f32:nchw:1x5x3x3".parse()?;
/// let dst = src.destination("nhwc")?;
/// let before = cache::stats();
/// Reorder::new(&src, &dst)?;
/// Reorder::new(&src, &dst)?;
/// assert!(cache::stats().hits > before.hits);
/// # Ok::<(), retile::Error>(())
/// ```
pub fn stats() -> Stats {
    let Counts { hits, misses } = CACHE.shelf().counts();
    let (mut entries, mut codes) = (0, Vec::new());
    CACHE.with(|shelf| {
        (entries, codes) = (0, Vec::new());
        shelf.each(|kept| {
            entries += 1;
            codes.extend(kept.kernel.mapped());
        })
    });
    codes.sort_unstable();
    codes.dedup();
    let code_bytes = codes.iter().map(|(_, bytes)| bytes).sum();
    Stats { hits, misses, entries, code_bytes }
}

/// How many kernels it holds at most.
pub fn capacity() -> usize {
    CACHE.shelf().capacity()
}

/// Holds no more than so many kernels from now on; 0 turns it off. Those least recently used go first; whoever has one
/// keeps it.
pub fn set_capacity(kernels: usize) {
    CACHE.with(|shelf| shelf.set_capacity(kernels));
}

/// Forgets all kernels. Those in use stay with those who have them.
///
/// Here and in [`set_capacity`] a part of the cache that another thread does not leave for a second is passed over.
pub fn clear() {
    CACHE.with(Shelf::clear);
}

/// The code of problems seen before.
pub(crate) fn codes() -> &'static Codes {
    static CODES: LazyLock<Codes> = LazyLock::new(Codes::default);
    &CODES
}
