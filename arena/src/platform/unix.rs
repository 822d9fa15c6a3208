//! Linux and other Unix systems.

use std::fs::File;
use std::io;
pub(crate) use std::os::fd::AsFd as AsStream;
use std::sync::Arc;

use signal_hook::consts::SIGXFSZ;

/// The changes of the program in its surroundings while it runs: none.
#[derive(Debug)]
pub struct Surroundings;

/// Prepares the process. With a handler of its own, writing beyond the file size limit fails with EFBIG,
/// like on a full disk, instead of killing the process. Child processes do not inherit the handler:
/// `exec` resets caught signals, unlike ignored ones.
pub fn prepare() -> Surroundings {
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::default());
    Surroundings
}

/// Another handle of a standard stream.
pub(crate) fn copied(stream: impl AsStream) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

/// Closes a file. Some file systems, those of a network among them, report only then what they did not
/// keep.
pub(crate) fn close(file: File) -> io::Result<()> {
    nix::unistd::close(file).map_err(io::Error::from)
}
