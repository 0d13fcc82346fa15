//! retile converts tensors between memory layouts.

pub mod dtype;

pub use dtype::{DType, Element};
