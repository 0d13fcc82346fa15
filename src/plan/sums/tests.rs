//! Lanes of the same sums.

use super::*;

/// The groups of 64 lanes whose sums are these.
fn groups(sum: impl Fn(usize) -> Option<i32>) -> Option<Lanes> {
    let lanes: Lanes = (0..64).map(sum).collect();
    let none = lanes.iter().map(|lane| lane.map(|_| 0)).collect();
    match together([lanes, none], true) {
        (Together::Brought(_), [groups, _]) => Some(groups),
        _ => None,
    }
}

#[test]
fn lanes_of_the_same_sums_are_brought_together() {
    let row = |count: i32| (0..16).map(|i| Some(4 * (i % count))).collect::<Lanes>();
    assert_eq!(groups(|lane| Some(4 * (lane as i32 % 16))), Some(row(16)));
    assert_eq!(groups(|lane| Some(4 * (lane as i32 % 8))), Some(row(8)));
    // Three lanes and one of no sum.
    assert_eq!(groups(|lane| (lane < 48).then_some(4 * (lane as i32 % 16))), Some(row(16)));
}

#[test]
fn or_each_by_itself() {
    // More sums than groups, no lane to be the fourth, and sums anywhere.
    assert_eq!(groups(|lane| Some(4 * (lane as i32 % 32))), None);
    assert_eq!(groups(|lane| Some(4 * (lane as i32 % 21))), None);
    assert_eq!(groups(|lane| Some(12 * (lane as i32 % 16))), None);
}

/// Classes of four sums each, right behind one another, are met together; not those further off, in another order, of
/// fewer sums, or too few.
#[test]
fn classes_whose_sums_follow_one_another_are_joined() {
    let class = |(at, sums): (i32, i32)| Class {
        rows: Vec::new(),
        together: Together::Fours,
        kinds: SmallVec::from_elem(
            Kind {
                operand: 0,
                shift: 7,
                lanes: (0..16).map(|i| Some(at + 4 * (i % sums))).collect(),
            },
            1,
        ),
    };
    let count = |classes: &[(i32, i32)]| {
        let classes: Vec<Class> = classes.iter().copied().map(class).collect();
        joined(&classes, 4).map(<[Class]>::len)
    };
    assert_eq!(count(&[(32, 4), (48, 4), (64, 4), (80, 4), (96, 4)]), Some(4));
    assert_eq!(count(&[(32, 4), (48, 4), (64, 4)]), None);
    assert_eq!(count(&[(32, 4), (48, 4), (64, 4), (84, 4)]), None);
    assert_eq!(count(&[(48, 4), (32, 4), (64, 4), (80, 4)]), None);
    assert_eq!(count(&[(32, 4), (48, 2), (64, 4), (80, 4)]), None);
    assert_eq!(count(&[(32, 8), (48, 8), (64, 8), (80, 8)]), None);
}
