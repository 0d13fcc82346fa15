//! The layouts that the README gives as examples are layouts.

use retile::{DType, Layout};

#[test]
fn examples_in_tables_parse() {
    let rows = include_str!("../README.md").lines().filter(|line| line.starts_with('|'));
    let spans = rows.flat_map(|row| row.split('`').skip(1).step_by(2));
    let starts = DType::ALL.map(|dtype| format!("{dtype}:"));
    let mut found = 0;
    for text in spans.filter(|span| starts.iter().any(|start| span.starts_with(start))) {
        if let Err(error) = text.parse::<Layout>() {
            panic!("the README gives {text:?}: {error}");
        }
        found += 1;
    }
    assert!(found >= 10, "found only {found} examples");
}
