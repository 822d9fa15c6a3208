//! Storage errors, and files written atomically.

use super::atomic_file::AtomicFile;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A failed file operation.
#[derive(Debug, thiserror::Error)]
#[error("cannot {what} {}: {source}", .path.display())]
pub struct StorageError {
    /// The operation, like `write to`.
    pub what: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The system's error.
    pub source: io::Error,
}

impl StorageError {
    /// The same error once more, for another operation that it stopped.
    pub fn again(&self) -> StorageError {
        let source = match self.source.raw_os_error() {
            Some(code) => io::Error::from_raw_os_error(code),
            None => io::Error::new(self.source.kind(), self.source.to_string()),
        };
        StorageError { what: self.what, path: self.path.clone(), source }
    }
}

/// Creates an error, for `map_err`.
pub fn storage(what: &'static str, path: &Path, source: io::Error) -> StorageError {
    StorageError { what, path: path.to_owned(), source }
}

/// Writes and syncs a file; it is replaced as a whole or not at all.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), StorageError> {
    let written = AtomicFile::begin(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(|why| storage("write", path, why))
}
