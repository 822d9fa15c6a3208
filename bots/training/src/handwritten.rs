//! Fitting the weights of the hand-written evaluation: logistic regression.
//!
//! The fit minimises the cross-entropy between the targets (as for the network, a mix of the
//! search's score and the game's result) and the win probabilities of the formula. A weight is a
//! number for each phase, interpolated between phases. Newton's method finds the minimum, which is
//! unique, without random numbers.

use fanorona_protocol::rules::{BoardSize, Side};
use nalgebra::{DMatrix, DVector};

use super::sample::Sample;
use super::target::{sigmoid, target};
use fanorona_bots::evaluation::network::SCALE;
use fanorona_bots::evaluation::{
    DEBT_TERMS, Evaluation, PHASES, PhasePoint, RIATRA_TERMS, Terms, Weight, Weights,
};

/// The maximum number of steps of Newton's method; it converges in fewer.
const MAX_STEPS: usize = 15;

/// The fit ends at a step that changes every weight by less than this, in hundredths of a stone.
const TOLERANCE: f64 = 0.05;

/// Ridge regularization, which bounds the weights of terms that hardly ever differ: the penalty for
/// half the square of a weight, in samples.
const RIDGE: f64 = 3.0;

/// The penalty for half the square of the difference of a term's weights in neighbouring phases.
const SMOOTHNESS: f64 = 300.0;

/// Fits the weights on samples of a board size. Riatra uses only samples without a capture: where a capture
/// is compulsory, a search plays it instead of using the evaluation. `search` is the weight of the
/// search's score in a target.
pub fn fit(board: BoardSize, samples: &[Sample], search: f32) -> Weights {
    let evaluation = Evaluation::new(board);
    let (mut riatra, mut debt) = (Vec::new(), Vec::new());
    for sample in samples {
        let position = sample.position(board);
        let (phase, target) = (evaluation.phase(&position), target(sample, search));
        match evaluation.terms(&position) {
            Terms::Riatra(_) if sample.capture => {}
            Terms::Riatra(terms) => riatra.push(Row::new(terms, phase, target)),
            Terms::Debt(terms, debtor) => {
                let target = if debtor == Side::White { target } else { 1.0 - target };
                debt.push(Row::new(terms, phase, target));
            }
        }
    }
    Weights { riatra: fit_weights(&riatra), debt: fit_weights(&debt) }
}

/// The mean squared error of the formula with some weights on samples.
pub fn error(board: BoardSize, weights: &Weights, samples: &[Sample], search: f32) -> f32 {
    let evaluation = Evaluation::with(weights, board);
    let squares: f64 = samples
        .iter()
        .map(|sample| {
            let value = evaluation.value(&sample.position(board));
            let residual = sigmoid(value as f32 / SCALE as f32) - target(sample, search);
            f64::from(residual * residual)
        })
        .sum();
    (squares / samples.len().max(1) as f64) as f32
}

/// The weights as Rust source, for `bots/src/evaluation/weights.rs`.
pub fn source(weights: &Weights) -> String {
    let table = |name: &str, terms: &[&str], weights: &[Weight]| {
        let mut text = format!("pub(super) const {name}: [Weight; {}] = [\n", terms.len());
        for (term, weight) in terms.iter().zip(weights) {
            let numbers = weight.map(|number| format!("{number:5}")).join(", ");
            text += &format!("    [{numbers}], // {term}\n");
        }
        text + "];\n"
    };
    format!(
        "//! The weights of the hand-written evaluation, written by `training handwritten`. The games it\n\
         //! learned them from are in `bots/training/TRAINING.md`. Each line has the weights of a term by\n\
         //! phase, in hundredths of a stone.\n\n\
         use super::weight::Weight;\n\n\
         /// The weights of the terms of riatra, from few stones to many.\n\
         #[rustfmt::skip]\n{}\n\
         /// The weights of the terms of the first phase of vela, from its end to its beginning.\n\
         #[rustfmt::skip]\n{}",
        table("RIATRA", &RIATRA_TERMS, &weights.riatra),
        table("DEBT", &DEBT_TERMS, &weights.debt),
    )
}

/// A sample of the regression.
struct Row<const N: usize> {
    terms: [f32; N],
    phase: PhasePoint,
    target: f32,
}

