//! Confidence intervals of estimates.

use nalgebra::DVector;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::curvature::Curvature;
use super::frame::Frame;
use super::likelihood::{Likelihood, Slope};
use super::newton::{Summit, climb, climb_until};
use super::options::Intervals;
use super::recession::Recession;
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
/// information, `B` the scatter of the pairs' slopes (White 1982, "Maximum likelihood estimation of
/// misspecified models"; clustered as in Liang and Zeger 1986). It accounts for the dependence
/// between the two games of a pair, and for draws not being half a win and half a loss. The factor
/// n / (n - k) for n pairs and k parameters corrects residuals that are smaller than errors because
/// the parameters are fitted to the same pairs (Hinkley 1977, "Jackknifing in unbalanced
/// situations").
#[derive(Clone, Debug)]
pub(super) struct Sandwich<'a> {
    frame: &'a Frame,
    curvature: Curvature<'a>,
    slopes: Vec<Slope>,
    /// `None` unless there are more pairs than parameters.
    factor: Option<f64>,
}

/// The influence of the pairs on one quantity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spread {
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
        frame: &'a Frame,
        at: &DVector<f64>,
    ) -> Option<Sandwich<'a>> {
        if frame.freedom() == 0 {
            return None;
        }
        let (pairs, fitted) = (likelihood.number_of_pairs(), frame.freedom() as f64);
        Some(Sandwich {
            curvature: Curvature::new(likelihood, frame, &likelihood.shape(at))?,
            slopes: likelihood.slopes(at),
            frame,
            factor: (pairs > fitted).then(|| pairs / (pairs - fitted)),
        })
    }

    /// The influence of the pairs on `contrast · parameters`.
    pub(super) fn spread(&self, contrast: &DVector<f64>) -> Spread {
        let lever = self.curvature.solve(&self.frame.along(contrast));
        let (mut squares, mut fourths) = (0.0, 0.0);
        for Slope { count, parts } in &self.slopes {
            let by: f64 = parts.iter().map(|(place, slope)| lever[*place] * slope).sum();
            squares += count * by.powi(2);
            fourths += count * by.powi(4);
        }
        let variance = self.factor.map(|factor| factor * squares).filter(|variance| {
            variance.is_finite() && *variance > MIN_SHARE * self.model_variance(contrast)
        });
        let effective_pairs = if fourths > 0.0 { squares.powi(2) / fourths } else { 0.0 };
        Spread { variance, effective_pairs }
    }

    /// The covariance of several quantities `contrast · parameters`.
    pub(super) fn covariance(&self, contrasts: &[DVector<f64>]) -> Vec<Vec<f64>> {
        let lever = |contrast: &DVector<f64>| self.curvature.solve(&self.frame.along(contrast));
        let levers: Vec<DVector<f64>> = contrasts.iter().map(lever).collect();
        let factor = self.factor.unwrap_or(1.0);
        let mut covariance = vec![vec![0.0; levers.len()]; levers.len()];
        for Slope { count, parts } in &self.slopes {
            let by =
                |lever: &DVector<f64>| parts.iter().map(|(at, slope)| lever[*at] * slope).sum();
            let by: Vec<f64> = levers.iter().map(by).collect();
            for (row, one) in covariance.iter_mut().zip(&by) {
                for (cell, other) in row.iter_mut().zip(&by) {
                    *cell += factor * count * one * other;
                }
            }
        }
        covariance
    }

    /// The variance if every game were an independent toss with the expected score.
    pub(super) fn model_variance(&self, contrast: &DVector<f64>) -> f64 {
        let along = self.frame.along(contrast);
        along.dot(&self.curvature.solve(&along))
    }
}

impl Spread {
    /// The distribution of the signed root of the likelihood ratio if few pairs determine the
    /// quantity: Student's t with one degree of freedom per game of the effective pairs. The usual
    /// normal quantile would treat three wins without a loss as proof.
    pub(super) fn student(&self) -> StudentsT {
        let freedom = (2.0 * self.effective_pairs).max(MIN_FREEDOM);
        StudentsT::new(0.0, 1.0, freedom).expect("there are degrees of freedom")
    }
}

