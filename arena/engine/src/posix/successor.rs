//! Starts the next process in the chain from the arena to an engine. Each runs the arena's own
//! program, with no environment that the engine could read.

use super::descriptors::given;
use super::launch_spec;
use super::own_program::own_program;
use command_fds::{CommandFdExt, FdMapping};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout};
use std::fs::File;
use std::io;
use std::process::Command;

/// The descriptor to which a successor writes its messages. It is closed when the engine's program
/// starts.
pub(crate) const MESSAGES: i32 = 3;

/// Starts a process of the arena's own program that executes the engine or starts it. The process
/// takes over the standard streams; this one keeps no copy.
pub(crate) fn start(messages: &File, args: &[String]) -> io::Result<Pid> {
    let mut command = Command::new(own_program()?);
    command.args(args).env_clear();
    let pass = |file: File, child_fd| FdMapping { parent_fd: file.into(), child_fd };
    let mappings = vec![
        pass(messages.try_clone()?, MESSAGES),
        pass(given(launch_spec::SPEC, false)?, launch_spec::SPEC),
    ];
    command.fd_mappings(mappings).map_err(io::Error::other)?;
    let engine = command.spawn()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(Pid::from_raw(engine.id() as i32))
}
