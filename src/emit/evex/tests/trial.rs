//! All that a row is tried with.

use iced_x86::Mnemonic;

use super::decoded::{decode, is_same, modrm_bytes};
use super::*;

/// What is tried: everything, or values that between them have every bit both ways.
pub(super) struct Breadth {
    registers: Vec<u8>,
    masks: Vec<(u8, bool)>,
    bases: Vec<u8>,
    indices: Vec<Option<(u8, u8)>>,
    /// Displacements of so many units, and so many bytes more.
    units: Vec<i32>,
    rests: Vec<i32>,
}

impl Breadth {
    pub(super) fn all() -> Breadth {
        let scaled =
            (0..=16).flat_map(|index| [0, 1, 2, 3, 4, 8, 16].map(|scale| Some((index, scale))));
        Breadth {
            registers: (0..=32).collect(),
            masks: (0..=8).flat_map(|k| [(k, false), (k, true)]).collect(),
            bases: (0..=16).collect(),
            indices: scaled.chain([None]).collect(),
            units: vec![
                -129, -128, -127, -126, -65, -64, -2, -1, 0, 1, 2, 63, 64, 126, 127, 128, 129,
            ],
            rests: vec![-1, 0, 1],
        }
    }

    pub(super) fn sample() -> Breadth {
        let indices = [(0, 1), (4, 1), (5, 2), (7, 3), (10, 4), (12, 8), (15, 1), (16, 1)];
        Breadth {
            registers: vec![0, 7, 9, 18, 21, 28, 31, 32],
            masks: [0, 1, 2, 4, 7, 8].into_iter().flat_map(|k| [(k, false), (k, true)]).collect(),
            bases: vec![0, 4, 5, 7, 10, 12, 13, 15, 16],
            indices: indices.into_iter().map(Some).chain([None]).collect(),
            units: vec![-129, -128, -1, 0, 1, 127, 128],
            rests: vec![0, 1],
        }
    }

    fn displacements(&self, unit: usize) -> Vec<i32> {
        let near = |units| self.rests.iter().map(move |rest| units * unit as i32 + rest);
        let near = self.units.iter().copied().flat_map(near);
        let far = [i32::MIN, i32::MIN + 1, -(1 << 14), 1 << 14, i32::MAX - 63, i32::MAX];
        let mut all: Vec<i32> = near.chain(far).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    pub(super) fn addresses(&self, unit: usize) -> Vec<Mem> {
        let mut all = Vec::new();
        for disp in self.displacements(unit) {
            for &base in &self.bases {
                all.extend(self.indices.iter().map(|&index| Mem { index, ..at(base, disp) }));
            }
        }
        all
    }
}

/// The address with a vector for its index, which has a bit more.
fn each(m: Mem, width: Width) -> impl Iterator<Item = Rm> + Clone {
    let numbers = m.index.into_iter().flat_map(|(number, _)| [number, number + 16]);
    numbers.map(move |number| {
        let (base, disp) = (m.base, m.disp);
        let scale = m.index.map_or(0, |(_, scale)| scale);
        Rm::E(Each { base, index: V { number, width }, scale, disp })
    })
}

const WIDTHS: [Width; 3] = [Width::X, Width::Y, Width::Z];

/// A row and what became of it.
pub(super) struct Trial<'a> {
    row: &'a Row,
    call: Call,
    mnemonic: Mnemonic,
    /// Of all that is legal: by the row, and by the method.
    encoded: Vec<u8>,
    called: Assembler,
    tried: usize,
    legal: usize,
}

impl<'a> Trial<'a> {
    /// Every combination of operands; returns how many there were, and how many of them legal.
    pub(super) fn run(
        row: &'a Row,
        call: Call,
        mnemonic: Mnemonic,
        breadth: &Breadth,
    ) -> (usize, usize) {
        let called = Assembler::new(0);
        let mut trial =
            Trial { row, call, mnemonic, encoded: Vec::new(), called, tried: 0, legal: 0 };
        for width in WIDTHS {
            trial.shapes(width, breadth);
            trial.registers(width, breadth);
            trial.addresses(width, breadth);
        }
        let called = trial.called.finalize().expect("no labels, nothing unresolved");
        assert!(called == trial.encoded, "{}: the method is not the row", row.name);
        assert!(trial.legal > 0, "{}: nothing is legal", row.name);
        (trial.tried, trial.legal)
    }

    fn is_gather(&self) -> bool {
        self.row.form == Form::gather
    }

    fn reg(&self, number: u8, width: Width) -> V {
        V { number, width: self.row.reg_width(width) }
    }

