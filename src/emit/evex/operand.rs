//! What instructions work on: vector registers, masks, addresses. In: numbers and widths. Out: operands, as plain data
//! that every encoder takes.

/// How much of a vector register: its name begins with x, y or z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    X,
    Y,
    Z,
}

impl Width {
    pub(crate) const fn bytes(self) -> usize {
        16 << self as usize
    }
}

/// A vector register at one of its widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct V {
    pub(crate) number: u8,
    pub(crate) width: Width,
}

#[cfg(test)]
pub(crate) const fn xmm(number: u8) -> V {
    V { number, width: Width::X }
}

#[cfg(test)]
pub(crate) const fn ymm(number: u8) -> V {
    V { number, width: Width::Y }
}

#[cfg(test)]
pub(crate) const fn zmm(number: u8) -> V {
    V { number, width: Width::Z }
}

impl V {
    /// As a destination whose other lanes stay as they were. k0 stands for no mask, as in the encoding.
    pub(crate) const fn keep(self, k: K) -> To<V> {
        To { place: self, mask: k, zeroing: false }
    }

    /// As a destination whose other lanes become zero.
    pub(crate) const fn zero(self, k: K) -> To<V> {
        To { place: self, mask: k, zeroing: true }
    }
}

/// A mask register, k0 to k7.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct K(pub(crate) u8);

/// A general register, by the number that encodes it: rax 0, rcx 1, rdx 2, rbx 3, rsp 4, rbp 5, rsi 6,
/// rdi 7, then r8 to r15.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct R(pub(crate) u8);

/// An address: a general register, perhaps another times 1, 2, 4 or 8, and a displacement in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Mem {
    pub(crate) base: u8,
    pub(crate) index: Option<(u8, u8)>,
    pub(crate) disp: i32,
    /// Reached under the mask [`ALL`], where the instruction can have one and has no other.
    pub(crate) alone: bool,
}

impl Mem {
    /// The place so many bytes on.
    pub(crate) fn on(self, bytes: isize) -> Mem {
        Mem { disp: self.disp + bytes as i32, ..self }
    }
}

// Three of the mask registers have a duty of their own, where code needs them for it: places before them are for masks
// that are held.

/// Holds ones, where memory is reached alone.
pub(crate) const ALL: K = K(5);

/// Holds what an operation finds, until the next that finds something.
pub(crate) const MOMENT: K = K(6);

/// Holds masks that have no other register, one after another.
pub(crate) const PASSING: K = K(7);

/// So many bytes from where a general register points.
pub(crate) const fn at(base: u8, disp: i32) -> Mem {
    Mem { base, index: None, disp, alone: false }
}

impl Mem {
    /// As a destination whose other lanes are not written.
    pub(crate) const fn masked(self, k: K) -> To<Mem> {
        To { place: self, mask: k, zeroing: false }
    }

    /// One element of it in every lane.
    pub(crate) const fn everywhere(self) -> Rm {
        Rm::B(self)
    }

    /// Elements as far from here as a vector says, in so many bytes.
    pub(crate) const fn each(self, index: V, scale: u8) -> Each {
        assert!(self.index.is_none(), "a vector in place of the index");
        Each { base: self.base, index, scale, disp: self.disp }
    }

    /// Whether it can be encoded: rsp can be a base, but its number as an index means none.
    pub(super) fn legal(self) -> bool {
        let index = |(index, scale)| index < 16 && index != 4 && matches!(scale, 1 | 2 | 4 | 8);
        self.base < 16 && self.index.is_none_or(index)
    }
}

/// An address for each lane: a general register, that lane of a vector times 1, 2, 4 or 8, and a displacement
/// in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Each {
    pub(crate) base: u8,
    pub(crate) index: V,
    pub(crate) scale: u8,
    pub(crate) disp: i32,
}

impl Each {
    /// The address as it is encoded, but for the fifth bit of the index.
    pub(crate) const fn mem(self) -> Mem {
        let index = Some((self.index.number & 15, self.scale));
        Mem { index, ..at(self.base, self.disp) }
    }

    pub(super) fn legal(self) -> bool {
        self.base < 16 && self.index.number < 32 && matches!(self.scale, 1 | 2 | 4 | 8)
    }
}

/// A vector register or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rm {
    V(V),
    M(Mem),
    /// One element of memory, in every lane.
    B(Mem),
    /// What only a gather reads.
    E(Each),
}

impl From<V> for Rm {
    fn from(v: V) -> Rm {
        Rm::V(v)
    }
}

impl From<Mem> for Rm {
    fn from(m: Mem) -> Rm {
        Rm::M(m)
    }
}

/// What a mask comes from: a general register or memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gm {
    R(R),
    M(Mem),
}

impl From<R> for Gm {
    fn from(r: R) -> Gm {
        Gm::R(r)
    }
}

impl From<Mem> for Gm {
    fn from(m: Mem) -> Gm {
        Gm::M(m)
    }
}

/// A destination, and which of its lanes are written: all, where the mask is k0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct To<T> {
    pub(super) place: T,
    pub(super) mask: K,
    pub(super) zeroing: bool,
}

impl<T> From<T> for To<T> {
    fn from(place: T) -> To<T> {
        To { place, mask: K(0), zeroing: false }
    }
}

// Where a destination may be a register or memory.
macro_rules! either {
    ($($from:ty)*) => {$(
        impl From<$from> for To<Rm> {
            fn from(place: $from) -> To<Rm> {
                To::from(Rm::from(place))
            }
        }

        impl From<To<$from>> for To<Rm> {
            fn from(To { place, mask, zeroing }: To<$from>) -> To<Rm> {
                To { place: place.into(), mask, zeroing }
            }
        }
    )*};
}
either!(V Mem);
