//! The likelihood of superiority: the probability that one engine is stronger than another.

use nalgebra::DVector;
use statrs::distribution::ContinuousCDF;

use super::interval::{IntervalMethod, Profile};
use super::sandwich::Response;
use super::score::normal_cdf;

/// The probability, 0 to 1, that `contrast · parameters` is above zero; without a response it is
/// certain.
///
/// With a trusted sandwich variance, it is that of a normal variable. Otherwise it is computed from
/// the signed root of the likelihood ratio between the maximum and the best parameters without a
/// difference, and the result closer to a half counts; without a sandwich, only the root counts. So
/// it is above 97.5 % exactly if the [interval](super::interval::estimate) is above zero.
pub(super) fn superiority(
    profile: &Profile<'_>,
    response: Option<&Response>,
    contrast: &DVector<f64>,
    method: IntervalMethod,
) -> f64 {
    let lead = contrast.dot(&profile.optimum.point);
    let Some(response) = response else {
        // Both engines are anchored.
        return if lead == 0.0 { 0.5 } else { f64::from(u8::from(lead > 0.0)) };
    };
    let influence = response.influence;
    let by_pairs =
        profile.error_by_pairs(contrast, &influence).map(|error| normal_cdf(lead / error));
    match (method.for_influence(&influence), by_pairs) {
        (IntervalMethod::Sandwich, Some(by_pairs)) => by_pairs,
        _ => {
            let root = profile.root_of(contrast, response, 0.0).copysign(lead);
            let unit = method.scale(&influence);
            nearer_to_half(by_pairs, influence.student().cdf(root / unit))
        }
    }
}

/// The more cautious of two probabilities.
fn nearer_to_half(one: Option<f64>, other: f64) -> f64 {
    one.filter(|one| (one - 0.5).abs() < (other - 0.5).abs()).unwrap_or(other)
}
