//! Checks whether ratings explain the results: the points of every two engines against the points
//! that their ratings expect.
//!
//! Ratings put all engines on one line. If strengths are not transitive (a beats b, b beats c, c
//! beats a), no line fits, and some residuals are larger than luck explains.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::DVector;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, FisherSnedecor};

use super::adjacency::{Adjacency, SymmetricMatrix, conjugate_gradients};
use super::fit::Fit;
use super::groups::first_of_group;
use super::sample::Sample;
use super::score::expected_score;
use super::sparse::{Decomposition, Pattern};

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
    /// Every two engines that have met, in the order of the ranking; in a large field only the hundred
    /// pairings that fit worst.
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
    bernoulli_variance: f64,
}

impl Cell {
    /// The squares that remain after the cell's own mean.
    fn within(&self) -> f64 {
        (self.squares - self.residual.powi(2) / self.pairs).max(0.0)
    }

    /// The variance of the points. `dispersion` is the ratio of variance to `bernoulli_variance` in
    /// the whole field.
    fn variance(&self, dispersion: f64) -> f64 {
        let of_field = dispersion * self.bernoulli_variance / self.pairs;
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
                cell.bernoulli_variance += count * expected * (1.0 - expected);
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
    /// The places of both engines of every cell among the engines that played.
    places: Vec<[usize; 2]>,
    /// Whether an engine's rating is held, as only differences matter: that of the first engine of
    /// every connected group.
    is_held: Vec<bool>,
    /// The order of elimination; `None` if a decomposition would take too long.
    pattern: Option<Pattern>,
    adjacency: Adjacency,
    variances: Vec<f64>,
    degrees: usize,
    error_degrees: f64,
}

/// A matrix whose systems can be solved.
enum Solvable<'r> {
    Direct(Decomposition<'r>),
    Iterated(SymmetricMatrix<'r>),
}

impl Residuals<'_> {
    fn new(cells: &BTreeMap<(usize, usize), Cell>) -> Option<Residuals<'_>> {
        let engines: BTreeSet<usize> = cells.keys().flat_map(|&(low, high)| [low, high]).collect();
        let engines: Vec<usize> = engines.into_iter().collect();
        let place = |engine: usize| engines.binary_search(&engine).expect("every player is listed");
        let places: Vec<[usize; 2]> =
            cells.keys().map(|&(low, high)| [place(low), place(high)]).collect();
        let error_degrees: f64 = cells.values().map(|cell| cell.pairs - 1.0).sum();
        let toss: f64 =
            cells.values().map(|cell| cell.bernoulli_variance * (1.0 - 1.0 / cell.pairs)).sum();
        if error_degrees <= 0.0 || toss <= 0.0 {
            return None;
        }
        let dispersion = cells.values().map(Cell::within).sum::<f64>() / toss;
        let variances = cells.values().map(|cell| cell.variance(dispersion)).collect();
        let first = first_of_group(engines.len(), places.iter().copied());
        let is_held: Vec<bool> = first.iter().enumerate().map(|(it, first)| it == *first).collect();
        // A connected group of engines has one rating fewer than engines.
        let free = is_held.iter().filter(|held| !**held).count();
        let degrees = cells.len() - free;
        let edges: Vec<_> = places.iter().map(|&[one, other]| (one, other)).collect();
        let pattern = Pattern::within(engines.len(), &edges, MAX_OPERATIONS);
        let adjacency = Adjacency::new(engines.len(), &edges);
        Some(Residuals {
            cells,
            places,
            is_held,
            pattern,
            adjacency,
            variances,
            degrees,
            error_degrees,
        })
    }

