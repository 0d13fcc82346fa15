//! The numbers printed in five vendors' documents on memory formats, and examples worked out by hand:
//!
//! - 000: clDNN, GPU plugin memory formats
//! - 001: clDNN, memory management
//! - 002: oneDNN, understanding memory formats
//! - 003: oneDNN, memory formats of its specification
//! - 004: MegEngine, tensor memory layout

mod common;

use common::*;

/// Document 000: `i = 5 => [b=0; f=1; y=0; x=1];`, and for the blocked format the same with
/// `== [b=0; fs=0; y=0; x=0; fsv=2]` behind it.
const DOCUMENT_000: &str = include_str!("data/document_000.txt");

/// Its lines that print f=1 beside fsv=2, which cannot be.
const MISPRINTS: [usize; 6] = [18, 34, 50, 82, 98, 114];

/// The numbers of a line, in its order.
fn printed(line: &str) -> Vec<isize> {
    let parts = line.split(|c: char| !c.is_ascii_digit());
    parts.filter_map(|part| part.parse().ok()).collect()
}

#[test]
fn document_000_planar() {
    let bfyx = layout("f32:bfyx:2x2x2x2");
    let lines: Vec<_> = DOCUMENT_000.lines().filter(|l| !l.contains("fsv")).collect();
    assert_eq!(lines.len(), 16);
    for line in lines {
        let [i, b, f, y, x] = printed(line)[..] else {
            panic!("{line}");
        };
        assert_eq!(offset(&bfyx, &[b, f, y, x]) as isize, i, "{line}");
    }
    assert_eq!(bfyx.size_elements(), 16);
}

#[test]
fn document_000_blocked() {
    let two = layout("f32:b_fs_yx_fsv16:2x2x2x2");
    let full = layout("f32:b_fs_yx_fsv16:2x16x2x2");
    assert_eq!((two.size_elements(), full.size_elements()), (128, 128));
    assert_eq!(two.padded_dims(), [2, 16, 2, 2]);
    let tails: Vec<usize> =
        two.cells().filter(|cell| cell.role == Role::Tail).map(|cell| cell.offset).collect();
    let lines: Vec<_> = DOCUMENT_000.lines().filter(|l| l.contains("fsv")).collect();
    assert_eq!(lines.len(), 32);
    let mut misprints = Vec::new();
    for line in lines {
        let [i, b, f, y, x, b2, fs, y2, x2, fsv] = printed(line)[..] else {
            panic!("{line}");
        };
        assert_eq!((b, y, x), (b2, y2, x2), "{line}");
        let feature = 16 * fs + fsv;
        if f != feature {
            assert_eq!((f, feature), (1, 2), "{line}");
            misprints.push(i as usize);
        }
        assert_eq!(offset(&full, &[b, feature, y, x]) as isize, i, "{line}");
        // The tensor has two features: the other lanes are its zero tail.
        match feature {
            0 | 1 => assert_eq!(offset(&two, &[b, feature, y, x]) as isize, i, "{line}"),
            _ => assert!(tails.contains(&(i as usize)), "{line}"),
        }
    }
    assert_eq!(misprints, MISPRINTS);
}

/// Document 001's structures, in its order b f x y, by name and by number.
#[test]
fn document_001_layouts() {
    let (i8, u8, f16, f32) = (0x01, 0x41, 0x82, 0x84);
    let formats = [
        "yxfb",
        "byxf",
        "bfyx",
        "fyxb",
        "os_iyx_osv16",
        "bs_xs_xsv8_bsv8",
        "bs_xs_xsv8_bsv16",
        "bs_x_bsv16",
        "bf8_xy16",
        "image_2d_weights_c4_fyx_b",
        "image_2d_weights_c1_b_fyx",
    ];
    let size = [2, 20, 4, 3]; // b f x y
    for (code, name) in formats.into_iter().enumerate() {
        if name.starts_with("bs_") {
            continue; // of b and x alone
        }
        for format in [ClDnnFormat::Name(name), ClDnnFormat::Code(code as i32)] {
            let found = Layout::cldnn(&ClDnn {
                data_type: f16,
                format,
                size: &size,
                lower: &[0, 3, 2, 1],
                upper: &[0, 1, 1, 2],
                fill: 0.5,
            });
            let text = format!("f16:cldnn/{name}:2x20x3x4:lower=0,3,1,2:upper=0,1,2,1:fill=0.5");
            assert_eq!(found.unwrap(), layout(&text), "{code} {name}");
        }
    }
    let plain = |data_type, format| {
        Layout::cldnn(&ClDnn {
            data_type,
            format,
            size: &size,
            lower: &[0; 4],
            upper: &[0; 4],
            fill: 0.0,
        })
    };
    for (code, name) in [(i8, "s8"), (u8, "u8"), (f16, "f16"), (f32, "f32")] {
        let found = plain(code, ClDnnFormat::Name("bfyx")).unwrap();
        assert_eq!(found, layout(&format!("{name}:bfyx:2x20x3x4")));
    }
    // `any` asks for a layout, it is none.
    let any = plain(f32, ClDnnFormat::Code(-1)).unwrap_err();
    assert_eq!(any.kind(), ErrorKind::Unsupported);
    assert!(plain(f32, ClDnnFormat::Code(10_000)).is_err());
    assert!(plain(0x86, ClDnnFormat::Name("bfyx")).is_err());
    // As many sizes as no format has, the last not 1.
    let mut many = [1; 33];
    many[32] = 7;
    let format = ClDnnFormat::Name("bfyx");
    let sizes = ClDnn { data_type: f32, format, size: &many, lower: &[], upper: &[], fill: 0.0 };
    assert!(Layout::cldnn(&sizes).unwrap_err().to_string().contains("size 32 is 7"));
}

