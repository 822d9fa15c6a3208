//! A game: its rules, its positions and its moves.

use alloc::vec::Vec;

use super::history::History;
use super::legality::IllegalMove;
use super::moves::Move;
use super::outcome::Ending;
use super::position::Position;
use super::ruleset::Ruleset;

/// A game from its start to the present: the rules, every position and every move.
///
/// Repetition and limits end a game, but do not make a move illegal: an analysis may
/// play on after [`Game::ending`] returns an end.
///
/// ```
/// use fanorona_protocol::rules::{Game, Reason, Ruleset};
/// let rules: Ruleset = "repetition=2".parse()?;
/// let mut game = Game::new(rules, "b4/5/5/5/4W w - 0 1".parse()?);
/// for mv in ["e1d1", "a5a4", "d1e1", "a4a5"] {
///     assert_eq!(game.ending(), None);
///     game.play(&mv.parse()?)?;
/// }
/// assert_eq!(game.ending().map(|ending| ending.reason), Some(Reason::Repetition));
///
/// let last = game.undo().expect("four moves were played");
/// assert!(game.legal_moves().contains(&last));
/// assert!(game.play(&"e1e2".parse()?).is_err());
/// assert_eq!(game.moves().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Invariant: the history has one position more than there are moves, and each move leads from one
/// position to the next.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Ruleset,
    history: History,
    moves: Vec<Move>,
}

impl Game {
    /// Creates a game that begins with this position, without a move. The position's count of quiet
    /// plies carries on from there.
    pub fn new(rules: Ruleset, start: Position) -> Game {
        Game { rules, history: History::new(start), moves: Vec::new() }
    }

    /// Returns the rules.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Goes on by other rules, from the present position. The moves so far stay as they are.
    pub fn set_rules(&mut self, rules: Ruleset) {
        self.rules = rules;
    }

    /// Returns the position the game began with.
    pub fn start(&self) -> &Position {
        self.history.start()
    }

    /// Returns the present position.
    pub fn position(&self) -> &Position {
        self.history.position()
    }

    /// Returns every position so far.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Returns the moves played so far.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Returns every legal move of the present position (see [`Position::legal_moves`]).
    pub fn legal_moves(&self) -> Vec<Move> {
        self.position().legal_moves(&self.rules)
    }

    /// Plays a move.
    ///
    /// # Errors
    /// Returns the reason if the move is not legal; the game is then unchanged.
    pub fn play(&mut self, mv: &Move) -> Result<(), IllegalMove> {
        let effect = self.position().effect_of(&self.rules, mv)?;
        self.history.apply_unchecked(effect);
        self.moves.push(*mv);
        Ok(())
    }

    /// Takes back the last move and returns it; `None` at the start of the game.
    pub fn undo(&mut self) -> Option<Move> {
        self.history.undo();
        self.moves.pop()
    }

    /// Returns the end of the game if the rules end it here, else `None` (see
    /// [`History::ending`]).
    pub fn ending(&self) -> Option<Ending> {
        self.history.ending(&self.rules)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Reason, Start};

    fn game(rules: &str, start: &str, moves: &str) -> Game {
        let mut game = Game::new(rules.parse().unwrap(), start.parse().unwrap());
        for mv in moves.split_whitespace() {
            game.play(&mv.parse().unwrap()).unwrap();
        }
        game
    }

    #[test]
    fn an_illegal_move_changes_nothing() {
        let mut game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
        assert_eq!(game.play(&"e2e3".parse().unwrap()), Err(IllegalMove::MustCapture));
        assert_eq!((game.moves().len(), game.history().plies()), (0, 0));
        assert_eq!(*game.position(), Start::TSIVY.riatra());
    }

    #[test]
    fn undo_returns_the_moves_up_to_the_start() {
        let mut game = game("", "b4/5/5/5/4W w - 0 1", "e1d1 a5a4");
        assert_eq!(game.undo(), Some("a5a4".parse().unwrap()));
        assert_eq!(game.undo(), Some("e1d1".parse().unwrap()));
        assert_eq!(game.undo(), None);
        assert_eq!((game.position(), game.history().plies()), (game.start(), 0));
    }

    #[test]
    fn other_rules_act_on_the_present_position() {
        let mut game = game("", "b4/5/5/5/4W w - 0 1", "e1d1 a5a4");
        assert_eq!(game.ending(), None);
        game.set_rules("quiet=2".parse().unwrap());
        assert_eq!(game.ending().map(|ending| ending.reason), Some(Reason::Quiet));
        assert_eq!(game.moves().len(), 2);
    }
}
