//! The process that executes an engine's program: it first leaves the group of its supervisor and sets
//! the limits that the system keeps for a process.

use std::fs::File;
use std::io;

use nix::unistd::{Pid, setpgid};

use crate::not_started::{NotStarted, Stage};
use crate::posix::execution::{self, Command, Never};
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::unrunnable;

/// Executes the engine of a launch specification. `parent` is that of this process. Returns only if that
/// fails, after the arena was told the reason.
pub(crate) fn become_engine(parent: Pid, messages: File, spec: &LaunchSpec) -> io::Result<()> {
    execution::become_engine(messages, |messages| attempt(parent, messages, spec))
}

fn attempt(parent: Pid, messages: &mut File, spec: &LaunchSpec) -> Result<Never, NotStarted> {
    // The leader of a group cannot leave the session, by which its processes are found.
    setpgid(Pid::from_raw(0), Pid::from_raw(0)).map_err(NotStarted::at(Stage::Session))?;
    // The arena ends the session of a supervisor that died, but this process may have begun later.
    execution::expect_parent(parent)?;
    execution::reset_signals()?;
    execution::limit(&spec.bounds).map_err(NotStarted::at(Stage::Limits))?;
    execution::change_directory(spec)?;
    let why = Command::of(spec)?.execute(messages)?;
    Err(unrunnable::not_executed(&spec.program, why))
}
