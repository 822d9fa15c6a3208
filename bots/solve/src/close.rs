//! Closing a hold: its set goes on through the endings that were left to tables, until it needs
//! smaller tables or none.
//!
//! From the start on, after every move of the attacker from a position of the set, the defender needs an
//! answer that leads to the set, or to an end or an ending of the tables that will be there. If it has
//! none, one goes into the set that it has not lost by the given set or by the given tables. The set is
//! closed whichever of these is taken, but its size depends on the choice: it is the one with the fewest
//! replies of the attacker that bring new questions, which are neither answered by the set nor asked
//! already. The last questions are answered first, so that the set grows around them.

use std::collections::HashSet;

use fanorona_endgames::Tables;
use fanorona_endgames::solution::{Claim, Images, Proof, Record, Solution};
use fanorona_protocol::rules::Position;

use super::game::{Game, Goal, Node};

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
        let node = |record: &Record| {
            let position = solution.position(proof.side, *record).ok_or(CloseError::NoPosition)?;
            Ok(goal.node(&position).to_bits())
        };
        let guide = proof.records().iter().map(node).collect::<Result<HashSet<u128>, _>>()?;
        let (members, asked, waiting) = (HashSet::new(), HashSet::new(), Vec::new());
        let mut closing = Closing { goal, stones, guide, members, asked, waiting };
        closing.ask(goal.root());
        let images = Images::new(solution.start.board().size());
        closing.run(&mut step).map_err(|node| {
            let side = if node.attacks { proof.side } else { !proof.side };
            let position = solution.position(side, goal.record(&images, &node, 0));
            CloseError::Unproven(position.expect("a node is of its board"))
        })?;
        let nodes = closing.members.iter().map(|bits| Node::from_bits(*bits));
        let records = nodes.map(|node| goal.record(&images, &node, 0));
        proofs.push(Proof::new(proof.side, proof.claim, records.collect()));
    }
    Ok(Solution { stones: if stones > 1 { stones } else { 0 }, proofs, ..solution.clone() })
}

/// A set that is being closed.
struct Closing<'g> {
    goal: Goal<'g>,
    /// The stones of the tables that will be there.
    stones: usize,
    /// The positions of the given set, as bits.
    guide: HashSet<u128>,
    /// The positions, as bits.
    members: HashSet<u128>,
    /// The start, and what the attacker's moves lead to: answered, or waiting for an answer.
    asked: HashSet<u128>,
    /// The positions of both that have not been looked at.
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
                    self.ask(*child);
                }
            } else {
                self.answer(&node, &children, &mut scratch)?;
            }
        }
        Ok(())
    }

    /// Takes what a move of the defender leads to into the set, if none leads there already.
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
        for child in children.iter().filter(|child| self.is_sound(child)) {
            let most = best.map_or(u32::MAX, |(cost, _)| cost);
            if let Some(cost) = self.cost(child, most, scratch) {
                best = Some((cost, child));
            }
        }
        let (_, child) = best.ok_or(*node)?;
        self.add(*child);
        Ok(())
    }

    /// Counts the new questions that a position would bring with it, if these are fewer than
    /// `most`.
    fn cost(&self, node: &Node, most: u32, scratch: &mut Scratch) -> Option<u32> {
        // Without a reply the defender has won or drawn.
        let _ = self.goal.expand(node, &mut scratch.replies);
        let mut cost = 0;
        for reply in &scratch.replies {
            if !self.is_left(reply) && !self.asked.contains(&reply.to_bits()) {
                let _ = self.goal.expand(reply, &mut scratch.answers);
                cost += u32::from(!self.is_answered(&scratch.answers));
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

    /// Whether the defender has not lost a position with the attacker to move, by what is given.
    fn is_sound(&self, node: &Node) -> bool {
        self.guide.contains(&node.to_bits()) || self.goal.known(node) == Some(false)
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
        if !self.is_left(&node) && self.members.insert(node.to_bits()) {
            self.waiting.push(node);
        }
    }

    /// Lets a position wait for an answer.
    fn ask(&mut self, node: Node) {
        if !self.is_left(&node) && self.asked.insert(node.to_bits()) {
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
