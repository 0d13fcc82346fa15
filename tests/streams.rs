//! Means for memory: rows of the destination that come together before whole lines of them pass the caches by, rows
//! of the source that are copied first, lines that are asked for. Machine code against the reference, between
//! guard pages, for machines whose caches are so small that all of it comes with small tensors.
#![cfg(not(miri))] // plans by the hundred, and machine code

#[path = "streams/bounds.rs"]
mod bounds;
mod common;
#[path = "streams/copied.rs"]
mod copied;
#[path = "streams/draws.rs"]
mod draws;
mod harness;
#[path = "streams/known.rs"]
mod known;
#[path = "streams/laws.rs"]
mod laws;
#[path = "streams/machines.rs"]
mod machines;
#[path = "streams/means.rs"]
mod means;
mod model;
#[path = "streams/onward.rs"]
mod onward;

use common::{Draw, Failures};
use draws::{converted, locality};
use harness::case::Case;
use harness::search::{self, Tape};
use harness::{LINE, compare_code, lines};
use laws::lawful;
use machines::{machine, pinched, targets};
use means::{Seen, tilings};
use retile::plan::{Locality, Plan, plan_with};
use retile::{Problem, Target};

/// Bytes of both sides of the lines of the file that are tried here; `large` tries the others.
const LARGEST: usize = 700_000;

fn plan(case: &Case, target: &Target, locality: Locality) -> Plan {
    let (problem, _) = Problem::new(&case.src, &case.dst, &case.attr()).unwrap();
    plan_with(&problem, target, locality)
}

#[test]
fn every_line_on_every_target() {
    let mut failures = Failures::default();
    let (mut count, mut seen) = (0, Seen::default());
    let all = lines(include_str!("data/cases/streams.txt")).step_by(search::every());
    for (turn, line) in all.enumerate() {
        let case = Case::parse(line).unwrap_or_else(|error| panic!("{error}"));
        if case.src.size_bytes() + case.dst.size_bytes() > LARGEST {
            continue;
        }
        let mut made = Vec::new();
        for (t, target) in targets().into_iter().enumerate() {
            made.extend([(target, Locality::Stream), (pinched(target), Locality::Auto)]);
            made.push((target, [Locality::Auto, Locality::Keep][turn % 2]));
            if (turn + t) % 4 == 0 {
                made.push((pinched(target), Locality::Keep));
                made.push((pinched(target), Locality::Stream));
            }
        }
        for (target, locality) in &made {
            let plan = plan(&case, target, *locality);
            seen.add(&plan);
            failures.check(lawful(&plan).is_ok(), || {
                format!("{line}\n    {target:?}: {}", lawful(&plan).unwrap_err())
            });
        }
        let beyond = [0, 8, 24, 32, 56].map(|bytes| (bytes + 8 * turn) % LINE);
        count += made.len();
        if let Err(what) = compare_code(&case, &made, &beyond) {
            failures.add(what);
        }
    }
    println!("{count} codes: {seen:?}");
    failures.none(count);
    if search::every() == 1 {
        for name in [
            "rows carried",
            "one row carried",
            "rows staged",
            "copies ask",
            "source asked for",
            "destination asked for",
            "source's lines alone",
            "destination's lines alone",
        ] {
            seen.had(name);
        }
    }
}

/// Rows start and end anywhere in a line, wherever the first of them starts.
#[test]
fn destinations_start_anywhere() {
    let mut failures = Failures::default();
    let mut seen = Seen::default();
    let pairs = [
        "u8:ab:520x40 ba",
        "u8:ab:517x33 ba",
        "u8:ab:517x19 strides(1,641)",
        "u8:ab:517x19 strides(1,-523):offset=12001",
        "u8:ab:517x100 strides(1,641)",
        "u8:ab:333x300 strides(1,403):offset=5",
        "bf16:ab:263x35 ba",
        "f32:ab:133x35 ba",
        "f64:ab:67x17 ba",
        "u8:nhwc:1x23x27x17 nchw:lower=0,0,1,1:upper=0,0,1,1:fill=7",
        "u8:nchw:1x19x31x31 nhwc",
        "f32:nchw:1x19x17x17 nhwc",
    ];
    for line in pairs {
        let case = Case::parse(line).unwrap();
        let size = case.dst.dtype().size();
        let all = targets().into_iter();
        let made: Vec<(Target, Locality)> = all
            .flat_map(|target| [(target, Locality::Stream), (pinched(target), Locality::Auto)])
            .collect();
        made.iter().for_each(|(target, locality)| seen.add(&plan(&case, target, *locality)));
        let beyond: Vec<usize> = (0..LINE).step_by(size).collect();
        if let Err(what) = compare_code(&case, &made, &beyond) {
            failures.add(what);
        }
    }
    failures.none(pairs.len());
    seen.had("rows carried");
    seen.had("one row carried");
}

