//! Every name and tag against the tables, which another program made from other sources.

mod common;
mod model;

use common::*;
use model::{Format, tags};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_line_of_the_vectors() {
    let mut failures = Failures::default();
    let mut checked = 0;
    for line in some(VECTORS.lines().filter(|line| !line.starts_with('#')), 500) {
        let [name, dims, coords, offset, total] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not five fields: {line}");
        };
        checked += 1;
        // An independent program: no library call may stop the others from being checked.
        let found = format!("u8:{name}:{dims}").parse::<Layout>().and_then(|l| {
            let at = l.offset_of(&numbers::<isize>(coords, ','))?;
            Ok((at, l.size_elements(), l.size_bytes()))
        });
        let (offset, total) = (offset.parse().unwrap(), total.parse().unwrap());
        match found {
            Ok(found) => failures.check(found == (offset, total, total), || {
                format!("{line}: found (offset, elements, bytes) {found:?}")
            }),
            Err(error) => failures.add(format!("{line}: {error}")),
        }
    }
    // Four for every name and tag of the tables; a new name adds its own.
    assert!(checked >= 4568 || cfg!(miri), "only {checked} lines");
    failures.none(checked);
}

/// Extents that no block divides, all different where that is small enough.
fn odd_dims(rank: usize) -> Vec<usize> {
    match rank {
        0..=4 => [5, 19, 3, 7][..rank].to_vec(),
        5 | 6 => [3, 5, 4, 2, 3, 7][..rank].to_vec(),
        _ => vec![2; rank],
    }
}

#[test]
fn every_tag_is_taken() {
    let mut failures = Failures::default();
    let mut count = 0;
    for row in some(rows(TAGS), 100) {
        let (tag, rank) = (row[0], row[1].parse().unwrap());
        let dims = odd_dims(rank);
        let named = Layout::named(DType::F32, tag, &dims);
        let text = format!("f32:{tag}:{}", join(&dims, "x")).parse::<Layout>();
        match (named, text) {
            (Ok(named), Ok(text)) => failures.check(named == text && text.dims() == dims, || {
                format!("{tag}: {named} by name and {text} by text")
            }),
            (named, text) => failures.add(format!("{tag}: {}, {}", told(&named), told(&text))),
        }
        count += 1;
    }
    assert!(count == 873 || cfg!(miri), "{count} tags");
    failures.none(count);
}

#[test]
fn every_alias_is_its_tag() {
    let mut failures = Failures::default();
    let mut draw = Xorshift::new(798);
    let mut count = 0;
    for row in some(rows(ALIASES), 100) {
        let (alias, tag, rank) = (row[0], row[1], row[2].parse().unwrap());
        let dims: Vec<usize> = (0..rank).map(|_| draw.between(2, 37)).collect();
        let dims = join(dims, "x");
        let of = |format: &str| format!("u8:{format}:{dims}").parse::<Layout>();
        match (of(alias), of(&format!("onednn/{alias}")), of(tag)) {
            (Ok(alias), Ok(with_family), Ok(tag)) => {
                let same = alias == tag && with_family == tag;
                failures.check(same, || format!("{alias}, {with_family} are not {tag}"));
            }
            (a, b, c) => {
                failures.add(format!("{alias}: {}, {}, {}", told(&a), told(&b), told(&c)));
            }
        }
        count += 1;
    }
    assert!(count == 798 || cfg!(miri), "{count} aliases");
    failures.none(count);
}

