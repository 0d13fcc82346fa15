//! Tensors: memory with a layout, its guards and its handles.

#[path = "../support/mod.rs"]
mod support;

mod handles;
mod logical;
mod memory;
