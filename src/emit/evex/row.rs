//! Rows at work. In: a row of the table and operands. Out: whether the row has such an instruction, and
//! its bytes.

use arrayvec::ArrayVec;

use super::operand::*;

/// One instruction's.
pub(super) type Bytes = ArrayVec<u8, 16>;

/// One line of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) form: Form,
    pub(super) pp: u8,
    pub(super) map: u8,
    pub(super) w: u8,
    pub(super) opcode: u8,
    pub(super) tuple: Tuple,
    pub(super) widths: Widths,
}

/// Which operands there are, and in which order; an immediate is always the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)] // As rows spell them.
pub(super) enum Form {
    rm,
    rmi,
    rvm,
    rvmi,
    vmi2,
    vmi4,
    vmi6,
    kvm,
    kvmi,
    kmi,
    kv,
    halve,
    gather,
    load_k,
    load,
    mr,
    mri,
    narrow,
    store,
}

/// What the manual calls the tuple type: how many bytes of memory, or of the register in its place, the
/// instruction touches. Displacements of one byte count in these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tuple {
    /// The vector; or one element of memory in every lane, of 4 bytes, with W1 of 8.
    Full,
    /// The vector.
    FullMem,
    /// Half a vector; or one element, as above.
    Half,
    /// Parts of a vector.
    HalfMem,
    QuarterMem,
    /// So many elements of so many bits.
    T1x8,
    T1x16,
    T1x32,
    T1x64,
    T4x32,
    T4x64,
}

/// The widths that an instruction has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::upper_case_acronyms)]
pub(super) enum Widths {
    X,
    Z,
    YZ,
    XYZ,
}

// Prefixes, opcode maps and W under the names that rows give them.
pub(crate) const NP: u8 = 0;
pub(crate) const P66: u8 = 1;
pub(crate) const PF3: u8 = 2;
pub(crate) const PF2: u8 = 3;
pub(crate) const M0F: u8 = 1;
pub(crate) const M38: u8 = 2;
pub(crate) const M3A: u8 = 3;
pub(crate) const W0: u8 = 0;
pub(crate) const W1: u8 = 1;

/// Operands by where they are encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    /// ModRM.reg, or EVEX.vvvv where that has a part of the opcode. Its width is the instruction's. A mask is
    /// the vector register of its number.
    pub(super) reg: V,
    /// EVEX.vvvv.
    pub(super) with: Option<V>,
    /// ModRM.rm.
    pub(super) rm: Rm,
    pub(super) mask: K,
    pub(super) zeroing: bool,
    pub(super) imm: Option<u8>,
}

impl Operands {
    pub(super) fn load(to: To<V>, rm: Rm) -> Operands {
        let To { place, mask, zeroing } = to;
        Operands { reg: place, with: None, rm, mask, zeroing, imm: None }
    }

    pub(super) fn store(to: To<Rm>, from: V) -> Operands {
        let To { place, mask, zeroing } = to;
        Operands { reg: from, with: None, rm: place, mask, zeroing, imm: None }
    }

    pub(super) fn compare(to: To<K>, a: V, b: Rm) -> Operands {
        let To { place: K(number), mask, zeroing } = to;
        let reg = V { number, width: a.width };
        Operands { reg, with: Some(a), rm: b, mask, zeroing, imm: None }
    }

    pub(super) fn class(to: To<K>, width: Width, rm: Rm) -> Operands {
        let To { place: K(number), mask, zeroing } = to;
        Operands { reg: V { number, width }, with: None, rm, mask, zeroing, imm: None }
    }

    pub(super) fn with(self, v: V) -> Operands {
        Operands { with: Some(v), ..self }
    }

    pub(super) fn imm(self, imm: u8) -> Operands {
        Operands { imm: Some(imm), ..self }
    }
}

impl Form {
    pub(super) fn has_vvvv(self) -> bool {
        matches!(self, Form::rvm | Form::rvmi | Form::kvm | Form::kvmi)
    }

    /// The part of the opcode that stands in ModRM.reg.
    pub(super) fn extension(self) -> Option<u8> {
        match self {
            Form::vmi2 => Some(2),
            Form::vmi4 => Some(4),
            Form::vmi6 => Some(6),
            _ => None,
        }
    }

