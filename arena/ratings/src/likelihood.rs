//! The likelihood of ratings and advantages for the results.

use nalgebra::{DMatrix, DVector};

use super::adjacency::{Adjacency, SymmetricMatrix};
use super::kind::Kind;
use super::options::Scope;
use super::sample::{PairGame, PairGames, Pairing, Sample};
use super::sparse::{Decomposition, Pattern};
use super::tally::Tally;

/// The log-likelihood (plus the log-density of the prior) as a function of one vector: the ratings
/// of the engines that played, in the order of their names, followed by the advantages of the kinds
/// that were played, all in log-odds.
///
/// It does not change if all ratings are shifted together, because the prior is also relative to
/// the mean. All fields depend only on the contents of the sample and not on the order of its
/// results, and so does everything computed from them.
#[derive(Clone, Debug)]
pub(super) struct Likelihood {
    /// The indices of the rated engines among the names of the sample.
    pub(super) engines: Vec<usize>,
    pub(super) kinds: Vec<Kind>,
    /// Games of the same kind and players, with the same player first.
    pub(super) rows: Vec<Row>,
    pub(super) pairs: Vec<Pair>,
    /// The reciprocal of the prior's variance; zero without a prior.
    prior_precision: f64,
    /// The order of elimination; `None` if a decomposition would take too long.
    pattern: Option<Pattern>,
    /// The couples of parameters that games connect.
    adjacency: Adjacency,
}

/// Equal games. Players and kind are given as indices of the parameter vector.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) first: usize,
    pub(super) second: usize,
    pub(super) advantage: usize,
    /// The results from the first player's view.
    pub(super) tally: Tally,
    /// The numbers of its edges between parameters: the players, and each with the advantage.
    edges: [usize; 3],
}

/// Pairs with equal contents.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) low: usize,
    pub(super) high: usize,
    pub(super) advantage: usize,
    games: PairGames,
    pub(super) count: f64,
}

/// The gradient of one pair's log-likelihood, by the parameters it depends on.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairGradient {
    /// The number of pairs with this gradient.
    pub(super) count: f64,
    pub(super) parts: [(usize, f64); 3],
}

impl PairGradient {
    /// The change of the pair's log-likelihood along a direction.
    pub(super) fn dot(&self, direction: &DVector<f64>) -> f64 {
        self.parts.iter().map(|(place, partial)| direction[*place] * partial).sum()
    }

    /// About the most that half a point changes along a direction.
    pub(super) fn of_half_a_point(&self, direction: &DVector<f64>) -> f64 {
        let [low, high, advantage] = self.parts.map(|(place, _)| direction[place]);
        0.5 * (low - high).abs().max(advantage.abs())
    }
}

/// The gradient and the curvature at one point.
pub(super) struct Derivatives {
    pub(super) gradient: DVector<f64>,
    /// The information of the games of each row about its lead.
    pub(super) weights: Vec<f64>,
}

impl Likelihood {
    pub(super) fn new(sample: &Sample, scope: Scope, prior_precision: f64) -> Likelihood {
        let contents: Vec<(Pairing, PairGames, u64)> = sample
            .pairs(scope)
            .map(|(pairing, games, count)| (pairing, games, count.of_new))
            .filter(|(.., count)| *count > 0)
            .collect();
        let engines =
            distinct(contents.iter().flat_map(|(pairing, ..)| [pairing.low, pairing.high]));
        let kinds = distinct(contents.iter().map(|(pairing, ..)| pairing.kind));
        let mut rows: Vec<([usize; 3], Tally)> = Vec::with_capacity(contents.len());
        let mut pairs = Vec::with_capacity(contents.len());
        for (pairing, games, count) in contents {
            let [low, high] = [pairing.low, pairing.high].map(|it| place_of(&engines, &it));
            let advantage = engines.len() + place_of(&kinds, &pairing.kind);
            for game in games.iter() {
                let (first, second) = if game.low_is_first { (low, high) } else { (high, low) };
                rows.push(([first, second, advantage], game.tally_of_first(count)));
            }
            pairs.push(Pair { low, high, advantage, games, count: count as f64 });
        }
        rows.sort_unstable_by_key(|(parameters, _)| *parameters);
        rows.dedup_by(|next, row| {
            let is_same = next.0 == row.0;
            row.1.add(if is_same { next.1 } else { Tally::default() });
            is_same
        });
        let edges_of = |&[first, second, advantage]: &[usize; 3]| {
            [(first.min(second), first.max(second)), (first, advantage), (second, advantage)]
        };
        let edges = distinct(rows.iter().flat_map(|(parameters, _)| edges_of(parameters)));
        let row = |(parameters, tally): ([usize; 3], Tally)| {
            let edges = edges_of(&parameters).map(|edge| place_of(&edges, &edge));
            let [first, second, advantage] = parameters;
            Row { first, second, advantage, tally, edges }
        };
        let parameters = engines.len() + kinds.len();
        Likelihood {
            rows: rows.into_iter().map(row).collect(),
            pairs,
            prior_precision,
            pattern: Pattern::within(parameters, &edges, MAX_OPERATIONS),
            adjacency: Adjacency::new(parameters, &edges),
            engines,
            kinds,
        }
    }

