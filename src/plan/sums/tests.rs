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
