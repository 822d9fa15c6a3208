//! Errors of files and directories.

use std::path::{Path, PathBuf};

/// The problem of a file or directory, with its path.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct PathError<P> {
    /// The file or directory.
    pub path: PathBuf,
    /// The problem.
    #[source]
    pub problem: P,
}

impl<P> PathError<P> {
    /// The error of a path with this problem.
    pub fn new(path: &Path, problem: impl Into<P>) -> PathError<P> {
        PathError { path: path.to_owned(), problem: problem.into() }
    }
}
