//! A named pipe of Windows. The system lets every user read from it, but only its owner and
//! administrators write, so a process that [asks](crate::boards_socket) to follow is one of these.

#![expect(unsafe_code, reason = "the system's call has no safe interface")]

use std::io;
use std::os::windows::io::AsRawHandle;
use std::path::Path;

use sha2::{Digest, Sha256};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::windows::named_pipe::{ClientOptions, NamedPipeServer, ServerOptions};
use windows_sys::Win32::System::Pipes::GetNamedPipeClientProcessId;

use fanorona_engine::started_by_this_process;

/// The name of the pipe for a directory, by its path.
pub(crate) fn address(dir: &Path) -> io::Result<String> {
    let path = dir.canonicalize()?;
    let digest = Sha256::digest(path.to_string_lossy().to_lowercase());
    let name: String = digest[..16].iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!(r"\\.\pipe\fanorona-arena-boards-{name}"))
}

/// Accepts connections.
#[derive(Debug)]
pub(crate) struct Listener {
    name: String,
    /// The end of the pipe that waits for the next process.
    next: NamedPipeServer,
}

impl Listener {
    /// A listener for a directory.
    ///
    /// # Errors
    /// Returns an error if the name is taken.
    pub(crate) fn bind(dir: &Path) -> io::Result<Listener> {
        let name = address(dir)?;
        let next = ServerOptions::new().first_pipe_instance(true).create(&name)?;
        Ok(Listener { name, next })
    }

    /// The next connection; `None` for a process that must not follow.
    ///
    /// # Errors
    /// Returns an error if the system has no pipe left.
    pub(crate) async fn accept(
        &mut self,
    ) -> io::Result<Option<impl AsyncRead + AsyncWrite + use<>>> {
        self.next.connect().await?;
        let next = ServerOptions::new().create(&self.name)?;
        let stream = std::mem::replace(&mut self.next, next);
        let mut process = 0;
        // SAFETY: the handle is open.
        let found =
            unsafe { GetNamedPipeClientProcessId(stream.as_raw_handle(), &mut process) } != 0;
        let is_engine = !found || started_by_this_process(process.cast_signed());
        Ok((!is_engine).then_some(stream))
    }
}

/// Connects to the listener for a directory.
///
/// # Errors
/// Returns an error if there is none, or if it belongs to another user.
pub(crate) async fn connect(dir: &Path) -> io::Result<impl AsyncRead + AsyncWrite> {
    ClientOptions::new().open(address(dir)?)
}
