//! A smooth curve through ratings: strength as a function of one or two parameters.
//!
//! The ratings of the variants of one engine are noisy, and their errors are correlated. A Gaussian
//! process says what a smooth function through them can be: its mean at every setting, and how
//! uncertain that is (Rasmussen and Williams 2006, "Gaussian Processes for Machine Learning",
//! chapter 2). How smooth it is, and how much it varies, is averaged over a grid, weighted by how
//! well each explains the ratings: with few settings, a single best guess would be too sure.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Serialize;

/// A value of the curve.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct PosteriorElo {
    /// The mean, in Elo.
    pub elo: f64,
    /// The standard deviation.
    pub deviation: f64,
}

/// The posterior of a smooth function given ratings at some points.
#[derive(Clone, Debug)]
pub struct SmoothCurve {
    points: Vec<Vec<f64>>,
    /// The mean of the ratings, which is subtracted from all.
    offset: f64,
    models: Vec<FittedModel>,
}

/// A choice of hyperparameters.
#[derive(Clone, Debug)]
struct FittedModel {
    weight: f64,
    /// The distance over which the function changes, by dimension.
    length_scales: Vec<f64>,
    /// Whether a dimension is a word.
    is_word: Vec<bool>,
    /// The variance of the function.
    variance: f64,
    /// The Cholesky factor of the ratings' covariance under this model.
    cholesky: Cholesky<f64, Dyn>,
    /// The solution of `covariance · coefficients = ratings`.
    coefficients: DVector<f64>,
}

impl SmoothCurve {
    /// Fits a smooth function to ratings in Elo at points with coordinates from 0 to 1. A coordinate
    /// that is a word has no distances: its values are equal or different. The covariance is that of
    /// the ratings. `None` unless there are at least [`SmoothCurve::MIN_POINTS`] points, with one to
    /// [`SmoothCurve::MAX_DIMENSIONS`] coordinates.
    pub fn fit(
        points: &[Vec<f64>],
        is_word: &[bool],
        elo: &[f64],
        covariance: &[Vec<f64>],
    ) -> Option<SmoothCurve> {
        let (count, dimensions) = (points.len(), is_word.len());
        let is_whole = points.iter().all(|point| point.len() == dimensions)
            && elo.len() == count
            && covariance.len() == count
            && covariance.iter().all(|row| row.len() == count);
        let is_small = (1..=SmoothCurve::MAX_DIMENSIONS).contains(&dimensions);
        if count < SmoothCurve::MIN_POINTS || !is_whole || !is_small {
            return None;
        }
        let covariance = DMatrix::from_fn(count, count, |row, column| covariance[row][column]);
        let offset = elo.iter().sum::<f64>() / count as f64;
        let ratings = DVector::from_iterator(count, elo.iter().map(|elo| elo - offset));
        let deviation = (ratings.norm_squared() / count as f64).sqrt();
        let mut models = Vec::new();
        let mut best = f64::NEG_INFINITY;
        for length_scales in grid(dimensions) {
            for variance in DEVIATIONS.map(|scale| (scale * deviation.max(MIN_DEVIATION)).powi(2)) {
                let prior = DMatrix::from_fn(count, count, |one, other| {
                    kernel(&points[one], &points[other], is_word, &length_scales, variance)
                        + variance * OFFSET_VARIANCE
                });
                let Some(cholesky) = (prior + &covariance).cholesky() else { continue };
                let coefficients = cholesky.solve(&ratings);
                let half_log_determinant: f64 =
                    cholesky.l_dirty().diagonal().iter().map(|it| it.ln()).sum();
                let log_evidence = -0.5 * ratings.dot(&coefficients) - half_log_determinant;
                best = best.max(log_evidence);
                let (length_scales, is_word) = (length_scales.clone(), is_word.to_vec());
                models.push(FittedModel {
                    weight: log_evidence,
                    length_scales,
                    is_word,
                    variance,
                    cholesky,
                    coefficients,
                });
            }
        }
        models.iter_mut().for_each(|model| model.weight = (model.weight - best).exp());
        let sum: f64 = models.iter().map(|model| model.weight).sum();
        models.iter_mut().for_each(|model| model.weight /= sum);
        models.retain(|model| model.weight > MIN_WEIGHT);
        (!models.is_empty()).then(|| SmoothCurve { points: points.to_vec(), offset, models })
    }

    /// The fewest points of a curve.
    pub const MIN_POINTS: usize = 4;

    /// The most coordinates of a point.
    pub const MAX_DIMENSIONS: usize = 4;

    /// The value at a point.
    pub fn at(&self, point: &[f64]) -> PosteriorElo {
        let parts = self.models.iter().map(|model| {
            let (mean, variance) = model.at(&self.points, point);
            (model.weight, mean, variance)
        });
        let value = mixture(parts);
        PosteriorElo { elo: self.offset + value.elo, ..value }
    }

