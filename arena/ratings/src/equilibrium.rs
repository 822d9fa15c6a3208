//! Nash averaging: how much each engine matters in a field whose strengths are not transitive.

/// The equilibrium of a symmetric zero-sum game: the mix of engines that no engine beats on average
/// (Balduzzi et al. 2018, "Re-evaluating evaluation"). `scores[i][j]` is the share of the points of
/// engine `i` against `j`, 0 to 1.
///
/// A copy of an engine, or a weak opponent that everybody beats, does not change the mix, while it
/// changes Elo. `None` unless every two engines have met.
///
/// The mix is found by regret matching (Tammelin 2014, "Solving large imperfect information games
/// using CFR+"), which needs no randomness. No engine scores more than a thousandth above one half
/// against it.
///
/// ```
/// use fanorona_ratings::nash_average;
///
/// // Rock, paper and scissors, and a fourth engine that loses to everybody.
/// let (win, level, loss) = (Some(0.8), Some(0.5), Some(0.2));
/// let mix = nash_average(&[
///     vec![level, win, loss, win],
///     vec![loss, level, win, win],
///     vec![win, loss, level, win],
///     vec![loss, loss, loss, level],
/// ]);
/// let expected = [1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0, 0.0];
/// assert!(mix.unwrap().iter().zip(expected).all(|(share, expected)| (share - expected).abs() < 0.01));
/// ```
pub fn nash_average(scores: &[Vec<Option<f64>>]) -> Option<Vec<f64>> {
    let engines = scores.len();
    let mut gains = vec![vec![0.0; engines]; engines];
    for (one, row) in scores.iter().enumerate() {
        for (other, score) in row.iter().enumerate().filter(|(other, _)| *other != one) {
            gains[one][other] = (*score)? - 0.5;
        }
    }
    let mut regrets = vec![0.0; engines];
    let mut sum = vec![0.0; engines];
    for round in 1..=ROUNDS {
        let mix = shares(&regrets);
        let gain = against(&gains, &mix);
        for engine in 0..engines {
            // The mix itself gains nothing against itself.
            regrets[engine] = f64::max(regrets[engine] + gain[engine], 0.0);
            sum[engine] += round as f64 * mix[engine];
        }
        if round % LOOK == 0 {
            let mean = shares(&sum);
            if against(&gains, &mean).into_iter().fold(0.0, f64::max) <= CLOSE {
                return Some(mean);
            }
        }
    }
    None
}

/// The gain of each engine against a mix.
fn against(gains: &[Vec<f64>], mix: &[f64]) -> Vec<f64> {
    gains.iter().map(|row| row.iter().zip(mix).map(|(gain, share)| gain * share).sum()).collect()
}

/// Weights as shares; equal shares if all weights are zero.
fn shares(weights: &[f64]) -> Vec<f64> {
    let sum: f64 = weights.iter().sum();
    match sum > 0.0 {
        true => weights.iter().map(|weight| weight / sum).collect(),
        false => vec![1.0 / weights.len() as f64; weights.len()],
    }
}

/// The most that an engine may gain against the mix, as a share of the points.
const CLOSE: f64 = 1e-3;
const ROUNDS: u32 = 200_000;
const LOOK: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dominant_engine_is_the_whole_nash_average() {
        let scores = [
            vec![None, Some(0.6), Some(0.7)],
            vec![Some(0.4), None, Some(0.9)],
            vec![Some(0.3), Some(0.1), None],
        ];
        let mix = nash_average(&scores).unwrap();
        assert!(mix[0] > 0.97, "{mix:?}");
    }

    #[test]
    fn an_uneven_cycle_has_exact_nash_shares() {
        // A cycle in which an engine's share is proportional to the gain of the other two.
        let (a, b, c) = (0.1, 0.2, 0.3);
        let scores = [
            vec![None, Some(0.5 + a), Some(0.5 - b)],
            vec![Some(0.5 - a), None, Some(0.5 + c)],
            vec![Some(0.5 + b), Some(0.5 - c), None],
        ];
        let mix = nash_average(&scores).unwrap();
        for (share, expected) in mix.iter().zip([c / 0.6, b / 0.6, a / 0.6]) {
            assert!((share - expected).abs() < 0.02, "{mix:?}");
        }
    }

    #[test]
    fn engines_that_have_not_met_have_no_nash_average() {
        assert_eq!(nash_average(&[vec![None, None], vec![None, None]]), None);
    }
}
