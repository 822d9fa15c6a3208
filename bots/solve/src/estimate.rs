//! The numbers of a node that the search has not entered yet.
//!
//! The number of nodes that a search needs depends mostly on this estimate. A number is about the logarithm of
//! the odds against the side that needs it, and all moves of the side to move have to be answered, so
//! each of them makes the other side's number larger, as it will be when the node has children.
//!
//! In riatra the stones left after the largest capture tell the odds. In vela they do not, because in
//! phase one the debtor captures stone after stone in any case, and where it has the lead later it
//! may still not win. There the odds are those of the engines' network, on a board that has one.

use fanorona_bots::evaluation::network::{Network, SCALE};
use fanorona_bots::evaluation::{Evaluator, Method};

use super::game::{Goal, Node};
use super::table::Numbers;

/// The unit of the logarithm of odds: `NAT` is a factor of e.
const NAT: i32 = 16;

/// The growth of what a side needs for each factor of e in the odds against it.
const NUMBER_PER_NAT: u32 = 15;

/// The odds of a win grow with the attacker's lead as a share of all stones: `LEAD_WEIGHT` is the
/// logarithm of the odds (in units of [`NAT`]) if there are no other stones. The bias is against the
/// attacker, because most even endings are drawn, and where the other side is to move it is 0.
/// The values are roughly those of the positions that the search has solved on 7x5.
const LEAD_WEIGHT: i32 = 96;
const ATTACKER_BIAS: i32 = 19;

/// Two more moves of the side to move add `PER_TWO_MOVES` to what the other side needs.
const PER_TWO_MOVES: u32 = 3;

/// The same in phase one without a network. Of the values that were tried for it and for
/// [`PER_STONE_TO_PHASE_TWO`], these need the fewest nodes on 5x7 and about the fewest on the smaller
/// boards.
const PER_TWO_MOVES_IN_PHASE_ONE: u32 = 10;

/// The growth of what both sides need for each stone that the debtor has to capture before phase two,
/// without a network.
const PER_STONE_TO_PHASE_TWO: u32 = 2;

/// The network's odds are divided by this. It and the next constants are values that need few nodes
/// in the velas of 5x7 and 7x5.
const NETWORK_DIVISOR: i32 = 2;

/// The network evaluates the position after up to this many plies of largest captures.
const CAPTURES: u32 = 2;

/// Its value for a side without stones, in hundredths of a stone, and the largest of others.
const LOST: i32 = 2000;

/// [`PER_TWO_MOVES`] in phase one with a network.
const PER_TWO_MOVES_WITH_NETWORK: u32 = 22;

/// The bias against the attacker in phase two with a network where the other side is to move.
const NETWORK_BIAS: i32 = 10;

/// Estimates the numbers of nodes.
pub(super) struct Estimator<'g> {
    goal: Goal<'g>,
    /// The network of a vela's board. It keeps the sums of the last position, because the children of
    /// a node differ by few stones.
    network: Option<Evaluator>,
}

