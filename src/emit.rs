//! Machine code for plans.

#[allow(dead_code)] // Nothing emits yet.
mod evex;
