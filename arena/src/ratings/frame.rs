//! Where the ratings may lie: the parameters that satisfy what is held fixed.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// The flat set of parameter vectors on which some quantities have held values.
///
/// Whatever is fixed is fixed by [`Frame::hold`]: the mean of the ratings, anchors, and one quantity
/// at a time for its profile likelihood.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    /// One vector of the set.
    offset: DVector<f64>,
    /// The directions across the set, as orthonormal columns.
    across: DMatrix<f64>,
}

impl Frame {
    /// All vectors of this many parameters.
    pub(super) fn all(parameters: usize) -> Frame {
        Frame { offset: DVector::zeros(parameters), across: DMatrix::zeros(parameters, 0) }
    }

    /// The number of free directions.
    pub(super) fn freedom(&self) -> usize {
        self.across.nrows() - self.across.ncols()
    }

    /// Those vectors of the frame for which `contrast · vector = value`; `None` if the quantity
    /// is the same all over the frame.
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

    /// The vector of the frame that is nearest to `at`.
    pub(super) fn nearest(&self, at: &DVector<f64>) -> DVector<f64> {
        &self.offset + self.along(&(at - &self.offset))
    }

    /// The part of a direction that stays in the frame.
    pub(super) fn along(&self, direction: &DVector<f64>) -> DVector<f64> {
        let mut along = direction.clone();
        // Twice, or rounding leaves a little of what was across.
        for _ in 0..2 {
            along -= &self.across * self.across.tr_mul(&along);
        }
        along
    }

    /// The matrix decomposed as it acts along the frame, so that `solve` of a direction along it is
    /// the solution along it.
    ///
    /// A trace of damping is added, so that there is always one. As the curvature of a climb it moves
    /// no summit, it only slows the climb where there is no other curvature. `None` only if the matrix
    /// falls in some direction of the frame.
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

    /// Orthonormal directions of the frame in which a matrix of no negative curvature is flat: sums of
    /// small whole numbers are, or the information of games.
    pub(super) fn flat_directions(&self, matrix: &DMatrix<f64>) -> Vec<DVector<f64>> {
        let eigen = (matrix + &self.across * self.across.transpose()).symmetric_eigen();
        eigen
            .eigenvalues
            .iter()
            .zip(eigen.eigenvectors.column_iter())
            .filter(|(value, _)| **value < LEAST_EIGENVALUE)
            .map(|(_, vector)| self.along(&vector.into_owned()))
            .collect()
    }
}

/// A direction shorter than this has length zero but for rounding.
pub(super) const FLAT: f64 = 1e-9;
/// The damping in parts of the greatest curvature; more only if rounding asks for it.
const DAMPINGS: [f64; 4] = [1e-13, 1e-12, 1e-11, 1e-9];
/// Eigenvalues are zero or far above this: whole numbers, or the information of games, of which each
/// that tells anything has about a quarter.
const LEAST_EIGENVALUE: f64 = 1e-8;

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
    fn what_is_held_stays() {
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