    /// The same results without a prior.
    pub(super) fn without_prior(&self) -> Likelihood {
        Likelihood { prior_precision: 0.0, ..self.clone() }
    }

    /// The number of parameters.
    pub(super) fn parameters(&self) -> usize {
        self.engines.len() + self.kinds.len()
    }

    pub(super) fn has_prior(&self) -> bool {
        self.prior_precision > 0.0
    }

    /// The logarithm of likelihood times prior, up to a constant.
    pub(super) fn value(&self, at: &DVector<f64>) -> f64 {
        let games: f64 = self
            .rows
            .iter()
            .map(|row| {
                let lead = row.lead(at);
                let (log_win, log_loss) = log_expected(lead);
                row.tally.points() * log_win + row.tally.conceded() * log_loss
            })
            .sum();
        games - 0.5 * self.prior_precision * self.centred(at).norm_squared()
    }

    pub(super) fn derivatives(&self, at: &DVector<f64>) -> Derivatives {
        let mut gradient = self.centred(at) * -self.prior_precision;
        let weight = |row: &Row| {
            let (win, loss) = expected(row.lead(at));
            let residual = row.tally.points() * loss - row.tally.conceded() * win;
            for (place, sign) in row.direction() {
                gradient[place] += sign * residual;
            }
            row.tally.games() as f64 * win * loss
        };
        Derivatives { weights: self.rows.iter().map(weight).collect(), gradient }
    }

    /// The negative Hessian.
    pub(super) fn information(&self, derivatives: &Derivatives) -> DMatrix<f64> {
        let mut information = self.prior_information();
        for (row, weight) in self.rows.iter().zip(&derivatives.weights) {
            let direction = row.direction();
            for (place, sign) in direction {
                for (other, other_sign) in direction {
                    information[(place, other)] += sign * other_sign * weight;
                }
            }
        }
        information
    }

    /// The negative Hessian, but with the prior as if it were relative to zero and not to the mean
    /// of the ratings: that is sparse. Its diagonal, and the entries of the edges.
    fn sparse_information(&self, derivatives: &Derivatives) -> (Vec<f64>, Vec<f64>) {
        let mut diagonal = vec![self.prior_precision; self.parameters()];
        let mut off_diagonal = vec![0.0; self.adjacency.edges()];
        for (row, weight) in self.rows.iter().zip(&derivatives.weights) {
            row.direction().iter().for_each(|(place, _)| diagonal[*place] += weight);
            for (edge, sign) in row.edges.iter().zip([-1.0, 1.0, -1.0]) {
                off_diagonal[*edge] += sign * weight;
            }
        }
        (diagonal, off_diagonal)
    }

