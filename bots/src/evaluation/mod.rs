//! Static evaluation of positions, in hundredths of a stone.
//!
//! [`Evaluation`] is a hand-written formula for every board; a [`network`] is trained for one board
//! size. An [`Evaluator`] is one of them, ready for a search.

mod handwritten;
pub mod network;
mod weight;
mod weights;

use std::sync::Arc;

use fanorona_protocol::rules::{BoardSize, Position};

pub use handwritten::{DEBT_TERMS, Evaluation, PhasePoint, RIATRA_TERMS, Terms, Weights};
use network::{Accumulators, Network};
pub use weight::{PHASES, Weight};

/// The method of evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// A network on boards that have one, the hand-written formula on others.
    Network,
    /// The hand-written formula.
    Handwritten,
    /// The difference of stones alone.
    Material,
}

/// Evaluates the positions of one board size on the lines of a search.
pub struct Evaluator(EvaluatorState);

/// The state of each method.
enum EvaluatorState {
    Network(Arc<Network>, Box<Accumulators>),
    Handwritten(Box<Evaluation>),
    Material,
}

impl Evaluator {
    /// An evaluator for a board size, for lines of up to `plies` plies. The network given here
    /// replaces the built-in one of its board, and of that with columns and rows exchanged.
    pub fn new(
        method: Method,
        network: Option<&Arc<Network>>,
        size: BoardSize,
        plies: usize,
    ) -> Evaluator {
        let network = network.and_then(|network| network.for_board(size));
        let means = match method {
            Method::Network => match network.or_else(|| Network::shipped(size)) {
                Some(network) => {
                    EvaluatorState::Network(network, Box::new(Accumulators::new(plies)))
                }
                None => EvaluatorState::Handwritten(Box::new(Evaluation::new(size))),
            },
            Method::Handwritten => EvaluatorState::Handwritten(Box::new(Evaluation::new(size))),
            Method::Material => EvaluatorState::Material,
        };
        Evaluator(means)
    }

    /// The value of a position at a ply of the search, from the view of the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position, ply: usize) -> i32 {
        match &mut self.0 {
            EvaluatorState::Network(network, accumulators) => {
                accumulators.value(network, position, ply)
            }
            EvaluatorState::Handwritten(formula) => formula.value(position),
            EvaluatorState::Material => Evaluation::material(position),
        }
    }
}