/// Names of one spelling mean one thing in this table, so that the order in which the families
/// are asked shows only where a name is an alias of oneDNN too.
#[test]
fn every_name_with_and_without_its_family() {
    let mut failures = Failures::default();
    let names = names();
    // Each name of the library but the refused, and no other.
    let known: BTreeSet<(&str, &str)> = names.iter().map(|name| (name.family, name.name)).collect();
    let own = include_str!("../src/layout/names.tsv").lines().map(|line| line.split('\t'));
    let own = own.map(|row| row.collect::<Vec<_>>()).filter(|row| !row[2].starts_with("refused"));
    let own = own.flat_map(|row| row[1].split(',').map(move |family| (family, row[0])));
    let own: BTreeSet<_> = own.filter(|(family, _)| *family != "onednn").collect();
    assert_eq!(known, own);
    let aliases: BTreeMap<&str, &str> = rows(ALIASES).map(|r| (r[0], r[1])).collect();
    let mut first: BTreeMap<&str, &Name> = BTreeMap::new();
    for family in ["cldnn", "openvino", "megengine"] {
        for name in names.iter().filter(|name| name.family == family) {
            first.entry(name.name).or_insert(name);
        }
    }
    for name in some(names.iter(), 50) {
        let rank = name.letters.len();
        let mut dims = odd_dims(rank);
        dims[rank - 1] = 4; // ao32 wants it even
        for fixed in name.format().fixed {
            dims[fixed.0] = 3;
        }
        let of = |format: &str| format!("u8:{format}:{}", join(&dims, "x")).parse::<Layout>();
        let plain = match aliases.get(name.name) {
            Some(tag) => tag.to_string(),
            None => first[name.name].text(),
        };
        match (of(&name.text()), of(name.name), of(&plain)) {
            (Ok(with_family), Ok(without), Ok(plain)) => {
                failures.check(without == plain, || format!("{without} is not {plain}"));
                let same_digits = first[name.name].format().text() == name.format().text();
                failures.check(!same_digits || with_family == without, || {
                    format!("{}: {with_family} is not {without}", name.text())
                });
            }
            (a, b, c) => {
                let found = [told(&a), told(&b), told(&c)];
                failures.add(format!("{}: {}", name.text(), found.join(", ")));
            }
        }
        if let Some(tag) = name.tag {
            let (left, right) = (of(&name.text()), of(tag));
            failures.check(matches!((&left, &right), (Ok(l), Ok(r)) if l == r), || {
                format!("{} is not {tag}: {}, {}", name.text(), told(&left), told(&right))
            });
        }
    }
    failures.none(names.len());
}

#[test]
fn a_name_belongs_to_its_family_alone() {
    for text in [
        "u8:cldnn/nchw:1x2x3x4",
        "u8:onednn/bfyx:1x2x3x4",
        "u8:cldnn/NCHW:1x2x3x4",
        "u8:megengine/bfyx:1x2x3x4",
        "u8:openvino/bf8_xy16:1x2x3x4",
        "u8:cudnn/nchw:1x2x3x4",
    ] {
        assert_eq!(refused(text).kind(), ErrorKind::Invalid, "{text}");
    }
    // Case tells MegEngine's names from oneDNN's aliases; here both mean the same.
    assert_eq!(layout("u8:NHWC:2x3x5x7"), layout("u8:nhwc:2x3x5x7"));
}

/// benchdnn's `x`.
#[test]
fn wildcards() {
    for (tag, dims, full) in [
        ("abx", "3x5x2x7", "abcd"),
        ("axb", "3x5x2x7", "acdb"),
        ("xba", "3x5x2x7", "cdba"),
        ("aBx16b", "3x5x2x7", "aBcd16b"),
        ("ABx16b16a", "3x5x2x7", "ABcd16b16a"),
        ("ABx4b16a4b", "3x5x2x7x3", "ABcde4b16a4b"),
        ("abxc", "3x5x2x7x3", "abdec"),
        ("aBx8b", "3x5x2", "aBc8b"),
        ("aBx8b", "3x5", "aB8b"),
        ("axb", "3x5x2x7x3x2", "acdefb"),
        ("abx", "3x5", "ab"),
        ("abx", "3", "a"),
        ("x", "3", "a"),
    ] {
        let wild = layout(&format!("f32:{tag}:{dims}"));
        assert_eq!(wild, layout(&format!("f32:{full}:{dims}")), "{tag}");
        assert_eq!(wild, layout(&format!("f32:onednn/{tag}:{dims}")), "{tag}");
    }
    let twelve = "2x1x2x1x2x1x2x1x2x1x2x1";
    assert_eq!(layout(&format!("u8:axb:{twelve}")), layout(&format!("u8:acdefghijklb:{twelve}")));
}

