//! Responses in a large field, from the games nearby.

use nalgebra::DVector;

use super::adjacency::{Adjacency, SymmetricMatrix};
use super::likelihood::{Likelihood, Row};
use super::sandwich::{FOLLOWS, InfluenceSums, Response, Sandwich};
use super::subspace::Subspace;

/// Responses of ratings in a field so large that whole solutions for all engines take too long.
///
/// A rating depends on the games of its engine, a little on those of the opponents, and hardly on
/// others. The solution therefore grows from the engine until the rest is small. The pairs of the
/// engines themselves count one by one; the others, whose influence is small, as the model expects
/// them, with the dispersion of the whole field.
pub(super) struct Nearby<'a> {
    reach: Reach,
    likelihood: &'a Likelihood,
    sandwich: &'a Sandwich<'a>,
    matrix: SymmetricMatrix<'a>,
    /// The response of all parameters to every advantage.
    advantages: Vec<DVector<f64>>,
    /// The information of the games of each row about its lead.
    weights: Vec<f64>,
    dispersion: f64,
    /// The only anchor: other ratings are relative to it.
    anchor: Option<usize>,
    rows: Adjacency,
    pairs: Adjacency,
}

/// The engines that a solution reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reach {
    /// The engine's opponents only, whose own ratings count as known.
    Opponents,
    /// As many as matter.
    Field,
}

impl Reach {
    /// The part of a variance that is left to engines farther away.
    fn tolerance(self) -> f64 {
        match self {
            Reach::Opponents => f64::INFINITY,
            Reach::Field => 3e-3,
        }
    }
}

