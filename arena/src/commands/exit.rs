//! Exit codes of the `arena` program.

use std::process::ExitCode;

/// How the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was done.
    Done = 0,
    /// The arena itself is wrong.
    Bug = 1,
    /// The command line, the config or a file cannot be used.
    Usage = 2,
    /// Done, but an engine was at fault or a game has no result, and `--strict` asked to be told.
    Faults = 3,
    /// An engine does not do what it was checked for.
    CheckFailed = 5,
    /// An engine would not start before the first game.
    EngineStart = 6,
    /// This machine lacks what the arena cannot go on without: the disk does not keep what is to be
    /// kept, or engines cannot be started through no fault of theirs. Everything finished is kept.
    Storage = 74,
    /// Stopped by SIGHUP; everything finished is kept.
    Hangup = 129,
    /// Stopped by SIGINT; everything finished is kept.
    Interrupt = 130,
    /// Stopped by SIGTERM; everything finished is kept.
    Terminate = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
