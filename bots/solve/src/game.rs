//! The question: can one side, the attacker, force a win of a game?
//!
//! The answers to both questions, White's and Black's, settle the value of a game: a side that can
//! force a win wins, and if neither can, the game is a draw. Endless play is a draw, so it answers
//! a question with no.

use fanorona_endgames::solution::{Images, Record};
use fanorona_endgames::{Outcome, Symmetries, Tables};
use fanorona_protocol::rules::{
    BoardSize, CREDITOR_STONES_IN_PHASE_TWO, Effect, Position, Ruleset, Side, raw,
};

/// A game to solve: its start, its rules, and the endgame tables.
///
/// The limits of the rules (repetition, quiet plies, total plies) do not apply: they would make the
/// value of a position depend on its history.
pub struct Game {
    start: Position,
    rules: Ruleset,
    tables: Option<Tables>,
    symmetries: Symmetries,
}

impl Game {
    /// The game from a position. The tables must be for its board.
    pub fn new(start: Position, rules: Ruleset, tables: Option<Tables>) -> Game {
        let size = start.board().size();
        assert!(tables.as_ref().is_none_or(|tables| tables.board() == size), "one board");
        Game { start, rules, tables, symmetries: Symmetries::new(size) }
    }

    /// The start of the game.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The rules of the game.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// The endgame tables.
    pub fn tables(&self) -> Option<&Tables> {
        self.tables.as_ref()
    }

    /// The maximum number of stones in the tables; 0 without tables.
    pub fn stones(&self) -> usize {
        self.tables.as_ref().map_or(0, Tables::stones)
    }

    pub(super) fn size(&self) -> BoardSize {
        self.start.board().size()
    }

    /// The smallest image of a position: by the stones of the side to move, then by the other's.
    #[inline]
    fn fold(&self, own: u64, enemy: u64) -> (u64, u64) {
        let mut least = (own, enemy);
        for symmetry in 1..self.symmetries.count() {
            let image = self.symmetries.image(symmetry, own);
            if image <= least.0 {
                least = least.min((image, self.symmetries.image(symmetry, enemy)));
            }
        }
        least
    }
}

/// A position of a question, which represents all its images. The colour of a stone does not
/// matter, only whether it belongs to the attacker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Node {
    /// Stones of the side to move.
    pub(super) own: u64,
    /// Stones of the other side.
    pub(super) enemy: u64,
    /// Whether the attacker is to move.
    pub(super) attacks: bool,
}

impl Node {
    /// The node as a number of 91 bits, for files.
    pub(super) fn to_bits(self) -> u128 {
        u128::from(self.own) | u128::from(self.enemy) << 45 | u128::from(self.attacks) << 90
    }

    /// The node of [`Node::to_bits`]; further bits do not matter.
    pub(super) fn from_bits(bits: u128) -> Node {
        let stones = |bits: u128| bits as u64 & ((1 << 45) - 1);
        Node { own: stones(bits), enemy: stones(bits >> 45), attacks: bits >> 90 & 1 == 1 }
    }

    /// Stones of both sides.
    #[inline]
    pub(super) fn stones(&self) -> u32 {
        (self.own | self.enemy).count_ones()
    }

    /// The stones of the attacker and of the other side.
    pub(super) fn sides(&self) -> (u64, u64) {
        if self.attacks { (self.own, self.enemy) } else { (self.enemy, self.own) }
    }
}

/// A game, and the attacker, whose forced win is in question.
#[derive(Clone, Copy)]
pub(super) struct Goal<'g> {
    pub(super) game: &'g Game,
    pub(super) attacker: Side,
}

