//! Winning chances: what a score means for the result.
//!
//! The chance of a score of x hundredths of a stone is 1 / (1 + exp(−x / [`SCALE`])). It is the
//! expected result of the game, with a draw as half a win. A proven win has the chance 1 and a
//! proven loss 0.
//!
//! `arena/examples/fit_chance.rs` fits the scale to games by maximum likelihood, and
//! `arena/benches/README.md` shows the games, the fit and its quality. Riatra and vela share one
//! scale: their separate fits agree within their errors.

use fanorona_protocol::messages::Score;

/// The scale in hundredths of a stone: this lead has a chance of 73 %, three times as much has 95 %.
pub const SCALE: f64 = 360.0;

/// The winning chance, 0 to 1, of the side that the score is for.
///
/// ```
/// use fanorona_tournament::analysis::chance;
/// use fanorona_protocol::messages::Score;
///
/// assert_eq!(chance(Score::Cp(0)), 0.5);
/// assert_eq!((chance(Score::Win(9)), chance(Score::Loss(4))), (1.0, 0.0));
/// assert!(chance(Score::Cp(300)) > 0.69);
/// ```
pub fn chance(score: Score) -> f64 {
    match score {
        Score::Cp(hundredths) => logistic(f64::from(hundredths), SCALE),
        Score::Win(_) => 1.0,
        Score::Loss(_) => 0.0,
    }
}

/// The winning chance of a score for another scale.
pub fn logistic(hundredths: f64, scale: f64) -> f64 {
    1.0 / (1.0 + (-hundredths / scale).exp())
}

/// A score from the view of the other side.
pub(crate) fn negated(score: Score) -> Score {
    match score {
        Score::Cp(hundredths) => Score::Cp(hundredths.saturating_neg()),
        Score::Win(plies) => Score::Loss(plies),
        Score::Loss(plies) => Score::Win(plies),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_chances_of_both_sides_sum_to_one() {
        for score in [Score::Cp(0), Score::Cp(-731), Score::Cp(i32::MIN), Score::Win(3)] {
            let sum = chance(score) + chance(negated(score));
            assert!((sum - 1.0).abs() < 1e-12, "{score}: {sum}");
        }
        assert!((chance(Score::Cp(360)) - 0.7311).abs() < 1e-4);
    }
}
