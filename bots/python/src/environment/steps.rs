//! One game that is played action by action.

use std::fmt;

use fanorona_protocol::rules::{
    Ending, History, PartialMove, Position, Reason, Ruleset, Side, raw,
};

use super::actions;

/// A game and the move that is being made. Its start, its rules and the actions taken determine it,
/// so they are its whole state.
#[derive(Clone)]
pub(super) struct Steps {
    rules: Ruleset,
    history: History,
    partial: PartialMove,
    /// The actions since the start.
    taken: Vec<u16>,
    /// The legal actions.
    legal: Vec<u16>,
    ending: Option<Ending>,
}

/// The error for actions that are not a game: the first one that is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ReplayError {
    index: usize,
    action: u16,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ReplayError { index, action } = self;
        write!(f, "action {action}, number {} of the game, is not legal there", index + 1)
    }
}

impl Steps {
    /// A game that begins with a position.
    pub(super) fn new(start: Position, rules: Ruleset) -> Steps {
        let history = History::new(start);
        let partial = PartialMove::new(start);
        let ending = history.ending(&rules);
        let legal = Vec::with_capacity(64);
        let mut steps = Steps { rules, history, partial, taken: Vec::new(), legal, ending };
        steps.find_legal();
        steps
    }

    /// A game after these actions. An action that is not legal is an error.
    pub(super) fn replay(
        start: Position,
        rules: Ruleset,
        actions: &[u16],
    ) -> Result<Steps, ReplayError> {
        let mut steps = Steps::new(start, rules);
        for (index, &action) in actions.iter().enumerate() {
            if !steps.legal.contains(&action) {
                return Err(ReplayError { index, action });
            }
            steps.take(action);
        }
        Ok(steps)
    }

    /// Begins again.
    pub(super) fn restart(&mut self, start: Position) {
        self.history = History::new(start);
        self.taken.clear();
        self.begin_move();
    }

    /// The actions since the start.
    pub(super) fn taken(&self) -> &[u16] {
        &self.taken
    }

    /// The game without the move that is being made.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// The move that is being made.
    pub(super) fn partial(&self) -> &PartialMove {
        &self.partial
    }

    /// Returns the number of times that the position before the move that is being made has
    /// occurred, including now.
    pub(super) fn occurrences(&self) -> u32 {
        self.history.occurrences()
    }

    /// The side to act.
    #[inline]
    pub(super) fn player(&self) -> Side {
        self.partial.position().side_to_move()
    }

    /// The legal actions; none if the game is over.
    #[inline]
    pub(super) fn legal(&self) -> &[u16] {
        &self.legal
    }

    /// Returns the ending of the game; `None` while it goes on.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// The side that took the last complete move; `None` before the first.
    pub(super) fn last_player(&self) -> Option<Side> {
        let [.., before, _now] = self.history.positions() else { return None };
        Some(before.side_to_move())
    }

    /// The actions that would be legal if the limit `max-plies` had not ended the game; none if
    /// another rule ended it.
    pub(super) fn legal_without_limit(&self) -> Vec<u16> {
        match self.ending {
            None => self.legal.clone(),
            Some(ending) if ending.reason == Reason::MaxPlies => {
                let mut steps = Vec::new();
                raw::visit_steps(&self.partial, &self.rules, |from, step| {
                    steps.push(raw::step_number(from, step) as u16);
                });
                steps
            }
            Some(_) => Vec::new(),
        }
    }

    /// Takes a legal action. Returns the end of the game if the game ends by it.
    #[inline]
    pub(super) fn take(&mut self, action: u16) -> Option<Ending> {
        debug_assert!(self.legal.contains(&action));
        self.taken.push(action);
        let size = self.partial.position().board().size();
        if usize::from(action) != actions::end_of_move(size) {
            let (from, step) = raw::numbered_step(action.into());
            raw::make_unchecked(&mut self.partial, from, step);
            if step.capture.is_some() {
                self.find_legal();
                if !self.legal.is_empty() {
                    return None;
                }
            }
        }
        self.history.apply_unchecked(self.partial.effect().expect("the move has a step"));
        self.begin_move();
        self.ending
    }

    /// Begins the next move.
    fn begin_move(&mut self) {
        self.partial = PartialMove::new(*self.history.position());
        self.ending = self.history.ending(&self.rules);
        self.find_legal();
    }

    fn find_legal(&mut self) {
        let legal = &mut self.legal;
        legal.clear();
        if self.ending.is_some() {
            return;
        }
        raw::visit_steps(&self.partial, &self.rules, |from, step| {
            legal.push(raw::step_number(from, step) as u16);
        });
        if !legal.is_empty() && self.partial.may_end(&self.rules) {
            let size = self.partial.position().board().size();
            legal.push(actions::end_of_move(size) as u16);
        }
    }
}
