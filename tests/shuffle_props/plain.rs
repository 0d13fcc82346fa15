//! The plain merge that nothing should be longer than. It is a sequence like any other, which moves the
//! tile and is legal on the target, so that its cost is an honest one:
//!
//! - A row is a run of destination places, cut to a register. A piece is a run of source places, cut to a
//!   register.
//! - For each row, each piece that it needs is loaded and permuted into place, in the form that costs
//!   least; then the row is stored. A piece that is a row already is not permuted.
//! - Where lanes can be masked, a permutation writes its lanes alone. Where not, they are blended, or ored
//!   with zeros around them.
//! - Where no permutation moves so few bytes across blocks of 16 (bytes without VBMI, words on AVX2), a
//!   piece takes steps: its blocks are put where they are needed, and its lanes permuted within these. A
//!   row takes as many steps as one of its blocks needs blocks of the piece; the first step is without the
//!   blocks' move where that saves it.

use std::collections::{BTreeMap, BTreeSet};

use retile::Target;
use retile::shuffle::{Change, Cost, Line, Movement, NONE, Op, Program, Reg, Table};

struct Naive<'a> {
    target: &'a Target,
    lane: usize,
    lanes: usize,
    lines: Vec<Line>,
    tables: Vec<Table>,
}

/// What a lane of a row wants of a piece.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Want {
    /// This lane of it.
    Lane(usize),
    /// Nothing: another piece's.
    Other,
    /// Anything: padding, or past the row's end.
    Free,
}

/// The row so far, the piece, and what is on its way from one to the other.
const ROW: Reg = 0;
const PIECE: Reg = 1;
const MOVED: Reg = 2;
const PLACED: Reg = 3;

fn runs(places: impl IntoIterator<Item = isize>, size: usize, most: usize) -> Vec<Vec<isize>> {
    let places: BTreeSet<isize> = places.into_iter().collect();
    let size = size as isize;
    let mut all = Vec::new();
    for &start in places.iter().filter(|&&place| !places.contains(&(place - size))) {
        let run: Vec<isize> =
            (0..).map(|i| start + i * size).take_while(|place| places.contains(place)).collect();
        all.extend(run.chunks(most).map(<[_]>::to_vec));
    }
    all
}

pub(crate) fn naive(movement: &Movement, target: &Target) -> Program {
    let lane = movement.lane;
    let lanes = target.tier.vector() / lane;
    let mut naive = Naive { target, lane, lanes, lines: Vec::new(), tables: Vec::new() };
    let map: BTreeMap<isize, Option<isize>> = movement.places().into_iter().collect();
    let pieces = runs(map.values().flatten().copied(), movement.src_size, lanes);
    let of_place: BTreeMap<isize, (usize, usize)> = pieces
        .iter()
        .enumerate()
        .flat_map(|(p, piece)| piece.iter().enumerate().map(move |(i, &place)| (place, (p, i))))
        .collect();
    for row in runs(map.keys().copied(), movement.dst_size, lanes) {
        let wanted: Vec<Option<(usize, usize)>> =
            row.iter().map(|place| map[place].map(|src| of_place[&src])).collect();
        let blank = wanted.iter().enumerate().filter(|(_, want)| want.is_none());
        let blank = blank.fold(0u64, |mask, (i, _)| mask | 1 << i);
        let needed: BTreeSet<usize> = wanted.iter().flatten().map(|&(p, _)| p).collect();
        let in_place = wanted.iter().enumerate().all(|(i, want)| want.is_none_or(|w| w.1 == i));
        let from = match needed.len() {
            0 => NONE,
            1 if in_place => PIECE,
            _ => ROW,
        };
        let wants_of = |p: usize| {
            let want = |i: usize| match wanted.get(i) {
                Some(Some((piece, lane))) if *piece == p => Want::Lane(*lane),
                Some(Some(_)) => Want::Other,
                _ => Want::Free,
            };
            (0..lanes).map(want).collect::<Vec<Want>>()
        };
        let load = |p: usize| {
            let (at, count) = (pieces[p][0], pieces[p].len() as u8);
            Op::Load { at, place: 0, count, keep: NONE }
        };
        if from == PIECE {
            needed.iter().for_each(|&p| naive.push(PIECE, load(p)));
        } else {
            let needs: Vec<_> = needed.iter().map(|&p| (load(p), wants_of(p))).collect();
            naive.gather(&needs);
        }
        let (at, count) = (row[0], row.len() as u8);
        naive.push(NONE, Op::Store { a: from, at, place: 0, count, blank });
    }
    let Naive { lines, tables, .. } = naive;
    Program { lanes, lane, lines, tables, registers: 4, ..Program::default() }
}

