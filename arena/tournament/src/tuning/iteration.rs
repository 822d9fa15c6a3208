//! An iteration of a tuning and its results.

/// The two sets of values that an iteration compares.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The values of the upper side, by parameter.
    pub plus: Vec<f64>,
    /// The values of the lower side.
    pub minus: Vec<f64>,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug)]
pub struct Iteration {
    /// The values of the upper side, by parameter.
    pub plus: Vec<f64>,
    /// The values of the lower side.
    pub minus: Vec<f64>,
    /// The values that the search has arrived at after it.
    pub values: Vec<f64>,
    /// The wins, draws and losses of the upper side.
    pub results: [u64; 3],
}

impl Iteration {
    /// The number of games with a result; a session counts as one.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    /// The upper side's wins minus its losses.
    pub fn lead(&self) -> f64 {
        self.results[0] as f64 - self.results[2] as f64
    }
}
