//! What an evaluation is to say of a sample.

use super::sample::Sample;
use crate::endgame::Outcome;
use crate::evaluation::network::SCALE;

/// The part of won games that odds of winning (as a logarithm) stand for.
pub(super) fn sigmoid(odds: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-odds))
}

/// The part of a won game that a sample is worth, a draw being half of one: as the search said to
/// the part `search`, the rest as the game ended. What is exact is worth its result.
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
