//! Laws of problems and plans: equal movements are equal problems, boxes are the footprint, and no
//! extent makes a plan long.

mod common;
mod harness;
mod model;

use common::*;
use harness::case::Case;
use harness::{pairs, search};
use retile::plan::{Plan, Work, plan};
use retile::problem::{Bases, Line, Node, Problem, TABLE_LIMIT};
use retile::{Attr, Kernel, Target};

fn problem(line: &str) -> Problem {
    let case = Case::parse(line).unwrap();
    problem_of(&case).unwrap_or_else(|error| panic!("{line}: {error}")).0
}

fn problem_of(case: &Case) -> retile::Result<(Problem, Bases)> {
    Problem::new(&case.src, &case.dst, &case.attr())
}

/// The nodes of each line, in short.
fn nodes(problem: &Problem) -> String {
    let node = |node: &Node| {
        let table = node.table.as_ref().map_or("", |_| " table");
        format!("{} by {},{}{table}", node.extent, node.strides[0], node.strides[1])
    };
    let line = |line: &Line| {
        let zones = [line.owned, line.padded, line.data].map(|z| format!("{}..{}", z.start, z.end));
        format!("[{}; {}]", join(line.nodes.iter().map(node), " x "), zones.join(" "))
    };
    format!("{} folds {}", problem.folds.len(), join(problem.lines.iter().map(line), " "))
}

/// Lines that move the same bytes the same way.
#[rustfmt::skip]
const EQUAL: &[&[&str]] = &[
    // What is contiguous on both sides is one dim.
    &["f32:nchw:1x64x56x56 nhwc", "f32:ab:64x3136 ba", "f32:abc:64x56x56 bca", "s32:abcde:1x64x7x8x56 acdeb",
      "f32:nhwc:1x3136x1x64 nchw", "f32:strides(3136,1):64x3136 f32:strides(1,64)", "s32:ba:3136x64 ab"],
    &["f32:ab:64x3136 ab", "f32:a:200704 a", "f32:nchw:1x64x56x56 nchw", "s32:ba:64x3136 ba", "f32:cdba:4x8x16x392 cdba"],
    // Only the size of what is copied counts.
    &["f16:nchw:1x64x56x56 nChw16c", "bf16:nchw:1x64x56x56 nChw16c", "s16:nchw:1x64x56x56 nChw16c", "u16:nchw:1x64x56x56 nChw16c"],
    &["u8:ab:17x33 BA8b4a", "s8:ab:17x33 BA8b4a", "bool:ab:17x33 BA8b4a"],
    &["f64:ab:17x33 ba", "s64:ab:17x33 ba"],
    // The name of a dim does not count.
    &["f32:nChw8c:2x17x3x5 nChw16c", "f32:cAdb8a:17x5x2x3 f32:digits(abcd; c a/16 d b a%16)", "f32:aCbd8c:2x3x17x5 f32:digits(abcd; a c/16 b d c%16)"],
    // Nor where in the buffer, or of which parent, it lies.
    &["f32:ab:5x7 ba", "f32:ab:5x7:offset=100 ba", "f32:ab:5x7 ba:offset=3", "f32:ab:5x7 f32:ba:5x7:offset=9"],
    &["f32:nchw:1x16x3x3:in=1x64x3x3:at=0,16,0,0 nChw16c", "f32:nchw:1x16x3x3:in=1x64x3x3:at=0,5,0,0 nChw16c", "f32:nchw:1x16x3x3 nChw16c"],
    &["f32:nChw16c:1x32x3x3:in=1x64x3x3:at=0,16,0,0 nhwc", "f32:nChw16c:1x32x3x3:in=1x64x3x3:at=0,32,0,0 nhwc", "f32:nChw16c:1x32x3x3:in=1x96x3x3:at=0,0,0,0 nhwc"],
    &["f32:nChw16c:1x20x3x3:in=1x64x3x3:at=0,5,0,0 nhwc", "f32:nChw16c:1x20x3x3:in=1x64x3x3:at=0,21,0,0 nhwc", "f32:nChw16c:1x20x3x3:in=1x64x3x3:at=0,37,0,0 nhwc"],
    &["f32:nhwc:1x20x3x3 nChw16c:in=1x64x3x3:at=0,5,0,0", "f32:nhwc:1x20x3x3 nChw16c:in=1x64x3x3:at=0,21,0,0"],
    // Walked from the other end on both sides.
    &["f32:ab:5x7 ba", "f32:digits(ab; a b; flip a b):5x7 f32:digits(ab; b a; flip a b)", "f32:digits(ab; a b; flip b):5x7 f32:digits(ab; b a; flip b)",
      "f32:strides(-7,1):5x7:offset=28 f32:strides(-1,5):5x7:offset=4"],
    &["f32:strides(-7,1):5x7:offset=28 ba", "f32:digits(ab; a b; flip a):5x7 ba", "f32:ab:5x7 f32:digits(ab; b a; flip a)"],
    // Blocks that both sides have are one dim each.
    &["f32:nChw16c:2x32x3x5 nChw16c", "f32:a:960 a"],
    &["f32:nChw16c:1x32x3x5 f32:nChw16c:1x32x3x5", "f32:aB16b:15x32 aB16b"],
    // A digit is a dim where nothing else is.
    &["f32:aB4b:6x8 ab", "f32:ab:6x8 aB2b", "f32:a:48 a"],
    &["f32:aB4b:6x9 ba", "f32:aB4b:6x9:upper=0,1 ba"],
    // A margin of zeros is a tail.
    &["f32:ab:3x14 f32:ab:3x14:upper=0,2", "f32:ab:3x14 f32:ab:3x14:upper=0,2:fill=0", "f32:ab:3x14 f32:digits(ab; a b; align b:16)"],
    // A fill that is not stored anywhere does not count, nor that of the source.
    &["f32:ab:3x16 ba", "f32:ab:3x16 ba:fill=7", "f32:ab:3x16:fill=2 ba"],
    // Nothing at all.
    &["f32:ab:0x3 ba", "f32:a:0 a", "f32:nchw:1x2x0x7 nChw16c"],
    // One element.
    &["f32:ab:1x1 ba", "f32:a:1 a", "f32:abcde:1x1x1x1x1 edcba"],
];

