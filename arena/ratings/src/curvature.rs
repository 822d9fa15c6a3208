//! The curvature of the likelihood within a subspace.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, LU};

use super::adjacency::{SymmetricMatrix, conjugate_gradients};
use super::likelihood::{Derivatives, Likelihood};
use super::sparse::Decomposition;
use super::subspace::{FLAT, Subspace};

/// The negative Hessian of a likelihood, restricted to a subspace and decomposed.
#[derive(Clone, Debug)]
pub(super) enum Curvature<'l> {
    /// With a prior.
    Sparse(Bordered<'l>),
    /// With a prior, where a decomposition would take too long.
    Iterated(Iterated<'l>),
    /// Without one, where some directions may be flat.
    Dense(Cholesky<f64, Dyn>),
}

/// A sparse matrix within a subspace, whose systems are solved by iteration.
#[derive(Clone, Debug)]
pub(super) struct Iterated<'l> {
    matrix: SymmetricMatrix<'l>,
    subspace: Subspace,
    /// The number of ratings, to whose mean the prior is relative.
    engines: usize,
    prior_precision: f64,
}

/// A sparse matrix with a few dense rows and columns around it: the normals of the subspace, and,
/// unless it holds the mean, the direction of the mean, to which the prior is relative.
#[derive(Clone, Debug)]
pub(super) struct Bordered<'l> {
    inner: Decomposition<'l>,
    border: DMatrix<f64>,
    /// The solutions of the inner matrix for the border.
    solved: DMatrix<f64>,
    /// The Schur complement of the inner matrix.
    schur: LU<f64, Dyn, Dyn>,
}

impl<'l> Curvature<'l> {
    /// `None` only if the matrix is not positive semidefinite in the subspace.
    pub(super) fn new(
        likelihood: &'l Likelihood,
        subspace: &Subspace,
        derivatives: &Derivatives,
    ) -> Option<Curvature<'l>> {
        if !likelihood.has_prior() {
            let dense = subspace.decompose(&likelihood.information(derivatives));
            return dense.map(Curvature::Dense);
        }
        if likelihood.is_direct() {
            let inner = likelihood.decompose(derivatives)?;
            return Bordered::new(likelihood, subspace, inner).map(Curvature::Sparse);
        }
        Some(Curvature::Iterated(Iterated {
            matrix: likelihood.sparse_matrix(derivatives),
            subspace: subspace.clone(),
            engines: likelihood.engines.len(),
            prior_precision: likelihood.prior_precision(),
        }))
    }

    /// The solution in the subspace for a direction in the subspace.
    pub(super) fn solve(&self, direction: &DVector<f64>) -> DVector<f64> {
        match self {
            Curvature::Sparse(bordered) => bordered.solve(direction),
            Curvature::Iterated(iterated) => iterated.solve(direction),
            Curvature::Dense(cholesky) => cholesky.solve(direction),
        }
    }
}

impl Iterated<'_> {
    fn solve(&self, direction: &DVector<f64>) -> DVector<f64> {
        let within = |vector: Vec<f64>| -> Vec<f64> {
            self.subspace.project(&DVector::from_vec(vector)).as_slice().to_vec()
        };
        let times = |vector: &[f64]| {
            let mut image = self.matrix.times(vector);
            let mean = vector[..self.engines].iter().sum::<f64>() / self.engines.max(1) as f64;
            image[..self.engines].iter_mut().for_each(|it| *it -= self.prior_precision * mean);
            within(image)
        };
        let precondition = |rest: &[f64]| {
            within(
                rest.iter().zip(&self.matrix.diagonal).map(|(rest, entry)| rest / entry).collect(),
            )
        };
        let target = within(direction.as_slice().to_vec());
        DVector::from_vec(conjugate_gradients(target, TOLERANCE, times, precondition))
    }
}

/// The part of a direction that an iterated solution leaves.
const TOLERANCE: f64 = 1e-7;

