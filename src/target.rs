//! What a plan is made for. In: a name, or this machine. Out: plain data, a part of a plan's identity,
//! so that plans for any target are made on any machine.
//!
//! A target is a microarchitecture, all of whose figures are in one table, and the tier that is used on it: `spr` is
//! used with all that it has, `spr:avx2` with less, and its caches, ports and thresholds are the same.

mod table;
mod tier;

use std::fmt;
use std::str::FromStr;

use crate::error::invalid;
use crate::layout::nearest_to;
use crate::{Error, Result};
pub use table::TARGETS;
pub use tier::Tier;

/// Cycles are counted in so many parts, that thirds and eighths are whole.
pub const PARTS: u64 = 24;

/// Tier and machine that a plan is made for. One whose fields were written over is as good as another where
/// [`Target::check`] says so; else planning may panic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Target {
    /// What the microarchitecture is called.
    pub name: &'static str,
    /// The instructions that are used.
    pub tier: Tier,
    /// Whether it makes bf16 of floats by an instruction, with all that the best tier has.
    pub bf16: bool,
    /// Bytes of first-level data cache.
    pub l1: usize,
    /// Bytes of second-level cache of a core.
    pub l2: usize,
    /// Bytes of a cache line, which tasks share only where they would be too few otherwise.
    pub line: usize,
    /// What its core does in a cycle.
    pub ports: Ports,
    /// What its memory does in a cycle, and when to help it.
    pub memory: Memory,
}

/// How long a core is busy with operations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ports {
    /// On registers of up to 32 bytes.
    pub narrow: Parts,
    /// On registers of 64 bytes; of no account where there are none.
    pub wide: Parts,
    /// An operation of any kind and width, in parts of a cycle; a load that is a part of another is one of its own.
    pub issue: u16,
    /// Whether elements of two registers are taken by turns, within 16-byte lanes, by all ports that do anything with
    /// vectors, not by those alone that permute.
    pub unpacks_everywhere: bool,
    /// How many operations a permutation of bytes or words across 16-byte lanes is.
    pub narrow_single: u8,
    /// Whether parts of a register are better taken out of it, which permutes, than loaded again from where it was
    /// stored.
    pub extracts: bool,
    /// Whether whole numbers are compared on more ports than floats are.
    pub compares_bits: bool,
    /// Short rows that lie one behind the other are stored as parts of registers, each from one register, where any
    /// other sequence takes at least so many quarters of what that takes.
    pub stores_parts: u16,
    /// [`PARTS`] of a cycle that a store takes beside its own, where there are masks, of a part of a register that
    /// neither starts where the register does nor is one of its 16-byte blocks.
    pub stores_inside: u16,
    /// Rows of the source are converted before tiles take them where that needs less than so many tenths of the ports'
    /// time that converting within tiles needs: those wait for what comes next, and fill registers in part.
    pub converts_rows: u16,
    /// So many tenths where tiles that convert would ask for blocks of the source far ahead: rows that are converted
    /// first are asked for line by line.
    pub converts_rows_asked: u16,
}

/// How many [`PARTS`] of a cycle one operation takes of the ports that can do it: 24 where one can, 12 where two can.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parts {
    /// A permutation, wherever its elements go.
    pub shuffle: u16,
    /// One that moves elements from one 16-byte lane to another.
    pub across: u16,
    /// Any vector operation, permutations among them.
    pub vector: u16,
    /// A load.
    pub load: u16,
    /// A store.
    pub store: u16,
}