/// Lines that do not: what is the least difference that counts.
#[rustfmt::skip]
const UNEQUAL: &[[&str; 2]] = &[
    ["f32:ab:5x7 ba", "f64:ab:5x7 ba"],
    ["f32:ab:5x7 ba", "f32:ab:7x5 ba"],
    ["f32:ab:5x7 ba", "f32:ab:5x7 s32:ba"],
    ["f32:ab:5x7 ba", "f32:ab:5x7 ba --sum=1"],
    ["f32:ab:5x7 ba --sum=1", "f32:ab:5x7 ba --sum=2"],
    ["f32:ab:5x7 ba --src-scale=common", "f32:ab:5x7 ba --src-scale=mask:1"],
    ["f32:ab:5x7 ba --src-scale=mask:1", "f32:ab:5x7 ba --src-scale=mask:2"],
    ["f32:ab:5x7 ba --src-scale=common", "f32:ab:5x7 ba --dst-scale=common"],
    ["f32:ab:5x7 ba", "f32:digits(ab; a b; flip a):5x7 ba"],
    ["f32:ab:3x14 f32:ab:3x14:upper=0,2", "f32:ab:3x14 f32:ab:3x14:upper=0,2:fill=1"],
    ["f32:nChw16c:1x20x3x3:in=1x64x3x3:at=0,5,0,0 nhwc", "f32:nChw16c:1x20x3x3:in=1x64x3x3:at=0,6,0,0 nhwc"],
    ["f32:ab:5x7 s8:ba --comp=s8s8:1", "f32:ab:5x7 s8:ba --comp=zp:1"],
];

#[test]
fn equal_movements_are_equal_problems() {
    let mut failures = Failures::default();
    for group in some(EQUAL.iter(), 7) {
        let first = problem(group[0]);
        for line in &group[1..] {
            let other = problem(line);
            failures.check(first == other, || {
                format!("{}\n{line}\n    {}\n    {}", group[0], nodes(&first), nodes(&other))
            });
        }
    }
    failures.none(EQUAL.len());
}

#[test]
fn different_movements_are_different_problems() {
    for [one, other] in some(UNEQUAL.iter(), 5) {
        assert_ne!(problem(one), problem(other), "{one}\n{other}");
    }
}

