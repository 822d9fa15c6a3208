//! Engines for Fanorona: what the programs `bot-random`, `bot-greedy`, `bot-mcts`,
//! `bot-alphabeta`, `endgames`, `solve` and `training` are made of.
//!
//! A program builds a [`Bot`](bot::Bot) and hands it to the [`session`], which speaks the protocol.
//! In reading order: what a bot is ([`bot`]), how long it may think ([`budget`]), the session that
//! stands between it and the manager ([`session`]), and the bots. The endgame tables ([`endgame`])
//! stand by themselves; whole games are solved with them ([`solve`]). The weights of the
//! [`evaluation`] come from [`training`]. How programs read amounts of memory is in [`memory`], how
//! they end and print in [`program`].

pub mod alphabeta;
pub mod bench;
pub mod bot;
pub mod budget;
pub mod endgame;
pub mod evaluation;
pub mod greedy;
pub mod mcts;
pub mod memory;
pub mod program;
pub mod random;
pub mod seed;
pub mod session;
pub mod solve;
pub mod training;
