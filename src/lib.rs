//! retile converts tensors between memory layouts.

mod attr;
pub mod dtype;
mod error;
mod interpret;
mod kernel;
mod layout;
pub mod plan;
pub mod problem;
pub mod reference;
mod reorder;
pub mod target;
mod tensor;

pub use attr::{Attr, GivenValues, Sizes, Values};
pub use dtype::{DType, Element};
pub use error::{Error, ErrorKind, Result};
pub use kernel::Kernel;
pub use layout::{
    Blocking, BlockingDesc, Cell, Cells, ClDnn, ClDnnFormat, DigitView, Layout, MAX_DIGITS,
    MAX_RANK, Name, Offsets, Role, Window, known_names,
};
pub use problem::Problem;
pub use reorder::Reorder;
pub use target::{Target, Tier};
pub use tensor::{Reading, Tensor, Writing};
