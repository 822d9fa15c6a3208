//! The optimum that the games of all iterations of SPSA support together.
//!
//! Every iteration says how much stronger one set of values is than another. A concave quadratic
//! function of the values is fitted to all of them: the log-odds of a point are linear in the
//! differences of the values and of their squares. The maximum and its interval follow from the
//! coefficients and their covariance. The fit says what SPSA alone cannot: whether the games
//! determine an optimum at all.
//!
//! It does not say how much stronger the values are than those at the start. SPSA follows the luck of
//! the games that are fitted, and the fit takes that luck for strength: sixteen options without any
//! effect, tuned with large steps, would promise a lead of 250 Elo.

use nalgebra::{DMatrix, DVector};
use statrs::distribution::{ContinuousCDF, StudentsT};

use super::iteration::Iteration;
use crate::config::Parameter;

/// The optimum of one parameter, according to the games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Optimum {
    /// The ends of the 95 % interval of the best value, within the parameter's range; `None` if the
    /// games do not determine it.
    pub interval: Option<(f64, f64)>,
}

/// The optimum of every parameter. `None` if there are too few iterations.
///
/// Parameters are assumed not to interact.
pub fn optimum(parameters: &[Parameter], iterations: &[Iteration]) -> Option<Vec<Optimum>> {
    let count = parameters.len();
    let (rows, columns) = (iterations.len(), 2 * count);
    if rows < MIN_ROWS * columns {
        return None;
    }
    // In units of the range, from its middle: squares and values then have similar sizes.
    let unit = |place: usize, value: f64| {
        let Parameter { min, max, .. } = parameters[place];
        (value - 0.5 * (min + max)) / (max - min)
    };
    let features = |from: &[f64], to: &[f64]| {
        DVector::from_fn(columns, |column, _| {
            let place = column % count;
            let (from, to) = (unit(place, from[place]), unit(place, to[place]));
            if column < count { to - from } else { -0.5 * (to.powi(2) - from.powi(2)) }
        })
    };
    let comparisons: Vec<Comparison> = iterations
        .iter()
        .filter(|iteration| iteration.games() > 0)
        .map(|iteration| Comparison {
            features: features(&iteration.minus, &iteration.plus),
            games: iteration.games() as f64,
            points: 0.5 * (iteration.games() as f64 + iteration.lead()),
        })
        .collect();
    let degrees = comparisons.len() as f64 - columns as f64;
    if degrees < 1.0 {
        return None;
    }
    let (coefficients, covariance) = regression(&comparisons, columns, degrees)?;
    let quantile = StudentsT::new(0.0, 1.0, degrees).ok()?.inverse_cdf(0.975);
    // A parabola says nothing about values that have not been played.
    let is_visited = |place: usize, unit_value: f64| {
        let played = iterations.iter().flat_map(|it| [it.plus[place], it.minus[place]]);
        let (low, high) = played.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
            let value = unit(place, value);
            (low.min(value), high.max(value))
        });
        (low..=high).contains(&unit_value)
    };
    let of_parameter = |place: usize| Optimum {
        interval: vertex_interval(&coefficients, &covariance, place, count, quantile).and_then(
            |(low, high)| {
                if !is_visited(place, coefficients[place] / coefficients[count + place]) {
                    return None;
                }
                let Parameter { min, max, .. } = parameters[place];
                let back = |unit: f64| (0.5 * (min + max) + unit * (max - min)).clamp(min, max);
                let (low, high) = (back(low), back(high));
                // Beyond the range there is no value to recommend.
                (low < high).then_some((low, high))
            },
        ),
    };
    Some((0..count).map(of_parameter).collect())
}

/// The results of an iteration, with the differences of the two sides.
struct Comparison {
    features: DVector<f64>,
    games: f64,
    /// The points of the upper side.
    points: f64,
}

/// The coefficients of a logistic regression and their covariance, scaled by the variation that the
/// comparisons show (McCullagh and Nelder 1989, "Generalized Linear Models", chapter 4): games of
/// a pair depend on each other, and a draw is not half a win and half a loss.
fn regression(
    comparisons: &[Comparison],
    columns: usize,
    degrees: f64,
) -> Option<(DVector<f64>, DMatrix<f64>)> {
    let mut coefficients = DVector::zeros(columns);
    for _ in 0..MAX_STEPS {
        let mut information = DMatrix::zeros(columns, columns);
        let mut gradient = DVector::zeros(columns);
        let mut squares = 0.0;
        for Comparison { features, games, points } in comparisons {
            let expected = 1.0 / (1.0 + (-features.dot(&coefficients)).exp());
            let weight = (games * expected * (1.0 - expected)).max(MIN_WEIGHT);
            let residual = points - games * expected;
            information.ger(weight, features, features, 1.0);
            gradient.axpy(residual, features, 1.0);
            squares += residual.powi(2) / weight;
        }
        // A parameter that never moved says nothing about its curvature.
        let ridge = 1e-9 * information.diagonal().amax().max(f64::MIN_POSITIVE);
        let inverse = (information + DMatrix::identity(columns, columns) * ridge).try_inverse()?;
        let step = &inverse * gradient;
        let length = step.amax();
        coefficients += step * (MAX_STEP / length.max(MAX_STEP));
        if length < STEP_TOLERANCE * (1.0 + coefficients.amax()) {
            return Some((coefficients, inverse * (squares / degrees)));
        }
    }
    None
}

