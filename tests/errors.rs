//! Wrong texts: each is an error that quotes the part at fault and says what was expected.

mod common;

use common::*;

/// The message holds one of the parts in quotes or backticks.
fn quotes(message: &str, parts: &[&str]) -> bool {
    let quoted = |part: &&str| {
        let marks = [('"', '"'), ('\'', '\''), ('`', '`')];
        marks.iter().any(|(l, r)| message.contains(&format!("{l}{part}{r}")))
    };
    parts.iter().any(quoted)
}

/// A text, the parts one of which is quoted, and the words one of which is said.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

#[track_caller]
fn check(cases: &[Case]) {
    let mut failures = Failures::default();
    for (text, parts, words) in some(cases.iter(), 3) {
        let error = match text.parse::<Layout>() {
            Err(error) => error,
            Ok(layout) => {
                failures.add(format!("{text}: taken, as {layout}"));
                continue;
            }
        };
        let message = error.to_string();
        let mut check =
            |holds, what| failures.check(holds, || format!("{text}: {message} ({what})"));
        check(error.kind() == ErrorKind::Invalid, "wrong kind");
        check(quotes(&message, parts), "quotes no part at fault");
        let said = words.iter().any(|word| message.contains(word));
        check(said, "does not say what was expected");
        check(!message.ends_with('.'), "ends with a full stop");
        check(!message.starts_with(char::is_uppercase), "starts with a capital");
    }
    failures.none(cases.len());
}

/// Any of these says what would have been right.
const EXPECTED: &[&str] =
    &["expected", "must", "wants", "needs", "takes", "should", "at least", "not a"];
const TWICE: &[&str] = &["twice", "repeated", "once", "again", "already"];

#[rustfmt::skip]
const NOT_THE_GRAMMAR: &[Case] = &[
    ("", &[""], EXPECTED),
    ("nchw", &["nchw"], EXPECTED),
    ("f32", &["f32"], EXPECTED),
    ("f32:nchw", &["f32:nchw"], EXPECTED),
    ("f32::1x2", &["", "f32::1x2"], &["expected", "must", "name", "format"]),
    ("f33:nchw:1x2x3x4", &["f33"], &["f32"]),
    ("F32:nchw:1x2x3x4", &["F32"], &["f32"]),
    (":nchw:1x2x3x4", &["", ":nchw:1x2x3x4"], &["f32", "expected"]),
    (" f32:nchw:1x2x3x4", &[" f32"], &["f32"]),
    ("f32:nchw:1x2x3x", &["1x2x3x", ""], EXPECTED),
    ("f32:nchw:1x2xx4", &["1x2xx4", ""], EXPECTED),
    ("f32:nchw:1,2,3,4", &["1,2,3,4"], EXPECTED),
    ("f32:nchw:1x2x-3x4", &["-3", "1x2x-3x4"], EXPECTED),
    ("f32:nchw:1x2x3.5x4", &["3.5", "1x2x3.5x4"], EXPECTED),
    ("f32:nchw:1x2x3x4:", &["", "f32:nchw:1x2x3x4:"], &["offset", "expected"]),
    ("f32:nchw:1x2x3x4:offset", &["offset"], EXPECTED),
    ("f32:nchw:1x2x3x4:foo=1", &["foo", "foo=1"], &["offset"]),
    ("f32:nchw:1x2x3x4:ofset=1", &["ofset", "ofset=1"], &["offset"]),
    ("f32:nchw:1x2x3x4:offset=one", &["one", "offset=one"], EXPECTED),
    ("f32:nchw:1x2x3x4:offset=", &["", "offset="], EXPECTED),
    ("f32:nchw:1x2x3x4:fill=red", &["red", "fill=red"], EXPECTED),
    ("f32:nchw:1x2x3x4:fill=1e99", &["1e99"], &["that f32 has"]),
    ("f32:strides(1,2:3x4", &["strides(1,2:3x4"], &["closing parenthesis"]),
    ("f32:digits(ab; a b:3x4", &["digits(ab; a b:3x4"], &["closing parenthesis"]),
    ("f32:nchw:1x2x3x", &["1x2x3x"], &["before and after each x"]),
    ("f32:image_2d_rgba:1x2x3x4:pitch=0", &["0", "pitch=0"], EXPECTED),
    ("f32:image_2d_rgba:1x2x3x4:pitch=-4", &["-4", "pitch=-4"], EXPECTED),
];

