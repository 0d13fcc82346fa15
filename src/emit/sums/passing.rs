//! Rows that are added up as they are stored. In: classes of rows, and the order in which a sequence stores them. Out:
//! for each store the registers that its row is added to, and which sums are met once it is.
//!
//! A register adds up the rows of a class, from the first one on until its sums meet those in memory, and is another
//! class's then. What is added up so need not be read again, which past the caches would take long.

use std::ops::Range;

use smallvec::SmallVec;

use super::super::asm::Asm;
use super::super::bits::every;
use super::super::edges;
use super::super::evex::{Evex, V, Width};
use super::super::held::Held;
use super::{Adding, Fours, Rows, Sums};
use crate::plan::sums::{Class, Order, Row, Together, groups};
use crate::shuffle::{Line, Op, Program};
use crate::target::Tier;

/// How rows are added up as they are stored, where registers are as wide as lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Passing {
    /// What each store does, by number: one row comes to a class of each kind of sums.
    stores: Vec<SmallVec<[Step; 2]>>,
    /// Which register adds up each class, and how many there are.
    adds: Vec<u8>,
    count: u8,
    /// The order in which lanes are brought together, where they are.
    order: Option<Order>,
}

/// A row comes to a class.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    class: usize,
    row: usize,
    /// Classes that meet their sums then.
    completes: Range<usize>,
}

/// Registers as they are given out to classes.
#[derive(Default)]
struct Registers {
    count: u8,
    free: Vec<u8>,
    /// Free once a store is done with.
    left: Vec<u8>,
}

impl Registers {
    fn take(&mut self) -> u8 {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }

    fn go_on(&mut self) {
        self.free.append(&mut self.left);
    }
}

fn rows_of(classes: &[Class]) -> usize {
    classes.iter().map(|class| class.rows.len()).sum()
}

/// All rows, by the number of their stores, their classes, and which of these they are.
fn rows(classes: &[Class]) -> Vec<(usize, usize, usize)> {
    let of = |(class, own): (usize, &Class)| {
        let rows = own.rows.iter().enumerate();
        rows.map(|(row, Row { number, .. })| (*number, class, row)).collect::<Vec<_>>()
    };
    let mut rows: Vec<_> = classes.iter().enumerate().flat_map(of).collect();
    rows.sort_unstable();
    rows
}

/// The registers of a sequence that adds up rows as they are stored.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Adders {
    first: u8,
}

impl Passing {
    /// None where lanes are added up singly or by twos, or brought together in several orders, or rows start further
    /// in.
    pub(in super::super) fn of(
        classes: &[Class],
        program: &Program,
        tier: Tier,
    ) -> Option<Passing> {
        let order = classes.iter().find_map(|class| class.together.order());
        let alike = |class: &Class| match &class.together {
            Together::Fours => true,
            Together::Brought(own) => Some(own) == order,
            Together::Twos | Together::Singles => false,
        };
        let whole = |line: &Line| !matches!(line.op, Op::Store { place: 1.., .. });
        if !classes.iter().all(alike) || !program.lines.iter().all(whole) {
            return None;
        }
        let groups: Vec<Range<usize>> = groups(classes, tier).collect();
        let mut left: Vec<usize> =
            groups.iter().map(|own| rows_of(&classes[own.clone()])).collect();
        let mut registers = Registers::default();
        let mut adds: Vec<Option<u8>> = vec![None; classes.len()];
        let mut stores: Vec<SmallVec<[Step; 2]>> = Vec::new();
        for (number, class, row) in rows(classes) {
            if stores.len() <= number {
                stores.resize(number + 1, SmallVec::new());
                registers.go_on();
            }
            adds[class].get_or_insert_with(|| registers.take());
            let group = groups.iter().position(|own| own.contains(&class))?;
            left[group] -= 1;
            let completes = if left[group] == 0 { groups[group].clone() } else { 0..0 };
            registers.left.extend(adds[completes.clone()].iter().flatten());
            stores[number].push(Step { class, row, completes });
        }
        let adds = adds.into_iter().collect::<Option<Vec<u8>>>()?;
        Some(Passing { stores, adds, count: registers.count, order: order.cloned() })
    }

    /// Registers that add up, and those of the ones and of the order.
    fn registers(&self) -> usize {
        usize::from(self.count) + 1 + usize::from(self.order.is_some())
    }

    /// Takes registers of those that are free, if they are enough, and loads what never changes.
    pub(in super::super) fn start(&self, a: &mut Asm, free: &mut Range<u8>) -> Option<Adders> {
        if free.len() < self.registers() {
            return None;
        }
        free.end -= self.registers() as u8;
        let adders = Adders { first: free.end };
        let ones = a.constant(&[1; 64]);
        a.vmovdqu(adders.ones(), ones);
        if let Some(order) = &self.order {
            let order = a.constant(order);
            a.vmovdqu(adders.order(), order);
        }
        Some(adders)
    }
}

