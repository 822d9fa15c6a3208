//! The Python module `fanorona._core`: the rules, the protocol and the endgame tables as Python
//! classes, and environments for reinforcement learning.
//!
//! Everything that needs no speed and no rules is written in Python, in `python/fanorona`.

mod board;
mod drawing;
mod environment;
mod game;
mod messages;
mod position;
mod rules;
mod session;
mod tables;
mod values;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::board::Board;
    #[pymodule_export]
    use crate::environment::actions::{action_count, action_of, action_text, actions_of};
    #[pymodule_export]
    use crate::environment::step_game::{_step_game, StepGame};
    #[pymodule_export]
    use crate::environment::vec_env::{_vec_env, VecEnv};
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::messages::{option_line, option_value, read_command, read_reply};
    #[pymodule_export]
    use crate::position::{_position, IllegalMoveError, Position};
    #[pymodule_export]
    use crate::rules::Rules;
    #[pymodule_export]
    use crate::session::{_session, NextGame, Session};
    #[pymodule_export]
    use crate::tables::{_tables, Tables};
    #[pymodule_export]
    use crate::values::{Move, Outcome, Side, Step, Value};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("DIRECTIONS", crate::environment::actions::DIRECTIONS)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
