//! Engines for Fanorona: what the programs `bot-random`, `bot-greedy`, `bot-mcts` and
//! `bot-alphabeta` are made of.
//!
//! A program builds a [`Bot`](bot::Bot) and hands it to the [`session`], which speaks the protocol.
//! In reading order: what a bot is ([`bot`]), how long it may think ([`budget`]), the session that
//! stands between it and the manager ([`session`]), and the bots. Which endgame tables they play by
//! says [`endgame_option`]; the tables are the package `fanorona-endgames`. The weights of the
//! [`evaluation`] come from the package `fanorona-training`. The programs share [`program`].

pub mod alphabeta;
pub mod bench;
pub mod bot;
pub mod budget;
pub mod endgame_option;
mod endgame_probe;
pub mod evaluation;
pub mod greedy;
pub mod mcts;
pub mod platform;
#[cfg(feature = "native")]
pub mod program;
pub mod random;
pub mod seed;
#[cfg(feature = "native")]
pub mod session;
