//! The front door. In: two layouts, and arithmetic if wanted. Out: a conversion to run on slices, on
//! pointers, or as tasks of the caller's own threads.

use std::ops::Deref;

use crate::attr::Attr;
use crate::kernel::Options;
use crate::plan::Locality;
use crate::{Kernel, Layout, Result, Target, Tier, cache};

/// A conversion between two layouts.
///
/// It is made once and found again in the [`cache`] whenever the same is asked for; cloning it costs nothing. All that
/// a [`Kernel`] does it does too, and it is the one to take: [`Kernel::new`] makes its code anew each time, for those
/// who keep kernels themselves or measure what making one takes.
///
/// ```
/// use retile::{Layout, Reorder};
/// let src: Layout = "f32:nchw:1x3x2x2".parse()?;
/// let reorder = Reorder::new(&src, &src.destination("nhwc")?)?;
/// let planes: Vec<f32> = (0..12).map(|i| i as f32).collect();
/// let mut pixels = [0f32; 12];
/// reorder.run(&planes, &mut pixels)?;
/// assert_eq!(pixels[..4], [0.0, 4.0, 8.0, 1.0]);
/// # Ok::<(), retile::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Reorder {
    kernel: Kernel,
}

/// What a conversion may be asked for besides its layouts.
///
/// ```
/// use retile::{Attr, Layout, Locality, Reorder, Tier, Values};
/// let src: Layout = "f32:nchw:1x4x2x2".parse()?;
/// let dst = src.destination("s8:nhwc")?;
/// let quantize = Reorder::builder(&src, &dst)
///     .attr(Attr::new().dst_scale(1 << 1))
///     .max_tier(Tier::Avx2)
///     .locality(Locality::Keep)
///     .build()?;
/// let scales = Values { dst_scale: &[0.5, 1.0, 2.0, 4.0], ..Values::default() };
/// let mut codes = [0i8; 16];
/// quantize.run_with(&[8f32; 16], &mut codes, &scales)?;
/// assert_eq!(codes[..4], [16, 8, 4, 2]);
/// # Ok::<(), retile::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is made before `build`"]
pub struct Builder<'a> {
    src: &'a Layout,
    dst: &'a Layout,
    attr: Attr,
    options: Options,
    cached: bool,
}

impl Reorder {
    /// Moves and converts, without arithmetic.
    pub fn new(src: &Layout, dst: &Layout) -> Result<Reorder> {
        Reorder::with_attr(src, dst, &Attr::new())
    }

    /// Moves and converts with arithmetic, whose values come with each run.
    pub fn with_attr(src: &Layout, dst: &Layout, attr: &Attr) -> Result<Reorder> {
        Ok(Reorder { kernel: cache::kernel(src, dst, attr, &Options::new())? })
    }

    /// Like [`with_attr`](Reorder::with_attr), but always with a kernel of its own: the cache is not asked, and does
    /// not keep it.
    pub fn uncached(src: &Layout, dst: &Layout, attr: &Attr) -> Result<Reorder> {
        Ok(Reorder { kernel: Kernel::new(src, dst, attr)? })
    }

    /// All that can be asked for, one by one.
    pub fn builder<'a>(src: &'a Layout, dst: &'a Layout) -> Builder<'a> {
        Builder { src, dst, attr: Attr::new(), options: Options::new(), cached: true }
    }

    /// What runs it.
    pub fn kernel(&self) -> &Kernel {
        &self.kernel
    }

    /// The kernel, without the reorder around it.
    pub fn into_kernel(self) -> Kernel {
        self.kernel
    }
}

impl Deref for Reorder {
    type Target = Kernel;

    fn deref(&self) -> &Kernel {
        &self.kernel
    }
}

impl From<Reorder> for Kernel {
    fn from(reorder: Reorder) -> Kernel {
        reorder.kernel
    }
}

impl From<Kernel> for Reorder {
    fn from(kernel: Kernel) -> Reorder {
        Reorder { kernel }
    }
}

impl Builder<'_> {
    /// With arithmetic, whose values come with each run.
    pub fn attr(self, attr: Attr) -> Self {
        Builder { attr, ..self }
    }

    /// No more than the instructions of a tier.
    pub fn max_tier(self, tier: Tier) -> Self {
        Builder { options: self.options.max_tier(tier), ..self }
    }

    /// Whether the destination should be in the caches afterwards.
    pub fn locality(self, locality: Locality) -> Self {
        Builder { options: self.options.locality(locality), ..self }
    }

    /// Planned for this target, whatever the machine is; an error where the machine, or what else is asked for, does
    /// not have the target's tier.
    pub fn target(self, target: Target) -> Self {
        Builder { options: self.options.target(target), ..self }
    }

    /// Tier, locality and target at once, in place of those given before.
    pub fn options(self, options: Options) -> Self {
        Builder { options, ..self }
    }

    /// Made anew, and kept by nobody else.
    pub fn uncached(self) -> Self {
        Builder { cached: false, ..self }
    }

    /// The conversion.
    pub fn build(self) -> Result<Reorder> {
        let Builder { src, dst, attr, options, cached } = self;
        let kernel = match cached {
            true => cache::kernel(src, dst, &attr, &options)?,
            false => Kernel::with_options(src, dst, &attr, &options)?,
        };
        Ok(Reorder { kernel })
    }
}
