//! One comparison. In: a kernel, its source, and what the destination was before and should be after. Out: an error
//! where a byte is wrong, or one beside the footprint was touched, in any of the ways to run it.

use super::values::Guarded;
use super::*;

/// Where the footprint lies between the guards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Place {
    Start,
    End,
    /// Aligned for its elements and for nothing wider.
    Odd,
    /// So many bytes beyond the start of a line.
    Beyond(usize),
}

impl Place {
    /// On which side of values the guard is then.
    pub(super) fn guarded(self) -> Guarded {
        if self == Place::End { Guarded::Behind } else { Guarded::Before }
    }
}

/// From the first to the last byte of a footprint, counted from the buffer's start.
#[derive(Clone, Copy)]
pub(super) struct Span {
    pub(super) least: usize,
    pub(super) end: usize,
    pub(super) size: usize,
}

impl Span {
    /// Of a layout, and of what is appended to it.
    pub(super) fn of(layout: &Layout, sizes: Option<&Sizes>) -> Span {
        let size = layout.dtype().size();
        let (mut least, mut end) = (usize::MAX, 0);
        for cell in layout.cells() {
            least = least.min(cell.offset * size);
            end = end.max((cell.offset + 1) * size);
        }
        if let Some(sizes) = sizes.filter(|s| s.s8s8.is_some() || s.asymmetric.is_some()) {
            end = end.max(sizes.dst);
        }
        Span { least: least.min(end), end, size }
    }

    /// What the buffer's start must be, counted from the arena's.
    pub(super) fn base(&self, place: Place, arena: &Arena) -> isize {
        let (least, end, length) = (self.least as isize, self.end as isize, arena.len() as isize);
        match place {
            Place::Start => -least,
            Place::End => length - end,
            Place::Odd => {
                let base = BESIDE as isize - least;
                round_up(base, 2 * self.size as isize) + self.size as isize
            }
            Place::Beyond(bytes) => BESIDE as isize - least + bytes as isize,
        }
    }
}

pub(super) fn round_up(value: isize, to: isize) -> isize {
    (value + to - 1).div_euclid(to) * to
}

/// Which bytes of a buffer belong to the destination.
pub(super) fn footprint(dst: &Layout, sizes: &Sizes) -> Vec<bool> {
    let mut own = vec![false; sizes.dst];
    let size = dst.dtype().size();
    for cell in dst.cells() {
        own[cell.offset * size..][..size].fill(true);
    }
    if let Some(sums) = sizes.s8s8.or(sizes.asymmetric) {
        own[sums..].fill(true);
    }
    own
}

pub(super) struct Comparison<'a> {
    pub(super) kernel: Kernel,
    /// With a guard before each list, and with one behind.
    pub(super) values: [Values<'a>; 2],
    /// Of source and destination.
    pub(super) spans: [Span; 2],
    pub(super) source: &'a [u8],
    pub(super) arenas: &'a mut [Arena; 2],
    pub(super) seed: u64,
}

