//! The faults of engines that decide games.

use std::fmt;
use std::str::FromStr;

/// A fault of an engine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// No bestmove within clock and margin.
    Time,
    /// Without a clock, no bestmove within `stall`; or no readyok, or input not read.
    Stall,
    /// Killed by a signal, or exited with a code other than zero.
    Crash,
    /// Exited with code zero, or closed its output.
    Disconnect,
    /// Played an illegal move, or `0000` although there are legal moves.
    Illegal,
    /// Printed a `bestmove` line that does not have two words or whose second word is not a move.
    Protocol,
    /// Exceeded the output limits.
    Flood,
    /// Failed to restart.
    Start,
}

impl Fault {
    /// Every fault.
    pub const ALL: [Fault; 8] = [
        Fault::Time,
        Fault::Stall,
        Fault::Crash,
        Fault::Disconnect,
        Fault::Illegal,
        Fault::Protocol,
        Fault::Flood,
        Fault::Start,
    ];

    /// The word used in results.
    pub fn word(self) -> &'static str {
        match self {
            Fault::Time => "time",
            Fault::Stall => "stall",
            Fault::Crash => "crash",
            Fault::Disconnect => "disconnect",
            Fault::Illegal => "illegal",
            Fault::Protocol => "protocol",
            Fault::Flood => "flood",
            Fault::Start => "start",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Fault {
    type Err = UnknownReason;

    fn from_str(word: &str) -> Result<Fault, UnknownReason> {
        let found = Fault::ALL.into_iter().find(|fault| fault.word() == word);
        found.ok_or_else(|| UnknownReason(word.to_owned()))
    }
}

/// The word is not the reason for the end of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a known reason for the end of a game")]
pub struct UnknownReason(pub(crate) String);
