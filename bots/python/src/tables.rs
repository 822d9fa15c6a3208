//! Exact values from endgame tables.

use std::path::PathBuf;

use fanorona_endgames::{Tables as Built, build_in_memory, value_in_game};
use fanorona_protocol::rules::{BoardSize, Start};
use pyo3::exceptions::{PyFileNotFoundError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

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
enum ProbeTarget {
    Position(Position),
    Game(Game),
}

/// The endgame tables of one board.
#[pyclass(frozen, module = "fanorona")]
pub(crate) struct Tables {
    tables: Built,
    /// The directory they were opened in; `None` for tables that were built in memory.
    directory: Option<PathBuf>,
    /// The largest number of stones that was asked for.
    wanted: usize,
}

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
        let tables = py.detach(|| Built::open(&directory, size, stones)).map_err(broken)?;
        // A pickle can be read in another working directory.
        let directory = Some(std::path::absolute(directory)?);
        Ok(Tables { tables, directory, wanted: stones })
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
        let tables = py.detach(|| build_in_memory(size, stones)).map_err(value_error)?;
        Ok(Tables { tables, directory: None, wanted: stones })
    }

    /// The size of the board.
    #[getter]
    fn board(&self) -> String {
        self.tables.board().to_string()
    }

    /// The largest number of stones with every position in the tables.
    #[getter]
    fn stones(&self) -> usize {
        self.tables.stones()
    }

    /// The rules the tables hold for.
    #[getter]
    fn rules(&self) -> Rules {
        Rules(*self.tables.rules())
    }

    /// The exact value for the side to move, or `None` if the tables do not have it. The value of a
    /// game takes its limits and repetitions into account, that of a position does not.
    #[pyo3(signature = (of, /))]
    fn value(&self, of: ProbeTarget) -> PyResult<Option<Value>> {
        let value = match of {
            ProbeTarget::Position(of) => self.tables.value(&of.position, &of.rules),
            ProbeTarget::Game(game) => value_in_game(&self.tables, game.get()),
        };
        Ok(value.map_err(broken)?.map(Value::from))
    }

    /// Every legal move with its value for the side that plays it, or `None` unless the tables have
    /// all of them.
    #[pyo3(signature = (position, /))]
    fn moves(&self, position: &Position) -> PyResult<Option<Vec<(Move, Value)>>> {
        let moves = self.tables.moves(&position.position, &position.rules).map_err(broken)?;
        Ok(moves
            .map(|moves| moves.into_iter().map(|(mv, value)| (Move(mv), value.into())).collect()))
    }

    fn __repr__(&self) -> String {
        format!("<Tables of {} with up to {} stones>", self.tables.board(), self.tables.stones())
    }

    /// The tables never change, so that a copy is the same object.
    fn __copy__(this: Py<Tables>) -> Py<Tables> {
        this
    }

    fn __deepcopy__(this: Py<Tables>, _memo: &Bound<'_, PyAny>) -> Py<Tables> {
        this
    }

    /// A pickle holds the directory, or how to build the tables again, and not their content.
    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let (class, board) = (py.get_type::<Tables>(), self.board());
        Ok(match &self.directory {
            Some(directory) => {
                let arguments = (directory, board, self.wanted).into_pyobject(py)?;
                (py.import("fanorona._core")?.getattr("_tables")?, arguments)
            }
            None => (class.getattr("build")?, (board, self.wanted).into_pyobject(py)?),
        })
    }
}

/// The tables of a directory, for pickle.
#[pyfunction]
pub(crate) fn _tables(
    py: Python<'_>,
    directory: PathBuf,
    board: &str,
    stones: usize,
) -> PyResult<Tables> {
    Tables::new(py, directory, board, stones)
}
