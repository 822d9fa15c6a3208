//! One position of a game, with the score of the search and the result of the game.

use fanorona_protocol::rules::{BoardSize, Position, Side, raw};

use fanorona_bots::evaluation::network::Role;
use fanorona_endgames::Outcome;

/// A position from the view of the side to move. Its board size is that of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The stones of the side to move, bit *i* for the point with index *i*.
    pub(crate) own: u64,
    /// The stones of the other side.
    pub(crate) enemy: u64,
    /// The role of the side to move.
    pub role: Role,
    /// The result of the game for the side to move.
    pub(crate) result: Outcome,
    /// Whether the result is that of perfect play, from an endgame table.
    pub(crate) exact: bool,
    /// Whether the side to move has a capture.
    pub capture: bool,
    /// The score of a search in hundredths of a stone, within ±[`Sample::MOST`]. An exact sample
    /// has that value for a win, its negative for a loss, and 0 for a draw.
    pub(crate) score: i16,
    /// Plies played before, at most 255.
    pub(crate) plies: u8,
}

/// Bits of a set of points.
const POINTS: u32 = 45;

/// The mask of these bits.
const BOARD: u64 = (1 << POINTS) - 1;

impl Sample {
    /// The largest score.
    pub(crate) const MOST: i16 = 10_000;

    /// Bytes of a sample in a file.
    pub(crate) const BYTES: usize = 16;

    /// The position on a board of this size, the side to move being White.
    ///
    /// # Panics
    /// Panics if a stone is outside of the board.
    pub fn position(&self, size: BoardSize) -> Position {
        let board = raw::board(self.own, self.enemy, size);
        let debtor = match self.role {
            Role::Riatra => None,
            Role::Debtor => Some(Side::White),
            Role::Creditor => Some(Side::Black),
            // The creditor has few stones left.
            Role::Settled if self.enemy.count_ones() < self.own.count_ones() => Some(Side::White),
            Role::Settled => Some(Side::Black),
        };
        Position::from_board(board.expect("the stones are on the board, and apart"))
            .with_debtor(debtor)
    }

    /// Encodes a sample as two little-endian numbers of 64 bits. The lower 45 bits are the stones,
    /// first the own stones, then the enemy's. Above the own stones come the role (2 bits: riatra 0,
    /// debtor 1, creditor 2, settled 3), the result (2 bits: loss 0, draw 1, win 2), whether it is exact and
    /// whether there is a capture (1 bit each), and the plies (8 bits). Above the enemy's stones
    /// comes the score (16 bits, two's complement).
    pub(crate) fn to_bytes(self) -> [u8; Sample::BYTES] {
        let above = self.role as u64
            | (self.result as u64) << 2
            | u64::from(self.exact) << 4
            | u64::from(self.capture) << 5
            | u64::from(self.plies) << 6;
        let mut bytes = [0; Sample::BYTES];
        bytes[..8].copy_from_slice(&(self.own | above << POINTS).to_le_bytes());
        let score = u64::from(self.score as u16) << POINTS;
        bytes[8..].copy_from_slice(&(self.enemy | score).to_le_bytes());
        bytes
    }

    /// The inverse of [`Sample::to_bytes`]; `None` for bytes that are not a sample.
    pub(crate) fn from_bytes(bytes: &[u8; Sample::BYTES]) -> Option<Sample> {
        let (first, second) = bytes.split_at(8);
        let first = u64::from_le_bytes(first.try_into().expect("half of sixteen bytes"));
        let second = u64::from_le_bytes(second.try_into().expect("half of sixteen bytes"));
        let (above, score) = (first >> POINTS, second >> POINTS);
        let sample = Sample {
            own: first & BOARD,
            enemy: second & BOARD,
            role: *Role::ALL.get((above & 3) as usize)?,
            result: *Outcome::ALL.get((above >> 2 & 3) as usize)?,
            exact: above >> 4 & 1 == 1,
            capture: above >> 5 & 1 == 1,
            plies: (above >> 6) as u8,
            score: score as u16 as i16,
        };
        let sound = sample.own & sample.enemy == 0
            && above >> 14 == 0
            && score >> 16 == 0
            && (-Sample::MOST..=Sample::MOST).contains(&sample.score);
        sound.then_some(sample)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn samples_survive_their_bytes(
            own in 0..=BOARD,
            enemy in 0..=BOARD,
            role in prop::sample::select(&Role::ALL[..]),
            result in prop::sample::select(&Outcome::ALL[..]),
            (exact, capture, plies) in any::<(bool, bool, u8)>(),
            score in -Sample::MOST..=Sample::MOST,
        ) {
            let enemy = enemy & !own;
            let sample = Sample { own, enemy, role, result, exact, capture, score, plies };
            prop_assert_eq!(Sample::from_bytes(&sample.to_bytes()), Some(sample));
        }
    }

    #[test]
    fn invalid_bytes_are_no_sample() {
        assert_eq!(Sample::from_bytes(&[0xff; 16]), None);
        // Two stones on one point.
        let mut bytes = [0; 16];
        (bytes[0], bytes[8]) = (1, 1);
        assert_eq!(Sample::from_bytes(&bytes), None);
    }
}