impl Adders {
    fn ones(self) -> V {
        V { number: self.first, width: Width::Z }
    }

    fn order(self) -> V {
        V { number: self.first + 1, width: Width::Z }
    }

    /// That of a class.
    fn adds(self, passing: &Passing, class: usize) -> V {
        let before = 1 + u8::from(passing.order.is_some());
        V { number: self.first + before + passing.adds[class], width: Width::Z }
    }
}

impl Sums {
    /// A row that has just been stored, by number, is added up, and sums that are complete are met.
    pub(in super::super) fn pass(&self, a: &mut Asm, held: &mut Held, (v, number): (V, usize)) {
        let (Some(passing), Some(adders)) = (&self.passing, held.adders) else { return };
        let Some(steps) = passing.stores.get(number) else { return };
        let mut adding = Adding { a, held, sums: self, rows: Rows::Passing };
        for Step { class, row, .. } in steps {
            // The register may be one of those that are there for a moment.
            let t = adding.temp(usize::from(v.number == adding.temp(0).number));
            let bytes = adding.whole(t, v, &self.classes[*class].rows[*row]);
            let brought = match self.classes[*class].together.order() {
                None => bytes,
                Some(_) => {
                    match adding.a.tier.permute_grain() {
                        1 => adding.a.ops.vpermb(t, adders.order(), bytes),
                        _ => adding.a.vpshufb(t, bytes, adders.order()),
                    }
                    t
                }
            };
            let sum = adders.adds(passing, *class);
            let first = *row == 0;
            adding.a.vpmaddubsw(if first { sum } else { t }, adders.ones(), brought);
            if !first {
                adding.a.vpaddw(sum, sum, t);
            }
        }
        for Step { completes, .. } in steps {
            let words: SmallVec<[V; 4]> =
                completes.clone().map(|class| adders.adds(passing, class)).collect();
            match &self.classes[completes.clone()] {
                [] => {}
                [class] => adding.met(class, words[0]),
                several => adding.together(several, &words),
            }
        }
    }
}

impl Adding<'_> {
    /// All lanes of a row, those that are no elements zero.
    fn whole(&mut self, t: V, v: V, row: &Row) -> V {
        let v = V { width: Width::Z, ..v };
        if row.elements == every(Width::Z.bytes()) {
            return v;
        }
        edges::only(self.a, self.held, t, v, row.elements);
        t
    }

    /// Words that lanes by fours were added up to meet their sums.
    fn met(&mut self, class: &Class, words: V) {
        let fours = Fours { sum: self.temp(0), each: self.each(&class.kinds) };
        self.by_fours(fours, words);
        self.meet_groups(class, fours);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Attr;
    use crate::plan::sums::classes;
    use crate::plan::{Locality, planned_by};

    /// Registers that add up rows of the largest tile of a pair, if they are added up as they are stored; sums of both
    /// kinds are masked along these dims.
    fn adds(src: &str, dst: &str, s8s8: u32, zero_point: Option<u32>) -> Option<u8> {
        let attr = Attr::new().s8s8_compensation(s8s8);
        let attr = zero_point.map_or(attr.clone(), |mask| attr.asymmetric_compensation(mask));
        let (pair, target) = (format!("{src} {dst}"), "zen4".parse().unwrap());
        let plan = planned_by(&pair, &attr, target, Locality::Auto);
        let nest = plan.nests().find(|nest| nest.tiling.is_some()).unwrap();
        let tile = &nest.tiling.as_ref().unwrap().tiles[0];
        let classes = classes(&plan.problem, plan.target.tier, nest, tile);
        Passing::of(&classes, &tile.found.program, plan.target.tier).map(|passing| passing.count)
    }

    /// One register where all rows belong to the same sums, or each meets its own at once; as many as meet together.
    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn registers_go_from_class_to_class() {
        assert_eq!(adds("s8:ab:384x384", "s8:BA16b64a4b", 1, None), Some(1));
        assert_eq!(adds("s8:ab:384x384", "s8:BA16a64b4a", 2, None), Some(1));
        assert_eq!(adds("s8:ab:384x384", "s8:BA16b64a4b", 2, None), Some(4));
        assert_eq!(adds("s8:ab:384x384", "s8:BA16b64a4b", 1, Some(2)), Some(5));
    }

    #[test]
    #[cfg_attr(miri, ignore = "long")]
    fn lanes_for_themselves_and_parts_of_registers_do_not_pass() {
        assert_eq!(adds("s8:ab:300x300", "s8:ab", 2, None), None);
        assert_eq!(adds("u8:ab:9x16", "s8:ba", 1, None), None);
    }
}
