//! The set of parameters that satisfy the constraints.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// The affine set of parameter vectors in which some quantities have fixed values.
///
/// All constraints are added with [`Frame::hold`]: the mean of the ratings, anchors, and one
/// quantity at a time for its profile likelihood.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// A vector in the set.
    offset: DVector<f64>,
    /// The directions orthogonal to the set, as orthonormal columns.
    across: DMatrix<f64>,
}

impl Frame {
    /// All vectors with this number of parameters.
    pub(super) fn all(parameters: usize) -> Frame {
        Frame { offset: DVector::zeros(parameters), across: DMatrix::zeros(parameters, 0) }
    }

    /// The number of free directions.
    pub(super) fn freedom(&self) -> usize {
        self.across.nrows() - self.across.ncols()
    }

    /// The vectors of the frame with `contrast · vector = value`; `None` if the quantity is
    /// constant in the frame.
    pub(super) fn hold(&self, contrast: &DVector<f64>, value: f64) -> Option<Frame> {
        let along = self.along(contrast);
        let length = along.norm();
        if length <= FLAT * contrast.norm() {
            return None;
        }
        let missing = value - contrast.dot(&self.offset);
        let offset = &self.offset + &along * (missing / length.powi(2));
        let mut across = self.across.clone().insert_column(self.across.ncols(), 0.0);
        across.set_column(self.across.ncols(), &(along / length));
        Some(Frame { offset, across })
    }

    /// The vector of the frame nearest to `at`.
    pub(super) fn nearest(&self, at: &DVector<f64>) -> DVector<f64> {
        &self.offset + self.along(&(at - &self.offset))
    }

    /// The component of a direction within the frame.
    pub(super) fn along(&self, direction: &DVector<f64>) -> DVector<f64> {
        let mut along = direction.clone();
        // Twice, because rounding leaves a small component after the first time.
        for _ in 0..2 {
            along -= &self.across * self.across.tr_mul(&along);
        }
        along
    }

    /// The directions orthogonal to the set, as orthonormal columns.
    pub(super) fn across(&self) -> &DMatrix<f64> {
        &self.across
    }

    /// The decomposition of the matrix restricted to the frame: `solve` of a direction in the frame
    /// gives the solution in the frame.
    ///
    /// A small damping is added, so that a solution always exists. It does not move the maximum of
    /// a climb; it only slows the climb where there is no other curvature. `None` only if the
    /// matrix is not positive semidefinite in the frame.
    pub(super) fn decompose(&self, matrix: &DMatrix<f64>) -> Option<Cholesky<f64, Dyn>> {
        let mut inside = matrix.clone();
        inside -= (&inside * &self.across) * self.across.transpose();
        inside -= &self.across * self.across.tr_mul(&inside);
        let greatest = inside.diagonal().amax();
        let scale = if greatest > 0.0 { greatest } else { 1.0 };
        inside += &self.across * self.across.transpose() * scale;
        DAMPINGS.iter().find_map(|damping| {
            let mut damped = inside.clone();
            for place in 0..damped.ncols() {
                damped[(place, place)] += damping * scale;
            }
            damped.cholesky()
        })
    }

    /// Orthonormal directions of the frame in which a positive semidefinite matrix is flat. The
    /// matrix must be a sum of small integers or the information of games.
    pub(super) fn flat_directions(&self, matrix: &DMatrix<f64>) -> Vec<DVector<f64>> {
        let raised = matrix + &self.across * self.across.transpose();
        // Nearly always nothing is flat, and that is found out in a small part of the time.
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
            .map(|(_, vector)| self.along(&vector.into_owned()))
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

    fn frame() -> Frame {
        let mean = DVector::from_vec(vec![0.25; 4]);
        let third = DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0]);
        let frame = Frame::all(4).hold(&mean, 2.0).unwrap().hold(&third, -1.0).unwrap();
        assert!(frame.hold(&(&mean + &third), 5.0).is_none());
        frame
    }

    #[test]
    fn held_quantities_are_constant() {
        let difference = DVector::from_vec(vec![1.0, -1.0, 0.0, 0.0]);
        let frame = frame().hold(&difference, 3.0).unwrap();
        assert_eq!(frame.freedom(), 1);
        let at = frame.nearest(&DVector::from_vec(vec![7.0, -3.0, 11.0, 0.5]));
        assert!((at.mean() - 2.0).abs() < 1e-12);
        assert!((at[2] + 1.0).abs() < 1e-12);
        assert!((at[0] - at[1] - 3.0).abs() < 1e-12);
    }

    #[test]
    fn solutions_stay_in_the_frame() {
        let frame = frame();
        let matrix = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0, 2.0, 3.0, 4.0]));
        let target = frame.along(&DVector::from_vec(vec![0.3, -0.7, 0.2, 0.9]));
        let solution = frame.decompose(&matrix).unwrap().solve(&target);
        assert!((frame.along(&solution) - &solution).amax() < 1e-10);
        assert!((frame.along(&(&matrix * &solution)) - target).amax() < 1e-10);
    }

    #[test]
    fn flat_directions_are_found() {
        let row = DVector::from_vec(vec![1.0, -1.0, 0.0, 0.0]);
        let flat = frame().flat_directions(&(&row * row.transpose()));
        assert_eq!(flat.len(), 1);
        // a = b, c is held, and the mean is held: a + b + d = 0.
        let known = DVector::from_vec(vec![1.0, 1.0, 0.0, -2.0]) / 6f64.sqrt();
        assert!((flat[0].dot(&known).abs() - 1.0).abs() < 1e-12);
    }
}
