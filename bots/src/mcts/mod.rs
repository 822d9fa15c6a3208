//! Monte Carlo tree search: a tree grown one playout at a time, towards the turns that win.
//!
//! Selection is UCT (Kocsis & Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006); wins and
//! losses by the stones are proven and backed up as in MCTS-Solver (Winands, Björnsson & Saito,
//! *Monte-Carlo Tree Search Solver*, 2008).
//!
//! In reading order: what can be set ([`Settings`]); one game played out (`playout`); the tree in
//! its arena (`tree`); the search that grows it (`search`); what is told of it (`report`); the
//! player that keeps the tree from turn to turn ([`Mcts`]).

mod player;
mod playout;
mod report;
mod search;
mod settings;
mod tree;

pub use player::Mcts;
pub use playout::{Playout, RESULT_UNIT, Random, play_out};
pub use settings::{Selection, Settings};
