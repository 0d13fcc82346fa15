//! The harness without its cases: guard pages and calls of machine code, for fuzz targets too.
#![allow(dead_code, unused_imports)] // a part of it is of one system alone

pub(crate) mod call;
pub(crate) mod entry;
pub(crate) mod guard;
pub(crate) mod values;