impl Comparison<'_> {
    /// Lays both buffers out, runs, and gives the destination's buffer back, what lies beside it
    /// having been looked at.
    pub(super) fn run(
        &mut self,
        place: Place,
        before: &[u8],
        run: impl FnOnce(&Kernel, *const u8, *mut u8, &Values<'_>),
    ) -> Result<Vec<u8>, String> {
        let mut bases = [0; 2];
        let images = [self.source, before];
        let mut expected: [Vec<u8>; 2] = Default::default();
        for side in 0..2 {
            let span = self.spans[side];
            let needed = span.end - span.least + 2 * BESIDE + LINE;
            if self.arenas[side].len() < needed {
                self.arenas[side] = Arena::new(needed);
            }
            let arena = &mut self.arenas[side];
            bases[side] = span.base(place, arena);
            let (from, to) = window(bases[side], &span, arena.len());
            let canary = |at: usize| (at as u64 ^ self.seed).wrapping_mul(0x9e37_79b9) as u8 | 1;
            let image = images[side];
            let (first, end) = inside(bases[side], image.len(), (from, to));
            for at in (from..first).chain(end..to) {
                arena.bytes_mut()[at] = canary(at);
            }
            let skipped = (first as isize - bases[side]) as usize;
            arena.bytes_mut()[first..end].copy_from_slice(&image[skipped..][..end - first]);
            expected[side] = arena.bytes()[from..to].to_vec();
        }
        let at = |side: usize| self.arenas[side].at(bases[side]);
        run(&self.kernel, at(0), at(1), &self.values[place.guarded() as usize]);
        let (from, to) = window(bases[0], &self.spans[0], self.arenas[0].len());
        if self.arenas[0].bytes()[from..to] != expected[0] {
            return Err(format!("{place:?}: the source was written"));
        }
        let (from, to) = window(bases[1], &self.spans[1], self.arenas[1].len());
        let mut image = before.to_vec();
        let (first, end) = inside(bases[1], image.len(), (from, to));
        let found = self.arenas[1].bytes();
        for at in (from..first).chain(end..to) {
            if found[at] != expected[1][at - from] {
                let own = at as isize - bases[1];
                return Err(format!("{place:?}: byte {own} beside the buffer was written"));
            }
        }
        let skipped = (first as isize - bases[1]) as usize;
        image[skipped..][..end - first].copy_from_slice(&found[first..end]);
        Ok(image)
    }

    /// In one call, against a guard page.
    pub(super) fn whole(
        &mut self,
        place: Place,
        before: &[u8],
        after: &[u8],
    ) -> Result<(), String> {
        let found = self.run(place, before, |kernel, src, dst, values| {
            // SAFETY: the spans lie between the guards, everything the layouts' footprints hold.
            unsafe { kernel.run_raw(src, dst, values) }
        })?;
        self.same(&found, after, before, &format!("{place:?}"))
    }

    /// Through slices of bytes.
    pub(super) fn checked(
        &mut self,
        reorder: &Reorder,
        before: &[u8],
        after: &[u8],
    ) -> Result<(), String> {
        let (mut src, mut dst) = (Aligned::of(self.source), Aligned::of(before));
        let (source, destination) = (src.bytes_mut(), dst.bytes_mut());
        reorder
            .run_bytes(source, destination, &self.values[0])
            .map_err(|error| format!("refused at run: {error}"))?;
        if source != self.source {
            return Err("slices: the source was written".into());
        }
        self.same(destination, after, before, "slices")
    }

    /// As so many tasks in any order.
    pub(super) fn tasks(
        &mut self,
        count: usize,
        before: &[u8],
        after: &[u8],
    ) -> Result<(), String> {
        // Aligned too, since rows are stored past the caches only there.
        let place = [Place::Odd, Place::Start][(self.seed as usize ^ count) % 2];
        self.tasks_at(place, count, before, after)
    }

    pub(super) fn tasks_at(
        &mut self,
        place: Place,
        count: usize,
        before: &[u8],
        after: &[u8],
    ) -> Result<(), String> {
        let mut order: Vec<usize> = (0..count).collect();
        Xorshift::new(self.seed + 1).shuffle(&mut order);
        let found = self.run(place, before, |kernel, src, dst, values| {
            for &task in &order {
                // SAFETY: as for the whole.
                unsafe { kernel.run_task(task, count, src, dst, values) }
            }
        })?;
        self.same(
            &found,
            after,
            before,
            &format!("{place:?}: {count} tasks in the order {order:?}"),
        )
    }

    /// Each of so many tasks alone, twice: what it writes is found by what changes in two buffers
    /// that differ in every bit. Together they write each byte of the footprint once.
    pub(super) fn apart(
        &mut self,
        count: usize,
        own: &[bool],
        after: &[u8],
        sums: bool,
    ) -> Result<(), String> {
        let mut writer: Vec<Option<usize>> = vec![None; own.len()];
        for task in 0..count {
            let mut written = vec![false; own.len()];
            for canary in [0x5a, 0xa5] {
                let before = vec![canary; own.len()];
                let found = self.run(Place::Odd, &before, |kernel, src, dst, values| {
                    // SAFETY: as for the whole.
                    unsafe { kernel.run_task(task, count, src, dst, values) }
                })?;
                for (written, found) in written.iter_mut().zip(&found) {
                    *written |= *found != canary;
                }
                for (at, found) in found.iter().enumerate().filter(|_| !sums) {
                    if *found != canary && *found != after[at] {
                        return Err(format!(
                            "task {task} of {count} leaves {found:#x} at byte {at}, expected {:#x}",
                            after[at]
                        ));
                    }
                }
            }
            for (at, _) in written.iter().enumerate().filter(|(_, written)| **written) {
                if let Some(other) = writer[at].replace(task) {
                    return Err(format!("tasks {other} and {task} of {count} write byte {at}"));
                }
            }
        }
        for (at, (writer, own)) in writer.iter().zip(own).enumerate() {
            match (writer, own) {
                (Some(task), false) => {
                    return Err(format!("task {task} of {count} writes byte {at} beside"));
                }
                (None, true) if !sums => {
                    return Err(format!("none of {count} tasks writes byte {at}"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    pub(super) fn same(
        &self,
        found: &[u8],
        after: &[u8],
        before: &[u8],
        how: &str,
    ) -> Result<(), String> {
        let different = |at: &usize| found[*at] != after[*at];
        let Some(at) = (0..after.len()).find(different) else { return Ok(()) };
        let count = (0..after.len()).filter(different).count();
        let dst = self.kernel.dst();
        let element = at / self.spans[1].size;
        let cell = dst.cells().find(|cell| cell.offset == element);
        let cell = match cell {
            Some(cell) => format!("{:?} {:?}", cell.role, &cell.coords[..dst.rank()]),
            None => "no cell".into(),
        };
        Err(format!(
            "{how}: byte {at} ({cell}) is {:#04x}, expected {:#04x}, before {:#04x}; {count} of {} differ",
            found[at],
            after[at],
            before[at],
            after.len()
        ))
    }
}

/// The bytes of an arena that a run may concern, from and to.
pub(super) fn window(base: isize, span: &Span, length: usize) -> (usize, usize) {
    let from = base + span.least as isize - BESIDE as isize;
    let to = base + span.end as isize + BESIDE as isize;
    (from.max(0) as usize, to.min(length as isize) as usize)
}

/// What of a window is a buffer's, of so many bytes from a base on.
pub(super) fn inside(base: isize, length: usize, (from, to): (usize, usize)) -> (usize, usize) {
    let within = |at: isize| at.clamp(from as isize, to as isize) as usize;
    (within(base), within(base + length as isize))
}

/// Bytes aligned for any element.
pub(super) struct Aligned {
    pub(super) words: Vec<u64>,
    pub(super) length: usize,
}

impl Aligned {
    pub(super) fn of(bytes: &[u8]) -> Aligned {
        let mut aligned = Aligned { words: vec![0; bytes.len().div_ceil(8)], length: bytes.len() };
        aligned.bytes_mut().copy_from_slice(bytes);
        aligned
    }

    pub(super) fn bytes_mut(&mut self) -> &mut [u8] {
        // SAFETY: as many bytes as the words have, or less; any bytes are words.
        unsafe { std::slice::from_raw_parts_mut(self.words.as_mut_ptr().cast(), self.length) }
    }
}
