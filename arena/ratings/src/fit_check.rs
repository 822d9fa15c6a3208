//! Checks whether ratings explain the results: the points of every two engines against the points
//! that their ratings expect.
//!
//! Ratings put all engines on one line. If strengths are not transitive (a beats b, b beats c, c
//! beats a), no line fits, and some residuals are larger than luck explains.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, DVector};
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::fit::Fit;
use super::sample::Sample;
use super::score::expected_score;

/// The points of two engines against each other, and what their ratings expect.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairingCheck {
    /// The engine with the higher rank.
    pub engine: String,
    /// The engine with the lower rank.
    pub opponent: String,
    /// The number of games, without repeated pairs.
    pub games: u64,
    /// The points of `engine`.
    pub points: f64,
    /// The points that the ratings expect.
    pub expected: f64,
    /// The difference in standard deviations; `None` if these games alone determine the difference
    /// of the two ratings, so that they cannot contradict it.
    pub z: Option<f64>,
}

/// The check of a fit as a whole.
///
/// The residuals of a wrong fit are large together, so the test of the whole finds what no single
/// pairing shows. It is the F test for lack of fit with pure error (Fisher 1922; Draper and Smith,
/// "Applied Regression Analysis", chapter 2): the weighted squares of the residuals that no other
/// ratings would remove, against the variation between the pairs of games of the same two engines.
/// The variation is that of pairs, so that draws and the dependence between the two games of a pair
/// are accounted for. That of a pairing with few pairs is shrunk towards the variation in the whole
/// field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FitCheck {
    /// Every two engines that have met, in the order of the ranking.
    pub pairings: Vec<PairingCheck>,
    /// The F statistic; about 1 if the ratings explain the results.
    pub statistic: f64,
    /// Its degrees of freedom: the pairings beyond those that determine the ratings.
    pub degrees: u64,
    /// The degrees of freedom of the variation: the pairs of games beyond one per pairing.
    pub error_degrees: u64,
    /// The probability of such a large statistic if the ratings explain the results.
    pub p: f64,
}

/// The results of two engines, from the view of the one with the lower index.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    pairs: f64,
    games: f64,
    points: f64,
    residual: f64,
    /// The sum over pairs of the squared residual.
    squares: f64,
    /// The variance of the points if every game were an independent toss.
    toss_variance: f64,
}

impl Cell {
    /// The squares that remain after the cell's own mean.
    fn within(&self) -> f64 {
        (self.squares - self.residual.powi(2) / self.pairs).max(0.0)
    }

    /// The variance of the points. `dispersion` is the ratio of variance to `toss_variance` in the
    /// whole field.
    fn variance(&self, dispersion: f64) -> f64 {
        let of_field = dispersion * self.toss_variance / self.pairs;
        let of_pair = (self.within() + PRIOR_PAIRS * of_field) / (self.pairs - 1.0 + PRIOR_PAIRS);
        (self.pairs * of_pair).max(MIN_VARIANCE)
    }
}

impl FitCheck {
    /// Checks the ratings of a sample. `None` if every pairing is needed to determine the ratings,
    /// so that nothing is left to check, if no two engines have two pairs, or without a prior if a
    /// rating is unbounded.
    pub fn new(sample: &Sample, fit: &Fit) -> Option<FitCheck> {
        let elo: BTreeMap<&str, f64> =
            fit.engines.iter().filter_map(|it| Some((&*it.engine, it.estimate.elo?))).collect();
        let advantage: BTreeMap<_, f64> =
            fit.advantages.iter().filter_map(|it| Some((it.kind, it.estimate.elo?))).collect();
        let mut cells: BTreeMap<(usize, usize), Cell> = BTreeMap::new();
        for (pairing, games, count) in sample.pairs(fit.scope) {
            let count = count.of_new as f64;
            if count == 0.0 {
                continue;
            }
            let lead = elo.get(sample.name(pairing.low))? - elo.get(sample.name(pairing.high))?;
            let first = advantage.get(&pairing.kind)?;
            let cell = cells.entry((pairing.low, pairing.high)).or_default();
            let mut residual = 0.0;
            for game in games.iter() {
                let side = if game.low_is_first { 1.0 } else { -1.0 };
                let expected = expected_score(lead + side * first);
                let of_first = f64::from(game.score as u8) / 2.0;
                let points = if game.low_is_first { of_first } else { 1.0 - of_first };
                residual += points - expected;
                cell.games += count;
                cell.points += count * points;
                cell.toss_variance += count * expected * (1.0 - expected);
            }
            cell.pairs += count;
            cell.residual += count * residual;
            cell.squares += count * residual.powi(2);
        }
        Residuals::new(&cells)?.check(sample, fit)
    }

    /// The pairing that fits worst, if any can be judged.
    pub fn worst(&self) -> Option<&PairingCheck> {
        let judged = self.pairings.iter().filter_map(|pairing| Some((pairing.z?.abs(), pairing)));
        judged.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, pairing)| pairing)
    }
}

/// The residuals with the regression on the ratings.
struct Residuals<'c> {
    cells: &'c BTreeMap<(usize, usize), Cell>,
    /// The engines that played, as indices of the sample.
    engines: Vec<usize>,
    variances: Vec<f64>,
    degrees: usize,
    error_degrees: f64,
}

