//! Confidence intervals of estimates.

use nalgebra::DVector;
use serde::Serialize;
use statrs::distribution::ContinuousCDF;

use super::likelihood::Likelihood;
use super::line::ProfileLine;
use super::newton::{Optimum, maximise, maximise_until};
use super::options::Intervals;
use super::recession::RecessionCone;
use super::sandwich::{Influence, Response};
use super::subspace::Subspace;
use super::{ELO_PER_LOG_ODDS, Z95};

/// An Elo value with its 95 % interval.
///
/// `None` means unbounded (`null` in JSON). An estimate has a value exactly if both ends have one,
/// or if an [`Anchor`](super::Anchor) fixes it; an anchor has no width. Without games all three are
/// `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Estimate {
    /// The maximum likelihood value.
    pub elo: Option<f64>,
    /// The lower end.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
}

/// The profile likelihood: the maximum with one quantity held, as a function of it.
pub(super) struct Profile<'a> {
    pub(super) likelihood: &'a Likelihood,
    pub(super) subspace: &'a Subspace,
    pub(super) optimum: &'a Optimum,
    pub(super) recession: Option<&'a RecessionCone>,
    pub(super) intervals: Intervals,
}

impl Profile<'_> {
    /// The ends of the interval in which the root of twice the decrease of the log-likelihood is at
    /// most `quantile` (Venzon and Moolgavkar 1988); `None` for an unbounded end. The search begins
    /// with steps of `width`.
    fn ends(
        &self,
        contrast: &DVector<f64>,
        width: f64,
        quantile: f64,
    ) -> (Option<f64>, Option<f64>) {
        let (falls, rises) = self.recedes(contrast);
        let low = if falls { None } else { self.end(contrast, -width, quantile) };
        let high = if rises { None } else { self.end(contrast, width, quantile) };
        (low, high)
    }

    /// Whether the quantity may decrease, and increase, without end and without loss of likelihood.
    fn recedes(&self, contrast: &DVector<f64>) -> (bool, bool) {
        let Some(recession) = self.recession else { return (false, false) };
        (recession.decreases(contrast), recession.increases(contrast))
    }

    /// The standard error of the quantity by the variation between pairs; `None` where they do not show
    /// it or the quantity is unbounded.
    pub(super) fn error_by_pairs(
        &self,
        contrast: &DVector<f64>,
        influence: &Influence,
    ) -> Option<f64> {
        influence.variance.filter(|_| self.recedes(contrast) == (false, false)).map(f64::sqrt)
    }

    /// The same for the quantity with this response, by the method that was asked for.
    fn ends_of(
        &self,
        contrast: &DVector<f64>,
        response: &Response,
        quantile: f64,
    ) -> (Option<f64>, Option<f64>) {
        if self.intervals != Intervals::Profile {
            let line = ProfileLine::new(self.likelihood, &self.optimum.point, response);
            let value = contrast.dot(&self.optimum.point);
            return (Some(value + line.end(-quantile)), Some(value + line.end(quantile)));
        }
        let width = (Z95 * response.model_variance.sqrt()).clamp(MIN_STEP, MAX_STEP);
        self.ends(contrast, width, quantile)
    }

    /// The root at `value` for the quantity with this response, by the method that was asked for.
    pub(super) fn root_of(&self, contrast: &DVector<f64>, response: &Response, value: f64) -> f64 {
        if self.intervals != Intervals::Profile {
            let step = value - contrast.dot(&self.optimum.point);
            return ProfileLine::new(self.likelihood, &self.optimum.point, response).root(step);
        }
        self.root(contrast, value)
    }

    /// The square root of twice the decrease of the log-likelihood if the quantity were `value`. It
    /// is nearly linear on either side of the maximum.
    fn root(&self, contrast: &DVector<f64>, value: f64) -> f64 {
        self.point(contrast, value, &self.optimum.point).root
    }

    /// The maximum with the quantity held at a value, searched from `start`.
    fn point(&self, contrast: &DVector<f64>, value: f64, start: &DVector<f64>) -> ProfilePoint {
        let Some(subspace) = self.subspace.constrained(contrast, value) else {
            return ProfilePoint {
                value,
                at: self.optimum.point.clone(),
                root: 0.0,
                derivative: 0.0,
            };
        };
        let constrained = match self.likelihood.has_prior() {
            true => maximise_until(self.likelihood, &subspace, start, GRADIENT_TOLERANCE),
            // Without one, a direction may be so flat that even a small gradient leads far.
            false => maximise(self.likelihood, &subspace, start),
        };
        let root = (2.0 * (self.optimum.value - constrained.value)).max(0.0).sqrt();
        // The Lagrange multiplier of the constraint is the derivative of the maximum by its value.
        let projection = self.subspace.project(contrast);
        let gradient = self.likelihood.derivatives(&constrained.point).gradient;
        let derivative = -gradient.dot(&projection) / projection.norm_squared() / root;
        ProfilePoint { value, at: constrained.point, root, derivative }
    }

    /// The end on the side of `step`: Newton's method for the root as a function of the value, which
    /// is nearly linear, within a bracket that begins with growing steps. Each maximum is searched
    /// from where the last two point to.
    fn end(&self, contrast: &DVector<f64>, mut step: f64, quantile: f64) -> Option<f64> {
        let value = contrast.dot(&self.optimum.point);
        let mut last =
            ProfilePoint { value, at: self.optimum.point.clone(), root: 0.0, derivative: 0.0 };
        let (mut inner, mut outer) = (value, None);
        let (mut next, mut start) = (value + step, self.optimum.point.clone());
        for _ in 0..MAX_ITERATIONS {
            if next.abs() > MAX_LOG_ODDS {
                return None;
            }
            let point = self.point(contrast, next, &start);
            let residual = point.root - quantile;
            if residual.abs() < ROOT_TOLERANCE {
                break;
            }
            match residual < 0.0 {
                true => inner = next,
                false => outer = Some(next),
            }
            step *= 2.0;
            let (limit, otherwise) = match outer {
                Some(outer) => (outer, 0.5 * (inner + outer)),
                None => (inner + step, inner + step),
            };
            let newton = point.value - residual / point.derivative;
            let is_within = (newton - inner) * (newton - limit) < 0.0;
            next = if is_within { newton } else { otherwise };
            if (next - point.value).abs() <= STEP_TOLERANCE * (1.0 + next.abs()) {
                break;
            }
            let extrapolation = (next - point.value) / (point.value - last.value);
            start = &point.at + (&point.at - &last.at) * extrapolation;
            last = point;
        }
        Some(next)
    }
}