/// Rows of every length about where they begin to be carried, and so that the last of them ends anywhere in a line
/// right before a page that may not be touched.
#[test]
fn rows_of_any_length() {
    let mut failures = Failures::default();
    let mut carried = [0; 2];
    let all = targets();
    for length in 240..=330 {
        let rows = [17, 33, 40, 65][length % 4];
        let made = [pinched(all[length % all.len()]), pinched(all[length / 2 % all.len()])];
        let made = made.map(|target| (target, Locality::Stream));
        for line in [
            format!("u8:ab:{length}x{rows} ba"),
            format!("bf16:ab:{length}x{rows} ba"),
            format!("u8:ab:{length}x{rows} strides(1,{})", length + 3),
            format!("u8:strides(1,-{}):{rows}x{length}:offset=40000 ba", rows + 1),
        ] {
            let case = Case::parse(&line).unwrap();
            for (target, locality) in &made {
                let plan = plan(&case, target, *locality);
                carried[usize::from(tilings(&plan).any(|tiling| tiling.carry.is_some()))] += 1;
            }
            if let Err(what) = compare_code(&case, &made, &[length % LINE / 2 * 2]) {
                failures.add(what);
            }
        }
    }
    println!("{} plans do not carry, {} do", carried[0], carried[1]);
    failures.none(91 * 4);
    assert!(carried.iter().all(|plans| *plans > 20), "{carried:?}");
}

/// Pairs, each planned as `made` says for its number, in destinations so many bytes off lines: all are moved right, and
/// some by the means of this name. Gives all means.
#[track_caller]
fn moved_right(
    pairs: &[&str],
    made: impl Fn(usize) -> Vec<(Target, Locality)>,
    off: &[usize],
    name: &str,
) -> Seen {
    let (mut failures, mut seen) = (Failures::default(), Seen::default());
    for (turn, line) in pairs.iter().enumerate() {
        let case = Case::parse(line).unwrap_or_else(|_| panic!("{line}"));
        let made = made(turn);
        made.iter().for_each(|(target, locality)| seen.add(&plan(&case, target, *locality)));
        if let Err(what) = compare_code(&case, &made, off) {
            failures.add(what);
        }
    }
    failures.none(pairs.len());
    seen.had(name);
    println!("{seen:?}");
    seen
}

/// One in so many of the targets, past the caches.
fn streamed(turn: usize, one_in: usize) -> Vec<(Target, Locality)> {
    let turns =
        targets().into_iter().enumerate().filter(|(t, _)| (t + turn).is_multiple_of(one_in));
    turns.map(|(_, target)| (target, Locality::Stream)).collect()
}

/// Rows of which each reads another page, more of them than are known at once.
#[test]
fn long_rows_in_blocks() {
    let pairs = [
        "u8:strides(4096,1):1601x70 ba",
        "u8:strides(-4100,1):1601x67:offset=6601000 ba",
        "bf16:strides(2051,1):1601x35 ba:in=1700x40:at=3,2",
    ];
    moved_right(&pairs, |turn| streamed(turn, 2), &[0, 6, 40], "rows carried in blocks");
}

/// The same, of which there are so many that long pieces of the source are read for them: of each a part of a line
/// waits for its turn.
#[test]
fn long_rows_by_turns() {
    let pairs = [
        // All of them in one go, in two, and few of them left over.
        "f32:strides(1100,1):1603x450 ba",
        "f32:strides(-1037,1):1505x1030:offset=1559648 ba",
        "f64:strides(600,1):1541x321 ba:in=1600x330:at=3,2",
        "bf16:strides(2051,1):1601x900 strides(1,1605)",
        "f32:strides(1763305,1100,1):2x1603x400 acb",
    ];
    moved_right(&pairs, |turn| streamed(turn, 3), &[0, 24], "rows carried by turns");
}

/// Rows of a block that end within lines and lie end to end, too long to come together but by quarters.
#[test]
fn parts_of_blocks_end_to_end() {
    let pairs = [
        "u8:nchw:1x430x12x13 nhwc",
        "s8:nchw:2x405x11x9 nhwc",
        "bf16:nchw:1x211x11x11 nhwc:in=1x215x11x11:at=0,1,0,0",
        "u8:abc:3x517x133 acb",
        "f32:nchw:1x401x13x11 u8:nhwc --dst-scale=common",
        "u8:nchw:1x236x12x12 bf16:nhwc",
        "u8:strides(-141,1):421x140:offset=59220 ba",
    ];
    moved_right(&pairs, |turn| streamed(turn, 2), &[0, 6, 40], "part of a block carried");
}

