//! The maximum of the function, with an interval.

use nalgebra::{DMatrix, DVector};
use rand_chacha::ChaCha8Rng;

use super::posterior::Posterior;
use super::space::Space;
use crate::smooth::normal;

impl Posterior {
    /// The setting with the highest mean. The search begins at `near`, and at the best of some
    /// candidates.
    pub fn maximum(&self, space: &Space, near: &[f64], random: &mut ChaCha8Rng) -> Vec<f64> {
        let candidates = self.candidates(space, near, random);
        let means: Vec<f64> = candidates.iter().map(|point| self.mean(point)).collect();
        let mut order: Vec<usize> = (1..candidates.len()).collect();
        order.sort_by(|&one, &other| means[other].total_cmp(&means[one]));
        let starts = std::iter::once(0).chain(order.into_iter().take(STARTS));
        let optima = starts
            .map(|place| self.coordinate_search(space, candidates[place].clone(), means[place]));
        let highest = optima.max_by(|one, other| one.1.total_cmp(&other.1));
        highest.map_or_else(|| near.to_vec(), |(point, _)| point)
    }

    /// Moves one coordinate at a time, by smaller and smaller steps, while the mean increases.
    fn coordinate_search(
        &self,
        space: &Space,
        mut at: Vec<f64>,
        mut value: f64,
    ) -> (Vec<f64>, f64) {
        let mut step = LARGEST_STEP;
        while step > SMALLEST_STEP {
            let before = value;
            for dimension in 0..at.len() {
                for sign in [1.0, -1.0] {
                    let mut moved = at.clone();
                    moved[dimension] += sign * step.max(space.step(dimension));
                    let moved = space.nearest(moved);
                    let mean = self.mean(&moved);
                    if mean > value {
                        (at, value) = (moved, mean);
                        break;
                    }
                }
            }
            if value <= before {
                step *= 0.5;
            }
        }
        (at, value)
    }

    /// The 95 % interval of the best setting's coordinates: of the maxima of functions drawn from the
    /// posterior. `best` is the setting with the highest mean.
    pub fn interval(
        &self,
        space: &Space,
        best: &[f64],
        random: &mut ChaCha8Rng,
    ) -> Vec<(f64, f64)> {
        let mut points = self.candidates(space, best, random);
        let first = self.maxima(&points, FIRST_DRAWS, random);
        // Maxima lie between candidates: the second time there are candidates around those of the
        // first.
        let deviation = |dimension: usize| {
            let values: Vec<f64> = first.iter().map(|&it| points[it][dimension]).collect();
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
            (squares / values.len() as f64).sqrt()
        };
        let deviations: Vec<f64> = (0..space.dimensions()).map(deviation).collect();
        let mut around = Vec::new();
        for &place in &first {
            for _ in 0..AROUND {
                let mut point = points[place].clone();
                for (coordinate, deviation) in point.iter_mut().zip(&deviations) {
                    *coordinate += deviation.max(SMALLEST_STEP) * normal(random);
                }
                around.push(space.nearest(point));
            }
        }
        for point in around {
            if !points.contains(&point) {
                points.push(point);
            }
        }
        let second = self.maxima(&points, SECOND_DRAWS, random);
        let of = |dimension: usize| {
            let mut values: Vec<f64> = second.iter().map(|&it| points[it][dimension]).collect();
            values.sort_by(f64::total_cmp);
            let beyond = (0.025 * values.len() as f64) as usize;
            (values[beyond], values[values.len() - 1 - beyond])
        };
        (0..space.dimensions()).map(of).collect()
    }

    /// The maxima of drawn functions.
    fn maxima(&self, points: &[Vec<f64>], draws: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
        let (means, covariance) = self.joint(points);
        draw(&means, &covariance, draws, random).map(|drawn| drawn.imax()).collect()
    }
}

/// Draws from a normal distribution.
pub(super) fn draw<'r>(
    means: &'r DVector<f64>,
    covariance: &DMatrix<f64>,
    count: usize,
    random: &'r mut ChaCha8Rng,
) -> impl Iterator<Item = DVector<f64>> {
    let root = root(covariance);
    (0..count).map(move |_| {
        let noise = DVector::from_fn(means.len(), |_, _| normal(random));
        means + &root * noise
    })
}

/// A root of a covariance. Rounding leaves it a little below zero in places, so its diagonal is
/// increased as far as necessary.
fn root(covariance: &DMatrix<f64>) -> DMatrix<f64> {
    let scale = covariance.diagonal().amax().max(f64::MIN_POSITIVE);
    let raised = |jitter: f64| {
        let mut raised = covariance.clone();
        for place in 0..raised.nrows() {
            raised[(place, place)] += jitter * scale;
        }
        raised.cholesky()
    };
    let decomposed = JITTERS.into_iter().find_map(raised);
    decomposed.map_or_else(
        || DMatrix::from_diagonal(&covariance.diagonal().map(|it| it.max(0.0).sqrt())),
        |it| it.unpack(),
    )
}

/// The candidates from which the search for the maximum begins, besides the last one.
const STARTS: usize = 2;
const LARGEST_STEP: f64 = 0.1;
const SMALLEST_STEP: f64 = 0.002;
/// The functions that are drawn for an interval.
const FIRST_DRAWS: usize = 48;
const SECOND_DRAWS: usize = 200;
/// The candidates around each maximum of the first time.
const AROUND: usize = 3;
/// Increases of the diagonal, relative to its largest value.
const JITTERS: [f64; 4] = [1e-9, 1e-7, 1e-5, 1e-3];
