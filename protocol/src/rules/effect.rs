//! What a move does to the board.

/// What a move does to the board: a stone goes from one point to another, enemy stones leave.
/// Moves along different paths may share it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Effect {
    captured: u64,
    from: u8,
    to: u8,
}

impl Effect {
    /// Index of the point the stone leaves.
    #[inline]
    pub fn from(self) -> usize {
        self.from as usize
    }

    /// Index of the point the stone reaches at last.
    #[inline]
    pub fn to(self) -> usize {
        self.to as usize
    }

    /// The captured stones, bit *i* for the point with index *i*; none in a paika.
    #[inline]
    pub fn captured(self) -> u64 {
        self.captured
    }

    /// How many stones are captured.
    #[inline]
    pub fn gain(self) -> u32 {
        self.captured.count_ones()
    }

    /// Whether anything is captured; otherwise the move is a paika.
    #[inline]
    pub fn is_capture(self) -> bool {
        self.captured != 0
    }

    /// The effect as one number below 2⁵⁷, for tables and trees that keep many.
    #[inline]
    pub fn pack(self) -> u64 {
        self.captured << 12 | u64::from(self.to) << 6 | u64::from(self.from)
    }

    /// The effect that [`Effect::pack`] made this number of; any other number gives an effect
    /// without meaning.
    #[inline]
    pub fn unpack(packed: u64) -> Effect {
        let index = |shift: u32| (packed >> shift & 63) as u8;
        Effect { captured: packed >> 12, from: index(0), to: index(6) }
    }

    /// The two points whose stone changed: exclusive or with the mover's stones plays the move.
    #[inline]
    pub(super) fn moved(self) -> u64 {
        1 << self.from | 1 << self.to
    }

    #[inline]
    pub(super) fn new(from: usize, to: usize, captured: u64) -> Effect {
        Effect { captured, from: from as u8, to: to as u8 }
    }
}
