//! Values as integers of 16 bits, so that they can be compared, kept in files, and passed up from
//! move to move.

use fanorona_protocol::messages::Score;

/// The value of a won game; a win in *n* plies is *n* less.
pub const WIN: i32 = 32_000;

/// The smallest proven win.
const PROVEN: i32 = WIN - 1000;

/// The value of a score.
pub fn from_score(score: Score) -> i32 {
    let plies = |plies: u32| plies.min(WIN.abs_diff(PROVEN)) as i32;
    match score {
        Score::Cp(hundredths) => hundredths.clamp(1 - PROVEN, PROVEN - 1),
        Score::Win(length) => WIN - plies(length),
        Score::Loss(length) => plies(length) - WIN,
    }
}

/// The score of a value.
pub fn score(value: i32) -> Score {
    match value {
        PROVEN.. => Score::Win((WIN - value).max(0).unsigned_abs()),
        _ if value <= -PROVEN => Score::Loss((WIN + value).max(0).unsigned_abs()),
        _ => Score::Cp(value),
    }
}

/// The value of a move for the side that plays it, from the value of the position after it for the
/// other side.
pub fn before(value: i32) -> i32 {
    // A proof is one ply longer from here.
    let longer = if value.abs() > PROVEN { value.signum() } else { 0 };
    longer - value
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_scores_and_proofs_grow_by_a_ply() {
        for one in [Score::Cp(-35), Score::Win(7), Score::Loss(0), Score::Cp(9000)] {
            assert_eq!(score(from_score(one)), one);
        }
        assert_eq!(score(before(from_score(Score::Loss(0)))), Score::Win(1));
        assert_eq!(score(before(from_score(Score::Win(1)))), Score::Loss(2));
        assert_eq!(before(-35), 35);
        // A file may hold any number.
        assert_eq!(score(i32::from(i16::MIN)), Score::Loss(0));
        assert_eq!(score(i32::from(i16::MAX)), Score::Win(0));
        assert!(from_score(Score::Win(3)) > from_score(Score::Win(5)));
        assert!(from_score(Score::Loss(3)) < from_score(Score::Loss(5)));
    }
}
