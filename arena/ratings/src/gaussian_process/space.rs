//! The settings that can be played.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use crate::smooth::normal;

/// A cube of settings, with coordinates from 0 to 1. Coordinates of whole numbers are multiples of a
/// step.
#[derive(Clone, Debug, PartialEq)]
pub struct Space {
    steps: Vec<f64>,
}

impl Space {
    /// The most dimensions.
    pub const MAX_DIMENSIONS: usize = BASES.len();

    /// A space with these steps, 0 for coordinates without steps. `None` unless it has from one to
    /// [`Space::MAX_DIMENSIONS`] dimensions.
    pub fn new(steps: Vec<f64>) -> Option<Space> {
        (1..=Space::MAX_DIMENSIONS).contains(&steps.len()).then_some(Space { steps })
    }

    /// The number of coordinates.
    pub fn dimensions(&self) -> usize {
        self.steps.len()
    }

    /// The smallest change of a coordinate that makes a difference.
    pub(super) fn step(&self, dimension: usize) -> f64 {
        self.steps[dimension]
    }

    /// The nearest setting that can be played.
    pub fn nearest(&self, mut point: Vec<f64>) -> Vec<f64> {
        for (value, &step) in point.iter_mut().zip(&self.steps) {
            *value = value.clamp(0.0, 1.0);
            if step > 0.0 {
                *value = ((*value / step).round() * step).min(1.0);
            }
        }
        point
    }

    /// The point with this number in a sequence that fills the space evenly (Halton 1960), moved
    /// round by `shift`, a number from 0 to 1 for each dimension (Cranley and Patterson 1976).
    pub fn halton(&self, number: u32, shift: &[f64]) -> Vec<f64> {
        let moved =
            |(&base, shift): (&u32, &f64)| (radical_inverse(number + 1, base) + shift).fract();
        self.nearest(BASES.iter().zip(shift).map(moved).collect())
    }

    /// A point anywhere.
    pub(super) fn anywhere(&self, random: &mut ChaCha8Rng) -> Vec<f64> {
        self.nearest((0..self.dimensions()).map(|_| uniform(random)).collect())
    }

    /// A point near another, by this standard deviation in about two of its coordinates.
    pub(super) fn near(&self, point: &[f64], deviation: f64, random: &mut ChaCha8Rng) -> Vec<f64> {
        let share = 2.0 / self.dimensions() as f64;
        let mut moved = point.to_vec();
        for (value, step) in moved.iter_mut().zip(&self.steps) {
            let (is_moved, change) = (uniform(random) < share, normal(random));
            if is_moved {
                *value += deviation.max(*step) * change;
            }
        }
        self.nearest(moved)
    }
}

/// A number from 0 to 1.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

/// The digits of a number in reverse, behind the point.
fn radical_inverse(mut number: u32, base: u32) -> f64 {
    let (mut inverse, mut weight) = (0.0, 1.0);
    while number > 0 {
        weight /= f64::from(base);
        inverse += weight * f64::from(number % base);
        number /= base;
    }
    inverse
}

/// The bases of the sequence, one for each dimension.
const BASES: [u32; 8] = [2, 3, 5, 7, 11, 13, 17, 19];

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn nearest_respects_steps_and_bounds() {
        let space = Space::new(vec![0.25, 0.0]).unwrap();
        assert_eq!(space.nearest(vec![0.4, 0.4]), [0.5, 0.4]);
        assert_eq!(space.nearest(vec![-3.0, 1.7]), [0.0, 1.0]);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for _ in 0..100 {
            let point = space.near(&[0.5, 0.5], 0.1, &mut random);
            assert_eq!((point[0] * 4.0).fract(), 0.0);
            assert!(point.iter().all(|value| (0.0..=1.0).contains(value)));
        }
    }

    #[test]
    fn the_halton_sequence_fills_the_space_evenly() {
        let space = Space::new(vec![0.0, 0.0]).unwrap();
        let mut quarters = [0; 4];
        for number in 0..40 {
            let point = space.halton(number, &[0.3, 0.9]);
            quarters[usize::from(point[0] < 0.5) + 2 * usize::from(point[1] < 0.5)] += 1;
        }
        assert!(quarters.iter().all(|count| (8..=12).contains(count)), "{quarters:?}");
    }

    #[test]
    fn the_number_of_dimensions_is_limited() {
        assert!(Space::new(Vec::new()).is_none());
        assert!(Space::new(vec![0.0; Space::MAX_DIMENSIONS + 1]).is_none());
    }
}
