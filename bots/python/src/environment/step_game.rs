//! One game for Python, played action by action.

use numpy::{PyArray1, PyArray3, PyArrayMethods};
use pyo3::prelude::*;

use super::state::GameState;
use super::steps::Steps;
use super::{actions, observation, require_numpy, state};
use crate::board::Board;
use crate::position::{Position, PositionLike};
use crate::rules::RulesLike;
use crate::values::{Outcome, Side, value_error};

/// One game, played action by action. Unlike a `Game` it changes.
#[pyclass(module = "fanorona.rl")]
#[derive(Clone)]
pub(crate) struct StepGame {
    steps: Steps,
    start: Position,
}

#[pymethods]
impl StepGame {
    #[new]
    #[pyo3(signature = (position = None, *, rules = None))]
    fn new(position: Option<PositionLike>, rules: Option<RulesLike>) -> PyResult<StepGame> {
        let start = Position::from_arguments(position, rules)?;
        Ok(StepGame { steps: Steps::new(start.position, start.rules), start })
    }

    /// Begins again.
    fn reset(&mut self) {
        self.steps.restart(self.start.position);
    }

    /// The side to act.
    #[getter]
    fn player(&self) -> Side {
        self.steps.player().into()
    }

    /// The position before the move that is being made.
    #[getter]
    fn position(&self) -> Position {
        Position { position: *self.steps.partial().position(), rules: self.start.rules }
    }

    /// The stones after the steps so far.
    #[getter]
    fn board(&self) -> Board {
        Board(self.steps.partial().board())
    }

    /// The complete moves so far.
    #[getter]
    fn plies(&self) -> u32 {
        self.steps.history().plies()
    }

    /// The legal actions; none if the game is over.
    #[getter]
    fn actions(&self) -> Vec<u16> {
        self.steps.legal().to_vec()
    }

    /// Takes an action.
    fn step(&mut self, action: u16) -> PyResult<()> {
        if !self.steps.legal().contains(&action) {
            return Err(value_error(format!("action {action} is not legal here")));
        }
        self.steps.take(action);
        Ok(())
    }

    /// The end of the game, else `None`.
    fn outcome(&self) -> Option<Outcome> {
        self.steps.ending().map(Outcome)
    }

    /// Returns the view of a side, as an array of planes, rows and columns.
    fn observe<'py>(&self, py: Python<'py>, side: Side) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let steps = &self.steps;
        observation::array(py, steps.partial(), steps.occurrences(), side.into())
    }

    /// The mask of the legal actions: 1 for legal, 0 for illegal.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<i8>>> {
        require_numpy(py)?;
        let size = self.start.position.board().size();
        let array = PyArray1::<i8>::zeros(py, actions::count(size), false);
        let mut writable = array.readwrite();
        let mask = writable.as_slice_mut()?;
        for &action in self.steps.legal() {
            mask[usize::from(action)] = 1;
        }
        drop(writable);
        Ok(array)
    }

    /// Another game with the same content. Changes of one do not alter the other.
    #[pyo3(name = "clone")]
    fn copied(&self) -> StepGame {
        self.clone()
    }

    /// The content of the game as plain values, which `set_state` takes and JSON keeps.
    fn get_state(&self) -> GameState {
        let start = &self.start;
        GameState {
            start: start.position.to_string(),
            rules: start.rules.to_string(),
            actions: self.steps.taken().to_vec(),
        }
    }

    /// Takes over the content that `get_state` returned, its start and rules included.
    fn set_state(&mut self, state: &Bound<'_, PyAny>) -> PyResult<()> {
        *self = _step_game(state)?;
        Ok(())
    }

    fn __copy__(&self) -> StepGame {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> StepGame {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (GameState,))> {
        let rebuild = py.import("fanorona._core")?.getattr("_step_game")?;
        Ok((rebuild, (self.get_state(),)))
    }

    fn __repr__(&self) -> String {
        format!("<StepGame after {} plies>", self.plies())
    }
}

/// A game from its state, for pickle.
#[pyfunction]
pub(crate) fn _step_game(state: &Bound<'_, PyAny>) -> PyResult<StepGame> {
    let GameState { start, rules, actions } = state::read(state)?;
    let start = state::start(&start, &rules)?;
    let steps = Steps::replay(start.position, start.rules, &actions).map_err(value_error)?;
    Ok(StepGame { steps, start })
}
