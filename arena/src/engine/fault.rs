//! What an engine may be at fault of.

use std::fmt;
use std::str::FromStr;

/// What an engine may be at fault of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fault {
    /// No bestmove by clock and margin.
    Time,
    /// No bestmove within `stall` without a clock, no readyok, or input not read.
    Stall,
    /// Died by a signal or with an exit code other than zero.
    Crash,
    /// Exited with zero, or closed its output.
    Disconnect,
    /// Played a move that is not legal, or `0000` where there are moves.
    Illegal,
    /// Said a `bestmove` line that is not two words, or whose second is not a move.
    Protocol,
    /// Said more than anybody can read.
    Flood,
    /// Did not come up again after a restart.
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

    /// The word results are written with.
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

/// A word that is no reason.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is no reason for the end of a game")]
pub struct UnknownReason(pub(crate) String);