    /// With the operands that the row has.
    fn operands(&self, reg: V, with: u8, rm: Rm, (mask, zeroing): (u8, bool)) -> Operands {
        let has_with = self.row.form.has_vvvv();
        let with = has_with.then_some(V { number: with, width: reg.width });
        let imm = self.row.form.has_imm().then_some(reg.number << 3 ^ mask);
        Operands { reg, with, rm, mask: K(mask), zeroing, imm }
    }

    /// Operands too many or too few, of the wrong width, and every immediate.
    fn shapes(&mut self, width: Width, breadth: &Breadth) {
        let number = if self.row.form.is_compare() { 5 } else { 17 };
        let reg = V { number, width };
        for of in WIDTHS {
            let (a, b) = (V { number: 10, width: of }, V { number: 29, width: of });
            for with in [None, Some(xmm(10)), Some(ymm(10)), Some(zmm(10))] {
                for &(mask, zeroing) in &breadth.masks {
                    let m = at(11, 64);
                    let each = [m.each(a, 4), m.each(b, 1), m.each(V { number, width: of }, 8)];
                    let places = [Rm::V(a), Rm::V(b), Rm::M(m), m.everywhere()];
                    for rm in places.into_iter().chain(each.map(Rm::E)) {
                        for imm in [None, Some(0x5a)] {
                            self.judge(&Operands { reg, with, rm, mask: K(mask), zeroing, imm });
                        }
                    }
                }
            }
            for imm in 0..=255 {
                let o = self.operands(reg, 10, Rm::V(b), (0, false));
                self.judge(&Operands { imm: o.imm.map(|_| imm), ..o });
            }
        }
    }

    fn registers(&mut self, width: Width, breadth: &Breadth) {
        let all = &breadth.registers;
        let withs = if self.row.form.has_vvvv() { &all[..] } else { &[0] };
        let of = if self.is_gather() { width } else { self.row.rm_width(width) };
        for &mask in &breadth.masks {
            for &number in all {
                for &with in withs {
                    for &rm in all {
                        let rm = V { number: rm, width: of };
                        let rm = match self.is_gather() {
                            true => Rm::E(at(7, 0).each(rm, 4)),
                            false => Rm::V(rm),
                        };
                        let o = self.operands(self.reg(number, width), with, rm, mask);
                        self.judge(&o);
                    }
                }
            }
        }
    }

    fn addresses(&mut self, width: Width, breadth: &Breadth) {
        let whole = breadth.addresses(1 << self.row.log_bytes(width));
        match self.is_gather() {
            true => self.places(width, breadth, whole.iter().flat_map(|m| each(*m, width))),
            false => self.places(width, breadth, whole.into_iter().map(Rm::M)),
        }
        let elements = breadth.addresses(1 << self.row.log_element());
        self.places(width, breadth, elements.into_iter().map(Rm::B));
    }

    fn places(&mut self, width: Width, breadth: &Breadth, all: impl Iterator<Item = Rm> + Clone) {
        // Masks have bits of their own: a few of them with all addresses, all of them with a few addresses.
        let few = [(0, false), (0, true), (1, false), (6, true), (8, false)];
        let odd =
            all.clone().step_by(997).flat_map(|rm| breadth.masks.iter().map(move |k| (rm, k)));
        for (rm, &mask) in all.flat_map(|rm| few.iter().map(move |k| (rm, k))).chain(odd) {
            for (number, with) in [(0, 31), (9, 20), (22, 11), (31, 0)] {
                // Masks: 0, 1, 6, 7.
                let number = if self.row.form.is_compare() { number & 7 } else { number };
                let o = self.operands(self.reg(number, width), with, rm, mask);
                self.judge(&o);
            }
        }
    }

    fn judge(&mut self, o: &Operands) {
        let (row, bytes) = (self.row, self.row.encode(o));
        let decoded = decode(&bytes);
        let same = decoded.is_some_and(|i| i.mnemonic() == self.mnemonic && is_same(row, o, &i));
        let legal = row.legal(o);
        let found = decoded.map(|i| i.code());
        assert_eq!(same, legal, "{} {o:?} is {bytes:02x?}: {found:?}", row.name);
        self.tried += 1;
        if legal {
            let rest = 4 + 1 + o.imm.map_or(0, |_| 1);
            let length = rest + modrm_bytes(o.rm, decoded.map_or(0, |i| i.memory_size().size()));
            assert_eq!(bytes.len(), length, "{} {o:?} is {bytes:02x?}: too long", row.name);
            self.legal += 1;
            // A store has a form for registers, too, for which there is no method.
            if row.form != Form::mr || matches!(o.rm, Rm::M(_)) {
                self.encoded.extend(&bytes);
                (self.call)(&mut self.called, o);
            }
        }
    }
}
