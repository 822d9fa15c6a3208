//! What a position is worth to the side to move: hundredths of a stone, or a proven win or loss
//! with its distance.

use fanorona_protocol::messages::Score;

/// The value of having won; a win in *n* plies is worth *n* less.
pub(super) const WIN: i32 = 32_000;

/// Beyond every value.
pub(super) const INFINITE: i32 = WIN + 1;

/// Nobody wins.
pub(super) const DRAW: i32 = 0;

/// Plies a line may have, captures after the horizon included.
pub(super) const MAX_PLY: usize = 128;

/// From here on a value is a proven win with its distance, from its negative on a proven loss.
pub(super) const PROVEN: i32 = WIN - 1000;

/// The value of a win that endgame tables promise without a word on how soon: less than every win
/// with a distance. One promised *n* plies from the root is worth *n* less.
pub(super) const PROMISED: i32 = PROVEN - 1;

/// Evaluations stay below this, and above its negative.
pub(super) const DECIDED: i32 = PROMISED - MAX_PLY as i32;

/// A loss that has come at a ply of the search.
pub(super) fn lost_at(ply: usize) -> i32 {
    ply as i32 - WIN
}

/// Whether a win or loss is proven.
pub(super) fn is_proven(value: i32) -> bool {
    value.abs() >= PROVEN
}

/// Plies to a proven win or loss.
pub(super) fn distance(value: i32) -> u32 {
    (WIN - value.abs()).unsigned_abs()
}

/// A win that has been promised at a ply of the search.
pub(super) fn promised_at(ply: usize) -> i32 {
    PROMISED - ply as i32
}

/// A value of a search as one of the position at a ply, for the table: its distance counts from
/// there and not from the root.
pub(super) fn from_here(value: i32, ply: usize) -> i32 {
    if value.abs() < DECIDED { value } else { value + value.signum() * ply as i32 }
}

/// The inverse of [`from_here`].
pub(super) fn from_root(value: i32, ply: usize) -> i32 {
    if value.abs() < DECIDED { value } else { value - value.signum() * ply as i32 }
}

/// A value as the protocol says it.
pub(super) fn score(value: i32) -> Score {
    if !is_proven(value) {
        Score::Cp(value)
    } else if value > 0 {
        Score::Win(distance(value))
    } else {
        Score::Loss(distance(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_from_where_they_are_asked() {
        for ply in [0, 1, 40] {
            // Won three plies after `ply`.
            let value = -lost_at(ply + 3);
            assert_eq!(score(value), Score::Win(ply as u32 + 3));
            assert_eq!(score(from_here(value, ply)), Score::Win(3));
            assert_eq!(from_root(from_here(value, ply), ply), value);
            assert_eq!(score(from_here(-value, ply)), Score::Loss(3));
        }
        assert_eq!(from_here(-250, 9), -250);
        assert_eq!(from_here(promised_at(7), 4), promised_at(3));
        assert_eq!(from_root(promised_at(3), 4), promised_at(7));
    }
}
