//! Elements in logical order, of every type.

use crate::support::{Rng, coordinates, inside, layout};
use retile::{DType, Element, Layout, Role, Tensor};

/// Formats of four dims.
const FORMATS: [&str; 23] = [
    "nchw",
    "nhwc",
    "chwn",
    "nChw8c",
    "nChw16c",
    "aBcd12b",
    "ABcd4a3b",
    "OIhw4i16o4i",
    "OIhw2o8i8o2i",
    "Acdb32a",
    "bfyx",
    "byxf_af32",
    "b_fs_yx_fsv4",
    "fs_bs_yx_bsv4_fsv32",
    "bf8_xy16",
    "byx8_f4",
    "os_is_yx_isa8_osv8_isv4_swizzled_by_4",
    "os_iyx_osv16_rotate_180",
    "image_2d_weights_c4_fyx_b",
    "strides(200,-40,2,9):offset=100",
    "nchw:lower=0,1,2,0:upper=1,0,0,3:fill=5",
    "nChw8c:lower=0,3,1,0:upper=0,0,0,1:fill=-1:in=2x9x5x5:at=0,1,0,1",
    "digits(abcd; b/2 ad%4 c ad/4 b%2; align c:3; flip b)",
];

#[test]
fn rust_types_hold_element_types() {
    let holds: [(DType, &[&str]); 11] = [
        (DType::F64, &["f64"]),
        (DType::F32, &["f32"]),
        (DType::F16, &["u16"]),
        (DType::Bf16, &["u16"]),
        (DType::S64, &["i64"]),
        (DType::S32, &["i32"]),
        (DType::S16, &["i16"]),
        (DType::U16, &["u16"]),
        (DType::S8, &["i8"]),
        (DType::U8, &["u8"]),
        (DType::Bool, &["u8"]),
    ];
    for (dtype, names) in holds {
        let tensor = Tensor::zeroed(Layout::row_major(dtype, &[2]).unwrap()).unwrap();
        macro_rules! check {
            ($($rust:ty),+) => {$({
                let expected = names.contains(&stringify!($rust));
                assert_eq!(tensor.read::<$rust>().is_ok(), expected, "{dtype}");
                assert_eq!(tensor.write::<$rust>().is_ok(), expected, "{dtype}");
                assert_eq!(tensor.to_logical::<$rust>().is_ok(), expected, "{dtype}");
                let elements = [<$rust>::default(); 2];
                let made = Tensor::from_logical(tensor.layout().clone(), &elements);
                assert_eq!(made.is_ok(), expected, "{dtype}");
            })+};
        }
        check!(f64, f32, i64, i32, i16, u16, i8, u8);
    }
}

#[test]
fn empty_tensors_have_no_elements() {
    let tensor = Tensor::zeroed(layout("f32:aB8b:2x0:upper=1,1")).unwrap();
    assert_eq!(tensor.read::<f32>().unwrap().len(), 0);
    assert_eq!(tensor.write::<f32>().unwrap().len(), 0);
    assert_eq!(tensor.to_logical::<f32>(), Ok(vec![]));
    let tensor = Tensor::from_logical::<u8>(layout("u8:a:0"), &[]).unwrap();
    assert_eq!(tensor.to_logical::<u8>(), Ok(vec![]));
    let mut none: [f32; 0] = [];
    assert!(Tensor::attach(layout("f32:a:0:offset=9"), &mut none).is_ok());
}

fn round_trip<T: Element + PartialEq + std::fmt::Debug>(dtype: DType) {
    let dims = if cfg!(miri) { [2, 3, 1, 2] } else { [2, 3, 4, 3] };
    let src = Layout::row_major(dtype, &dims).unwrap();
    // Any bits: NaNs come back as they were.
    let bytes = Rng::new(dtype as u64 + 1).bytes(src.size_bytes());
    let elements: Vec<T> =
        (bytes.chunks_exact(dtype.size())).map(bytemuck::pod_read_unaligned).collect();
    // Under Miri another few for each type.
    let (first, step) = if cfg!(miri) { (dtype as usize, FORMATS.len() / 2) } else { (0, 1) };
    for format in FORMATS.into_iter().skip(first).step_by(step) {
        let format = src.destination(format).unwrap_or_else(|e| panic!("{format}: {e}"));
        let tensor = Tensor::from_logical(format.clone(), &elements).unwrap();
        assert_eq!(tensor.layout(), &format);
        let back = tensor.to_logical::<T>().unwrap();
        assert_eq!(bytemuck::cast_slice::<T, u8>(&back), bytes, "{format}");

        let memory = tensor.read::<T>().unwrap();
        assert_eq!(memory.len(), format.size_elements());
        let mut logical = coordinates(&format);
        logical.retain(|at| inside(&format, at));
        for (at, element) in logical.iter().zip(&elements) {
            let found = &memory[format.offset_of(at).unwrap()];
            assert_eq!(bytemuck::bytes_of(found), bytemuck::bytes_of(element), "{format}: {at:?}");
        }
        let fill = Tensor::filled(format.clone(), format.fill()).unwrap();
        let fill = fill.read::<T>().unwrap();
        for cell in format.cells().filter(|cell| cell.role != Role::Element) {
            assert_eq!(memory[cell.offset], fill[cell.offset], "{format}: {cell:?}");
        }
    }
    for wrong in [0, elements.len() - 1, elements.len() + 1] {
        let elements = vec![elements[0]; wrong];
        assert!(Tensor::from_logical(src.clone(), &elements).is_err());
    }
}

#[test]
fn logical_order_and_back() {
    round_trip::<f64>(DType::F64);
    round_trip::<f32>(DType::F32);
    round_trip::<u16>(DType::F16);
    round_trip::<u16>(DType::Bf16);
    round_trip::<i64>(DType::S64);
    round_trip::<i32>(DType::S32);
    round_trip::<i16>(DType::S16);
    round_trip::<u16>(DType::U16);
    round_trip::<i8>(DType::S8);
    round_trip::<u8>(DType::U8);
    round_trip::<u8>(DType::Bool);
}

#[cfg(feature = "half")]
#[test]
fn sixteen_bit_floats_as_themselves() {
    use half::{bf16, f16};
    let format = layout("f16:aB4b:1x2:upper=0,1:fill=0.5");
    let tensor = Tensor::from_logical(format.clone(), &[f16::ONE, f16::NEG_ZERO]).unwrap();
    assert_eq!(tensor.read::<u16>().unwrap()[..], [0x3c00, 0x8000, 0x3800, 0]);
    assert_eq!(tensor.to_logical::<f16>().unwrap()[0], f16::ONE);
    assert!(tensor.read::<bf16>().is_err() && tensor.read::<f32>().is_err());
    let tensor = Tensor::zeroed(layout("bf16:a:1")).unwrap();
    tensor.write::<bf16>().unwrap()[0] = bf16::from_f32(1.5);
    assert_eq!(tensor.to_logical::<u16>().unwrap(), [0x3fc0]);
    assert!(Tensor::from_logical(format, &[bf16::ONE; 2]).is_err());
}
