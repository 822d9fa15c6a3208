//! Learns from comparisons how far the function varies and over which distances.

use super::comparison::MatchResult;
use super::model::{FunctionPrior, USUAL_DEVIATION, usual_length_scale};
use super::posterior::Posterior;

impl FunctionPrior {
    /// The assumptions that explain the comparisons best and are probable themselves: the maximum of
    /// the marginal likelihood times a prior that prefers length scales of about half the range, longer
    /// ones in more dimensions (Hvarfner, Hellsten and Nardi 2024, "Vanilla Bayesian optimization
    /// performs great in high dimensions"). The search begins with these assumptions.
    pub fn fitted(&self, comparisons: &[MatchResult]) -> FunctionPrior {
        let mut best = self.clone();
        let mut mode = Posterior::new(&best, comparisons);
        best.dispersion = mode.dispersion();
        // Every search for a mode begins at the best one so far, which is close.
        mode = Posterior::with_start(&best, comparisons, Some(&mode));
        let mut best_log_posterior = mode.log_evidence() + best.prior();
        for step in STEPS {
            for _ in 0..SWEEPS {
                let before = best_log_posterior;
                for place in 0..=best.length_scales.len() {
                    for change in [step, -step] {
                        let moved = best.moved(place, change);
                        let moved_mode = Posterior::with_start(&moved, comparisons, Some(&mode));
                        let log_posterior = moved_mode.log_evidence() + moved.prior();
                        if log_posterior > best_log_posterior {
                            (best, mode, best_log_posterior) = (moved, moved_mode, log_posterior);
                            break;
                        }
                    }
                }
                if best_log_posterior - before < TOLERANCE {
                    break;
                }
            }
        }
        best
    }

    /// The same with one number multiplied: a length, or after the last length the deviation.
    fn moved(&self, place: usize, change: f64) -> FunctionPrior {
        let mut moved = self.clone();
        match moved.length_scales.get_mut(place) {
            Some(length) => *length *= change.exp(),
            None => moved.deviation *= change.exp(),
        }
        moved
    }

    /// The logarithm of the prior's density, up to a constant.
    fn prior(&self) -> f64 {
        let usual = usual_length_scale(self.length_scales.len());
        let off =
            |value: f64, usual: f64, spread: f64| -0.5 * ((value / usual).ln() / spread).powi(2);
        let length_scales: f64 =
            self.length_scales.iter().map(|&it| off(it, usual, LENGTH_SCALE_SPREAD)).sum();
        length_scales + off(self.deviation, USUAL_DEVIATION, DEVIATION_SPREAD)
    }
}

/// The standard deviations of the logarithms.
const LENGTH_SCALE_SPREAD: f64 = 0.7;
const DEVIATION_SPREAD: f64 = 1.0;
/// The changes of the logarithms that the search tries.
const STEPS: [f64; 3] = [0.7, 0.3, 0.12];
/// The most sweeps over all numbers with one step.
const SWEEPS: usize = 4;
/// The gain of a sweep that is not worth another.
const TOLERANCE: f64 = 0.05;
