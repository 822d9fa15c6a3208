//! The standard error of an engine as a pipe that is read whether or not there is anything.

use std::io;

use nix::unistd::read;
use tokio::net::unix::pipe;
use tokio::process::ChildStderr;

/// The reading end.
#[derive(Debug)]
pub(crate) struct ErrorPipe(pipe::Receiver);

impl ErrorPipe {
    /// The reading end of a process's standard error.
    pub(crate) fn new(stream: ChildStderr) -> io::Result<ErrorPipe> {
        Ok(ErrorPipe(pipe::Receiver::from_owned_fd(stream.into_owned_fd()?)?))
    }

    /// Waits until there may be something to read, or the end.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        self.0.readable().await
    }

    /// Reads what is there, after [`ErrorPipe::readable`].
    pub(crate) fn try_read(&self, chunk: &mut [u8]) -> io::Result<usize> {
        self.0.try_read(chunk)
    }

    /// Reads what is there without waiting, whatever the runtime knows of the pipe.
    pub(crate) fn read_now(&self, chunk: &mut [u8]) -> io::Result<usize> {
        Ok(read(&self.0, chunk)?)
    }
}
