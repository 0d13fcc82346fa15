//! Each verb keeps the movement, and those that tidy up do it once and for all. A movement is where each
//! position of a problem comes from and goes to, computed here from nodes, tables and folds alone.

use super::*;

// The random pairs that are fuzzed too.
#[allow(dead_code, unsafe_code, unreachable_pub)]
#[path = "../../tests/fuzzed/pair.rs"]
mod pair;

/// What happens at every position: the destination's byte, and the source's, or which kind of padding.
fn movement(problem: &Problem, bases: &Bases) -> Vec<(isize, Option<isize>, bool)> {
    let mut found = Vec::new();
    let extents: Vec<usize> = problem.lines.iter().map(Line::extent).collect();
    for index in 0..extents.iter().product() {
        let mut rest = index;
        let (mut at, mut role) = (Place::start(problem, bases), (true, true, true));
        for (line, extent) in problem.lines.iter().zip(&extents) {
            let position = rest % extent;
            rest /= extent;
            at.advance(line, position);
            let within = |zone: Zone| zone.range().contains(&position);
            role = (
                role.0 && within(line.owned),
                role.1 && within(line.padded),
                role.2 && within(line.data),
            );
        }
        let (owned, padded, data) = role;
        if owned {
            let (src, dst) = at.bytes(problem);
            found.push((dst, data.then_some(src), padded));
        }
    }
    found.sort_unstable();
    found
}

struct Place {
    at: Strides,
    folds: Vec<isize>,
}

impl Place {
    fn start(problem: &Problem, bases: &Bases) -> Place {
        Place { at: bases.0, folds: problem.folds.iter().map(|fold| fold.start).collect() }
    }

    fn advance(&mut self, line: &Line, mut position: usize) {
        for node in &line.nodes {
            let step = position % node.extent;
            position /= node.extent;
            if let Some(table) = &node.table {
                self.at[0] = self.at[0].wrapping_add(table[step].0);
                self.at[1] = self.at[1].wrapping_add(table[step].1);
            }
            for (at, stride) in self.at.iter_mut().zip(&node.strides) {
                *at = at.wrapping_add(stride.wrapping_mul(step as isize));
            }
            for (fold, steps) in &node.folds {
                let at = &mut self.folds[*fold as usize];
                *at = at.wrapping_add(steps.wrapping_mul(step as isize));
            }
        }
    }

    fn bytes(&self, problem: &Problem) -> (isize, isize) {
        let (mut src, mut dst) = (self.at[0], self.at[1]);
        for (fold, position) in problem.folds.iter().zip(&self.folds) {
            let (top, rest) = fold.digits.split_last().unwrap();
            let (mut position, mut bytes) = (*position, 0isize);
            for (radix, stride) in rest {
                bytes = bytes.wrapping_add(position.rem_euclid(*radix).wrapping_mul(*stride));
                position = position.div_euclid(*radix);
            }
            let bytes = bytes.wrapping_add(position.wrapping_mul(top.1));
            let at = if fold.dst { &mut dst } else { &mut src };
            *at = at.wrapping_add(bytes);
        }
        (src, dst)
    }
}

/// What the two layouts say by themselves.
fn expected(src: &Layout, dst: &Layout) -> Vec<(isize, Option<isize>, bool)> {
    let (from, to) = (src.dtype().size() as isize, dst.dtype().size() as isize);
    let cell = |cell: crate::Cell| {
        let coords = &cell.coords[..dst.rank()];
        let element = cell.role == crate::Role::Element;
        let at = element.then(|| src.offset_of(coords).unwrap() as isize * from);
        (cell.offset as isize * to, at, cell.role != crate::Role::Tail)
    };
    let mut cells: Vec<_> = dst.cells().map(cell).collect();
    cells.sort_unstable();
    cells
}

const PAIRS: [(&str, &str); 16] = [
    ("f32:nchw:2x3x4x5", "nhwc"),
    ("u8:nchw:1x17x3x5", "nChw8c"),
    ("u8:nChw8c:1x17x3x5", "nchw"),
    ("u8:nChw8c:2x17x2x2", "nChw16c:upper=0,2,1,0:fill=3"),
    ("u16:aB12b:3x50", "aB16b"),
    ("u8:abc:2x50x3", "digits(abc; a%3 b/7 c a/3 b%7)"),
    ("u8:AB6a4b:13x9", "BA4b10a"),
    ("u8:aB1000b:1x3000", "digits(ab; a b/997 b%997)"),
    ("u8:nchw:1x9x5x5", "bf8_xy16"),
    ("u8:nhwc:1x9x5x5:in=1x9x6x7:at=0,0,1,1", "digits(abcd; a b/8 cd/6 b%8 cd%6)"),
    ("u8:bf8_xy16:1x9x5x5", "nchw:lower=0,0,1,2:upper=0,1,0,0:fill=7"),
    ("u8:ab:6x7", "digits(ab; a/4 b a%4; flip a b)"),
    ("f32:strides(1,0):4x5", "ba"),
    ("u8:strides(-7,1):4x7:offset=21", "strides(9,-1):offset=8"),
    ("u8:aB16b:2x20:in=2x48:at=0,9", "aB16b"),
    ("u8:digits(ab; ab/5 ab%5):4x6", "digits(ab; ba%7 ba/7)"),
];

