//! Bytes looked up. In: a register of bytes, and a table of what each of all bytes becomes, or one of the lower and one
//! of the upper byte of it. Out: what these become.
//!
//! A permutation out of two registers finds one of 128 bytes, by the seven lower bits; the highest bit says whether it
//! was to be found there or in the other two. The code makes the table as it starts, in slots of the frame.

use super::super::bits::{every, spread};
use super::super::evex::{Evex, MOMENT, Mem, Rm, V, Width};
use super::super::frame::spill;
use super::super::held::Constant;
use super::{Convert, Piece, Source, TABLE, Work};
use crate::plan::Bytewise;

/// Registers that hold a table.
pub(in super::super) const PARTS: usize = 4;

/// Elements of two bytes in a register.
const HALF: usize = 32;

/// The double words of bytes whose results are put together within blocks: those of the first half go below those of
/// the second in each.
pub(in super::super) fn paired() -> Vec<u8> {
    let quads = (0..4).flat_map(|block| [block, block + 4]);
    quads.flat_map(|quad: u32| [2 * quad, 2 * quad + 1]).flat_map(u32::to_le_bytes).collect()
}

impl Convert {
    /// The parts of a table, which are best held, and the order of what is found in two.
    pub(in super::super) fn looks_up(&self) -> impl Iterator<Item = Constant> + use<> {
        let tables = self.bytewise.map_or(0, Bytewise::tables);
        let order = (tables == 2).then_some(Constant::Paired);
        (0..(PARTS * tables) as u8).map(Constant::Table).chain(order)
    }

    /// The slot that a part of a table lies in.
    pub(in super::super) fn table(&self, part: u8) -> Mem {
        spill(self.scratch + TABLE + u16::from(part))
    }
}

impl Work<'_, '_> {
    /// What bytes become, whichever of a register's they are.
    pub(super) fn look_up(&mut self, t: V, a: V) {
        self.a.ops.vpmovb2m(MOMENT, V { width: Width::Z, ..a });
        self.found(t, a, [0, 1, 2, 3]);
    }

    /// Stores pairs of bytes, half a register of elements at a time.
    pub(super) fn store_pairs(&mut self, piece: &Piece, source: Source) {
        let [upper, first, bytes, lower] = [0, 1, 3, 4].map(|k| self.temp(k, Width::Z));
        match source {
            Source::Register { register, .. } => {
                let a = V { width: Width::Z, ..self.moves.v(register) };
                match self.held.vector(Constant::Paired) {
                    Some(number) => self.a.ops.vpermd(bytes, V { number, ..bytes }, a),
                    None => {
                        let place = self.a.constant(&paired());
                        self.a.vmovdqu(bytes, place);
                        self.a.ops.vpermd(bytes, bytes, a);
                    }
                }
                self.a.ops.vpmovb2m(MOMENT, bytes);
                self.found(lower, bytes, [0, 2, 4, 6]);
                self.found(upper, bytes, [1, 3, 5, 7]);
                self.a.vpunpcklbw(first, lower, upper);
                self.a.vpunpckhbw(upper, lower, upper);
            }
            _ => {
                self.blanks(first);
                self.blanks(upper);
            }
        }
        let (from, end) = (piece.place as usize, (piece.place + piece.count) as usize);
        for (start, v) in [(0, first), (HALF, upper)] {
            let (own, last) = (from.max(start), end.min(start + HALF));
            if own >= last {
                continue;
            }
            let span = every(last - own) << (own - start);
            let padding = self.moves.blank_of(piece.line) >> start & span;
            if padding != 0 && source != Source::Blank {
                self.blank(v, padding);
            }
            self.put(v, piece, 2 * (own - from), spread(span, 2));
        }
    }

    /// What is found of bytes in four parts of a table, where their highest bits are known; `t` is not where they are.
    fn found(&mut self, t: V, a: V, parts: [u8; 4]) {
        let wide = |v: V| V { width: Width::Z, ..v };
        let (low, high) = (wide(t), self.temp(1, Width::Z));
        for (found, [one, other]) in [(low, [parts[0], parts[1]]), (high, [parts[2], parts[3]])] {
            self.a.vmovdqa(found, wide(a));
            let one = self.held_part(one).unwrap_or_else(|| {
                let moment = self.temp(2, Width::Z);
                self.a.vmovdqu(moment, self.convert.table(one));
                moment
            });
            let other = match self.held_part(other) {
                Some(part) => Rm::V(part),
                None => Rm::M(self.convert.table(other)),
            };
            self.a.ops.vpermi2b(found, one, other);
        }
        self.a.ops.vmovdqu8(low.keep(MOMENT), high);
    }

    /// The register that holds a part of the table.
    fn held_part(&self, part: u8) -> Option<V> {
        let number = self.held.vector(Constant::Table(part))?;
        Some(V { number, width: Width::Z })
    }
}
