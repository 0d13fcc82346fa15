//! The text of a problem.
