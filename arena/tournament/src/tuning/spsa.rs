//! Simultaneous perturbation stochastic approximation (SPSA): searches for the best values of many
//! parameters at once, from comparisons of two points only.
//!
//! In every iteration all parameters move a little up or down at random, and the engine with these
//! values plays the engine with the opposite values. All parameters then take a step in the
//! direction of the winner. Whatever the number of parameters, one comparison is enough for a step
//! (Spall 1992, "Multivariate stochastic approximation using a simultaneous perturbation gradient
//! approximation").
//!
//! The step sizes are those of fishtest and OpenBench. With `N` pairs in all and `k` pairs played,
//! a parameter is perturbed by `c(k) = c_end · (N / k)^gamma`, and moves by `R(k) · c(k)` for every
//! point that the upper side is ahead, where `R(k) = r_end · ((A + N) / (A + k))^alpha · (c_end /
//! c(k))²` and `A` is `stability · N`. At the end, a lead of one point moves it by `r_end · c_end`.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::Rng;

use super::iteration::Trial;
use crate::config::{Number, Parameter, StepSizes, Tuning};
use crate::pairing::seeds;

/// The state of a search: the present values of the parameters.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    tuning: Tuning,
    sizes: StepSizes,
    seed: u64,
    /// The pairs of games of an iteration.
    pairs: u32,
    /// The number of finished iterations.
    iteration: u32,
    values: Vec<f64>,
}

impl Spsa {
    /// A search from the start values. `pairs` is the number of pairs of games in an iteration. All
    /// randomness follows from the seed.
    pub fn new(tuning: &Tuning, sizes: StepSizes, pairs: u32, seed: u64) -> Spsa {
        let values = tuning.parameters.iter().map(|parameter| parameter.start).collect();
        Spsa { tuning: tuning.clone(), sizes, seed, pairs, iteration: 0, values }
    }

    /// The present values, which may lie between those an engine can take.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The number of finished iterations.
    pub fn iteration(&self) -> u32 {
        self.iteration
    }

    /// Whether all iterations are finished.
    pub fn is_over(&self) -> bool {
        self.iteration >= self.tuning.iterations.get()
    }

    /// The comparison of the present iteration, and the change of each value for a lead of the upper
    /// side by one point.
    pub fn trial(&self) -> (Trial, Vec<f64>) {
        let mut random = seeds::generator(self.seed, &["tune", &self.iteration.to_string()]);
        let all = f64::from(self.tuning.iterations.get()) * f64::from(self.pairs);
        let played = f64::from(self.iteration) * f64::from(self.pairs) + 1.0;
        let damping = self.sizes.stability * all;
        let mut trial = Trial { plus: Vec::new(), minus: Vec::new() };
        let mut steps = Vec::new();
        for (parameter, &value) in self.tuning.parameters.iter().zip(&self.values) {
            let sign = if random.next_u64() & 1 == 0 { 1.0 } else { -1.0 };
            let c = parameter.c_end * (all / played).powf(self.sizes.gamma);
            let shrunk = ((damping + all) / (damping + played)).powf(self.sizes.alpha);
            let rate = parameter.r_end * shrunk * (parameter.c_end / c).powi(2);
            let [plus, minus] = sides(parameter, value, sign * c, &mut random);
            trial.plus.push(plus);
            trial.minus.push(minus);
            steps.push(rate * c * sign);
        }
        (trial, steps)
    }

    /// Finishes the present iteration, in which the upper side led by this many points: its wins
    /// minus its losses.
    pub fn finish(&mut self, steps: &[f64], lead: f64) {
        for ((value, parameter), step) in
            self.values.iter_mut().zip(&self.tuning.parameters).zip(steps)
        {
            *value = (*value + step * lead).clamp(parameter.min, parameter.max);
        }
        self.iteration += 1;
    }
}