impl<'l> Bordered<'l> {
    fn new(
        likelihood: &Likelihood,
        subspace: &Subspace,
        inner: Decomposition<'l>,
    ) -> Option<Bordered<'l>> {
        let (engines, parameters) = (likelihood.engines.len(), likelihood.parameters());
        let each = (engines.max(1) as f64).sqrt().recip();
        let of_mean = |place, _| if place < engines { each } else { 0.0 };
        let mean = DVector::from_fn(parameters, of_mean);
        let mut border = subspace.normals().clone();
        let held = border.ncols();
        // Within a subspace that holds the mean, the prior is relative to a constant.
        if subspace.project(&mean).norm() > FLAT {
            border = border.insert_column(held, 0.0);
            border.set_column(held, &mean);
        }
        let columns: Vec<DVector<f64>> =
            border.column_iter().map(|column| inner.solve(&column.into_owned())).collect();
        let solved = match columns.is_empty() {
            true => DMatrix::zeros(parameters, 0),
            false => DMatrix::from_columns(&columns),
        };
        let mut schur = border.tr_mul(&solved);
        if border.ncols() > held {
            schur[(held, held)] -= likelihood.prior_precision().recip();
        }
        let schur = schur.lu();
        schur.is_invertible().then_some(Bordered { inner, border, solved, schur })
    }

    fn solve(&self, direction: &DVector<f64>) -> DVector<f64> {
        let free = self.inner.solve(direction);
        let multipliers = self.border.tr_mul(&free);
        let multipliers = self.schur.solve(&multipliers).expect("it is invertible");
        free - &self.solved * multipliers
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::fit::unit;
    use crate::kind::Kind;
    use crate::{PairKey, Sample, Scope, Score, ScoredGame};

    /// Engines, each with games as first player against this many others.
    pub(in super::super) fn likelihood(engines: usize, games: usize) -> Likelihood {
        let names: Vec<String> = (0..engines).map(|it| format!("{it:03}")).collect();
        let mut sample = Sample::new(names).unwrap();
        let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
        for game in 0..games * engines {
            let (first, round) = (game % engines, game / engines);
            let second = (first + 1 + round * (7 * round + 3) % (engines - 1)) % engines;
            let score = [Score::Win, Score::Draw, Score::Win, Score::Loss][(first + round) % 4];
            let (first, second, pair) = (ids[first], ids[second], PairKey(game as u64));
            let kind = Kind::ALL[game % 2];
            sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
        }
        Likelihood::new(&sample, Scope::All, 0.03)
    }

    #[test]
    fn sparse_and_dense_solutions_agree_in_every_subspace() {
        let likelihood = likelihood(40, 3);
        let parameters = likelihood.parameters();
        let at = DVector::from_fn(parameters, |it, _| (it % 7) as f64 / 5.0 - 0.6);
        let all = Subspace::new(parameters);
        let in_sum = |place, _| if place < likelihood.engines.len() { 1.0 } else { 0.0 };
        let with_mean = all.constrained(&DVector::from_fn(parameters, in_sum), 0.0).unwrap();
        let contrast = unit(&likelihood, 4) - unit(&likelihood, 9);
        let subspaces = [
            with_mean.constrained(&contrast, 1.0).unwrap(),
            with_mean,
            all.constrained(&unit(&likelihood, 3), 0.0).unwrap(),
            all.constrained(&unit(&likelihood, 3), 0.0)
                .unwrap()
                .constrained(&unit(&likelihood, 8), 1.0)
                .unwrap(),
        ];
        for subspace in subspaces {
            let derivatives = likelihood.derivatives(&subspace.nearest(&at));
            let sparse = Curvature::new(&likelihood, &subspace, &derivatives).unwrap();
            assert!(matches!(sparse, Curvature::Sparse(_)));
            let dense = subspace.decompose(&likelihood.information(&derivatives)).unwrap();
            let direction = subspace.project(&unit(&likelihood, 1));
            let (one, other) = (sparse.solve(&direction), dense.solve(&direction));
            assert!((one - &other).amax() < 1e-8 * other.amax());
        }
    }
}