/// The interval of the maximum of `b·x - q·x²/2`: the values at which the derivative `b - q·x` may
/// be zero (Fieller 1954, "Some problems in interval estimation"). `None` unless the interval is bounded,
/// which it is exactly if the curvature is significant.
fn vertex_interval(
    coefficients: &DVector<f64>,
    covariance: &DMatrix<f64>,
    place: usize,
    count: usize,
    quantile: f64,
) -> Option<(f64, f64)> {
    let (slope, curvature) = (coefficients[place], coefficients[count + place]);
    let of = |one: usize, other: usize| covariance[(one, other)] * quantile.powi(2);
    let (slopes, both, curvatures) =
        (of(place, place), of(place, count + place), of(count + place, count + place));
    let leading = curvature.powi(2) - curvatures;
    if curvature <= 0.0 || leading <= 0.0 {
        return None;
    }
    // (b - q x)² = quantile² · Var(b - q x), a quadratic equation in x.
    let half = slope * curvature - both;
    let rest = slope.powi(2) - slopes;
    let root = (half.powi(2) - leading * rest).max(0.0).sqrt();
    Some(((half - root) / leading, (half + root) / leading))
}

/// The fewest iterations per coefficient.
const MIN_ROWS: usize = 10;
/// The smallest weight of a comparison, so that a hopeless one does not divide by zero.
const MIN_WEIGHT: f64 = 1e-6;
/// The longest step of the regression, in units of the coefficients.
const MAX_STEP: f64 = 20.0;
/// A relative step that counts as zero.
const STEP_TOLERANCE: f64 = 1e-9;
const MAX_STEPS: u32 = 200;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::seeds::generator;
    use fanorona_ratings::expected_score;
    use rand::RngExt;

    /// Iterations at values that move from 20 to 80, of an engine with this strength.
    fn iterations(seed: u64, elo: impl Fn(f64) -> f64) -> Vec<Iteration> {
        let mut random = generator(seed, &["optimum"]);
        (0..400)
            .map(|number| {
                let value = 20.0 + 60.0 * f64::from(number) / 400.0;
                let change = if random.random::<bool>() { 8.0 } else { -8.0 };
                let (plus, minus) = (value + change, value - change);
                let score = expected_score(elo(plus) - elo(minus));
                let mut results = [0; 3];
                for _ in 0..8 {
                    let toss: f64 = random.random();
                    results[if toss < score { 0 } else { 2 }] += 1;
                }
                Iteration { plus: vec![plus], minus: vec![minus], values: vec![value], results }
            })
            .collect()
    }

    fn parameters() -> [Parameter; 1] {
        [Parameter::new("x", 20.0, 0.0, 100.0)]
    }

    #[test]
    fn intervals_have_their_coverage() {
        let elo = |value: f64| -0.1 * (value - 55.0).powi(2);
        let (mut there, mut held) = (0, 0);
        for seed in 0..200 {
            let optima = optimum(&parameters(), &iterations(seed, elo)).unwrap();
            if let Some((low, high)) = optima[0].interval {
                there += 1;
                held += u32::from((low..=high).contains(&55.0));
            }
        }
        assert!(there > 150, "{there}");
        assert!(f64::from(held) / f64::from(there) > 0.9, "{held} of {there}");
    }

    #[test]
    fn an_option_without_effect_has_no_optimum() {
        let found = |seed| optimum(&parameters(), &iterations(seed, |_| 0.0)).unwrap();
        let there = (0..100).filter(|&seed| found(seed)[0].interval.is_some()).count();
        // A curvature that is significant by chance, and downwards.
        assert!(there <= 8, "{there}");
    }

    #[test]
    fn few_iterations_say_nothing() {
        let played = iterations(1, |_| 0.0);
        assert!(optimum(&parameters(), &played[..10]).is_none());
    }
}
