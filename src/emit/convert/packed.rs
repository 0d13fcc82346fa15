//! Registers left as they are packed. In: a sequence whose loads pack units. Out: the same, whose permutations take
//! whole registers out of the order that packing leaves them in, if these are all that reads them: to put them in order
//! first would be a permutation more.

use smallvec::SmallVec;

use super::{Convert, Deed, Piece};
use crate::shuffle::{NONE, Op, Program, Table};
use crate::target::Tier;

impl Convert {
    /// None where something else reads a whole register, or there is none.
    pub(in super::super) fn left_packed(&self, program: &Program, tier: Tier) -> Option<Program> {
        let most = tier.vector();
        let unit = self.unit(program.lanes, most);
        let whole = program.lanes * program.lane == unit.width.bytes();
        if !(self.loads && whole && self.packs(program.lanes, most)) {
            return None;
        }
        let readers = readers_of_packed(program)?;
        let order = self.order_of_lanes(program, tier);
        let mut own = program.clone();
        for number in readers {
            if let Op::Permute { table, .. } = &mut own.lines[number].op {
                *table = taken_from(&mut own.tables, *table, &order);
            }
        }
        Some(own)
    }

    /// Whether any line puts in order what it has packed.
    pub(in super::super) fn orders(&self, script: &[Deed], program: &Program, most: usize) -> bool {
        let left = |piece: &Piece| self.packed && is_whole(program, piece.line);
        let own = |deed: &Deed| match deed {
            Deed::Plain | Deed::Nothing | Deed::Windows(_) => false,
            Deed::Load(pieces, _) => !pieces.iter().all(left),
            Deed::Repeat(_) | Deed::Store(..) => true,
        };
        self.packs(program.lanes, most) && script.iter().any(own)
    }

    /// Where each lane of a register lies as it is packed.
    fn order_of_lanes(&self, program: &Program, tier: Tier) -> SmallVec<[u8; 64]> {
        let order = self.order(program.lanes, tier);
        let entry = self.order_entry(self.unit(program.lanes, tier.vector()), tier);
        let lane = |i: usize| {
            let byte = i * program.lane;
            let from = usize::from(order[byte / entry * entry]) * entry + byte % entry;
            (from / program.lane) as u8
        };
        (0..program.lanes).map(lane).collect()
    }
}

/// The lines that permute bytes of what was packed, if there are any and nothing else reads it.
fn readers_of_packed(program: &Program) -> Option<SmallVec<[usize; 16]>> {
    let bit = |register| if register == NONE { 0 } else { 1u32 << register };
    let mut readers = SmallVec::new();
    // Which registers hold what was packed.
    let mut packed = 0u32;
    for (number, line) in program.lines.iter().enumerate() {
        let [one, two] = line.op.reads().map(bit);
        if packed & (one | two) != 0 {
            let own = matches!(line.op, Op::Permute { grain: 1, .. });
            if !own || packed & two != 0 {
                return None;
            }
            readers.push(number);
        }
        packed &= !bit(line.to);
        if is_whole(program, number) {
            packed |= bit(line.to);
        }
    }
    (!readers.is_empty()).then_some(readers)
}

/// Whether a line loads all lanes of a register, so that units of it are packed.
pub(super) fn is_whole(program: &Program, line: usize) -> bool {
    let all = |count: u8| usize::from(count) == program.lanes;
    matches!(program.lines[line].op, Op::Load { count, keep: NONE, .. } if all(count))
}

/// The table that takes lanes from where they lie, by number; it is there once.
fn taken_from(tables: &mut Vec<Table>, table: u16, order: &[u8]) -> u16 {
    let from = |from: &u8| match *from {
        Table::ZERO => Table::ZERO,
        from => order[usize::from(from)],
    };
    let own = Table(tables[usize::from(table)].0.iter().map(from).collect());
    let known = tables.iter().position(|known| *known == own);
    let at = known.unwrap_or_else(|| {
        tables.push(own);
        tables.len() - 1
    });
    at as u16
}
