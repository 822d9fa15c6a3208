//! A position with the rules it is played by.

use fanorona_protocol::rules::{self, PartialMove, PointSet, Ruleset, Start, divide, perft};
use numpy::PyArray3;
use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::board::Board;
use crate::drawing;
use crate::environment::observation;
use crate::rules::{Rules, RulesLike};
use crate::values::{Move, MoveLike, Outcome, Side, parsed};

create_exception!(
    fanorona,
    IllegalMoveError,
    PyValueError,
    "A move is not legal in a position; the message gives the reason."
);

/// Turns the reason why a move is not legal into an exception.
pub(crate) fn illegal(mv: &rules::Move, why: &rules::IllegalMove) -> PyErr {
    IllegalMoveError::new_err(format!("`{mv}` is not legal: {why}"))
}

/// A position: stones, side to move, debtor and counters, and the rules it is played by.
#[pyclass(frozen, eq, hash, from_py_object, module = "fanorona")]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Position {
    pub(crate) position: rules::Position,
    pub(crate) rules: Ruleset,
}

/// A position or its FEN, where a function takes either.
#[derive(FromPyObject)]
pub(crate) enum PositionLike {
    /// A position.
    Position(Position),
    /// Its text.
    Text(String),
}

impl Position {
    /// The position that is given, or the usual start. `rules` replace those of the position.
    pub(crate) fn from_arguments(
        given: Option<PositionLike>,
        rules: Option<RulesLike>,
    ) -> PyResult<Position> {
        let (position, default) = match given {
            None => (Start::TSIVY.riatra(), Ruleset::default()),
            Some(PositionLike::Position(of)) => (of.position, of.rules),
            Some(PositionLike::Text(text)) => (parsed(&text)?, Ruleset::default()),
        };
        Ok(Position { position, rules: RulesLike::or(rules, default)? })
    }

    /// The same rules with another position.
    fn with(&self, position: rules::Position) -> Position {
        Position { position, rules: self.rules }
    }

    /// The stones that a legal move captures.
    fn captured(&self, mv: &rules::Move) -> PyResult<PointSet> {
        let steps = self.position.captures_of(&self.rules, mv).map_err(|why| illegal(mv, &why))?;
        let none = PointSet::empty(self.position.board().size());
        Ok(steps.into_iter().fold(none, |captured, step| captured | step))
    }
}

#[pymethods]
impl Position {
    #[new]
    #[pyo3(signature = (fen = None, *, rules = None))]
    fn new(fen: Option<PositionLike>, rules: Option<RulesLike>) -> PyResult<Position> {
        Position::from_arguments(fen, rules)
    }

    /// The first position of a riatra on a named board: `tsivy`, `dimy`, `telo`, `left-right` or a
    /// size like `7x5`.
    #[classmethod]
    #[pyo3(signature = (board = "tsivy", *, rules = None))]
    fn riatra(
        _class: &Bound<'_, PyType>,
        board: &str,
        rules: Option<RulesLike>,
    ) -> PyResult<Position> {
        let rules = RulesLike::or(rules, Ruleset::default())?;
        Ok(Position { position: parsed::<Start>(board)?.riatra(), rules })
    }

    /// The first position of a vela on a named board. The rules say which player has White.
    #[classmethod]
    #[pyo3(signature = (board = "tsivy", *, rules = None))]
    fn vela(
        _class: &Bound<'_, PyType>,
        board: &str,
        rules: Option<RulesLike>,
    ) -> PyResult<Position> {
        let rules = RulesLike::or(rules, Ruleset::default())?;
        Ok(Position { position: parsed::<Start>(board)?.vela(rules.vela_starter), rules })
    }

    /// The position as text.
    #[getter]
    fn fen(&self) -> String {
        self.position.to_string()
    }

    /// The stones.
    #[getter]
    fn board(&self) -> Board {
        Board(*self.position.board())
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(self.rules)
    }

    /// The side to move.
    #[getter]
    fn turn(&self) -> Side {
        self.position.side_to_move().into()
    }

    /// The debtor of a vela, or `None` in riatra.
    #[getter]
    fn debtor(&self) -> Option<Side> {
        self.position.debtor().map(Side::from)
    }

    /// Whether this is a vela in phase one, in which the creditor may not capture.
    #[getter]
    fn is_phase_one(&self) -> bool {
        self.position.is_vela_phase_one()
    }

    /// The plies since the last capture.
    #[getter]
    fn quiet_plies(&self) -> u32 {
        self.position.quiet_plies()
    }

    /// The number of the full move, from 1.
    #[getter]
    fn full_move(&self) -> u32 {
        self.position.full_move()
    }

    /// A 64-bit key. Equal stones, side to move and debtor have the same key.
    #[getter]
    fn key(&self) -> u64 {
        self.position.key()
    }

    /// Every legal move.
    #[getter]
    fn legal_moves(&self) -> Vec<Move> {
        self.position.legal_moves(&self.rules).into_iter().map(Move).collect()
    }

    /// Whether a capture is possible, and so compulsory.
    #[getter]
    fn has_capture(&self) -> bool {
        self.position.legal_moves(&self.rules).first().is_some_and(rules::Move::is_capture)
    }

