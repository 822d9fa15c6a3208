//! What an evaluation is to say of a sample.

use super::sample::Sample;
use fanorona_bots::evaluation::network::SCALE;
use fanorona_endgames::Outcome;

/// The share of won games that the logarithm of odds stands for.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-odds))
}

/// How much of a won game a sample is worth, a draw being half of one: to the part `search` what the
/// search said, for the rest how the game ended. What is exact is worth its result.
pub(super) fn target(sample: &Sample, search: f32) -> f32 {
    let result = match sample.result {
        Outcome::Loss => 0.0,
        Outcome::Draw => 0.5,
        Outcome::Win => 1.0,
    };
    if sample.exact {
        return result;
    }
    let said = sigmoid(f32::from(sample.score) / SCALE as f32);
    result + search * (said - result)
}
