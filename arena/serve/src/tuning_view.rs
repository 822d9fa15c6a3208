//! The progress of a tuning: the values of every parameter over the iterations.

use serde::Serialize;

use super::view::safe;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::tuning::TuningRun;

/// The most points of a curve.
const MAX_POINTS: usize = 300;

/// A tuning as its page draws it.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TuningView {
    /// The finished iterations.
    iterations: usize,
    /// All iterations.
    planned: u32,
    parameters: Vec<ParameterView>,
}

#[derive(Clone, Debug, Serialize)]
struct ParameterView {
    name: String,
    start: f64,
    min: f64,
    max: f64,
    /// The recommended value.
    value: f64,
    /// The 95 % interval of the best value, if the games determine one.
    interval: Option<(f64, f64)>,
    /// Iterations, each with the value after it.
    trace: Vec<(usize, f64)>,
}

impl TuningView {
    /// The tuning of a tournament.
    pub(super) fn new(tournament: &Tournament, run: &TuningRun) -> TuningView {
        let iterations = run.iterations();
        let step = iterations.len().div_ceil(MAX_POINTS).max(1);
        let (recommended, _) = run.recommendation();
        let parameters = recommended.into_iter().enumerate().map(|(place, it)| {
            let parameter = it.parameter;
            let after = iterations.iter().zip(1..).map(|(it, number)| (number, it.values[place]));
            let is_shown =
                |(number, _): &(usize, f64)| number % step == 0 || *number == iterations.len();
            let start = (0, parameter.start);
            ParameterView {
                name: safe(&parameter.name),
                start: parameter.start,
                min: parameter.min,
                max: parameter.max,
                value: it.value,
                interval: it.interval,
                trace: std::iter::once(start).chain(after.filter(is_shown)).collect(),
            }
        });
        TuningView {
            iterations: iterations.len(),
            planned: tournament.tuning.as_ref().map_or(0, |tuning| tuning.iterations.get()),
            parameters: parameters.collect(),
        }
    }
}
