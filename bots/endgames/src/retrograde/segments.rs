//! The bytes of the positions being solved, in segments that one thread at a time may change.
//!
//! What one position tells another would miss the cache nearly every time. So a thread keeps what
//! it has to tell by segment, and delivers a segment's messages when there are enough of them: they
//! then fall close together, and nothing waits for the answer of one before asking for the next.

use std::sync::Mutex;

use super::super::packing::DRAW;

/// Messages a thread keeps for a segment before it delivers them.
const FULL: usize = 2048;

/// Bytes a segment should have: no more than a core's own cache holds.
const SIZE: usize = 1 << 20;

/// Segments there should be at most, for the sake of what is kept for each.
const MOST: usize = 2048;

/// Some classes of patterns with all their sharings: a byte for each position.
///
/// Up to `ceiling` it holds the plies to the end, once they are known, beyond it how many more
/// moves have to be known for lost until the position is: 255 less the byte. [`DRAW`] is a position
/// with a capture that nothing will change.
pub(super) struct Segment {
    pub(super) bytes: Vec<u8>,
    /// How many bytes have each value, as far as it says plies to the end.
    decided: [u32; 256],
}

impl Segment {
    pub(super) fn new(bytes: Vec<u8>) -> Segment {
        let mut decided = [0; 256];
        bytes.iter().for_each(|&byte| decided[byte as usize] += 1);
        Segment { bytes, decided }
    }

    /// How many positions end after so many plies.
    pub(super) fn decided(&self, plies: u8) -> u32 {
        self.decided[plies as usize]
    }
}

/// Every segment, with the way to find a class in them.
pub(super) struct Segments {
    segments: Vec<Mutex<Segment>>,
    /// Classes of a segment, as a power of two.
    shift: u32,
    /// Positions of a class.
    width: usize,
}

impl Segments {
    /// No segment yet, for so many classes with so many sharings each.
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

    /// Positions of a class.
    pub(super) fn width(&self) -> usize {
        self.width
    }

    /// The first class of a segment.
    pub(super) fn first_class(&self, segment: usize) -> u32 {
        (segment << self.shift) as u32
    }

    /// Segment and offset of the first position of a class.
    #[inline]
    pub(super) fn place(&self, class: u32) -> (usize, u32) {
        let within = class & ((1 << self.shift) - 1);
        ((class >> self.shift) as usize, within * self.width as u32)
    }

    /// Does something with a segment that nobody else touches meanwhile.
    pub(super) fn with<R>(&self, segment: usize, work: impl FnOnce(&mut Segment) -> R) -> R {
        let lock = self.segments[segment].lock();
        work(&mut lock.unwrap_or_else(std::sync::PoisonError::into_inner))
    }
}

/// What a byte becomes when its position hears that a move leads to one that ends after so many
/// plies.
pub(super) struct Update {
    after: [u8; 256],
    plies: u8,
}

impl Update {
    /// The news that positions end after `plies`: those before them, if it makes them end, do so
    /// after one ply more. Bytes from `ceiling` to below [`DRAW`] are undecided.
    pub(super) fn new(plies: u8, ceiling: u8) -> Update {
        let mut after = [0; 256];
        for (byte, after) in (0..=255).zip(&mut after) {
            *after = if byte < ceiling || byte == DRAW {
                byte
            } else if plies.is_multiple_of(2) || byte + 1 == DRAW {
                // Lost for the enemy: won. Or the last move that was not known to be lost.
                plies + 1
            } else {
                byte + 1
            };
        }
        Update { after, plies }
    }
}

/// What one thread has still to tell: for every segment the offsets of the positions that hear the
/// news of the day, once for every move.
pub(super) struct Outbox {
    queues: Vec<Vec<u32>>,
}

impl Outbox {
    pub(super) fn new(segments: &Segments) -> Outbox {
        Outbox { queues: vec![Vec::new(); segments.len()] }
    }

    /// What is kept for a segment.
    #[inline]
    pub(super) fn queue(&mut self, segment: usize) -> &mut Vec<u32> {
        &mut self.queues[segment]
    }

    /// Delivers what is kept for a segment if it is enough.
    #[inline]
    pub(super) fn deliver_full(&mut self, segments: &Segments, segment: usize, update: &Update) {
        if self.queues[segment].len() >= FULL {
            self.deliver(segments, segment, update);
        }
    }

    /// Delivers everything.
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
    fn news_decide_what_they_should() {
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
    fn every_class_has_its_place() {
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
