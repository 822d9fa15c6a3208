//! Confidence intervals of estimates.

use nalgebra::DVector;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::curvature::Curvature;
use super::likelihood::{Likelihood, PairGradient};
use super::newton::{Optimum, maximise, maximise_until};
use super::options::Intervals;
use super::recession::RecessionCone;
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

/// The covariance of the parameters from the variation between pairs, `H⁻¹ B H⁻¹`: `H` is the
/// information, `B` the scatter of the pairs' gradients (White 1982, "Maximum likelihood estimation
/// of misspecified models"; clustered as in Liang and Zeger 1986). It accounts for the dependence
/// between the two games of a pair, and for draws not being half a win and half a loss. The factor
/// n / (n - k) for n pairs and k parameters corrects residuals that are smaller than errors because
/// the parameters are fitted to the same pairs (Hinkley 1977, "Jackknifing in unbalanced
/// situations").
#[derive(Clone, Debug)]
pub(super) struct Sandwich<'a> {
    subspace: &'a Subspace,
    curvature: Curvature<'a>,
    gradients: Vec<PairGradient>,
    /// `None` unless there are more pairs than parameters.
    factor: Option<f64>,
}

/// The influence of the pairs on one quantity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Influence {
    /// Its variance; `None` if the pairs are too few or too similar to show it.
    pub(super) variance: Option<f64>,
    /// The number of pairs with equal influence that would determine the variance as well: `(Σs²)²
    /// / Σs⁴`, where `s` is the influence of a pair on the quantity. This is Satterthwaite's number
    /// of degrees of freedom (1946, "An approximate distribution of estimates of variance
    /// components") for a variance that is a sum of squares.
    pub(super) effective_pairs: f64,
}

impl<'a> Sandwich<'a> {
    /// `None` if there are no free parameters.
    pub(super) fn new(
        likelihood: &'a Likelihood,
        subspace: &'a Subspace,
        at: &DVector<f64>,
    ) -> Option<Sandwich<'a>> {
        if subspace.dimension() == 0 {
            return None;
        }
        let (pairs, fitted) = (likelihood.number_of_pairs(), subspace.dimension() as f64);
        Some(Sandwich {
            curvature: Curvature::new(likelihood, subspace, &likelihood.derivatives(at))?,
            gradients: likelihood.pair_gradients(at),
            subspace,
            factor: (pairs > fitted).then(|| pairs / (pairs - fitted)),
        })
    }

    /// The influence of the pairs on `contrast · parameters`.
    pub(super) fn influence(&self, contrast: &DVector<f64>) -> Influence {
        let solution = self.curvature.solve(&self.subspace.project(contrast));
        let (mut squares, mut fourths) = (0.0, 0.0);
        for PairGradient { count, parts } in &self.gradients {
            let of_pair: f64 =
                parts.iter().map(|(place, partial)| solution[*place] * partial).sum();
            squares += count * of_pair.powi(2);
            fourths += count * of_pair.powi(4);
        }
        let variance = self.factor.map(|factor| factor * squares).filter(|variance| {
            variance.is_finite() && *variance > MIN_SHARE * self.model_variance(contrast)
        });
        let effective_pairs = if fourths > 0.0 { squares.powi(2) / fourths } else { 0.0 };
        Influence { variance, effective_pairs }
    }

    /// The covariance of several quantities `contrast · parameters`.
    pub(super) fn covariance(&self, contrasts: &[DVector<f64>]) -> Vec<Vec<f64>> {
        let solution =
            |contrast: &DVector<f64>| self.curvature.solve(&self.subspace.project(contrast));
        let solutions: Vec<DVector<f64>> = contrasts.iter().map(solution).collect();
        let factor = self.factor.unwrap_or(1.0);
        let mut covariance = vec![vec![0.0; solutions.len()]; solutions.len()];
        for PairGradient { count, parts } in &self.gradients {
            let influence = |solution: &DVector<f64>| {
                parts.iter().map(|(place, partial)| solution[*place] * partial).sum()
            };
            let influences: Vec<f64> = solutions.iter().map(influence).collect();
            for (row, one) in covariance.iter_mut().zip(&influences) {
                for (cell, other) in row.iter_mut().zip(&influences) {
                    *cell += factor * count * one * other;
                }
            }
        }
        covariance
    }

    /// The variance if every game were an independent toss with the expected score.
    pub(super) fn model_variance(&self, contrast: &DVector<f64>) -> f64 {
        let projection = self.subspace.project(contrast);
        projection.dot(&self.curvature.solve(&projection))
    }
}