    /// By how much the value at one point is above that at another.
    pub fn difference(&self, one: &[f64], other: &[f64]) -> PosteriorElo {
        let points = [one.to_vec(), other.to_vec()];
        let parts = self.models.iter().map(|model| {
            let (means, root) = model.joint(&self.points, &points);
            (model.weight, means[0] - means[1], (root.row(0) - root.row(1)).norm_squared())
        });
        mixture(parts)
    }

    /// The probability of each candidate, 0 to 1, of being the best of them: the share of functions,
    /// drawn from the posterior, that are largest there.
    pub fn best_of(&self, candidates: &[Vec<f64>]) -> Vec<f64> {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut wins = vec![0.0; candidates.len()];
        for model in &self.models {
            let draws = (model.weight * DRAWS).ceil();
            let (means, root) = model.joint(&self.points, candidates);
            for _ in 0..draws as usize {
                let noise = DVector::from_fn(candidates.len(), |_, _| normal(&mut random));
                let drawn = &means + &root * noise;
                wins[drawn.imax()] += model.weight / draws;
            }
        }
        let sum: f64 = wins.iter().sum();
        wins.iter().map(|share| share / sum).collect()
    }
}

impl FittedModel {
    fn cross(&self, points: &[Vec<f64>], point: &[f64]) -> DVector<f64> {
        DVector::from_iterator(points.len(), points.iter().map(|it| self.covariance(it, point)))
    }

    fn covariance(&self, one: &[f64], other: &[f64]) -> f64 {
        kernel(one, other, &self.is_word, &self.length_scales, self.variance)
            + self.variance * OFFSET_VARIANCE
    }

    fn at(&self, points: &[Vec<f64>], point: &[f64]) -> (f64, f64) {
        let cross = self.cross(points, point);
        let explained = cross.dot(&self.cholesky.solve(&cross));
        (cross.dot(&self.coefficients), (self.covariance(point, point) - explained).max(0.0))
    }

    /// The means at several points, and a root of their covariance.
    fn joint(&self, points: &[Vec<f64>], at: &[Vec<f64>]) -> (DVector<f64>, DMatrix<f64>) {
        let columns: Vec<_> = at.iter().map(|point| self.cross(points, point)).collect();
        let cross = DMatrix::from_columns(&columns);
        let means = cross.tr_mul(&self.coefficients);
        let prior = DMatrix::from_fn(at.len(), at.len(), |one, other| {
            self.covariance(&at[one], &at[other])
        });
        let mut covariance = prior - cross.tr_mul(&self.cholesky.solve(&cross));
        // Rounding leaves it a little below zero in places.
        let jitter = 1e-9 * self.variance;
        for place in 0..at.len() {
            covariance[(place, place)] += jitter;
        }
        let eigen = covariance.symmetric_eigen();
        let roots = eigen.eigenvalues.map(|value| value.max(0.0).sqrt());
        (means, eigen.eigenvectors * DMatrix::from_diagonal(&roots))
    }
}

/// The mean and the deviation of a mixture, by the weight, mean and variance of each part.
fn mixture(parts: impl Iterator<Item = (f64, f64, f64)>) -> PosteriorElo {
    let (mut mean, mut square) = (0.0, 0.0);
    for (weight, own, variance) in parts {
        mean += weight * own;
        square += weight * (variance + own.powi(2));
    }
    PosteriorElo { elo: mean, deviation: (square - mean.powi(2)).max(0.0).sqrt() }
}

/// The covariance of the function at two points: Matérn with ν = 5/2, so twice differentiable.
fn kernel(
    one: &[f64],
    other: &[f64],
    is_word: &[bool],
    length_scales: &[f64],
    variance: f64,
) -> f64 {
    let apart = |place: usize| match is_word[place] {
        true => f64::from(u8::from(one[place] != other[place])),
        false => one[place] - other[place],
    };
    let square: f64 = length_scales
        .iter()
        .enumerate()
        .map(|(place, length)| (apart(place) / length).powi(2))
        .sum();
    variance * matern(square)
}

/// The correlation of the function at two points, by the square of their distance: Matérn with ν =
/// 5/2.
pub(super) fn matern(square: f64) -> f64 {
    let distance = (5.0 * square).sqrt();
    (1.0 + distance + distance.powi(2) / 3.0) * (-distance).exp()
}

/// Every combination of length scales.
fn grid(dimensions: usize) -> Vec<Vec<f64>> {
    let mut grid = vec![Vec::new()];
    for _ in 0..dimensions {
        let longer = |length_scales: &Vec<f64>, length| [&length_scales[..], &[length]].concat();
        grid = grid.iter().flat_map(|it| LENGTH_SCALES.map(|length| longer(it, length))).collect();
    }
    grid
}

