//! Values as the caller gave them, a register of them at once. In: where the values of units lie. Out: all that lie
//! near one another loaded together, no others with them, and made ready; each unit picks its own.

use std::rc::Rc;

use smallvec::SmallVec;

use super::super::evex::{Evex, Rm, V};
use super::super::held::Needs;
use super::values::{Index, Pattern, index, near};
use super::{Deed, VALUES, Work};

impl Work<'_, '_> {
    /// From where on a register has room for all of a unit's values, if they were not made ready.
    pub(super) fn near_given(&self, operand: usize, offsets: &[Option<i32>], v: V) -> Option<i32> {
        let own = self.convert.raw[operand] && self.a.masks();
        near(offsets, v.width.bytes()).filter(|_| own)
    }

    /// A unit's values, out of the register that holds them, or that is loaded for them.
    pub(super) fn pick_given(&mut self, t: V, operand: usize, offsets: &[Option<i32>], first: i32) {
        if let Some(all) = self.held.values.register(operand, first) {
            let held = self.held.values.index(&index(offsets, first));
            let index = held.unwrap_or_else(|| {
                self.load_index(t, offsets, first);
                t
            });
            return self.a.ops.vpermd(t, index, all);
        }
        self.load_given(t, operand, (first, lanes(offsets, first)));
        let index = self.temp(4, t.width);
        self.load_index(index, offsets, first);
        self.a.ops.vpermd(t, index, t);
    }

    /// Values from one on, those that there are, ready.
    pub(super) fn load_given(&mut self, t: V, operand: usize, (first, own): (i32, u64)) {
        let m = self.a.place(self.convert.registers[operand], first as isize);
        self.row(t, m, own);
        self.ready(t, operand);
    }

    /// Holds registers of values that several units pick theirs from, of the operands that are asked for.
    pub(super) fn hold_given(&mut self, asked: impl Fn(usize) -> bool) {
        let needs = Rc::clone(&self.held.needs);
        let asked_for = |own: &&Picked| asked(own.operand);
        for &Picked { operand, first, lanes, .. } in self.picked(&needs).iter().filter(asked_for) {
            let known = &self.held.values;
            if known.register(operand, first).is_some() || !known.has_room(1) {
                continue;
            }
            let place = self.place();
            let t = self.made_in(place, 3);
            self.load_given(t, operand, (first, lanes));
            self.keep_in(place, t);
            self.held.values.add_register(operand, first, place);
        }
    }

    /// Holds which values units pick each time round, of the operands that are asked for, in registers that these
    /// values leave.
    pub(super) fn hold_indices(&mut self, asked: impl Fn(usize) -> bool) {
        let needs = Rc::clone(&self.held.needs);
        let all = || self.picked(&needs).iter().filter(|own| asked(own.operand));
        let values = all().count();
        for index in all().flat_map(|own| &own.indices) {
            let known = &self.held.values;
            if known.index(index).is_some() || !known.has_registers(values + 1) {
                continue;
            }
            if let Rm::V(v) = self.place() {
                let m = self.a.constant(index);
                self.a.vmovdqu(v, m);
                self.held.values.add_index(index.clone(), v);
            }
        }
    }

    /// The registers of values, as the caller gave them, that several units pick theirs from; looked for once.
    fn picked<'n>(&self, needs: &'n Needs) -> &'n [Picked] {
        needs.picked.get_or_init(|| self.picked_from(&needs.script))
    }

    fn picked_from(&self, script: &[Deed]) -> Vec<Picked> {
        let (unit, present) = (self.unit(), self.convert.arith.present());
        let own = |value: &usize| present[*value] && self.convert.raw[VALUES[*value]];
        let values: SmallVec<[usize; 4]> = (0..VALUES.len()).filter(own).collect();
        let mut all = Vec::<Picked>::new();
        if values.is_empty() || self.convert.bytewise.is_some() {
            return all;
        }
        let v = self.temp(0, unit.width);
        self.each_unit(script, &values, |value, pattern| {
            let Pattern::Any(offsets) = &pattern else { return };
            let operand = VALUES[value];
            let Some(first) = self.near_given(operand, offsets, v) else { return };
            let (lanes, index) = (lanes(offsets, first), index(offsets, first));
            match all.iter_mut().find(|own| (own.operand, own.first) == (operand, first)) {
                Some(own) => {
                    own.lanes |= lanes;
                    own.indices.push(index);
                }
                None => all.push(Picked { operand, first, lanes, indices: vec![index] }),
            }
        });
        all.retain(|own| own.indices.len() > 1);
        all
    }
}

/// A register of values that several units pick theirs from.
pub(in super::super) struct Picked {
    operand: usize,
    /// Where its first value lies.
    first: i32,
    /// Which of them units pick, by number.
    lanes: u64,
    /// Which of them each unit picks.
    indices: Vec<Index>,
}

/// Which values are picked out of a register, by number.
fn lanes(offsets: &[Option<i32>], first: i32) -> u64 {
    offsets.iter().flatten().fold(0, |lanes, at| lanes | 1 << ((at - first) / 4))
}
