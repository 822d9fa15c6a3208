//! The content of games as plain values of Python: texts, numbers and lists, which JSON keeps too.
//!
//! A game is its start and the actions since then. A state that is read is played again, so that only
//! games by the rules come out, whatever somebody wrote into it.

use pyo3::conversion::FromPyObjectOwned;
use pyo3::prelude::*;

use crate::position::Position;
use crate::values::{parsed, value_error};

/// The content of a `StepGame`.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(super) struct GameState {
    pub(super) start: String,
    pub(super) rules: String,
    pub(super) actions: Vec<u16>,
}

/// The content of a `VecEnv`.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(super) struct EnvState {
    pub(super) start: String,
    pub(super) rules: String,
    pub(super) seed: u64,
    pub(super) games: Vec<SlotState>,
}

/// The content of one game of a `VecEnv`.
#[derive(FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
pub(super) struct SlotState {
    /// The actions since the game began.
    pub(super) actions: Vec<u16>,
    /// The actions of the game before, if the last action ended it.
    pub(super) ended: Option<Vec<u16>>,
    /// The state of the random numbers.
    pub(super) random: u64,
}

/// Reads a state. Everything that is not one is a `ValueError`.
pub(super) fn read<'py, T: FromPyObjectOwned<'py>>(state: &Bound<'py, PyAny>) -> PyResult<T> {
    state.extract::<T>().map_err(|why| {
        let py = state.py();
        let outer: PyErr = why.into();
        // The first cause names the value, the error itself only the part it was found in.
        let chain = std::iter::successors(Some(outer), |why| why.cause(py));
        let first = chain.last().expect("the chain begins with an error");
        value_error(format!("this is not a state that get_state returned: {first}"))
    })
}

/// The start in a state.
pub(super) fn start(position: &str, rules: &str) -> PyResult<Position> {
    Ok(Position { position: parsed(position)?, rules: parsed(rules)? })
}