    pub(super) fn has_imm(self) -> bool {
        matches!(self, Form::rmi | Form::rvmi | Form::kvmi | Form::kmi | Form::mri)
            || self.extension().is_some()
    }

    fn has_mask(self) -> bool {
        !matches!(self, Form::load | Form::store | Form::kv)
    }

    fn is_memory_only(self) -> bool {
        matches!(self, Form::gather | Form::load_k | Form::load | Form::store)
    }

    /// Whether ModRM.rm is the destination.
    pub(super) fn is_store(self) -> bool {
        matches!(self, Form::mr | Form::mri | Form::narrow | Form::store)
    }

    /// Whether the destination is a mask.
    pub(super) fn is_compare(self) -> bool {
        matches!(self, Form::kvm | Form::kvmi | Form::kmi | Form::kv)
    }
}

impl Widths {
    fn contain(self, width: Width) -> bool {
        match self {
            Widths::X => width == Width::X,
            Widths::Z => width == Width::Z,
            Widths::YZ => width != Width::X,
            Widths::XYZ => true,
        }
    }
}

impl Row {
    /// The bytes of memory that it touches, as a power of two.
    pub(super) fn log_bytes(&self, width: Width) -> u32 {
        match self.tuple {
            Tuple::Full | Tuple::FullMem => 4 + width as u32,
            Tuple::Half | Tuple::HalfMem => 3 + width as u32,
            Tuple::QuarterMem => 2 + width as u32,
            Tuple::T1x8 => 0,
            Tuple::T1x16 => 1,
            Tuple::T1x32 => 2,
            Tuple::T1x64 => 3,
            Tuple::T4x32 => 4,
            Tuple::T4x64 => 5,
        }
    }

    /// The bytes of one element, as a power of two.
    pub(super) fn log_element(&self) -> u32 {
        2 + u32::from(self.w)
    }

    /// The width of a register in memory's place: the least that holds as many bytes.
    pub(super) fn rm_width(&self, width: Width) -> Width {
        match self.log_bytes(width) {
            6 => Width::Z,
            5 => Width::Y,
            _ => Width::X,
        }
    }

    /// The width of the register in ModRM.reg.
    pub(super) fn reg_width(&self, width: Width) -> Width {
        match (self.form, width) {
            (Form::halve, Width::Z) => Width::Y,
            (Form::halve, _) => Width::X,
            _ => width,
        }
    }

    /// What the instruction has, which `halve` takes from its source; memory is twice its destination.
    fn width(&self, o: &Operands) -> Width {
        match (self.form, o.rm, o.reg.width) {
            (Form::halve, Rm::V(v), _) => v.width,
            (Form::halve, _, Width::X) => Width::Y,
            (Form::halve, _, _) => Width::Z,
            (_, _, width) => width,
        }
    }

    /// Whether there is such an instruction.
    pub(super) fn legal(&self, o: &Operands) -> bool {
        let (form, width) = (self.form, self.width(o));
        let is = |v: V, width| v.number < 32 && v.width == width;
        let rm = match o.rm {
            Rm::V(v) => !form.is_memory_only() && is(v, self.rm_width(width)),
            Rm::M(m) => !matches!(form, Form::gather | Form::kv) && m.legal(),
            Rm::B(m) => matches!(self.tuple, Tuple::Full | Tuple::Half) && m.legal(),
            Rm::E(e) => {
                let lanes = e.index.width == width && e.index.number != o.reg.number;
                form == Form::gather && lanes && e.legal()
            }
        };
        let may_zero = o.mask != K(0)
            && !form.is_compare()
            && form != Form::gather
            && (!form.is_store() || matches!(o.rm, Rm::V(_)));
        self.widths.contain(width)
            && is(o.reg, self.reg_width(width))
            && (o.reg.number < 8 || !form.is_compare())
            && o.with.is_some() == form.has_vvvv()
            && o.with.is_none_or(|v| is(v, width))
            && rm
            && o.mask.0 < if form.has_mask() { 8 } else { 1 }
            && (o.mask != K(0) || form != Form::gather)
            && (may_zero || !o.zeroing)
            && o.imm.is_some() == form.has_imm()
    }

