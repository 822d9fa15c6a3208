//! Exact values from endgame tables.

use std::path::PathBuf;

use fanorona_endgames::{Tables as Built, build_in_memory, value_in_game};
use fanorona_protocol::rules::{BoardSize, Start};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyType;

use crate::game::Game;
use crate::position::Position;
use crate::rules::Rules;
use crate::values::{Move, Value, parsed, value_error};

/// The size of a named board.
fn size_of(board: &str) -> PyResult<BoardSize> {
    Ok(parsed::<Start>(board)?.riatra().board().size())
}

fn broken(why: impl std::fmt::Display) -> PyErr {
    PyOSError::new_err(why.to_string())
}

/// A position or a game.
#[derive(FromPyObject)]
enum Probed {
    Position(Position),
    Game(Game),
}

/// The endgame tables of one board.
#[pyclass(frozen, module = "fanorona")]
pub(crate) struct Tables(Built);

#[pymethods]
impl Tables {
    #[new]
    #[pyo3(signature = (directory, board = "tsivy", *, stones = 8))]
    fn new(py: Python<'_>, directory: PathBuf, board: &str, stones: usize) -> PyResult<Tables> {
        let size = size_of(board)?;
        if !directory.is_dir() {
            let why = format!("{} is not a directory", directory.display());
            return Err(PyFileNotFoundError::new_err(why));
        }
        py.detach(|| Built::open(&directory, size, stones)).map(Tables).map_err(broken)
    }

    /// Builds small tables in memory.
    #[classmethod]
    fn build(
        _class: &Bound<'_, PyType>,
        py: Python<'_>,
        board: &str,
        stones: usize,
    ) -> PyResult<Tables> {
        let size = size_of(board)?;
        py.detach(|| build_in_memory(size, stones)).map(Tables).map_err(value_error)
    }

    /// The size of the board.
    #[getter]
    fn board(&self) -> String {
        self.0.board().to_string()
    }

    /// The largest number of stones with every position in the tables.
    #[getter]
    fn stones(&self) -> usize {
        self.0.stones()
    }

    /// The rules the tables hold for.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(*self.0.rules())
    }

    /// The exact value for the side to move, or `None` if the tables do not have it. The value of a
    /// game takes its limits and repetitions into account, that of a position does not.
    #[pyo3(signature = (of, /))]
    fn value(&self, of: Probed) -> PyResult<Option<Value>> {
        let value = match of {
            Probed::Position(of) => self.0.value(&of.position, &of.rules),
            Probed::Game(game) => value_in_game(&self.0, game.history(), game.ruleset()),
        };
        Ok(value.map_err(broken)?.map(Value::from))
    }

    /// Every legal move with its value for the side that plays it, or `None` unless the tables have
    /// all of them.
    #[pyo3(signature = (position, /))]
    fn moves(&self, position: &Position) -> PyResult<Option<Vec<(Move, Value)>>> {
        let moves = self.0.moves(&position.position, &position.rules).map_err(broken)?;
        Ok(moves
            .map(|moves| moves.into_iter().map(|(mv, value)| (Move(mv), value.into())).collect()))
    }

    fn __repr__(&self) -> String {
        format!("<Tables of {} with up to {} stones>", self.0.board(), self.0.stones())
    }
}
