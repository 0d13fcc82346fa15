//! Memory for a footprint that may be spread over more addresses than there is memory: addresses are
//! reserved, and only pages with something in them are there. All else may not be touched.

use crate::harness::guard::access;

/// Pages closer than this are one stretch, and what lies between is there too.
pub(crate) const CLOSE: usize = 1 << 20;

/// Bytes beside the footprint that are there, and that nobody may write.
const BESIDE: usize = 256;

pub(crate) struct Memory {
    reserved: *mut u8,
    bytes: usize,
    /// Where a buffer starts whose footprint is here; it need not be here itself.
    start: *mut u8,
    /// What is there, counted from what is reserved.
    open: Vec<(usize, usize)>,
}

impl Memory {
    /// For elements of `size` bytes at these offsets, the first of which lies so many bytes beyond the start
    /// of a page, or somewhat further. Nothing where the system has no such addresses.
    pub(crate) fn starting(beyond: usize, cells: &[usize], size: usize) -> Option<Memory> {
        let least = *cells.iter().min()?;
        Memory::new(BESIDE + beyond, BESIDE, least, cells, size)
    }

    /// The same where behind the last element's byte there is nothing.
    pub(crate) fn ending(cells: &[usize], size: usize) -> Option<Memory> {
        let (least, most) = (*cells.iter().min()?, *cells.iter().max()? + size);
        let page = page();
        let before = (most - least).next_multiple_of(page) - (most - least);
        Memory::new(before, 0, least, cells, size)
    }

    fn new(
        before: usize,
        behind: usize,
        least: usize,
        cells: &[usize],
        size: usize,
    ) -> Option<Memory> {
        let page = page();
        let most = cells.iter().max()? + size;
        let bytes = (before + most - least + behind).next_multiple_of(page);
        let mut open: Vec<(usize, usize)> = Vec::new();
        let mut places: Vec<usize> = cells.iter().map(|cell| before + cell - least).collect();
        places.sort_unstable();
        for (i, &place) in places.iter().enumerate() {
            let from = if i == 0 { 0 } else { place / page * page };
            let end = place + size + if i + 1 == places.len() { behind } else { 0 };
            let to = end.next_multiple_of(page);
            match open.last_mut() {
                Some(last) if from <= last.1 + CLOSE => last.1 = last.1.max(to),
                _ => open.push((from, to)),
            }
        }
        // SAFETY: new addresses, of which pages are opened that lie within; results are checked.
        unsafe {
            let kind = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
            let null = std::ptr::null_mut();
            let reserved = libc::mmap(null, bytes + 2 * page, access(), kind, -1, 0);
            if reserved == libc::MAP_FAILED {
                return None;
            }
            let first = reserved.cast::<u8>().add(page);
            for &(from, to) in &open {
                let access = libc::PROT_READ | libc::PROT_WRITE;
                assert_eq!(
                    libc::mprotect(first.add(from).cast(), to - from, access),
                    0,
                    "no access"
                );
            }
            let start = first.wrapping_add(before).wrapping_sub(least);
            Some(Memory { reserved: first, bytes, start, open })
        }
    }

    /// Where the buffer starts.
    pub(crate) fn start(&self) -> *mut u8 {
        self.start
    }

    fn stretches(&self) -> impl Iterator<Item = &[u8]> {
        self.open.iter().map(|&(from, to)| {
            // SAFETY: open for as long as `self` lives, and initialized by the system.
            unsafe { std::slice::from_raw_parts(self.reserved.add(from), to - from) }
        })
    }

    fn stretches_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let reserved = self.reserved;
        self.open.iter().map(move |&(from, to)| {
            // SAFETY: as above, borrowed alone, and no two stretches share a byte.
            unsafe { std::slice::from_raw_parts_mut(reserved.add(from), to - from) }
        })
    }

    pub(crate) fn fill(&mut self, mut word: impl FnMut() -> u64) {
        for bytes in self.stretches_mut().flat_map(|bytes| bytes.chunks_exact_mut(8)) {
            bytes.copy_from_slice(&word().to_ne_bytes());
        }
    }

    /// All that is there.
    pub(crate) fn copy(&self) -> Vec<u8> {
        self.stretches().collect::<Vec<_>>().concat()
    }

    pub(crate) fn restore(&mut self, copy: &[u8]) {
        let mut rest = copy;
        for bytes in self.stretches_mut() {
            let (own, others) = rest.split_at(bytes.len());
            bytes.copy_from_slice(own);
            rest = others;
        }
    }

    /// The first byte that is not as in a copy: its offset in the buffer, what it is, and what it was.
    pub(crate) fn first_difference(&self, copy: &[u8]) -> Option<(isize, u8, u8)> {
        let mut rest = copy;
        for (bytes, (from, _)) in self.stretches().zip(&self.open) {
            let (own, others) = rest.split_at(bytes.len());
            if own != bytes {
                let at = (0..own.len()).find(|&at| own[at] != bytes[at])?;
                let place = self.reserved as isize + (from + at) as isize;
                return Some((place - self.start as isize, bytes[at], own[at]));
            }
            rest = others;
        }
        None
    }

    /// The bytes of an element at an offset in the buffer.
    pub(crate) fn element(&self, offset: usize, size: usize) -> &[u8] {
        let at = self.start.wrapping_add(offset);
        let place = at as usize - self.reserved as usize;
        let there = self.open.iter().any(|&(from, to)| from <= place && place + size <= to);
        assert!(there, "an element at {offset}, where there is none");
        // SAFETY: it lies in a stretch.
        unsafe { std::slice::from_raw_parts(at, size) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: the mapping made above with the pages beside it; nobody borrows it any more.
        unsafe {
            let page = page();
            libc::munmap(self.reserved.sub(page).cast(), self.bytes + 2 * page);
        }
    }
}

fn page() -> usize {
    // SAFETY: asks for a number.
    unsafe { libc::sysconf(libc::_SC_PAGESIZE) as usize }
}
