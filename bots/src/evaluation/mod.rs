//! Static evaluation of positions, in hundredths of a stone.
//!
//! [`Evaluation`] is a hand-written formula for every board; [`network`] is a trained network for
//! 9×5. An [`Evaluator`] is one of them, ready for a search.

mod handwritten;
pub mod network;
mod weight;
mod weights;

use std::sync::Arc;

use fanorona_protocol::rules::{BoardSize, Position};

pub use handwritten::{Between, DEBT_TERMS, Evaluation, RIATRA_TERMS, Terms, Weights};
use network::{Accumulators, Network};
pub use weight::{PHASES, Weight};

/// The method of evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// The network on 9×5, the hand-written formula on other boards.
    Network,
    /// The hand-written formula.
    Handwritten,
    /// The difference of stones alone.
    Material,
}

/// Evaluates the positions of one board size on the lines of a search.
pub struct Evaluator(Means);

/// The state of each method.
enum Means {
    Network(Arc<Network>, Accumulators),
    Handwritten(Box<Evaluation>),
    Material,
}

impl Evaluator {
    /// An evaluator for a board size, for lines of up to `plies` plies.
    pub fn new(method: Method, network: &Arc<Network>, size: BoardSize, plies: usize) -> Evaluator {
        let means = match method {
            Method::Network if size == BoardSize::TSIVY => {
                Means::Network(Arc::clone(network), Accumulators::new(plies))
            }
            Method::Network | Method::Handwritten => {
                Means::Handwritten(Box::new(Evaluation::new(size)))
            }
            Method::Material => Means::Material,
        };
        Evaluator(means)
    }

    /// The value of a position at a ply of the search, from the view of the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position, ply: usize) -> i32 {
        match &mut self.0 {
            Means::Network(network, accumulators) => accumulators.value(network, position, ply),
            Means::Handwritten(formula) => formula.value(position),
            Means::Material => Evaluation::material(position),
        }
    }
}