    /// The decomposition of the sparse information. `None` without a prior, and if it would take too
    /// long.
    pub(super) fn decompose(&self, derivatives: &Derivatives) -> Option<Decomposition<'_>> {
        let pattern = self.pattern.as_ref().filter(|_| self.has_prior())?;
        let (diagonal, off_diagonal) = self.sparse_information(derivatives);
        pattern.decompose(&diagonal, &off_diagonal)
    }

    /// The sparse information by rows.
    pub(super) fn sparse_matrix(&self, derivatives: &Derivatives) -> SymmetricMatrix<'_> {
        let (diagonal, off_diagonal) = self.sparse_information(derivatives);
        self.adjacency.matrix(diagonal, &off_diagonal)
    }

    /// Whether the information can be decomposed in a short time.
    pub(super) fn is_direct(&self) -> bool {
        self.pattern.is_some()
    }

    /// The operations that a solution and a sum over all rows and pairs take; `None` where solutions
    /// are iterated.
    pub(super) fn effort(&self) -> Option<usize> {
        let entries = self.pattern.as_ref()?.entries();
        Some(2 * entries + self.rows.len() + self.pairs.len())
    }

    /// The reciprocal of the prior's variance; zero without a prior.
    pub(super) fn prior_precision(&self) -> f64 {
        self.prior_precision
    }

    /// The gradient of every pair's part of the log-likelihood.
    pub(super) fn pair_gradients(&self, at: &DVector<f64>) -> Vec<PairGradient> {
        self.pairs
            .iter()
            .map(|pair| PairGradient { count: pair.count, parts: pair.gradient(at) })
            .collect()
    }

    /// The variance of the residuals of pairs relative to that of independent games. Few pairs count
    /// for little.
    pub(super) fn dispersion(&self, at: &DVector<f64>) -> f64 {
        let (mut squares, mut expected) = (0.0, 0.0);
        for (pair, gradient) in self.pairs.iter().zip(self.pair_gradients(at)) {
            let [(_, residual), ..] = gradient.parts;
            squares += gradient.count * residual.powi(2);
            expected += gradient.count * pair.bernoulli_variance(at);
        }
        let mean = expected / self.number_of_pairs().max(1.0);
        let independent = INDEPENDENT_PAIRS * mean;
        if expected > 0.0 { (squares + independent) / (expected + independent) } else { 1.0 }
    }

    /// The number of pairs; a game without a partner counts as a pair.
    pub(super) fn number_of_pairs(&self) -> f64 {
        self.pairs.iter().map(|pair| pair.count).sum()
    }

    /// The results behind each parameter: an engine's games, or the first players' games of a kind.
    pub(super) fn tallies(&self) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); self.parameters()];
        for row in &self.rows {
            tallies[row.first].add(row.tally);
            tallies[row.second].add(row.tally.reversed());
            tallies[row.advantage].add(row.tally);
        }
        tallies
    }

    /// The ratings relative to their mean, and the advantages.
    fn centred(&self, at: &DVector<f64>) -> DVector<f64> {
        let engines = self.engines.len();
        let mut at = at.clone();
        if engines > 0 {
            let mean = at.rows(0, engines).mean();
            at.rows_mut(0, engines).add_scalar_mut(-mean);
        }
        at
    }

    fn prior_information(&self) -> DMatrix<f64> {
        let engines = self.engines.len();
        let mut information =
            DMatrix::identity(self.parameters(), self.parameters()) * self.prior_precision;
        information
            .view_mut((0, 0), (engines, engines))
            .add_scalar_mut(-self.prior_precision / engines.max(1) as f64);
        information
    }
}

impl Row {
    /// The lead of the first player, including its advantage; of a direction, its change.
    pub(super) fn lead(&self, at: &DVector<f64>) -> f64 {
        at[self.first] - at[self.second] + at[self.advantage]
    }

    /// The parameters of the lead, with their signs.
    pub(super) fn direction(&self) -> [(usize, f64); 3] {
        [(self.first, 1.0), (self.second, -1.0), (self.advantage, 1.0)]
    }
}

/// The weight of the assumption that games are independent, in pairs.
const INDEPENDENT_PAIRS: f64 = 20.0;

impl Pair {
    /// The variance of the points if games were independent tosses.
    fn bernoulli_variance(&self, at: &DVector<f64>) -> f64 {
        let variance = |game: PairGame| {
            let side = if game.low_is_first { 1.0 } else { -1.0 };
            let (win, loss) = expected(side * (at[self.low] - at[self.high]) + at[self.advantage]);
            win * loss
        };
        self.games.iter().map(variance).sum()
    }

