//! The faults of engines that decide games.

/// A fault of an engine.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[derive(strum::Display, strum::EnumString, strum::IntoStaticStr, strum::VariantArray)]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownReason, parse_err_fn = UnknownReason::new)]
pub enum Fault {
    /// No bestmove within clock and margin.
    Time,
    /// Without a clock, no bestmove within `stall`; or no readyok, or input not read.
    Stall,
    /// Killed by a signal, or exited with a code other than zero.
    Crash,
    /// Exited with code zero, or closed its input or output.
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
    /// All of them.
    pub const ALL: &'static [Fault] = <Fault as strum::VariantArray>::VARIANTS;

    /// The word used in results.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The word is not the reason for the end of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not a known reason for the end of a game")]
pub struct UnknownReason(String);

impl UnknownReason {
    fn new(word: &str) -> UnknownReason {
        UnknownReason(word.to_owned())
    }
}
