//! The bytes of the positions being solved, in segments that one thread at a time may change.
//!
//! A message from one position to another would nearly always miss the cache. So a thread collects
//! its messages by segment and delivers those of a segment when there are enough of them. They then
//! fall close together, and the memory accesses overlap.

use std::sync::Mutex;

use super::super::packing::DRAW;

/// The number of messages for a segment that triggers their delivery.
const FULL: usize = 2048;

/// The target size of a segment in bytes: it fits the private cache of a core.
const SIZE: usize = 1 << 20;

/// The approximate maximum number of segments, which bounds the memory for messages.
const MOST: usize = 2048;

/// Some classes of patterns with all their colour splits: a byte for each position.
///
/// Below `ceiling` a byte is the plies to the end. From there on the position is undecided, and 255
/// minus the byte is the number of its moves not yet known to lose. [`DRAW`] marks a position with
/// a capture that is a draw.
pub(super) struct Segment {
    pub(super) bytes: Vec<u8>,
    /// The number of bytes of each value below `ceiling`.
    decided: [u32; 256],
}

impl Segment {
    pub(super) fn new(bytes: Vec<u8>) -> Segment {
        let mut decided = [0; 256];
        bytes.iter().for_each(|&byte| decided[byte as usize] += 1);
        Segment { bytes, decided }
    }

    /// The number of positions that end after this many plies.
    pub(super) fn decided(&self, plies: u8) -> u32 {
        self.decided[plies as usize]
    }
}

/// All segments, with a mapping from classes.
pub(super) struct Segments {
    segments: Vec<Mutex<Segment>>,
    /// The binary logarithm of the classes per segment.
    shift: u32,
    /// The number of positions in a class.
    width: usize,
}

impl Segments {
    /// Empty segments for a number of classes with a number of colour splits each.
    pub(super) fn new(classes: u32, width: usize) -> Segments {
        let size = SIZE.max(classes as usize * width / MOST);
        let shift = (size / width).ilog2();
        let count = (classes as usize).div_ceil(1 << shift);
        let segments = (0..count).map(|_| Mutex::new(Segment::new(Vec::new()))).collect();
        Segments { segments, shift, width }
    }

    pub(super) fn len(&self) -> usize {
        self.segments.len()
    }

    /// The number of positions in a class.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The first class of a segment.
    pub(super) fn first_class(&self, segment: usize) -> u32 {
        (segment << self.shift) as u32
    }

    /// The segment and offset of the first position of a class.
    #[inline]
    pub(super) fn place(&self, class: u32) -> (usize, u32) {
        let within = class & ((1 << self.shift) - 1);
        ((class >> self.shift) as usize, within * self.width as u32)
    }

    /// Works on a segment while no other thread can access it.
    pub(super) fn with<R>(&self, segment: usize, work: impl FnOnce(&mut Segment) -> R) -> R {
        let lock = self.segments[segment].lock();
        work(&mut lock.unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// The effect of a message on a byte: a move of its position leads to one that ends after a number
/// of plies.
pub(super) struct Update {
    after: [u8; 256],
    plies: u8,
}

impl Update {
    /// The message that positions end after `plies`. If it decides a position before them, that
    /// ends one ply later. Bytes from `ceiling` to below [`DRAW`] are undecided.
    pub(super) fn new(plies: u8, ceiling: u8) -> Update {
        let mut after = [0; 256];
        for (byte, after) in (0..=255).zip(&mut after) {
            *after = if byte < ceiling || byte == DRAW {
                byte
            } else if plies.is_multiple_of(2) || byte + 1 == DRAW {
                // Either the enemy loses there, so this position is won. Or this was the last move
                // not known to lose.
                plies + 1
            } else {
                byte + 1
            };
        }
        Update { after, plies }
    }
}

/// The messages that a thread has not delivered: for every segment, the offsets of the receiving
/// positions, once for every move.
pub(super) struct MessageBuffer {
    queues: Vec<Vec<u32>>,
}

impl MessageBuffer {
    pub(super) fn new(segments: &Segments) -> MessageBuffer {
        MessageBuffer { queues: vec![Vec::new(); segments.len()] }
    }

    /// The messages for a segment.
    #[inline]
    pub(super) fn queue(&mut self, segment: usize) -> &mut Vec<u32> {
        &mut self.queues[segment]
    }

    /// Delivers the messages for a segment if there are enough.
    #[inline]
    pub(super) fn deliver_full(&mut self, segments: &Segments, segment: usize, update: &Update) {
        if self.queues[segment].len() >= FULL {
            self.deliver(segments, segment, update);
        }
    }

    /// Delivers all messages.
    pub(super) fn deliver_all(&mut self, segments: &Segments, update: &Update) {
        for segment in 0..self.queues.len() {
            if !self.queues[segment].is_empty() {
                self.deliver(segments, segment, update);
            }
        }
    }

    fn deliver(&mut self, segments: &Segments, segment: usize, update: &Update) {
        let queue = &mut self.queues[segment];
        segments.with(segment, |segment| {
            let plies = update.plies + 1;
            let mut decided = 0;
            for &offset in queue.iter() {
                let byte = &mut segment.bytes[offset as usize];
                let after = update.after[*byte as usize];
                decided += u32::from(after == plies && *byte != plies);
                *byte = after;
            }
            segment.decided[plies as usize] += decided;
        });
        queue.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_update_decides_only_undecided_positions() {
        let (won, lost) = (Update::new(4, 200), Update::new(5, 200));
        for byte in (0..200).chain([DRAW]) {
            assert_eq!((won.after[byte as usize], lost.after[byte as usize]), (byte, byte));
        }
        for byte in 200..254 {
            assert_eq!((won.after[byte as usize], lost.after[byte as usize]), (5, byte + 1));
        }
        assert_eq!((won.after[254], lost.after[254]), (5, 6));
    }

    #[test]
    fn every_class_has_one_segment_and_offset() {
        for (classes, width) in [(1, 2), (70_000, 14), (2_039_604, 62), (54_000_000, 254)] {
            let segments = Segments::new(classes, width);
            assert!(segments.len() <= 2 * MOST, "{} segments", segments.len());
            for class in [0, classes / 2, classes - 1] {
                let (segment, offset) = segments.place(class);
                assert!(segment < segments.len());
                let before = class - segments.first_class(segment);
                assert_eq!(offset, before * width as u32);
            }
        }
    }
}
