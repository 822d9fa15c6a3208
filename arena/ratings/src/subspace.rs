//! The set of parameters that satisfy the constraints.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// The affine set of parameter vectors in which some quantities have fixed values.
///
/// All constraints are added with [`Subspace::constrained`]: the mean of the ratings, anchors, and one
/// quantity at a time for its profile likelihood.
#[derive(Clone, Debug)]
pub(super) struct Subspace {
    /// A vector in the set.
    offset: DVector<f64>,
    /// The directions orthogonal to the set, as orthonormal columns.
    normals: DMatrix<f64>,
}

impl Subspace {
    /// All vectors with this number of parameters.
    pub(super) fn new(parameters: usize) -> Subspace {
        Subspace { offset: DVector::zeros(parameters), normals: DMatrix::zeros(parameters, 0) }
    }

    /// The number of free directions.
    pub(super) fn dimension(&self) -> usize {
        self.normals.nrows() - self.normals.ncols()
    }

    /// The vectors of the subspace with `contrast · vector = value`; `None` if the quantity is
    /// constant in the subspace.
    pub(super) fn constrained(&self, contrast: &DVector<f64>, value: f64) -> Option<Subspace> {
        let projection = self.free(contrast)?;
        let length = projection.norm();
        let missing = value - contrast.dot(&self.offset);
        let offset = &self.offset + &projection * (missing / length.powi(2));
        let mut normals = self.normals.clone().insert_column(self.normals.ncols(), 0.0);
        normals.set_column(self.normals.ncols(), &(projection / length));
        Some(Subspace { offset, normals })
    }

    /// The component of a direction within the subspace; `None` if it has none.
    pub(super) fn free(&self, direction: &DVector<f64>) -> Option<DVector<f64>> {
        let projection = self.project(direction);
        (projection.norm() > FLAT * direction.norm()).then_some(projection)
    }

    /// The vector of the subspace nearest to `at`.
    pub(super) fn nearest(&self, at: &DVector<f64>) -> DVector<f64> {
        &self.offset + self.project(&(at - &self.offset))
    }

    /// The component of a direction within the subspace.
    pub(super) fn project(&self, direction: &DVector<f64>) -> DVector<f64> {
        let mut projection = direction.clone();
        // Twice, because rounding leaves a small component after the first time.
        for _ in 0..2 {
            projection -= &self.normals * self.normals.tr_mul(&projection);
        }
        projection
    }

    /// The directions orthogonal to the set, as orthonormal columns.
    pub(super) fn normals(&self) -> &DMatrix<f64> {
        &self.normals
    }

    /// The decomposition of the matrix restricted to the subspace: `solve` of a direction in the
    /// subspace gives the solution in the subspace.
    ///
    /// A small damping is added, so that a solution always exists. It does not move the maximum of
    /// a likelihood; it only slows the search where there is no other curvature. `None` only if the
    /// matrix is not positive semidefinite in the subspace.
    pub(super) fn decompose(&self, matrix: &DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
        let mut inside = matrix.clone();
        inside -= (&inside * &self.normals) * self.normals.transpose();
        inside -= &self.normals * self.normals.tr_mul(&inside);
        let greatest = inside.diagonal().amax();
        let scale = if greatest > 0.0 { greatest } else { 1.0 };
        inside += &self.normals * self.normals.transpose() * scale;
        DAMPINGS.iter().find_map(|damping| {
            let mut damped = inside.clone();
            for place in 0..damped.ncols() {
                damped[(place, place)] += damping * scale;
            }
            damped.cholesky()
        })
    }

    /// An orthonormal basis of the null space of a positive semidefinite matrix in the subspace. The
    /// matrix must be a sum of small integers or the information of games.
    pub(super) fn null_space(&self, matrix: &DMatrix<f64>) -> Vec<DVector<f64>> {
        let raised = matrix + &self.normals * self.normals.transpose();
        // Nearly always it is empty, and that is found out in a small part of the time.
        let mut lowered = raised.clone();
        (0..lowered.ncols()).for_each(|place| lowered[(place, place)] -= MIN_EIGENVALUE);
        if lowered.cholesky().is_some() {
            return Vec::new();
        }
        let eigen = raised.symmetric_eigen();
        eigen
            .eigenvalues
            .iter()
            .zip(eigen.eigenvectors.column_iter())
            .filter(|(value, _)| **value < MIN_EIGENVALUE)
            .map(|(_, vector)| self.project(&vector.into_owned()))
            .collect()
    }
}

/// The length below which a direction counts as zero, because of rounding.
pub(super) const FLAT: f64 = 1e-9;
/// The damping relative to the greatest curvature; larger values are used only if rounding requires
/// them.
const DAMPINGS: [f64; 4] = [1e-13, 1e-12, 1e-11, 1e-9];
/// Eigenvalues are either zero or far above this, because the matrices consist of integers or of
/// the information of games, about a quarter per informative game.
const MIN_EIGENVALUE: f64 = 1e-8;

#[cfg(test)]
mod tests {
    use super::*;

    fn subspace() -> Subspace {
        let mean = DVector::from_vec(vec![0.25; 4]);
        let third = DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0]);
        let subspace =
            Subspace::new(4).constrained(&mean, 2.0).unwrap().constrained(&third, -1.0).unwrap();
        assert!(subspace.constrained(&(&mean + &third), 5.0).is_none());
        subspace
    }

    #[test]
    fn held_quantities_are_constant() {
        let difference = DVector::from_vec(vec![1.0, -1.0, 0.0, 0.0]);
        let subspace = subspace().constrained(&difference, 3.0).unwrap();
        assert_eq!(subspace.dimension(), 1);
        let at = subspace.nearest(&DVector::from_vec(vec![7.0, -3.0, 11.0, 0.5]));
        assert!((at.mean() - 2.0).abs() < 1e-12);
        assert!((at[2] + 1.0).abs() < 1e-12);
        assert!((at[0] - at[1] - 3.0).abs() < 1e-12);
    }

    #[test]
    fn solutions_stay_in_the_subspace() {
        let subspace = subspace();
        let matrix = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 2.0, 3.0, 4.0]));
        let target = subspace.project(&DVector::from_vec(vec![0.3, -0.7, 0.2, 0.9]));
        let solution = subspace.decompose(&matrix).unwrap().solve(&target);
        assert!((subspace.project(&solution) - &solution).amax() < 1e-10);
        assert!((subspace.project(&(&matrix * &solution)) - target).amax() < 1e-10);
    }

    #[test]
    fn the_null_space_is_found() {
        let row = DVector::from_vec(vec![1.0, -1.0, 0.0, 0.0]);
        let flat = subspace().null_space(&(&row * row.transpose()));
        assert_eq!(flat.len(), 1);
        // a = b, c is held, and the mean is held: a + b + d = 0.
        let known = DVector::from_vec(vec![1.0, 1.0, 0.0, -2.0]) / 6f64.sqrt();
        assert!((flat[0].dot(&known).abs() - 1.0).abs() < 1e-12);
    }
}
