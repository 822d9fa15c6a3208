//! Learns from comparisons how far the function varies and over which distances.

use super::comparison::Comparison;
use super::model::{Model, USUAL_SIZE, usual_length};
use super::posterior::Posterior;

impl Model {
    /// The assumptions that explain the comparisons best and are probable themselves: the maximum of
    /// the marginal likelihood times a prior that prefers lengths of about half the range, longer
    /// ones in more dimensions (Hvarfner, Hellsten and Nardi 2024, "Vanilla Bayesian optimization
    /// performs great in high dimensions"). The search begins with these assumptions.
    pub fn fitted(&self, comparisons: &[Comparison]) -> Model {
        let mut best = self.clone();
        let mut mode = Posterior::new(&best, comparisons);
        best.dispersion = mode.dispersion();
        // Every search for a mode begins at the best one so far, which is close.
        mode = Posterior::near(&best, comparisons, Some(&mode));
        let mut highest = mode.evidence() + best.prior();
        for step in STEPS {
            for _ in 0..SWEEPS {
                let before = highest;
                for place in 0..=best.lengths.len() {
                    for change in [step, -step] {
                        let moved = best.moved(place, change);
                        let moved_mode = Posterior::near(&moved, comparisons, Some(&mode));
                        let height = moved_mode.evidence() + moved.prior();
                        if height > highest {
                            (best, mode, highest) = (moved, moved_mode, height);
                            break;
                        }
                    }
                }
                if highest - before < ENOUGH {
                    break;
                }
            }
        }
        best
    }

    /// The same with one number multiplied: a length, or after the last length the size.
    fn moved(&self, place: usize, change: f64) -> Model {
        let mut moved = self.clone();
        match moved.lengths.get_mut(place) {
            Some(length) => *length *= change.exp(),
            None => moved.size *= change.exp(),
        }
        moved
    }

    /// The logarithm of the prior's density, up to a constant.
    fn prior(&self) -> f64 {
        let usual = usual_length(self.lengths.len());
        let off =
            |value: f64, usual: f64, spread: f64| -0.5 * ((value / usual).ln() / spread).powi(2);
        let lengths: f64 = self.lengths.iter().map(|&it| off(it, usual, LENGTH_SPREAD)).sum();
        lengths + off(self.size, USUAL_SIZE, SIZE_SPREAD)
    }
}

/// The standard deviations of the logarithms.
const LENGTH_SPREAD: f64 = 0.7;
const SIZE_SPREAD: f64 = 1.0;
/// The changes of the logarithms that the search tries.
const STEPS: [f64; 3] = [0.7, 0.3, 0.12];
/// The most sweeps over all numbers with one step.
const SWEEPS: usize = 4;
/// The gain of a sweep that is not worth another.
const ENOUGH: f64 = 0.05;