impl<const N: usize> Row<N> {
    fn new(terms: [i32; N], phase: PhasePoint, target: f32) -> Row<N> {
        let mut terms = terms.map(|term| term as f32);
        // The first term is in hundredths.
        terms[0] /= 100.0;
        Row { terms, phase, target }
    }

    /// The factors of the terms in the first phase and in the next one.
    fn parts(&self) -> [f64; 2] {
        [1.0 - self.phase.part, self.phase.part]
    }

    /// The indices of the first weights of the two phases.
    fn places(&self) -> [usize; 2] {
        [self.phase.phase * N, (self.phase.phase + 1) * N]
    }

    /// The win probability under some weights.
    fn probability(&self, weights: &[f64]) -> f64 {
        let mut sum = 0.0;
        for (part, place) in self.parts().into_iter().zip(self.places()) {
            let products = self.terms.iter().zip(&weights[place..place + N]);
            sum += part * products.map(|(&term, weight)| f64::from(term) * weight).sum::<f64>();
        }
        1.0 / (1.0 + libm::exp(-sum))
    }
}

/// The weights that minimise the cross-entropy of some rows.
fn fit_weights<const N: usize>(rows: &[Row<N>]) -> [Weight; N] {
    let size = PHASES * N;
    let scale = f64::from(SCALE);
    let mut weights = DVector::<f64>::zeros(size);
    for _ in 0..MAX_STEPS {
        let mut gradient = &weights * RIDGE;
        let mut hessian = DMatrix::from_diagonal_element(size, size, RIDGE);
        // A term's weights in neighbouring phases should not differ without need.
        for (index, next) in (N..size).enumerate() {
            let change = SMOOTHNESS * (weights[next] - weights[index]);
            gradient[index] -= change;
            gradient[next] += change;
            hessian[(index, index)] += SMOOTHNESS;
            hessian[(next, next)] += SMOOTHNESS;
            hessian[(next, index)] -= SMOOTHNESS;
        }
        for row in rows {
            let probability = row.probability(weights.as_slice());
            let (residual, variance) =
                (probability - f64::from(row.target), probability * (1.0 - probability));
            let terms = row.terms.map(f64::from);
            let (parts, places) = (row.parts(), row.places());
            for (&part, &place) in parts.iter().zip(&places) {
                for (index, term) in terms.iter().enumerate() {
                    gradient[place + index] += residual * part * term;
                    // Only the lower left half is read.
                    for (&other_part, &other) in parts.iter().zip(&places) {
                        if other <= place {
                            let weighted = variance * part * other_part * term;
                            for (column, term) in terms.iter().enumerate() {
                                hessian[(place + index, other + column)] += weighted * term;
                            }
                        }
                    }
                }
            }
        }
        let step =
            hessian.cholesky().expect("the ridge makes it positive definite").solve(&gradient);
        weights -= &step;
        if step.iter().all(|step| step.abs() * scale < TOLERANCE) {
            break;
        }
    }
    std::array::from_fn(|term| {
        std::array::from_fn(|phase| (weights[phase * N + term] * scale).round() as i32)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fit_recovers_known_weights() {
        let hidden: [Weight; 2] = [[40, -20, 5, 80, 0], [5, 15, -30, 10, 60]];
        let scale = f64::from(SCALE);
        let hidden_weights: Vec<f64> = (0..PHASES)
            .flat_map(|phase| hidden.map(|weight| f64::from(weight[phase]) / scale))
            .collect();
        let mut rows = Vec::new();
        for phase in 0..PHASES - 1 {
            for part in [0.0, 0.3, 0.8, 1.0] {
                for first in -20..=20 {
                    for second in -20..=20 {
                        let phase = PhasePoint { phase, part };
                        let mut row = Row::new([100 * first, second], phase, 0.0);
                        row.target = row.probability(&hidden_weights) as f32;
                        rows.push(row);
                    }
                }
            }
        }
        // Except for the small effect of the smoothness penalty.
        for (found, hidden) in fit_weights(&rows).as_flattened().iter().zip(hidden.as_flattened()) {
            assert!((found - hidden).abs() <= 2, "{found} instead of {hidden}");
        }
    }

    #[test]
    fn the_shipped_weights_equal_their_source() {
        let file = include_str!("../../src/evaluation/weights.rs");
        assert_eq!(file, source(&Weights::SHIPPED));
    }
}