/// The profile likelihood: the maximum with one quantity held, as a function of it.
pub(super) struct Profile<'a> {
    pub(super) likelihood: &'a Likelihood,
    pub(super) frame: &'a Frame,
    pub(super) top: &'a Summit,
    pub(super) recession: Option<&'a Recession>,
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
        let falls = self.recession.is_some_and(|recession| recession.lowers(contrast));
        let rises = self.recession.is_some_and(|recession| recession.raises(contrast));
        let low = if falls { None } else { self.end(contrast, -width, quantile) };
        let high = if rises { None } else { self.end(contrast, width, quantile) };
        (low, high)
    }

    /// The square root of twice the decrease of the log-likelihood if the quantity were `value`. It
    /// is nearly linear on either side of the maximum.
    pub(super) fn root(&self, contrast: &DVector<f64>, value: f64) -> f64 {
        self.point(contrast, value, &self.top.at).root
    }

    /// The maximum with the quantity held at a value, searched from `start`.
    fn point(&self, contrast: &DVector<f64>, value: f64, start: &DVector<f64>) -> Point {
        let Some(frame) = self.frame.hold(contrast, value) else {
            return Point { value, at: self.top.at.clone(), root: 0.0, rise: 0.0 };
        };
        let summit = match self.likelihood.has_prior() {
            true => climb_until(self.likelihood, &frame, start, LEVEL),
            // Without one, a direction may be so flat that even a small gradient leads far.
            false => climb(self.likelihood, &frame, start),
        };
        let root = (2.0 * (self.top.value - summit.value)).max(0.0).sqrt();
        // The multiplier of the held quantity is the slope of the maximum by its value.
        let along = self.frame.along(contrast);
        let gradient = self.likelihood.shape(&summit.at).gradient;
        let rise = -gradient.dot(&along) / along.norm_squared() / root;
        Point { value, at: summit.at, root, rise }
    }

    /// The end on the side of `step`: Newton's method for the root as a function of the value, which
    /// is nearly linear, within a bracket that begins with growing steps. Each maximum is searched
    /// from where the last two point to.
    fn end(&self, contrast: &DVector<f64>, mut step: f64, quantile: f64) -> Option<f64> {
        let value = contrast.dot(&self.top.at);
        let mut last = Point { value, at: self.top.at.clone(), root: 0.0, rise: 0.0 };
        let (mut inner, mut outer) = (value, None);
        let (mut next, mut start) = (value + step, self.top.at.clone());
        for _ in 0..MAX_CUTS {
            if next.abs() > FARTHEST {
                return None;
            }
            let point = self.point(contrast, next, &start);
            let miss = point.root - quantile;
            if miss.abs() < CLOSE {
                break;
            }
            match miss < 0.0 {
                true => inner = next,
                false => outer = Some(next),
            }
            step *= 2.0;
            let (limit, otherwise) = match outer {
                Some(outer) => (outer, 0.5 * (inner + outer)),
                None => (inner + step, inner + step),
            };
            let newton = point.value - miss / point.rise;
            let is_within = (newton - inner) * (newton - limit) < 0.0;
            next = if is_within { newton } else { otherwise };
            if (next - point.value).abs() <= STANDSTILL * (1.0 + next.abs()) {
                break;
            }
            let farther = (next - point.value) / (point.value - last.value);
            start = &point.at + (&point.at - &last.at) * farther;
            last = point;
        }
        Some(next)
    }
}

/// A point of a profile.
struct Point {
    /// The held value.
    value: f64,
    at: DVector<f64>,
    /// The root of twice the decrease of the log-likelihood.
    root: f64,
    /// The derivative of the root by the value.
    rise: f64,
}

/// The kind of interval of an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Trust {
    /// Enough games for the sandwich interval.
    Sandwich,
    /// The wider of sandwich and profile interval: for few points won or lost, a split field, a
    /// quantity that only the prior bounds, or few pairs that determine it.
    Wider,
}

impl Trust {
    /// The kind of interval in view of the number of effective pairs.
    pub(super) fn given(self, spread: &Spread) -> Trust {
        if spread.effective_pairs < ENOUGH_PAIRS { Trust::Wider } else { self }
    }
}

/// The estimate of `contrast · parameters`, a quantity in log-odds.
pub(super) fn estimate(
    profile: &Profile<'_>,
    sandwich: Option<&Sandwich<'_>>,
    contrast: &DVector<f64>,
    trust: Trust,
) -> Estimate {
    let value = contrast.dot(&profile.top.at);
    let Some(sandwich) = sandwich.filter(|_| profile.frame.hold(contrast, value).is_some()) else {
        return Estimate::from_log_odds(Some(value), Some(value), Some(value));
    };
    let spread = sandwich.spread(contrast);
    let by_pairs = spread.variance.map(|variance| Z95 * variance.sqrt());
    if let (Trust::Sandwich, Some(error)) = (trust.given(&spread), by_pairs) {
        return Estimate::from_log_odds(Some(value), Some(value - error), Some(value + error));
    }
    let width = (Z95 * sandwich.model_variance(contrast).sqrt()).clamp(MIN_STEP, MAX_STEP);
    let quantile = spread.student().inverse_cdf(0.975);
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
const MIN_FREEDOM: f64 = 4.0;
/// A sandwich variance below this fraction of the model's means only that all pairs were alike.
const MIN_SHARE: f64 = 1e-9;
/// The bounds of the first step of the search for an end, in log-odds.
const MIN_STEP: f64 = 1e-6;
const MAX_STEP: f64 = 3.0;
/// The gradient at which a maximum is near enough, in points: the tolerance of its value is about
/// the square of that.
const LEVEL: f64 = 1e-7;
/// A step of the value that counts as zero, relative to it.
const STANDSTILL: f64 = 1e-13;
/// The tolerance of the root.
const CLOSE: f64 = 1e-9;
/// An end beyond this, in log-odds, counts as unbounded.
const FARTHEST: f64 = 1e4;
const MAX_CUTS: usize = 100;
