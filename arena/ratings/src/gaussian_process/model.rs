//! What is assumed about the function before any game: how far it varies, over which distances, and
//! how noisy games are.

use super::comparison::Comparison;
use super::posterior::Posterior;
use crate::ELO_PER_LOG_ODDS;
use crate::smooth::matern;

/// The assumptions about a function of strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The distance over which the function changes, by dimension.
    pub(super) lengths: Vec<f64>,
    /// The standard deviation of the function, in log-odds.
    pub(super) size: f64,
    /// The variance of a game's score relative to that of a game without draws.
    pub(super) dispersion: f64,
}

impl Model {
    /// The most probable assumptions before any game.
    pub fn new(dimensions: usize) -> Model {
        let length = usual_length(dimensions);
        Model { lengths: vec![length; dimensions], size: USUAL_SIZE, dispersion: 1.0 }
    }

    /// The covariance of the function at two points, in log-odds: Matérn with ν = 5/2.
    pub(super) fn covariance(&self, one: &[f64], other: &[f64]) -> f64 {
        // Most of the time goes here, and a plain loop takes half the time of zipped iterators.
        let mut square = 0.0;
        for (place, length) in self.lengths.iter().enumerate() {
            let apart = (one[place] - other[place]) / length;
            square += apart * apart;
        }
        self.size.powi(2) * matern(square)
    }

    /// The assumptions that explain the comparisons best and are probable themselves: the maximum of
    /// the marginal likelihood times a prior that prefers lengths of about half the range, longer
    /// ones in more dimensions (Hvarfner, Hellsten and Nardi 2024, "Vanilla Bayesian optimization
    /// performs great in high dimensions"). The search begins with these assumptions.
    pub fn fitted(&self, comparisons: &[Comparison]) -> Model {
        let mut best = self.clone();
        best.dispersion = Posterior::new(&best, comparisons).dispersion();
        let evidence =
            |model: &Model| Posterior::new(model, comparisons).evidence() + model.prior();
        let mut highest = evidence(&best);
        for step in STEPS {
            for _ in 0..SWEEPS {
                let before = highest;
                for place in 0..=best.lengths.len() {
                    for change in [step, -step] {
                        let moved = best.moved(place, change);
                        let height = evidence(&moved);
                        if height > highest {
                            (best, highest) = (moved, height);
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

fn usual_length(dimensions: usize) -> f64 {
    0.5 * (dimensions as f64).sqrt()
}

/// The usual size: 150 Elo.
const USUAL_SIZE: f64 = 150.0 / ELO_PER_LOG_ODDS;
/// The standard deviations of the logarithms.
const LENGTH_SPREAD: f64 = 0.7;
const SIZE_SPREAD: f64 = 1.0;
/// The changes of the logarithms that the search tries.
const STEPS: [f64; 3] = [0.7, 0.3, 0.12];
/// The most sweeps over all numbers with one step.
const SWEEPS: usize = 4;
/// The gain of a sweep that is not worth another.
const ENOUGH: f64 = 0.05;
