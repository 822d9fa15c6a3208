//! What a position is, what may be played in it, and how a game ends.
//!
//! In reading order: the board as a graph ([`geometry`]), sets of its points ([`PointSet`]), the
//! stones on it ([`Board`]) and what they could do ([`Mobility`],
//! [`Threats`]); a move as it is named ([`Move`]); a position as it is written
//! ([`Setup`]) and as it is known to be ([`Position`]); the switches a game is played by
//! ([`Ruleset`]); the legal moves of a position (`generate`, all of them; `legality`, one of them
//! and why not); how games end ([`Ending`]), with the memory that takes ([`History`]); the contest
//! that joins games ([`Session`]).
//!
//! Riatra and vela are one game here: a position with a debtor is a vela, and what that means
//! follows from the position and the [`Ruleset`].

mod activity;
mod bits;
mod board;
mod generate;
pub mod geometry;
mod history;
mod key;
mod legality;
mod moves;
mod opening;
mod outcome;
mod perft;
mod point_set;
mod position;
mod ruleset;
mod session;
mod setup;
mod side;
mod steps;

pub use activity::{Mobility, Threats};
pub use board::Board;
pub use generate::Effect;
pub use geometry::{BoardSize, Direction, MAX_POINTS, Point};
pub use history::History;
pub use legality::IllegalMove;
pub use moves::{Capture, MAX_STEPS, Move, ParseMoveError, Step};
pub use opening::{Opening, ParseStartError, Start};
pub use outcome::{Ending, ParseReasonError, Reason};
pub use perft::{divide, perft};
pub use point_set::PointSet;
pub use position::Position;
pub use ruleset::{MAX_LIMIT, ParseRulesetError, Ruleset, VelaStarter, VelaStarved};
pub use session::{NextGame, Player, Session, SessionRules, SetScore};
pub use setup::{Setup, SetupError, SetupErrors};
pub use side::Side;
