//! The text of a plan.