/// A tag without `x` is not cut to the rank, as benchdnn would.
#[test]
fn tags_have_a_rank() {
    for text in ["u8:abcd:2x3", "u8:aBcd16b:2x3x4", "u8:nchw:2x3x4x5x6"] {
        assert_eq!(refused(text).kind(), ErrorKind::Invalid, "{text}");
    }
}

#[test]
fn rows_and_columns_by_name() {
    let dims = [3, 5, 2];
    let row = Layout::row_major(DType::S32, &dims).unwrap();
    let col = Layout::col_major(DType::S32, &dims).unwrap();
    assert_eq!(row, layout("s32:abc:3x5x2"));
    assert_eq!(col, layout("s32:cba:3x5x2"));
    assert_eq!(row, Layout::strided(DType::S32, &dims, &[10, 2, 1], 0).unwrap());
    assert_eq!(MAX_RANK, 12);
}

#[test]
fn the_short_form_takes_dims_and_type_from_the_source() {
    let source = layout("f16:nchw:2x20x3x5:offset=7");
    for (short, full) in [
        ("nhwc", "f16:nhwc:2x20x3x5"),
        ("u8:nChw16c", "u8:nChw16c:2x20x3x5"),
        ("b_fs_yx_fsv16:upper=0,0,0,1:fill=2", "f16:b_fs_yx_fsv16:2x20x3x5:upper=0,0,0,1:fill=2"),
        ("strides(300,15,5,1):offset=3", "f16:strides(300,15,5,1):2x20x3x5:offset=3"),
        ("f32:digits(nchw; n c/4 h w c%4)", "f32:digits(nchw; n c/4 h w c%4):2x20x3x5"),
        ("nChw8c:in=2x32x5x6:at=0,8,0,0", "f16:nChw8c:2x20x3x5:in=2x32x5x6:at=0,8,0,0"),
    ] {
        let found = source.destination(short).unwrap_or_else(|e| panic!("{short}: {e}"));
        assert_eq!(found, layout(full), "{short}");
    }
    for short in ["", "nhw", "f32:", "q8:nchw", "nhwc:lower=1"] {
        assert!(source.destination(short).is_err(), "{short}");
    }
    // The full form is read too, so that any text of a layout can stand for a destination.
    assert_eq!(source.destination("nchw:2x20x3x5"), Ok(layout("f16:nchw:2x20x3x5")));
}

/// The model of the other tests against the same vectors: an oracle is believed for a reason.
#[test]
fn the_model_agrees_too() {
    let names: BTreeMap<String, Name> = names().into_iter().map(|n| (n.text(), n)).collect();
    for line in some(VECTORS.lines().filter(|line| !line.starts_with('#')), 500) {
        let fields: Vec<&str> = line.split('\t').collect();
        let format = match fields[0].strip_prefix("onednn/") {
            Some(tag) => Format::tag(tag),
            None => match names.get(fields[0]) {
                Some(name) => name.format(),
                None => panic!("{} has no row in tests/data/names.tsv", fields[0]),
            },
        };
        let window = model::Window::new(&numbers::<usize>(fields[1], 'x'));
        let placed = model::Placed::new(&format, &window);
        let coords = numbers::<isize>(fields[2], ',');
        assert_eq!(placed.offset_of(&coords).to_string(), fields[3], "{line}");
        // Every digit counts once, so the product of the aligned extents is the total, where no
        // pitch is.
        let total: i64 = placed.aligned.iter().product();
        assert_eq!(total.to_string(), fields[4], "{line}");
    }
    assert_eq!(tags::parts("aBcd4b16b"), (vec![0, 1, 2, 3], vec![(4, 1), (16, 1)]));
}
