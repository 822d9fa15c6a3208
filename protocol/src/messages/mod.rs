//! The lines engines and managers exchange: UGI, the Fanorona profile.
//!
//! One enum per direction: [`Command`] from manager to engine, [`Reply`] from engine to manager;
//! each is read with `FromStr` and written with `Display`, and reading what was written gives the
//! value back. Lines come out of a [`LineBuffer`], which knows bytes but no pipe. The page for
//! engine authors is `protocol/UGI.md`.
//!
//! Reading is strict about what changes a game and lenient about what decorates it: an unknown
//! command or a limit that is no number is an error that says so, an unknown word of an `info` line
//! is passed over.

mod command;
mod info;
mod limits;
mod line;
mod option;
mod reply;
mod words;

pub use command::{Command, CommandError, Dialect, Query, StartText};
pub use info::{Info, Score, Wdl};
pub use limits::{Limits, LimitsError};
pub use line::{LineBuffer, MAX_LINE, TooLong};
pub use option::{OptionKind, OptionSpec, OptionSpecError, OptionValueError};
pub use reply::{BestMove, Reply, ReplyError, Value};
