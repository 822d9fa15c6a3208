//! The positions of a game so far, which the repetition rule and the limits need.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::Effect;
use super::outcome::{Ending, Reason};
use super::position::Position;
use super::ruleset::Ruleset;

/// The positions of a game from its start to the present, without its rules and moves, which a
/// [`Game`](super::Game) adds.
///
/// The start counts as the first occurrence of its position.
#[derive(Clone, Debug)]
pub struct History {
    /// Every position in order; never empty.
    positions: Vec<Position>,
}

impl History {
    /// Creates the history of a game that begins with this position. The position's count of quiet
    /// plies carries on from there.
    pub fn new(start: Position) -> History {
        History { positions: vec![start] }
    }

    /// Returns the present position.
    pub fn position(&self) -> &Position {
        self.positions.last().expect("a history is never empty")
    }

    /// Returns the position the game began with.
    pub fn start(&self) -> &Position {
        &self.positions[0]
    }

    /// Returns every position in order, from the start to the present.
    pub fn positions(&self) -> &[Position] {
        &self.positions
    }

    /// Returns the number of plies played since the start.
    pub fn plies(&self) -> u32 {
        self.positions.len() as u32 - 1
    }

    /// Adds the position after an effect that the generator returned for the present position. The
    /// effect is not checked (see [`Position::apply_unchecked`]).
    pub fn apply_unchecked(&mut self, effect: Effect) {
        self.positions.push(self.position().apply_unchecked(effect));
    }

    /// Takes back the last move. Returns `false` at the start of the game, where there is none.
    pub fn undo(&mut self) -> bool {
        self.positions.len() > 1 && self.positions.pop().is_some()
    }

    /// Returns how often the present position has occurred in the game, including now.
    pub fn occurrences(&self) -> u32 {
        let now = self.position();
        // A capture cannot be undone, so the last capture separates all earlier positions from the
        // present one.
        let reach = (now.quiet_plies() as usize).saturating_add(1);
        self.positions
            .iter()
            .rev()
            .take(reach)
            .step_by(2)
            .filter(|past| past.key() == now.key() && *past == now)
            .count() as u32
    }

    /// Returns the end of the game if the rules end it here, else `None`. The conditions are
    /// checked in the order of [`Reason::ALL`].
    pub fn ending(&self, rules: &Ruleset) -> Option<Ending> {
        let position = self.position();
        let draw = |reason| Some(Ending { reason, winner: None });
        let reached = |limit: u32, count: u32| limit > 0 && count >= limit;
        if let Some(ending) = rules.ending(position) {
            Some(ending)
        } else if rules.repetition > 0 && reached(rules.repetition, self.occurrences()) {
            draw(Reason::Repetition)
        } else if reached(rules.quiet, position.quiet_plies()) {
            draw(Reason::Quiet)
        } else if reached(rules.max_plies, self.plies()) {
            draw(Reason::MaxPlies)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: &str, moves: &str) -> History {
        let (mut game, rules) = (History::new(start.parse().unwrap()), Ruleset::default());
        for mv in moves.split_whitespace() {
            let effect = game.position().effect_of(&rules, &mv.parse().unwrap()).unwrap();
            game.apply_unchecked(effect);
        }
        game
    }

    fn reason(game: &History, rules: &str) -> Option<Reason> {
        game.ending(&rules.parse().unwrap()).map(|ending| ending.reason)
    }

    #[test]
    fn quiet_plies_continue_from_the_counter_of_the_start() {
        let game = game("b4/5/5/5/4W w - 98 60", "e1d1 a5a4");
        assert_eq!(reason(&game, ""), Some(Reason::Quiet));
        assert_eq!(reason(&game, "quiet=101"), None);
        assert_eq!(reason(&game, "quiet=0"), None);
    }

    #[test]
    fn plies_are_counted_from_the_start_of_the_game() {
        let game = game("b4/5/5/5/4W w - 40 60", "e1d1 a5a4");
        assert_eq!(reason(&game, "max-plies=2"), Some(Reason::MaxPlies));
        assert_eq!(reason(&game, "max-plies=3"), None);
    }

    #[test]
    fn the_start_is_the_first_occurrence() {
        let game = game("b4/5/5/5/4W w - 0 1", "e1d1 a5a4 d1e1 a4a5");
        assert_eq!(game.occurrences(), 2);
        assert_eq!(reason(&game, "repetition=2"), Some(Reason::Repetition));
        assert_eq!(reason(&game, ""), None);
    }

    #[test]
    fn a_win_takes_precedence_over_a_draw() {
        let game = game("b4/5/5/5/4W w - 100 1", "");
        assert_eq!(reason(&game, ""), Some(Reason::Quiet));
        let finished = History::new("5/5/5/5/4W b - 100 1".parse().unwrap());
        assert_eq!(reason(&finished, ""), Some(Reason::NoStones));
    }

    #[test]
    fn undo_stops_at_the_start() {
        let mut game = game("b4/5/5/5/4W w - 0 1", "e1d1");
        assert!(game.undo());
        assert!(!game.undo());
        assert_eq!(game.plies(), 0);
    }
}
