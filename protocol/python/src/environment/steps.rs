//! One game that is played action by action.

use fanorona_protocol::rules::{Ending, History, PartialMove, Position, Ruleset, Side, Step};

use super::actions;

/// A game and the move that is being made.
pub(super) struct Steps {
    rules: Ruleset,
    history: History,
    partial: PartialMove,
    /// The legal actions.
    legal: Vec<u16>,
    ending: Option<Ending>,
}

impl Steps {
    /// A game that begins with a position.
    pub(super) fn new(start: Position, rules: Ruleset) -> Steps {
        let history = History::new(start);
        let partial = PartialMove::new(start);
        let ending = history.ending(&rules);
        let mut steps = Steps { rules, history, partial, legal: Vec::with_capacity(64), ending };
        steps.find_legal();
        steps
    }

    /// Begins again.
    pub(super) fn restart(&mut self, start: Position) {
        self.history = History::new(start);
        self.begin_move();
    }

    /// The game without the move that is being made.
    pub(super) fn history(&self) -> &History {
        &self.history
    }

    /// The move that is being made.
    pub(super) fn partial(&self) -> &PartialMove {
        &self.partial
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

    /// How the game has ended.
    pub(super) fn ending(&self) -> Option<Ending> {
        self.ending
    }

    /// Takes a legal action. Returns the end of the game if the game ends by it.
    #[inline]
    pub(super) fn take(&mut self, action: u16) -> Option<Ending> {
        debug_assert!(self.legal.contains(&action));
        let size = self.partial.position().board().size();
        if usize::from(action) != actions::end_of_move(size) {
            let (from, step) = Step::of_number(action.into());
            self.partial.make_unchecked(from, step);
            if step.capture.is_some() {
                self.find_legal();
                if !self.legal.is_empty() {
                    return None;
                }
            }
        }
        self.history.play_unchecked(self.partial.effect().expect("the move has a step"));
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
        self.partial.visit_steps(&self.rules, |from, step| legal.push(step.number(from) as u16));
        if !legal.is_empty() && self.partial.may_end(&self.rules) {
            let size = self.partial.position().board().size();
            legal.push(actions::end_of_move(size) as u16);
        }
    }
}
