//! A race: finds the best of many engines in few games, by pairing those whose games would tell most.
//!
//! The ratings have a posterior, approximately normal: its mean is the fit, its covariance the
//! inverse information. Pairings are chosen by top-two Thompson sampling (Russo 2016, "Simple
//! Bayesian algorithms for best-arm identification"): one draw from the posterior names the best
//! engine, further draws a different one, and these two play. Weak engines soon get no more games,
//! and the leaders get most. Once nearly all draws name the same engine, it plays those over which its
//! lead is not decided yet.
//!
//! A race may look at its results after every game, so its decision must allow for that. It uses the
//! mixture boundary of Robbins (1970, "Statistical methods related to the law of the iterated
//! logarithm"; Howard et al. 2021, "Time-uniform, nonparametric, nonasymptotic confidence
//! sequences"), which a standardized random walk crosses at any time with at most the given
//! probability.

use std::collections::BTreeMap;

use nalgebra::{DMatrix, DVector};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::curvature::Curvature;
use super::fit::{subspace, unit};
use super::likelihood::Likelihood;
use super::newton::{Optimum, maximise};
use super::options::Scope;
use super::sample::{Entrant, Sample};
use super::smooth::normal;
use super::subspace::Subspace;
use super::{ELO_PER_LOG_ODDS, Prior};

/// The aim of a race, and its error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RaceOptions {
    /// The number of best engines to find.
    pub best: usize,
    /// The probability of naming a wrong set.
    pub error: f64,
    /// The difference in Elo that does not matter: a named engine may be this much weaker than one
    /// that is not named.
    pub within: f64,
}

/// The state of a race after some results.
#[derive(Clone, Debug)]
pub struct Race {
    options: RaceOptions,
    likelihood: Likelihood,
    subspace: Subspace,
    optimum: Optimum,
    /// The variance of the results relative to that of independent games.
    dispersion: f64,
    /// The engines that take part, as places in the likelihood.
    places: Vec<usize>,
    /// Of the ratings of these engines, in log-odds.
    mean: DVector<f64>,
    covariance: DMatrix<f64>,
    /// A root of the covariance.
    root: DMatrix<f64>,
    /// The engines, the strongest first.
    order: Vec<usize>,
}

impl Race {
    /// The state after the results of a sample. `None` unless more engines have games than are to be
    /// found.
    pub fn new(sample: &Sample, scope: Scope, options: RaceOptions) -> Option<Race> {
        Race::without(sample, scope, options, &[])
    }

    /// The same for the engines that are not `out`. Games against those count all the same.
    pub fn without(
        sample: &Sample,
        scope: Scope,
        options: RaceOptions,
        out: &[Entrant],
    ) -> Option<Race> {
        let likelihood = Likelihood::new(sample, scope, Prior::default().precision());
        let subspace = subspace(&likelihood, &BTreeMap::new());
        let optimum = maximise(&likelihood, &subspace, &DVector::zeros(likelihood.parameters()));
        let places: Vec<usize> = (0..likelihood.engines.len())
            .filter(|&place| !out.contains(&Entrant(likelihood.engines[place])))
            .collect();
        if places.len() <= options.best || options.best == 0 {
            return None;
        }
        let curvature =
            Curvature::new(&likelihood, &subspace, &likelihood.derivatives(&optimum.point))?;
        let column = |&place: &usize| curvature.solve(&subspace.project(&unit(&likelihood, place)));
        let columns: Vec<DVector<f64>> = places.iter().map(column).collect();
        let dispersion = likelihood.dispersion(&optimum.point);
        let covariance = DMatrix::from_fn(places.len(), places.len(), |row, column| {
            dispersion * columns[column][places[row]]
        });
        let mean = DVector::from_fn(places.len(), |row, _| optimum.point[places[row]]);
        let eigen = covariance.clone().symmetric_eigen();
        let roots = eigen.eigenvalues.map(|value| value.max(0.0).sqrt());
        let root = eigen.eigenvectors * DMatrix::from_diagonal(&roots);
        let order = descending(&mean);
        Some(Race {
            options,
            likelihood,
            subspace,
            optimum,
            dispersion,
            places,
            mean,
            covariance,
            root,
            order,
        })
    }

    fn entrant(&self, place: usize) -> Entrant {
        Entrant(self.likelihood.engines[self.places[place]])
    }

