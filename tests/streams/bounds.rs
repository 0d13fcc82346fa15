//! What plans and code must keep to, whatever the machine and the pair.

use retile::plan::{Locality, Plan};
use retile::{Code, Target, emit};

use crate::common::Failures;
use crate::draws::{converted, locality};
use crate::harness::case::Case;
use crate::harness::lines;
use crate::harness::search::{self, Tape};
use crate::laws::lawful;
use crate::machines::{NAMES, machine, pinched, target, targets};
use crate::means::Seen;
use crate::plan;

/// No kernel may have more bytes.
const MOST_CODE: usize = 32 << 10;

/// The code of a plan, of no more than so many bytes.
fn bounded(plan: Plan) -> Result<Code, String> {
    let code = emit(plan).map_err(|error| format!("no code: {error}"))?;
    match code.bytes().len() {
        bytes if bytes > MOST_CODE => Err(format!("{bytes} bytes of code")),
        _ => Ok(code),
    }
}

/// Buffers fit, tasks leave them whole, and code stays short, whatever the machine.
#[test]
fn means_keep_to_their_bounds() {
    let mut seen = Seen::default();
    let mut longest = 0;
    let found = search::failures(search::cases(1000), 6, |tape: &mut Tape| {
        let line = converted(tape);
        let case = Case::parse(&line).unwrap_or_else(|error| panic!("{error}"));
        let (target, locality) = (machine(tape), locality(tape));
        let told = |what: String| format!("{line} {locality:?}: {what}\n    {target:?}");
        let plan = plan(&case, &target, locality);
        seen.add(&plan);
        lawful(&plan).map_err(told)?;
        longest = longest.max(bounded(plan).map_err(told)?.bytes().len());
        Ok(())
    });
    println!("{seen:?}, {longest} bytes of code at most");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// The same for pairs in use, blocks of long rows among them: planned for machines of all kinds.
#[test]
fn means_keep_to_their_bounds_in_use() {
    let mut failures = Failures::default();
    let mut seen = Seen::default();
    let files =
        [include_str!("../data/cases/perf-moves.txt"), include_str!("../data/cases/streams.txt")];
    let all: Vec<&str> = files.into_iter().flat_map(lines).step_by(search::every()).collect();
    for (turn, line) in all.iter().enumerate() {
        let case = Case::parse(line).unwrap();
        let names = [NAMES[turn % 7], NAMES[(turn + 3) % 7]];
        for target in names.map(target).into_iter().flat_map(|target| [target, pinched(target)]) {
            for locality in [Locality::Auto, Locality::Stream] {
                let plan = plan(&case, &target, locality);
                seen.add(&plan);
                let judged = lawful(&plan).and_then(|()| bounded(plan));
                failures.check(judged.is_ok(), || {
                    let why = judged.as_ref().unwrap_err();
                    format!("{line}\n    {locality:?}, {target:?}: {why}")
                });
            }
        }
    }
    println!("{seen:?}");
    failures.none(all.len());
}

/// Rows of the same sums are added up together, which takes little code for each of them.
#[test]
fn weights_with_sums_are_not_cut_short() {
    for line in [
        "f32:oihw:65x35x3x3 s8:OIhw4i16o4i --dst-scale=mask:1 --comp=s8s8:1",
        "s8:oihw:250x130x3x3 s8:OIhw4i16o4i --comp=s8s8:1+zp:1",
        "s32:ab:611x73 s8:ba --comp=s8s8:1",
    ] {
        let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
        for (target, least) in [("haswell", 150), ("spr", 100)] {
            let plan = plan(&case, &self::target(target), Locality::Auto);
            let nests = plan.nests();
            let tiles = nests.flat_map(|nest| &nest.tiling).flat_map(|tiling| &tiling.tiles);
            let longest = tiles.map(|tile| tile.found.program.lines.len()).max().unwrap();
            assert!(longest >= least, "{line} for {target}: {longest} lines");
        }
    }
}

/// Values and sums that each element of a tile has of its own take more code than moving it.
#[test]
fn code_stays_short() {
    let mut failures = Failures::default();
    let pairs = [
        "s8:ba:273x2069:offset=27 s8:digits(ab; a/4 b/7 a%4 b%7; flip a) --src-zp=mask:1",
        "u8:strides(1,-8189):8189x2:offset=8189 s8:strides(-8,-4):offset=65675 --dst-zp=mask:1",
        "u8:ba:7267x13 s8:ab --src-zp=mask:1",
        "u8:ba:2049x13 s8:ab --src-zp=mask:1",
        "s8:ba:13x78 s8:ab:offset=89 --src-zp=mask:3 --comp=s8s8:2+zp:3",
        "s8:cba:84x12x8 s8:abc --src-scale=mask:3 --comp=s8s8:2+zp:7",
        "u8:ba:5017x272 s8:ab --dst-zp=mask:1 --comp=s8s8:2",
        "f32:AB16a2b:23x128:offset=47 u8:ab --src-scale=common --dst-scale=mask:2 --dst-zp=mask:3",
        "u8:strides(4096,1):1586x30 f32:ba --src-scale=mask:3",
        "u8:ab:1318x32 f32:ba --src-scale=mask:3",
    ];
    for line in pairs {
        let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
        for (target, locality) in targets().into_iter().flat_map(|target| {
            [Locality::Auto, Locality::Stream].map(|locality| (target, locality))
        }) {
            let short = bounded(plan(&case, &target, locality));
            failures.check(short.is_ok(), || format!("{line} for {target}: {:?}", short.err()));
        }
    }
    failures.none(pairs.len());
}

/// Machines that broke a law once.
#[test]
fn laws_hold_where_they_did_not() {
    let altered = |name: &str, alter: fn(&mut Target)| {
        let mut target = target(name);
        alter(&mut target);
        target
    };
    let no_streams = altered("zen5", |target| {
        (target.l1, target.l2, target.memory) = (32 << 10, 256 << 10, self::target("spr").memory);
        (target.memory.streams, target.memory.stream_from) = (0, 0);
        target.memory.turned_from = 0;
        (target.memory.prefetch_from, target.memory.ways) = (0, 8);
    });
    let tiny = altered("skx", |target| {
        (target.l1, target.memory.abreast, target.memory.stream_from) = (1 << 10, 2, 0);
        target.memory.turned_from = 0;
    });
    for (line, target) in [
        // Blocks were asked for inside of what is copied first.
        (
            "bf16:abcd:8x5x1x628 s8:cbda:in=15x5x1x629:at=0,0,0,1 --dst-scale=mask:1 --dst-zp=common",
            no_streams,
        ),
        // A tile takes all of the parts that go abreast.
        ("u8:ab:16x300 f32:ab:in=16x307:at=0,0 --src-scale=mask:3", tiny),
    ] {
        let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
        let judged = lawful(&plan(&case, &target, Locality::Stream));
        assert!(judged.is_ok(), "{line}: {}", judged.unwrap_err());
    }
}
