//! The prior of the function: its deviation, its length scales, and the noise of games.

use crate::ELO_PER_LOG_ODDS;
use crate::smooth::matern;

/// The assumptions about a function of strength.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionPrior {
    /// The length scale of every dimension.
    pub(super) length_scales: Vec<f64>,
    /// The standard deviation of the function, in log-odds.
    pub(super) deviation: f64,
    /// The variance of a game's score relative to that of a game without draws.
    pub(super) dispersion: f64,
}

impl FunctionPrior {
    /// The most probable assumptions before any game.
    pub fn new(dimensions: usize) -> FunctionPrior {
        let length = usual_length_scale(dimensions);
        FunctionPrior {
            length_scales: vec![length; dimensions],
            deviation: USUAL_DEVIATION,
            dispersion: 1.0,
        }
    }

    /// The covariance of the function at two points, in log-odds: Matérn with ν = 5/2.
    pub(super) fn covariance(&self, one: &[f64], other: &[f64]) -> f64 {
        // Most of the time goes here, and a plain loop takes half the time of zipped iterators.
        let mut square = 0.0;
        for (place, length) in self.length_scales.iter().enumerate() {
            let apart = (one[place] - other[place]) / length;
            square += apart * apart;
        }
        self.deviation.powi(2) * matern(square)
    }
}

/// The usual length: longer in more dimensions, where distances are longer.
pub(super) fn usual_length_scale(dimensions: usize) -> f64 {
    0.5 * (dimensions as f64).sqrt()
}

/// The usual deviation: 150 Elo.
pub(super) const USUAL_DEVIATION: f64 = 150.0 / ELO_PER_LOG_ODDS;
