//! The training target of a sample.

use super::sample::Sample;
use fanorona_bots::evaluation::network::SCALE;
use fanorona_endgames::Outcome;

/// The probability of a win, from the logarithm of its odds.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-odds))
}

/// The target of a sample as a share of a win, where a draw is half a win. The part `search` is the
/// score of the search, the rest the result of the game. The target of an exact sample is its
/// result.
pub(super) fn target(sample: &Sample, search: f32) -> f32 {
    let result = match sample.result {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    };
    if sample.exact {
        return result;
    }
    let by_search = sigmoid(f32::from(sample.score) / SCALE as f32);
    result + search * (by_search - result)
}