/// Double blocks, of whose source tiles take part of a line, walked over along its pages; halves of lines come together
/// first.
#[test]
fn blocks_along_pages() {
    let pairs = [
        "f32:ab:192x170 BA16b64a",
        "f32:ab:130x1100 BA16b64a",
        "bf16:ab:200x600 BA16b64a2b",
        "s8:ab:150x1300 BA16b64a4b",
        "f32:ab:70x700 s8:BA16b64a4b",
        "f32:nChw16c:2x70x9x11 nhwc",
        "f32:ab:140x300 BA16b16a:in=200x400:at=16,48",
        "u8:nchw:1x70x15x16 f32:nhwc --src-scale=common",
    ];
    let both = |target| [(target, Locality::Stream), (pinched(target), Locality::Auto)];
    let made = |_| targets().into_iter().flat_map(both).collect();
    moved_right(&pairs, made, &[0, 8, 32], "rows carried");
}

/// Runs that both sides have in common, of more rows of the source than the machine foresees: some are led on one
/// behind the other, whole or in several tiles, beside tasks and with ends that tiles cut short.
#[test]
fn runs_in_common() {
    let pairs = [
        "f32:abcd:2x21x5x64 acbd",
        "f32:abcd:1x40x3x80 acbd",
        "bf16:abcd:2x33x4x136 acbd",
        "u8:abcd:2x37x3x257 acbd",
        "f64:abcde:2x3x19x4x32 adbce",
        "f32:abcd:1x19x6x33 acbd:in=1x20x7x40:at=0,1,1,3",
        "s8:abcd:2x33x4x128 f32:acbd --src-scale=common",
        "f32:abcd:2x35x4x64 bf16:acbd",
        "f32:strides(7000,-320,80,1):2x21x4x66:offset=6800 acbd",
    ];
    let made =
        |_| targets().into_iter().map(|target| (pinched(target), Locality::Stream)).collect();
    moved_right(&pairs, made, &[0, 8, 32], "runs in common led on");
}

/// What is walked in order on both sides, in parts by turns: whole, with rows in between that are left out, with ends
/// that tiles cut short and ends that no part has, with values of their own, added to what was there.
#[test]
fn parts_abreast() {
    let pairs = [
        "f32:ab:129x131 ab",
        "u8:ab:211x301 ab",
        "u8:ab:256x320 s8:ab --src-zp=common",
        "f32:nchw:2x33x25x13 bf16:nchw --src-scale=mask:2",
        "f32:nhwc:2x13x25x33 s8:nhwc --dst-scale=mask:2 --dst-zp=common",
        "s8:nchw:2x33x25x40 f32:nchw --src-scale=mask:3",
        "f16:abc:7x70x129 abc:in=7x73x133:at=0,2,3",
        "f32:strides(-140,1):420x129:offset=58660 strides(131,1)",
        "f32:strides(140,1):420x129 strides(131,1)",
        "f32:ab:240x129 bf16:ab --sum=1",
        "bf16:abc:5x64x160 f16:abc --sum=-0.5 --dst-scale=mask:1",
        "s32:strides(20000,200,1):4x67x192:offset=3 s8:abc --src-scale=common --src-zp=common",
    ];
    let made = |turn| {
        let all = targets().into_iter().enumerate();
        let all = all.map(move |(t, target)| {
            let where_to = [Locality::Stream, Locality::Keep, Locality::Auto][(t + turn) % 3];
            (pinched(target), where_to)
        });
        all.collect()
    };
    moved_right(&pairs, made, &[0, 8, 24], "parts abreast");
}

