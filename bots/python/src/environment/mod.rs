//! Games for reinforcement learning: one step of a move is one action.
//!
//! [`actions`] numbers the actions, [`steps`] plays one game, [`observation`] describes a position as
//! planes of numbers. [`step_game`] and [`vec_env`] are the classes that Python sees, [`state`] is
//! their content as plain values.

pub(crate) mod actions;
mod infos;
mod observation;
mod random;
mod state;
pub(crate) mod step_game;
mod steps;
pub(crate) mod vec_env;
