//! Masks of lines that convert. In: what a line does. Out: the masks that it asks for, so that those which are asked
//! for most are held while a sequence runs.

use super::super::bits::{every, spread};
use super::super::edges;
use super::super::moves::Moves;
use super::{Convert, Deed, Part, Piece, Source, Unit, width};

impl Convert {
    /// Calls `want` with each mask that a line asks for, in registers of `most` bytes that have masks.
    pub(in super::super) fn masks(
        &self,
        moves: &Moves<'_>,
        deed: &Deed,
        most: usize,
        want: &mut impl FnMut(u64),
    ) {
        let unit = self.unit(moves.program.lanes, most);
        match deed {
            Deed::Load(pieces, keeps) => {
                self.masks_of_load(unit, pieces, want);
                if *keeps {
                    let bytes = pieces.iter().fold(0, |all, p| all | moves.span(p.place, p.count));
                    want(edges::grained(bytes, moves.width(), 4).1);
                }
            }
            Deed::Repeat(piece) => self.masks_of_load(unit, std::slice::from_ref(piece), want),
            Deed::Store(piece, source) if self.bytewise.is_none() => {
                self.masks_of_store(unit, piece, source, want);
            }
            Deed::Store(..) | Deed::Plain | Deed::Nothing | Deed::Windows(_) => {}
        }
    }

    fn masks_of_load(&self, unit: Unit, pieces: &[Piece], want: &mut impl FnMut(u64)) {
        let halves = self.halves(unit);
        let units = if self.is_few(unit, pieces) { 1 } else { unit.count };
        // Two halves are loaded once.
        for u in (0..units).step_by(if halves { 2 } else { 1 }) {
            let parts = self.parts_of(pieces, unit.loaded(halves, u));
            masks_of_parts(unit, &parts, self.from.size(), halves, want);
        }
    }

    /// Of units that are stored each for itself; few are joined.
    fn masks_of_store(
        &self,
        unit: Unit,
        piece: &Piece,
        source: &Source,
        want: &mut impl FnMut(u64),
    ) {
        let [from, to] = self.sizes();
        let read = matches!(source, Source::Memory(_) | Source::Runs(_)).then_some(from);
        let added = self.arith.sum.map(|_| to);
        for own in (0..unit.count).map(|u| unit.own(piece, u)).filter(|own| !own.is_empty()) {
            let first = own.start % unit.per;
            let part = Part { base: 0, at: 0, first, count: own.len() };
            for size in [read, added].into_iter().flatten() {
                masks_of_parts(unit, &[part], size, false, want);
            }
            let bytes = spread(every(own.len()) << first, to);
            edges::store_mask(bytes, width(unit.per * to).bytes()).into_iter().for_each(&mut *want);
        }
    }
}

/// Of a unit that is loaded in parts, of elements of so many bytes, or of two halves.
fn masks_of_parts(
    unit: Unit,
    parts: &[Part],
    size: usize,
    halves: bool,
    want: &mut impl FnMut(u64),
) {
    if halves || size == unit.element {
        for (i, part) in parts.iter().enumerate() {
            let bytes = every(part.count * size) << (part.first * size);
            edges::load_mask(bytes, unit.width.bytes(), i > 0).into_iter().for_each(&mut *want);
        }
    } else if !matches!(parts, [part] if part.first == 0 && part.count == unit.per) {
        parts.iter().for_each(|part| want(every(part.count) << part.first));
    }
}