/// Rows that are converted before tiles take pieces of them: in each direction, with values of their own, with ends
/// that tiles cut short, and not where values differ along them.
#[test]
fn rows_converted_first() {
    let pairs = [
        "f32:oihw:33x9x3x3 s8:OIhw4i16o4i --dst-scale=mask:1",
        "bf16:oihw:20x24x3x3 u8:OIhw8i16o2i --src-scale=mask:1 --dst-zp=common",
        "f32:oihw:32x8x5x5 bf16:OIhw8i16o2i",
        "f32:oihw:17x16x3x3 f16:hwio",
        "f64:oihw:16x16x3x3 f32:OIhw16i16o",
        "s32:oihw:64x8x3x3 s8:OIhw2i8o4i --src-zp=mask:1",
        "f32:strides(-160,9,3,1):16x16x3x3:offset=2400 s8:OIhw4i16o4i",
        "f32:oihw:64x16x3x3 s8:OIhw4i16o4i --dst-scale=mask:2",
        "f32:oihw:20x8x3x3 s8:OIhw4i16o4i --comp=s8s8:0",
        "f32:oihw:33x24x3x3 s8:OIhw4i16o4i --dst-scale=mask:1 --comp=s8s8:1+zp:1",
        "f32:goihw:3x16x8x3x3 bf16:gOIhw4i16o4i",
    ];
    let both = |target| [(target, Locality::Keep), (pinched(target), Locality::Stream)];
    let made = |_| targets().into_iter().flat_map(both).collect();
    moved_right(&pairs, made, &[0, 8, 56], "rows converted first");
}

/// Rows that are copied or converted before tiles take them ask for those that come next, past the source's end too.
#[test]
fn copies_ask_for_what_comes_next() {
    let pairs = [
        "u8:ab:64x2048 ba",
        "u8:ab:128x4096 ba",
        "bf16:ab:64x2048 ba",
        "u8:strides(2048,1):64x1031 ba",
        "f32:nchw:1x64x32x32 s8:nhwc",
        "f32:nchw:1x64x33x31 u8:nhwc --dst-scale=mask:2",
        "f32:nchw:1x64x40x40 bf16:nhwc",
    ];
    let asking = |mut target: Target| {
        target.memory.copies_lead = 1 << 10;
        (pinched(target), Locality::Stream)
    };
    let made = |_| targets().into_iter().map(asking).collect();
    moved_right(&pairs, made, &[0, 8, 56], "copies ask");
}

/// Rows of the destination whose lines share their places in the first level, or nearly do: fewer of them at a time, of
/// each several lines.
#[test]
fn rows_that_share_places() {
    let pairs = [
        "f32:nChw16c:1x33x32x32 nchw",
        "bf16:nChw16c:1x20x45x45 nchw",
        "f32:nhwc:1x40x32x32 nchw",
        "f64:ba:17x513 ab",
        "f32:ba:40x1033 strides(-2048,1):offset=80000",
        "f32:nChw16c:1x24x31x33:upper=0,0,2,1 strides(999999,1025,33,1)",
        "s8:nChw16c:1x32x32x32 f32:nchw --src-scale=mask:2",
        "f32:nChw16c:1x16x64x32 bf16:nchw --dst-scale=common",
        "u16:nChw16c:2x17x40x52 nchw",
    ];
    let made = |_| targets().into_iter().map(|target| (target, Locality::Keep)).collect();
    moved_right(&pairs, made, &[0, 8, 56], "groups of rows kept");
}

/// More rows of the source than the machine foresees: led on in blocks, or whole, past ends and beside tasks, rows of
/// both sides carried, copied and converted meanwhile.
#[test]
fn blocks_of_the_source() {
    let pairs = [
        "u8:ab:100x700 ba",
        "u8:strides(4096,1):161x530 ba",
        "s8:nchw:2x70x15x15 nhwc",
        "f32:nchw:2x64x20x20 s8:nhwc --src-scale=mask:2",
        "f32:ab:131x300 s8:ba",
        "bf16:strides(-1030,1):90x513:offset=91670 ba",
        "f32:nhwc:1x64x17x17 u8:nchw",
        "u8:abc:3x70x333 acb:in=4x80x400:at=1,5,3",
        "s8:ab:90x515 bf16:ba --sum=1",
    ];
    let made = |turn: usize| {
        let room = |(target, locality): (Target, Locality)| {
            let mut target = pinched(target);
            target.l2 = 512 << 10;
            (target, locality)
        };
        streamed(turn, 2).into_iter().map(room).collect()
    };
    moved_right(&pairs, made, &[0, 8, 40], "blocks asked for");
}