#[rustfmt::skip]
const OPTIONS: &[Case] = &[
    ("u8:ab:2x3:offset=1:offset=2", &["offset", "offset=2"], TWICE),
    ("u8:ab:2x3:lower=1,1:upper=1,1:lower=1,1", &["lower", "lower=1,1"], TWICE),
    ("u8:ab:2x3:fill=1:fill=1", &["fill", "fill=1"], TWICE),
    ("u8:ab:2x3:lower=-1,0", &["-1", "-1,0", "lower=-1,0"], EXPECTED),
    ("u8:ab:2x3:upper=0,-2", &["-2", "0,-2", "upper=0,-2"], EXPECTED),
    ("u8:ab:2x3:lower=1", &["1", "lower=1", "lower"], &["2", "expected"]),
    ("u8:ab:2x3:upper=1,2,3", &["1,2,3", "upper=1,2,3", "upper"], &["2", "expected"]),
    ("u8:ab:2x3:lower=1x1", &["1x1", "lower=1x1"], EXPECTED),
    ("u8:ab:2x3:pitch=16", &["pitch", "pitch=16"], &["|", "pitch mark"]),
    ("u8:bf8_xy16:1x2x3x4:pitch=16", &["pitch", "pitch=16"], &["|", "pitch mark"]),
    ("u8:ab:2x3:at=0,0", &["at", "at=0,0"], &["in=", "`in`", "\"in\"", "'in'"]),
    ("u8:ab:2x3:in=4x4:at=0", &["0", "at=0", "at"], &["2", "expected"]),
    ("u8:ab:2x3:in=4:at=0,0", &["4", "in=4", "in"], &["2", "expected"]),
    ("u8:ab:2x3:in=4x4:at=0,2", &["at", "at=0,2", "0,2", "2", "in", "in=4x4", "4x4", "4"], &["4", "5"]),
    ("u8:ab:2x3:upper=0,2:in=2x4:at=0,0", &["at", "in", "in=2x4", "2x4", "4", "upper"], &["4", "5"]),
    ("u8:ab:2x3:in=4x4:at=-1,0", &["-1", "-1,0", "at=-1,0"], EXPECTED),
];

#[rustfmt::skip]
const RANKS: &[Case] = &[
    ("f32:nchw:1x2x3", &["1x2x3", "nchw"], &["4"]),
    ("f32:nChw16c:1x2x3x4x5", &["1x2x3x4x5", "nChw16c"], &["4"]),
    ("f32:b_fs_zyx_fsv16:1x2x3x4", &["1x2x3x4", "b_fs_zyx_fsv16"], &["5"]),
    ("f32:bf:1x2x3x4", &["1x2x3x4", "bf"], &["2"]),
    ("f32:digits(abc; a b c):1x2", &["1x2", "abc", "digits(abc; a b c)"], &["3"]),
    ("f32:strides(1,2,3):1x2", &["1x2", "1,2,3", "strides(1,2,3)"], &["2", "3"]),
    ("f32:abcdefghijklm:1x1x1x1x1x1x1x1x1x1x1x1x1", &["abcdefghijklm", "m", "1x1x1x1x1x1x1x1x1x1x1x1x1"], &["12"]),
    ("f32:strides(1,1,1,1,1,1,1,1,1,1,1,1,1):1x1x1x1x1x1x1x1x1x1x1x1x1",
        &["1x1x1x1x1x1x1x1x1x1x1x1x1", "strides(1,1,1,1,1,1,1,1,1,1,1,1,1)", "1,1,1,1,1,1,1,1,1,1,1,1,1"], &["12"]),
    ("f32:nchw:", &["", "f32:nchw:"], EXPECTED),
    ("f32:strides():", &["", "strides()"], &["1", "expected"]),
];

