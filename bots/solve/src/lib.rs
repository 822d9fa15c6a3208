//! Solved games: what a game is worth when both sides play perfectly, with a proof that anybody can
//! check.
//!
//! In reading order: the two questions that settle it ([`Game`]), the search for their answers
//! (`table`, `search`; `path_condition`, what a disproof is worth that comes from going in circles), how
//! an answer is taken apart into a set of positions that proves it (`disproof` of a side that cannot be
//! made to lose, `win` of one that wins), both questions in moves ([`Run`]), a run that is stopped
//! and goes on ([`State`]), the [`Solution`] in its file, and the checker ([`check()`]), which knows
//! nothing of all this but the file.
//!
//! `bots/solve/SOLVED.md` says what has been solved and how to solve and check it again.

mod check;
mod disproof;
mod game;
mod path_condition;
mod proof;
mod run;
mod search;
mod state;
mod table;

pub use check::{Flaw, Problem, WrongPosition, check};
pub use fanorona_endgames::solution::{
    Claim, GameValue, Images, Proof, Record, Solution, SolutionError, SolutionProblem,
};
pub use game::Game;
pub use run::{Advance, QuestionProgress, Run};
pub use state::{Point, Snapshot, State, StateError, StateProblem};
pub use table::Numbers;
