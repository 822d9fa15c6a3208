//! Quantities that the results leave unbounded, or that only the prior bounds.
//!
//! Without a prior the likelihood can increase, or stay constant, without end: for example, all
//! ratings of a group that never lost a point to others can increase together. Such directions form
//! a cone, the directions of recession (Geyer 2009, "Likelihood inference in exponential families
//! and directions of recession"). A quantity is unbounded above exactly if some direction of the
//! cone increases it.

use nalgebra::{DMatrix, DVector};

use super::likelihood::Likelihood;
use super::newton::{Optimum, maximise};
use super::subspace::{FLAT, Subspace};

/// The directions that the results do not bound: the span of the cone of recession, also with a
/// prior. A quantity in this span is bounded only by a prior. Its residuals vanish and the pairs
/// show no variance, however uncertain the quantity is.
#[derive(Clone, Debug)]
pub(super) struct UnboundedDirections {
    /// Orthonormal directions.
    directions: Vec<DVector<f64>>,
}

impl UnboundedDirections {
    /// Maximises from an optimum without the prior. In the limit, a game in which only one side
    /// scored carries no information if a direction of the cone favours that side. The directions
    /// in which the information vanishes are therefore the span of the cone (Geyer 2009, theorem
    /// 3).
    pub(super) fn new(
        likelihood: &Likelihood,
        subspace: &Subspace,
        optimum: &Optimum,
    ) -> UnboundedDirections {
        if subspace.dimension() == 0 {
            return UnboundedDirections { directions: Vec::new() };
        }
        let free = likelihood.without_prior();
        let limit = maximise(&free, subspace, &optimum.point);
        let information = free.information(&free.derivatives(&limit.point));
        UnboundedDirections { directions: subspace.null_space(&information) }
    }

    /// Whether all quantities are bounded by the results.
    pub(super) fn is_empty(&self) -> bool {
        self.directions.is_empty()
    }

    /// Whether the results leave `contrast · parameters` unbounded.
    pub(super) fn includes(&self, contrast: &DVector<f64>) -> bool {
        let unbounded =
            |direction: &DVector<f64>| direction.dot(contrast).abs() > NEAR * contrast.norm();
        self.directions.iter().any(unbounded)
    }
}

/// Whether the results certainly bound every advantage; in a field that is not split they then bound
/// everything.
///
/// If an advantage could grow without end, so could the strengths that outweigh it: there would be a
/// value for every engine that grows by at most one from a scorer, first, to its opponent, and falls by
/// at least one if the scorer was second. There is none exactly if the steps sum to less than zero in
/// some cycle of engines, each of which scored against the next (Bellman 1958, "On a routing
/// problem"). Such a cycle is short, or none is found.
pub(super) fn advantages_are_bounded(likelihood: &Likelihood) -> bool {
    let engines = likelihood.engines.len();
    (engines..likelihood.parameters()).all(|advantage| {
        let rows = likelihood.rows.iter().filter(|row| row.advantage == advantage);
        let mut scored: Vec<(usize, usize, i64)> = Vec::new();
        for row in rows {
            scored.extend((row.tally.points() > 0.0).then_some((row.first, row.second, 1)));
            scored.extend((row.tally.conceded() > 0.0).then_some((row.second, row.first, -1)));
        }
        [1, -1].into_iter().all(|sign| has_negative_cycle(engines, &scored, sign))
    })
}

/// Whether the steps, each times `sign`, sum to less than zero in some cycle.
fn has_negative_cycle(engines: usize, steps: &[(usize, usize, i64)], sign: i64) -> bool {
    let mut values = vec![0; engines];
    let mut predecessor: Vec<Option<usize>> = vec![None; engines];
    for _ in 0..MAX_PASSES {
        let mut changed = false;
        for &(from, to, step) in steps {
            let value = values[from] + sign * step;
            if value < values[to] {
                (values[to], predecessor[to], changed) = (value, Some(from), true);
            }
        }
        if !changed {
            return false;
        }
        if has_cycle(&predecessor) {
            return true;
        }
    }
    false
}

