//! Element types: what they are called, how wide they are, and which Rust types hold them.
//!
//! In: a name from a layout's text. Out: a [`DType`], or an error that says what was found.
//!
//! One element is handled as its raw bits in the low bytes of a `u64`, zero-extended; [`convert`]
//! turns the bits of one type into those of another.

pub mod convert;
mod float;
pub(crate) mod lanes;
mod text;

pub use float::{bf16_to_float, float_to_bf16, float_to_half, half_to_float};

/// The type of a tensor's elements.
///
/// It prints as its name, `f64` to `bool`, and is parsed from it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub enum DType {
    /// IEEE binary64
    F64,
    /// IEEE binary32
    F32,
    /// IEEE binary16
    F16,
    /// The upper half of an [`DType::F32`]: its exponent range with 8 significant bits
    Bf16,
    /// Signed, 8 bytes
    S64,
    /// Signed, 4 bytes
    S32,
    /// Signed, 2 bytes
    S16,
    /// Unsigned, 2 bytes
    U16,
    /// Signed, 1 byte
    S8,
    /// Unsigned, 1 byte
    U8,
    /// 1 byte, false where it is 0
    Bool,
}

impl DType {
    /// Every element type, widest first within floats and within integers.
    pub const ALL: [DType; 11] = [
        DType::F64,
        DType::F32,
        DType::F16,
        DType::Bf16,
        DType::S64,
        DType::S32,
        DType::S16,
        DType::U16,
        DType::S8,
        DType::U8,
        DType::Bool,
    ];

    /// Bytes of one element, which is also the alignment it needs.
    #[inline]
    pub const fn size(self) -> usize {
        match self {
            DType::F64 | DType::S64 => 8,
            DType::F32 | DType::S32 => 4,
            DType::F16 | DType::Bf16 | DType::S16 | DType::U16 => 2,
            DType::S8 | DType::U8 | DType::Bool => 1,
        }
    }

    /// The name in a layout's text.
    pub const fn name(self) -> &'static str {
        match self {
            DType::F64 => "f64",
            DType::F32 => "f32",
            DType::F16 => "f16",
            DType::Bf16 => "bf16",
            DType::S64 => "s64",
            DType::S32 => "s32",
            DType::S16 => "s16",
            DType::U16 => "u16",
            DType::S8 => "s8",
            DType::U8 => "u8",
            DType::Bool => "bool",
        }
    }

    /// Whether this is one of the four floating-point types.
    #[inline]
    pub const fn is_float(self) -> bool {
        matches!(self, DType::F64 | DType::F32 | DType::F16 | DType::Bf16)
    }
}

/// A Rust type that can hold elements of a tensor, so that slices of it can be passed as buffers.
///
/// `u16` holds `u16`, `f16` and `bf16`; `u8` holds `u8` and `bool`. With feature `half`,
/// `half::f16` and `half::bf16` are elements too. Sealed: no other types can be added.
pub trait Element: bytemuck::Pod + sealed::Sealed {
    /// The element type that it is of itself.
    const DTYPE: DType;

    /// Whether a slice of this type may stand for a buffer of `dtype`.
    fn holds(dtype: DType) -> bool;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! elements {
    ($($(#[$only:meta])* $rust:ty: $own:ident $(| $dtype:ident)*;)+) => {$(
        $(#[$only])*
        impl sealed::Sealed for $rust {}

        $(#[$only])*
        impl Element for $rust {
            const DTYPE: DType = DType::$own;

            #[inline]
            fn holds(dtype: DType) -> bool {
                matches!(dtype, DType::$own $(| DType::$dtype)*)
            }
        }
    )+};
}

elements! {
    f64: F64;
    f32: F32;
    i64: S64;
    i32: S32;
    i16: S16;
    u16: U16 | F16 | Bf16;
    i8: S8;
    u8: U8 | Bool;
    #[cfg(feature = "half")]
    half::f16: F16;
    #[cfg(feature = "half")]
    half::bf16: Bf16;
}
