//! The effect of a move on the board.

/// The effect of a move on the board: one stone goes from one point to another, and enemy stones
/// are removed. Moves along different paths may have the same effect. [`raw`](super::raw) reads the
/// points.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect {
    captured: u64,
    from: u8,
    to: u8,
}

impl Effect {
    /// Returns the index of the point the stone leaves.
    #[inline]
    pub(super) fn from(self) -> usize {
        self.from as usize
    }

    /// Returns the index of the point where the stone ends.
    #[inline]
    pub(super) fn to(self) -> usize {
        self.to as usize
    }

    /// Returns the captured stones as bits.
    #[inline]
    pub(super) fn captured(self) -> u64 {
        self.captured
    }

    /// Returns the number of captured stones.
    #[inline]
    pub fn gain(self) -> u32 {
        self.captured.count_ones()
    }

    /// Whether the move captures. Otherwise it is a paika.
    #[inline]
    pub fn is_capture(self) -> bool {
        self.captured != 0
    }

    /// Returns the two points whose own stone changes. The exclusive or with the mover's stones
    /// plays the move.
    #[inline]
    pub(super) fn moved(self) -> u64 {
        1 << self.from | 1 << self.to
    }

    #[inline]
    pub(super) fn new(from: usize, to: usize, captured: u64) -> Effect {
        Effect { captured, from: from as u8, to: to as u8 }
    }
}