    /// The best engines as far as the results tell, the strongest first.
    pub fn leaders(&self) -> Vec<Entrant> {
        self.order[..self.options.best].iter().map(|&place| self.entrant(place)).collect()
    }

    /// Whether the leaders are the best, with the error that is asked for.
    pub fn is_decided(&self) -> bool {
        self.comparisons().into_iter().all(|(one, other)| self.margin(one, other) >= 1.0)
    }

    /// The lead of a leader over another engine, as a share of the lead that decides it: the
    /// smallest, as far as the posterior shows it.
    pub fn weakest_margin(&self) -> f64 {
        let weakest = self.comparisons().into_iter().take(LOOKED_AT);
        weakest.map(|(one, other)| self.margin(one, other)).fold(f64::INFINITY, f64::min)
    }

    /// Every leader with every other engine, the most doubtful comparison first.
    fn comparisons(&self) -> Vec<(usize, usize)> {
        let (leaders, others) = self.order.split_at(self.options.best);
        let with = |&one: &usize| others.iter().map(move |&other| (one, other)).collect::<Vec<_>>();
        let mut all: Vec<(usize, usize)> = leaders.iter().flat_map(with).collect();
        let doubt = |&(one, other): &(usize, usize)| {
            let variance = self.covariance[(one, one)] + self.covariance[(other, other)]
                - 2.0 * self.covariance[(one, other)];
            (self.mean[one] - self.mean[other]) / variance.max(f64::MIN_POSITIVE).sqrt()
        };
        all.sort_by(|one, other| doubt(one).total_cmp(&doubt(other)));
        all
    }

    /// The root of the likelihood ratio between the fit and the best fit in which the second engine
    /// is as strong as the first, or stronger by what does not matter, as a share of the boundary.
    fn margin(&self, one: usize, other: usize) -> f64 {
        let comparisons = self.options.best * (self.places.len() - self.options.best);
        let alpha = self.options.error / comparisons as f64;
        let within = self.options.within / ELO_PER_LOG_ODDS;
        let [one, other] = [one, other].map(|place| unit(&self.likelihood, self.places[place]));
        let contrast = one - other;
        let Some(level) = self.subspace.constrained(&contrast, -within) else { return 0.0 };
        if contrast.dot(&self.optimum.point) <= -within {
            return 0.0;
        }
        let constrained = maximise(&self.likelihood, &level, &self.optimum.point);
        let root =
            (2.0 * (self.optimum.value - constrained.value) / self.dispersion).max(0.0).sqrt();
        let derivatives = self.likelihood.derivatives(&constrained.point);
        let curvature = Curvature::new(&self.likelihood, &self.subspace, &derivatives);
        let Some(curvature) = curvature else { return 0.0 };
        let projection = self.subspace.project(&contrast);
        let variance = self.dispersion * projection.dot(&curvature.solve(&projection));
        root / boundary(1.0 / variance.max(f64::MIN_POSITIVE), alpha)
    }

    /// The two engines whose next game would tell most, chosen at random.
    pub fn choose(&self, random: &mut ChaCha8Rng) -> (Entrant, Entrant) {
        let first = self.best_of_draw(random);
        for _ in 0..MAX_DRAWS {
            let second = self.best_of_draw(random);
            // An engine that is among the best in one draw only, and one in the other only.
            let in_first = first.iter().find(|place| !second.contains(place));
            let in_second = second.iter().find(|place| !first.contains(place));
            if let (Some(&one), Some(&other)) = (in_first, in_second) {
                return (self.entrant(one), self.entrant(other));
            }
        }
        // The posterior hardly doubts the leaders.
        let (one, other) = self.undecided(random);
        (self.entrant(one), self.entrant(other))
    }

    /// A leader and another engine whose comparison is not decided: one of the most doubtful ones, at
    /// random, because several encounters are chosen before the next results. The most doubtful one
    /// if all are decided.
    fn undecided(&self, random: &mut ChaCha8Rng) -> (usize, usize) {
        let comparisons = self.comparisons();
        let is_open = |&(one, other): &(usize, usize)| self.margin(one, other) < 1.0;
        let open: Vec<_> = comparisons.iter().copied().filter(is_open).take(LOOKED_AT).collect();
        let place = random.next_u32() as usize % open.len().max(1);
        open.get(place).copied().unwrap_or(comparisons[0])
    }

