//! retile converts tensors between memory layouts.
//!
//! ```
//! use retile::{Layout, Reorder};
//!
//! // Planes of floats to blocks of 16 channels; the last 13 lanes of each block are padding.
//! let src: Layout = "f32:nchw:1x3x4x4".parse()?;
//! let dst = src.destination("nChw16c")?;
//! let reorder = Reorder::new(&src, &dst)?;
//!
//! let planes: Vec<f32> = (0..48).map(|i| i as f32).collect();
//! let mut blocks = vec![f32::NAN; dst.size_elements()];
//! reorder.run(&planes, &mut blocks)?;
//! assert_eq!(blocks[..5], [0.0, 16.0, 32.0, 0.0, 0.0]);
//! # Ok::<(), retile::Error>(())
//! ```
//!
//! # The way through
//!
//! ```text
//! text or API -> Layout -> Problem -> plan(problem, target) -> emit -> Code -> Kernel -> run
//! ```
//!
//! Each arrow is one module, which reads the type on its left and makes the one on its right:
//!
//! - [`Layout`] says where each element lies: by name, tag, strides or digits, with padding, as a
//!   region of a larger tensor, flipped, permuted or repeated.
//! - [`Problem`] is what moves, in canonical form: loops with strides for every operand. Pairs that
//!   move the same bytes the same way are one problem.
//! - [`plan`](mod@plan) cuts it into boxes with loops around them, for a [`Target`]; where that has vector
//!   registers, tiles of the loops are done in them, by sequences that [`shuffle`] finds. Plans are data:
//!   they print the same on every machine.
//! - [`emit`](fn@emit) turns a plan into [`Code`], machine code for the target, whatever machine this is.
//! - [`Kernel`] runs the code, where [`Isa`] proves that this CPU can, or else the plan; on any thread, whole or as
//!   tasks. [`Reorder`] is the front door with checked slices.
//!
//! Beside that line stands the [`reference`](mod@reference): the same conversion from the layouts alone, element by
//! element, which everything else is held against, bit for bit.
//!
//! Where the CPU has no AVX2, or the system refuses executable memory, kernels are of the portable [`Tier`], which
//! interprets its plan. Kernels that were made before are found again in a [`cache`].
//!
//! # What stays as it is
//!
//! [`problem`], [`plan`](mod@plan), [`shuffle`] and [`target`] are open so that what is decided can be looked at,
//! printed and tried for any machine. Their types gain fields and variants as the planner learns, in any release, and
//! with them what else shows plans and code: [`emit`](fn@emit), [`Code`] and [`explain`]. Texts of layouts and
//! attributes, what a conversion gives, and everything else here follow semantic versioning; [`Locality`], [`Target`]
//! and [`Tier`] are among that by their names.

// What tests share with fuzz targets names the crate.
#[cfg(test)]
extern crate self as retile;

mod attr;
mod buffer;
pub mod cache;
mod code;
pub mod dtype;
mod emit;
mod error;
pub mod explain;
mod interpret;
mod isa;
mod kernel;
mod layout;
pub mod plan;
pub mod problem;
pub mod reference;
mod reorder;
#[cfg(feature = "serde")]
mod serde;
pub mod shuffle;
pub mod target;
mod tensor;
pub mod verbose;

pub use attr::{Attr, GivenValues, Sizes, Values};
pub use code::Code;
pub use dtype::{DType, Element};
pub use emit::emit;
pub use error::{Error, ErrorKind, Result};
pub use isa::Isa;
#[cfg(feature = "ndarray")]
pub use kernel::arrays;
pub use kernel::{Kernel, Options, Tasks};
pub use layout::{
    Blocking, BlockingDesc, Cell, Cells, ClDnn, ClDnnFormat, DigitView, Layout, MAX_DIGITS,
    MAX_RANK, Name, Offsets, Role, Window, known_names,
};
pub use plan::Locality;
pub use problem::Problem;
pub use reorder::{Builder, Reorder};
pub use target::{Target, Tier};
pub use tensor::{Reading, Tensor, Writing};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
