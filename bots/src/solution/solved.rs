//! The moves that a solution proves in a position. The checker of solutions shares none of this:
//! it must not believe what it checks.

use fanorona_endgames::solution::{Claim, Images, Proof, Solution};
use fanorona_endgames::{Outcome, Tables};
use fanorona_protocol::rules::{Position, Ruleset, Side, raw};

use crate::bot::{RootMove, Task};

/// A solution with the symmetries of its board.
pub(super) struct SolvedGame {
    solution: Solution,
    images: Images,
}

/// The moves that keep what is proven.
pub(super) enum ProvenMoves {
    /// This move wins, in at most this number of plies if that is known.
    Win(RootMove, Option<u32>),
    /// These moves do not lose, in the order of the task: at least one.
    Hold(Vec<RootMove>),
}

impl SolvedGame {
    pub(super) fn new(solution: Solution) -> SolvedGame {
        SolvedGame { images: Images::new(solution.start.board().size()), solution }
    }

    /// The proven moves of a position that the task's game has reached.
    pub(super) fn proven_moves(
        &self,
        position: &Position,
        task: &Task<'_>,
        tables: Option<&Tables>,
    ) -> Option<ProvenMoves> {
        if !self.is_about(position, task.game.rules()) {
            return None;
        }
        let side = position.side_to_move();
        let own = |claim| {
            let mut proofs = self.solution.proofs.iter();
            proofs.find(|proof| proof.side == side && proof.claim == claim)
        };
        let win = own(Claim::Wins).and_then(|proof| self.winning(position, task, proof, tables));
        if win.is_some() {
            return win;
        }
        let proof = own(Claim::Holds)?;
        let mut is_answered = self.has_led_here(proof, task);
        let is_held = |root: &&RootMove| {
            let next = position.apply_unchecked(root.effect);
            match outcome(&next, task.game.rules(), tables, side) {
                Some(outcome) => outcome != Outcome::Loss,
                None => {
                    let is_held = self.rank(proof, &next).is_some();
                    is_answered |= is_held;
                    is_held
                }
            }
        };
        let moves: Vec<RootMove> = task.moves.iter().filter(is_held).copied().collect();
        (is_answered && !moves.is_empty()).then_some(ProvenMoves::Hold(moves))
    }

    /// Whether a position can occur in the solved game. The limits of the rules do not count: a
    /// proof holds without them.
    fn is_about(&self, position: &Position, rules: &Ruleset) -> bool {
        let start = &self.solution.start;
        let mut unlimited = *rules;
        unlimited.repetition = self.solution.rules.repetition;
        unlimited.quiet = self.solution.rules.quiet;
        unlimited.max_plies = self.solution.rules.max_plies;
        unlimited == self.solution.rules
            && position.board().size() == start.board().size()
            && position.debtor() == start.debtor()
    }

    /// The move that wins fastest by the ranks; endings in the tables come last, because their
    /// distance is not part of the ranks.
    fn winning(
        &self,
        position: &Position,
        task: &Task<'_>,
        proof: &Proof,
        tables: Option<&Tables>,
    ) -> Option<ProvenMoves> {
        let is_answered = self.has_led_here(proof, task);
        let rank_after = |root: &RootMove| {
            let next = position.apply_unchecked(root.effect);
            if task
                .game
                .rules()
                .ending(&next)
                .is_some_and(|ending| ending.winner == Some(proof.side))
            {
                return Some(0);
            }
            self.rank(proof, &next).or_else(|| {
                let outcome = outcome(&next, task.game.rules(), tables, proof.side);
                (is_answered && outcome == Some(Outcome::Win)).then_some(u32::MAX)
            })
        };
        let ranked = task.moves.iter().filter_map(|root| Some((rank_after(root)?, *root)));
        let (rank, root) = ranked.min_by_key(|(rank, _)| *rank)?;
        let plies = rank.checked_add(1).filter(|_| self.solution.stones == 0);
        Some(ProvenMoves::Win(root, plies))
    }

    /// Whether the position before the other side's last move is in a set. Then the set has an answer,
    /// perhaps one that only the tables know.
    fn has_led_here(&self, proof: &Proof, task: &Task<'_>) -> bool {
        let before = task.game.history().positions().iter().nth_back(1);
        before.is_some_and(|before| self.rank(proof, before).is_some())
    }

    /// The rank of a position, or of its image, with the other side to move, in a set.
    fn rank(&self, proof: &Proof, position: &Position) -> Option<u32> {
        let board = position.board();
        let [white, black] = Side::BOTH.map(|side| raw::stones(board, side));
        let record = self.images.record(white, black, 0);
        proof.find(record).map(|record| record.rank())
    }
}

/// The outcome of a position for a side, if the game is over there or the tables know it.
fn outcome(
    position: &Position,
    rules: &Ruleset,
    tables: Option<&Tables>,
    side: Side,
) -> Option<Outcome> {
    let winner = match rules.ending(position) {
        Some(ending) => ending.winner,
        None => tables?.outcome(position, rules)?.winner(position.side_to_move()),
    };
    Some(Outcome::from_winner(winner, side))
}
