//! The messages between engines and managers: UGI, the Fanorona profile. Engine authors find the
//! protocol in `protocol/UGI.md`.
//!
//! There is one enum for each direction: [`Command`] from manager to engine, [`Reply`] from engine
//! to manager. `FromStr` reads a line and `Display` writes one, and reading a written line returns
//! the same value. A [`LineBuffer`] splits bytes into lines; it does no input or output itself.
//!
//! Parsing is strict where a word changes the game and lenient elsewhere. An unknown command, or a
//! limit that is not a number, is an error that names the word. An unknown word in an `info` line
//! is ignored.

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
pub use reply::{BestMove, Reply, ReplyError, Value, ValueResponse};