/// What lines cost, and from where on plans help: rates, sizes of caches' parts, and thresholds. Sizes are bytes of the
/// source and the destination together where nothing else is said; each field names the value that turns it off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Memory {
    /// Bytes a cycle, read and written together, from and to the first level.
    pub l1_rate: u16,
    /// Bytes a cycle, read and written together, from and to the second level.
    pub l2_rate: u16,
    /// Bytes a cycle, read and written together, from and to what lies behind the second level.
    pub far_rate: u16,
    /// Ways of the first level: so many lines 4096 bytes apart live beside each other.
    pub ways: u16,
    /// The size from which lines are stored past the caches, where both sides go along the same rows. `usize::MAX`:
    /// never.
    pub stream_from: usize,
    /// The size from which lines are stored past the caches, where rows of one side go across those of the other, so
    /// that many are read or written by turns. `usize::MAX`: never.
    pub turned_from: usize,
    /// The size from which lines are stored past the caches, where the destination's rows of a tile have more lines in
    /// one place of the first level than that has ways, and fewer rows by turns are of no use. `usize::MAX`: never.
    pub met_from: usize,
    /// The size from which the destination's next line is asked for before it is written. `usize::MAX`: never.
    pub prefetch_from: usize,
    /// How many bytes ahead it is asked for.
    pub prefetch_ahead: u16,
    /// Bytes of a destination row that are written together where lines are stored past the caches.
    pub row_group: u16,
    /// Bytes of a destination row that are written together where lines are stored past the caches and rows of the
    /// source drive each other out, so that nothing of them is foreseen anyhow. 0: as many as of any other row.
    pub row_group_crowded: u16,
    /// How many destination rows' lines are stored past the caches by turns as fast as those of one row.
    pub row_turns: u16,
    /// How many destination rows with their lines in one place of the first level are stored a line each by turns,
    /// where they stay in the caches; of more rows, some go first. `u16::MAX`: however many there are.
    pub row_meets: u16,
    /// How many lines that are stored to are waited for at a time.
    pub under_way: u16,
    /// And of those that are read.
    pub under_way_read: u16,
    /// Of each of several destination rows by turns at least so many lines are stored past the caches one behind the
    /// other; where a tile has fewer, rows come together in a buffer first.
    pub row_lines: u16,
    /// Whether a line that is read in pieces comes again for each of them, where its place is wanted by others and
    /// memory is near; beyond all caches that is hidden. Whole lines are waited for there, from behind the second
    /// level.
    pub reads_whole: bool,
    /// Whether several short runs that lie side by side in the source are read together, however far apart they are
    /// written.
    pub reads_on: bool,
    /// How many lines that lie side by side come together when one of them is read. 1: each comes alone.
    pub together: u16,
    /// How many rows that are read by turns are foreseen, so that their lines are there when they are needed.
    pub streams: u16,
    /// How many rows by turns, of both sides together, have the line behind the one that is reached brought along to
    /// good use; of more rows it is brought in vain, which masks prevent. 0: there is no such number, and no masks.
    pub foreseen: u16,
    /// Bytes of the blocks of the source that are copied to the first level, where rows of both sides share their
    /// lines' places. 0: none are.
    pub copied: u16,
    /// How many bytes before it is read the source is asked for, where memory is far. 0: it is not.
    pub flight: u16,
    /// How many bytes before they are read several rows by turns are asked for, where lines come to the second level.
    /// 0: they come to the first.
    pub flight_rows: u16,
    /// The most bytes of each row of the source that a tile takes where lines are stored past the caches, so that no
    /// more of these wait to be stored than go on their way while the next are read. 0: no limit.
    pub past_piece: u16,
    /// The size from which rows of the source that are not foreseen are asked for in blocks before tiles come to them;
    /// below it, where a last level has them, tiles ask for the lines of the next tile. A quarter of it where elements
    /// become shorter, as tiles take more lines at a time then. `usize::MAX`: never.
    pub blocks_from: usize,
    /// The size from which tiles ask for parts of the next block of a source that lies in one piece; an eighth of it
    /// where a tile takes lines of many rows. `usize::MAX`: never.
    pub onward_from: usize,
    /// The size from which rows come together first where the destination does not start on a line, and pass the caches
    /// by as they would if it did. `usize::MAX`: never.
    pub off_lines_from: usize,
    /// While rows are copied first, how many bytes before they are copied lines of the source are asked for, into the
    /// second level. 0: blocks are asked for, or nothing.
    pub copies_lead: u16,
    /// Whether the second level serves even lines and odd ones each by a part of its own, so that lines of one kind
    /// alone take longer.
    pub even_apart: bool,
    /// How many parts of what is read in one row are walked by turns, where memory is far. 0: it is walked in order.
    pub abreast: u16,
    /// How many pages are found at once, where tables of them are not looked up.
    pub pages: u16,
    /// How many pages are found a level further off at a small price; of more, rows are not led on by turns.
    pub pages_far: u16,
    /// How many pages are found there before those tables are looked up, of which rows go through no more by turns. 0:
    /// any number, or it is not known.
    pub pages_known: u16,
}

impl Ports {
    /// For registers of so many bytes.
    pub const fn of(&self, width: usize) -> &Parts {
        if width > 32 { &self.wide } else { &self.narrow }
    }
}

impl Memory {
    /// Whether lines of several rows that are asked for come to the first level, and not to the second.
    pub(crate) const fn asks_near(&self) -> bool {
        self.flight_rows == 0
    }

    /// Whether lines are brought before they are wanted of however many rows by turns.
    pub(crate) const fn has_no_foreseen_limit(&self) -> bool {
        self.foreseen == 0
    }
}

impl Target {
    /// Whether its figures can be: those of the named targets are; fields that were written over may not be.
    pub fn check(&self) -> Result<()> {
        const MOST: u16 = 10 * PARTS as u16;
        let Ports { narrow, wide, issue, .. } = self.ports;
        for Parts { shuffle, across, vector, load, store } in [narrow, wide] {
            let parts = [shuffle, across, vector, load, store, issue];
            if parts.iter().any(|parts| !(1..=MOST).contains(parts)) {
                return invalid!(
                    "operations of target {self} take {parts:?} parts of a cycle, expected 1 to {MOST}"
                );
            }
        }
        let Memory { l1_rate, l2_rate, far_rate, .. } = self.memory;
        let rates = [l1_rate, l2_rate, far_rate];
        if rates.contains(&0) {
            return invalid!(
                "memory of target {self} moves {rates:?} bytes a cycle, expected 1 at least"
            );
        }
        if !self.line.is_power_of_two() || !(16..=4096).contains(&self.line) {
            let line = self.line;
            return invalid!(
                "target {self} has lines of {line} bytes, expected a power of two from 16 to 4096"
            );
        }
        Ok(())
    }