#[rustfmt::skip]
const FORMATS: &[Case] = &[
    ("f32:strides(1,a):2x3", &["a", "1,a", "strides(1,a)"], EXPECTED),
    ("f32:strides(1,2:2x3", &["strides(1,2", "strides(1,2:2x3", "f32:strides(1,2:2x3", "1,2:2x3", "(1,2:2x3"], &[")"]),
    ("f32:aBcd:1x2x3x4", &["aBcd", "B"], &["block", "lower", "b"]),
    ("f32:abcd16b:1x2x3x4", &["abcd16b", "b", "16b"], &["B", "upper", "capital"]),
    ("f32:abcd16:1x2x3x4", &["abcd16", "16"], &["letter", "dim", "expected"]),
    ("f32:aBcd0b:1x2x3x4", &["aBcd0b", "0b", "0"], &["1", "block", "expected"]),
    ("f32:abda:1x2x3x4", &["abda", "a"], &["a"]),
    ("f32:digits(ab; a/4 b a%8):2x3", &["a", "a%8", "a/4", "a/4 b a%8", "digits(ab; a/4 b a%8)"], EXPECTED),
    ("f32:digits(ab; a/4 b):2x3", &["a", "a/4", "a/4 b", "digits(ab; a/4 b)"], EXPECTED),
    ("f32:digits(ab; a):2x3", &["b", "a", "ab", "digits(ab; a)"], EXPECTED),
    ("f32:digits(ab; a b c):2x3", &["c", "digits(ab; a b c)"], &["a", "letter", "expected"]),
    ("f32:digits(ab; a b a):2x3", &["a", "digits(ab; a b a)"], EXPECTED),
    ("f32:digits(aa; a):2x3", &["a", "aa"], &["a"]),
    ("f32:digits(ab; a b%0):2x3", &["b%0", "0"], EXPECTED),
    ("f32:digits(ab; a b/0):2x3", &["b/0", "0"], EXPECTED),
    ("f32:digits(ab; a b@x):2x3", &["b@x", "x"], EXPECTED),
    ("f32:digits(ab; a b; align c:4):2x3", &["c", "c:4"], &["a", "axis", "expected"]),
    ("f32:digits(ab; a b; align a:0):2x3", &["a:0", "0"], EXPECTED),
    ("f32:digits(ab; a b; fix b:2):2x3", &["b", "b:2", "2", "3", "2x3"], &["2", "3"]),
    ("f32:digits(ab; a b; turn a):2x3", &["turn a", "turn"], &["align"]),
    ("f32:digits(ab; a b; flip c):2x3", &["c", "flip c"], &["a", "letter", "expected"]),
    ("f32:cudnn/nchw:1x2x3x4", &["cudnn", "cudnn/nchw", "cudnn/"], &["onednn"]),
];

#[test]
fn not_the_grammar() {
    check(NOT_THE_GRAMMAR);
}

#[test]
fn options_that_cannot_be() {
    check(OPTIONS);
}

#[test]
fn formats_that_cannot_be() {
    check(FORMATS);
}

