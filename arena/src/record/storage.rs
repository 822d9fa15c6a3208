//! What the disk refuses, and files that are written whole or not at all.

use super::atomic_file::Draft;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the disk refused to do.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}: {source}", .path.display())]
pub struct StorageError {
    /// What was to be done, like `write to`.
    pub what: &'static str,
    /// To which file.
    pub path: PathBuf,
    /// The system's reason.
    pub source: io::Error,
}

/// An error of the disk.
pub fn storage(what: &'static str, path: &Path, source: io::Error) -> StorageError {
    StorageError { what, path: path.to_owned(), source }
}

/// Writes a file and syncs it; it is there whole or as it was before.
pub(crate) fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    let written = Draft::begin(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(|why| storage("write", path, why))
}
