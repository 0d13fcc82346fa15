//! The search held against the library's own enumeration.

use std::collections::BTreeMap;

use retile::{Cell, known_names};

use super::*;

/// What is found at each address is what `cells` says of it, and nothing else is found.
fn check(layout: &Layout) {
    let memory = Memory::of(layout);
    let mut cells: BTreeMap<usize, Vec<Cell>> = BTreeMap::new();
    for cell in layout.cells() {
        cells.entry(cell.offset).or_default().push(cell);
    }
    let count = |role| cells.values().flatten().filter(|cell| cell.role == role).count();
    let counts = Counts {
        elements: count(Role::Element),
        margins: count(Role::Margin),
        tails: count(Role::Tail),
    };
    assert_eq!(memory.counts, counts, "{layout}");
    let end = layout.size_elements() + 2;
    let spots = match layout.is_empty() {
        true => vec![None; end],
        false => memory.stretch(0..end as i128).unwrap(),
    };
    for (address, spot) in spots.iter().enumerate() {
        let Some(expected) = cells.get(&address) else {
            assert_eq!(*spot, None, "{layout} at {address}");
            continue;
        };
        let spot = spot.unwrap_or_else(|| panic!("nothing found of {layout} at {address}"));
        let seen = |cell: &Cell| (cell.role, cell.coords) == (spot.role, spot.coords);
        assert!(expected.iter().any(seen), "{layout} at {address}: {spot:?}");
        assert_eq!(spot.shared, expected.len() > 1, "{layout} at {address}");
        if spot.role != Role::Tail {
            let offset = layout.offset_of(&spot.coords[..layout.rank()]);
            assert_eq!(offset, Ok(address), "{layout}");
        }
    }
    for from in (0..end).step_by(3).filter(|_| !layout.is_empty()) {
        let next = cells.range(from..).next().map(|cell| *cell.0 as i128);
        assert_eq!(memory.next(from as i128), Ok(next), "{layout} from {from}");
    }
}

#[test]
fn every_name_read_backwards() {
    let extents = [3, 5, 2, 3, 1, 2, 1, 1];
    let mut seen = 0;
    for name in known_names() {
        let family = name.families.split(',').next().unwrap();
        for rank in 1..=8 {
            let dims: Vec<String> = extents[..rank].iter().map(usize::to_string).collect();
            let text = format!("u8:{family}/{}:{}", name.name, dims.join("x"));
            if let Ok(layout) = text.parse() {
                check(&layout);
                seen += 1;
            }
        }
    }
    assert!(seen > 200, "{seen} names tried");
}

#[test]
fn margins_regions_and_flips_read_backwards() {
    for text in [
        "f32:abcd:1x2x3x3:lower=0,0,1,2:upper=0,0,0,1:fill=1:offset=7",
        "f32:aBcd4b:2x5x3x2:lower=0,3,1,0:upper=1,1,0,2",
        "f32:aBcd4b:1x3x2x2:in=2x9x4x5:at=1,5,1,2",
        "f32:aBcd4b:1x3x2x2:in=2x9x4x5:at=0,5,1,2:lower=0,1,0,0:offset=3",
        "f32:ABcd4a2b4b:3x7x1x2:in=9x20x2x2:at=4,13,1,0",
        "u8:bf8_xy16:1x3x3x4:in=2x9x5x7:at=1,6,1,2",
        "u8:bf8_xy16:1x3x3x4:in=2x9x5x7:at=1,6,2,3",
        "u8:digits(abc; a/3 bc/4 a%3 bc%4; flip b):4x3x5:in=5x4x6:at=1,1,1",
        "u8:digits(abc; a/3 bc/4 a%3 bc%4; fix b:5; flip b c):4x3x5",
        "u8:digits(ab; a/4 b a%4; align a:12; fix a:9; flip a):5x3",
        "u8:digits(ab; a/4 b a%4; flip a):5x3:lower=1,0:upper=2,0",
        "u8:digits(abcd; a c | d b; align b:4):1x3x2x5:pitch=32",
        "u8:digits(ab; a/2@-40 b@3 a%2@-20):5x3:offset=100",
        "u8:strides(-7,2):4x3:offset=40",
        "u8:strides(2,1):3x4",
        "u8:strides(0,1):3x4:offset=2",
        "u8:strides(1,1,3):3x4x2",
        "u8:strides(4,1):3x2:in=3x10:at=0,3",
        "u8:strides(9,1):1x1:offset=1000",
        "u8:abc:0x3x4",
        "u8:abc:2x0x4:upper=1,1,1",
    ] {
        check(&text.parse().unwrap());
    }
}
