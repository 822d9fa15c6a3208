//! Engines for Fanorona: the library behind the programs `bot-random`, `bot-greedy`, `bot-mcts` and
//! `bot-alphabeta`.
//!
//! A program builds a [`Bot`](bot::Bot) and hands it to the [`session`], which speaks the protocol.
//! Read the modules in this order: the interface of a bot ([`bot`]), its time limits ([`budget`]),
//! the session between the bot and the manager ([`session`]), and the four bots. [`endgame_option`]
//! selects the endgame tables, which come from the package `fanorona-endgames`. The package
//! `fanorona-training` finds the weights of the [`evaluation`], and `fanorona-book` builds the opening
//! [`book`]. All programs share [`program`].

pub mod alphabeta;
mod bench;
pub mod book;
pub mod bot;
pub mod budget;
pub mod endgame_option;
mod endgame_probe;
pub mod evaluation;
pub mod greedy;
#[cfg(not(feature = "native"))]
pub mod host_tables;
pub mod mcts;
pub mod platform;
#[cfg(feature = "native")]
pub mod program;
pub mod random;
mod seed;
pub mod session;
mod solution;
