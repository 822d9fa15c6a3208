//! Standard output. A command prints on where a write fails, as its work is more than what it prints;
//! the first error is kept, and the program says it at its end and does not exit with success.

use std::io::{self, ErrorKind, Write};
use std::sync::OnceLock;

use crate::platform;

/// The first error in writing.
static FAILURE: OnceLock<io::Error> = OnceLock::new();

/// Writes bytes to standard output.
pub(crate) fn write(bytes: &[u8]) {
    remember(io::stdout().write_all(bytes));
}

/// Writes what is still in the program's buffer.
pub(crate) fn flush() {
    remember(io::stdout().flush());
}

/// Keeps the error of a write to standard output for the [end](finish). A reader that is gone, as
/// behind `| head`, has seen enough: that is no error.
pub(crate) fn remember(written: io::Result<()>) {
    if let Err(why) = written
        && why.kind() != ErrorKind::BrokenPipe
    {
        // The first one stays.
        let _ = FAILURE.set(why);
    }
}

/// Ends the output of the program, and returns the first error since its start.
pub(crate) fn finish() -> Result<(), &'static io::Error> {
    flush();
    if let Ok(copy) = platform::copied(io::stdout()) {
        remember(platform::close(copy));
    }
    FAILURE.get().map_or(Ok(()), Err)
}
