//! Errors of table files.

use std::io;

use super::file_format::FormatError;
use super::path_error::PathError;

/// An error of a table file.
pub type FileError = PathError<FileProblem>;

/// The reason why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
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
