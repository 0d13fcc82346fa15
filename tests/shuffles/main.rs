//! Sequences for named classes of movements: each moves what it should, in no more operations than the
//! best that is known. docs/instruction-mix.md has all of them beside each other.
#![cfg(not(miri))] // searches by the hundred

mod classes;
mod page;

use std::fmt::Write;

use classes::CLASSES;
use retile::Target;
use retile::shuffle::{PARTS, check, synthesize};

#[test]
fn known_classes_are_as_short_as_is_known() {
    let mut wrong = String::new();
    for class in CLASSES {
        let (target, tile, name) = (class.target(), class.movement(), class.name);
        let found = synthesize(&tile, &target);
        let listing = &found.program;
        check(&tile, listing, &target).unwrap_or_else(|why| panic!("{name}: {why}\n{listing}"));
        let (now, then) = (found.candidates[0].cost.bound(&target), class.known().bound(&target));
        // Sequences that come closer to what is known are held to that from then on.
        let short = now.saturating_sub(then);
        let known = class.short.0;
        if short != known {
            writeln!(
                wrong,
                "{} {name}: {now} for {then} parts of a cycle, {PARTS} being one: \
                 short by {short}, not by {known}\n{listing}",
                target
            )
            .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn classes_differ_in_name() {
    for (i, class) in CLASSES.iter().enumerate() {
        let same =
            |other: &&classes::Class| (other.target, other.name) == (class.target, class.name);
        assert!(!CLASSES[..i].iter().any(|other| same(&other)), "{} {}", class.target, class.name);
    }
}

/// The same tiles on all other targets, and what a target has no class of its own for.
#[test]
fn every_class_is_right_on_every_target() {
    for target in ["haswell", "skx", "spr", "zen5", "spr:avx2", "zen4", "generic"] {
        let target: Target = target.parse().unwrap();
        for class in CLASSES {
            let tile = class.movement();
            let program = synthesize(&tile, &target).program;
            check(&tile, &program, &target)
                .unwrap_or_else(|why| panic!("{} {}: {why}\n{program}", target, class.name));
        }
    }
}
