//! Closing a hold: its set goes on through the endings that were left to tables, until it needs
//! smaller tables or none.
//!
//! Every reply of the attacker comes in, and where the defender is to move, one move after which it has
//! not lost by the tables. The set is closed whichever of these moves is taken, but its size depends on
//! the choice. A move into the set costs nothing. Otherwise the move is taken whose replies are
//! answered best by what the set has already: a reply that the set has, or that tables go on knowing,
//! is free, one with an answer in the set costs 1, and any other [`UNANSWERED`]. The last positions
//! found are looked at first, so that the set grows around them.

use std::collections::HashSet;

use fanorona_endgames::Tables;
use fanorona_endgames::solution::{Claim, Images, Proof, Solution};
use fanorona_protocol::rules::Position;

use super::game::{Game, Goal, Node};

/// The cost of a reply without an answer in the set. On 9×5 a cost of 1, and one beside which replies
/// with an answer are free, made larger sets.
const UNANSWERED: u32 = 5;

/// The reason why a solution cannot be closed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CloseError {
    /// It has a set of a side that wins.
    #[error(
        "only holds can be closed, and this solution is of a side that wins: solve the game without tables"
    )]
    Wins,
    /// The solution is wrong, or the tables are not enough.
    #[error("nothing proves that `{0}` is not lost: check the solution with these tables")]
    Unproven(Position),
    /// A record is not a position.
    #[error("it has a record that is not a position of the board: check the solution")]
    NoPosition,
}

/// Closes the sets of a solution, so that it needs tables of `stones` stones (0 or 1 for none) where it
/// needed these. Calls `step` for every position, with the number of positions so far. The result is not
/// checked; [`check`](super::check()) does that.
///
/// # Errors
/// Fails if a side wins, or if the solution or the tables are not sound.
pub fn close(
    solution: &Solution,
    tables: Tables,
    stones: usize,
    mut step: impl FnMut(usize),
) -> Result<Solution, CloseError> {
    let game = Game::new(solution.start, solution.rules, Some(tables));
    let mut proofs = Vec::new();
    for proof in &solution.proofs {
        if proof.claim == Claim::Wins {
            return Err(CloseError::Wins);
        }
        let goal = Goal { game: &game, attacker: !proof.side };
        let mut closing = Closing { goal, stones, members: HashSet::new(), waiting: Vec::new() };
        for record in proof.records() {
            let position = solution.position(*record).ok_or(CloseError::NoPosition)?;
            closing.insert(goal.node(&position));
        }
        let images = Images::new(solution.start.board().size());
        closing.run(&mut step).map_err(|node| {
            let position = solution.position(goal.record(&images, &node, 0));
            CloseError::Unproven(position.expect("a node is of its board"))
        })?;
        let records =
            closing.members.iter().map(|bits| goal.record(&images, &Node::from_bits(*bits), 0));
        proofs.push(Proof::new(proof.side, proof.claim, records.collect()));
    }
    Ok(Solution { stones: if stones > 1 { stones } else { 0 }, proofs, ..solution.clone() })
}

/// A set that is being closed.
struct Closing<'g> {
    goal: Goal<'g>,
    /// The stones of the tables that will be there.
    stones: usize,
    /// The positions, as bits.
    members: HashSet<u128>,
    /// Those that have not been looked at.
    waiting: Vec<Node>,
}

impl Closing<'_> {
    /// Looks at what waits. The error is a position that may be lost.
    fn run(&mut self, step: &mut impl FnMut(usize)) -> Result<(), Node> {
        let (mut children, mut scratch) = (Vec::new(), Scratch::default());
        while let Some(node) = self.waiting.pop() {
            step(self.members.len());
            if let Err(won) = self.goal.expand(&node, &mut children) {
                if won {
                    return Err(node);
                }
            } else if node.attacks {
                for child in &children {
                    if self.goal.known(child) == Some(true) {
                        return Err(node);
                    }
                    self.add(*child);
                }
            } else {
                self.answer(&node, &children, &mut scratch)?;
            }
        }
        Ok(())
    }

    /// Takes a move of the defender into the set, if none of its moves stays there.
    fn answer(
        &mut self,
        node: &Node,
        children: &[Node],
        scratch: &mut Scratch,
    ) -> Result<(), Node> {
        if self.is_answered(children) {
            return Ok(());
        }
        let mut best: Option<(u32, &Node)> = None;
        for child in children.iter().filter(|child| self.goal.known(child) == Some(false)) {
            let most = best.map_or(u32::MAX, |(cost, _)| cost);
            if let Some(cost) = self.cost(child, most, scratch) {
                best = Some((cost, child));
            }
        }
        let (_, child) = best.ok_or(*node)?;
        self.add(*child);
        Ok(())
    }

    /// What a position would bring into the set, if that is less than `most`.
    fn cost(&self, node: &Node, most: u32, scratch: &mut Scratch) -> Option<u32> {
        // Without a reply the defender has won or drawn.
        let _ = self.goal.expand(node, &mut scratch.replies);
        let mut cost = 0;
        for reply in &scratch.replies {
            if !self.is_left(reply) && !self.has(reply) {
                let _ = self.goal.expand(reply, &mut scratch.answers);
                cost += if self.is_answered(&scratch.answers) { 1 } else { UNANSWERED };
            }
            if cost >= most {
                return None;
            }
        }
        Some(cost)
    }

    /// Whether one of the positions after a defender's moves is in the set, or not lost by what is left
    /// to the rules and to tables.
    fn is_answered(&self, children: &[Node]) -> bool {
        children.iter().any(|child| {
            self.has(child) || self.is_left(child) && self.goal.known(child) == Some(false)
        })
    }

    /// Whether the rules or the tables that will be there decide a position.
    fn is_left(&self, node: &Node) -> bool {
        node.own == 0
            || node.enemy == 0
            || node.stones() as usize <= self.stones && self.goal.known(node).is_some()
    }

    fn has(&self, node: &Node) -> bool {
        self.members.contains(&node.to_bits())
    }

    fn add(&mut self, node: Node) {
        if !self.is_left(&node) {
            self.insert(node);
        }
    }

    fn insert(&mut self, node: Node) {
        if self.members.insert(node.to_bits()) {
            self.waiting.push(node);
        }
    }
}

/// Lists that are used again and again.
#[derive(Default)]
struct Scratch {
    replies: Vec<Node>,
    answers: Vec<Node>,
}