/// Weights whose rows are added up as they pass the caches by, in blocks of both kinds, with tails and margins, of the
/// line that tasks share several steps within others.
#[test]
fn rows_added_up_past_the_caches() {
    let pairs = [
        "s8:ab:256x256 s8:BA16b64a4b --comp=s8s8:2",
        "s8:ab:200x1030 s8:BA16b64a4b --comp=s8s8:2+zp:2",
        "s8:ab:1030x200 s8:BA16a64b4a --comp=s8s8:2",
        "u8:ab:130x700 s8:BA16b64a4b --comp=zp:1",
        "f32:ab:130x300 s8:BA16a64b4a --dst-scale=mask:2 --comp=s8s8:2+zp:2",
        "s8:oihw:70x40x3x3 s8:OIhw4i16o4i --comp=s8s8:1",
        "f32:oihw:64x20x3x3 s8:OIhw4i16o4i --dst-scale=mask:1 --comp=s8s8:1+zp:1",
        "s8:hwio:100x70x3x3 s8:OIhw4i16o4i --comp=s8s8:1",
        "s8:abc:3x100x200 s8:aCB16b64c4b --comp=s8s8:5+zp:4",
        "s8:ab:300x320 s8:ab --comp=s8s8:2",
        "s8:ab:300x320 s8:ba --comp=s8s8:1",
        "s8:ab:150x700 s8:BA16b64a4b:lower=3,67:upper=1,0 --comp=s8s8:2",
        "s8:ab:150x700 s8:BA16b64a4b --src-scale=common --comp=zp:2",
        "s8:goihw:3x40x24x3x3 s8:gOIhw4i16o4i --comp=s8s8:3+zp:2",
        "s8:ab:128x128 s8:AB16a64b --comp=s8s8:1+zp:2",
    ];
    let both = |target| [(target, Locality::Stream), (pinched(target), Locality::Stream)];
    let made = |_| targets().into_iter().flat_map(both).collect();
    let seen = moved_right(&pairs, made, &[0, 8, 32], "rows added up past the caches");
    seen.had("tasks share inner steps");
}

/// Lines of other lengths than 64, of which what is copied first still fits the stack of the harness.
#[test]
fn lines_of_any_length() {
    let mut seen = Seen::default();
    let found = search::failures(search::cases(150), 6, |tape: &mut Tape| {
        let line = converted(tape);
        let case = Case::parse(&line).unwrap_or_else(|error| panic!("{error}"));
        let (mut target, locality) = (machine(tape), locality(tape));
        target.line = tape.pick(&[32, 128, 16]);
        target.l1 = target.l1.min(32 << 10);
        target.check().unwrap();
        seen.add(&plan(&case, &target, locality));
        compare_code(&case, &[(target, locality)], &[0, tape.below(LINE) / 8 * 8]).map(|_| ())
    });
    println!("{seen:?}");
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn small_caches_bring_all_of_it() {
    let mut seen = Seen::default();
    let cases = search::cases(400);
    let found = search::failures(cases, 6, |tape: &mut Tape| {
        let line = converted(tape);
        let case = Case::parse(&line).unwrap_or_else(|error| panic!("{error}"));
        let (target, locality) = (machine(tape), locality(tape));
        let beyond = tape.below(LINE) / 8 * 8;
        seen.add(&plan(&case, &target, locality));
        compare_code(&case, &[(target, locality)], &[0, beyond]).map(|_| ())
    });
    println!("{cases} cases: {seen:?}");
    assert!(found.is_empty(), "{}", found.join("\n"));
    // Other seeds may miss what is rare.
    if cases >= 400 && search::seed() == 0 {
        for name in ["rows carried", "one row carried", "rows staged", "source asked for"] {
            seen.had(name);
        }
        for name in ["destination asked for", "past the caches", "rows staged and carried"] {
            seen.had(name);
        }
        seen.had("rows carried in blocks");
    }
}

/// Rows of padding lie where the source has none: what would copy them first must not.
#[test]
fn rows_of_padding_are_not_copied() {
    let pairs = [
        "f32:adcb:3x3x24x2 u8:AbCd12c3a:upper=0,0,0,40",
        "f32:cedba:10x3x13x69x3:offset=86 u8:CabDe12d3c:offset=43:lower=0,5,0,0,0:upper=0,0,0,0,4:fill=3",
        "s32:gbaedfc:2x1x1x4x2x5x1 s8:cdbgAfe8a:upper=0,1,0,1,1,0,1:fill=1",
        "f32:oihw:33x9x3x3 s8:OIhw4i16o4i:lower=0,2,1,0:upper=0,0,0,30:fill=1",
        "s32:oihw:64x6x3x3 s8:OIhw2i8o4i:upper=0,0,1,30",
    ];
    // Where permutations take long, rows are converted before tiles take them apart.
    let made = |_| {
        let slow = |mut target: Target| {
            for parts in [&mut target.ports.narrow, &mut target.ports.wide] {
                (parts.shuffle, parts.across) = (80, 80);
            }
            (target, Locality::Auto)
        };
        targets().into_iter().map(slow).collect()
    };
    moved_right(&pairs, made, &[0], "rows converted first");
}
