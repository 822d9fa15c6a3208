//! A Unix socket: on Linux with an abstract address, elsewhere with one in the user's directory for
//! temporary files.

use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use tokio::net::{UnixListener, UnixStream};

use fanorona_engine::started_by_this_process;
use fanorona_tournament::record::Lock;

/// A connection.
pub(crate) type Stream = UnixStream;

/// The address for a directory, which keeps it when it is renamed.
pub(crate) fn address(dir: &Path) -> io::Result<String> {
    let data = std::fs::metadata(dir)?;
    let name = format!("fanorona-arena-boards-{:x}-{:x}", data.dev(), data.ino());
    #[cfg(target_os = "linux")]
    return Ok(format!("\0{name}"));
    #[cfg(not(target_os = "linux"))]
    Ok(std::env::temp_dir().join(name).to_string_lossy().into_owned())
}

/// Whether the other end is a process of the same user.
fn is_same_user(stream: &UnixStream) -> bool {
    let own = rustix::process::geteuid().as_raw();
    stream.peer_cred().is_ok_and(|peer| peer.uid() == own)
}

/// Accepts connections.
#[derive(Debug)]
pub(crate) struct Listener(UnixListener);

impl Listener {
    /// A listener for a directory.
    ///
    /// # Errors
    /// Returns an error if the system has no socket left, or if the address is taken.
    pub(crate) fn bind(dir: &Path) -> io::Result<Listener> {
        let address = address(dir)?;
        #[cfg(not(target_os = "linux"))]
        if std::os::unix::net::UnixStream::connect(&address).is_err() {
            // The file of a listener that is gone.
            let _ = std::fs::remove_file(&address);
        }
        UnixListener::bind(address).map(Listener)
    }

    /// The next connection; `None` for a process that must not follow.
    ///
    /// # Errors
    /// Returns an error if descriptors are scarce.
    pub(crate) async fn accept(&mut self) -> io::Result<Option<Stream>> {
        let (stream, _) = self.0.accept().await?;
        let peer = stream.peer_cred().ok().and_then(|peer| peer.pid());
        let is_engine = peer.is_none_or(started_by_this_process);
        Ok((is_same_user(&stream) && !is_engine).then_some(stream))
    }
}

/// Connects to the listener for a directory.
///
/// # Errors
/// Returns an error if there is none, or if it belongs to another user or, on Linux, to another process than
/// the one that plays there: an engine can take any address.
pub(crate) async fn connect(dir: &Path) -> io::Result<Stream> {
    let stream = UnixStream::connect(address(dir)?).await?;
    let peer = stream.peer_cred().ok().and_then(|peer| u32::try_from(peer.pid()?).ok());
    let plays = !cfg!(target_os = "linux") || peer.is_some() && peer == Lock::holder(dir);
    match plays && is_same_user(&stream) {
        true => Ok(stream),
        false => Err(io::Error::other("the boards are of another user or process")),
    }
}
