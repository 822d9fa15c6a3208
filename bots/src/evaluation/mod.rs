//! What a position is worth without looking ahead, in hundredths of a stone.
//!
//! [`Evaluation`] is written by hand and knows every board; [`network`] is learnt and knows 9×5.
//! An [`Evaluator`] is one of them, ready for a search.

mod handwritten;
pub mod network;
mod weight;
mod weights;

use std::sync::Arc;

use fanorona_protocol::rules::{BoardSize, Position};

pub use handwritten::{Between, DEBT_TERMS, Evaluation, RIATRA_TERMS, Terms, Weights};
use network::{Accumulators, Network};
pub use weight::{PHASES, Weight};

/// By which means positions are judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// By the network where there is one for the board, else by hand.
    Network,
    /// By the hand-written evaluation.
    Handwritten,
    /// By the difference of stones alone.
    Material,
}

/// The evaluation of positions of one board size on the lines of a search.
pub struct Evaluator {
    handwritten: Evaluation,
    means: Means,
}

/// What a method needs.
enum Means {
    Network(Arc<Network>, Accumulators),
    Handwritten,
    Material,
}

impl Evaluator {
    /// An evaluation of a board size by some means, for lines of so many plies.
    pub fn new(method: Method, network: &Arc<Network>, size: BoardSize, plies: usize) -> Evaluator {
        let means = match method {
            Method::Network if size == BoardSize::TSIVY => {
                Means::Network(Arc::clone(network), Accumulators::new(plies))
            }
            Method::Network | Method::Handwritten => Means::Handwritten,
            Method::Material => Means::Material,
        };
        Evaluator { handwritten: Evaluation::new(size), means }
    }

    /// The value of a position reached at a ply, from the view of the side to move.
    #[inline]
    pub fn value(&mut self, position: &Position, ply: usize) -> i32 {
        match &mut self.means {
            Means::Network(network, accumulators) => accumulators.value(network, position, ply),
            Means::Handwritten => self.handwritten.value(position),
            Means::Material => Evaluation::material(position),
        }
    }
}
