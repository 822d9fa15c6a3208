//! The likelihood of superiority: the probability that one engine is stronger than another.

use nalgebra::DVector;
use statrs::distribution::ContinuousCDF;

use super::interval::{Profile, Sandwich, Trust};
use super::options::Intervals;
use super::score::normal_cdf;

/// The probability, 0 to 1, that `contrast · parameters` is above zero.
///
/// With a trusted sandwich variance, it is that of a normal variable. Otherwise it is computed from
/// the signed root of the likelihood ratio between the maximum and the best parameters without a
/// difference, and the result closer to a half counts; without a sandwich, only the root counts.
pub(super) fn superiority(
    profile: &Profile<'_>,
    sandwich: Option<&Sandwich<'_>>,
    contrast: &DVector<f64>,
    trust: Trust,
) -> f64 {
    let lead = contrast.dot(&profile.top.at);
    let spread = sandwich.map(|sandwich| sandwich.spread(contrast));
    let trust = spread.as_ref().map_or(trust, |spread| trust.given(spread));
    let by_pairs = spread
        .as_ref()
        .filter(|_| profile.recession.is_none())
        .and_then(|spread| spread.variance)
        .map(|variance| lead / variance.sqrt());
    match (trust, by_pairs, spread) {
        (Trust::Sandwich, Some(z), _) => normal_cdf(z),
        (_, by_pairs, Some(spread)) if profile.intervals == Intervals::Quick => {
            let of_model = sandwich.map_or(0.0, |sandwich| sandwich.model_variance(contrast));
            let by_model = spread.student().cdf(lead / of_model.max(f64::MIN_POSITIVE).sqrt());
            nearer_to_half(by_pairs.map(normal_cdf), by_model)
        }
        (_, by_pairs, Some(spread)) if profile.frame.hold(contrast, 0.0).is_some() => {
            let root = profile.root(contrast, 0.0).copysign(lead);
            let by_root = spread.student().cdf(root);
            nearer_to_half(by_pairs.map(normal_cdf), by_root)
        }
        // Both engines are anchored, so their difference is certain.
        _ if lead > 0.0 => 1.0,
        _ if lead < 0.0 => 0.0,
        _ => 0.5,
    }
}

/// The more cautious of two probabilities.
fn nearer_to_half(one: Option<f64>, other: f64) -> f64 {
    one.filter(|one| (one - 0.5).abs() < (other - 0.5).abs()).unwrap_or(other)
}
