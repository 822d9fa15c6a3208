//! The likelihood of superiority: the probability that one engine is stronger than another.

use nalgebra::DVector;
use statrs::distribution::ContinuousCDF;

use super::interval::{IntervalMethod, Profile, Sandwich};
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
    method: IntervalMethod,
) -> f64 {
    let lead = contrast.dot(&profile.optimum.point);
    let influence = sandwich.map(|sandwich| sandwich.influence(contrast));
    let method = influence.as_ref().map_or(method, |influence| method.for_influence(influence));
    let by_pairs = influence
        .as_ref()
        .filter(|_| profile.recession.is_none())
        .and_then(|influence| influence.variance)
        .map(|variance| lead / variance.sqrt());
    match (method, by_pairs, influence) {
        (IntervalMethod::Sandwich, Some(z), _) => normal_cdf(z),
        (_, by_pairs, Some(influence)) if profile.intervals == Intervals::Quick => {
            let of_model = sandwich.map_or(0.0, |sandwich| sandwich.model_variance(contrast));
            let by_model = influence.student().cdf(lead / of_model.max(f64::MIN_POSITIVE).sqrt());
            nearer_to_half(by_pairs.map(normal_cdf), by_model)
        }
        (_, by_pairs, Some(influence)) if profile.subspace.constrained(contrast, 0.0).is_some() => {
            let root = profile.root(contrast, 0.0).copysign(lead);
            let by_root = influence.student().cdf(root);
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
