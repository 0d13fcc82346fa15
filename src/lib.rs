//! retile converts tensors between memory layouts.

mod attr;
pub mod dtype;
mod error;
mod layout;
pub mod reference;
mod tensor;

pub use attr::{Attr, Sizes, Values};
pub use dtype::{DType, Element};
pub use error::{Error, ErrorKind, Result};
pub use layout::{
    Blocking, BlockingDesc, Cell, Cells, ClDnn, ClDnnFormat, DigitView, Layout, MAX_DIGITS,
    MAX_RANK, Name, Offsets, Role, known_names,
};
pub use tensor::{Reading, Tensor, Writing};
