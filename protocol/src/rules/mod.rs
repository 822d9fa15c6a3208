//! What a position is, which moves are legal in it, and how a game ends.
//!
//! In reading order:
//!
//! 1. the board as a graph ([`BoardSize`], [`Point`], [`Direction`]) and sets of its points
//!    ([`PointSet`]);
//! 2. the stones on it ([`Board`]) and what they could do ([`Mobility`], [`Threats`]);
//! 3. a move as it is named ([`Move`], its [`Step`]s) and what it does ([`Effect`]);
//! 4. a position as it is written ([`Setup`]) and as the rules know it ([`Position`]);
//! 5. the rule switches of a game ([`Ruleset`]);
//! 6. the legal moves ([`Position::legal_moves`]), and whether and why one move is not legal
//!    ([`Position::play`], [`IllegalMove`]);
//! 7. how games end ([`Ending`]), with the memory that repetition needs ([`History`]);
//! 8. the contest that joins games ([`Session`]).
//!
//! Riatra and vela are one game here: a position with a debtor is a vela. What that means follows
//! from the position and the [`Ruleset`].

mod bits;
mod board;
mod effect;
mod generate;
mod geometry;
mod history;
mod key;
mod legality;
mod mobility;
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

pub use board::Board;
pub use effect::Effect;
pub use geometry::{BoardSize, Direction, MAX_POINTS, ParseBoardSizeError, ParsePointError, Point};
pub use history::History;
pub use legality::IllegalMove;
pub use mobility::{Mobility, Threats};
pub use moves::{Capture, MAX_STEPS, Move, ParseMoveError, Step};
pub use opening::{Opening, ParseStartError, Start};
pub use outcome::{Ending, ParseReasonError, Reason};
pub use perft::{divide, perft};
pub use point_set::{PointSet, Points};
pub use position::Position;
pub use ruleset::{MAX_LIMIT, ParseRulesetError, Ruleset, VelaStarter, VelaStarved};
pub use session::{NextGame, Player, Session, SessionRules, SetScore};
pub use setup::{Setup, SetupError, SetupErrors};
pub use side::Side;