/// A standard normal number (Box and Muller 1958).
pub(super) fn normal(random: &mut ChaCha8Rng) -> f64 {
    let mut part = || ((random.next_u64() >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
    let (one, other) = (part(), part());
    (-2.0 * one.ln()).sqrt() * (std::f64::consts::TAU * other).cos()
}

/// The length scales that are considered, in units of the range.
const LENGTH_SCALES: [f64; 5] = [0.2, 0.4, 0.8, 1.6, 3.2];
/// The sizes that are considered, in units of the ratings' deviation.
const DEVIATIONS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];
/// The variance of the common offset, relative to that of the function: it is all but unknown.
const OFFSET_VARIANCE: f64 = 10.0;
/// The smallest deviation of ratings, in Elo.
const MIN_DEVIATION: f64 = 1.0;
const MIN_WEIGHT: f64 = 1e-3;
/// The number of functions that are drawn.
const DRAWS: f64 = 4000.0;

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(deviation: f64, count: usize) -> Vec<Vec<f64>> {
        let of = |one: usize, other| if one == other { deviation.powi(2) } else { 0.0 };
        (0..count).map(|one| (0..count).map(|other| of(one, other)).collect()).collect()
    }

    /// A parabola with its maximum at 0.6.
    fn parabola(x: f64) -> f64 {
        -400.0 * (x - 0.6).powi(2)
    }

    #[test]
    fn the_band_has_its_coverage_and_the_best_is_found() {
        let points: Vec<Vec<f64>> = (0..9).map(|it| vec![f64::from(it) / 8.0]).collect();
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let (mut held, mut all, mut sure, mut right) = (0, 0, 0, 0);
        for _ in 0..100 {
            let elo: Vec<f64> = points
                .iter()
                .map(|point| parabola(point[0]) + 15.0 * normal(&mut random))
                .collect();
            let smooth = SmoothCurve::fit(&points, &[false], &elo, &noise(15.0, 9)).unwrap();
            // Only differences have a meaning: compare with the value in the middle of the parabola.
            for x in [0.1, 0.3, 0.45, 0.7, 0.9] {
                let PosteriorElo { elo, deviation } = smooth.at(&[x]);
                all += 1;
                held += u32::from((elo - parabola(x)).abs() <= 1.96 * deviation);
            }
            let shares = smooth.best_of(&points);
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let best = (0..9).max_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap();
            right += u32::from((4..=6).contains(&best));
            sure += u32::from(shares[best] > 0.9);
        }
        let share = f64::from(held) / f64::from(all);
        assert!((0.88..=0.99).contains(&share), "{held} of {all}");
        assert!(right >= 90, "{right} of 100");
        // Neighbours on a parabola are hard to tell apart.
        assert!(sure <= 40, "{sure}");
    }

    #[test]
    fn a_sharp_difference_is_certain() {
        let points: Vec<Vec<f64>> = (0..5).map(|it| vec![f64::from(it) / 4.0]).collect();
        let smooth =
            SmoothCurve::fit(&points, &[false], &[0.0, 0.0, 300.0, 0.0, 0.0], &noise(5.0, 5))
                .unwrap();
        assert!(smooth.best_of(&points)[2] > 0.99);
        assert!((smooth.at(&[0.5]).elo - 300.0).abs() < 20.0);
    }

    #[test]
    fn a_smooth_curve_is_less_uncertain_than_its_points() {
        let points: Vec<Vec<f64>> = (0..9).map(|it| vec![f64::from(it) / 8.0]).collect();
        let elo: Vec<f64> = points.iter().map(|point| 10.0 * point[0]).collect();
        let smooth = SmoothCurve::fit(&points, &[false], &elo, &noise(20.0, 9)).unwrap();
        assert!(smooth.at(&[0.5]).deviation < 15.0);
        assert!(smooth.at(&[0.5]).deviation < smooth.at(&[1.0]).deviation);
    }

    #[test]
    fn a_surface_of_two_parameters_is_fitted() {
        let points: Vec<Vec<f64>> =
            (0..16).map(|it| vec![f64::from(it / 4) / 3.0, f64::from(it % 4) / 3.0]).collect();
        let elo: Vec<f64> =
            points.iter().map(|at| parabola(at[0]) + 0.3 * parabola(at[1])).collect();
        let smooth = SmoothCurve::fit(&points, &[false; 2], &elo, &noise(3.0, 16)).unwrap();
        let (low, high) = (smooth.at(&[0.1, 0.1]).elo, smooth.at(&[0.6, 0.6]).elo);
        assert!(high - low > 80.0, "{low} {high}");
    }

    #[test]
    fn words_share_a_shape_but_not_an_offset() {
        let point = |it: i32| vec![f64::from(it % 6) / 5.0, f64::from(it / 6)];
        let points: Vec<Vec<f64>> = (0..12).map(point).collect();
        let elo: Vec<f64> = points.iter().map(|at| parabola(at[0]) + 50.0 * at[1]).collect();
        let smooth = SmoothCurve::fit(&points, &[false, true], &elo, &noise(5.0, 12)).unwrap();
        let gap = smooth.at(&[0.5, 1.0]).elo - smooth.at(&[0.5, 0.0]).elo;
        assert!((gap - 50.0).abs() < 10.0, "{gap}");
    }

    #[test]
    fn few_points_have_no_curve() {
        let points = vec![vec![0.0], vec![0.5], vec![1.0]];
        assert!(SmoothCurve::fit(&points, &[false], &[1.0, 2.0, 3.0], &noise(1.0, 3)).is_none());
    }
}