impl Influence {
    /// The distribution of the signed root of the likelihood ratio if few pairs determine the
    /// quantity: Student's t with one degree of freedom per game of the effective pairs. The usual
    /// normal quantile would treat three wins without a loss as proof.
    pub(super) fn student(&self) -> StudentsT {
        let degrees = (2.0 * self.effective_pairs).max(MIN_DEGREES);
        StudentsT::new(0.0, 1.0, degrees).expect("there are degrees of freedom")
    }
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
    pub(super) fn ends(
        &self,
        contrast: &DVector<f64>,
        width: f64,
        quantile: f64,
    ) -> (Option<f64>, Option<f64>) {
        let falls = self.recession.is_some_and(|recession| recession.decreases(contrast));
        let rises = self.recession.is_some_and(|recession| recession.increases(contrast));
        let low = if falls { None } else { self.end(contrast, -width, quantile) };
        let high = if rises { None } else { self.end(contrast, width, quantile) };
        (low, high)
    }

    /// The square root of twice the decrease of the log-likelihood if the quantity were `value`. It
    /// is nearly linear on either side of the maximum.
    pub(super) fn root(&self, contrast: &DVector<f64>, value: f64) -> f64 {
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
    /// The wider of sandwich and profile interval: for few points won or lost, a split field, a
    /// quantity that only the prior bounds, or few pairs that determine it.
    Wider,
}

impl IntervalMethod {
    /// The kind of interval in view of the number of effective pairs.
    pub(super) fn for_influence(self, influence: &Influence) -> IntervalMethod {
        if influence.effective_pairs < ENOUGH_PAIRS { IntervalMethod::Wider } else { self }
    }
}

/// The estimate of `contrast · parameters`, a quantity in log-odds.
pub(super) fn estimate(
    profile: &Profile<'_>,
    sandwich: Option<&Sandwich<'_>>,
    contrast: &DVector<f64>,
    method: IntervalMethod,
) -> Estimate {
    let value = contrast.dot(&profile.optimum.point);
    let Some(sandwich) =
        sandwich.filter(|_| profile.subspace.constrained(contrast, value).is_some())
    else {
        return Estimate::from_log_odds(Some(value), Some(value), Some(value));
    };
    let influence = sandwich.influence(contrast);
    let by_pairs = influence.variance.map(|variance| Z95 * variance.sqrt());
    if let (IntervalMethod::Sandwich, Some(error)) = (method.for_influence(&influence), by_pairs) {
        return Estimate::from_log_odds(Some(value), Some(value - error), Some(value + error));
    }
    let width = (Z95 * sandwich.model_variance(contrast).sqrt()).clamp(MIN_STEP, MAX_STEP);
    let quantile = influence.student().inverse_cdf(0.975);
    if profile.intervals == Intervals::Quick {
        let error = quantile * sandwich.model_variance(contrast).sqrt();
        let error = by_pairs.map_or(error, |by_pairs| error.max(by_pairs));
        return Estimate::from_log_odds(Some(value), Some(value - error), Some(value + error));
    }
    match (profile.ends(contrast, width, quantile), by_pairs) {
        ((Some(low), Some(high)), Some(error)) if 2.0 * error > high - low => {
            Estimate::from_log_odds(Some(value), Some(value - error), Some(value + error))
        }
        ((low, high), _) => {
            let bounded = low.is_some() && high.is_some();
            Estimate::from_log_odds(bounded.then_some(value), low, high)
        }
    }
}

impl Estimate {
    fn from_log_odds(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Estimate {
        // Adding zero turns negative zero into positive zero.
        let elo = |log_odds: f64| log_odds * ELO_PER_LOG_ODDS + 0.0;
        Estimate { elo: value.map(elo), elo_low: low.map(elo), elo_high: high.map(elo) }
    }
}

/// A quantity with fewer effective pairs gets the wider interval.
const ENOUGH_PAIRS: f64 = 6.0;
/// The minimum degrees of freedom for a single dominant pair, because the likelihood also uses the
/// others.
const MIN_DEGREES: f64 = 4.0;
/// A sandwich variance below this fraction of the model's means only that all pairs were alike.
const MIN_SHARE: f64 = 1e-9;
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