impl Goal<'_> {
    /// The first position of the game.
    pub(super) fn root(&self) -> Node {
        self.node(&self.game.start)
    }

    /// The node of a position of the game.
    pub(super) fn node(&self, position: &Position) -> Node {
        let (board, side) = (position.board(), position.side_to_move());
        let (own, enemy) = self.game.fold(raw::stones(board, side), raw::stones(board, !side));
        Node { own, enemy, attacks: side == self.attacker }
    }

    /// The record of a node with a rank.
    pub(super) fn record(&self, images: &Images, node: &Node, rank: u32) -> Record {
        let (attacker, other) = node.sides();
        let (white, black) =
            if self.attacker == Side::White { (attacker, other) } else { (other, attacker) };
        images.record(white, black, rank)
    }

    /// The position of a node with White to move, whichever side that is in the game.
    fn position(&self, node: &Node) -> Position {
        let board = raw::board(node.own, node.enemy, self.game.size());
        let position = Position::from_board(board.expect("a node is of its board"));
        match self.game.start.debtor() {
            None => position,
            Some(debtor) => {
                let to_move = if (debtor == self.attacker) == node.attacks {
                    Side::White
                } else {
                    Side::Black
                };
                position.with_debtor(Some(to_move))
            }
        }
    }

    /// In phase one of a vela, the number of stones that the debtor still has to capture before
    /// phase two begins.
    #[inline]
    pub(super) fn stones_to_phase_two(&self, node: &Node) -> Option<u32> {
        let debtor = self.game.start.debtor()?;
        let debtor_moves = (debtor == self.attacker) == node.attacks;
        let creditor = if debtor_moves { node.enemy } else { node.own }.count_ones();
        creditor.checked_sub(CREDITOR_STONES_IN_PHASE_TWO).filter(|&stones| stones > 0)
    }

    /// Whether the attacker wins, if the tables know the node or a side has no stones.
    #[inline]
    pub(super) fn known(&self, node: &Node) -> Option<bool> {
        if node.own == 0 || node.enemy == 0 {
            return Some((node.own == 0) != node.attacks);
        }
        let tables = self.game.tables.as_ref()?;
        if node.stones() as usize > tables.stones() {
            return None;
        }
        let decisive = if node.attacks { Outcome::Win } else { Outcome::Loss };
        Some(tables.outcome(&self.position(node), &self.game.rules)? == decisive)
    }

    /// The number of moves at a node, and the most stones that one of them captures.
    #[inline]
    pub(super) fn mobility(&self, node: &Node) -> (u32, u32) {
        let (moves, largest) = self.largest_capture(&self.position(node));
        (moves, largest.map_or(0, Effect::gain))
    }

    /// The number of moves at a node, the position after at most some plies (one or more) of largest
    /// captures, and whether the other side is to move there. Where captures end, the plies do.
    #[inline]
    pub(super) fn after_captures(&self, node: &Node, most: u32) -> (u32, Position, bool) {
        let mut position = self.position(node);
        let (moves, mut largest) = self.largest_capture(&position);
        let mut plies = 0;
        while let Some(effect) = largest {
            position = position.apply_unchecked(effect);
            plies += 1;
            largest = if plies < most { self.largest_capture(&position).1 } else { None };
        }
        (moves, position, plies % 2 == 1)
    }

    /// The number of moves at a position, and the first of the largest captures.
    #[inline]
    fn largest_capture(&self, position: &Position) -> (u32, Option<Effect>) {
        let (mut moves, mut gain, mut largest) = (0, 0, None);
        position.visit_effects(&self.game.rules, |effect| {
            moves += 1;
            if effect.gain() > gain {
                (gain, largest) = (effect.gain(), Some(effect));
            }
        });
        (moves, largest)
    }

    /// All nodes one move away, each once. Without a legal move, the error is whether the attacker
    /// has won.
    pub(super) fn expand(&self, node: &Node, children: &mut Vec<Node>) -> Result<(), bool> {
        children.clear();
        let position = self.position(node);
        position.visit_effects(&self.game.rules, |effect| {
            let own = node.enemy & !raw::captured(effect);
            let enemy = node.own ^ raw::moved(effect);
            let (own, enemy) = self.game.fold(own, enemy);
            children.push(Node { own, enemy, attacks: !node.attacks });
        });
        if children.is_empty() {
            let ending = self.game.rules.ending(&position).expect("no move is an end");
            let to_move_wins = ending.winner.map(|winner| winner == Side::White);
            return Err(to_move_wins == Some(node.attacks));
        }
        children.sort_unstable();
        children.dedup();
        Ok(())
    }
}