/// The pairs above, and random ones that a destination can be.
fn pairs() -> impl Iterator<Item = (Layout, Layout)> {
    let named = PAIRS.iter().map(|(src, dst)| {
        let src: Layout = src.parse().unwrap();
        let dst = src.destination(dst).unwrap();
        (src, dst)
    });
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let (draws, most) = if cfg!(miri) { (2, 30) } else { (4000, 6000) };
    let random = (0..draws).filter_map(move |_| {
        let bytes = std::array::from_fn::<u8, 160, _>(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u8
        });
        let (src, dst, _) = pair::decode(&mut pair::Choices(&bytes))?;
        let possible = !dst.is_empty() && Attr::new().sizes(&src, &dst).is_ok();
        possible.then_some((src, dst))
    });
    named.chain(random).filter(move |(_, dst)| dst.size_elements() < most)
}

/// Problems before any verb, each with its pair.
fn strands() -> impl Iterator<Item = (Layout, Layout, Problem, Bases)> {
    pairs().map(|(src, dst)| {
        let attr = Attr::new();
        let sizes = attr.sizes(&src, &dst).unwrap();
        let mut bases = Bases::default();
        let mut problem = Problem {
            src: src.dtype(),
            dst: dst.dtype(),
            arith: attr.arith(),
            src_between: Between::Anything,
            fill: 0,
            lines: Vec::new(),
            folds: Vec::new(),
            tails: Vec::new(),
        };
        strand::lines(&mut problem, &mut bases, &src, &dst, &attr, &sizes).unwrap();
        (src, dst, problem, bases)
    })
}

/// The movement without the padding that tails stand for, which is beside the lines.
fn without_tails(
    all: Vec<(isize, Option<isize>, bool)>,
    problem: &Problem,
    bases: &Bases,
) -> Vec<(isize, Option<isize>, bool)> {
    let lines: Vec<isize> = movement(problem, bases).into_iter().map(|at| at.0).collect();
    all.into_iter()
        .filter(|at| problem.tails.is_empty() || lines.binary_search(&at.0).is_ok())
        .collect()
}

#[test]
fn refining_keeps_the_map() {
    let mut pairs = 0;
    for (src, dst, problem, bases) in strands() {
        pairs += 1;
        let expected = without_tails(expected(&src, &dst), &problem, &bases);
        assert_eq!(movement(&problem, &bases), expected, "{src} {dst}\n{problem}");
    }
    assert!(pairs > 500 || cfg!(miri), "only {pairs} pairs");
}

#[test]
fn every_verb_keeps_the_movement() {
    type Verb = fn(&mut Problem, &mut Bases);
    let verbs: [(&str, Verb); 5] = [
        ("split", |problem, _| problem.split()),
        ("drop", |problem, bases| problem.drop_ones(bases)),
        ("folds", |problem, bases| problem.settle_folds(bases)),
        ("fuse", |problem, _| problem.fuse()),
        ("order", |problem, _| problem.order()),
    ];
    for (src, dst, mut problem, mut bases) in strands() {
        let expected = movement(&problem, &bases);
        for (name, verb) in verbs {
            verb(&mut problem, &mut bases);
            assert_eq!(movement(&problem, &bases), expected, "{name}: {src} {dst}\n{problem}");
        }
    }
}

#[test]
fn tidying_up_is_done_once() {
    for (src, dst, ..) in strands() {
        let (problem, bases) = Problem::new(&src, &dst, &Attr::new()).unwrap();
        let (mut again, mut same) = (problem.clone(), bases);
        again.split();
        again.drop_ones(&mut same);
        again.settle_folds(&mut same);
        again.fuse();
        again.order();
        assert_eq!((&again, same), (&problem, bases), "{src} {dst}");
    }
}

#[test]
fn lines_split_fuse_and_vanish() {
    let problem = |src: &str, dst: &str| {
        let src: Layout = src.parse().unwrap();
        Problem::new(&src, &src.destination(dst).unwrap(), &Attr::new()).unwrap().0.to_string()
    };
    // Rows and columns fuse, the batch of one vanishes: a transposed matrix.
    assert_eq!(
        problem("f32:nchw:1x64x56x56", "nhwc"),
        "s32>s32 src-dense 3136(s4,d256) 64(s12544,d4)"
    );
    // Whole blocks are two lines, blocks with a tail are one of two nodes.
    assert_eq!(problem("u8:ab:3x8", "Ba4b"), "u8>u8 src-dense 2(s4,d12) 3(s8,d4) 4(s1,d1)");
    assert_eq!(
        problem("u8:ab:3x6", "Ba4b"),
        "u8>u8 src-dense 3(s6,d4) 2(s4,d12)*4(s1,d1)[0..8|0..6|0..6]"
    );
    // What lies between elements is said where it is known, and where it is no one else's.
    assert_eq!(problem("u8:Ba4b:3x6", "ba").split(' ').nth(1), Some("src-padding"));
    assert_eq!(problem("u8:strides(8,1):3x6", "ba").split(' ').nth(1), Some("6(s1,d3)"));
    // Nothing but one element.
    assert_eq!(problem("u8:ab:1x1", "ba"), "u8>u8 src-dense 1(s0,d0)");
}
