//! retile converts tensors between memory layouts.
