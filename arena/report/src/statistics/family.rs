//! Statements that are to hold together, however many there are.

use super::verdict::CERTAIN;

/// Finds the hypotheses that are rejected so that with 95 % no true one is, by their p-values (Holm
/// 1979, "A simple sequentially rejective multiple test procedure").
pub(super) fn holm(p_values: &[f64]) -> Vec<bool> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&one, &other| p_values[one].total_cmp(&p_values[other]));
    let left = |place: usize| (p_values.len() - place) as f64;
    let is_rejected = |&(place, which): &(usize, usize)| p_values[which] * left(place) <= ERROR;
    let mut rejected = vec![false; p_values.len()];
    for (_, which) in order.into_iter().enumerate().take_while(is_rejected) {
        rejected[which] = true;
    }
    rejected
}

/// The probability that any of the statements is wrong.
const ERROR: f64 = 2.0 * (1.0 - CERTAIN);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_comparisons_take_more_certainty_each() {
        assert_eq!(holm(&[0.04]), [true]);
        assert_eq!(holm(&[0.04, 0.3]), [false, false]);
        // Once the smallest is rejected, the next one is one of fewer.
        assert_eq!(holm(&[0.02, 0.04, 0.01]), [true, true, true]);
        assert_eq!(holm(&[0.026, 0.04, 0.01]), [false, false, true]);
        // Of forty engines that have not changed, the most extreme one is no news.
        let chance: Vec<f64> = (1..=40).map(|rank| (f64::from(rank) - 0.5) / 40.0).collect();
        assert!(chance[0] < 1.0 - CERTAIN && !holm(&chance).contains(&true));
        assert_eq!(holm(&[]), [] as [bool; 0]);
    }
}
