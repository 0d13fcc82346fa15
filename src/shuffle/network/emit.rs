//! A network written out. In: a form. Out: its operations, registers that depend on one another side by
//! side, and only those that a store needs.

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use super::frame::{Frame, MOST_BITS, NO};
use super::relaid::Runs;
use super::stage::{Kind, Stage};
use super::{Chosen, Form, Seen};
use crate::shuffle::op::every;
use crate::shuffle::schedule::Draft;
use crate::shuffle::{Dim, Movement, NONE, Op, Reg, Side};

/// The operations of a network.
pub(in crate::shuffle) fn generate(movement: &Movement, chosen: &Chosen) -> Draft {
    let Chosen { frame, form, seen, .. } = chosen;
    let (movement, relaid) = match seen {
        Seen::AsItIs => (movement, None),
        Seen::Joined(joined) => (&**joined, None),
        Seen::Relaid(relaid) => (&relaid.movement, Some(relaid)),
    };
    let mut draft = Draft::new(frame.lane, frame.lanes(), movement.change);
    let laid = |side, run: usize| relaid?.table(side, 1 << run, frame.lanes());
    let within = relaid.is_some_and(|relaid| relaid.laid.within);
    let steps = form.before.tables(frame);
    match laid(Runs::Source, form.piece) {
        Some(laid) if !within => {
            draft.tables.push(steps.fold(laid, |laid, step| laid.then(&step)));
        }
        laid => draft.tables.extend(laid.into_iter().chain(steps)),
    }
    let (before, behind) = (form.ahead(), draft.tables.len() as u16);
    let mut steps = form.after.tables(frame);
    match laid(Runs::Destination, frame.dst_bits) {
        Some(laid) if !within => {
            let first = steps.next();
            let sorted = first.map(|first| steps.fold(first, |all, step| all.then(&step)));
            draft.tables.push(sorted.map_or(laid.clone(), |sorted| sorted.then(&laid)));
        }
        laid => draft.tables.extend(steps.chain(laid)),
    }
    let after = form.behind(behind);
    let used = |id: u8| form.loaded.contains(&id) || form.slots.iter().any(|slot| slot.0 == id);
    let batch: SmallVec<[u8; 8]> = (0..frame.bits.len() as u8).filter(|id| !used(*id)).collect();
    let whole = |dim: &Dim| {
        dim.extent.is_power_of_two()
            && dim.data == (0..dim.extent)
            && dim.src.stride().is_some()
            && dim.dst.stride().is_some()
    };
    let bits =
        |ids: &[u8]| ids.iter().filter(|id| **id != NO).fold(0, |mask: Index, id| mask | 1 << id);
    let turned = frame.downwards & bits(&frame.src[..form.piece]);
    let mut writer = Writer {
        movement,
        frame,
        form,
        draft,
        before,
        after,
        parts: Part::all(movement, frame, form.piece),
        plain: movement.dims.iter().all(whole),
        steps: [(0, 0); MOST_BITS],
        turned,
        upright: turned & !bits(&frame.dst[..frame.dst_bits]),
        rows: bits(&form.after.lanes[frame.dst_bits..frame.lanes_log]),
    };
    for (id, (dim, log)) in frame.bits.iter().enumerate() {
        let dim = &movement.dims[*dim as usize];
        let step = |side: &Side| side.stride().unwrap_or(0).wrapping_mul(1 << log);
        writer.steps[id] = (step(&dim.src), step(&dim.dst));
    }
    // What is left over at the end of a row comes first: it may reach over what the next row begins with.
    let ends = batch.iter().filter(|id| form.in_a_row > 1 && frame.leads_along_rows(**id));
    let ends = ends.fold(0, |mask: Index, id| mask | 1 << id);
    for number in 0..1u32 << batch.len() {
        let base: Index = batch.iter().enumerate().map(|(i, id)| (number >> i & 1) << id).sum();
        writer.batch(base ^ ends);
    }
    writer.draft
}

/// Bits of an index, each at its own number.
type Index = u32;

