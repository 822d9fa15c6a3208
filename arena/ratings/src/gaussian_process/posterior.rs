//! The posterior distribution of the function, given the comparisons.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::comparison::MatchResult;
use super::model::FunctionPrior;
use crate::ELO_PER_LOG_ODDS;
use crate::smooth::PosteriorElo;

/// The function given the results of comparisons, approximately normal: the mode and curvature of its
/// density (Laplace's method, Rasmussen and Williams 2006, chapter 3). The likelihood is that of the
/// ratings: the log-odds of a game are the difference of the function at both settings.
#[derive(Clone, Debug)]
pub struct Posterior {
    pub(super) model: FunctionPrior,
    comparisons: Vec<MatchResult>,
    /// The square roots of the weights of the comparisons: of their information.
    root_weights: DVector<f64>,
    /// `1 + root · covariance · root`.
    cholesky: Cholesky<f64, Dyn>,
    /// The mean of the function is its covariance with the comparisons times this.
    coefficients: DVector<f64>,
    /// The mean of the differences.
    differences: DVector<f64>,
    log_evidence: f64,
}

impl Posterior {
    /// The function after these comparisons.
    pub fn new(model: &FunctionPrior, comparisons: &[MatchResult]) -> Posterior {
        Posterior::with_start(model, comparisons, None)
    }

    /// The same; the search for the mode begins at that of other assumptions about the same
    /// comparisons.
    pub(super) fn with_start(
        model: &FunctionPrior,
        comparisons: &[MatchResult],
        start: Option<&Posterior>,
    ) -> Posterior {
        let count = comparisons.len();
        let mut covariance = DMatrix::zeros(count, count);
        for (row, one) in comparisons.iter().enumerate() {
            for (column, other) in comparisons.iter().enumerate().take(row + 1) {
                let of =
                    |point| model.covariance(&one.one, point) - model.covariance(&one.other, point);
                let both = of(&other.one) - of(&other.other);
                covariance[(row, column)] = both;
                covariance[(column, row)] = both;
            }
        }
        let mut coefficients =
            start.map_or_else(|| DVector::zeros(count), |start| start.coefficients.clone());
        let mut differences = &covariance * &coefficients;
        let mut value = likelihood(comparisons, &differences, model.dispersion)
            - 0.5 * coefficients.dot(&differences);
        for _ in 0..MAX_STEPS {
            let (root_weights, gradient) = derivatives(comparisons, &differences, model.dispersion);
            let cholesky = decompose(&covariance, &root_weights);
            let target =
                root_weights.component_mul(&root_weights).component_mul(&differences) + gradient;
            let solved = cholesky.solve(&root_weights.component_mul(&(&covariance * &target)));
            let step = target - root_weights.component_mul(&solved) - &coefficients;
            let Some(next) =
                line_search(comparisons, model, &covariance, &coefficients, &step, value)
            else {
                break;
            };
            let moved = (&next.1 - &differences).amax();
            (coefficients, differences, value) = next;
            if moved < TOLERANCE {
                break;
            }
        }
        let (root_weights, _) = derivatives(comparisons, &differences, model.dispersion);
        let cholesky = decompose(&covariance, &root_weights);
        let logarithms: f64 = cholesky.l_dirty().diagonal().iter().map(|it| it.ln()).sum();
        Posterior {
            model: model.clone(),
            comparisons: comparisons.to_vec(),
            root_weights,
            cholesky,
            coefficients,
            differences,
            log_evidence: value - logarithms,
        }
    }

    /// The logarithm of the marginal likelihood.
    pub(super) fn log_evidence(&self) -> f64 {
        self.log_evidence
    }

    /// The variance of the games' scores relative to that of games without draws. Few games count
    /// for little.
    pub(super) fn dispersion(&self) -> f64 {
        let (mut squares, mut expected) = (DRAWLESS_GAMES * 0.25, DRAWLESS_GAMES * 0.25);
        for (comparison, &difference) in self.comparisons.iter().zip(&self.differences) {
            let score = score(difference);
            squares += comparison.scatter(score);
            expected += comparison.games() * score * (1.0 - score);
        }
        squares / expected
    }

    /// The mean at a point, in log-odds.
    pub(super) fn mean(&self, point: &[f64]) -> f64 {
        let part = |(comparison, coefficient): (&MatchResult, &f64)| {
            coefficient * self.with(comparison, point)
        };
        self.comparisons.iter().zip(&self.coefficients).map(part).sum()
    }

    /// The covariance of a comparison with the function at a point.
    fn with(&self, comparison: &MatchResult, point: &[f64]) -> f64 {
        self.model.covariance(&comparison.one, point)
            - self.model.covariance(&comparison.other, point)
    }