#[test]
fn document_002_plain() {
    // Two images of 16 channels of 5 x 4; w moves by 1, h by 4, c by 20, n by 320.
    let (n, c, h, w) = (2, 16, 5, 4);
    for (name, strides) in [
        ("nchw", [c * h * w, h * w, w, 1]),
        ("nhwc", [h * w * c, 1, w * c, c]),
        ("chwn", [1, h * w * n, w * n, n]),
    ] {
        let named = layout(&format!("f32:{name}:{n}x{c}x{h}x{w}"));
        let by_strides = Layout::strided(DType::F32, &[2, 16, 5, 4], &strides, 0).unwrap();
        assert_eq!(named.strides().as_deref(), Some(&strides[..]), "{name}");
        assert_eq!(named, by_strides, "{name}");
        for i in some(elements(named.dims()), 41) {
            let [i_n, i_c, i_h, i_w] = i[..] else { panic!() };
            let printed = match name {
                "nchw" => ((i_n * c + i_c) * h + i_h) * w + i_w,
                "nhwc" => ((i_n * h + i_h) * w + i_w) * c + i_c,
                _ => ((i_c * h + i_h) * w + i_w) * n + i_n,
            };
            assert_eq!(offset(&named, &i) as isize, printed, "{name} {i:?}");
        }
        assert_eq!(named.size_bytes(), 4 * 2 * 16 * 5 * 4);
    }
    // A matrix in rows of 8 of which 5 are used.
    let matrix = Layout::strided(DType::F32, &[3, 5], &[8, 1], 0).unwrap();
    assert_eq!(matrix.leading_dimension(), Some(8));
    assert_eq!((offset(&matrix, &[2, 3]), matrix.size_elements()), (19, 21));
    assert!(!matrix.is_dense());
}

#[test]
fn document_002_blocked() {
    let nchw8c = layout("f32:nChw8c:2x17x5x4");
    assert_eq!(nchw8c.padded_dims(), [2, 24, 5, 4]);
    assert_eq!(nchw8c.size_bytes(), 4 * 2 * 24 * 5 * 4);
    assert_eq!(nchw8c.onednn_size_bytes(), Some(4 * 2 * 24 * 5 * 4));
    assert_eq!(nchw8c.strides(), None);
    for i in some(elements(nchw8c.dims()), 41) {
        let [n, c, h, w] = i[..] else { panic!() };
        let printed = ((n * 3 + c / 8) * 5 + h) * 4 * 8 + w * 8 + c % 8;
        assert_eq!(offset(&nchw8c, &i) as isize, printed, "{i:?}");
    }
    let structure = Blocking {
        dims: &[2, 17, 5, 4],
        padded_dims: &[2, 24, 5, 4],
        strides: &[480, 160, 32, 8],
        inner_sizes: &[8],
        inner_dims: &[1],
        offset: 0,
    };
    assert_eq!(Layout::blocked(DType::F32, &structure).unwrap(), nchw8c);
    // A name, and the tag that it stands for.
    for name in ["nChw8c", "aBcd8b"] {
        assert_eq!(layout(&format!("u8:{name}:1x17x2x2")).size_elements(), 96);
    }
}

