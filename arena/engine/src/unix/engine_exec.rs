//! The process that executes an engine's program: it first leaves the group of its supervisor and sets
//! the limits that the system keeps for a process.

use std::fs::File;
use std::io;

use nix::unistd::{Pid, setpgid};

use crate::not_started::{NotStarted, Stage};
use crate::posix::execution::{self, Command, Never};
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::unrunnable;

/// Executes the engine of the launch specification. `supervisor` is the parent of this process. Returns
/// only if that fails, after the arena was told the reason.
pub(crate) fn become_engine(supervisor: i32) -> io::Result<()> {
    execution::become_engine(|messages| attempt(Pid::from_raw(supervisor), messages))
}

fn attempt(supervisor: Pid, messages: &mut File) -> Result<Never, NotStarted> {
    let spec = LaunchSpec::received().map_err(NotStarted::at(Stage::Confine))?;
    // The leader of a group cannot leave the session, by which its processes are found.
    setpgid(Pid::from_raw(0), Pid::from_raw(0)).map_err(NotStarted::at(Stage::Session))?;
    // The arena ends the session of a supervisor that died, but this process may have begun later.
    execution::expect_parent(supervisor)?;
    execution::reset_signals()?;
    execution::limit(&spec.bounds).map_err(NotStarted::at(Stage::Limits))?;
    execution::change_directory(&spec)?;
    let why = Command::of(&spec)?.execute(messages)?;
    Err(unrunnable::not_executed(&spec.program, why))
}
