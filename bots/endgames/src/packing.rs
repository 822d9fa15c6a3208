//! The packing of an exact value in a byte: the plies to the end, or [`DRAW`].
//!
//! The winner makes the last move of a won game, so the plies to the end are odd for the winner and
//! even for the loser: the number alone determines who wins.

use fanorona_protocol::messages::Value;

use super::outcome::Outcome;

/// The byte of a draw; no win or loss is that long.
pub(super) const DRAW: u8 = 255;

/// The number of values that a file compresses together.
pub(super) const BLOCK: usize = 15 << 10;

/// The outcome of a byte for the side to move.
#[inline]
pub(super) fn outcome(byte: u8) -> Outcome {
    match byte {
        DRAW => Outcome::Draw,
        plies if plies % 2 == 1 => Outcome::Win,
        _ => Outcome::Loss,
    }
}

/// The value of a byte for the side to move.
#[inline]
pub(super) fn value(byte: u8) -> Value {
    match outcome(byte) {
        Outcome::Win => Value::Win(byte.into()),
        Outcome::Draw => Value::Draw,
        Outcome::Loss => Value::Loss(byte.into()),
    }
}

/// The best value of a position, from the values that its moves lead to, which are from the enemy's
/// view: the shortest win, otherwise a draw, otherwise the longest loss. A position without moves
/// is lost at once.
#[derive(Clone, Copy)]
pub(super) struct BestValue {
    /// The plies of the shortest win so far.
    win: Option<u8>,
    draw: bool,
    /// The plies of the longest loss so far; 0 without moves.
    loss: u8,
}

impl BestValue {
    /// The value without moves.
    pub(super) const NONE: BestValue = BestValue { win: None, draw: false, loss: 0 };

    /// Adds a move, given the byte of the position it leads to.
    #[inline]
    pub(super) fn add(&mut self, byte: u8) {
        match outcome(byte) {
            Outcome::Win => self.loss = self.loss.max(byte + 1),
            Outcome::Draw => self.draw = true,
            Outcome::Loss => {
                self.win = Some(self.win.map_or(byte + 1, |win| win.min(byte + 1)));
            }
        }
    }

    /// The byte of the position itself.
    #[inline]
    pub(super) fn byte(self) -> u8 {
        match self {
            BestValue { win: Some(plies), .. } => plies,
            BestValue { draw: true, .. } => DRAW,
            BestValue { loss, .. } => loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(bytes: &[u8]) -> Value {
        let mut best = BestValue::NONE;
        bytes.iter().for_each(|&byte| best.add(byte));
        value(best.byte())
    }

    #[test]
    fn the_best_move_decides_the_value() {
        assert_eq!(best(&[]), Value::Loss(0));
        assert_eq!(best(&[0]), Value::Win(1));
        assert_eq!(best(&[3, DRAW, 6, 4, 9]), Value::Win(5));
        assert_eq!(best(&[3, DRAW, 9]), Value::Draw);
        assert_eq!(best(&[3, 9, 5]), Value::Loss(10));
    }
}