/// A point of a profile.
struct ProfilePoint {
    /// The held value.
    value: f64,
    at: DVector<f64>,
    /// The root of twice the decrease of the log-likelihood.
    root: f64,
    /// The derivative of the root by the value.
    derivative: f64,
}

/// The kind of interval of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum IntervalMethod {
    /// Enough games for the sandwich interval.
    Sandwich,
    /// On each side the outer end of sandwich and profile interval: for few points won or lost, a
    /// split field, a quantity that only the prior bounds, or few pairs that determine it.
    Wider,
}

impl IntervalMethod {
    /// The kind of interval in view of the number of pairs that carry information.
    pub(super) fn for_influence(self, influence: &Influence) -> IntervalMethod {
        let pairs = influence.effective_pairs.min(influence.deviating_pairs);
        if pairs < ENOUGH_PAIRS { IntervalMethod::Wider } else { self }
    }

    /// The unit of the root of the likelihood ratio. The likelihood of independent games is too wide where
    /// pairs vary less, as where nearly all games are drawn. The dispersion says how much less, unless
    /// there is another reason for the wider interval than few pairs that carry information.
    pub(super) fn scale(self, influence: &Influence) -> f64 {
        match self {
            IntervalMethod::Sandwich => influence.dispersion.sqrt(),
            IntervalMethod::Wider => 1.0,
        }
    }
}