/// The values of both sides. Whole numbers are rounded up or down at random, so that their mean is
/// right: otherwise changes smaller than one would have no effect.
fn sides(parameter: &Parameter, value: f64, change: f64, random: &mut ChaCha8Rng) -> [f64; 2] {
    // The number is drawn for all parameters, so that a change of one does not move the others.
    let part = (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let side = |change: f64| match parameter.number {
        Number::Float => value + change,
        Number::Int => (value + change + part).floor(),
    };
    // Two whole numbers are at least one apart.
    let change = match parameter.number {
        Number::Int if change.abs() < 0.5 => 0.5_f64.copysign(change),
        _ => change,
    };
    [change, -change].map(|change| side(change).clamp(parameter.min, parameter.max))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Method;
    use std::num::NonZeroU32;

    fn tuning(iterations: u32, parameters: Vec<Parameter>) -> Tuning {
        Tuning {
            iterations: NonZeroU32::new(iterations).unwrap(),
            method: Method::Spsa(StepSizes::default()),
            parameters,
        }
    }

    fn spsa(tuning: &Tuning, pairs: u32, seed: u64) -> Spsa {
        Spsa::new(tuning, StepSizes::default(), pairs, seed)
    }

    #[test]
    fn steps_are_those_of_fishtest() {
        let parameter = Parameter { c_end: 4.0, ..Parameter::new("x", 50.0, 0.0, 100.0) };
        let mut spsa = spsa(&tuning(1000, vec![parameter]), 2, 1);
        // c = c_end · N^gamma, a = r_end · c_end² · (A + N)^alpha, R = a / (A + k)^alpha / c(k)².
        let n = 2000_f64;
        let (c, damping) = (4.0 * n.powf(0.101), 0.1 * n);
        let a = 0.002 * 16.0 * (damping + n).powf(0.602);
        for k in [1.0, 3.0, 5.0] {
            let (trial, steps) = spsa.trial();
            let ck = c / f64::powf(k, 0.101);
            let expected = a / (damping + k).powf(0.602) / ck.powi(2) * ck;
            assert!((steps[0].abs() - expected).abs() < 1e-12, "{steps:?}");
            // Both sides are about c from the middle, rounded.
            assert!((trial.plus[0] - trial.minus[0]).abs() - 2.0 * ck < 1.0);
            spsa.finish(&steps, 0.0);
        }
        assert_eq!(spsa.values(), [50.0]);
    }

    #[test]
    fn the_last_step_is_the_one_that_is_asked_for() {
        let parameter =
            Parameter { c_end: 4.0, r_end: 0.01, ..Parameter::new("x", 5.0, 0.0, 100.0) };
        let mut spsa = spsa(&tuning(1000, vec![parameter]), 1, 1);
        spsa.iteration = 999;
        assert!((spsa.trial().1[0].abs() - 0.04).abs() < 1e-12);
    }

    #[test]
    fn values_follow_the_winner_within_their_range() {
        let parameters = vec![
            Parameter { r_end: 1.0, ..Parameter::new("x", 50.0, 0.0, 100.0) },
            Parameter { r_end: 1.0, ..Parameter::new("y", 1.0, 0.0, 100.0) },
        ];
        let mut spsa = spsa(&tuning(100, parameters), 1, 3);
        let (trial, steps) = spsa.trial();
        spsa.finish(&steps, 2.0);
        for ((value, start), (plus, minus)) in
            spsa.values().iter().zip([50.0, 1.0]).zip(trial.plus.iter().zip(&trial.minus))
        {
            assert_eq!(*value > start, plus > minus, "{trial:?}");
            assert!((0.0..=100.0).contains(value));
        }
        assert_eq!(spsa.iteration(), 1);
    }

    #[test]
    fn whole_numbers_have_the_right_mean_and_are_apart() {
        let parameter = Parameter { c_end: 0.1, ..Parameter::new("x", 50.0, 0.0, 100.0) };
        let mut spsa = spsa(&tuning(4000, vec![parameter]), 1, 9);
        spsa.values = vec![50.3];
        let mut sum = 0.0;
        for iteration in 0..4000 {
            spsa.iteration = iteration;
            let (Trial { plus, minus }, _) = spsa.trial();
            assert!(plus[0].fract() == 0.0 && minus[0].fract() == 0.0);
            assert!((plus[0] - minus[0]).abs() >= 1.0, "{plus:?} {minus:?}");
            sum += plus[0] + minus[0];
        }
        assert!((sum / 8000.0 - 50.3).abs() < 0.05, "{}", sum / 8000.0);
    }

    #[test]
    fn a_seed_gives_the_same_search() {
        let search = |seed| {
            let mut spsa = spsa(&tuning(50, vec![Parameter::new("x", 5.0, 0.0, 10.0)]), 1, seed);
            while !spsa.is_over() {
                let (_, steps) = spsa.trial();
                spsa.finish(&steps, 1.0);
            }
            spsa.values().to_vec()
        };
        assert_eq!(search(4), search(4));
        assert_ne!(search(4), search(5));
    }
}
