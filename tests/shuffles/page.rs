//! docs/instruction-mix.md: what is known of each class, beside what is found.

use std::fmt::Write;
use std::fs;
use std::path::Path;

use retile::shuffle::{Cost, PARTS, synthesize};

use crate::classes::{CLASSES, Class, Source};

const INTRO: &str = "\
<!-- Generated: `RETILE_BLESS=1 cargo test --test shuffles` writes this page. -->

# Operation mixes of tiles

For each class of tile: the best sequences that are known, and the one that `retile::shuffle::synthesize` finds.

A mix is *loads / shuffles / blends / stores*. Shuffles are permutations. Blends are all other vector operations; a load
that keeps the other lanes of its register is a load and a blend. **Cycles** are what the busiest ports of the target
need for the mix, with nothing else in the way: src/target/table.rs says how many there are for registers of a width,
and for permutations across 16-byte lanes, src/shuffle/cost.rs how operations count. A narrow store counts as a whole
one. **B/cycle** is the bytes that are read and written, in a cycle of what is found. Memory has no part in these
figures.

What is known was either *measured* with trial kernels or *counted* by hand. All was measured on one machine of the kind
spr, with registers of 32 bytes what is for avx2. Its cycles are not shown: both columns of cycles are by the ports of the
target. A tile that has been done in several ways has a row for each of them. **Way** is the candidate that was chosen,
**registers** is how many its sequence uses; what waits on the stack is in the mix. What is found in more cycles than
are known says by how many, and why is said at the end.
";

#[test]
fn the_page_is_as_generated() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/instruction-mix.md");
    let page = page();
    if std::env::var_os("RETILE_BLESS").is_some() {
        fs::write(&file, &page).unwrap();
    }
    let old = fs::read_to_string(&file).unwrap_or_default();
    let mut lines = page.lines().zip(old.lines().chain(std::iter::repeat("")));
    let changed = lines.find(|(now, then)| now != then);
    assert!(page == old, "{changed:?}: RETILE_BLESS=1 accepts this");
}

fn page() -> String {
    let mut page = String::from(INTRO);
    for classes in CLASSES.chunk_by(|one, next| one.target == next.target) {
        let target = classes[0].target();
        let (tier, width) = (target.tier, target.tier.vector());
        let ports = target.ports.of(width);
        let each = [ports.vector, ports.shuffle, ports.across, ports.load, ports.store];
        let [vector, shuffle, across, load, store] = each.map(|parts| decimal(PARTS, parts.into()));
        let issue = decimal(PARTS, target.ports.issue.into());
        let across = if across == shuffle { String::new() } else { format!(" ({across} across)") };
        let apart = if target.ports.unpacks_everywhere { ", interleaving apart" } else { "" };
        write!(
            page,
            "\n## {target}\n\n{tier}, registers of {width} bytes. In a cycle: {vector} vector operations, of them \
             shuffles {shuffle}{across}{apart}; loads {load}, stores {store}; operations of all kinds {issue}.\n\n\
             | class | known | cycles | from | found | cycles | B/cycle | way | registers |\n\
             |---|---|--:|---|---|--:|--:|---|--:|\n"
        )
        .unwrap();
        classes.iter().for_each(|class| row(&mut page, class));
    }
    page.push_str("\n## More cycles than are known\n\n");
    for class in CLASSES.iter().filter(|class| class.short.0 > 0) {
        let (parts, why) = class.short;
        let by = decimal(parts, PARTS);
        writeln!(page, "- {}, {}: {by} more; {why}.", class.target, class.name).unwrap();
    }
    page
}

fn row(page: &mut String, class: &Class) {
    let target = class.target();
    let found = synthesize(&class.movement(), &target);
    let chosen = &found.candidates[0];
    let (now, then) = (chosen.cost.bound(&target), class.known().bound(&target));
    let from = match class.from {
        Source::Measured => "measured",
        Source::Counted => "counted",
    };
    let over = match now.saturating_sub(then) {
        0 => String::new(),
        over => format!(" (+{})", decimal(over, PARTS)),
    };
    let slots = match found.program.slots {
        0 => String::new(),
        slots => format!(" + {slots} on the stack"),
    };
    writeln!(
        page,
        "| {} | {} | {} | {from} | {} | {}{over} | {} | {} | {}{slots} |",
        class.name,
        mix(&class.known()),
        decimal(then, PARTS),
        mix(&chosen.cost),
        decimal(now, PARTS),
        (class.bytes() * PARTS + now / 2) / now,
        chosen.name,
        found.program.registers,
    )
    .unwrap();
}

fn mix(cost: &Cost) -> String {
    let counts = cost.counts;
    format!("{} / {} / {} / {}", counts.loads, counts.shuffles, counts.blends, counts.stores)
}

/// A quotient with two decimals, without zeros at the end.
fn decimal(dividend: u64, divisor: u64) -> String {
    let hundredths = (dividend * 100 + divisor / 2) / divisor;
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}
