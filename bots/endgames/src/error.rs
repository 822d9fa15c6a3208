//! Errors of table files.

use std::io;
use std::path::{Path, PathBuf};

use super::file_format::FormatError;

/// An error of a table file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The error.
    #[source]
    pub problem: FileProblem,
}

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[source] io::Error),
    /// The file does not have the format of a table.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The content does not match the file name.
    #[error("contains the table of {found}, but its name says {expected}")]
    Other {
        /// The content found.
        found: String,
        /// The content expected.
        expected: String,
    },
    /// The table was built with other rules.
    #[error(
        "the table was built with {found}, not with {expected}: use one directory per set of rules"
    )]
    Rules {
        /// The rules found.
        found: String,
        /// The rules expected.
        expected: String,
    },
}

impl FileError {
    pub(super) fn io(path: &Path, error: io::Error) -> FileError {
        FileError { path: path.to_owned(), problem: FileProblem::Io(error) }
    }
}
