//! Monte Carlo tree search: a tree grown one playout at a time, towards the moves that win.
//!
//! Selection is UCT (Kocsis & Szepesvári, *Bandit Based Monte-Carlo Planning*, 2006); wins and
//! losses by the stones are proven and backed up as in MCTS-Solver (Winands, Björnsson & Saito,
//! *Monte-Carlo Tree Search Solver*, 2008).
//!
//! Before a move has been tried, it is likely by what evaluation says of it (PUCT: Rosin,
//! *Multi-armed Bandits with Episode Context*, 2011), and a leaf is judged by evaluation or by a
//! playout; what endgame tables know needs no judging. The evaluation that can be forced counts
//! beside the mean of results (Lanctot, Winands, Pepels & Sturtevant, *Monte Carlo Tree Search with
//! Heuristic Evaluations using Implicit Minimax Backups*, 2014).
//!
//! In reading order: what can be set ([`Settings`]); one game played out (`playout`); a position
//! evaluated when its captures are done (`judge`); what endgame tables say (`endings`); the tree in
//! its arena (`tree`); what the threads share (`shared`); the search that grows it (`search`); what is
//! told of it (`report`); the player that keeps the tree from move to move ([`Mcts`]).

mod endings;
mod judge;
mod player;
mod playout;
mod report;
mod search;
mod settings;
mod shared;
mod tree;

pub use player::Mcts;
pub use playout::{Playout, PlayoutRng, RESULT_UNIT, Rollout};
pub use settings::{Leaf, Prior, Selection, Settings};
