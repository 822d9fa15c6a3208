//! Finding the weights of the hand-written evaluation: logistic regression.
//!
//! What is made small is the surprise of learning a target (the search's score mixed with the
//! game's result, as for the network) from the odds that the formula gives. Every weight is two
//! numbers, for the empty and for the full board, between which it changes with the stones. The
//! minimum is found by Newton's method; there is no chance in it.

use fanorona_protocol::rules::{BoardSize, Side};
use nalgebra::{DMatrix, DVector};

use super::sample::Sample;
use super::target::target;
use crate::evaluation::network::SCALE;
use crate::evaluation::{DEBT, Evaluation, RIATRA, Terms, Weight};

/// Steps of Newton's method; it converges in half as many.
const STEPS: usize = 12;

/// What keeps the weights of terms that never vary from growing: so much of a sample's surprise for
/// the square of a weight.
const RIDGE: f64 = 1e-3;

/// The weights found for one kind of position, and how well they do.
pub struct Fitted {
    /// On an empty and on a full board.
    pub weights: Vec<Weight>,
    /// How many samples they were found by.
    pub samples: usize,
    /// The mean square error of the weights the program was built with.
    pub before: f64,
    /// That of those found.
    pub after: f64,
}

/// A sample as the regression sees it.
struct Row {
    terms: Vec<f64>,
    target: f64,
}

/// Finds the weights of riatra and of the first phase of vela. `search` is the part of a target
/// that is the search's score.
pub fn fit(samples: &[Sample], search: f32) -> [Fitted; 2] {
    let evaluation = Evaluation::new(BoardSize::TSIVY);
    let (mut riatra, mut debt) = (Vec::new(), Vec::new());
    for sample in samples {
        let position = sample.position();
        let target = f64::from(target(sample, search));
        let full = BoardSize::TSIVY.points() as f64 - 1.0;
        let part = f64::from((sample.own | sample.enemy).count_ones()) / full;
        // The share of stones is in hundredths already.
        let spread = |terms: &[i32], share: usize| -> Vec<f64> {
            let scaled = terms
                .iter()
                .enumerate()
                .map(|(index, &term)| f64::from(term) / if index == share { 100.0 } else { 1.0 });
            scaled.flat_map(|term| [term * (1.0 - part), term * part]).collect()
        };
        match evaluation.terms(&position) {
            Terms::Riatra(terms) => riatra.push(Row { terms: spread(&terms, 0), target }),
            // The debtor's view.
            Terms::Debt(terms, debtor) => {
                let target = if debtor == Side::White { target } else { 1.0 - target };
                debt.push(Row { terms: spread(&terms, 1), target });
            }
        }
    }
    [minimum(&riatra, &RIATRA), minimum(&debt, &DEBT)]
}

fn odds(row: &Row, weights: &DVector<f64>) -> f64 {
    let sum: f64 = row.terms.iter().zip(weights.iter()).map(|(term, weight)| term * weight).sum();
    1.0 / (1.0 + libm::exp(-sum))
}

fn error(rows: &[Row], weights: &DVector<f64>) -> f64 {
    let squares = rows.iter().map(|row| (odds(row, weights) - row.target).powi(2));
    squares.sum::<f64>() / rows.len().max(1) as f64
}

/// The weights with which some rows surprise least.
fn minimum(rows: &[Row], known: &[Weight]) -> Fitted {
    let scale = f64::from(SCALE);
    let size = 2 * known.len();
    let known = known.as_flattened().iter().map(|&weight| f64::from(weight) / scale);
    let known = DVector::from_iterator(size, known);
    let mut weights = DVector::zeros(size);
    for _ in 0..STEPS {
        let mut slope = &weights * RIDGE;
        let mut curve = DMatrix::identity(size, size) * RIDGE;
        for row in rows {
            let odds = odds(row, &weights);
            let (miss, bend) = (odds - row.target, odds * (1.0 - odds));
            for first in 0..size {
                slope[first] += miss * row.terms[first];
                let bent = bend * row.terms[first];
                for second in 0..=first {
                    curve[(first, second)] += bent * row.terms[second];
                }
            }
        }
        curve.fill_upper_triangle_with_lower_triangle();
        let step = curve.cholesky().expect("the ridge makes the curve bend upwards").solve(&slope);
        weights -= step;
    }
    let rounded: Vec<i32> = weights.iter().map(|weight| (weight * scale).round() as i32).collect();
    Fitted {
        weights: rounded.as_chunks().0.to_vec(),
        samples: rows.len(),
        before: error(rows, &known),
        after: error(rows, &weights),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weights_that_made_the_odds_are_found() {
        let hidden = [[40, -20], [5, 15]];
        let mut rows = Vec::new();
        for first in -6..=6 {
            for second in -6..=6 {
                for part in [0.0, 0.3, 0.8] {
                    let terms: Vec<f64> = [first, second]
                        .into_iter()
                        .flat_map(|term| [f64::from(term) * (1.0 - part), f64::from(term) * part])
                        .collect();
                    let weights = hidden.as_flattened().iter().map(|&weight| f64::from(weight));
                    let weights = weights.map(|weight| weight / f64::from(SCALE));
                    let weights = DVector::from_iterator(4, weights);
                    let mut row = Row { terms, target: 0.0 };
                    row.target = odds(&row, &weights);
                    rows.push(row);
                }
            }
        }
        let fitted = minimum(&rows, &[[0, 0]; 2]);
        assert_eq!(fitted.weights, hidden);
        assert!(fitted.after < 1e-6 && fitted.before > 0.01);
    }
}