/// Document 003's matrix of M rows and N columns, as it is and transposed.
#[test]
fn document_003_matrix() {
    for (strides, tag, leading) in [([7, 1], "ab", 7), ([1, 4], "ba", 4)] {
        let matrix = Layout::strided(DType::F32, &[4, 7], &strides, 0).unwrap();
        assert_eq!(matrix, Layout::named(DType::F32, tag, &[4, 7]).unwrap());
        assert_eq!(matrix.leading_dimension(), Some(leading));
        assert!(matrix.is_dense());
    }
    for (strides, leading) in [("10,1", 10), ("1,6", 6)] {
        let matrix = layout(&format!("f32:strides({strides}):4x7"));
        assert_eq!(matrix.leading_dimension(), Some(leading));
        assert!(!matrix.is_dense());
    }
    // Dims of extent 1 have a stride, and no neighbours.
    for (text, leading) in
        [("nhwc:1x1x4x6", 6), ("nchw:1x4x6x1", 6), ("ab:1x5", 5), ("ba:1x5", 1), ("ab:5x1", 1)]
    {
        assert_eq!(layout(&format!("f32:{text}")).leading_dimension(), Some(leading), "{text}");
    }
}

/// The rule on sorted strides: each covers what is inside it; an extent of 1 is free.
#[test]
fn document_003_destinations() {
    for good in [
        "f32:strides(8,1):3x5",
        "f32:strides(1,3):3x5",
        "f32:strides(-8,1):3x5:offset=16",
        "f32:strides(1,1,5):3x1x4",
        "f32:strides(5,0,1):3x1x4",
        "f32:nChw16c:1x20x5x6:in=1x64x9x9:at=0,17,2,1",
        "f32:os_iyx_osv16_rotate_180:20x5x3x3",
    ] {
        let l = layout(good);
        l.check_destination().unwrap_or_else(|e| panic!("{good}: {e}"));
    }
    // The text, and the two dims that overlap, by number or by letter.
    for (bad, dims) in [
        ("f32:strides(1,1):3x4", ["0", "1"]),
        ("f32:strides(6,100,3):4x2x5", ["0", "2"]),
        ("f32:strides(3,2):2x3", ["0", "1"]), // no overlap, but not the rule either
        ("f32:strides(-2,1):3x4:offset=4", ["0", "1"]),
        ("f32:digits(qrs; q/4@4 r@40 s@4 q%4):8x2x3", ["0", "2"]),
    ] {
        let error = layout(bad).check_destination().expect_err(bad);
        assert_eq!(error.kind(), ErrorKind::Invalid, "{bad}: {error}");
        let message = error.to_string();
        let words: Vec<&str> = message.split(|c: char| !c.is_alphanumeric()).collect();
        let said = |dim: &str| {
            let letter = |from: u8| ((from + dim.as_bytes()[0] - b'0') as char).to_string();
            let spellings = [dim.to_string(), letter(b'a'), letter(b'q')];
            spellings.iter().any(|s| words.contains(&s.as_str()))
        };
        assert!(dims.into_iter().all(said), "{bad}: {message} does not name {dims:?}");
    }
    // One place for seven elements.
    assert!(layout("f32:strides(0,1):7x29").check_destination().is_err());
}

#[test]
fn document_004_matrices() {
    let matrix = layout("u8:ab:3x3");
    for (at, i) in elements(&[3, 3]).enumerate() {
        assert_eq!(offset(&matrix, &i), at);
    }
    let columns = Layout::col_major(DType::U8, &[3, 3]).unwrap();
    assert_eq!(offset(&columns, &[2, 0]), 2);
    // [[0, 1, 2, 3, 4], [5, 6, 7, 8, 9]] as int32: strides (20, 4), [1][2] at 1*20 + 2*4.
    let (tensor, before) = Layout::byte_strided(DType::S32, &[2, 5], &[20, 4]).unwrap();
    assert_eq!(before, 0);
    assert_eq!(tensor, layout("s32:ab:2x5"));
    assert_eq!(tensor.size_bytes(), 40);
    assert_eq!(tensor.strides().unwrap().iter().map(|s| s * 4).collect::<Vec<_>>(), [20, 4]);
    assert_eq!(4 * offset(&tensor, &[1, 2]), 28);
    // s_k = itemsize * product of the dims behind k.
    let tensor = layout("f64:abcd:2x3x5x7");
    assert_eq!(tensor.strides().unwrap(), [105, 35, 7, 1]);
}