/// Holds the problem of random pairs against that of a pair made of each.
fn told_otherwise(mut other: impl FnMut(&mut search::Tape, &Case) -> retile::Result<Option<Case>>) {
    let names = names();
    let failures = search::failures(search::cases(1500), 12, |tape| {
        let case = pairs::case(tape, &names);
        let Ok((before, _)) = problem_of(&case) else { return Ok(()) };
        let Ok(Some(other)) = other(tape, &case) else { return Ok(()) };
        match problem_of(&other) {
            Ok((after, _)) if before == after => Ok(()),
            Ok((after, _)) => {
                Err(format!("{case}\n{other}\n    {}\n    {}", nodes(&before), nodes(&after)))
            }
            Err(error) => Err(format!("{case}\n{other}: {error}")),
        }
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// What layouts and attributes make is printed on one line, which reads as the same.
#[test]
fn problems_read_back() {
    let names = names();
    let draws = [pairs::case, pairs::long, pairs::valued, pairs::merged];
    let failures = search::failures(search::cases(2000), 12, |tape| {
        let case = tape.pick(&draws)(tape, &names);
        let Ok((problem, _)) = problem_of(&case) else { return Ok(()) };
        let text = problem.to_string();
        match text.parse::<Problem>() {
            Ok(again) if again == problem => Ok(()),
            again => Err(format!("{case}\n{text}: {again:?}")),
        }
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
    // As long as memory.
    let all = problem("u8:strides(0):9223372036854775807 a");
    assert_eq!(all.to_string().parse(), Ok(all));
}

#[test]
fn where_buffers_lie_does_not_count() {
    told_otherwise(|tape, case| {
        let moved = tape.between(1, 50) as isize;
        let elsewhere = |layout: &Layout| {
            let (text, was) = (layout.to_string(), format!(":offset={}", layout.offset()));
            format!("{}:offset={}", text.replace(&was, ""), layout.offset() + moved).parse()
        };
        Ok(Some(Case { src: elsewhere(&case.src)?, dst: elsewhere(&case.dst)?, ..case.clone() }))
    });
}

/// Without masks, which would have to be permuted too.
#[test]
fn the_order_of_dims_does_not_count() {
    told_otherwise(|tape, case| {
        let mut order: Vec<usize> = (0..case.src.rank()).collect();
        tape.shuffle(&mut order);
        if case.arith != Default::default() {
            return Ok(None);
        }
        let (src, dst) = (case.src.permute(&order)?, case.dst.permute(&order)?);
        Ok(Some(Case { src, dst, ..case.clone() }))
    });
}

#[test]
fn the_way_that_dims_are_walked_does_not_count() {
    told_otherwise(|tape, case| {
        let mask = tape.below(1 << case.src.rank()) as u32;
        if case.arith != Default::default() {
            return Ok(None);
        }
        let (src, dst) = (case.src.flip(mask)?, case.dst.flip(mask)?);
        Ok(Some(Case { src, dst, ..case.clone() }))
    });
}

#[test]
fn the_type_of_what_is_copied_does_not_count() {
    told_otherwise(|tape, case| {
        if case.src.dtype() != case.dst.dtype() || case.arith != Default::default() {
            return Ok(None);
        }
        let name = case.src.dtype().name();
        let same = DType::ALL.into_iter().filter(|to| to.size() == case.src.dtype().size());
        let to = tape.pick(&same.collect::<Vec<_>>());
        let retyped = |layout: &Layout| {
            let text = layout.to_string().replacen(name, to.name(), 1);
            // A fill differs by type.
            let fill = format!(":fill={}", layout.fill());
            text.replace(&fill, "").parse::<Layout>()
        };
        let (src, dst) = (retyped(&case.src)?, retyped(&case.dst)?);
        if case.dst.fill().to_bits() != 0 {
            return Ok(None);
        }
        Ok(Some(Case { src, dst, ..case.clone() }))
    });
}

/// A plan says no more and no less than the destination's footprint.
#[test]
fn boxes_are_the_footprint() {
    let names = names();
    let failures = search::failures(search::cases(4000), 12, |tape| {
        let case = pairs::case(tape, &names);
        let Ok((problem, _)) = problem_of(&case) else { return Ok(()) };
        let made = plan(&problem, &Target::portable());
        if made != plan(&problem, &Target::portable()) {
            return Err(format!("{case}: two plans of one problem differ"));
        }
        let (mut elements, mut margins, mut tails) = (0, 0, 0);
        for cell in case.dst.cells() {
            match cell.role {
                Role::Element => elements += 1,
                Role::Margin => margins += 1,
                _ => tails += 1,
            }
        }
        let (mut moved, mut filled, mut zeroed) = (0, 0, 0);
        for nest in made.nests() {
            match nest.work {
                Work::Move => moved += nest.positions(),
                Work::Fill(0) => zeroed += nest.positions(),
                Work::Fill(_) => filled += nest.positions(),
                _ => return Err(format!("{case}: {:?} within a box", nest.work)),
            }
        }
        if made.problem.fill == 0 {
            (margins, tails) = (0, margins + tails);
        }
        let (cells, positions) = ((elements, margins, tails), (moved, filled, zeroed));
        if cells != positions {
            return Err(format!("{case}: cells {cells:?}, positions {positions:?}"));
        }
        let bytes = case.dst.cells().count() * case.dst.dtype().size();
        match made.bytes_written() == bytes {
            true => Ok(()),
            false => Err(format!("{case}: writes {}, not {bytes}", made.bytes_written())),
        }
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// What is stored in layers, over what was stored before, is no more bytes for it.
#[test]
fn layers_write_no_more_bytes() {
    let line = "f32:abcd:5x5x5x5 ABCD4a4b4c4d:lower=1,1,1,1:upper=1,1,1,1:fill=3";
    assert_eq!(plan_of(line).bytes_written(), 16_384);
}

fn plan_of(line: &str) -> Plan {
    let case = Case::parse(line).unwrap();
    let kernel = Kernel::new(&case.src, &case.dst, &case.attr());
    kernel.unwrap_or_else(|error| panic!("{line}: {error}")).plan().clone()
}

fn longest_table(plan: &Plan) -> usize {
    let nodes = plan.problem.lines.iter().flat_map(|line| &line.nodes);
    nodes.filter_map(|node| node.table.as_ref()).map(|table| table.len()).max().unwrap_or(0)
}

/// Extents that no block divides cost a few more boxes, and nothing that grows with them.
#[test]
fn primes_are_cheap() {
    let prime = 65_537;
    #[rustfmt::skip]
    let lines = [
        format!("f32:a:{prime} a"),
        format!("f32:ab:{prime}x2 ba"),
        format!("u8:ab:2x{prime} ba"),
        format!("f32:ab:{prime}x7 ba"),
        format!("f32:nchw:1x{prime}x1x3 nhwc"),
        format!("f32:nchw:1x{prime}x1x3 nChw16c"),
        format!("f32:nchw:1x{prime}x1x3 aBcd12b"),
        format!("f32:nChw16c:1x{prime}x1x3 nchw"),
        format!("f32:nChw16c:1x{prime}x1x3 nChw8c"),
        format!("f32:nChw8c:1x{prime}x1x3 nChw16c"),
        format!("u8:nchw:1x3x{prime}x1 nhwc"),
        format!("f32:digits(ab; a b; flip a):{prime}x3 ba"),
        format!("f32:ab:{prime}x3 s8:ba --src-scale=mask:1 --dst-zp=common"),
        format!("f32:ab:{prime}x3 s8:ab --src-scale=mask:3"),
    ];
    for line in some(lines.iter(), 6) {
        let plan = plan_of(line);
        let nests: usize = plan.boxes.iter().map(|one| one.nests.len()).sum();
        assert!(nests <= 4, "{line}: {nests} nests");
        assert_eq!(longest_table(&plan), 0, "{line}");
        let longest = plan
            .boxes
            .iter()
            .flat_map(|one| &one.nests)
            .filter_map(|nest| nest.loops.iter().map(|node| node.extent).max());
        assert!(longest.max() >= Some(prime / 16), "{line}: no long loop");
    }
    // Blocks that do not divide one another, in either order: a table of one period, or a fold.
    #[rustfmt::skip]
    let tabled = [
        format!("f32:aBcd12b:1x{prime}x1x3 nChw16c"),
        format!("f32:nChw16c:1x{prime}x1x3 aBcd12b"),
        format!("f32:aB48b:2x{prime} aB32b"),
        format!("f32:aB5b:2x{prime} aB7b"),
        format!("f32:digits(ab; a/1000 b a%1000):{prime}x2 f32:digits(ab; a/1024 b a%1024)"),
        format!("f32:digits(ab; a/257 b a%257):{prime}x2 f32:digits(ab; a/251 b a%251)"),
        format!("f32:nChw16c:1x40x{prime}x1:in=1x64x{prime}x1:at=0,3,0,0 nChw16c"),
    ];
    for line in some(tabled.iter(), 5) {
        let plan = plan_of(line);
        let nests: usize = plan.boxes.iter().map(|one| one.nests.len()).sum();
        assert!(nests <= 8, "{line}: {nests} nests");
        assert!(longest_table(&plan) <= TABLE_LIMIT, "{line}: {}", longest_table(&plan));
    }
}

/// Margins on both sides of every dim, and blocks that end within every dim: a few nests for each dim,
/// not a few to the power of their number.
#[test]
fn the_number_of_nests_grows_with_the_dims() {
    let lines = [
        "f32:abcd:8x9x9x9 abcd:lower=1,1,1,1:upper=1,1,1,1:fill=1",
        "f32:abcdef:3x3x3x3x3x3 abcdef:lower=1,1,1,1,1,1:upper=1,1,1,1,1,1:fill=1",
        "f32:abcdefgh:2x2x2x2x2x2x2x2 abcdefgh:lower=1,1,1,1,1,1,1,1:upper=1,1,1,1,1,1,1,1:fill=1",
    ];
    for line in some(lines.into_iter(), 3) {
        let plan = plan_of(line);
        let nests: usize = plan.boxes.iter().map(|one| one.nests.len()).sum();
        let lines = plan.problem.lines.len();
        assert!(nests <= 4 * lines + 1, "{line}: {nests} nests of {lines} lines");
    }
}

/// Whatever the pair, tables keep within their bound.
#[test]
fn tables_are_bounded() {
    let names = names();
    let failures = search::failures(search::cases(1500), 12, |tape| {
        let case = pairs::long(tape, &names);
        let Ok((problem, _)) = problem_of(&case) else { return Ok(()) };
        let table = longest_table(&plan(&problem, &Target::portable()));
        match table <= TABLE_LIMIT {
            true => Ok(()),
            false => Err(format!("{case}: a table of {table}")),
        }
    });
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// What is refused is refused by the problem too.
#[test]
fn refusals_are_those_of_the_sizes() {
    for line in ["f32:ab:2x3 f32:strides(1,1)", "f32:ab:2x3 s64:ab", "f32:ab:2x3 f32:ab:2x4"] {
        let case = Case::parse(line).unwrap();
        let sizes = Attr::new().sizes(&case.src, &case.dst).expect_err(line);
        assert_eq!(problem_of(&case).expect_err(line), sizes, "{line}");
    }
}

/// What a tile is said to move is what its sequence was found for, the state of the caches and tasks' shares included.
#[test]
fn tiles_move_what_they_were_found_for() {
    let mut whole = 0;
    for line in [
        "f32:ab:512x512 ba",
        "f32:nchw:1x64x32x32 nhwc",
        "f32:ab:3000x2000 ba",
        "f32:nchw:1x64x31x31 s8:nhwc --dst-scale=common",
        "f32:oihw:64x40x3x3 s8:hwio --comp=s8s8:1",
    ] {
        let case = Case::parse(line).unwrap();
        let (problem, _) = problem_of(&case).unwrap();
        for target in ["haswell", "spr", "zen4", "zen5"].map(|name| name.parse().unwrap()) {
            let plan = plan(&problem, &target);
            let nests = plan.nests();
            for (nest, tiling) in nests.filter_map(|nest| Some((nest, nest.tiling.as_ref()?))) {
                for tile in &tiling.tiles {
                    let movement = nest.movement(&tile.chunks, &plan);
                    let found = retile::shuffle::synthesize(&movement, &target);
                    let (cost, again) = (tile.found.cost(), found.cost());
                    // Plans may look for less than there is.
                    assert!(again.bound(&target) <= cost.bound(&target), "{line} on {target}");
                    whole += usize::from(movement.whole);
                }
            }
        }
    }
    assert!(whole > 0, "no tile reads whole rows");
}

/// What no memory holds has a problem and a plan, with its bounds.
#[test]
fn what_is_beyond_memory_is_planned() {
    for line in [
        "u8:strides(2147483648,17):2147483648x2147483649:offset=2147483648 aB16b",
        // More loops than there are bits in a word.
        "u8:abcdefghijkl:8x8x8x8x8x8x8x8x8x8x8x8 \
         ABCDEFGHIJKL2l2k2j2i2h2g2f2e2d2c2b2a2l2k2j2i2h2g2f2e2d2c2b2a",
        // Far in the windows of dims that are one axis, which the other side has the other way round.
        "s32:digits(ab; ab/12 ab%3 ab%12/3):2x2:lower=3,3037000500:upper=0,3:offset=5 \
         digits(ab; ba/12 ba%3 ba%12/3):lower=3037000500,3:upper=3,0",
    ] {
        let case = Case::parse(line).unwrap();
        let (problem, _) = problem_of(&case).unwrap_or_else(|error| panic!("{line}: {error}"));
        for target in ["portable", "haswell", "spr", "zen5"].map(|name| name.parse().unwrap()) {
            assert!(plan(&problem, &target).bounds().bytes > 0, "{line}");
        }
    }
}
