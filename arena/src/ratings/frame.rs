//! Where the ratings may lie: the parameters that satisfy what is held fixed.

use nalgebra::{DMatrix, DVector};

/// The flat set `offset + basis * free` of parameter vectors, with an orthonormal basis.
///
/// Whatever is fixed is fixed by [`Frame::hold`]: the mean of the ratings, anchors, and one quantity
/// at a time for its profile likelihood.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) offset: DVector<f64>,
    pub(super) basis: DMatrix<f64>,
}

impl Frame {
    /// All vectors of this many parameters.
    pub(super) fn all(parameters: usize) -> Frame {
        Frame {
            offset: DVector::zeros(parameters),
            basis: DMatrix::identity(parameters, parameters),
        }
    }

    /// The number of free directions.
    pub(super) fn freedom(&self) -> usize {
        self.basis.ncols()
    }

    /// Those vectors of the frame for which `contrast · vector = value`; `None` if the quantity
    /// is the same all over the frame.
    pub(super) fn hold(&self, contrast: &DVector<f64>, value: f64) -> Option<Frame> {
        let across = self.basis.tr_mul(contrast);
        let length = across.norm();
        if length <= FLAT * contrast.norm() {
            return None;
        }
        let across = across / length;
        let missing = (value - contrast.dot(&self.offset)) / length;
        let offset = &self.offset + &self.basis * &across * missing;

        // The Householder reflection that takes `across` to the first axis takes the other axes to
        // an orthonormal basis of what is left.
        let mut mirror = across;
        mirror[0] += if mirror[0] < 0.0 { -1.0 } else { 1.0 };
        let reflected = &self.basis * &mirror * (2.0 / mirror.norm_squared());
        let basis = &self.basis - reflected * mirror.transpose();
        Some(Frame { offset, basis: basis.remove_column(0) })
    }

    /// The vector of the frame that is nearest to `at`.
    pub(super) fn nearest(&self, at: &DVector<f64>) -> DVector<f64> {
        &self.offset + &self.basis * self.basis.tr_mul(&(at - &self.offset))
    }
}

/// A direction shorter than this has length zero but for rounding.
pub(super) const FLAT: f64 = 1e-9;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_stays() {
        let mean = DVector::from_vec(vec![0.25; 4]);
        let third = DVector::from_vec(vec![0.0, 0.0, 1.0, 0.0]);
        let difference = DVector::from_vec(vec![1.0, -1.0, 0.0, 0.0]);
        let frame = Frame::all(4).hold(&mean, 2.0).unwrap().hold(&third, -1.0).unwrap();
        assert!(frame.hold(&(&mean + &third), 5.0).is_none());
        let frame = frame.hold(&difference, 3.0).unwrap();
        assert_eq!(frame.freedom(), 1);
        let at = frame.nearest(&DVector::from_vec(vec![7.0, -3.0, 11.0, 0.5]));
        assert!((mean.dot(&at) - 2.0).abs() < 1e-12);
        assert!((third.dot(&at) + 1.0).abs() < 1e-12);
        assert!((difference.dot(&at) - 3.0).abs() < 1e-12);
        assert!((frame.basis.tr_mul(&frame.basis) - DMatrix::identity(1, 1)).amax() < 1e-12);
    }
}