/// Whether going back from some node leads to it again.
fn has_cycle(predecessor: &[Option<usize>]) -> bool {
    // The walk, from 1, in which a node was visited.
    let mut visited = vec![0; predecessor.len()];
    (0..predecessor.len()).any(|start| {
        let mut at = start;
        while visited[at] == 0 {
            visited[at] = start + 1;
            match predecessor[at] {
                Some(next) => at = next,
                None => return false,
            }
        }
        visited[at] == start + 1
    })
}

/// The most passes over all steps.
const MAX_PASSES: usize = 50;

/// The cone of directions in which the likelihood never decreases.
#[derive(Clone, Debug)]
pub(super) struct RecessionCone {
    /// The directions that do not change the expected score between players who both scored.
    level: DMatrix<f64>,
    /// For games in which only one player scored: the directions that increase that player's
    /// expected score. Columns of length one, within `level`. Directions of the cone do not
    /// decrease any of them.
    sweeps: DMatrix<f64>,
}

impl RecessionCone {
    /// The cone within the subspace; `None` if it is known to be only the origin.
    pub(super) fn new(likelihood: &Likelihood, subspace: &Subspace) -> Option<RecessionCone> {
        if likelihood.has_prior() || subspace.dimension() == 0 {
            return None;
        }
        let parameters = likelihood.parameters();
        let mut contested = DMatrix::zeros(parameters, parameters);
        let mut swept = Vec::new();
        for row in &likelihood.rows {
            let mut direction = DVector::zeros(parameters);
            for (place, sign) in row.direction() {
                direction[place] = sign;
            }
            let direction = subspace.project(&direction);
            if row.tally.conceded() == 0.0 {
                swept.push(direction);
            } else if row.tally.points() == 0.0 {
                swept.push(-direction);
            } else {
                contested += &direction * direction.transpose();
            }
        }
        let level = subspace.null_space(&contested);
        if level.is_empty() {
            return None;
        }
        let level = DMatrix::from_columns(&level);
        let mut sweeps: Vec<DVector<f64>> = Vec::new();
        for direction in swept {
            let sweep = level.tr_mul(&direction);
            let length = sweep.norm();
            let sweep = sweep / length;
            if length > FLAT && !sweeps.iter().any(|known| (known - &sweep).amax() < FLAT) {
                sweeps.push(sweep);
            }
        }
        let sweeps = if sweeps.is_empty() {
            DMatrix::zeros(level.ncols(), 0)
        } else {
            DMatrix::from_columns(&sweeps)
        };
        Some(RecessionCone { level, sweeps })
    }

    /// Whether some direction of the cone increases `contrast · parameters`.
    ///
    /// None does exactly if the negative contrast is a sum of sweeps with non-negative weights
    /// (Farkas' lemma). The nearest such sum is found with the active-set method of Lawson and
    /// Hanson (1974, "Solving Least Squares Problems", chapter 23).
    pub(super) fn increases(&self, contrast: &DVector<f64>) -> bool {
        let target = -self.level.tr_mul(contrast);
        let length = target.norm();
        if length <= FLAT * contrast.norm() {
            return false;
        }
        let distance = distance_to_cone(&self.sweeps, &(target / length));
        distance > NEAR
    }

    /// Whether some direction of the cone decreases it.
    pub(super) fn decreases(&self, contrast: &DVector<f64>) -> bool {
        self.increases(&-contrast)
    }
}

