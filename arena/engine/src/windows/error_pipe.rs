//! The standard error of an engine as a pipe that is read whether or not there is anything.

#![expect(unsafe_code, reason = "the system's call has no safe interface")]

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::os::windows::io::AsRawHandle;
use std::ptr::null_mut;
use std::time::Duration;

use tokio::process::ChildStderr;
use tokio::time::sleep;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

/// The interval of looks at a pipe: the system does not tell when there is something to read.
const LOOK: Duration = Duration::from_millis(10);

/// The reading end.
#[derive(Debug)]
pub(crate) struct ErrorPipe(File);

impl ErrorPipe {
    /// The reading end of a process's standard error.
    pub(crate) fn new(stream: ChildStderr) -> io::Result<ErrorPipe> {
        Ok(ErrorPipe(stream.into_owned_handle()?.into()))
    }

    /// Waits until there may be something to read, or the end.
    pub(crate) async fn readable(&self) -> io::Result<()> {
        while self.available()? == 0 {
            sleep(LOOK).await;
        }
        Ok(())
    }

    /// Reads what is there, after [`ErrorPipe::readable`].
    pub(crate) fn try_read(&self, chunk: &mut [u8]) -> io::Result<usize> {
        self.read_now(chunk)
    }

    /// Reads what is there without waiting.
    pub(crate) fn read_now(&self, chunk: &mut [u8]) -> io::Result<usize> {
        match self.available()? {
            0 => Err(ErrorKind::WouldBlock.into()),
            // Not more than is there, or the read would wait.
            available => {
                let most = chunk.len().min(available);
                (&self.0).read(&mut chunk[..most])
            }
        }
    }

    /// The number of bytes that are there.
    ///
    /// If the other end is closed.
    fn available(&self) -> io::Result<usize> {
        let mut available = 0;
        // SAFETY: the handle is open, and a null pointer is a value that is not wanted.
        let done = unsafe {
            let pipe = self.0.as_raw_handle();
            PeekNamedPipe(pipe, null_mut(), 0, null_mut(), &mut available, null_mut())
        };
        if done == 0 { Err(io::Error::last_os_error()) } else { Ok(available as usize) }
    }
}
