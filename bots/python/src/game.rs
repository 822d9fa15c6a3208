//! A game: its moves so far, with the history that the repetition rule needs.

use std::sync::Arc;

use fanorona_protocol::rules::{self, Opening};
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
    game: Arc<rules::Game>,
}

impl Game {
    /// The game itself.
    pub(crate) fn get(&self) -> &rules::Game {
        &self.game
    }

    fn wrap(&self, position: &rules::Position) -> Position {
        Position { position: *position, rules: *self.game.rules() }
    }
}

/// Plays a move, or raises the reason why it is not legal.
fn play(game: &mut rules::Game, mv: &rules::Move) -> PyResult<()> {
    game.play(mv).map_err(|why| illegal(mv, &why))
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
        let mut game = rules::Game::new(start.rules, start.position);
        for mv in moves.map(moves_of).transpose()?.unwrap_or_default() {
            play(&mut game, &mv)?;
        }
        Ok(Game { game: Arc::new(game) })
    }

    /// The present position.
    #[getter]
    fn position(&self) -> Position {
        self.wrap(self.game.position())
    }

    /// The position the game began with.
    #[getter]
    fn start(&self) -> Position {
        self.wrap(self.game.start())
    }

    /// Every position in order, from the start to the present one.
    #[getter]
    fn positions(&self) -> Vec<Position> {
        self.game.history().positions().iter().map(|position| self.wrap(position)).collect()
    }

    /// The moves played so far.
    #[getter]
    fn moves(&self) -> Vec<Move> {
        self.game.moves().iter().copied().map(Move).collect()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(*self.game.rules())
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> Side {
        self.game.position().side_to_move().into()
    }

    /// Every legal move of the present position.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        self.game.legal_moves().into_iter().map(Move).collect()
    }

    /// The name of the opening, if the game began with one of White's five captures on 9x5.
    #[getter]
    fn opening(&self) -> Option<&'static str> {
        let first = self.game.moves().first()?;
        Opening::from_game(self.game.start(), first).map(Opening::name)
    }

    /// The number of times that the present position has occurred in the game, including now.
    #[getter]
    fn occurrences(&self) -> u32 {
        self.game.history().occurrences()
    }

    /// The game after a move.
    #[pyo3(signature = (mv, /))]
    fn play(&self, mv: MoveLike) -> PyResult<Game> {
        let mut game = rules::Game::clone(&self.game);
        play(&mut game, &mv.get()?)?;
        Ok(Game { game: Arc::new(game) })
    }

    /// The game before the last `plies` moves.
    #[pyo3(signature = (plies = 1))]
    fn back(&self, plies: usize) -> PyResult<Game> {
        let moves = self.game.moves().len();
        if plies > moves {
            return Err(PyIndexError::new_err(format!("the game has {moves} moves, not {plies}")));
        }
        let mut game = rules::Game::clone(&self.game);
        (0..plies).for_each(|_| _ = game.undo());
        Ok(Game { game: Arc::new(game) })
    }

    /// The end of the game by the rules, repetition and limits included, else `None`.
    fn outcome(&self) -> Option<Outcome> {
        self.game.ending().map(Outcome)
    }

    /// Whether the game is over by the rules.
    #[getter]
    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The protocol's command that sets up the game: `position … moves …`.
    #[getter]
    fn command(&self) -> String {
        let start = self.game.start();
        let text = start.to_string();
        let usual = text == rules::Position::start(rules::BoardSize::TSIVY).to_string();
        let mut line =
            if usual { "position startpos".to_owned() } else { format!("position fen {text}") };
        if !self.game.moves().is_empty() {
            line += " moves";
        }
        for mv in self.game.moves() {
            line += &format!(" {mv}");
        }
        line
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let Some(last) = self.game.moves().last() else { return self.position().svg(None, 480) };
        let before = self.wrap(&self.game.history().positions()[self.game.moves().len() - 1]);
        before.svg(Some(MoveLike::Move(Move(*last))), 480)
    }

    fn __len__(&self) -> usize {
        self.game.moves().len()
    }

    fn __bool__(&self) -> bool {
        true
    }

    fn __eq__(&self, other: &Game) -> bool {
        let (one, other) = (&self.game, &other.game);
        let starts = [one, other].map(|game| game.start().to_string());
        starts[0] == starts[1] && one.moves() == other.moves() && one.rules() == other.rules()
    }

    fn __hash__(&self) -> u64 {
        let key = self.game.position().key();
        key.rotate_left(self.game.moves().len() as u32)
    }

    fn __repr__(&self) -> String {
        let moves: Vec<_> = self.game.moves().iter().map(rules::Move::to_string).collect();
        let rules = match *self.game.rules() == rules::Ruleset::default() {
            true => String::new(),
            false => format!(", rules='{}'", self.game.rules()),
        };
        format!("Game('{}', '{}'{rules})", self.game.start(), moves.join(" "))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (Position, Vec<Move>)) {
        (py.get_type::<Game>(), (self.start(), self.moves()))
    }
}