    /// `Σ weight · a aᵀ` over the cells, where `a` is 1 for one engine and -1 for the other, with the
    /// held ratings taken out. `None` if a weight is too small to be told from zero.
    fn laplacian(&self, weight: impl Fn(usize, &Cell) -> f64) -> Option<Solvable<'_>> {
        let mut diagonal: Vec<f64> =
            self.is_held.iter().map(|held| f64::from(u8::from(*held))).collect();
        let mut off_diagonal = vec![0.0; self.cells.len()];
        for (number, (places, cell)) in self.places.iter().zip(self.cells.values()).enumerate() {
            let weight = weight(number, cell);
            for &place in places.iter().filter(|place| !self.is_held[**place]) {
                diagonal[place] += weight;
            }
            if !places.iter().any(|place| self.is_held[*place]) {
                off_diagonal[number] = -weight;
            }
        }
        match &self.pattern {
            Some(pattern) => pattern.decompose(&diagonal, &off_diagonal).map(Solvable::Direct),
            None => Some(Solvable::Iterated(self.adjacency.matrix(diagonal, &off_diagonal))),
        }
    }

    /// The solution of a system of equations in the ratings, with the held ratings at zero.
    fn solve(&self, matrix: &Solvable<'_>, mut right_side: DVector<f64>) -> DVector<f64> {
        for (value, _) in right_side.iter_mut().zip(&self.is_held).filter(|(_, held)| **held) {
            *value = 0.0;
        }
        let matrix = match matrix {
            Solvable::Direct(decomposition) => return decomposition.solve(&right_side),
            Solvable::Iterated(matrix) => matrix,
        };
        let precondition = |rest: &[f64]| {
            rest.iter().zip(&matrix.diagonal).map(|(rest, entry)| rest / entry).collect()
        };
        let times = |vector: &[f64]| matrix.times(vector);
        let target = right_side.as_slice().to_vec();
        DVector::from_vec(conjugate_gradients(target, TOLERANCE, times, precondition))
    }

    /// The variance of every residual: that of the points, less what the ratings take of it. In a
    /// large field the ratings of others are taken as known.
    fn residual_variances(&self, precision: &Solvable<'_>) -> Vec<f64> {
        let cells = self.cells.len();
        let is_small = |pattern: &Pattern| (pattern.entries() + cells) * cells <= MAX_EFFORT;
        let is_large = !self.pattern.as_ref().is_some_and(is_small);
        let weights = || self.cells.values().map(|cell| cell.bernoulli_variance);
        let mut of_engine = vec![0.0; self.is_held.len()];
        for (places, weight) in self.places.iter().zip(weights()) {
            places.iter().for_each(|&place| of_engine[place] += weight);
        }
        let dispersion = self.variances.iter().sum::<f64>() / weights().sum::<f64>();
        let of_cell = |((&[low, high], own), weight): ((&[usize; 2], &f64), f64)| {
            if is_large {
                let lead = of_engine[low].recip() + of_engine[high].recip();
                return own - 2.0 * weight * lead * own + weight.powi(2) * lead * dispersion;
            }
            let mut contrast = DVector::zeros(self.is_held.len());
            (contrast[low], contrast[high]) = (1.0, -1.0);
            let solution = self.solve(precision, contrast);
            let lead = |[one, other]: [usize; 2]| solution[one] - solution[other];
            let leverage = weight * lead([low, high]);
            let propagated: f64 = self
                .places
                .iter()
                .zip(&self.variances)
                .map(|(it, own)| own * lead(*it).powi(2))
                .sum();
            own - 2.0 * leverage * own + weight.powi(2) * propagated
        };
        self.places.iter().zip(&self.variances).zip(weights()).map(of_cell).collect()
    }

    fn check(&self, sample: &Sample, fit: &Fit) -> Option<FitCheck> {
        if self.degrees == 0 {
            return None;
        }
        // A change of ratings by β changes the residuals by -w (β_low - β_high), w = toss variance.
        let precision = self.laplacian(|_, cell| cell.bernoulli_variance)?;
        let rank: BTreeMap<&str, usize> =
            fit.engines.iter().enumerate().map(|(rank, it)| (&*it.engine, rank)).collect();
        let variances = self.residual_variances(&precision);
        let z_of = |(number, cell): (usize, &Cell)| {
            let is_judged = variances[number] > FREE * self.variances[number];
            is_judged.then(|| cell.residual / variances[number].sqrt())
        };
        let z: Vec<Option<f64>> = self.cells.values().enumerate().map(z_of).collect();
        let mut listed: Vec<usize> = (0..z.len()).collect();
        if self.is_held.len() > MAX_LISTED {
            let size = |number: usize| z[number].map_or(-1.0, f64::abs);
            listed.sort_by(|&one, &other| size(other).total_cmp(&size(one)));
            listed.truncate(WORST);
        }
        let cells: Vec<_> = self.cells.iter().collect();
        let mut pairings = Vec::new();
        for number in listed {
            let (&(low, high), cell) = cells[number];
            let z = z[number];
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
            |number: usize, cell: &Cell| cell.bernoulli_variance.powi(2) / self.variances[number];
        let mut gradient = DVector::zeros(self.is_held.len());
        let mut squares = 0.0;
        for (number, (&[low, high], cell)) in
            self.places.iter().zip(self.cells.values()).enumerate()
        {
            let weighted = cell.bernoulli_variance * cell.residual / self.variances[number];
            gradient[low] += weighted;
            gradient[high] -= weighted;
            squares += cell.residual.powi(2) / self.variances[number];
        }
        let change = self.solve(&self.laplacian(weight)?, gradient.clone());
        Some((squares - gradient.dot(&change)).max(0.0))
    }
}

/// The most operations of a decomposition, and of the variances of all residuals.
const MAX_OPERATIONS: usize = 100_000_000;
const MAX_EFFORT: usize = 1_000_000_000;
/// The part of a system's right side that an iterated solution leaves.
const TOLERANCE: f64 = 1e-7;
/// The largest field of which every pairing is listed, and the number listed of a larger one.
const MAX_LISTED: usize = 200;
const WORST: usize = 100;
/// The weight of the whole field's variation in that of a pairing, in pairs.
const PRIOR_PAIRS: f64 = 4.0;
/// The smallest variance of a pairing's points, half a point squared: results that are all alike
/// are not certain.
const MIN_VARIANCE: f64 = 0.25;
/// A residual whose variance is a smaller share of that of the points is determined by the fit.
const FREE: f64 = 1e-6;