/// NumPy's pointer sits on element 0, wherever that is.
#[test]
fn document_004_byte_strides() {
    let door = |dims: &[usize], strides: &[isize]| Layout::byte_strided(DType::S32, dims, strides);
    let (flipped, before) = door(&[2, 5], &[20, -4]).unwrap();
    assert_eq!((before, &flipped), (16, &layout("s32:strides(5,-1):2x5:offset=4")));
    assert_eq!(4 * offset(&flipped, &[0, 0]), before);
    let (both, before) = door(&[3, 5], &[-40, -8]).unwrap();
    assert_eq!((before, both.size_bytes()), (112, 116));
    let (row, before) = door(&[7, 29], &[0, 4]).unwrap();
    assert_eq!((before, row), (0, layout("s32:strides(0,1):7x29")));
    assert!(door(&[2, 5], &[20, 3]).is_err());
    assert_eq!(door(&[2, 5], &[20]).unwrap_err().kind(), ErrorKind::Invalid);
}

/// The element numbers that lie at places 0, 1, 2, ..: NCHW's row-major index of each.
fn numbers_in_order(l: &Layout) -> Vec<usize> {
    let mut order = vec![usize::MAX; l.size_elements()];
    for i in elements(l.dims()) {
        order[offset(l, &i)] = linear(&i, l.dims());
    }
    order
}

#[test]
#[cfg_attr(miri, ignore = "long")]
fn document_004_formats() {
    let order = |format: &str| numbers_in_order(&layout(&format!("f32:{format}:2x64x3x3")));
    let nchw = order("NCHW");
    assert!(nchw.iter().copied().eq(0..=1151));
    let channels = |count: usize, from: usize| (0..count).map(move |c| from + 9 * c);
    let starts = |order: &[usize], count: usize| {
        assert!(order[..count].iter().copied().eq(channels(count, 0)));
        assert!(order[count..2 * count].iter().copied().eq(channels(count, 1)));
    };
    let nhwc = order("NHWC");
    starts(&nhwc, 64);
    assert_eq!(nhwc[..2], [0, 9]);
    assert_eq!(nhwc[64..66], [1, 10]);
    assert_eq!(*nhwc.last().unwrap(), 1151);
    // "0000, 0009 until 1143": the first pixel's channels, in the first image and the second.
    assert!(nhwc[576..640].iter().copied().eq(channels(64, 576)));
    assert_eq!(nhwc[639], 1143);
    for (format, width) in [("NCHW4", 4), ("NCHW32", 32), ("NCHW64", 64)] {
        starts(&order(format), width);
    }
    assert_eq!(order("NCHW4")[..8], [0, 9, 18, 27, 1, 10, 19, 28]);
    let chwn4 = order("CHWN4");
    assert_eq!(chwn4[..10], [0, 9, 18, 27, 576, 585, 594, 603, 1, 10]);

    // The same tensors as MegEngine's strides say them, in bytes.
    let strides = |dims: &[usize], bytes: &[isize]| {
        let (l, before) = Layout::byte_strided(DType::F32, dims, bytes).unwrap();
        assert_eq!(before, 0);
        numbers_in_order(&l)
    };
    assert_eq!(strides(&[2, 64, 3, 3], &[2304, 36, 12, 4]), nchw);
    assert_eq!(strides(&[2, 64, 3, 3], &[2304, 4, 768, 256]), nhwc);
    // Blocked ones with the channel as two dims: [N, C/4, 4, H, W].
    let split = [2, 16, 4, 3, 3];
    assert_eq!(strides(&split, &[2304, 144, 4, 48, 16]), order("NCHW4"));
    assert_eq!(strides(&split, &[16, 288, 4, 96, 32]), chwn4);
}

