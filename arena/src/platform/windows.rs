//! Windows.

#![expect(unsafe_code, reason = "the system's calls have no safe interface")]

use std::fs::File;
use std::io;
pub(crate) use std::os::windows::io::AsHandle as AsStream;

use windows_sys::Win32::Globalization::CP_UTF8;
use windows_sys::Win32::System::Console::{GetConsoleOutputCP, SetConsoleOutputCP};

/// The change of the program in its surroundings while it runs: the encoding of the console.
/// Dropping this restores it.
#[derive(Debug)]
pub struct Surroundings {
    /// The number of the encoding before; 0 without a console.
    encoding: u32,
}

/// Prepares the process: text on the console is UTF-8.
pub fn prepare() -> Surroundings {
    // SAFETY: without a console both calls do nothing.
    let encoding = unsafe { GetConsoleOutputCP() };
    let surroundings = Surroundings { encoding };
    surroundings.encode(CP_UTF8);
    surroundings
}

impl Surroundings {
    fn encode(&self, encoding: u32) {
        if self.encoding != 0 {
            // SAFETY: an unknown encoding is refused.
            let _ = unsafe { SetConsoleOutputCP(encoding) };
        }
    }
}

impl Drop for Surroundings {
    fn drop(&mut self) {
        self.encode(self.encoding);
    }
}

/// Another handle of a standard stream.
pub(crate) fn copied(stream: impl AsStream) -> io::Result<File> {
    stream.as_handle().try_clone_to_owned().map(File::from)
}

/// Closes a file, of which this system reports nothing more.
pub(crate) fn close(file: File) -> io::Result<()> {
    drop(file);
    Ok(())
}
