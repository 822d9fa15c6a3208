//! A search by a Gaussian process: two sets of values play each other, chosen so that their games
//! tell most about which values are best.
//!
//! The first iterations compare the start values with values that are spread over the whole range.
//! After each iteration all results together determine a smooth function, and the next two sets of
//! values follow from it (see [`fanorona_ratings::gaussian_process`]). Both sides are free: games
//! between two good candidates tell more about them than games of each against fixed values, because
//! the difference then has the noise of one match instead of two, and the score stays close to a half,
//! where a game tells most.

use std::sync::OnceLock;

use super::iteration::Trial;
use super::optimum::Optimum;
use crate::config::{Number, Parameter};
use crate::pairing::seeds;
use fanorona_ratings::Z95;
use fanorona_ratings::gaussian_process::{FunctionPrior, MatchResult, Posterior, Space};

/// The state of a search.
#[derive(Clone, Debug)]
pub struct GaussianProcessSearch {
    parameters: Vec<Parameter>,
    space: Space,
    seed: u64,
    /// The games of an iteration.
    games: f64,
    comparisons: Vec<MatchResult>,
    model: FunctionPrior,
    /// The number of comparisons after which the model is fitted again.
    next_fit: usize,
    posterior: Posterior,
    /// The points of the present iteration.
    open: Option<[Vec<f64>; 2]>,
    /// The best setting so far.
    best: Vec<f64>,
    /// The intervals of the best values, once somebody has asked for them: they take a while.
    intervals: OnceLock<Vec<(f64, f64)>>,
}

impl GaussianProcessSearch {
    /// A search from the start values. `games` is the number of games in an iteration. All
    /// randomness follows from the seed.
    pub fn new(parameters: &[Parameter], games: f64, seed: u64) -> GaussianProcessSearch {
        let step = |it: &Parameter| match it.number {
            Number::Int => 1.0 / (it.max - it.min),
            Number::Float => 0.0,
        };
        let space = Space::new(parameters.iter().map(step).collect());
        let space = space.expect("a config has a number of parameters that the method can tune");
        let model = FunctionPrior::new(parameters.len());
        let posterior = Posterior::new(&model, &[]);
        let mut search = GaussianProcessSearch {
            parameters: parameters.to_vec(),
            space,
            seed,
            games,
            comparisons: Vec::new(),
            model,
            next_fit: 0,
            posterior,
            open: None,
            best: Vec::new(),
            intervals: OnceLock::new(),
        };
        search.best = search.start();
        search.next_fit = search.spread_comparisons();
        search
    }

    /// The number of comparisons with values that are spread over the range.
    fn spread_comparisons(&self) -> usize {
        2 * (self.parameters.len() + 1)
    }

    /// The setting at the start.
    fn start(&self) -> Vec<f64> {
        self.point(|parameter| parameter.start)
    }

    fn point(&self, value: impl Fn(&Parameter) -> f64) -> Vec<f64> {
        let unit = |it: &Parameter| (value(it) - it.min) / (it.max - it.min);
        self.space.nearest(self.parameters.iter().map(unit).collect())
    }

    /// The values of a setting, which an engine can take.
    fn values(&self, point: &[f64]) -> Vec<f64> {
        let value = |(it, unit): (&Parameter, &f64)| {
            let value = it.min + unit * (it.max - it.min);
            it.text(value).parse().unwrap_or(value)
        };
        self.parameters.iter().zip(point).map(value).collect()
    }

    /// The comparison of the next iteration.
    pub fn begin(&mut self) -> Trial {
        let [one, other] = self.choose();
        let trial = Trial { plus: self.values(&one), minus: self.values(&other) };
        self.open = Some([one, other]);
        trial
    }

    fn choose(&self) -> [Vec<f64>; 2] {
        let number = self.comparisons.len();
        if number < self.spread_comparisons() {
            let shift = |it: &Parameter| {
                seeds::derive(self.seed, &["tune", "spread", &it.name]) as f64 / 2_f64.powi(64)
            };
            let shift: Vec<f64> = self.parameters.iter().map(shift).collect();
            return [self.space.halton(number as u32, &shift), self.start()];
        }
        let mut random = seeds::generator(self.seed, &["tune", &number.to_string()]);
        self.posterior.choose(&self.space, &self.best, self.games, &mut random)
    }

    /// Finishes the iteration that has begun, with the wins, draws and losses of its upper side.
    pub fn finish(&mut self, results: [u64; 3]) {
        let Some([one, other]) = self.open.take() else { return };
        self.comparisons.push(MatchResult { one, other, results });
        let count = self.comparisons.len();
        if count >= self.next_fit {
            self.model = self.model.fitted(&self.comparisons);
            // Fitting takes much longer than a choice, and more comparisons change the model less.
            self.next_fit = (count + 1).max(count + count / REFIT);
        }
        self.posterior = Posterior::new(&self.model, &self.comparisons);
        let mut random = seeds::generator(self.seed, &["tune", "best", &count.to_string()]);
        self.best = self.posterior.maximum(&self.space, &self.best, &mut random);
        self.intervals = OnceLock::new();
    }

    /// The best values so far.
    pub(crate) fn best_values(&self) -> Vec<f64> {
        self.values(&self.best)
    }

    /// The optimum of every parameter, and the lead in Elo of the best values over the start values
    /// with its 95 % interval. `None` before there are enough comparisons.
    pub fn optimum(&self) -> Option<(Vec<Optimum>, [f64; 3])> {
        if self.comparisons.len() < self.spread_comparisons() {
            return None;
        }
        let intervals = self.intervals.get_or_init(|| {
            let count = self.comparisons.len().to_string();
            let mut random = seeds::generator(self.seed, &["tune", "interval", &count]);
            self.posterior.interval(&self.space, &self.best, &mut random)
        });
        let of_parameter = |(it, &(low, high)): (&Parameter, &(f64, f64))| {
            let value = |unit: f64| it.min + unit * (it.max - it.min);
            // Almost the whole range is no answer.
            Optimum { interval: (high - low < DETERMINED).then(|| (value(low), value(high))) }
        };
        let optima = self.parameters.iter().zip(intervals).map(of_parameter).collect();
        let lead = self.posterior.lead(&self.best, &self.start());
        let error = Z95 * lead.deviation;
        Some((optima, [lead.elo, lead.elo - error, lead.elo + error]))
    }
}

/// The model is fitted again when there are more comparisons by one in this many.
const REFIT: usize = 4;
/// The width of an interval, as a share of the range, from which on the games do not determine the
/// best value.
const DETERMINED: f64 = 0.7;