struct Writer<'a> {
    movement: &'a Movement,
    frame: &'a Frame,
    form: &'a Form,
    draft: Draft,
    /// Permutations of each register ahead of the stages, and behind them.
    before: SmallVec<[Op; 3]>,
    after: SmallVec<[Op; 3]>,
    /// What each dim is to registers.
    parts: ArrayVec<Part, 16>,
    /// Whether every position of every dim is an element, its place told by strides.
    plain: bool,
    /// Bytes of either side that a bit leads on, where that is so.
    steps: [(isize, isize); MOST_BITS],
    /// Bits of a piece that are loaded downwards.
    turned: Index,
    /// Those of them that tell registers apart as they are stored, and count upwards again by then; those of lanes were
    /// turned round with these.
    upright: Index,
    /// Bits that tell rows of a register apart.
    rows: Index,
}

/// What a dim is to registers.
struct Part {
    /// Its lowest bit of the index, and what its bits are there.
    first: u8,
    mask: Index,
    /// Its lanes in pieces of the source, and in rows of the destination.
    loaded: Option<Span>,
    stored: Option<Span>,
}

/// Lanes of one dim: the lowest of their bits, and the positions that they tell apart.
#[derive(Clone, Copy)]
struct Span {
    low: usize,
    len: usize,
}

impl Part {
    /// Those of all dims.
    fn all(movement: &Movement, frame: &Frame, piece: usize) -> ArrayVec<Part, 16> {
        let span = |lanes: &[u8], d: u8| {
            let mine = |id: &u8| frame.bits[usize::from(*id)].0 == d;
            let low = lanes.iter().position(mine)?;
            Some(Span { low, len: 1 << lanes.iter().filter(|id| mine(id)).count() })
        };
        let mut first = 0;
        let part = |(d, dim): (u8, &Dim)| {
            let bits = dim.extent.next_power_of_two().trailing_zeros();
            let part = Part {
                first,
                mask: (1 << bits) - 1,
                loaded: span(&frame.src[..piece], d),
                stored: span(&frame.dst[..frame.dst_bits], d),
            };
            first += bits as u8;
            part
        };
        (0..).zip(&movement.dims).map(part).collect()
    }

    /// The position along the dim.
    fn position(&self, index: Index) -> usize {
        (index >> self.first & self.mask) as usize
    }
}