    /// How many bytes a cycle come from where so many have room together.
    pub(crate) fn rate(&self, bytes: usize) -> u64 {
        let Memory { l1_rate, l2_rate, far_rate, .. } = self.memory;
        u64::from(match bytes {
            bytes if bytes <= self.l1 => l1_rate,
            bytes if bytes <= self.l2 => l2_rate,
            _ => far_rate,
        })
    }

    /// Whether code has instructions that make bf16 of floats.
    pub(crate) fn makes_bf16(&self) -> bool {
        self.bf16 && self.tier >= Tier::Avx512Vbmi
    }

    /// Whether a permutation makes longer elements of a register's part, which no core that has it does otherwise.
    pub(crate) fn spreads(&self) -> bool {
        self.tier.permute_grain() == 1
    }

    /// The target that every machine is.
    pub const fn portable() -> Target {
        TARGETS[0]
    }

    /// The target for a CPU that nothing more is known of, with all instructions that there are.
    pub fn generic() -> Target {
        Target::named("generic").expect("the table has a row for the unknown")
    }

    /// This microarchitecture with no more than a tier's instructions; without any it is the portable target.
    #[must_use]
    pub fn capped(self, most: Tier) -> Target {
        match self.tier.min(most) {
            Tier::Portable => Target::portable(),
            tier => Target { tier, ..self },
        }
    }

    /// Of that name, with all that it has.
    fn named(name: &str) -> Option<Target> {
        TARGETS.iter().copied().find(|target| target.name == name)
    }
}

/// The name, and behind it the tier where that is not all that it has: `spr`, `spr:avx2`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match Target::named(self.name) {
            Some(best) if best.tier == self.tier => f.pad(self.name),
            _ => f.pad(&format!("{}:{}", self.name, self.tier)),
        }
    }
}

impl FromStr for Target {
    type Err = Error;

    fn from_str(text: &str) -> Result<Target> {
        let (name, tier) = text.split_once(':').map_or((text, None), |(n, t)| (n, Some(t)));
        let best = Target::named(name).ok_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            let nearest = nearest_to(name, names.iter().copied());
            Error::text_near(name, format!("a target ({})", names.join(", ")), nearest)
        })?;
        let Some(tier) = tier else { return Ok(best) };
        // With the portable tier all are one, and that has a name of its own.
        let own =
            |tier: &Tier| *tier == best.tier || (*tier != Tier::Portable && *tier < best.tier);
        let found = Tier::ALL.into_iter().filter(own).find(|own| own.name() == tier);
        found.map(|tier| best.capped(tier)).ok_or_else(|| {
            let names: Vec<&str> = Tier::ALL.into_iter().filter(own).map(Tier::name).collect();
            Error::text(tier, format!("a tier of {name} ({})", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_inverses() {
        for best in TARGETS.iter().copied() {
            for tier in Tier::ALL {
                let target = best.capped(tier);
                assert_eq!(target.to_string().parse::<Target>(), Ok(target));
                assert!(target.tier <= tier && target.check().is_ok(), "{target}");
            }
            assert_eq!(best.to_string(), best.name);
            assert_eq!(format!("{best}:{}", best.tier).parse::<Target>(), Ok(best));
        }
    }

    #[test]
    fn a_lower_tier_leaves_the_machine_as_it_is() {
        let all: Target = "spr".parse().unwrap();
        let less: Target = "spr:avx2".parse().unwrap();
        assert_eq!(less, Target { tier: Tier::Avx2, ..all });
        assert_eq!((less.to_string().as_str(), less.capped(Tier::Avx512)), ("spr:avx2", less));
        assert_eq!(less.capped(Tier::Portable), Target::portable());
    }

    #[test]
    fn what_is_no_target_is_named() {
        for (text, told) in [
            ("spx", "found `spx`"),
            ("spx:avx2", "found `spx`"),
            ("haswell:avx512", "expected a tier of haswell (avx2), found `avx512`"),
            ("skx:portable", "expected a tier of skx (avx2, avx512), found `portable`"),
            ("portable:avx2", "expected a tier of portable (portable), found `avx2`"),
            ("spr:", "found ``"),
        ] {
            let error = text.parse::<Target>().unwrap_err().to_string();
            assert!(error.contains(told), "{error}");
        }
    }

    /// Bounds take permutations within 16-byte lanes for the cheapest there are.
    #[test]
    fn nothing_is_cheaper_across_lanes() {
        for target in TARGETS.iter().copied() {
            for parts in [target.ports.narrow, target.ports.wide] {
                assert!(parts.vector <= parts.shuffle && parts.shuffle <= parts.across, "{target}");
            }
        }
    }
}
