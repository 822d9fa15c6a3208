//! A tuning along its tournament: collects the scores of an iteration in schedule order, and takes a
//! step when they are complete.

use super::gaussian_process::GaussianProcessSearch;
use super::iteration::{Iteration, Trial};
use super::optimum::{Optimum, optimum};
use super::spsa::Spsa;
use crate::config::{Method, Parameter, Tournament};
use fanorona_ratings::Score;

/// The recommendation of a tuning for one parameter.
#[derive(Clone, PartialEq, Debug)]
pub struct Recommendation {
    /// The parameter with the bounds between which it was tuned.
    pub parameter: Parameter,
    /// The recommended value, which an engine can take.
    pub value: f64,
    /// The 95 % interval of the best value; `None` if the games do not determine one.
    pub interval: Option<(f64, f64)>,
}

/// The state of a tuning.
#[derive(Clone, Debug)]
pub struct TuningRun {
    parameters: Vec<Parameter>,
    search: Search,
    /// All iterations.
    planned: usize,
    /// The present comparison, if its games are scheduled.
    open: Option<Trial>,
    results: [u64; 3],
    iterations: Vec<Iteration>,
}

/// The method with its state.
#[derive(Clone, Debug)]
enum Search {
    Spsa(Spsa),
    GaussianProcess(Box<GaussianProcessSearch>),
}

impl Search {
    /// The comparison of the next iteration.
    fn begin(&mut self) -> Trial {
        match self {
            Search::Spsa(spsa) => spsa.trial().0,
            Search::GaussianProcess(search) => search.begin(),
        }
    }

    /// Finishes the iteration with the results of the upper side.
    fn finish(&mut self, results: [u64; 3]) {
        match self {
            Search::Spsa(spsa) => {
                let (_, steps) = spsa.trial();
                spsa.finish(&steps, results[0] as f64 - results[2] as f64);
            }
            Search::GaussianProcess(search) => search.finish(results),
        }
    }

    /// The values that the search has arrived at.
    fn values(&self) -> Vec<f64> {
        match self {
            Search::Spsa(spsa) => spsa.values().to_vec(),
            Search::GaussianProcess(search) => search.best_values(),
        }
    }
}

impl TuningRun {
    /// The tuning of a tournament before its first game; `None` for other tournaments.
    pub fn new(tournament: &Tournament) -> Option<TuningRun> {
        let tuning = tournament.tuning.as_ref()?;
        let pairs = tournament.rounds.get().saturating_mul(tournament.kinds.len() as u32);
        let seed = tournament.seed;
        let parameters = tuning.parameters.clone();
        let search = match tuning.method {
            Method::Spsa(sizes) => Search::Spsa(Spsa::new(tuning, sizes, pairs, seed)),
            Method::GaussianProcess => {
                let games = 2.0 * f64::from(pairs);
                let search = GaussianProcessSearch::new(&parameters, games, seed);
                Search::GaussianProcess(Box::new(search))
            }
        };
        Some(TuningRun {
            parameters,
            search,
            planned: tuning.iterations.get() as usize,
            open: None,
            results: [0; 3],
            iterations: Vec::new(),
        })
    }

    /// Adds the score of a game or session of the present iteration, from the view of the upper
    /// side; `None` if it has no result.
    pub fn add(&mut self, score: Option<Score>) {
        match score {
            Some(Score::Win) => self.results[0] += 1,
            Some(Score::Draw) => self.results[1] += 1,
            Some(Score::Loss) => self.results[2] += 1,
            None => {}
        }
    }

    /// Takes the step of the present iteration, whose games are all finished, and begins the next
    /// one. Returns `false` if there is none.
    pub fn advance(&mut self) -> bool {
        if let Some(Trial { plus, minus }) = self.open.take() {
            let results = std::mem::take(&mut self.results);
            self.search.finish(results);
            let values = self.search.values();
            self.iterations.push(Iteration { plus, minus, values, results });
        }
        let is_over = self.iterations.len() >= self.planned;
        self.open = (!is_over).then(|| self.search.begin());
        self.open.is_some()
    }

    /// The options of both sides in the present iteration, the upper side first; `None` if there is
    /// no present iteration.
    pub fn options(&self) -> Option<[Vec<(String, String)>; 2]> {
        let Trial { plus, minus } = self.open.as_ref()?;
        Some([plus, minus].map(|values| self.named(values)))
    }

    /// Values as options.
    fn named(&self, values: &[f64]) -> Vec<(String, String)> {
        let named = self.parameters.iter().zip(values);
        named.map(|(parameter, &value)| (parameter.name.clone(), parameter.text(value))).collect()
    }

    /// The parameters.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// The number of iterations in the config.
    pub fn planned(&self) -> usize {
        self.planned
    }

    /// The finished iterations.
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// The recommended values. A Gaussian process also tells their lead over the start values in Elo,
    /// with its 95 % interval, once there are enough iterations.
    pub fn recommendation(&self) -> (Vec<Recommendation>, Option<[f64; 3]>) {
        let (values, optima, lead) = match &self.search {
            Search::Spsa(_) => {
                (self.mean_of_last(), optimum(&self.parameters, &self.iterations), None)
            }
            Search::GaussianProcess(search) => {
                let (optima, lead) = search.optimum().unzip();
                (search.best_values(), optima, lead)
            }
        };
        let optima = optima.unwrap_or_else(|| vec![Optimum::default(); values.len()]);
        let recommended = self.parameters.iter().zip(&values).zip(optima);
        let recommended = recommended.map(|((parameter, &value), optimum)| Recommendation {
            parameter: parameter.clone(),
            value: parameter.text(value).parse().unwrap_or(value),
            interval: optimum.interval,
        });
        (recommended.collect(), lead)
    }

    /// The mean over the last iterations of SPSA, in which the values move around the optimum
    /// (Polyak and Juditsky 1992, "Acceleration of stochastic approximation by averaging").
    fn mean_of_last(&self) -> Vec<f64> {
        let last = self.iterations.len() - self.iterations.len() / AVERAGED;
        let last = &self.iterations[last.min(self.iterations.len().saturating_sub(1))..];
        let mean = |place: usize| match last.len() {
            0 => self.parameters[place].start,
            count => last.iter().map(|it| it.values[place]).sum::<f64>() / count as f64,
        };
        (0..self.parameters.len()).map(mean).collect()
    }
}

/// One in this many iterations, the last ones, is averaged.
const AVERAGED: usize = 4;
