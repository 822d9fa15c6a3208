//! The choice of the two settings that play next.

use rand_chacha::ChaCha8Rng;

use super::envelope::{Line, expected_gain};
use super::maximum::draw;
use super::posterior::{Posterior, score};
use super::space::Space;

impl Posterior {
    /// The two settings whose games would tell most about which setting is best.
    ///
    /// After games between two settings, the setting with the highest mean may be a different one,
    /// and its mean is higher than what is the highest now. The expected gain is the knowledge
    /// gradient (Frazier, Powell and Dayanik 2009), here of a comparison. The two are chosen from
    /// `best`, which is where the mean is highest, and the maxima of functions that are drawn from
    /// the posterior.
    ///
    /// `games` is the number of games that the comparison stands for. A few games can hardly change
    /// what is best, so for small batches it should be larger than the batch.
    pub fn choose(
        &self,
        space: &Space,
        best: &[f64],
        games: f64,
        random: &mut ChaCha8Rng,
    ) -> [Vec<f64>; 2] {
        let points = self.candidates(space, best, random);
        let (means, covariance) = self.joint(&points);
        // The best one is the first.
        let mut maxima = vec![0];
        for drawn in draw(&means, &covariance, DRAWS, random) {
            if !maxima.contains(&drawn.imax()) {
                maxima.push(drawn.imax());
            }
        }
        // Further points on all sides, so that there are always two.
        let others: Vec<usize> = (1..points.len()).filter(|it| !maxima.contains(it)).collect();
        maxima.extend(others.into_iter().take(FURTHER));
        let gain = |one: usize, other: usize| {
            let variance = covariance[(one, one)] + covariance[(other, other)]
                - 2.0 * covariance[(one, other)];
            let expected = score(means[one] - means[other]);
            let noise =
                self.model.dispersion / (games * expected * (1.0 - expected)).max(MIN_GAMES);
            let deviation = (variance.max(0.0) + noise).sqrt();
            let mut lines: Vec<Line> = (0..points.len())
                .map(|place| Line {
                    intercept: means[place],
                    slope: (covariance[(place, one)] - covariance[(place, other)]) / deviation,
                })
                .collect();
            expected_gain(&mut lines)
        };
        let mut chosen = (0, maxima[1], f64::NEG_INFINITY);
        for (place, &one) in maxima.iter().enumerate() {
            for &other in &maxima[place + 1..] {
                let gain = gain(one, other);
                if gain > chosen.2 {
                    chosen = (one, other, gain);
                }
            }
        }
        [points[chosen.0].clone(), points[chosen.1].clone()]
    }

    /// The best point, points near it, and points anywhere, without repetition.
    pub(super) fn candidates(
        &self,
        space: &Space,
        best: &[f64],
        random: &mut ChaCha8Rng,
    ) -> Vec<Vec<f64>> {
        let mut points = vec![space.nearest(best.to_vec())];
        for number in 0..CANDIDATES {
            let point = match number % 4 {
                0 => space.near(best, 0.3, random),
                1 => space.near(best, 0.1, random),
                _ => space.anywhere(random),
            };
            if !points.contains(&point) {
                points.push(point);
            }
        }
        points
    }
}

/// The candidates for a comparison, besides the best.
const CANDIDATES: usize = 120;
/// The functions that are drawn.
const DRAWS: usize = 24;
/// The candidates besides the maxima of these.
const FURTHER: usize = 8;
/// The least information of a comparison, so that its noise is finite.
const MIN_GAMES: f64 = 1e-3;
