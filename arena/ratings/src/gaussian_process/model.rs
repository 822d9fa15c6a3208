//! What is assumed about the function before any game: how far it varies, over which distances, and
//! how noisy games are.

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
}

/// The usual length: longer in more dimensions, where distances are longer.
pub(super) fn usual_length(dimensions: usize) -> f64 {
    0.5 * (dimensions as f64).sqrt()
}

/// The usual size: 150 Elo.
pub(super) const USUAL_SIZE: f64 = 150.0 / ELO_PER_LOG_ODDS;
