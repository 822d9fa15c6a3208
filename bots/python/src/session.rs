//! The traditional contest of riatra and vela games.

use fanorona_protocol::rules::{self, SessionRules, Start};
use pyo3::prelude::*;

use crate::position::Position;
use crate::rules::{Rules, RulesLike};
use crate::values::{Outcome, parsed, value_error};

/// The arguments of `_session`.
type SessionParts = ((u32, u32, u32), String, String, Vec<Option<&'static str>>);

/// The name of a player of a session.
fn name(player: rules::Player) -> &'static str {
    match player {
        rules::Player::First => "first",
        rules::Player::Second => "second",
    }
}

/// A player by name.
fn player(name: &str) -> PyResult<rules::Player> {
    match name {
        "first" => Ok(rules::Player::First),
        "second" => Ok(rules::Player::Second),
        other => Err(value_error(format!("`{other}` is not first or second"))),
    }
}

/// The next game of a session.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct NextGame {
    game: rules::NextGame,
    session: Session,
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
        let Session { start, rules, .. } = &self.session;
        let position = match self.game.debtor {
            None => start.riatra(),
            Some(_) => start.vela(rules.vela_starter),
        };
        Position { position, rules: *rules }
    }

    fn __repr__(&self) -> String {
        format!("<NextGame {}, {} has White>", self.kind(), self.white())
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Session, &'static str))> {
        Ok((py.import("builtins")?.getattr("getattr")?, (self.session.clone(), "next_game")))
    }
}

/// A session, in progress or over. It never changes; recording a game returns another session.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Session {
    limits: SessionRules,
    rules: rules::Ruleset,
    start: Start,
    /// The winners of the games so far; `None` for a draw.
    winners: Vec<Option<rules::Player>>,
    /// The state that these winners lead to.
    session: rules::Session,
}

impl Session {
    /// A session that has not begun.
    fn begin(limits: SessionRules, start: Start, rules: rules::Ruleset) -> PyResult<Session> {
        if limits.sets == 0 || limits.vela_attempts == 0 {
            return Err(value_error("sets and vela_attempts must be at least 1"));
        }
        let session = rules::Session::new(limits, rules.vela_starter);
        Ok(Session { limits, rules, start, winners: Vec::new(), session })
    }

    /// The session after the next game.
    fn after(&self, winner: Option<rules::Player>) -> PyResult<Session> {
        if self.session.is_over() {
            return Err(value_error("the session is over"));
        }
        let mut after = self.clone();
        after.session.record(winner);
        after.winners.push(winner);
        Ok(after)
    }
}

/// A session from its limits, board, rules and the winners of its games, for pickle.
#[pyfunction]
pub(crate) fn _session(
    limits: (u32, u32, u32),
    board: &str,
    rules: &str,
    winners: Vec<Option<String>>,
) -> PyResult<Session> {
    let (sets, vela_attempts, replays) = limits;
    let limits = SessionRules { sets, vela_attempts, replays };
    let session = Session::begin(limits, parsed(board)?, parsed(rules)?)?;
    winners.iter().try_fold(session, |session, winner| {
        session.after(winner.as_deref().map(player).transpose()?)
    })
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
        let rules = RulesLike::or(rules, rules::Ruleset::default())?;
        Session::begin(SessionRules { sets, vela_attempts, replays }, parsed(board)?, rules)
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
        Some(NextGame { game, session: self.clone() })
    }

    /// The session after the next game has ended.
    #[pyo3(signature = (outcome, /))]
    fn record(&self, outcome: &Outcome) -> PyResult<Session> {
        let game = self.session.next_game();
        self.after(game.and_then(|game| game.winner(&outcome.0)))
    }

    /// The session after the next game, won by `first`, `second` or, in a draw, by `None`.
    #[pyo3(signature = (winner, /))]
    fn record_winner(&self, winner: Option<&str>) -> PyResult<Session> {
        self.after(winner.map(player).transpose()?)
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

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, SessionParts)> {
        let SessionRules { sets, vela_attempts, replays } = self.limits;
        let winners = self.winners.iter().map(|winner| winner.map(name)).collect();
        let rebuild = py.import("fanorona._core")?.getattr("_session")?;
        let limits = (sets, vela_attempts, replays);
        Ok((rebuild, (limits, self.start.to_string(), self.rules.to_string(), winners)))
    }
}
