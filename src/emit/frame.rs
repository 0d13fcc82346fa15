//! The stack frame. In: what a plan needs kept. Out: places counted from the frame's start, which is on a
//! line: first what registers have no room for, then buffers for rows of both sides, then words.

use super::asm::FRAME;
use super::evex::{Mem, at};

/// A word of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(pub(super) i32);

/// Words as they are given out.
#[derive(Debug)]
pub(super) struct Frame {
    /// Where the buffers are, and where words start.
    buffer: i32,
    stage: i32,
    start: i32,
    next: i32,
    most: i32,
}

/// Bytes for each register that is put away.
const SLOT: i32 = 64;

/// Where a register is put away.
pub(super) fn spill(slot: u16) -> Mem {
    at(FRAME, i32::from(slot) * SLOT)
}

impl Frame {
    /// For so many registers to put away, and so many bytes of buffers behind them.
    pub(super) fn new(slots: usize, buffer: usize, stage: usize) -> Frame {
        let buffer_at = slots as i32 * SLOT;
        let whole = |bytes: usize| bytes.next_multiple_of(SLOT as usize) as i32;
        let stage_at = buffer_at + whole(buffer);
        let start = stage_at + whole(stage);
        Frame { buffer: buffer_at, stage: stage_at, start, next: start, most: start }
    }

    /// Where the buffer for rows of the source starts, on a line.
    pub(super) fn stage(&self) -> i32 {
        self.stage
    }

    /// Where the buffer for rows of the destination starts, on a line.
    pub(super) fn buffer(&self) -> i32 {
        self.buffer
    }

    pub(super) fn word(&mut self) -> Word {
        let word = Word(self.next);
        self.next += 8;
        self.most = self.most.max(self.next);
        word
    }

    pub(super) fn words<const N: usize>(&mut self) -> [Word; N] {
        std::array::from_fn(|_| self.word())
    }

    /// How many words are given out, to go back to.
    pub(super) fn mark(&self) -> i32 {
        self.next
    }

    pub(super) fn back_to(&mut self, mark: i32) {
        self.next = mark;
    }

    /// Bytes of it all.
    pub(super) fn size(&self) -> i32 {
        (self.most + SLOT - 1) / SLOT * SLOT
    }

    /// Bytes in front of the words: registers that are put away, and buffers.
    pub(super) fn before_words(&self) -> i32 {
        self.start
    }
}
