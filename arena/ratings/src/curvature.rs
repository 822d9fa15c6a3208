//! The curvature of the likelihood within a frame.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn, LU};

use super::frame::{FLAT, Frame};
use super::likelihood::{Likelihood, Shape};
use super::sparse::Decomposition;

/// The negative Hessian of a likelihood, restricted to a frame and decomposed.
#[derive(Clone, Debug)]
pub(super) enum Curvature<'l> {
    /// With a prior.
    Sparse(Bordered<'l>),
    /// Without one, where some directions may be flat.
    Dense(Cholesky<f64, Dyn>),
}

/// A sparse matrix with a few dense rows and columns around it: the directions that the frame holds,
/// and, unless it holds the mean, that of the mean, to which the prior is relative.
#[derive(Clone, Debug)]
pub(super) struct Bordered<'l> {
    inner: Decomposition<'l>,
    border: DMatrix<f64>,
    /// The solutions of the inner matrix for the border.
    solved: DMatrix<f64>,
    /// What remains of the border when the inner variables are eliminated.
    rest: LU<f64, Dyn, Dyn>,
}

impl<'l> Curvature<'l> {
    /// `None` only if the matrix is not positive semidefinite in the frame.
    pub(super) fn new(
        likelihood: &'l Likelihood,
        frame: &Frame,
        shape: &Shape,
    ) -> Option<Curvature<'l>> {
        match likelihood.decompose(shape) {
            Some(inner) => Bordered::new(likelihood, frame, inner).map(Curvature::Sparse),
            None => frame.decompose(&likelihood.information(shape)).map(Curvature::Dense),
        }
    }

    /// The solution in the frame for a direction in the frame.
    pub(super) fn solve(&self, direction: &DVector<f64>) -> DVector<f64> {
        match self {
            Curvature::Sparse(bordered) => bordered.solve(direction),
            Curvature::Dense(cholesky) => cholesky.solve(direction),
        }
    }
}

impl<'l> Bordered<'l> {
    fn new(
        likelihood: &Likelihood,
        frame: &Frame,
        inner: Decomposition<'l>,
    ) -> Option<Bordered<'l>> {
        let (engines, parameters) = (likelihood.engines.len(), likelihood.parameters());
        let each = (engines.max(1) as f64).sqrt().recip();
        let of_mean = |place, _| if place < engines { each } else { 0.0 };
        let mean = DVector::from_fn(parameters, of_mean);
        let mut border = frame.across().clone();
        let held = border.ncols();
        // Within a frame that holds the mean, the prior is relative to a constant.
        if frame.along(&mean).norm() > FLAT {
            border = border.insert_column(held, 0.0);
            border.set_column(held, &mean);
        }
        let columns: Vec<DVector<f64>> =
            border.column_iter().map(|column| inner.solve(&column.into_owned())).collect();
        let solved = match columns.is_empty() {
            true => DMatrix::zeros(parameters, 0),
            false => DMatrix::from_columns(&columns),
        };
        let mut rest = border.tr_mul(&solved);
        if border.ncols() > held {
            rest[(held, held)] -= likelihood.prior_precision().recip();
        }
        let rest = rest.lu();
        rest.is_invertible().then_some(Bordered { inner, border, solved, rest })
    }

    fn solve(&self, direction: &DVector<f64>) -> DVector<f64> {
        let free = self.inner.solve(direction);
        let pull = self.border.tr_mul(&free);
        let pull = self.rest.solve(&pull).expect("it is invertible");
        free - &self.solved * pull
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fit::unit;
    use crate::kind::Kind;
    use crate::{PairKey, Sample, Scope, Score, ScoredGame};

    /// Engines of which each has met a few others.
    fn likelihood(engines: usize) -> Likelihood {
        let names: Vec<String> = (0..engines).map(|it| format!("{it:03}")).collect();
        let mut sample = Sample::new(names).unwrap();
        let ids: Vec<_> = sample.engines().map(|(id, _)| id).collect();
        for game in 0..3 * engines {
            let (first, second) = (game % engines, (game * game + 5 * game + 1) % engines);
            if first != second {
                let score = [Score::Win, Score::Draw, Score::Win, Score::Loss][game % 4];
                let (first, second, pair) = (ids[first], ids[second], PairKey(game as u64));
                let kind = Kind::ALL[game % 2];
                sample.push(ScoredGame { first, second, kind, score, pair }).unwrap();
            }
        }
        Likelihood::new(&sample, Scope::All, 0.03)
    }

    #[test]
    fn sparse_and_dense_solutions_agree_in_every_frame() {
        let likelihood = likelihood(40);
        let parameters = likelihood.parameters();
        let at = DVector::from_fn(parameters, |it, _| (it % 7) as f64 / 5.0 - 0.6);
        let all = Frame::all(parameters);
        let in_sum = |place, _| if place < likelihood.engines.len() { 1.0 } else { 0.0 };
        let with_mean = all.hold(&DVector::from_fn(parameters, in_sum), 0.0).unwrap();
        let contrast = unit(&likelihood, 4) - unit(&likelihood, 9);
        let frames = [
            with_mean.hold(&contrast, 1.0).unwrap(),
            with_mean,
            all.hold(&unit(&likelihood, 3), 0.0).unwrap(),
            all.hold(&unit(&likelihood, 3), 0.0).unwrap().hold(&unit(&likelihood, 8), 1.0).unwrap(),
        ];
        for frame in frames {
            let shape = likelihood.shape(&frame.nearest(&at));
            let sparse = Curvature::new(&likelihood, &frame, &shape).unwrap();
            assert!(matches!(sparse, Curvature::Sparse(_)));
            let dense = frame.decompose(&likelihood.information(&shape)).unwrap();
            let direction = frame.along(&unit(&likelihood, 1));
            let (one, other) = (sparse.solve(&direction), dense.solve(&direction));
            assert!((one - &other).amax() < 1e-8 * other.amax());
        }
    }
}
