//! Memory for a run. In: how many bytes, and where they may start. Out: bytes at such an address, with
//! a pattern on both sides that shows who writes beyond them.

use retile::Error;

pub(crate) struct Buffer {
    memory: Vec<u8>,
    start: usize,
    length: usize,
}

/// Where buffers start that are aligned.
pub(crate) const LINE: usize = 64;

/// How many bytes on each side are looked at.
const BESIDE: usize = 256;

/// What they hold, so that no pattern of a kernel's looks the same everywhere.
fn canary(at: usize) -> u8 {
    (at as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes()[0] | 1
}

impl Buffer {
    /// So many bytes, `shift` behind a multiple of `align`; an error where there is no such room.
    pub(crate) fn new(length: usize, align: usize, shift: usize) -> retile::Result<Buffer> {
        let refused = || Error::Memory { bytes: length };
        let all = length.checked_add(2 * BESIDE + align + shift).ok_or_else(refused)?;
        let mut memory = Vec::new();
        memory.try_reserve_exact(all).map_err(|_| refused())?;
        memory.resize(all, 0);
        let start = BESIDE + memory[BESIDE..].as_ptr().align_offset(align) + shift;
        let mut buffer = Buffer { memory, start, length };
        buffer.mark();
        Ok(buffer)
    }

    /// Holds these bytes, with nothing written beside them.
    pub(crate) fn set(&mut self, bytes: &[u8]) {
        self.bytes_mut().copy_from_slice(bytes);
        self.mark();
    }

    fn mark(&mut self) {
        let (before, _, behind) = self.parts();
        for side in [before, behind] {
            side.iter_mut().enumerate().for_each(|(at, byte)| *byte = canary(at));
        }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.memory[self.start..][..self.length]
    }

    pub(crate) fn bytes_mut(&mut self) -> &mut [u8] {
        self.parts().1
    }

    /// The byte furthest out that was written beside the buffer, counted from its start.
    pub(crate) fn trespass(&self) -> Option<isize> {
        let wrong = |pair: &(usize, &u8)| *pair.1 != canary(pair.0);
        let end = self.start + self.length;
        let before = self.memory[self.start - BESIDE..self.start].iter().enumerate().find(wrong);
        let behind = self.memory[end..end + BESIDE.min(self.memory.len() - end)].iter();
        let behind = behind.enumerate().rfind(wrong);
        let before = before.map(|(at, _)| at as isize - BESIDE as isize);
        before.or(behind.map(|(at, _)| (self.length + at) as isize))
    }

    /// What is looked at before, the bytes, and what is looked at behind.
    fn parts(&mut self) -> (&mut [u8], &mut [u8], &mut [u8]) {
        let (before, rest) = self.memory[self.start - BESIDE..].split_at_mut(BESIDE);
        let (bytes, behind) = rest.split_at_mut(self.length);
        let beside = behind.len().min(BESIDE);
        (before, bytes, &mut behind[..beside])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_lie_where_asked() {
        for (length, align, shift) in [(0, 64, 0), (1, 64, 4), (1000, 4096, 8), (7, 128, 1)] {
            let buffer = Buffer::new(length, align, shift).unwrap();
            assert_eq!(buffer.bytes().len(), length);
            assert_eq!(buffer.bytes().as_ptr().addr() % align, shift);
            assert_eq!(buffer.trespass(), None);
        }
        assert!(Buffer::new(usize::MAX - 1000, 64, 0).is_err());
        assert!(Buffer::new(isize::MAX as usize - 1000, 64, 0).is_err());
    }

    #[test]
    fn what_is_written_beside_is_seen() {
        for (at, told) in [(-256, -256), (-1, -1), (100, 100), (355, 355)] {
            let mut buffer = Buffer::new(100, 64, 4).unwrap();
            let index = buffer.start.checked_add_signed(at).unwrap();
            buffer.memory[index] ^= 0x10;
            assert_eq!(buffer.trespass(), Some(told));
            buffer.set(&[1; 100]);
            assert_eq!(buffer.trespass(), None);
        }
    }
}