    /// Whether a move is legal.
    #[pyo3(signature = (mv, /))]
    fn is_legal(&self, mv: MoveLike) -> PyResult<bool> {
        Ok(self.position.effect_of(&self.rules, &mv.get()?).is_ok())
    }

    /// The position after a move.
    #[pyo3(signature = (mv, /))]
    fn play(&self, mv: MoveLike) -> PyResult<Position> {
        let mv = mv.get()?;
        let after = self.position.play(&self.rules, &mv).map_err(|why| illegal(&mv, &why))?;
        Ok(self.with(after))
    }

    /// Every legal move with the position after it.
    fn children(&self) -> Vec<(Move, Position)> {
        let mut children = Vec::new();
        // The visitor never breaks.
        let _ = self.position.visit_moves(&self.rules, |mv, effect| {
            children.push((Move(*mv), self.with(self.position.apply_unchecked(effect))));
            std::ops::ControlFlow::Continue(())
        });
        children
    }

    /// The points of the stones that a move captures, step by step.
    #[pyo3(signature = (mv, /))]
    fn captures(&self, mv: MoveLike) -> PyResult<Vec<Vec<String>>> {
        let mv = mv.get()?;
        let steps =
            self.position.captures_of(&self.rules, &mv).map_err(|why| illegal(&mv, &why))?;
        let points = |set: PointSet| set.into_iter().map(|point| point.to_string()).collect();
        Ok(steps.into_iter().map(points).collect())
    }

    /// The end of the game, if the position alone decides it, else `None`.
    fn outcome(&self) -> Option<Outcome> {
        self.rules.ending(&self.position).map(Outcome)
    }

    /// The stones of the side to move minus those of the other side.
    #[getter]
    fn balance(&self) -> i32 {
        let (board, side) = (self.position.board(), self.position.side_to_move());
        board.count(side) as i32 - board.count(!side) as i32
    }

    /// The position for a network, as a numpy array of bytes: 10 planes x rows x columns, the same as
    /// the first observation of a game that begins with it. `viewer` is the side whose stones are
    /// plane 0, by default the side to move. `fanorona.rl` documents the planes; 2 to 4 are zero, for
    /// no move has begun, and 9 is zero, for a position has no past.
    #[pyo3(signature = (viewer = None))]
    fn planes<'py>(
        &self,
        py: Python<'py>,
        viewer: Option<Side>,
    ) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let viewer = viewer.map_or(self.position.side_to_move(), rules::Side::from);
        observation::array(py, &PartialMove::new(self.position), 1, viewer)
    }

    /// The representative of all images of the position under the symmetries of the board.
    fn canonical(&self) -> Position {
        self.with(self.position.canonical().0)
    }

    /// Every image of the position under the symmetries of the board, the position itself first.
    fn images(&self) -> Vec<Position> {
        let symmetries = rules::Symmetry::all(self.position.board().size());
        symmetries.map(|symmetry| self.with(symmetry.position(&self.position))).collect()
    }

    /// The number of sequences of this many legal moves.
    #[pyo3(signature = (depth, /))]
    fn perft(&self, py: Python<'_>, depth: u32) -> u64 {
        py.detach(|| perft(&self.position, &self.rules, depth))
    }

    /// The perft count below every legal move.
    #[pyo3(signature = (depth, /))]
    fn divide(&self, py: Python<'_>, depth: u32) -> std::collections::HashMap<Move, u64> {
        let mut counts = std::collections::HashMap::new();
        py.detach(|| {
            let _ = divide(&self.position, &self.rules, depth, |mv, count| {
                counts.insert(Move(*mv), count);
                std::ops::ControlFlow::Continue(())
            });
        });
        counts
    }

    /// Draws the board with box-drawing characters.
    fn unicode(&self) -> String {
        drawing::unicode(self.position.board())
    }

    /// Draws the position as an SVG picture, with a move on it if one is given.
    #[pyo3(signature = (mv = None, *, width = 480))]
    pub(crate) fn svg(&self, mv: Option<MoveLike>, width: usize) -> PyResult<String> {
        let mv = mv.map(|mv| mv.get()).transpose()?;
        let mv = mv.as_ref().map(|mv| Ok::<_, PyErr>((mv, self.captured(mv)?))).transpose()?;
        Ok(drawing::svg(self.position.board(), mv, width))
    }

    fn _repr_svg_(&self) -> String {
        drawing::svg(self.position.board(), None, 480)
    }

    fn __str__(&self) -> String {
        self.board().0.to_string().trim_end().to_owned()
    }

    fn __repr__(&self) -> String {
        match self.rules == Ruleset::default() {
            true => format!("Position('{}')", self.position),
            false => format!("Position('{}', rules='{}')", self.position, self.rules),
        }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String, String))> {
        let rebuild = py.import("fanorona._core")?.getattr("_position")?;
        Ok((rebuild, (self.position.to_string(), self.rules.to_string())))
    }
}

/// A position from its FEN and rules, for pickle.
#[pyfunction]
pub(crate) fn _position(fen: &str, rules: &str) -> PyResult<Position> {
    Ok(Position { position: parsed(fen)?, rules: parsed(rules)? })
}
