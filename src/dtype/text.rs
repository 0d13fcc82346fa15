//! The names of element types as text.
//!
//! In: text. Out: a [`DType`], or an error that quotes the text, suggests our name where
//! the text is another library's, and says why where we have no such type.

use std::fmt;
use std::str::FromStr;

use super::DType;
use crate::{Error, Result};

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // `pad` and not `write_str`, so that tables can give a width.
        f.pad(self.name())
    }
}

impl FromStr for DType {
    type Err = Error;

    fn from_str(text: &str) -> Result<DType> {
        if let Some(dtype) = named(text) {
            return Ok(dtype);
        }
        if let Some(reason) = why_unsupported(&text.to_ascii_lowercase()) {
            return Err(Error::Unsupported(format!(
                "element type `{text}` is not supported: {reason} (expected {})",
                accepted()
            )));
        }
        let expected = format!("an element type ({})", accepted());
        Err(Error::Text {
            part: text.into(),
            expected,
            nearest: suggestion(text).into_iter().collect(),
        })
    }
}

fn named(text: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.name() == text)
}

/// What other libraries call our types. Only suggested and never accepted: a problem has one
/// spelling, so that lines of text can be compared and searched for.
#[rustfmt::skip]
const FOREIGN: &[(&str, DType)] = &[
    ("double", DType::F64), ("float64", DType::F64), ("fp64", DType::F64),
    ("float", DType::F32), ("float32", DType::F32), ("fp32", DType::F32), ("single", DType::F32),
    ("half", DType::F16), ("float16", DType::F16), ("fp16", DType::F16),
    ("bfloat16", DType::Bf16), ("bfloat", DType::Bf16),
    ("i64", DType::S64), ("int64", DType::S64), ("long", DType::S64),
    ("i32", DType::S32), ("int32", DType::S32), ("int", DType::S32),
    ("i16", DType::S16), ("int16", DType::S16), ("short", DType::S16),
    ("uint16", DType::U16), ("ushort", DType::U16),
    ("i8", DType::S8), ("int8", DType::S8),
    ("uint8", DType::U8), ("byte", DType::U8),
    ("boolean", DType::Bool), ("bool8", DType::Bool),
];

/// Our name for another library's.
fn suggestion(found: &str) -> Option<String> {
    let found = found.trim().to_ascii_lowercase();
    let foreign = FOREIGN.iter().find(|(name, _)| *name == found);
    let ours = named(&found).or(foreign.map(|(_, dtype)| *dtype));
    ours.map(|dtype| dtype.name().to_owned())
}

/// `f64, f32, .. or bool`
fn accepted() -> String {
    let names = DType::ALL.map(DType::name);
    let (last, others) = names.split_last().expect("there are element types");
    format!("{} or {last}", others.join(", "))
}

fn why_unsupported(name: &str) -> Option<&'static str> {
    const SMALL: &str = "its elements are smaller than a byte";
    const OTHER: &str = "not a type this library converts";
    let starts = |prefixes: &[&str]| prefixes.iter().any(|prefix| name.starts_with(prefix));
    match name {
        "bin" | "bit" | "u1" | "s1" | "i1" | "b1" | "int1" | "uint1" => Some(SMALL),
        "u2" | "s2" | "i2" | "int2" | "uint2" => Some(SMALL),
        "u4" | "s4" | "i4" | "int4" | "uint4" | "nf4" | "f4" => Some(SMALL),
        "u32" | "uint32" | "u64" | "uint64" | "tf32" | "f8" => Some(OTHER),
        _ if starts(&["f4_", "f4e", "fp4", "float4"]) => Some(SMALL),
        _ if starts(&["f8_", "f8e", "fp8", "float8", "hf8", "bf8", "e8m0"]) => Some(OTHER),
        _ if starts(&["complex"]) => Some(OTHER),
        _ => None,
    }
}