/// Worked out by hand, and what the cases spell: text, coordinate,
/// offset and total.
#[rustfmt::skip]
const EXAMPLES: &[(&str, &[isize], usize, usize)] = &[
    ("os_iyx_osv16:20x5x3x3", &[18, 2, 1, 2], 1090, 1440),
    ("bs_xs_xsv8_bsv8:10x11", &[9, 10], 209, 256),
    ("bs_xs_xsv8_bsv16:18x11", &[17, 10], 417, 512),
    ("bs_x_bsv16:18x11", &[17, 10], 337, 352),
    ("bf8_xy16:2x9x5x5", &[1, 8, 3, 4], 899, 1024),
    ("image_2d_weights_c4_fyx_b:3x2x3x3:pitch=32", &[2, 1, 2, 0], 79, 96),
    ("image_2d_weights_c4_fyx_b:3x2x3x3:pitch=16", &[2, 1, 2, 0], 79, 96),
    ("image_2d_weights_c4_fyx_b:3x2x3x3", &[2, 1, 2, 0], 55, 60),
    ("image_2d_weights_c1_b_fyx:5x2x3x3:pitch=16", &[4, 1, 0, 2], 180, 288),
    ("byxf_af32:2x5x2x3", &[1, 4, 1, 2], 356, 384),
    ("byx8_f4:2x3x2x5", &[1, 2, 1, 4], 114, 128),
    ("fs_bs_yx_bsv4_fsv32:6x40x2x3", &[5, 39, 1, 2], 2983, 3072),
    ("os_is_yx_isa8_osv8_isv4_swizzled_by_4:40x40x1x2", &[37, 39, 0, 1], 5927, 8192),
    ("os_is_yx_osa4_isa8_osv8_isv4_swizzled_by_4:40x40x1x2", &[37, 39, 0, 1], 7463, 8192),
    ("os_is_zyx_osa4_isa8_osv8_isv4_swizzled_by_4:40x40x1x1x2", &[37, 39, 0, 0, 1], 7463, 8192),
    ("is_o32_yx_isv32_swizzled_by_4:40x40x1x2", &[37, 39, 0, 1], 6759, 8192),
    ("os_is_y_x8_osv8_isv4:10x6x2x3", &[9, 5, 1, 2], 1861, 2048),
    ("ABcD8d8a4b:10x6x2x3", &[9, 5, 1, 2], 1861, 2048),
    ("os_is_yx_osv32_isv4_swizzled_by_2:40x6x2x2", &[35, 5, 1, 0], 1861, 2048),
    ("i_yxs_os_yxsv2_osv16:20x2x3x3", &[17, 1, 1, 2], 497, 640),
    ("digits(oiyx; i y x/2 o/16 x%2 o%16; align o:32):20x2x3x3", &[17, 1, 1, 1], 561, 768),
    ("os_iyx_osv32__ai32:40x5x1x2", &[39, 4, 0, 1], 2343, 4096),
    ("gs_oi_yxs_gsv4_yxsv4:6x1x1x3x3", &[5, 0, 0, 2, 1], 71, 96),
    ("os_iyx_osv16_rotate_180:20x5x3x3", &[18, 2, 1, 2], 1058, 1440),
    ("winograd_2x3_s1_fused_weights:16x3x3x4", &[13, 2, 1, 3], 565, 576),
    ("winograd_6x3_s1_fused_weights:32x3x3x8", &[20, 2, 1, 5], 1700, 2304),
    ("image_2d_rgba:1x3x2x5:pitch=32", &[0, 2, 1, 4], 50, 64),
    ("CHWN4:2x64x3x3", &[1, 6, 2, 1], 134, 1152),
    ("NHWCD4I:2x6x3x5:pitch=64", &[1, 5, 2, 3], 353, 384),
    ("b_fs_yx_fsv16:2x20x3x4:lower=0,3,1,2:upper=0,1,2,1", &[1, 15, 2, 3], 2434, 2688),
    ("bfyx:1x2x3x3:lower=0,0,1,2:upper=0,0,0,1", &[0, 1, 2, 1], 45, 48),
    ("strides(-30,1):7x29:offset=180", &[6, 28], 28, 209),
    ("strides(200704,1,3584,64):1x64x56x56:offset=128", &[0, 1, 0, 0], 129, 200832),
    ("digits(abcd; a b/3@400 c d b%3):2x7x5x4", &[1, 6, 4, 3], 2057, 2060),
    ("nChw16c:1x20x5x6:in=1x64x9x9:at=0,17,2,1", &[0, 0, 0, 0], 1601, 3557),
];

#[test]
fn worked_examples() {
    for &(text, coords, at, total) in some(EXAMPLES.iter(), 4) {
        let l = layout(&format!("u8:{text}"));
        let found = (offset(&l, coords), l.size_elements());
        assert_eq!(found, (at, total), "{text}");
    }
}

/// Margins are addressed from -lower to n + upper, and no further.
#[test]
fn coordinates_in_the_margins() {
    let l = layout("u8:bfyx:1x2x3x3:lower=0,0,1,2:upper=0,0,0,1");
    assert_eq!(offset(&l, &[0, 0, -1, -2]), 0);
    assert_eq!(offset(&l, &[0, 1, 2, 3]), 47);
    for outside in
        [[0, 0, -2, 0], [0, 0, 0, -3], [0, 0, 3, 0], [0, 0, 0, 4], [0, 2, 0, 0], [0, -1, 0, 0]]
    {
        assert_eq!(l.offset_of(&outside).unwrap_err().kind(), ErrorKind::Invalid);
    }
    for extreme in [isize::MIN, isize::MAX] {
        assert!(l.offset_of(&[0, 0, extreme, extreme]).is_err());
    }
    assert!(l.offset_of(&[0, 0, 0]).is_err());
}