impl Naive<'_> {
    fn push(&mut self, to: Reg, op: Op) {
        self.lines.push(Line { to, op });
    }

    fn table(&mut self, table: Vec<u8>) -> u16 {
        let table = Table(table.into());
        let known = self.tables.iter().position(|known| *known == table);
        known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        }) as u16
    }

    fn cost(&self, from: usize) -> u64 {
        let ops = self.lines[from..].iter().map(|line| &line.op);
        Cost::of(ops, self.lane, self.lane * self.lanes, Change::default(), self.target)
            .cycles(self.target)
    }

    /// A row from its pieces, the cheaper way. What is ored needs zeros around it, which a permutation
    /// at once does not leave: where lanes cannot be masked, all pieces of a row go one way.
    fn gather(&mut self, needs: &[(Op, Vec<Want>)]) {
        let before = self.lines.len();
        let grains: Vec<_> = needs.iter().map(|(_, wants)| self.grain(wants)).collect();
        let mut cheapest: Option<(u64, Vec<Line>)> = None;
        let masks = self.target.tier.masks();
        for at_once in [false, true] {
            for (nth, ((load, wants), &grain)) in needs.iter().zip(&grains).enumerate() {
                self.push(PIECE, *load);
                match grain {
                    Some(grain) if at_once => self.at_once(wants, grain, nth == 0),
                    _ => self.in_steps(wants, nth == 0),
                }
            }
            let cost = self.cost(before);
            let lines = self.lines.split_off(before);
            let possible = !at_once || masks || grains.iter().all(Option::is_some);
            if possible && cheapest.as_ref().is_none_or(|(least, _)| cost < *least) {
                cheapest = Some((cost, lines));
            }
        }
        self.lines.extend(cheapest.into_iter().flat_map(|(_, lines)| lines));
    }

    fn every(&self) -> u64 {
        u64::MAX >> (64 - self.lanes)
    }

    fn mask(wants: &[Want]) -> u64 {
        let lanes = wants.iter().enumerate().filter(|(_, want)| matches!(want, Want::Lane(_)));
        lanes.fold(0, |mask, (i, _)| mask | 1 << i)
    }

    /// The widest groups that the lanes move in, if the target permutes these across blocks.
    fn grain(&self, wants: &[Want]) -> Option<usize> {
        let fits = |grain: usize| {
            wants.chunks(grain).all(|wants| {
                let other = wants.contains(&Want::Other);
                let starts: BTreeSet<Option<usize>> = wants
                    .iter()
                    .enumerate()
                    .filter_map(|(i, want)| match want {
                        Want::Lane(lane) => Some(lane.checked_sub(i)),
                        _ => None,
                    })
                    .collect();
                let aligned = |start: &Option<usize>| start.is_some_and(|s| s % grain == 0);
                starts.is_empty() || !other && starts.len() == 1 && starts.iter().all(aligned)
            })
        };
        let grains = [8, 4, 2, 1].into_iter().filter(|grain| grain * self.lane <= 8);
        let permuted = |&grain: &usize| grain * self.lane >= self.target.tier.permute_grain();
        grains.filter(permuted).find(|&grain| fits(grain))
    }

    fn at_once(&mut self, wants: &[Want], grain: usize, first: bool) {
        let mut table: Vec<u8> = (0..self.lanes as u8).collect();
        let mut mask = 0u64;
        for (group, wants) in wants.chunks(grain).enumerate() {
            for (i, want) in wants.iter().enumerate() {
                if let Want::Lane(lane) = want {
                    for k in 0..grain {
                        table[group * grain + k] = (lane - i + k) as u8;
                        mask |= 1 << (group * grain + k);
                    }
                }
            }
        }
        let (table, grain, every) = (self.table(table), grain as u8, self.every());
        let permute = |mask, keep| Op::Permute { a: PIECE, table, grain, mask, keep };
        match (first, self.target.tier.masks()) {
            (true, _) => self.push(ROW, permute(every, NONE)),
            (false, true) => self.push(ROW, permute(mask, ROW)),
            (false, false) => {
                self.push(PLACED, permute(every, NONE));
                self.push(ROW, Op::Blend { a: ROW, b: PLACED, mask });
            }
        }
    }

    fn in_steps(&mut self, wants: &[Want], first: bool) {
        let block = 16 / self.lane;
        let blocks = self.lanes / block;
        // The piece's blocks that each of the row's blocks needs.
        let mut needs: Vec<Vec<usize>> = vec![Vec::new(); blocks];
        for (i, want) in wants.iter().enumerate() {
            if let Want::Lane(lane) = want {
                let (to, from) = (i / block, lane / block);
                if !needs[to].contains(&from) {
                    needs[to].push(from);
                }
            }
        }
        let most = |needs: &[Vec<usize>]| needs.iter().map(Vec::len).max().unwrap_or(0);
        let mut away = needs.clone();
        away.iter_mut().enumerate().for_each(|(to, from)| from.retain(|&from| from != to));
        let home = (0..blocks).map(|to| needs[to].contains(&to).then_some(to)).collect();
        let mut steps: Vec<Vec<Option<usize>>> = Vec::new();
        // Each step is two operations, the one at home a single one.
        let needs = match most(&away) < most(&needs) {
            true => {
                steps.push(home);
                away
            }
            false => needs,
        };
        steps.extend((0..most(&needs)).map(|step| {
            let from = |to: usize| needs[to].get(step).copied();
            (0..blocks).map(from).collect()
        }));
        for (nth, step) in steps.into_iter().enumerate() {
            self.step(wants, &step, first && nth == 0);
        }
    }

    /// One step: for each of the row's blocks what it takes of a block of the piece.
    fn step(&mut self, wants: &[Want], step: &[Option<usize>], first: bool) {
        let block = 16 / self.lane;
        let mut a = PIECE;
        if step.iter().enumerate().any(|(to, from)| from.is_some_and(|from| from != to)) {
            let mut pick = [u8::MAX; 4];
            for (to, from) in step.iter().enumerate() {
                pick[to] = from.unwrap_or(to) as u8;
            }
            self.push(MOVED, Op::Blocks { a: PIECE, b: PIECE, pick });
            a = MOVED;
        }
        let mine = |(i, want): (usize, &Want)| match *want {
            Want::Lane(lane) if step[i / block] == Some(lane / block) => Want::Lane(lane),
            _ => Want::Other,
        };
        let wants: Vec<Want> = wants.iter().enumerate().map(mine).collect();
        let lane = |(i, want): (usize, &Want)| match want {
            Want::Lane(lane) => (i / block * block + lane % block) as u8,
            _ => Table::ZERO,
        };
        let table = wants.iter().enumerate().map(lane).collect();
        let (table, mask, every) = (self.table(table), Self::mask(&wants), self.every());
        match (first, self.target.tier.masks()) {
            (true, _) => self.push(ROW, Op::Within { a, table, mask: every, keep: NONE }),
            (false, true) => self.push(ROW, Op::Within { a, table, mask, keep: ROW }),
            (false, false) => {
                self.push(PLACED, Op::Within { a, table, mask: every, keep: NONE });
                self.push(ROW, Op::Or { a: ROW, b: PLACED });
            }
        }
    }
}
