//! Exit codes of the `arena` program.

use std::process::ExitCode;

/// The way the program ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Everything was done.
    Done = 0,
    /// A bug of the arena.
    Bug = 1,
    /// The command line, the config or a file cannot be used.
    Usage = 2,
    /// Done, but an engine was at fault or a game has no result, and `--strict` is set.
    Faults = 3,
    /// A check of an engine failed.
    CheckFailed = 5,
    /// An engine did not start before the first game.
    EngineStart = 6,
    /// This machine lacks a resource: the disk cannot be written, or engines cannot be started
    /// through no fault of their own. Finished games are kept.
    Storage = 74,
    /// Stopped by SIGHUP. Finished games are kept.
    Hangup = 129,
    /// Stopped by SIGINT. Finished games are kept.
    Interrupt = 130,
    /// Stopped by SIGTERM. Finished games are kept.
    Terminate = 143,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}
