//! What a sequence is made of. Lanes are numbered from 0, the lowest address; a 16-byte group of lanes
//! is called a block here.

use smallvec::SmallVec;

/// A register: virtual while a sequence is found, real once it is scheduled.
pub type Reg = u16;

/// No register: an operation without a result, or a load that keeps nothing.
pub const NONE: Reg = Reg::MAX;

/// For every lane of a result the lane it comes from; [`Table::ZERO`] where it becomes zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table(pub SmallVec<[u8; 64]>);

impl Table {
    /// The lane becomes zero.
    pub const ZERO: u8 = 255;

    /// What this permutation and then another come to; none of that one's lanes become zero.
    pub(super) fn then(&self, next: &Table) -> Table {
        Table(next.0.iter().map(|from| self.0[usize::from(*from)]).collect())
    }
}

/// One operation; what results is named beside it, in its [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
#[non_exhaustive]
pub enum Op {
    /// `count` elements from the source at `at`, to lane `place` and on. The other lanes are those of
    /// `keep`, or zero.
    Load { at: isize, place: u8, count: u8, keep: Reg },
    /// `count` elements from the source at `at`, again and again through all lanes.
    Repeat { at: isize, count: u8 },
    /// In each block, groups of `grain` lanes from the lower or upper half of `a` and `b` by turns.
    Unpack { a: Reg, b: Reg, grain: u8, high: bool },
    /// In each block, 4-byte groups: two of `a`, then two of `b`.
    Quads { a: Reg, b: Reg, pick: [u8; 4] },
    /// In each block, the upper half of `a`, then the lower half of `b`.
    Straddle { a: Reg, b: Reg },
    /// Whole blocks: of `a` in the lower half, of `b` in the upper.
    Blocks { a: Reg, b: Reg, pick: [u8; 4] },
    /// Lanes of `a`, within each block, as the table says. Lanes outside `mask` are those of `keep`.
    Within { a: Reg, table: u16, mask: u64, keep: Reg },
    /// Lanes of `a`, from anywhere, in groups of `grain`. Lanes outside `mask` are those of `keep`.
    Permute { a: Reg, table: u16, grain: u8, mask: u64, keep: Reg },
    /// Lanes of `b` where the mask says so, else of `a`.
    Blend { a: Reg, b: Reg, mask: u64 },
    /// Both, bit by bit: where one has lanes, the other has zeros.
    Or { a: Reg, b: Reg },
    /// A copy.
    Copy { a: Reg },
    /// `count` lanes from `place` on, to the destination at `at`; those in `blank` are written as
    /// padding. Without a register all are blank.
    Store { a: Reg, at: isize, place: u8, count: u8, blank: u64 },
    /// To the stack.
    Spill { a: Reg, slot: u16 },
    /// From the stack.
    Reload { slot: u16 },
}

/// An operation and what holds its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The register that holds the result.
    pub to: Reg,
    /// How it comes about.
    pub op: Op,
}

/// A sequence in its order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Lanes of a register.
    pub lanes: usize,
    /// Bytes of a lane.
    pub lane: usize,
    /// In the order in which they are done.
    pub lines: Vec<Line>,
    /// What tables say.
    pub tables: Vec<Table>,
    /// How many registers it uses.
    pub registers: usize,
    /// How many places on the stack.
    pub slots: usize,
    /// Whether stores may reach over what later ones write.
    pub reaches: bool,
}

/// So many bits, 1 to 64.
pub(crate) fn every(count: usize) -> u64 {
    u64::MAX >> (64 - count)
}

impl Op {
    /// The registers it reads; [`NONE`] where there are fewer.
    pub fn reads(&self) -> [Reg; 2] {
        match *self {
            Op::Load { keep, .. } => [NONE, keep],
            Op::Unpack { a, b, .. }
            | Op::Quads { a, b, .. }
            | Op::Straddle { a, b }
            | Op::Blocks { a, b, .. }
            | Op::Blend { a, b, .. }
            | Op::Or { a, b } => [a, b],
            Op::Within { a, keep, .. } | Op::Permute { a, keep, .. } => [a, keep],
            Op::Copy { a } | Op::Store { a, .. } | Op::Spill { a, .. } => [a, NONE],
            Op::Repeat { .. } | Op::Reload { .. } => [NONE, NONE],
        }
    }

    /// Reads other registers.
    pub(super) fn read_from(&mut self, [one, two]: [Reg; 2]) {
        match self {
            Op::Load { keep, .. } => *keep = two,
            Op::Unpack { a, b, .. }
            | Op::Quads { a, b, .. }
            | Op::Straddle { a, b }
            | Op::Blocks { a, b, .. }
            | Op::Blend { a, b, .. }
            | Op::Or { a, b } => (*a, *b) = (one, two),
            Op::Within { a, keep, .. } | Op::Permute { a, keep, .. } => (*a, *keep) = (one, two),
            Op::Copy { a } | Op::Store { a, .. } | Op::Spill { a, .. } => *a = one,
            Op::Repeat { .. } | Op::Reload { .. } => {}
        }
    }

    /// What the result must take the place of: lanes outside a mask are kept there.
    pub fn keeps(&self) -> Reg {
        match *self {
            Op::Load { keep, .. } | Op::Within { keep, .. } | Op::Permute { keep, .. } => keep,
            _ => NONE,
        }
    }
}
