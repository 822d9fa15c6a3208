//! Values for the side to move: hundredths of a stone, or a proven win or loss with its distance.

use fanorona_protocol::messages::Score;

/// The value of a won game; a win in *n* plies is *n* less.
pub(super) const WIN: i32 = 32_000;

/// Larger than every value.
pub(super) const INFINITE: i32 = WIN + 1;

/// The value of a draw.
pub(super) const DRAW: i32 = 0;

/// The maximum length of a line in plies, including captures below the horizon.
pub(super) const MAX_PLY: usize = 128;

/// The smallest proven win with a distance; its negative is the largest proven loss.
pub(super) const PROVEN: i32 = WIN - 1000;

/// The value of a win from endgame tables whose distance is not read: less than every win with a
/// distance. A win of this kind *n* plies from the root is *n* less.
pub(super) const PROMISED: i32 = PROVEN - 1;

/// Evaluations are below this and above its negative.
pub(super) const DECIDED: i32 = PROMISED - MAX_PLY as i32;

/// The value of a game lost at a ply of the search.
pub(super) fn lost_at(ply: usize) -> i32 {
    ply as i32 - WIN
}

/// Whether a value is a proven win or loss.
pub(super) fn is_proven(value: i32) -> bool {
    value.abs() >= PROVEN
}

/// The distance of a proven win or loss in plies.
pub(super) fn distance(value: i32) -> u32 {
    (WIN - value.abs()).unsigned_abs()
}

/// The value of a win from endgame tables at a ply of the search, without its distance.
pub(super) fn promised_at(ply: usize) -> i32 {
    PROMISED - ply as i32
}

/// Converts a search value at a ply to a value for the table, whose distances count from the
/// position and not from the root.
pub(super) fn from_here(value: i32, ply: usize) -> i32 {
    if value.abs() < DECIDED { value } else { value + value.signum() * ply as i32 }
}

/// The inverse of [`from_here`].
pub(super) fn from_root(value: i32, ply: usize) -> i32 {
    if value.abs() < DECIDED { value } else { value - value.signum() * ply as i32 }
}

/// Converts a value to a score of the protocol.
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
