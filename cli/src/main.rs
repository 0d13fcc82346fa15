//! The `retile` command.

fn main() {}