impl Residuals<'_> {
    fn new(cells: &BTreeMap<(usize, usize), Cell>) -> Option<Residuals<'_>> {
        let engines: BTreeSet<usize> = cells.keys().flat_map(|&(low, high)| [low, high]).collect();
        let engines: Vec<usize> = engines.into_iter().collect();
        let error_degrees: f64 = cells.values().map(|cell| cell.pairs - 1.0).sum();
        let toss: f64 =
            cells.values().map(|cell| cell.toss_variance * (1.0 - 1.0 / cell.pairs)).sum();
        if error_degrees <= 0.0 || toss <= 0.0 {
            return None;
        }
        let dispersion = cells.values().map(Cell::within).sum::<f64>() / toss;
        let variances = cells.values().map(|cell| cell.variance(dispersion)).collect();
        // A connected group of engines has one rating fewer than engines.
        let free = engines.len() - groups(cells, &engines);
        let degrees = cells.len() - free;
        Some(Residuals { cells, engines, variances, degrees, error_degrees })
    }

    fn place(&self, engine: usize) -> usize {
        self.engines.binary_search(&engine).expect("every player is listed")
    }

    /// `Σ weight · a aᵀ` over the cells, where `a` is 1 for one engine and -1 for the other.
    fn laplacian(&self, weight: impl Fn(usize, &Cell) -> f64) -> DMatrix<f64> {
        let mut sum = DMatrix::zeros(self.engines.len(), self.engines.len());
        for (number, (&(low, high), cell)) in self.cells.iter().enumerate() {
            let (low, high, weight) = (self.place(low), self.place(high), weight(number, cell));
            sum[(low, low)] += weight;
            sum[(high, high)] += weight;
            sum[(low, high)] -= weight;
            sum[(high, low)] -= weight;
        }
        sum
    }

    fn check(&self, sample: &Sample, fit: &Fit) -> Option<FitCheck> {
        if self.degrees == 0 {
            return None;
        }
        // A change of ratings by β changes the residuals by -w (β_low - β_high), w = toss variance.
        let precision = inverse(self.laplacian(|_, cell| cell.toss_variance))?;
        let scatter = self.laplacian(|number, _| self.variances[number]);
        let spread = &precision * scatter * &precision;
        let contrast = |matrix: &DMatrix<f64>, low: usize, high: usize| {
            matrix[(low, low)] + matrix[(high, high)] - 2.0 * matrix[(low, high)]
        };
        let rank: BTreeMap<&str, usize> =
            fit.engines.iter().enumerate().map(|(rank, it)| (&*it.engine, rank)).collect();
        let mut pairings = Vec::new();
        for (number, (&(low, high), cell)) in self.cells.iter().enumerate() {
            let (of_low, of_high) = (self.place(low), self.place(high));
            let (own, weight) = (self.variances[number], cell.toss_variance);
            let lever = weight * contrast(&precision, of_low, of_high);
            let variance =
                own - 2.0 * lever * own + weight.powi(2) * contrast(&spread, of_low, of_high);
            let z = (variance > FREE * own).then(|| cell.residual / variance.sqrt());
            let (engine, opponent) = (sample.name(low), sample.name(high));
            let is_ahead = rank.get(engine) < rank.get(opponent);
            let turned = |points: f64| if is_ahead { points } else { cell.games - points };
            let (engine, opponent) = if is_ahead { (engine, opponent) } else { (opponent, engine) };
            pairings.push(PairingCheck {
                engine: engine.to_owned(),
                opponent: opponent.to_owned(),
                games: cell.games as u64,
                points: turned(cell.points),
                expected: turned(cell.points - cell.residual),
                z: z.map(|z| if is_ahead { z } else { -z }),
            });
        }
        let key =
            |pairing: &PairingCheck| [&*pairing.engine, &*pairing.opponent].map(|it| rank[it]);
        pairings.sort_by_key(key);
        let statistic = self.least_squares()? / self.degrees as f64;
        let distribution = FisherSnedecor::new(self.degrees as f64, self.error_degrees).ok()?;
        Some(FitCheck {
            pairings,
            statistic,
            degrees: self.degrees as u64,
            error_degrees: self.error_degrees as u64,
            p: distribution.sf(statistic),
        })
    }

    /// The weighted squares of the residuals under the ratings that make them smallest.
    fn least_squares(&self) -> Option<f64> {
        let weight =
            |number: usize, cell: &Cell| cell.toss_variance.powi(2) / self.variances[number];
        let mut towards = DVector::zeros(self.engines.len());
        let mut squares = 0.0;
        for (number, (&(low, high), cell)) in self.cells.iter().enumerate() {
            let pull = cell.toss_variance * cell.residual / self.variances[number];
            towards[self.place(low)] += pull;
            towards[self.place(high)] -= pull;
            squares += cell.residual.powi(2) / self.variances[number];
        }
        let change = inverse(self.laplacian(weight))? * &towards;
        Some((squares - towards.dot(&change)).max(0.0))
    }
}

/// The inverse of a positive semidefinite matrix where it is not flat.
fn inverse(matrix: DMatrix<f64>) -> Option<DMatrix<f64>> {
    let scale = matrix.diagonal().amax();
    (scale > 0.0).then(|| matrix.pseudo_inverse(1e-9 * scale).ok()).flatten()
}

/// The number of groups of engines that no game connects.
fn groups(cells: &BTreeMap<(usize, usize), Cell>, engines: &[usize]) -> usize {
    let mut group: BTreeMap<usize, usize> =
        engines.iter().map(|&engine| (engine, engine)).collect();
    for (low, high) in cells.keys() {
        let (one, other) = (group[low], group[high]);
        group.values_mut().filter(|it| **it == other).for_each(|it| *it = one);
    }
    group.values().collect::<BTreeSet<_>>().len()
}

/// The weight of the whole field's variation in that of a pairing, in pairs.
const PRIOR_PAIRS: f64 = 4.0;
/// The smallest variance of a pairing's points, half a point squared: results that are all alike
/// are not certain.
const MIN_VARIANCE: f64 = 0.25;
/// A residual whose variance is a smaller share of that of the points is determined by the fit.
const FREE: f64 = 1e-6;