    /// The best engines of one draw from the posterior, the strongest first.
    fn best_of_draw(&self, random: &mut ChaCha8Rng) -> Vec<usize> {
        let noise = DVector::from_fn(self.mean.len(), |_, _| normal(random));
        let drawn = &self.mean + &self.root * noise;
        let descending = |one: &usize, other: &usize| drawn[*other].total_cmp(&drawn[*one]);
        let mut places: Vec<usize> = (0..drawn.len()).collect();
        // Only the first ones matter: a race draws often, and a whole sort takes as long as the draw.
        places.select_nth_unstable_by(self.options.best - 1, descending);
        places.truncate(self.options.best);
        places.sort_by(descending);
        places
    }
}

fn descending(values: &DVector<f64>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&one, &other| values[other].total_cmp(&values[one]));
    order
}

/// The standardized lead that a random walk with this information crosses at any time with at most
/// the probability `alpha`: the least of several boundaries that share `alpha`.
fn boundary(information: f64, alpha: f64) -> f64 {
    let of_scale = |(scale, share): (f64, f64)| {
        let ratio = information / scale;
        (1.0 + 1.0 / ratio) * ((1.0 + ratio).ln() - 2.0 * (share * alpha).ln())
    };
    SCALES.into_iter().map(of_scale).fold(f64::INFINITY, f64::min).sqrt()
}

/// Each boundary is tightest a few times beyond an information, in log-odds, and has a share of the
/// error. The first is for engines of similar strength: about 50 pairs. A much weaker engine shows
/// in a few games, and these tell little about how much weaker it is: the second is for those.
const SCALES: [(f64, f64); 2] = [(8.0, 0.9), (0.25, 0.1)];
/// The comparisons that the smallest margin is sought among, and the next undecided encounter.
const LOOKED_AT: usize = 8;
/// The most draws for a second engine.
const MAX_DRAWS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::{PairKey, Score, ScoredGame, expected_score};
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn the_boundary_keeps_its_error_rate() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let (mut crossed, walks) = (0, 400);
        for _ in 0..walks {
            let mut sum = 0.0;
            for step in 1..4000 {
                sum += normal(&mut random);
                // A quarter of a unit of information a step.
                let information = 0.25 * f64::from(step);
                if sum / f64::from(step).sqrt() >= boundary(information, 0.1) {
                    crossed += 1;
                    break;
                }
            }
        }
        // One side of a boundary for both.
        assert!(crossed <= 28, "{crossed} of {walks}");
    }

    /// Plays a pair of games without draws, as strong as these ratings in Elo.
    fn play(sample: &mut Sample, elo: &[f64], one: usize, other: usize, random: &mut ChaCha8Rng) {
        let ids: Vec<Entrant> = sample.engines().map(|(id, _)| id).collect();
        let pair = PairKey(random.next_u64());
        for (first, second) in [(one, other), (other, one)] {
            let toss = random.next_u32() as f64 / u32::MAX as f64;
            let has_won = toss < expected_score(elo[first] - elo[second]);
            let score = if has_won { Score::Win } else { Score::Loss };
            let [first, second] = [ids[first], ids[second]];
            let game = ScoredGame { first, second, kind: Kind::Riatra, score, pair };
            sample.push(game).unwrap();
        }
    }

    #[test]
    fn very_weak_engines_do_not_prevent_a_decision() {
        // From the best to the weakest, 60 Elo apart.
        let elo: Vec<f64> = (0..24).map(|place| -60.0 * f64::from(place)).collect();
        let mut sample = Sample::new((0..24).map(|it| format!("{it:02}"))).unwrap();
        let ids: Vec<Entrant> = sample.engines().map(|(id, _)| id).collect();
        let mut random = ChaCha8Rng::seed_from_u64(4);
        (0..24).for_each(|one| play(&mut sample, &elo, one, (one + 1) % 24, &mut random));
        let options = RaceOptions { best: 1, error: 0.05, within: 0.0 };
        for _ in 0..500 {
            let race = Race::new(&sample, Scope::All, options).unwrap();
            if race.is_decided() {
                assert_eq!(race.leaders(), [ids[0]]);
                return;
            }
            for _ in 0..6 {
                let (one, other) = race.choose(&mut random);
                let place = |it| ids.iter().position(|id| *id == it).unwrap();
                play(&mut sample, &elo, place(one), place(other), &mut random);
            }
        }
        panic!("it is not decided after 3024 pairs");
    }
}