/// The distance of `target` from the sums of columns with non-negative weights.
fn distance_to_cone(columns: &DMatrix<f64>, target: &DVector<f64>) -> f64 {
    let mut active: Vec<usize> = Vec::new();
    let mut weights = DVector::zeros(columns.ncols());
    let mut residual = target.clone();
    for _ in 0..3 * (columns.nrows() + columns.ncols()) {
        let gradient = columns.tr_mul(&residual);
        let strongest = (0..columns.ncols())
            .filter(|column| !active.contains(column))
            .max_by(|&one, &other| gradient[one].total_cmp(&gradient[other]));
        match strongest {
            Some(column) if gradient[column] > NEAR * NEAR => active.push(column),
            _ => break,
        }
        loop {
            let chosen = columns.select_columns(&active);
            // The columns are independent except for rounding, which the threshold removes.
            let Ok(best) = chosen.svd(true, true).solve(target, FLAT) else {
                return residual.norm();
            };
            let blocked = active
                .iter()
                .zip(best.iter())
                .filter(|(_, best)| **best <= 0.0)
                .map(|(&column, best)| weights[column] / (weights[column] - best))
                .min_by(f64::total_cmp);
            let part = blocked.filter(|part| part.is_finite()).unwrap_or(1.0);
            for (&column, best) in active.iter().zip(best.iter()) {
                weights[column] += part * (best - weights[column]);
            }
            let before = active.len();
            active.retain(|&column| weights[column] > FLAT);
            if active.len() == before {
                break;
            }
            for column in 0..weights.len() {
                if !active.contains(&column) {
                    weights[column] = 0.0;
                }
            }
            if active.is_empty() {
                break;
            }
        }
        residual = target - columns * &weights;
        if residual.norm() <= NEAR {
            break;
        }
    }
    residual.norm()
}

/// Distances are either zero or of the order of one; this distinguishes them.
const NEAR: f64 = 1e-6;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::{PairKey, Sample, Scope, Score, ScoredGame};

    /// Games by the first and the second engine and the score of the first.
    fn likelihood(games: &[(usize, usize, Score)]) -> Likelihood {
        let mut sample = Sample::new(["a", "b", "c"]).unwrap();
        let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
        for (&(first, second, score), pair) in games.iter().zip(0..) {
            let (first, second, pair) = (ids[first], ids[second], PairKey(pair));
            sample.push(ScoredGame { first, second, kind: Kind::Riatra, score, pair }).unwrap();
        }
        Likelihood::new(&sample, Scope::All, 0.03)
    }

    #[test]
    fn an_advantage_is_bounded_by_cycles_that_it_would_break() {
        use Score::{Draw, Loss, Win};
        for (is_bounded, games) in [
            // The first player always wins.
            (false, vec![(0, 1, Win), (1, 0, Win)]),
            // The same engine is always first, so that its strength could outweigh everything.
            (false, vec![(0, 1, Win), (0, 1, Loss), (0, 1, Draw)]),
            (true, vec![(0, 1, Draw), (1, 0, Draw)]),
            (true, vec![(0, 1, Win), (1, 0, Win), (0, 1, Loss), (1, 0, Loss)]),
            // In a cycle of three each is first once.
            (true, vec![(0, 1, Draw), (1, 2, Draw), (2, 0, Draw)]),
            (false, vec![(0, 1, Win), (1, 2, Draw), (2, 0, Draw)]),
        ] {
            assert_eq!(advantages_are_bounded(&likelihood(&games)), is_bounded, "{games:?}");
        }
    }

    #[test]
    fn the_distance_to_a_quadrant_is_exact() {
        let quadrant = DMatrix::from_row_slice(2, 3, &[1.0, 0.0, 0.6, 0.0, 1.0, 0.8]);
        let distance = |x, y| distance_to_cone(&quadrant, &DVector::from_vec(vec![x, y]));
        assert!(distance(0.3, 0.9) < 1e-9);
        assert!((distance(-0.8, 0.6) - 0.8).abs() < 1e-9);
        assert!((distance(-0.6, -0.8) - 1.0).abs() < 1e-9);
        assert!(
            (distance_to_cone(&DMatrix::zeros(2, 0), &DVector::from_vec(vec![0.6, 0.8])) - 1.0)
                .abs()
                < 1e-9
        );
    }
}