impl<'g> Estimator<'g> {
    pub(super) fn new(goal: Goal<'g>) -> Estimator<'g> {
        let size = goal.game.size();
        let has_network = goal.game.start().debtor().is_some() && Network::shipped(size).is_some();
        let network = has_network.then(|| Evaluator::new(Method::Network, None, size, 1));
        Estimator { goal, network }
    }

    /// The numbers of a node.
    #[inline]
    pub(super) fn numbers(&mut self, node: &Node) -> Numbers {
        let phase_one = self.goal.stones_to_phase_two(node);
        let (moves, odds) = match &mut self.network {
            Some(network) => odds_by_network(&self.goal, network, node, phase_one.is_some()),
            None => {
                let (moves, gain) = self.goal.mobility(node);
                (moves, if phase_one.is_some() { 0 } else { odds_by_stones(node, gain) })
            }
        };
        let (way, per_two_moves) = match (phase_one, &self.network) {
            (None, _) => (0, PER_TWO_MOVES),
            (Some(_), Some(_)) => (0, PER_TWO_MOVES_WITH_NETWORK),
            (Some(stones), None) => (PER_STONE_TO_PHASE_TWO * stones, PER_TWO_MOVES_IN_PHASE_ONE),
        };
        let needs =
            |odds_against| 1 + NUMBER_PER_NAT * bent(odds_against) / NAT.unsigned_abs() + way;
        let (proof, disproof) = (needs(-odds), needs(odds));
        let answers = per_two_moves * moves.saturating_sub(1) / 2;
        match node.attacks {
            true => Numbers { proof, disproof: disproof + answers },
            false => Numbers { proof: proof + answers, disproof },
        }
    }
}

/// The number of moves at a node, and the logarithm of the odds that the attacker wins, in units of
/// [`NAT`], by the network.
#[inline]
fn odds_by_network(
    goal: &Goal<'_>,
    network: &mut Evaluator,
    node: &Node,
    phase_one: bool,
) -> (u32, i32) {
    let (moves, position, other_to_move) = goal.after_captures(node, CAPTURES);
    let value = match position.board().count(position.side_to_move()) {
        0 => -LOST,
        _ => network.value(&position, 0).clamp(-LOST, LOST),
    };
    let odds = value * NAT / (NETWORK_DIVISOR * SCALE);
    let odds = if node.attacks == other_to_move { -odds } else { odds };
    (moves, if phase_one || node.attacks { odds } else { odds - NETWORK_BIAS })
}

/// The logarithm of the odds that the attacker wins, in units of [`NAT`], from the stones after the
/// largest capture of the side to move.
fn odds_by_stones(node: &Node, gain: u32) -> i32 {
    let (own, enemy) = (node.own.count_ones(), node.enemy.count_ones() - gain);
    let (lead, bias) = match node.attacks {
        true => (own.cast_signed() - enemy.cast_signed(), ATTACKER_BIAS),
        false => (enemy.cast_signed() - own.cast_signed(), 0),
    };
    LEAD_WEIGHT * lead / (own + enemy).max(1).cast_signed() - bias
}

/// About ln(1 + eˣ) in units of [`NAT`], in integers so that all machines search the same nodes: 0
/// far below 0, x far above, and a parabola in between.
fn bent(x: i32) -> u32 {
    const HALF: i32 = 4 * NAT;
    match x {
        x if x <= -HALF => 0,
        x if x >= HALF => x.unsigned_abs(),
        x => ((x + HALF) * (x + HALF) / (4 * HALF)).unsigned_abs(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Game;
    use fanorona_protocol::rules::{Position, Ruleset, Side, Start, VelaStarter};

    fn numbers(text: &str, attacker: Side) -> Numbers {
        let position: Position = text.parse().unwrap();
        let game = Game::new(position, Ruleset::default(), None);
        let goal = Goal { game: &game, attacker };
        Estimator::new(goal).numbers(&goal.root())
    }

    #[test]
    fn velas_have_the_network_of_their_board() {
        for (board, vela, expected) in
            [("9x5", true, true), ("9x5", false, false), ("5x7", true, true), ("7x3", true, false)]
        {
            let start = Start::Usual(board.parse().unwrap());
            let start = if vela { start.vela(VelaStarter::Debtor) } else { start.riatra() };
            let game = Game::new(start, Ruleset::default(), None);
            let estimator = Estimator::new(Goal { game: &game, attacker: Side::White });
            assert_eq!(estimator.network.is_some(), expected, "{board}");
        }
    }

    #[test]
    fn in_phase_one_a_proof_for_one_side_is_a_disproof_for_the_other() {
        for text in [
            "bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w w",
            "bbbbb/bbbbb/bW1bW/WWWWW/WWWWW b w",
            "bb1bb/b1b1b/bW1bW/WWWWW/W1WWW w w",
            "bb1bb/b1b1b/bW1bW/WWWWW/W1WWW b w",
            "bbb/b1b/bW1/WWW/WWW/W1W/WWW w w",
        ] {
            let [one, other] = Side::BOTH.map(|attacker| numbers(text, attacker));
            assert_eq!((one.proof, one.disproof), (other.disproof, other.proof), "{text}");
        }
    }

    #[test]
    fn the_side_that_is_ahead_is_closer_to_a_win() {
        // Phase two of a vela, and riatra: Black has one stone against five and more.
        for debtor in ["w", "-"] {
            for side_to_move in ["w", "b"] {
                let text = format!("b4/5/4W/1WW1W/WWW2 {side_to_move} {debtor}");
                let (white, black) = (numbers(&text, Side::White), numbers(&text, Side::Black));
                assert!(white.proof < black.proof, "{text}: {white:?} {black:?}");
                assert!(white.disproof > black.disproof, "{text}: {white:?} {black:?}");
            }
        }
    }
}
