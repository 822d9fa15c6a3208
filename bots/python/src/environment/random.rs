//! The random numbers of games, whose whole state is one number.

/// The random numbers of one game: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Copy)]
pub(super) struct Random(pub(super) u64);

impl Random {
    /// The numbers of one game of an environment. The seed is mixed first, so that environments with
    /// neighbouring seeds share no game.
    pub(super) fn new(seed: u64, index: usize) -> Random {
        Random(Random(seed).next().wrapping_add(index as u64))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A number below `limit`, which must be less than 2³².
    pub(super) fn below(&mut self, limit: usize) -> usize {
        (((self.next() >> 32) * limit as u64) >> 32) as usize
    }
}