/// The estimate of `contrast · parameters`, a quantity in log-odds; without a response it is certain.
pub(super) fn estimate(
    profile: &Profile<'_>,
    response: Option<&Response>,
    contrast: &DVector<f64>,
    method: IntervalMethod,
) -> Estimate {
    let value = contrast.dot(&profile.optimum.point);
    let Some(response) = response else {
        return Estimate::from_log_odds(Some(value), Some(value), Some(value));
    };
    let influence = response.influence;
    let by_pairs = profile
        .error_by_pairs(contrast, &influence)
        .map(|error| (value - Z95 * error, value + Z95 * error));
    if let (IntervalMethod::Sandwich, Some((low, high))) =
        (method.for_influence(&influence), by_pairs)
    {
        return Estimate::from_log_odds(Some(value), Some(low), Some(high));
    }
    let quantile = influence.student().inverse_cdf(0.975) * method.scale(&influence);
    let (low, high) = profile.ends_of(contrast, response, quantile);
    let bounded = low.is_some() && high.is_some();
    let (least, most) = by_pairs.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
    Estimate::from_log_odds(
        bounded.then_some(value),
        low.map(|low| low.min(least)),
        high.map(|high| high.max(most)),
    )
}

impl Estimate {
    fn from_log_odds(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Estimate {
        // Adding zero turns negative zero into positive zero.
        let elo = |log_odds: f64| log_odds * ELO_PER_LOG_ODDS + 0.0;
        Estimate { elo: value.map(elo), elo_low: low.map(elo), elo_high: high.map(elo) }
    }
}

/// A quantity with fewer effective or deviating pairs gets the wider interval.
const ENOUGH_PAIRS: f64 = 6.0;
/// The bounds of the first step of the search for an end, in log-odds.
const MIN_STEP: f64 = 1e-6;
const MAX_STEP: f64 = 3.0;
/// The gradient at which a maximum is near enough, in points: the tolerance of its value is about
/// the square of that.
const GRADIENT_TOLERANCE: f64 = 1e-7;
/// A step of the value that counts as zero, relative to it.
const STEP_TOLERANCE: f64 = 1e-13;
/// The tolerance of the root.
const ROOT_TOLERANCE: f64 = 1e-9;
/// An end beyond this, in log-odds, counts as unbounded.
const MAX_LOG_ODDS: f64 = 1e4;
const MAX_ITERATIONS: usize = 100;

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::curvature::tests::likelihood;
    use crate::fit::{subspace, unit};
    use crate::sandwich::Sandwich;

    #[test]
    fn ends_on_the_line_are_a_little_within_those_of_the_profile() {
        // An engine with few games may have won or lost them all, where only the prior holds it.
        for (games, least) in [(3, 0.65), (12, 0.9)] {
            compare_ends(&likelihood(40, games), least);
        }
    }

    fn compare_ends(likelihood: &Likelihood, least: f64) {
        let subspace = subspace(likelihood, &BTreeMap::new());
        let start = DVector::zeros(likelihood.parameters());
        let optimum = maximise(likelihood, &subspace, &start);
        let sandwich = Sandwich::new(likelihood, &subspace, &optimum.point).unwrap();
        let profile = |intervals| Profile {
            likelihood,
            subspace: &subspace,
            optimum: &optimum,
            recession: None,
            intervals,
        };
        let (line, exact) = (profile(Intervals::Line), profile(Intervals::Profile));
        for place in 0..likelihood.parameters() {
            let contrast = unit(likelihood, place);
            let response = sandwich.response(&contrast).unwrap();
            let value = contrast.dot(&optimum.point);
            let ends = |profile: &Profile<'_>| {
                let (low, high) = profile.ends_of(&contrast, &response, Z95);
                [low.unwrap() - value, high.unwrap() - value]
            };
            for (ours, theirs) in ends(&line).into_iter().zip(ends(&exact)) {
                assert!((least..1.01).contains(&(ours / theirs)), "{place}: {ours} {theirs}");
                let root = line.root_of(&contrast, &response, value + ours);
                assert!((root - Z95).abs() < 1e-6, "{root}");
            }
        }
    }
}