    /// Under the mask of ones where memory is reached alone and there is no other.
    pub(super) fn alone(&self, o: Operands) -> Operands {
        let form = self.form;
        let can = o.mask == K(0) && form.has_mask() && !form.is_compare();
        match o.rm {
            Rm::M(m) if m.alone && can => Operands { mask: ALL, zeroing: !form.is_store(), ..o },
            _ => o,
        }
    }

    /// The bytes of what is legal; of anything else some bytes, which are no such instruction.
    ///
    /// ```text
    ///     7     6     5     4     3     2     1     0
    /// |  0     1     1     0     0     0     1     0  |
    /// |  R3'   rm4'  rm3'  R4'   0  |      map        |     R: ModRM.reg
    /// |  W  |  v3'   v2'   v1'   v0'|  1  |    pp     |     v: vvvv, 0 where there is none
    /// |  z  |  width    |  b  |  v4'|      mask       |     b: one element in every lane
    /// ```
    ///
    /// What has a stroke is inverted. For an address rm4 is the fourth bit of the index, rm3 that of the base;
    /// the fifth bit of an index that is a vector is v4.
    pub(super) fn encode(&self, o: &Operands) -> Bytes {
        let width = self.width(o);
        let with = o.with.map_or(0, |v| v.number);
        let (reg, with) = match self.form.extension() {
            Some(extension) => (extension, with | o.reg.number),
            None => (o.reg.number, with),
        };
        let (rm4, rm3) = match o.rm {
            Rm::V(v) => (bit(v.number, 4), bit(v.number, 3)),
            Rm::M(m) | Rm::B(m) => high_bits(m),
            Rm::E(e) => high_bits(e.mem()),
        };
        let v4 = match o.rm {
            Rm::E(e) => bit(e.index.number, 4),
            _ => bit(with, 4),
        };
        let broadcast = u8::from(matches!(o.rm, Rm::B(_)));
        let high = bit(reg, 3) << 7 | rm4 << 6 | rm3 << 5 | bit(reg, 4) << 4;
        let zeroing = u8::from(o.zeroing) << 7;
        let mut bytes = Bytes::new();
        bytes.extend([
            0x62,
            high ^ 0xf0 | self.map,
            self.w << 7 | (!with & 15) << 3 | 1 << 2 | self.pp,
            zeroing | (width as u8) << 5 | broadcast << 4 | (v4 ^ 1) << 3 | o.mask.0 & 7,
            self.opcode,
        ]);
        match o.rm {
            Rm::V(v) => bytes.push(0xc0 | (reg & 7) << 3 | v.number & 7),
            Rm::M(m) => address(&mut bytes, reg, m, self.log_bytes(width)),
            Rm::B(m) => address(&mut bytes, reg, m, self.log_element()),
            Rm::E(e) => address(&mut bytes, reg, e.mem(), self.log_bytes(width)),
        }
        bytes.extend(o.imm);
        bytes
    }
}

pub(super) fn bit(number: u8, bit: u8) -> u8 {
    number >> bit & 1
}

/// The fourth bits of the index and of the base.
pub(super) fn high_bits(m: Mem) -> (u8, u8) {
    (m.index.map_or(0, |(index, _)| bit(index, 3)), bit(m.base, 3))
}

/// ModRM, SIB where there must be one, and the displacement: none, one byte that counts in units of
/// `1 << unit`, or four.
///
/// rsp and r12 as a base have the number that says SIB; rbp and r13 have the one that, without a
/// displacement, says no base at all.
pub(super) fn address(bytes: &mut Bytes, reg: u8, m: Mem, unit: u32) {
    let units = i8::try_from(m.disp >> unit).ok().filter(|&n| i32::from(n) << unit == m.disp);
    let size = match units {
        Some(0) if m.base & 7 != 5 => 0,
        Some(_) => 1,
        None => 2,
    };
    let modrm = size << 6 | (reg & 7) << 3;
    match m.index {
        Some((index, scale)) => {
            bytes.push(modrm | 4);
            bytes.push((scale.trailing_zeros() as u8 & 3) << 6 | (index & 7) << 3 | m.base & 7);
        }
        None if m.base & 7 == 4 => bytes.extend([modrm | 4, 4 << 3 | 4]),
        None => bytes.push(modrm | m.base & 7),
    }
    match (size, units) {
        (0, _) => {}
        (_, Some(units)) => bytes.push(units as u8),
        (_, None) => bytes.extend(m.disp.to_le_bytes()),
    }
}
