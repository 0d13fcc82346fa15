//! Lanes of the same sums.

use super::shape::joined;
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

/// Lanes by twos, where they are too many sums for fours.
#[test]
fn or_by_twos() {
    let lanes: Lanes = (0..64).map(|lane| Some(4 * (lane / 2))).collect();
    let words: Lanes = (0..32).map(|word| Some(4 * word)).collect();
    let found = together([lanes.clone(), lanes], true);
    assert_eq!(found, (Together::Twos, [words.clone(), words]));
}

/// Classes of four sums each, right behind one another, are met together, and up to four of one sum each; not those
/// further off, in another order, of other counts, or too few.
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
    assert_eq!(count(&[(32, 1), (36, 1), (40, 1), (44, 1), (48, 1)]), Some(4));
    assert_eq!(count(&[(32, 1), (36, 1), (40, 4)]), Some(2));
    assert_eq!(count(&[(32, 1), (40, 1)]), None);
    assert_eq!(count(&[(32, 1)]), None);
}

/// Rows that are too many for words when all their lanes are one keep to themselves.
#[test]
fn many_rows_of_one_sum_are_not_joined() {
    let row = Row { number: 0, at: 0, count: 64, elements: u64::MAX };
    let class = |at: i32, rows: usize| Class {
        rows: vec![row.clone(); rows],
        together: Together::Fours,
        kinds: SmallVec::from_elem(
            Kind { operand: 0, shift: 7, lanes: Lanes::from_elem(Some(at), 16) },
            1,
        ),
    };
    let count = |rows: usize| {
        let classes: Vec<Class> = (0..4).map(|i| class(4 * i, rows)).collect();
        joined(&classes, 4).map(<[Class]>::len)
    };
    assert_eq!((count(32), count(33)), (Some(4), None));
}

/// The longest runs of one length, each with where it starts, and what is left of one.
#[test]
fn lanes_meet_their_sums_in_runs() {
    let runs = |lanes: &dyn Fn(i32) -> Option<i32>, most| {
        let lanes: Lanes = (0..32).map(lanes).collect();
        let all = runs(&lanes, most)?;
        Some(all.into_iter().map(|run| (run.lane, run.at, run.count)).collect::<Vec<_>>())
    };
    let row = |lane: i32| (lane < 21).then_some(4 * lane);
    assert_eq!(runs(&row, 16), Some(vec![(0, 0, 16), (16, 64, 5)]));
    assert_eq!(runs(&row, 8), Some(vec![(0, 0, 8), (8, 32, 8), (16, 64, 5)]));
    let fours = |lane: i32| Some(4 * (lane % 4) + 100 * (lane / 4));
    assert_eq!(runs(&fours, 16).map(|runs| (runs.len(), runs[1])), Some((8, (4, 100, 4))));
    assert_eq!(runs(&|lane| Some(8 * lane), 16), None);
    assert_eq!(runs(&|lane| (lane != 1).then_some(4 * lane), 16), None);
}

/// The first of each sum, then the second of each; of two sums, of as many as there are groups, and not where one has
/// more than the others.
#[test]
fn groups_of_the_same_sums_come_to_an_order() {
    let found = |sum: &dyn Fn(i32) -> Option<i32>| {
        let lanes: Lanes = (0..16).map(sum).collect();
        let (order, shape) = shape_in_order(&lanes);
        (order.map(|order| order.to_vec()), shape)
    };
    let twice = (0..16).map(|i| 2 * i % 16 + i / 8).collect();
    assert_eq!(found(&|i| Some(40 + i / 2 * 4)), (Some(twice), Shape::Again(40, 8)));
    let halves = (0..16).map(|i| i % 2 * 8 + i / 2).collect();
    assert_eq!(found(&|i| Some(i / 8 * 4)), (Some(halves), Shape::Again(0, 2)));
    let back = (0..16).rev().collect();
    assert_eq!(found(&|i| Some(4 * (15 - i))), (Some(back), Shape::Row(0, 16)));
    assert_eq!(found(&|i| Some(4 * i)), (None, Shape::Row(0, 16)));
    assert_eq!(found(&|i| Some(4 * (i / 6))), (None, Shape::Anywhere));
    // Groups of no sum come last.
    let some = [(1..16).collect(), vec![0]].concat();
    assert_eq!(found(&|i| (i > 0).then_some(4 * i)), (Some(some), Shape::Row(4, 15)));
}
