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
}

/// How one quantity depends on the games, and the parameters on it.
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
        let (mut squares, mut fourths) = (0.0, 0.0);
        for gradient in &self.gradients {
            let of_pair = gradient.dot(&solution);
            squares += gradient.count * of_pair.powi(2);
            fourths += gradient.count * of_pair.powi(4);
        }
        let model_variance = projection.dot(&solution);
        let influence = self.influence(squares, fourths, model_variance);
        let change = |row: &Row| row.lead(&solution).abs();
        let most = self.likelihood.rows.iter().map(change).fold(0.0, f64::max);
        let follows = |(number, row)| (change(row) >= FOLLOWS * most).then_some(number);
        let rows = self.likelihood.rows.iter().enumerate().filter_map(follows).collect();
        Some(Response { solution, model_variance, influence, rows })
    }

    /// The influence of pairs by the sums of its squares and fourth powers.
    pub(super) fn influence(&self, squares: f64, fourths: f64, model_variance: f64) -> Influence {
        let variance = self
            .factor
            .map(|factor| factor * squares)
            .filter(|variance| variance.is_finite() && *variance > MIN_SHARE * model_variance);
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

/// The minimum degrees of freedom for a single dominant pair, because the likelihood also uses the
/// others.
const MIN_DEGREES: f64 = 4.0;
/// A row follows a quantity if its lead changes by this part of the most that one changes.
pub(super) const FOLLOWS: f64 = 0.1;
/// A sandwich variance below this fraction of the model's means only that all pairs were alike.
const MIN_SHARE: f64 = 1e-9;
