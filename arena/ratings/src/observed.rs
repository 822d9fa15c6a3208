//! Observed scores of trials, and the distributions that make them most likely.

use super::tally::Cell;

/// The observed scores, as shares of the trials.
pub(crate) struct Observed<const CELLS: usize> {
    scores: [f64; CELLS],
    shares: [f64; CELLS],
    trials: f64,
}

impl<const CELLS: usize> Observed<CELLS> {
    /// Creates the observation from the count of every possible score.
    pub(crate) fn new(cells: &[Cell; CELLS]) -> Observed<CELLS> {
        let counts =
            cells.map(|cell| if cell.count == 0.0 { EMPTY_CELL_COUNT } else { cell.count });
        let trials = counts.iter().sum();
        Observed {
            scores: cells.map(|cell| cell.score),
            shares: counts.map(|count| count / trials),
            trials,
        }
    }

    /// The same number of trials with other shares.
    pub(crate) fn distributed(&self, shares: &[f64; CELLS]) -> Observed<CELLS> {
        Observed { shares: *shares, ..*self }
    }

    /// The observation with one more trial, spread evenly over all scores.
    pub(crate) fn smoothed(&self) -> Observed<CELLS> {
        let trials = self.trials + 1.0;
        let even = 1.0 / CELLS as f64;
        let shares = self.shares.map(|share| (share * self.trials + even) / trials);
        Observed { shares, trials, ..*self }
    }

    /// The logarithm of the ratio of each score's probabilities under two distributions.
    pub(crate) fn logs(&self, one: &[f64; CELLS], other: &[f64; CELLS]) -> [f64; CELLS] {
        std::array::from_fn(|cell| (one[cell] / other[cell]).ln())
    }

    /// The mean and the variance of a value assigned to every score.
    pub(crate) fn mean_and_variance(&self, values: &[f64; CELLS]) -> (f64, f64) {
        let mean = weighted(&self.shares, |cell| values[cell]);
        (mean, weighted(&self.shares, |cell| (values[cell] - mean).powi(2)))
    }

    /// The logarithm of the likelihood ratio of two distributions.
    pub(crate) fn ratio(&self, one: &[f64; CELLS], other: &[f64; CELLS]) -> f64 {
        let (mean, _) = self.mean_and_variance(&self.logs(one, other));
        self.trials * mean
    }

    /// The distance of a distribution from the observation: the square root of twice the decrease
    /// of the log-likelihood.
    pub(super) fn root(&self, distribution: &[f64; CELLS]) -> f64 {
        (2.0 * self.ratio(&self.shares, distribution)).max(0.0).sqrt()
    }

    /// The maximum likelihood distribution with this mean score.
    pub(crate) fn likeliest_with_mean(&self, mean: f64) -> [f64; CELLS] {
        self.tilted(&self.scores.map(|score| score - mean)).unwrap_or(self.shares)
    }

    /// The maximum likelihood distribution whose mean score is `lead` standard deviations above a
    /// half.
    ///
    /// The condition is not linear in the distribution. It is linearised around an iterate, and the
    /// solution is the next one. From the uniform distribution this converges in a few rounds for
    /// realistic leads. Larger leads are approached in stages, and if that fails, from the observed
    /// distribution.
    pub(crate) fn likeliest_with_lead(&self, lead: f64) -> [f64; CELLS] {
        let uniform = [1.0 / CELLS as f64; CELLS];
        let from_uniform = self.approach(uniform, 0.0, lead);
        if (self.lead(&from_uniform) - lead).abs() <= LEAD_TOLERANCE * (1.0 + lead.abs()) {
            return from_uniform;
        }
        self.approach(self.shares, self.lead(&self.shares), lead)
    }

    /// Moves from a distribution with about the lead `from` to one with the lead `to`.
    fn approach(&self, mut iterate: [f64; CELLS], from: f64, to: f64) -> [f64; CELLS] {
        let stages = ((to - from).abs() / STAGE).ceil().clamp(1.0, MAX_STAGES) as usize;
        for stage in 1..=stages {
            let rounds = if stage < stages { STAGE_ROUNDS } else { MAX_ROUNDS };
            let lead = from + (to - from) * stage as f64 / stages as f64;
            for _ in 0..rounds {
                let (mean, deviation) = self.moments(&iterate);
                let excess = self.scores.map(|score| {
                    let away = (score - mean) / deviation;
                    score - 0.5 - lead * deviation * (1.0 + away * away) / 2.0
                });
                let Some(next) = self.tilted(&excess) else { break };
                let change =
                    next.iter().zip(&iterate).map(|(next, iterate)| (next / iterate - 1.0).abs());
                let change = change.fold(0.0, f64::max);
                iterate = next;
                if change < SHARE_TOLERANCE {
                    break;
                }
            }
        }
        iterate
    }

