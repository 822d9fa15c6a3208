//! The rules: positions, legal moves and the ends of games.
//!
//! In reading order:
//!
//! 1. [`BoardSize`], [`Point`] and [`Direction`] describe the board as a graph. [`PointSet`] is a
//!    set of its points.
//! 2. [`Board`] holds the stones. [`Mobility`] and [`Threats`] count what the stones of a side
//!    could do.
//! 3. [`Move`] names a move by its [`Step`]s. [`Effect`] is what a move does to the board.
//! 4. [`Setup`] is a position as text, not yet validated. [`Position`] is a valid position.
//! 5. [`Ruleset`] holds the rule switches and limits of a game.
//! 6. [`Position::legal_moves`] generates the legal moves. [`Position::play`] checks one [`Move`] and
//!    returns an [`IllegalMove`] if it is not legal; [`Position::apply_unchecked`] takes the
//!    [`Effect`] of a generated move instead. A [`PartialMove`] is made step by step.
//! 7. [`Game`] holds the rules, positions and moves of a game. [`Ending`] is how a game ended.
//!    [`History`] is the positions alone, which the repetition rule needs.
//! 8. [`Symmetry`] maps positions to positions of the same worth.
//! 9. [`Session`] joins games into the traditional contest.
//! 10. [`raw`] has the indices of points and the masks of sets, for hot code and file formats.
//!
//! Riatra (the usual game) and vela (the game that pays for a lost one) share these types. A
//! position with a debtor belongs to a vela; the position and the [`Ruleset`] determine what that
//! means.

mod bits;
mod board;
mod effect;
mod game;
mod generate;
mod geometry;
mod history;
mod key;
mod legality;
mod mobility;
mod moves;
mod opening;
mod outcome;
mod partial_move;
mod perft;
mod point_set;
mod position;
pub mod raw;
mod ruleset;
mod session;
mod setup;
mod side;
mod steps;
mod symmetry;

pub use board::Board;
pub use effect::Effect;
pub use game::Game;
pub use geometry::{BoardSize, Direction, MAX_POINTS, ParseBoardSizeError, ParsePointError, Point};
pub use history::History;
pub use legality::IllegalMove;
pub use mobility::{Mobility, Threats};
pub use moves::{Capture, MAX_STEPS, Move, ParseMoveError, Step};
pub use opening::{Opening, ParseStartError, Start};
pub use outcome::{Ending, ParseReasonError, Reason};
pub use partial_move::PartialMove;
pub use perft::{divide, perft};
pub use point_set::{PointSet, Points};
pub use position::{CREDITOR_STONES_IN_PHASE_TWO, Position};
pub use ruleset::{MAX_LIMIT, ParseRulesetError, RuleValue, Ruleset, VelaStarter, VelaStarved};
pub use session::{NextGame, Player, Session, SessionRules, SetScore};
pub use setup::{Setup, SetupError, SetupErrors};
pub use side::Side;
pub use symmetry::Symmetry;
