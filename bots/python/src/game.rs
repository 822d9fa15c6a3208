//! A game: its moves so far, with the history that the repetition rule needs.

use std::sync::Arc;

use fanorona_protocol::rules::{self, History, Opening};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyType};

use crate::position::{Position, PositionLike, illegal};
use crate::rules::{Rules, RulesLike};
use crate::values::{Move, MoveLike, Outcome, Side, parsed};

/// A game: where it began and every move since. It never changes; playing returns another game.
#[pyclass(frozen, from_py_object, module = "fanorona")]
#[derive(Clone)]
pub(crate) struct Game {
    record: Arc<Record>,
}

/// The content of a game.
#[derive(Clone)]
struct Record {
    rules: rules::Ruleset,
    history: History,
    /// One move for every position but the first.
    moves: Vec<rules::Move>,
}

impl Record {
    fn play(&mut self, mv: rules::Move) -> PyResult<()> {
        self.history.play(&self.rules, &mv).map_err(|why| illegal(&mv, &why))?;
        self.moves.push(mv);
        Ok(())
    }
}

impl Game {
    /// The history of the game.
    pub(crate) fn history(&self) -> &History {
        &self.record.history
    }

    /// The rules of the game.
    pub(crate) fn ruleset(&self) -> &rules::Ruleset {
        &self.record.rules
    }

    fn with(&self, change: impl FnOnce(&mut Record) -> PyResult<()>) -> PyResult<Game> {
        let mut record = Record::clone(&self.record);
        change(&mut record)?;
        Ok(Game { record: Arc::new(record) })
    }

    fn wrap(&self, position: &rules::Position) -> Position {
        Position { position: *position, rules: self.record.rules }
    }
}

/// Reads moves from a text or from an iterable of moves and texts.
fn moves_of(given: &Bound<'_, PyAny>) -> PyResult<Vec<rules::Move>> {
    if let Ok(text) = given.cast::<PyString>() {
        return text.to_str()?.split_whitespace().map(parsed).collect();
    }
    given.try_iter()?.map(|mv| mv?.extract::<MoveLike>()?.get()).collect()
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (start = None, moves = None, *, rules = None))]
    fn new(
        start: Option<PositionLike>,
        moves: Option<&Bound<'_, PyAny>>,
        rules: Option<RulesLike>,
    ) -> PyResult<Game> {
        let start = Position::from_arguments(start, rules)?;
        let history = History::new(start.position);
        let mut record = Record { rules: start.rules, history, moves: Vec::new() };
        for mv in moves.map(moves_of).transpose()?.unwrap_or_default() {
            record.play(mv)?;
        }
        Ok(Game { record: Arc::new(record) })
    }

    /// The present position.
    #[getter]
    fn position(&self) -> Position {
        self.wrap(self.history().position())
    }

    /// The position the game began with.
    #[getter]
    fn start(&self) -> Position {
        self.wrap(self.history().start())
    }

    /// Every position in order, from the start to the present one.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.history().positions().iter().map(|position| self.wrap(position)).collect()
    }

    /// The moves played so far.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        self.record.moves.iter().copied().map(Move).collect()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.record.rules)
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> Side {
        self.history().position().side_to_move().into()
    }

    /// Every legal move of the present position.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        let moves = self.history().position().legal_moves(&self.record.rules);
        moves.into_iter().map(Move).collect()
    }

    /// The name of the opening, if the game began with one of White's five captures on 9x5.
    #[getter]
    fn opening(&self) -> Option<&'static str> {
        let first = self.record.moves.first()?;
        Opening::from_game(self.history().start(), first).map(Opening::name)
    }

    /// How often the present position has occurred in the game, including now.
    #[getter]
    fn occurrences(&self) -> u32 {
        self.history().occurrences()
    }

    /// The game after a move.
    #[pyo3(signature = (mv, /))]
    fn play(&self, mv: MoveLike) -> PyResult<Game> {
        let mv = mv.get()?;
        self.with(|record| record.play(mv))
    }

    /// The game before the last `plies` moves.
    #[pyo3(signature = (plies = 1))]
    fn back(&self, plies: usize) -> PyResult<Game> {
        if plies > self.record.moves.len() {
            let why = format!("the game has {} moves, not {plies}", self.record.moves.len());
            return Err(PyIndexError::new_err(why));
        }
        self.with(|record| {
            for _ in 0..plies {
                record.history.undo();
                record.moves.pop();
            }
            Ok(())
        })
    }

    /// The end of the game by the rules, repetition and limits included, else `None`.
    fn outcome(&self) -> Option<Outcome> {
        self.history().ending(&self.record.rules).map(Outcome)
    }

    /// Whether the game is over by the rules.
    #[getter]
    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The protocol's command that sets up the game: `position … moves …`.
    #[getter]
    fn command(&self) -> String {
        let start = self.history().start();
        let text = start.to_string();
        let usual = text == rules::Position::start(rules::BoardSize::TSIVY).to_string();
        let mut line =
            if usual { "position startpos".to_owned() } else { format!("position fen {text}") };
        if !self.record.moves.is_empty() {
            line += " moves";
        }
        for mv in &self.record.moves {
            line += &format!(" {mv}");
        }
        line
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let moves = self.record.moves.len();
        let Some(last) = self.record.moves.last() else { return self.position().svg(None, 480) };
        let before = self.wrap(&self.history().positions()[moves - 1]);
        before.svg(Some(MoveLike::Move(Move(*last))), 480)
    }

    fn __len__(&self) -> usize {
        self.record.moves.len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Game) -> bool {
        let (one, other) = (&self.record, &other.record);
        let starts = [one, other].map(|record| record.history.start().to_string());
        starts[0] == starts[1] && one.moves == other.moves && one.rules == other.rules
    }

    fn __hash__(&self) -> u64 {
        let key = self.history().position().key();
        key.rotate_left(self.record.moves.len() as u32)
    }

    fn __repr__(&self) -> String {
        let moves: Vec<_> = self.record.moves.iter().map(rules::Move::to_string).collect();
        let rules = match self.record.rules == rules::Ruleset::default() {
            true => String::new(),
            false => format!(", rules='{}'", self.record.rules),
        };
        format!("Game('{}', '{}'{rules})", self.history().start(), moves.join(" "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Position, Vec<Move>)) {
        (py.get_type::<Game>(), (self.start(), self.moves()))
    }
}
