//! The bot `bot-mcts`: Monte Carlo tree search, which grows a tree one playout at a time towards
//! the moves that win.
//!
//! Selection is UCT (Kocsis & Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006); wins and
//! losses by the stones are proven and backed up as in MCTS-Solver (Winands, Björnsson & Saito,
//! *Monte-Carlo Tree Search Solver*, 2008).
//!
//! Before a move has been tried, its evaluation determines its prior probability (PUCT: Rosin,
//! *Multi-armed Bandits with Episode Context*, 2011). A leaf is judged by evaluation or by a
//! playout, or by endgame tables if they know it. The mean of results is mixed with the best
//! evaluation that can be forced (Lanctot, Winands, Pepels & Sturtevant, *Monte Carlo Tree Search
//! with Heuristic Evaluations using Implicit Minimax Backups*, 2014).
//!
//! Read the modules in this order: the options ([`Settings`]); a playout (`playout`); the
//! evaluation of a position after its captures (`quiescence`); endgame tables (`endings`); the tree and
//! its memory (`tree`); the state that threads share (`shared`); the search that grows the tree
//! (`search`); its reports (`report`); the player that reuses the tree from move to move
//! ([`Mcts`]).

mod endings;
mod player;
mod playout;
mod quiescence;
mod report;
mod search;
mod settings;
mod shared;
mod tree;

pub use player::Mcts;
pub use playout::{Playout, PlayoutRng, RESULT_UNIT, Rollout};
pub use settings::{Leaf, Prior, Selection, Settings};
