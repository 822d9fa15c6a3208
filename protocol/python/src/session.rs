//! The traditional contest of riatra and vela games.

use fanorona_protocol::rules::{self, SessionRules, Start};
use pyo3::prelude::*;

use crate::position::Position;
use crate::rules::{Rules, RulesLike};
use crate::values::{Outcome, parsed, value_error};

/// The name of a player of a session.
fn name(player: rules::Player) -> &'static str {
    match player {
        rules::Player::First => "first",
        rules::Player::Second => "second",
    }
}

/// The next game of a session.
#[pyclass(frozen, from_py_object, module = "fanorona")]
#[derive(Clone, Copy)]
pub(crate) struct NextGame {
    game: rules::NextGame,
    rules: rules::Ruleset,
    start: Start,
}

#[pymethods]
impl NextGame {
    /// The player with White: `first` or `second`.
    #[getter]
    fn white(&self) -> &'static str {
        name(self.game.white)
    }

    /// The player with Black.
    #[getter]
    fn black(&self) -> &'static str {
        name(!self.game.white)
    }

    /// The player who owes the vela, or `None` for a riatra.
    #[getter]
    fn debtor(&self) -> Option<&'static str> {
        self.game.debtor.map(name)
    }

    /// `riatra` or `vela`.
    #[getter]
    fn kind(&self) -> &'static str {
        if self.game.debtor.is_some() { "vela" } else { "riatra" }
    }

    /// The position in which the game begins.
    #[getter]
    fn position(&self) -> Position {
        let position = match self.game.debtor {
            None => self.start.riatra(),
            Some(_) => self.start.vela(self.rules.vela_starter),
        };
        Position { position, rules: self.rules }
    }

    fn __repr__(&self) -> String {
        format!("<NextGame {}, {} has White>", self.kind(), self.white())
    }
}

/// A session, in progress or over. It never changes; recording a game returns another session.
#[pyclass(frozen, from_py_object, module = "fanorona")]
#[derive(Clone)]
pub(crate) struct Session {
    session: rules::Session,
    rules: rules::Ruleset,
    start: Start,
}

#[pymethods]
impl Session {
    #[new]
    #[pyo3(signature = (*, sets = 3, vela_attempts = 2, replays = 2, board = "tsivy", rules = None))]
    fn new(
        sets: u32,
        vela_attempts: u32,
        replays: u32,
        board: &str,
        rules: Option<RulesLike>,
    ) -> PyResult<Session> {
        if sets == 0 || vela_attempts == 0 {
            return Err(value_error("sets and vela_attempts must be at least 1"));
        }
        let rules = RulesLike::or(rules, rules::Ruleset::default())?;
        let limits = SessionRules { sets, vela_attempts, replays };
        let session = rules::Session::new(limits, rules.vela_starter);
        Ok(Session { session, rules, start: parsed(board)? })
    }

    /// The rules of the games.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.rules)
    }

    /// The next game, or `None` if the session is over.
    #[getter]
    fn next_game(&self) -> Option<NextGame> {
        let game = self.session.next_game()?;
        Some(NextGame { game, rules: self.rules, start: self.start })
    }

    /// The session after the next game has ended.
    #[pyo3(signature = (outcome, /))]
    fn record(&self, outcome: &Outcome) -> PyResult<Session> {
        let over = || value_error("the session is over");
        let game = self.session.next_game().ok_or_else(over)?;
        let mut session = self.session.clone();
        session.record(game.winner(&outcome.0));
        Ok(Session { session, ..*self })
    }

    /// The session after the next game, won by `first`, `second` or, in a draw, by `None`.
    #[pyo3(signature = (winner, /))]
    fn record_winner(&self, winner: Option<&str>) -> PyResult<Session> {
        let winner = match winner {
            None => None,
            Some("first") => Some(rules::Player::First),
            Some("second") => Some(rules::Player::Second),
            Some(other) => {
                return Err(value_error(format!("`{other}` is not first or second")));
            }
        };
        if self.session.is_over() {
            return Err(value_error("the session is over"));
        }
        let mut session = self.session.clone();
        session.record(winner);
        Ok(Session { session, ..*self })
    }

    /// Whether the session is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.session.is_over()
    }

    /// The winner, `first` or `second`; `None` for a draw and while the session goes on.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.session.winner().map(name)
    }

    /// The sets won by the first and the second player, like `(2.0, 0.5)`.
    #[getter]
    fn score(&self) -> (f64, f64) {
        let sets = |player| f64::from(self.session.score().halves(player)) / 2.0;
        (sets(rules::Player::First), sets(rules::Player::Second))
    }

    /// The number of velas played so far.
    #[getter]
    fn velas(&self) -> u32 {
        self.session.velas()
    }

    fn __repr__(&self) -> String {
        format!("<Session {}{}>", self.session.score(), if self.is_over() { ", over" } else { "" })
    }
}
