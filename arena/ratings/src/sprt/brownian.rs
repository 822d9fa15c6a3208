//! A Brownian motion between two absorbing bounds, which approximates the likelihood ratio of a
//! test.

use std::f64::consts::PI;

use statrs::distribution::{ContinuousCDF, Normal};

/// A motion from zero with this drift and variance per unit of time, between `lower < 0` and `upper
/// > 0`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brownian {
    pub(super) lower: f64,
    pub(super) upper: f64,
    pub(super) drift: f64,
    pub(super) variance: f64,
}

impl Brownian {
    /// The probability of a worse outcome than being at `level` at `time`: absorbed by the lower
    /// bound before, or inside but below. At `level = upper` that is everything except an earlier
    /// absorption by the upper bound. (The order of outcomes is that of Siegmund 1985, "Sequential
    /// Analysis", chapter 3; fishtest's `brownian.py` computes the same.)
    pub(super) fn worse(&self, time: f64, level: f64) -> f64 {
        let width = self.upper - self.lower;
        let worse = match self.variance * time / width.powi(2) >= LATE {
            true => self.late(time, level),
            false => self.early(time, level),
        };
        worse.clamp(0.0, 1.0)
    }

    /// The mean time until a bound is reached from `from`, and the probability that it is the upper
    /// one (Wald 1947, "Sequential Analysis", appendix A.3).
    pub(super) fn exit(&self, from: f64) -> (f64, f64) {
        if self.drift < 0.0 {
            let mirrored =
                Brownian { lower: -self.upper, upper: -self.lower, drift: -self.drift, ..*self };
            let (time, above) = mirrored.exit(-from);
            return (time, 1.0 - above);
        }
        let (width, start) = (self.upper - self.lower, from - self.lower);
        let tilt = 2.0 * self.drift / self.variance;
        if tilt * width < 1e-6 {
            return (start * (width - start) / self.variance, start / width);
        }
        let above = (-tilt * start).exp_m1() / (-tilt * width).exp_m1();
        ((above * width - start) / self.drift, above)
    }

    /// Computed with the eigenfunctions of the diffusion between the bounds: the total absorption
    /// by the lower bound, minus what is absorbed later.
    fn late(&self, time: f64, level: f64) -> f64 {
        let width = self.upper - self.lower;
        let (start, level) = (-self.lower, level - self.lower);
        let tilt = self.drift / self.variance;
        let absorbed_below = {
            let (rest, whole) = (2.0 * tilt * (width - start), 2.0 * tilt * width);
            match whole {
                whole if whole.abs() < 1e-8 => (width - start) / width,
                whole if whole > 60.0 => (rest - whole).exp(),
                whole => rest.exp_m1() / whole.exp_m1(),
            }
        };
        let mut sum = 0.0;
        for number in 1..=MAX_TERMS {
            let wave = f64::from(number) * PI / width;
            let decay = (wave.powi(2) * self.variance + self.drift.powi(2) / self.variance) / 2.0;
            let size = (tilt * (level - start) - decay * time).exp();
            let at_level = 2.0 * (tilt * (wave * level).sin() - wave * (wave * level).cos())
                / (width * (tilt.powi(2) + wave.powi(2)));
            sum += size * at_level * (wave * start).sin();
            if size < MIN_TERM {
                break;
            }
        }
        absorbed_below + sum
    }

    /// Computed by reflection at each bound: there was not enough time to be near both.
    fn early(&self, time: f64, level: f64) -> f64 {
        let deviation = (self.variance * time).sqrt();
        let tilt = self.drift / self.variance;
        let reflected = |bound: f64, z: f64| (2.0 * tilt * bound + log_cdf(z / deviation)).exp();
        let moved = self.drift * time;
        Normal::standard().cdf((level - moved) / deviation)
            - reflected(self.upper, level - 2.0 * self.upper - moved)
            + reflected(self.lower, 2.0 * self.lower - level + moved)
    }
}

