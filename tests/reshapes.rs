//! Reshapes, all of them up to a count of elements: a layout of other dims has the same elements at the same places and
//! owns the same cells, or there is none.

mod common;

use common::*;
use retile::{Layout, Result};

/// All extents of so many dims and elements.
fn shapes(elements: usize, rank: usize) -> Vec<Vec<usize>> {
    if rank == 0 {
        return if elements == 1 { vec![vec![]] } else { vec![] };
    }
    let outer = (1..=elements).filter(|n| elements.is_multiple_of(*n));
    outer
        .flat_map(|n| {
            let rest = shapes(elements / n, rank - 1).into_iter();
            rest.map(move |rest| [vec![n], rest].concat())
        })
        .collect()
}

fn text(format: &str, dims: &[usize]) -> String {
    let dims: Vec<String> = dims.iter().map(usize::to_string).collect();
    format!("u8:{format}:{}", dims.join("x"))
}

fn cells(layout: &Layout) -> Vec<usize> {
    let mut cells: Vec<usize> = layout.cells().map(|cell| cell.offset).collect();
    cells.sort_unstable();
    cells
}

/// Whether one stride for each of the dims `to` says where the layout's elements are.
fn says(layout: &Layout, to: &[usize]) -> bool {
    let offsets: Vec<isize> = layout.offsets().map(|offset| offset as isize).collect();
    let mut weight = 1;
    let steps: Vec<(usize, isize)> = (to.iter().rev())
        .map(|&n| {
            let stride = if n > 1 { offsets[weight] - offsets[0] } else { 0 };
            weight *= n;
            (n, stride)
        })
        .collect();
    offsets.iter().enumerate().all(|(mut index, &offset)| {
        let place = steps.iter().fold(offsets[0], |place, &(n, stride)| {
            let i = index % n;
            index /= n;
            place + i as isize * stride
        });
        place == offset
    })
}

/// How many layouts could be reshaped, of as many.
fn all_reshapes(format: &str, rank: usize, most: usize) -> (usize, usize) {
    let (mut done, mut all) = (0, 0);
    for elements in 1..=most {
        for dims in shapes(elements, rank) {
            let Ok(parent) = text(format, &dims).parse::<Layout>() else { continue };
            for to in (1..=4).flat_map(|rank| shapes(elements, rank)) {
                all += 1;
                let view = match parent.reshape(&to) {
                    Ok(view) => view,
                    Err(error) => {
                        let by_strides =
                            parent.elements() == cells(&parent).len() && says(&parent, &to);
                        assert!(!by_strides, "{error}");
                        continue;
                    }
                };
                done += 1;
                let what = format!("{parent} to {to:?}: {view}");
                assert_eq!(view.dims(), to, "{what}");
                assert!(parent.offsets().eq(view.offsets()), "{what}");
                assert_eq!(cells(&parent), cells(&view), "{what}");
                assert_eq!(layout(&view.to_string()), view, "{what}");
            }
        }
    }
    (done, all)
}

#[test]
fn merged_dims() {
    for format in [
        "ab; ab",
        "ab; ba",
        "ab; ab/2 ab%2",
        "ab; ba/2 ba%2",
        "abc; a bc",
        "abc; a cb",
        "abc; b ac",
        "abc; b ca",
        "abc; c ab",
        "abc; c ba",
        "abc; ab c",
        "abc; bc a",
        "abc; ba c",
        "abc; bc/2 a bc%2",
        "abc; cb/2 a cb%2",
        "abc; ac/2 b ac%2",
    ] {
        let rank = format.find(';').unwrap();
        let (done, all) = all_reshapes(&format!("digits({format})"), rank, 12);
        assert!(done > all / 20, "{format}: {done} of {all}");
    }
}

#[test]
fn blocked_and_plain_dims() {
    for format in ["ab", "ba", "abc", "cab", "bca", "Ab2a", "aB4b", "aBc2b", "ABc2a2b", "Abc4a"] {
        let rank = format.chars().filter(|c| "abc".contains(*c)).count().min(3);
        let rank = if format.len() > 2 && !format.contains(['c', 'C']) { 2 } else { rank };
        let (done, all) = all_reshapes(format, rank, 12);
        assert!(done > all / 20, "{format}: {done} of {all}");
    }
}

#[test]
fn as_many_elements_are_wanted() {
    for (to, wanted) in [
        (&[7][..], "6 elements against 7"),
        (&[0], "6 elements against 0"),
        (&[usize::MAX, 2], &format!("6 elements against more than {}", usize::MAX)),
    ] {
        let error = layout("u8:ab:2x3").reshape(to).unwrap_err().to_string();
        assert_eq!(error, format!("[2, 3] cannot be reshaped to {to:?}: {wanted}"));
    }
}

