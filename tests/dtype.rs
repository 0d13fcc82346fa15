//! Element types: names both ways, what is said about other names, and which Rust types hold them.

use retile::{DType, Element, ErrorKind};

#[test]
fn names_are_inverses() {
    for dtype in DType::ALL {
        assert_eq!(dtype.to_string(), dtype.name());
        assert_eq!(dtype.name().parse(), Ok(dtype));
    }
    assert_eq!(format!("[{:5}]", DType::F16), "[f16  ]");
}

#[test]
fn unknown_names_are_quoted() {
    let message = "f33".parse::<DType>().unwrap_err().to_string();
    assert_eq!(
        message,
        "expected an element type (f64, f32, f16, bf16, s64, s32, s16, u16, s8, u8 or bool), \
         found `f33`"
    );
}

#[test]
fn foreign_names_are_translated() {
    #[rustfmt::skip]
    let rows = [
        ("i8", "s8"), ("i32", "s32"), ("i64", "s64"), ("int8", "s8"), ("int16", "s16"),
        ("int32", "s32"), ("int64", "s64"), ("uint8", "u8"), ("uint16", "u16"),
        ("fp16", "f16"), ("half", "f16"), ("float16", "f16"), ("bfloat16", "bf16"),
        ("float", "f32"), ("float32", "f32"), ("double", "f64"), ("float64", "f64"),
        ("boolean", "bool"), ("F32", "f32"), ("BF16", "bf16"), (" u8", "u8"),
    ];
    for (found, ours) in rows {
        let error = found.parse::<DType>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Invalid);
        let message = error.to_string();
        assert!(message.starts_with("expected an element type"), "{message}");
        assert!(
            message.ends_with(&format!("found `{found}`; did you mean `{ours}`?")),
            "{message}"
        );
    }
}

#[test]
fn unsupported_names_come_with_the_reason() {
    let small = "its elements are smaller than a byte";
    let other = "not a type this library converts";
    #[rustfmt::skip]
    let rows = [
        ("bin", small), ("u1", small), ("s4", small), ("u4", small), ("i4", small),
        ("f4_e2m1", small), ("f4_e3m0", small),
        ("f8_e5m2", other), ("f8_e4m3", other), ("e8m0", other), ("u32", other),
        ("complex64", other),
    ];
    for (found, reason) in rows {
        let error = found.parse::<DType>().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        let wanted = format!("element type `{found}` is not supported: {reason} (");
        assert!(error.to_string().starts_with(&wanted), "{error}");
    }
}

/// The names of the types that `T` holds, after seeing that they are as wide as `T`.
fn held<T: Element>() -> Vec<&'static str> {
    let held = DType::ALL.into_iter().filter(|dtype| T::holds(*dtype));
    held.inspect(|dtype| assert_eq!(dtype.size(), size_of::<T>())).map(DType::name).collect()
}

#[test]
fn rust_types_hold_elements() {
    assert_eq!(held::<f64>(), ["f64"]);
    assert_eq!(held::<f32>(), ["f32"]);
    assert_eq!(held::<i64>(), ["s64"]);
    assert_eq!(held::<i32>(), ["s32"]);
    assert_eq!(held::<i16>(), ["s16"]);
    assert_eq!(held::<u16>(), ["f16", "bf16", "u16"]);
    assert_eq!(held::<i8>(), ["s8"]);
    assert_eq!(held::<u8>(), ["u8", "bool"]);
}

#[cfg(feature = "half")]
#[test]
fn half_types_hold_elements() {
    assert_eq!(held::<half::f16>(), ["f16"]);
    assert_eq!(held::<half::bf16>(), ["bf16"]);
}