impl Writer<'_> {
    /// Registers that mix with one another, and with no others.
    fn batch(&mut self, base: Index) {
        let slots = &self.form.slots;
        let count = 1usize << slots.len();
        // Where each register is in the index, as loaded and as stored.
        let bit = |id: u8| if id == NO { 0 } else { 1 << id };
        let mut places: SmallVec<[(Index, Index); 64]> = SmallVec::from_elem((base, base), 1);
        for slot in slots {
            let (loaded, stored) = (bit(slot.0), bit(slot.1));
            for i in 0..places.len() {
                places.push((places[i].0 | loaded, places[i].1 | stored));
            }
        }
        let places = &places[..];
        let needed = &self.needed(count, |i| places[i].1)[..];
        let mut registers: SmallVec<[Reg; 64]> = SmallVec::from_elem(NONE, count);
        let registers = &mut registers[..];
        for (i, (register, place)) in registers.iter_mut().zip(places).enumerate() {
            if needed[0] >> i & 1 == 1 {
                *register = self.load(place.0);
            }
        }
        let mut blended = self.form.blended;
        for (k, stage) in self.form.stages.iter().enumerate() {
            let blends = blended > 0 && stage.straddles(self.frame);
            blended -= blends as usize;
            let bit = 1usize << stage.slot;
            for i in (0..count).filter(|i| i & bit == 0) {
                let pair = (registers[i], registers[i | bit]);
                let wanted = (needed[k + 1] >> i & 1 == 1, needed[k + 1] >> (i | bit) & 1 == 1);
                let (low, high) = self.stage(stage, pair, wanted, blends);
                (registers[i], registers[i | bit]) = (low, high);
            }
        }
        // Upwards in the destination: rows that share lines come one behind the other. What is converted as it is
        // stored, a part of a row after another, goes better by turns.
        let mut upwards: SmallVec<[usize; 6]> = (0..slots.len()).collect();
        if self.movement.change.stores == (0, 0) {
            let step = |k: usize| self.steps.get(slots[k].1 as usize);
            upwards.sort_by_key(|&k| step(k).map_or(0, |step| step.1.unsigned_abs()));
        }
        let mut order: SmallVec<[u8; 64]> = SmallVec::from_elem(0, 1);
        for k in upwards {
            for n in 0..order.len() {
                order.push(order[n] | 1 << k);
            }
        }
        for i in order.into_iter().map(usize::from) {
            if last_of(needed) >> i & 1 == 1 {
                self.store(registers[i], places[i].1);
            }
        }
    }

    /// Which registers are needed before each stage, and behind the last one: from the stores back.
    fn needed(&self, count: usize, index: impl Fn(usize) -> Index) -> SmallVec<[u64; 8]> {
        let Form { slots, stages, .. } = self.form;
        let without: usize =
            slots.iter().enumerate().map(|(k, slot)| usize::from(slot.1 == NO) << k).sum();
        if self.plain && without == 0 {
            return SmallVec::from_elem(every(count), stages.len() + 1);
        }
        let stored = (0..count).filter(|i| i & without == 0 && self.has_store(index(*i)));
        let mut last = stored.fold(0u64, |mask, i| mask | 1 << i);
        let mut needed = SmallVec::from_elem(last, stages.len() + 1);
        for (needed, stage) in needed.iter_mut().zip(stages).rev() {
            let bit = 1usize << stage.slot;
            last = (0..count)
                .filter(|i| last >> i & 1 == 1 || last >> (i ^ bit) & 1 == 1)
                .fold(0, |mask, i| mask | 1 << i);
            *needed = last;
        }
        needed
    }

    /// Two registers that differ in the bit of a stage.
    fn stage(
        &mut self,
        stage: &Stage,
        (a, b): (Reg, Reg),
        wanted: (bool, bool),
        blends: bool,
    ) -> (Reg, Reg) {
        // Lanes that nobody loaded are nobody's.
        let (a, b) = match (a, b) {
            (NONE, NONE) => return (NONE, NONE),
            (NONE, b) => (b, b),
            (a, NONE) => (a, a),
            pair => pair,
        };
        let frame = self.frame;
        let no = u8::MAX;
        if blends && a != b && wanted == (true, true) {
            let (op, mask) = match stage.kind {
                Kind::Unpack { .. } => {
                    let half = 1u64 << (frame.cross - 1);
                    let lanes = (0..frame.lanes()).filter(|lane| *lane as u64 & half != 0);
                    (Op::Straddle { a, b }, lanes.fold(0, |mask, lane| mask | 1 << lane))
                }
                _ => {
                    let pick = if frame.width() == 64 { [2, 3, 0, 1] } else { [1, 0, no, no] };
                    let upper = every(frame.lanes()) << (frame.lanes() / 2);
                    (Op::Blocks { a, b, pick }, upper & every(frame.lanes()))
                }
            };
            let t = self.draft.push(op);
            let low = self.draft.push(Op::Blend { a, b: t, mask });
            return (low, self.draft.push(Op::Blend { a: t, b, mask }));
        }
        let op = |high: bool| match stage.kind {
            Kind::Unpack { at } => Op::Unpack { a, b, grain: 1 << at, high },
            Kind::Quads => Op::Quads { a, b, pick: if high { [1, 3, 1, 3] } else { [0, 2, 0, 2] } },
            Kind::Halves if frame.width() == 64 => {
                Op::Blocks { a, b, pick: if high { [2, 3, 2, 3] } else { [0, 1, 0, 1] } }
            }
            Kind::Halves => {
                Op::Blocks { a, b, pick: if high { [1, 1, no, no] } else { [0, 0, no, no] } }
            }
            Kind::Blocks => {
                Op::Blocks { a, b, pick: if high { [1, 3, 1, 3] } else { [0, 2, 0, 2] } }
            }
        };
        let mut make = |wanted: bool, high: bool| match wanted {
            true => self.draft.push(op(high)),
            false => NONE,
        };
        (make(wanted.0, false), make(wanted.1, true))
    }

    /// Dims, and what they are to registers.
    fn dims(&self) -> impl Iterator<Item = (&Dim, &Part)> {
        self.movement.dims.iter().zip(&self.parts)
    }

    /// A register filled piece by piece.
    fn load(&mut self, index: Index) -> Reg {
        let (frame, piece) = (self.frame, self.form.piece);
        let above = &self.form.loaded[piece..frame.lanes_log];
        let mut register = NONE;
        for number in 0..1usize << above.len() {
            // A position without a bit is one lane group that stays empty.
            let Some(index) = with_bits(index, above, number) else { continue };
            let Some((at, first, mut count)) = self.run(index) else { continue };
            // Instructions have whole pieces: what is beside is nobody's, if it may be read.
            if first == 0 && count < 1 << piece && self.beyond(index, count) >= (1 << piece) - count
            {
                count = 1 << piece;
            }
            let place = ((number << piece) + first) as u8;
            register = self.draft.push(Op::Load { at, place, count: count as u8, keep: register });
        }
        (0..self.before.len()).fold(register, |register, k| self.permuted(register, self.before[k]))
    }

    /// A register whose lanes are put in order.
    fn permuted(&mut self, register: Reg, mut op: Op) -> Reg {
        if register == NONE {
            return NONE;
        }
        op.read_from([register, NONE]);
        if let Op::Within { mask, .. } | Op::Permute { mask, .. } = &mut op {
            *mask = every(self.frame.lanes());
        }
        self.draft.push(op)
    }

    /// The contiguous elements of a piece: where they start, at which lane, and how many.
    fn run(&self, index: Index) -> Option<(isize, usize, usize)> {
        let (frame, piece) = (self.frame, self.form.piece);
        let turned = index ^ self.turned;
        if self.plain {
            let at = self.sum(turned, |step| step.0);
            return Some((at, 0, 1 << piece));
        }
        let (mut at, mut first, mut end) = (0isize, 0usize, 1usize << piece);
        for (dim, part) in self.dims() {
            let position = part.position(turned);
            at = at.wrapping_add(dim.src.stride().map_or_else(
                || if position < dim.extent { dim.src.at(position) } else { 0 },
                |stride| stride.wrapping_mul(position as isize),
            ));
            match part.loaded {
                None if dim.data.contains(&position) => {}
                None => return None,
                Some(Span { low, len }) => {
                    let base = position & !(len - 1);
                    let clip = |end: usize| end.saturating_sub(base).min(len);
                    let (from, to) = (clip(dim.data.start), clip(dim.data.end));
                    let down = frame.downwards >> frame.src[low] & 1 == 1;
                    let (from, to) = if down { (len - to, len - from) } else { (from, to) };
                    if from >= to {
                        return None;
                    }
                    if (from, to) != (0, len) {
                        (first, end) = (from << low, to << low);
                    }
                }
            }
        }
        let at = at.wrapping_add((first * self.movement.src_size) as isize);
        Some((at, first, end - first))
    }

    /// Elements of the movement that follow those of a piece without a gap, where it goes on to the end of a dim.
    fn beyond(&self, index: Index, count: usize) -> usize {
        let Movement { dims, src_size, change, .. } = self.movement;
        let own = |id: &u8| self.frame.bits[*id as usize].0 as usize;
        let mut inner = self.frame.src[..self.form.piece].iter().map(own);
        let first = inner.next().filter(|first| inner.all(|d| d == *first));
        let Some(first) = first.filter(|_| change.whole == 0 && self.frame.downwards == 0) else {
            return 0;
        };
        let whole = |dim: &Dim| dim.data == (0..dim.extent);
        let apart =
            |dim: &Dim, elements: usize| dim.src.stride() == Some((elements * src_size) as isize);
        let position = |d: usize| self.parts[d].position(index);
        let to_the_end = position(first) + count == dims[first].extent;
        if !whole(&dims[first]) || !apart(&dims[first], 1) || !to_the_end {
            return 0;
        }
        let (mut reach, mut beyond) = (dims[first].extent, 0);
        let next = |reach: usize| {
            dims.iter().position(|dim| whole(dim) && dim.extent > 1 && apart(dim, reach))
        };
        while let Some(d) = next(reach) {
            beyond += (dims[d].extent - 1 - position(d)) * reach;
            reach *= dims[d].extent;
        }
        beyond
    }

    /// What the bits of an index lead on.
    fn sum(&self, mut index: Index, side: impl Fn(&(isize, isize)) -> isize) -> isize {
        let mut at = 0isize;
        while index != 0 {
            at = at.wrapping_add(side(&self.steps[index.trailing_zeros() as usize]));
            index &= index - 1;
        }
        at
    }

    /// Whether any place of a register is stored.
    fn has_store(&self, index: Index) -> bool {
        if self.plain {
            return true;
        }
        // Of the rows in a register it is the first that counts, whichever way they were loaded.
        let index = (index ^ self.upright) & !self.rows;
        self.dims().all(|(dim, part)| part.position(index) < dim.extent)
    }

    /// The rows that a register holds.
    fn store(&mut self, register: Reg, index: Index) {
        let (frame, form) = (self.frame, self.form);
        let after = 0..self.after.len();
        let register = after.fold(register, |register, k| self.permuted(register, self.after[k]));
        let rows = &form.after.lanes[frame.dst_bits..frame.lanes_log];
        for number in 0..1usize << rows.len() {
            if let Some(index) = with_bits(index, rows, number) {
                self.row(register, index, number << frame.dst_bits);
            }
        }
    }

    /// One row of a register, from a lane on.
    fn row(&mut self, register: Reg, index: Index, place: usize) {
        let frame = self.frame;
        let index = index ^ self.upright;
        if self.plain && register != NONE {
            let (at, place, count) =
                (self.sum(index, |step| step.1), place as u8, 1 << frame.dst_bits);
            self.draft.store(Op::Store { a: register, at, place, count, blank: 0 });
            return;
        }
        let (mut at, mut count) = (0isize, 1usize << frame.dst_bits);
        let mut blank = 0u64;
        for (dim, part) in self.dims() {
            let position = part.position(index);
            if position >= dim.extent {
                return;
            }
            at = at.wrapping_add(dim.dst.at(position));
            let Some(Span { low, len }) = part.stored else {
                if !dim.data.contains(&position) {
                    blank = u64::MAX;
                }
                continue;
            };
            let left = dim.extent - position;
            if left < len {
                count = left << low;
            }
            // Bits of a dim are one above the other.
            if dim.data.start > position || dim.data.end < position + len.min(left) {
                let own = |lane: usize| position + (lane >> low & (len - 1));
                let lanes = (0..1 << frame.dst_bits).filter(|lane| !dim.data.contains(&own(*lane)));
                blank = lanes.fold(blank, |blank, lane| blank | 1 << (place + lane));
            }
        }
        let all = every(count) << place;
        let blank = blank & all;
        let a = if blank == all { NONE } else { register };
        debug_assert!(a != NONE || blank == all, "{:?}", self.form);
        self.draft.store(Op::Store { a, at, place: place as u8, count: count as u8, blank });
    }
}

/// An index with those of some bits that a number has; none where one of these is no bit.
fn with_bits(index: Index, bits: &[u8], number: usize) -> Option<Index> {
    let mut set = bits.iter().enumerate().filter(|(k, _)| number >> k & 1 == 1);
    set.try_fold(index, |index, (_, id)| (*id != NO).then(|| index | 1 << id))
}

fn last_of(needed: &[u64]) -> u64 {
    needed.last().copied().unwrap_or(0)
}