#[test]
fn what_is_lost_or_gained() -> Result<()> {
    for (from, to, expected) in [
        // Dims of extent 1 that are merged with others come and go.
        ("u8:digits(abc; b ac):1x1x2", [1usize, 2].as_slice(), Some("u8:ab:1x2")),
        ("u8:digits(abc; a bc):2x2x1", &[4, 1], Some("u8:ab:4x1")),
        ("u8:digits(abc; a cb):1x2x1", &[2, 1], Some("u8:digits(ab; ba):2x1")),
        // A merged dim can be split where it stands.
        ("u8:digits(abc; b ac):4x3x5", &[2, 2, 3, 5], Some("u8:digits(abcd; c abd):2x2x3x5")),
        ("u8:digits(abc; b ac):4x3x5", &[12, 5], None),
        // Padding behind the last element of what is joined, and none between elements.
        ("u8:aBc16b:2x1x5", &[2, 5], None),
        ("u8:aBc16b:2x1x5:offset=3", &[2, 1, 1, 5], Some("u8:aBdc16b:2x1x1x5:offset=3")),
        ("u8:digits(ab; a/4 a%4 b; align a:4):3x5", &[15], Some("u8:digits(a; a; align a:20):15")),
        ("u8:aBc16b:2x1x5", &[10], None),
        ("u8:Ab4a:6x3", &[18], None),
        ("u8:Ab4a:6x3", &[1, 18], None),
        ("u8:aB4b:2x6", &[12], None),
        ("u8:aB4b:1x1", &[1], None),
        ("u8:aB4b:1x1", &[1, 1, 1], Some("u8:aB4b:1x1")),
        // Blocks whose digits go on from one another.
        ("u8:abC4c:2x3x8", &[2, 24], Some("u8:ab:2x24")),
        ("u8:abC4c:2x3x8", &[6, 2, 4], Some("u8:abc:6x2x4")),
        ("u8:aBc4b:2x8x3", &[2, 2, 4, 3], Some("u8:abdc:2x2x4x3")),
        ("u8:aBc4b:2x8x3", &[2, 2, 12], None),
        ("u8:aBc4b:2x8x3", &[2, 4, 2, 3], Some("u8:digits(abcd; a b/2 d b%2 c):2x4x2x3")),
        // Parts of a parent that are cut along its blocks, and reversed dims.
        ("u8:ab:10x32:in=10x64:at=0,16", &[10, 4, 8], Some("u8:strides(64,8,1):10x4x8:offset=16")),
        ("u8:ab:4x64:in=10x64:at=2,0", &[256], Some("u8:a:256:offset=128")),
        ("u8:ab:4x60:in=10x64:at=2,0", &[240], None),
        ("u8:aB4b:2x8:in=2x20:at=0,4", &[2, 4, 2], Some("u8:strides(20,2,1):2x4x2:offset=4")),
        ("u8:aB4b:2x2:in=2x20:at=0,5", &[2, 2, 1], Some("u8:strides(20,1,1):2x2x1:offset=5")),
        ("u8:aB4b:2x6:in=2x20:at=0,4", &[2, 3, 2], None),
        ("u8:aB4b:2x4:in=2x20:at=0,2", &[2, 2, 2], None),
        ("u8:digits(abc; a b/2 b%2 c; flip b):2x6x5", &[2, 30], None),
        (
            "u8:digits(abc; a b/2 b%2 c; flip b):2x6x5",
            &[2, 3, 2, 5],
            Some("u8:digits(abcd; a b c d; flip b c):2x3x2x5"),
        ),
        ("u8:strides(-12,-1):3x12:offset=35", &[36], Some("u8:strides(-1):36:offset=35")),
        ("u8:ba:2x3", &[6], None),
        ("u8:ab:2x6:lower=0,1", &[2, 3, 2], None),
        ("u8:ab:2x6:lower=0,1", &[1, 2, 6], Some("u8:abc:1x2x6:lower=0,0,1")),
        ("u8:digits(ab; ab; fix b:8):2x6", &[2, 3, 2], None),
        (
            "u8:digits(abc; c ab; flip a):2x4x3",
            &[2, 2, 2, 3],
            Some("u8:digits(abcd; d abc; flip a):2x2x2x3"),
        ),
    ] {
        match (layout(from).reshape(to), expected) {
            (Ok(view), Some(expected)) => {
                let expected = layout(expected);
                assert!(view.offsets().eq(expected.offsets()), "{from}: {view}");
                assert_eq!(cells(&view), cells(&expected), "{from}: {view}");
            }
            (Err(error), None) => {
                assert!(error.to_string().contains("cannot be reshaped"), "{error}")
            }
            (found, _) => panic!("{from} to {to:?}: {found:?}, expected {expected:?}"),
        }
    }
    Ok(())
}