    fn gradient(&self, at: &DVector<f64>) -> [(usize, f64); 3] {
        let (mut by_low, mut by_advantage) = (0.0, 0.0);
        for PairGame { low_is_first, score } in self.games.iter() {
            let side = if low_is_first { 1.0 } else { -1.0 };
            let lead = side * (at[self.low] - at[self.high]) + at[self.advantage];
            let points = score as u8 as f64 / 2.0;
            let (win, loss) = expected(lead);
            let residual = points * loss - (1.0 - points) * win;
            by_low += side * residual;
            by_advantage += residual;
        }
        [(self.low, by_low), (self.high, -by_low), (self.advantage, by_advantage)]
    }
}

/// The expected scores of both players, given the lead of the first in log-odds.
pub(super) fn expected(lead: f64) -> (f64, f64) {
    let odds = (-lead.abs()).exp();
    let (strong, weak) = (1.0 / (1.0 + odds), odds / (1.0 + odds));
    if lead >= 0.0 { (strong, weak) } else { (weak, strong) }
}

/// The logarithms of the expected scores, exact also near 0 and 1.
pub(super) fn log_expected(lead: f64) -> (f64, f64) {
    let strong = -(-lead.abs()).exp().ln_1p();
    let weak = strong - lead.abs();
    if lead >= 0.0 { (strong, weak) } else { (weak, strong) }
}

/// The distinct values in order.
fn distinct<T: Ord>(things: impl Iterator<Item = T>) -> Vec<T> {
    let mut things: Vec<T> = things.collect();
    things.sort_unstable();
    things.dedup();
    things
}

/// The index of one of the distinct values.
fn place_of<T: Ord>(things: &[T], thing: &T) -> usize {
    things.binary_search(thing).expect("every value is listed")
}

/// The most operations of a decomposition, about a tenth of a second.
const MAX_OPERATIONS: usize = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{PairKey, Score, ScoredGame};

    #[test]
    fn gradient_and_information_match_the_value() {
        let mut sample = Sample::new(["a", "b", "c"]).unwrap();
        let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
        for (pair, (first, second, score)) in
            [(0, 1, Score::Win), (1, 2, Score::Draw), (2, 0, Score::Loss), (0, 2, Score::Draw)]
                .into_iter()
                .enumerate()
        {
            let kind = Kind::ALL[pair % 2];
            let (first, second, pair) = (ids[first], ids[second], PairKey(pair as u64));
            sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
        }
        let likelihood = Likelihood::new(&sample, Scope::All, 0.3);
        let at = DVector::from_vec(vec![0.3, -0.8, 1.9, 0.2, -0.6]);
        let derivatives = likelihood.derivatives(&at);
        let step = 1e-5;
        for place in 0..likelihood.parameters() {
            let (mut above, mut below) = (at.clone(), at.clone());
            above[place] += step;
            below[place] -= step;
            let derivative = (likelihood.value(&above) - likelihood.value(&below)) / (2.0 * step);
            assert!((derivative - derivatives.gradient[place]).abs() < 1e-8);
            let hessian_column = (likelihood.derivatives(&below).gradient
                - likelihood.derivatives(&above).gradient)
                / (2.0 * step);
            assert!(
                (hessian_column - likelihood.information(&derivatives).column(place)).amax() < 1e-8
            );
        }
    }

    #[test]
    fn expected_scores_are_stable_for_large_leads() {
        assert_eq!(expected(-2000.0), (0.0, 1.0));
        assert_eq!(expected(2000.0), (1.0, 0.0));
        assert_eq!(log_expected(-2000.0), (-2000.0, 0.0));
        assert_eq!(log_expected(2000.0), (0.0, -2000.0));
        let even = -std::f64::consts::LN_2;
        assert!((log_expected(0.0).0 - even).abs() < 1e-15);
        assert_eq!(log_expected(0.0).0, log_expected(0.0).1);
    }
}
