//! Why oneDNN is not asked, or does not do it. In: what a pair needs. Out: a reason, which prints.

use std::fmt;

use retile::DType;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refused {
    /// It was asked, and has none.
    Reorder,
    /// It made one, which does not run: so with zero points of a mask.
    Run,
    /// A library of its version would have to be told of what its C interface does not show.
    Compensation,
    Type(DType),
    Format,
    Strides,
    Margins,
    Empty,
    /// It counts more or fewer bytes than we do, so that the two layouts are not the same.
    Size,
    Descriptor,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refused::Reorder => "oneDNN has no such reorder",
            Refused::Run => "oneDNN makes the reorder, and does not run it",
            Refused::Compensation => "compensation, for which its C interface has no words",
            Refused::Type(dtype) => return write!(f, "{dtype}, a type that it lacks"),
            Refused::Format => "a format that neither strides nor a tag of its own say",
            Refused::Strides => "strides below 0",
            Refused::Margins => "margins of the layout's own",
            Refused::Empty => "an extent of 0",
            Refused::Size => "a size that it counts otherwise",
            Refused::Descriptor => "oneDNN refuses the layout",
        })
    }
}
