//! Games for reinforcement learning: one step of a move is one action.
//!
//! [`actions`] numbers the actions, [`steps`] plays one game, [`observation`] describes a position as
//! planes of numbers, also for [`Position`](crate::position::Position). [`step_game`] and [`vec_env`] are the classes that Python sees, [`state`] is
//! their content as plain values.

pub(crate) mod actions;
mod infos;
pub(crate) mod observation;
mod random;
mod state;
pub(crate) mod step_game;
mod steps;
pub(crate) mod vec_env;

use pyo3::exceptions::PyModuleNotFoundError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;

/// An error that says how to install numpy, where it is missing: without it a new array panics.
fn require_numpy(py: Python<'_>) -> PyResult<()> {
    static FOUND: PyOnceLock<()> = PyOnceLock::new();
    let missing = |why: PyErr| match why.is_instance_of::<PyModuleNotFoundError>(py) {
        true => PyModuleNotFoundError::new_err("arrays need numpy: pip install numpy"),
        false => why,
    };
    FOUND.get_or_try_init(py, || py.import("numpy").map(drop).map_err(missing)).copied()
}