/// The logarithm of the probability that a standard normal variable is below `x`.
fn log_cdf(x: f64) -> f64 {
    if x > -30.0 {
        return Normal::standard().cdf(x).ln();
    }
    // The first terms of the asymptotic series; the next one is smaller by 3 / x⁴.
    -0.5 * x * x - (-x * (2.0 * PI).sqrt()).ln() - 1.0 / (x * x)
}

/// The fraction of the squared width from which the variance of the elapsed time counts as late.
/// Before that, the probability of having been at both bounds is below 1e-9 without drift.
const LATE: f64 = 0.025;
const MIN_TERM: f64 = 1e-14;
const MAX_TERMS: u32 = 200;

#[cfg(test)]
mod tests {
    use super::*;

    fn motion(drift: f64, variance: f64) -> Brownian {
        Brownian { lower: -2.9, upper: 2.9, drift, variance }
    }

    #[test]
    fn both_methods_agree_at_the_transition() {
        for drift in [-0.05, -0.01, 0.0, 0.004, 0.05] {
            let motion = motion(drift, 0.01);
            let time = LATE * 5.8_f64.powi(2) / 0.01;
            for level in [-2.9, -1.0, 0.0, 0.4, 2.9] {
                let (late, early) = (motion.late(time, level), motion.early(time, level));
                assert!((late - early).abs() < 1e-7, "{drift} {level}: {late} {early}");
            }
        }
    }

    #[test]
    fn the_final_absorption_follows_wald() {
        let motion = motion(0.005, 0.01);
        // Half a unit of drift per unit of variance: the odds are exp(2.9) to 1.
        let expected = 1.0 / (1.0 + 2.9_f64.exp());
        for level in [-2.9, 0.0, 2.9] {
            assert!((motion.worse(1e5, level) - expected).abs() < 1e-9);
        }
        // A fair motion has no preference, at any time.
        let fair = Brownian { drift: 0.0, ..motion };
        for time in [1.0, 100.0, 1e4] {
            assert!((fair.worse(time, 0.0) - 0.5).abs() < 1e-9, "{time}");
        }
    }

    #[test]
    fn the_mean_time_agrees_with_the_distribution() {
        for (drift, from) in [(0.0, 0.0), (1e-12, 1.5), (0.004, 0.0), (0.03, -2.0), (-0.01, 1.0)] {
            let motion = motion(drift, 0.01);
            // Seen from `from`, the bounds are at other distances.
            let moved =
                Brownian { lower: motion.lower - from, upper: motion.upper - from, ..motion };
            let (time, above) = motion.exit(from);
            assert!((1.0 - moved.worse(1e6, moved.upper) - above).abs() < 1e-6, "{drift} {from}");
            // The mean is the sum of the probabilities of not having reached a bound yet.
            let step = 0.5;
            let inside = |time: f64| {
                moved.worse(time, moved.upper - 1e-9) - moved.worse(time, moved.lower + 1e-9)
            };
            let sum: f64 = (0..40_000).map(|number| inside((f64::from(number) + 0.5) * step)).sum();
            assert!(
                (sum * step / time - 1.0).abs() < 1e-3,
                "{drift} {from}: {} {time}",
                sum * step
            );
        }
    }

    #[test]
    fn an_early_success_is_better_than_a_late_one() {
        let motion = motion(0.002, 0.01);
        let outcomes = [(50.0, -2.9), (900.0, -2.9), (900.0, 0.0), (900.0, 2.9), (50.0, 2.9)];
        let worse = outcomes.map(|(time, level)| motion.worse(time, level));
        assert!(worse.windows(2).all(|two| two[0] < two[1]), "{worse:?}");
        for drift in [-30.0, 30.0] {
            let far = Brownian { drift, ..motion }.worse(900.0, 0.0);
            assert_eq!(far, if drift < 0.0 { 1.0 } else { 0.0 });
        }
    }
}
