//! The reference against its contract: expectations are spelt out or computed here, never by the
//! library's own conversions.

#[path = "../support/mod.rs"]
mod support;

mod compensation;
mod errors;
mod formula;
mod masks;
mod padding;
mod random;
mod sources;
mod types;