    /// The means at several points and their covariance, in log-odds.
    pub(super) fn joint(&self, points: &[Vec<f64>]) -> (DVector<f64>, DMatrix<f64>) {
        let cross = DMatrix::from_fn(self.comparisons.len(), points.len(), |row, column| {
            self.with(&self.comparisons[row], &points[column])
        });
        let means = cross.tr_mul(&self.coefficients);
        let mut known = DMatrix::from_fn(cross.nrows(), cross.ncols(), |row, column| {
            self.root_weights[row] * cross[(row, column)]
        });
        self.cholesky.l_dirty().solve_lower_triangular_mut(&mut known);
        let prior = DMatrix::from_fn(points.len(), points.len(), |row, column| {
            self.model.covariance(&points[row], &points[column])
        });
        (means, prior - known.tr_mul(&known))
    }

    /// The lead of the first setting over the second.
    pub fn lead(&self, one: &[f64], other: &[f64]) -> PosteriorElo {
        let (means, covariance) = self.joint(&[one.to_vec(), other.to_vec()]);
        let variance = covariance[(0, 0)] + covariance[(1, 1)] - 2.0 * covariance[(0, 1)];
        PosteriorElo {
            elo: (means[0] - means[1]) * ELO_PER_LOG_ODDS,
            deviation: variance.max(0.0).sqrt() * ELO_PER_LOG_ODDS,
        }
    }
}

/// A backtracking line search: the longest part of a step that does not lower the density, with the
/// coefficients, the differences and the logarithm of the density there. `None` if there is none.
fn line_search(
    comparisons: &[MatchResult],
    model: &FunctionPrior,
    covariance: &DMatrix<f64>,
    coefficients: &DVector<f64>,
    step: &DVector<f64>,
    value: f64,
) -> Option<(DVector<f64>, DVector<f64>, f64)> {
    let mut step_size = 1.0;
    for _ in 0..MAX_HALVINGS {
        let next = coefficients + step * step_size;
        let differences = covariance * &next;
        let log_density =
            likelihood(comparisons, &differences, model.dispersion) - 0.5 * next.dot(&differences);
        if log_density >= value - 1e-12 * (1.0 + value.abs()) {
            return Some((next, differences, log_density));
        }
        step_size *= 0.5;
    }
    None
}

/// The logarithm of the likelihood of these differences. Draws make games less noisy, and the
/// dispersion says how much.
fn likelihood(comparisons: &[MatchResult], differences: &DVector<f64>, dispersion: f64) -> f64 {
    let part = |(comparison, &difference): (&MatchResult, &f64)| {
        let strong = -(-difference.abs()).exp().ln_1p();
        let weak = strong - difference.abs();
        let (win, loss) = if difference >= 0.0 { (strong, weak) } else { (weak, strong) };
        comparison.points() * win + (comparison.games() - comparison.points()) * loss
    };
    comparisons.iter().zip(differences).map(part).sum::<f64>() / dispersion
}

/// The square roots of the information of every comparison, and the gradient of the likelihood.
fn derivatives(
    comparisons: &[MatchResult],
    differences: &DVector<f64>,
    dispersion: f64,
) -> (DVector<f64>, DVector<f64>) {
    let of = |(comparison, &difference): (&MatchResult, &f64)| {
        let expected = score(difference);
        let information = comparison.games() * expected * (1.0 - expected) / dispersion;
        let derivative = (comparison.points() - comparison.games() * expected) / dispersion;
        (information.sqrt(), derivative)
    };
    let (root_weights, gradient): (Vec<f64>, Vec<f64>) =
        comparisons.iter().zip(differences).map(of).unzip();
    (DVector::from_vec(root_weights), DVector::from_vec(gradient))
}

fn decompose(covariance: &DMatrix<f64>, root_weights: &DVector<f64>) -> Cholesky<f64, Dyn> {
    let count = root_weights.len();
    let matrix = DMatrix::from_fn(count, count, |row, column| {
        f64::from(u8::from(row == column))
            + root_weights[row] * covariance[(row, column)] * root_weights[column]
    });
    matrix.cholesky().expect("one and a covariance are positive definite")
}

/// The expected score for a lead in log-odds.
pub(super) fn score(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

/// The weight of the assumption that there are no draws, in games.
const DRAWLESS_GAMES: f64 = 40.0;
/// A change of the differences that counts as zero, in log-odds.
const TOLERANCE: f64 = 1e-5;
const MAX_STEPS: usize = 50;
const MAX_HALVINGS: usize = 30;