#[test]
fn ranks_that_cannot_be() {
    check(RANKS);
    let empty = Layout::row_major(DType::F32, &[]).unwrap_err();
    let message = empty.to_string();
    let words = ["rank", "dim", "extent"];
    assert!(words.iter().any(|word| message.contains(word)), "{message}");
    for error in [
        empty,
        Layout::row_major(DType::F32, &[1; 13]).unwrap_err(),
        Layout::strided(DType::F32, &[], &[], 0).unwrap_err(),
        Layout::strided(DType::F32, &[2, 3], &[1], 0).unwrap_err(),
        Layout::named(DType::F32, "nchw", &[2, 3]).unwrap_err(),
    ] {
        assert_eq!(error.kind(), ErrorKind::Invalid, "{error}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "slips are looked for in all names")]
fn misspelt_names_suggest_the_near_one() {
    for (text, near) in [
        ("f32:nChw16b:1x20x3x4", &["nChw16c"][..]),
        ("f32:nhcw:1x20x3x4", &["nchw", "nhwc"]),
        ("f32:nchv:1x20x3x4", &["nchw"]),
        ("f32:Nchw:1x20x3x4", &["nchw"]),
        ("f32:b_fs_yx_fsv61:1x20x3x4", &["b_fs_yx_fsv16"]),
        ("f32:bfs_yx_fsv16:1x20x3x4", &["b_fs_yx_fsv16"]),
        ("f32:bf8_yx16:1x20x3x4", &["bf8_xy16"]),
        ("f32:os_iyx_osv_16:1x20x3x4", &["os_iyx_osv16"]),
        ("f32:image_2d_rbga:1x3x3x4", &["image_2d_rgba"]),
        ("f32:NHWC4D:1x20x3x4", &["NHWCD4"]),
        ("f32:megengine/CHWN8:1x20x3x4", &["CHWN4"]),
        ("f32:OIhw16o16i_:1x20x3x4", &["OIhw16o16i"]),
        // What another family has.
        ("f32:cldnn/nchw:1x3x4x4", &["; did you mean `onednn/nchw`?"]),
        ("f32:megengine/aBcd16b:1x3x4x4", &["; did you mean `onednn/aBcd16b`?"]),
        ("f32:onednn/b_fs_yx_fsv16:1x3x4x4", &["; did you mean `openvino/b_fs_yx_fsv16`?"]),
    ] {
        let error = refused(text);
        let message = error.to_string();
        let name = text.split(':').nth(1).unwrap();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{text}: {message}");
        let bare = name.split('/').next_back().unwrap();
        assert!(quotes(&message, &[name, bare]), "{text}: {message}");
        assert!(near.iter().any(|near| message.contains(near)), "{text}: {message}");
    }
}

#[test]
fn where_a_buffer_lies_is_said() {
    let (src, dst): (Layout, Layout) = ("f32:a:3".parse().unwrap(), "u8:a:3".parse().unwrap());
    let reorder = retile::Reorder::new(&src, &dst).unwrap();
    let bytes = [0u64; 3].map(u64::to_ne_bytes).concat();
    let at = bytes.as_ptr().align_offset(4) + 1;
    let source = &bytes[at..][..12];
    let error = reorder.run_bytes(source, &mut [0; 3], &retile::Values::default()).unwrap_err();
    let expected = format!("the source is at {:p}, f32 needs a multiple of 4", source.as_ptr());
    assert_eq!((error.kind(), error.to_string()), (ErrorKind::Buffer, expected));
}

/// Of a long text the message has the beginning, the error all of it.
#[test]
fn long_texts_are_not_said_whole() {
    let long = "é".repeat(1 << 20);
    let error = format!("f32:{long}:2x3").parse::<retile::Layout>().unwrap_err();
    let message = error.to_string();
    assert!(message.len() < 1000 && message.contains("éé... (2097152 bytes)"), "{message}");
    assert!(matches!(&error, retile::Error::Text { part, .. } if *part == long), "{message}");
    // Nor where they stand around the part at fault.
    for text in [
        format!("f32:digits({}; a):2", "a".repeat(5000)),
        format!("f32:digits(a; a; flip {}b):2", "a ".repeat(5000)),
        format!("f32:digits(a; a; align {}b:1):2", "a:1 ".repeat(5000)),
        format!("f32:a:2:lower=-{}1", "0".repeat(5000)),
        format!("f32:a:{}-1", "1x".repeat(20_000)),
        format!("f32:a:{}9{}", "1x".repeat(20_000), "9".repeat(30)),
        format!("f32:{}(:2", "a".repeat(5000)),
    ] {
        assert!(refused(&text).to_string().len() < 1000, "{text}");
    }
}

/// Well formed, and not provided: the reason names what was asked for.
#[test]
fn what_is_not_provided() {
    for (text, part) in [
        ("f32:any:1x2x3x4", "any"),
        ("f32:undef:1x2x3x4", "undef"),
        ("f32:format_num:1x2x3x4", "format_num"),
        ("f32:onednn/any:1x2x3x4", "any"),
        ("f32:cldnn/any:1x2x3x4", "any"),
        ("u8:nv12:1x3x4x4", "nv12"),
        ("u8:openvino/nv12:1x3x4x4", "nv12"),
        ("f32:bf_lyx_yx:1x2x3x4", "bf_lyx_yx"),
        ("s4:nchw:1x2x3x4", "s4"),
        ("u4:nchw:1x2x3x4", "u4"),
        ("bin:b_fs_yx_32fp:1x2x3x4", "bin"),
        ("u8:iy_xs_os_xsv2_osv16__ao32:20x2x3x3", "iy_xs_os_xsv2_osv16__ao32"),
        ("u8:openvino/giy_xs_os_xsv2_osv8__ao32:2x20x2x3x1", "giy_xs_os_xsv2_osv8__ao32"),
    ] {
        let error = refused(text);
        let message = error.to_string();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{text}: {message}");
        let name = text.split(':').nth(1).unwrap();
        assert!(quotes(&message, &[part, name]), "{text}: {message}");
        assert!(message.len() > part.len() + 12, "{text}: no reason in {message}");
    }
    // Their names alone are no hindrance: offsets in elements.
    for text in [
        "u8:b_fs_yx_32fp:1x2x3x4",
        "s8:os_is_yx_osv32_isv32p:2x3x2x2",
        "u8:os_is_yx_osv64_isv2:2x3x2x2",
        "f32:winograd_2x3_s1_data:1x2x3x4",
    ] {
        layout(text);
    }
}

#[test]
fn the_least_offset_is_named() {
    for (text, least) in [
        ("u8:strides(-1):5", "-4"),
        ("u8:strides(-30,1):7x29:offset=100", "-80"),
        ("u8:strides(-30,-1):7x29:offset=207", "-1"),
        ("u8:digits(ab; a@-20 b):3x5:offset=7", "-33"),
        ("u8:ab:3x5:offset=-1", "-1"),
    ] {
        let error = refused(text);
        let message = error.to_string();
        assert_eq!(error.kind(), ErrorKind::Invalid, "{text}: {message}");
        let numbers = message.split(|c: char| !c.is_ascii_digit() && c != '-');
        assert!(numbers.into_iter().any(|number| number == least), "{text}: {message}");
    }
    let error = Layout::strided(DType::F32, &[3, 5], &[5, -1], 2).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(error.to_string().contains("-2"), "{error}");
    // Just enough is enough, and a negative offset is no fault where no place is below 0.
    layout("u8:strides(-30,-1):7x29:offset=208");
}

#[test]
fn descriptors_that_cannot_be() {
    let good = Blocking {
        dims: &[2, 17],
        padded_dims: &[2, 32],
        strides: &[32, 16],
        inner_sizes: &[16],
        inner_dims: &[1],
        offset: 0,
    };
    assert_eq!(Layout::blocked(DType::U8, &good).unwrap(), layout("u8:aB16b:2x17"));
    for (what, bad) in [
        ("no multiple of the block", Blocking { padded_dims: &[2, 24], ..good }),
        ("less than the dims", Blocking { padded_dims: &[2, 16], ..good }),
        ("a stride too few", Blocking { strides: &[32], ..good }),
        ("a padded dim too few", Blocking { padded_dims: &[2], ..good }),
        ("an inner dim too few", Blocking { inner_dims: &[], ..good }),
        ("no such dim", Blocking { inner_dims: &[2], ..good }),
        ("a block of 0", Blocking { inner_sizes: &[0], ..good }),
        ("below 0", Blocking { offset: -1, ..good }),
    ] {
        match Layout::blocked(DType::U8, &bad) {
            Err(error) => assert_eq!(error.kind(), ErrorKind::Invalid, "{what}: {error}"),
            Ok(layout) => panic!("{what}: {layout}"),
        }
    }
}

#[test]
fn what_is_too_large_is_named() {
    for (text, named) in [
        ("u8:a:18446744073709551615", "18446744073709551615 elements of dim a"),
        ("u8:ab:1x1:in=2x18446744073709551615:at=0,0", "with 18446744073709551615 elements"),
        ("f32:nchw:4294967296x4294967296x1x1", "f32 4294967296x4294967296x1x1"),
        ("f32:ab:2x3:offset=9223372036854775807", "2x3 from offset 9223372036854775807"),
        (
            "f32:strides(9223372036854775807,1):3x5",
            "f32 3x5, with steps of 9223372036854775807 along dim a",
        ),
        ("f32:nChw8c:2x3x461168601842738790x1", "padded to 2x8x461168601842738790x1"),
        // The last offset is the last that an i128 can say.
        (
            "s8:strides(9223372036854775807,9223372036854775807,9223372036854775807,9223372036854775807,\
             4294967297,-1):1x1x1x1x1x64:in=4611686018427387906x4611686018427387906x4611686018427387906x\
             4611686018427387906x4294967299x64:at=4611686018427387904,4611686018427387904,\
             4611686018427387904,4611686018427387904,4294967295,0",
            "the last byte of s8 1x1x1x1x1x64",
        ),
        ("u8:ab:2x3:lower=9223372036854775807,1", "margins of 9223372036854775807 and 0"),
        ("f32:ab:0x9223372036854775807", "0x9223372036854775807, 0 counted as 1"),
    ] {
        let error = refused(text);
        assert_eq!(error.kind(), ErrorKind::Invalid, "{text}: {error}");
        assert!(error.to_string().contains(named), "{text}: {error}");
    }
    let (most, one) = (&[usize::MAX], &[1]);
    let blocks = Blocking {
        dims: one,
        padded_dims: &[16],
        strides: &[16],
        inner_sizes: most,
        inner_dims: &[0],
        offset: 0,
    };
    let error = Layout::blocked(DType::U8, &blocks).unwrap_err().to_string();
    assert!(error.starts_with("inner blocks of [18446744073709551615]"), "{error}");
}

/// Whatever is cut out of a good text or put into it, the answer is a layout or an error.
#[test]
fn damaged_texts_do_not_panic() {
    let texts = [
        "f32:nChw16c:1x20x5x6:in=1x64x9x9:at=0,17,2,1",
        "u8:digits(abcd; a b/3@400 | cd%4/2 cd%2; align cd:8; fix a:4; flip b d):2x7x5x4:pitch=3",
        "s8:strides(217,-1,7):1x7x31:offset=30:lower=0,1,0:upper=1,0,0:fill=-1.5",
    ];
    let mut draw = Xorshift::new(11);
    for _ in some(0..20_000, 2000) {
        let mut text = draw.pick(&texts).to_string().into_bytes();
        for _ in 0..draw.between(1, 3) {
            let at = draw.below(text.len());
            match draw.below(4) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, draw.pick(b"x:,;()/%@|-09=aZ \xff")),
                2 => text.truncate(at.max(1)),
                _ => text[at] = draw.pick(b"x:,;()/%@|-09=aZ \xff"),
            }
            if text.is_empty() {
                text.push(b':');
            }
        }
        let text = String::from_utf8_lossy(&text);
        if let Ok(l) = text.parse::<Layout>() {
            assert_eq!(layout(&l.to_string()), l, "{text}");
        }
    }
}

/// Targets are plain data, and what is written over is looked at.
#[test]
fn targets_that_cannot_be() {
    let src: Layout = "f32:ab:8x8".parse().unwrap();
    let dst = src.destination("ba").unwrap();
    for (wrong, told) in [
        (
            (|target| target.ports.wide.load = 0) as fn(&mut retile::Target),
            "[24, 24, 12, 0, 24, 4] parts",
        ),
        (|target| target.ports.issue = 2000, "2000]"),
        (|target| target.ports.narrow.store = 241, "expected 1 to 240"),
        (|target| target.memory.l2_rate = 0, "[128, 0, 8] bytes a cycle"),
        (|target| target.line = 48, "48 bytes"),
        (|target| target.line = 0, "0 bytes"),
    ] {
        let mut target: retile::Target = "spr".parse().unwrap();
        wrong(&mut target);
        let options = retile::Options::new().target(target);
        let attr = retile::Attr::new();
        let error = retile::Kernel::with_options(&src, &dst, &attr, &options).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
    }
}
