//! Solved games: the value of a game under perfect play, with a proof that anyone can check.
//!
//! Read the modules in this order: the two questions that settle a game ([`Game`]); the search for
//! their answers (`table`, `search`), what it expects of new nodes (`estimate`), several threads
//! that search together (`parallel_search`, `path_occupancy`), and the conditions of disproofs that
//! come from cycles (`path_condition`); turning an answer into a set of positions that proves it
//! (`disproof` for a side that cannot be beaten, `proof` for a side that wins); both questions in
//! turn ([`Run`]); a run that can be stopped and resumed ([`State`]); the [`Solution`] in its file;
//! the checker ([`check()`]), which needs nothing but that file and the tables; and how solutions of
//! several positions become one ([`join()`]), and what needed tables goes on without them
//! ([`close()`]).
//!
//! `bots/solve/SOLVED.md` lists the solved games and how to solve and check them again.

mod check;
mod close;
mod disproof;
mod estimate;
mod fortress;
mod game;
mod join;
mod parallel_search;
mod path_condition;
mod path_occupancy;
mod proof;
mod run;
mod search;
mod state;
mod table;

pub use check::{Flaw, Problem, WrongPosition, check};
pub use close::{CloseError, close};
pub use fanorona_endgames::solution::{
    Claim, GameValue, Images, Proof, Record, Solution, SolutionError, SolutionProblem,
};
pub use game::Game;
pub use join::{JoinError, join};
pub use run::{QuestionProgress, Run, RunStatus};
pub use state::{QuestionSnapshot, Snapshot, State, StateError, StateProblem};
pub use table::Numbers;