impl<'a> Nearby<'a> {
    /// With the only anchor, if there is one.
    pub(super) fn new(
        likelihood: &'a Likelihood,
        subspace: &'a Subspace,
        sandwich: &'a Sandwich<'a>,
        at: &DVector<f64>,
        anchor: Option<usize>,
        reach: Reach,
    ) -> Nearby<'a> {
        let (engines, parameters) = (likelihood.engines.len(), likelihood.parameters());
        let derivatives = likelihood.derivatives(at);
        let response_of = |place: usize| {
            let mut unit = DVector::zeros(parameters);
            unit[place] = 1.0;
            sandwich.curvature.solve(&subspace.project(&unit))
        };
        let rows: Vec<_> = likelihood.rows.iter().map(|row| (row.first, row.second)).collect();
        let pairs: Vec<_> = likelihood.pairs.iter().map(|pair| (pair.low, pair.high)).collect();
        Nearby {
            reach,
            matrix: likelihood.sparse_matrix(&derivatives),
            advantages: (engines..parameters).map(response_of).collect(),
            weights: derivatives.weights,
            dispersion: likelihood.dispersion(at),
            anchor,
            rows: Adjacency::new(engines, &rows),
            pairs: Adjacency::new(engines, &pairs),
            likelihood,
            sandwich,
        }
    }

    /// The response to a difference of ratings, or to a rating; `None` if that is constant.
    pub(super) fn response(&self, contrast: &DVector<f64>) -> Option<Response> {
        let engines = self.likelihood.engines.len();
        if contrast.rows(engines, contrast.len() - engines).amax() > 0.0 {
            return self.sandwich.response(contrast);
        }
        let mut target: Vec<(usize, f64)> =
            contrast.iter().copied().enumerate().filter(|(_, value)| *value != 0.0).collect();
        if let Some(anchor) = self.anchor {
            let sum: f64 = target.iter().map(|(_, value)| value).sum();
            match target.iter_mut().find(|(place, _)| *place == anchor) {
                Some((_, value)) => *value -= sum,
                None => target.push((anchor, -sum)),
            }
            target.retain(|(_, value)| *value != 0.0);
        }
        if target.is_empty() {
            return None;
        }
        let (solution, near) = self.matrix.solve_nearby(engines, &target, self.reach.tolerance());
        let mut coefficients = DVector::zeros(self.advantages.len());
        for &place in near.iter().filter(|_| !self.advantages.is_empty()) {
            // The advantages are last.
            for (to, entry) in self.matrix.of_last(place, engines) {
                coefficients[to - engines] -= entry * solution[place];
            }
        }
        let mut solution = DVector::from_vec(solution);
        if self.anchor.is_none() {
            // The mean is known, but the matrix has the prior relative to zero.
            let mean = solution.mean();
            solution.add_scalar_mut(-mean);
        }
        let of_prior = solution.norm_squared();
        let mut solution = solution.resize_vertically(contrast.len(), 0.0);
        for (response, coefficient) in self.advantages.iter().zip(coefficients.iter()) {
            solution.axpy(*coefficient, response, 1.0);
        }
        let value = |(place, value): &(usize, f64)| value * solution[*place];
        let model_variance: f64 = target.iter().map(value).sum();
        let rows = self.of_engines(&self.rows, &target);
        let of_row =
            |&row: &usize| self.weights[row] * self.likelihood.rows[row].lead(&solution).powi(2);
        let of_rows: f64 = rows.iter().map(of_row).sum();
        let of_prior = self.likelihood.prior_precision() * of_prior;
        let of_others = self.dispersion * (model_variance - of_rows - of_prior).max(0.0);
        let mut sums = InfluenceSums::default();
        for pair in self.of_engines(&self.pairs, &target) {
            sums.add(&self.sandwich.gradients[pair], &solution);
        }
        let influence = self.sandwich.influence(&sums, of_others, model_variance);
        let most = target.iter().map(|(place, _)| solution[*place].abs()).fold(0.0, f64::max);
        let follows = |row: &Row| row.lead(&solution).abs() >= FOLLOWS * most;
        let rows = rows.into_iter().filter(|&row| follows(&self.likelihood.rows[row])).collect();
        Some(Response { solution, model_variance, influence, rows })
    }

    /// The numbers of the edges at the engines of a target, each once.
    fn of_engines(&self, adjacency: &Adjacency, target: &[(usize, f64)]) -> Vec<usize> {
        let mut numbers: Vec<usize> =
            target.iter().flat_map(|(place, _)| adjacency.numbers(*place)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::curvature::tests::likelihood;
    use crate::fit::{subspace, unit};
    use crate::newton::maximise;

    #[test]
    fn responses_nearby_are_nearly_those_of_the_whole_field() {
        let likelihood = likelihood(300, 20);
        let engines = likelihood.engines.len();
        for anchored in [BTreeMap::new(), BTreeMap::from([(7, 100.0)])] {
            let subspace = subspace(&likelihood, &anchored);
            let start = DVector::zeros(likelihood.parameters());
            let at = maximise(&likelihood, &subspace, &start).point;
            let sandwich = Sandwich::new(&likelihood, &subspace, &at).unwrap();
            let anchor = anchored.keys().next().copied();
            let nearby = |reach| Nearby::new(&likelihood, &subspace, &sandwich, &at, anchor, reach);
            let (whole_field, quick) = (nearby(Reach::Field), nearby(Reach::Opponents));
            for contrast in [
                unit(&likelihood, 3),
                unit(&likelihood, 3) - unit(&likelihood, 200),
                unit(&likelihood, 7) - unit(&likelihood, 8),
                unit(&likelihood, engines),
            ] {
                let whole = sandwich.response(&contrast).unwrap();
                let near = whole_field.response(&contrast).unwrap();
                let ratio = near.model_variance / whole.model_variance;
                assert!((0.95..1.05).contains(&ratio), "{contrast}: {ratio}");
                let [one, other] = [&near, &whole].map(|it| it.influence.variance.unwrap());
                assert!((0.8..1.25).contains(&(one / other)), "{one} {other}");
                let ratio =
                    quick.response(&contrast).unwrap().model_variance / whole.model_variance;
                assert!((0.7..1.05).contains(&ratio), "{contrast}: {ratio}");
            }
            if let Some(anchor) = anchor {
                assert!(whole_field.response(&unit(&likelihood, anchor)).is_none());
            }
        }
    }
}