    /// The observed distribution with every cell weighed by the exponential of its score times `tilt`, up
    /// to a factor: the one nearest to the observation among those with its mean (Kullback and Leibler's
    /// distance from it to the observation; Efron 1981, "Nonparametric standard errors and confidence
    /// intervals"). Its mean grows with the tilt from the least score to the greatest.
    ///
    /// Unlike in the likeliest distribution, cells between the observed mean and the new one gain, and
    /// not the farthest one alone: a nearly empty cell never carries a mean that others can have.
    pub(crate) fn exponential(&self, tilt: f64) -> [f64; CELLS] {
        let greatest = self.scores.map(|score| tilt * score).into_iter().fold(f64::MIN, f64::max);
        let weights: [f64; CELLS] = std::array::from_fn(|cell| {
            self.shares[cell] * (tilt * self.scores[cell] - greatest).exp()
        });
        let sum: f64 = weights.iter().sum();
        weights.map(|weight| weight / sum)
    }

    /// The mean and the standard deviation of the score under a distribution.
    pub(crate) fn moments(&self, shares: &[f64; CELLS]) -> (f64, f64) {
        let mean = weighted(shares, |cell| self.scores[cell]);
        (mean, weighted(shares, |cell| (self.scores[cell] - mean).powi(2)).sqrt())
    }

    pub(crate) fn lead(&self, shares: &[f64; CELLS]) -> f64 {
        let (mean, deviation) = self.moments(shares);
        (mean - 0.5) / deviation
    }

    /// The maximum likelihood distribution under which `excess` has mean zero: `share / (1 + tilt *
    /// excess)` (Owen 1988, empirical likelihood). `None` if there is none because all cells have
    /// an excess of the same sign.
    fn tilted(&self, excess: &[f64; CELLS]) -> Option<[f64; CELLS]> {
        let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = excess.iter().copied().fold(f64::INFINITY, f64::min);
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        // The mean decreases with the tilt, from infinity at `-1 / most` to minus infinity at `-1 /
        // least`. Without tilt it is the observed mean, whose sign tells the side of the solution.
        // The tilt is measured from the pole of that side, `tilt = distance - 1 / pole`, because
        // the solution is very close to the pole if a rare cell must carry the mean.
        let observed = weighted(&self.shares, |cell| excess[cell]);
        let pole = if observed > 0.0 { least } else { most };
        let (mut low, mut high) = (pole.recip().min(0.0), pole.recip().max(0.0));
        let mut distance = pole.recip();
        let weight =
            |cell: usize, distance: f64| (1.0 - excess[cell] / pole) + distance * excess[cell];
        for _ in 0..MAX_ITERATIONS {
            let part = |cell| excess[cell] / weight(cell, distance);
            let mean = weighted(&self.shares, part);
            let derivative = -weighted(&self.shares, |cell| part(cell) * part(cell));
            if mean > 0.0 {
                low = distance;
            } else {
                high = distance;
            }
            let newton = distance - mean / derivative;
            let next = if newton > low && newton < high { newton } else { 0.5 * (low + high) };
            let moved = (next - distance).abs();
            distance = next;
            if moved <= f64::EPSILON * distance.abs() {
                break;
            }
        }
        Some(std::array::from_fn(|cell| self.shares[cell] / weight(cell, distance)))
    }
}

fn weighted<const CELLS: usize>(weights: &[f64; CELLS], value: impl Fn(usize) -> f64) -> f64 {
    weights.iter().enumerate().map(|(cell, weight)| weight * value(cell)).sum()
}

/// The count used for an empty cell, as in fishtest.
const EMPTY_CELL_COUNT: f64 = 1e-3;
/// The largest lead, in standard deviations of a trial, that is approached in one stage.
const STAGE: f64 = 0.25;
const STAGE_ROUNDS: usize = 4;
const MAX_ROUNDS: usize = 100;
const MAX_STAGES: f64 = 1000.0;
/// The relative tolerance of the lead.
const LEAD_TOLERANCE: f64 = 1e-9;
/// A relative change of probabilities that counts as zero.
const SHARE_TOLERANCE: f64 = 1e-13;
const MAX_ITERATIONS: usize = 200;
