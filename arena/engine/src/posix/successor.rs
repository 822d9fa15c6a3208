//! Starts the next process in the chain from the arena to an engine: a copy of this one, which has no
//! environment that the engine could read.

use std::fs::File;
use std::io;

use nix::unistd::{ForkResult, Pid, dup2_stderr, dup2_stdin, dup2_stdout, fork};

/// Starts the next process. Returns its number in this process and `None` in the new one, which takes over
/// the standard streams; this one keeps no copy.
///
/// Must be called while this process has a single thread.
pub(crate) fn start() -> io::Result<Option<Pid>> {
    #[expect(unsafe_code, reason = "a copy of a process with several threads could wait for ever")]
    // SAFETY: no helper has a second thread yet, so no thread is missing that holds a lock.
    let started = unsafe { fork() }?;
    let ForkResult::Parent { child } = started else { return Ok(None) };
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    dup2_stdin(&nothing)?;
    dup2_stdout(&nothing)?;
    dup2_stderr(&nothing)?;
    Ok(Some(child))
}
