//! The uncertainty of the parameters from the variation between pairs.

use nalgebra::DVector;
use statrs::distribution::StudentsT;

use super::curvature::Curvature;
use super::likelihood::{Likelihood, PairGradient, Row};
use super::subspace::Subspace;

/// The covariance of the parameters from the variation between pairs, `H⁻¹ B H⁻¹`: `H` is the
/// information, `B` the scatter of the pairs' gradients (White 1982, "Maximum likelihood estimation
/// of misspecified models"; clustered as in Liang and Zeger 1986). It accounts for the dependence
/// between the two games of a pair, and for draws not being half a win and half a loss. The factor
/// n / (n - k) for n pairs and k parameters corrects residuals that are smaller than errors because
/// the parameters are fitted to the same pairs (Hinkley 1977, "Jackknifing in unbalanced
/// situations").
#[derive(Clone, Debug)]
pub(super) struct Sandwich<'a> {
    likelihood: &'a Likelihood,
    subspace: &'a Subspace,
    pub(super) curvature: Curvature<'a>,
    pub(super) gradients: Vec<PairGradient>,
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
    /// The number of pairs that would vary as much if each came out half a point away from what was
    /// expected: next to none if all came out alike, drawn or split, however many they are.
    pub(super) deviating_pairs: f64,
    /// The variance in relation to that of independent games, 1 at most, with three pairs of independent
    /// games added: so it is not close to 0 unless many pairs came out alike. It scales the likelihood
    /// (Wedderburn 1974, "Quasi-likelihood functions, generalized linear models, and the Gauss-Newton
    /// method").
    pub(super) dispersion: f64,
}

/// Sums over pairs of powers of their influence on one quantity.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InfluenceSums {
    squares: f64,
    fourths: f64,
    /// The same of the influence that half a point more would have had.
    half_point_squares: f64,
    half_point_fourths: f64,
}

impl InfluenceSums {
    /// Adds pairs with the same gradient.
    pub(super) fn add(&mut self, gradient: &PairGradient, solution: &DVector<f64>) {
        let square = gradient.dot(solution).powi(2);
        self.squares += gradient.count * square;
        self.fourths += gradient.count * square.powi(2);
        let square = gradient.of_half_a_point(solution).powi(2);
        self.half_point_squares += gradient.count * square;
        self.half_point_fourths += gradient.count * square.powi(2);
    }
}

/// The dependence of one quantity on the games, and of the parameters on it.
#[derive(Clone, Debug)]
pub(super) struct Response {
    /// The covariance of every parameter with the quantity if every game were an independent toss
    /// with the expected score.
    pub(super) solution: DVector<f64>,
    /// The quantity's variance in that case.
    pub(super) model_variance: f64,
    pub(super) influence: Influence,
    /// The rows whose expected score follows the quantity most.
    pub(super) rows: Vec<usize>,
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
            likelihood,
            subspace,
            factor: (pairs > fitted).then(|| pairs / (pairs - fitted)),
        })
    }

    /// The response to `contrast · parameters`; `None` if that is constant.
    pub(super) fn response(&self, contrast: &DVector<f64>) -> Option<Response> {
        let projection = self.subspace.free(contrast)?;
        let solution = self.curvature.solve(&projection);
        let mut sums = InfluenceSums::default();
        self.gradients.iter().for_each(|gradient| sums.add(gradient, &solution));
        let model_variance = projection.dot(&solution);
        let influence = self.influence(&sums, 0.0, model_variance);
        let change = |row: &Row| row.lead(&solution).abs();
        let most = self.likelihood.rows.iter().map(change).fold(0.0, f64::max);
        let follows = |(number, row)| (change(row) >= FOLLOWS * most).then_some(number);
        let rows = self.likelihood.rows.iter().enumerate().filter_map(follows).collect();
        Some(Response { solution, model_variance, influence, rows })
    }

    /// The influence of pairs by the sums of its powers, and by the squares of pairs that are not among
    /// them.
    pub(super) fn influence(
        &self,
        sums: &InfluenceSums,
        of_others: f64,
        model_variance: f64,
    ) -> Influence {
        let variance = self
            .factor
            .map(|factor| factor * (sums.squares + of_others))
            .filter(|variance| variance.is_finite() && *variance > MIN_SHARE * model_variance);
        let ratio = |one: f64, other: f64| if other > 0.0 { one / other } else { 0.0 };
        // The square of a typical pair, weighed by its own share of the sum.
        let half_point_square = ratio(sums.half_point_fourths, sums.half_point_squares);
        Influence {
            variance,
            effective_pairs: ratio((sums.squares + of_others).powi(2), sums.fourths),
            deviating_pairs: ratio(sums.squares, half_point_square),
            dispersion: match ratio(sums.half_point_squares, half_point_square) {
                0.0 => 1.0,
                pairs => {
                    let independent = INDEPENDENT_PAIRS / pairs;
                    let share = variance.unwrap_or(0.0) / model_variance;
                    ((share + independent) / (1.0 + independent)).min(1.0)
                }
            },
        }
    }

    /// The covariance of several quantities `contrast · parameters`.
    pub(super) fn covariance(&self, contrasts: &[DVector<f64>]) -> Vec<Vec<f64>> {
        let solution =
            |contrast: &DVector<f64>| self.curvature.solve(&self.subspace.project(contrast));
        let solutions: Vec<DVector<f64>> = contrasts.iter().map(solution).collect();
        let factor = self.factor.unwrap_or(1.0);
        let mut covariance = vec![vec![0.0; solutions.len()]; solutions.len()];
        for gradient in &self.gradients {
            let influences: Vec<f64> = solutions.iter().map(|it| gradient.dot(it)).collect();
            for (row, one) in covariance.iter_mut().zip(&influences) {
                for (cell, other) in row.iter_mut().zip(&influences) {
                    *cell += factor * gradient.count * one * other;
                }
            }
        }
        covariance
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

/// The number of pairs of independent games that are added to a dispersion.
const INDEPENDENT_PAIRS: f64 = 3.0;
/// The minimum degrees of freedom for a single dominant pair, because the likelihood also uses the
/// others.
const MIN_DEGREES: f64 = 4.0;
/// A row follows a quantity if its lead changes by this part of the most that one changes.
pub(super) const FOLLOWS: f64 = 0.1;
/// A sandwich variance below this fraction of the model's means only that all pairs were alike.
const MIN_SHARE: f64 = 1e-9;
