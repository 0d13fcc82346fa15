//! The C library of retile.
