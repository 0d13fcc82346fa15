//! Where a tensor's memory comes from, and what it holds at first.

use crate::support::{layout, refused};
use retile::{Element, ErrorKind, Role, Tensor};

#[test]
fn fresh_memory_is_aligned_and_zero() {
    for text in [
        "u8:a:1",
        "bool:a:3",
        "f64:ab:3x5:offset=1",
        "f16:aB8b:3x5:lower=1,1:fill=7",
        "s32:image_2d_rgba:1x3x2x5:pitch=32",
        if cfg!(miri) { "f32:nChw16c:1x3x2x2" } else { "f32:nChw16c:2x33x9x9" },
        "s64:strides(-9,2):2x3:offset=11",
    ] {
        let layout = layout(text);
        let bytes = layout.size_bytes();
        let check = |address: usize, len: usize| {
            assert_eq!(address % 64, 0, "{text}");
            assert_eq!(len, bytes, "{text}");
        };
        macro_rules! check {
            ($($rust:ty),+) => {$(
                if <$rust>::holds(layout.dtype()) {
                    let tensor = Tensor::zeroed(layout.clone()).unwrap();
                    let elements = tensor.read::<$rust>().unwrap();
                    check(elements.as_ptr() as usize, size_of_val(&elements[..]));
                    assert!(elements.iter().all(|x| bytemuck::bytes_of(x).iter().all(|&b| b == 0)));
                }
            )+};
        }
        check!(f64, f32, i64, i32, u16, u8);
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri stops where a system refuses")]
fn memory_that_the_system_refuses() {
    let huge = layout("u8:a:4611686018427387904");
    refused(Tensor::zeroed(huge.clone()), ErrorKind::Memory);
    refused(Tensor::filled(huge, 1.0), ErrorKind::Memory);
}

/// The same rule for tensors as for kernels.
#[test]
fn no_elements_may_lie_anywhere() {
    let mut bytes = [0u8; 17];
    let start = usize::from(bytes.as_ptr().addr().is_multiple_of(2));
    let odd = &mut bytes[start..];
    assert!(Tensor::attach_bytes(layout("f64:ab:0x5"), odd).unwrap().read::<f64>().is_ok());
    let tensor = Tensor::attach(layout("u8:a:0"), &mut odd[..]).unwrap();
    assert!(tensor.view(layout("f64:a:0")).unwrap().read::<f64>().unwrap().is_empty());
    assert!(tensor.view(layout("f64:a:0")).unwrap().write::<f64>().unwrap().is_empty());
    drop(tensor);
    let message = refused(Tensor::attach_bytes(layout("f64:a:1"), odd), ErrorKind::Buffer);
    assert!(message.to_string().contains("f64 needs a multiple of 8"), "{message}");
}

/// For those who know the element type at run time alone.
#[test]
fn tensors_of_bytes() {
    let mut elements = [1u32, 2, 3];
    let written =
        Tensor::attach(layout("s32:a:3"), bytemuck::cast_slice_mut::<u32, i32>(&mut elements))
            .unwrap();
    written.write_bytes().unwrap()[4] = 7;
    assert_eq!(written.read::<i32>().unwrap()[..], [1, 7, 3]);
    assert_eq!(written.read_bytes().unwrap().len(), 12);
    drop(written);

    let bytes = bytemuck::cast_slice::<u32, u8>(&elements);
    let kept = Tensor::attach_bytes_ref(layout("s32:a:2"), bytes).unwrap();
    assert_eq!(kept.read_bytes().unwrap()[..], bytes[..8]);
    refused(kept.write_bytes(), ErrorKind::Buffer);
    refused(Tensor::attach_bytes_ref(layout("s32:a:1"), &bytes[1..]), ErrorKind::Buffer);
    refused(Tensor::attach_bytes_ref(layout("s32:a:4"), bytes), ErrorKind::Buffer);
    refused(Tensor::zeroed(layout("u8:strides(0):3")).unwrap().write_bytes(), ErrorKind::Invalid);
}

#[test]
fn filled_memory() {
    let tensor = Tensor::filled(layout("s8:A8a:3:lower=1:upper=1:fill=-9.9"), 2.7).unwrap();
    assert_eq!(tensor.read::<i8>().unwrap()[..], [-9, 2, 2, 2, -9, 0, 0, 0]);
    let tensor = Tensor::filled(layout("u8:a:2"), -2.7).unwrap();
    assert_eq!(tensor.read::<u8>().unwrap()[..], [0, 0]);
    let tensor = Tensor::filled(layout("f16:a:2:upper=1"), 65520.0).unwrap();
    assert_eq!(tensor.read::<u16>().unwrap()[..], [0x7c00, 0x7c00, 0]);
    let tensor = Tensor::filled(layout("f64:a:1"), 0.1).unwrap();
    assert_eq!(tensor.read::<f64>().unwrap()[..], [f64::from(0.1f32)]);

    let format = layout("s32:ABcd3a4b:4x5x2x2:lower=0,1,0,1:upper=1,0,2,0:fill=6");
    let tensor = Tensor::filled(format.clone(), 4.0).unwrap();
    let elements = tensor.read::<i32>().unwrap();
    for cell in format.cells() {
        let expected = match cell.role {
            Role::Element => 4,
            Role::Margin => 6,
            _ => 0,
        };
        assert_eq!(elements[cell.offset], expected, "{cell:?}");
    }
}

#[test]
fn attached_memory_is_checked() {
    let format = layout("f32:aB4b:2x3:offset=1");
    assert_eq!(format.size_elements(), 9);
    let mut memory = [0.0f32; 12];
    refused(Tensor::attach(format.clone(), &mut memory[..8]), ErrorKind::Buffer);
    refused(Tensor::attach_ref(format.clone(), &memory[..8]), ErrorKind::Buffer);
    assert!(Tensor::attach(format.clone(), &mut memory[..9]).is_ok());
    assert!(Tensor::attach(format.clone(), &mut memory[..]).is_ok());
    // Other types, of the same width and of another.
    assert!(Tensor::attach(format.clone(), &mut [0i32; 9]).is_err());
    assert!(Tensor::attach(format.clone(), &mut [0u8; 36]).is_err());
    assert!(Tensor::attach_ref(format.clone(), &[0f64; 9]).is_err());

    let size = format.size_bytes();
    let mut bytes = [0u64; 6];
    let bytes = bytemuck::cast_slice_mut::<u64, u8>(&mut bytes);
    for shift in 0..8 {
        let found = Tensor::attach_bytes(format.clone(), &mut bytes[shift..][..size]);
        if shift % 4 == 0 {
            assert!(found.is_ok(), "{shift}");
        } else {
            refused(found, ErrorKind::Buffer);
        }
    }
    refused(Tensor::attach_bytes(format, &mut bytes[..size - 1]), ErrorKind::Buffer);
    let format = layout("s8:a:3");
    assert!(Tensor::attach_bytes(format, &mut bytes[1..4]).is_ok());
}

#[test]
fn attached_memory_is_the_callers() {
    let mut memory = [1, 2, 3, 4, 5, 6];
    {
        let tensor = Tensor::attach(layout("s32:ba:2x3"), &mut memory).unwrap();
        assert_eq!(tensor.to_logical::<i32>().unwrap(), [1, 3, 5, 2, 4, 6]);
        tensor.write::<i32>().unwrap()[4] = -5;
        let other = tensor.clone();
        drop(tensor);
        other.write::<i32>().unwrap()[0] = -1;
    }
    assert_eq!(memory, [-1, 2, 3, 4, -5, 6]);

    let tensor = Tensor::attach_ref(layout("s32:ba:2x3"), &memory).unwrap();
    refused(tensor.write::<i32>(), ErrorKind::Buffer);
    refused(tensor.clone().write::<i32>(), ErrorKind::Buffer);
    assert_eq!(tensor.read::<i32>().unwrap()[..], memory);
    let view = tensor.view(layout("s32:a:3")).unwrap();
    refused(view.write::<i32>(), ErrorKind::Buffer);
}
