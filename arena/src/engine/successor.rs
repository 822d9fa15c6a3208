//! Starts the next process on the way from the arena to an engine: each is the arena's own program.

use super::sandboxed_exec;
use command_fds::{CommandFdExt, FdMapping};
use nix::unistd::{Pid, dup2_stderr, dup2_stdin, dup2_stdout};
use std::fs::File;
use std::io;
use std::process::Command;

/// Starts a process of the arena's own program that becomes the engine or starts it; it inherits the
/// streams, which then are its alone.
pub(super) fn start(news: &File, args: &[String]) -> io::Result<Pid> {
    let mut command = Command::new("/proc/self/exe");
    command.args(args);
    let mapping = FdMapping { parent_fd: news.try_clone()?.into(), child_fd: sandboxed_exec::NEWS };
    command.fd_mappings(vec![mapping]).map_err(io::Error::other)?;
    let engine = command.spawn()?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(Pid::from_raw(engine.id() as i32))
}
