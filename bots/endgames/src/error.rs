//! Errors of table files.

use std::io;
use std::path::{Path, PathBuf};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

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
    /// The file is not a table.
    #[error("not an endgame table: wrong first page")]
    Foreign,
    /// The format has another version.
    #[error(
        "version {found} of the format; this program reads version {VERSION}: build the table again"
    )]
    Version {
        /// The version found.
        found: u64,
    },
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
    /// The length is wrong.
    #[error(
        "the file has {found} bytes instead of {expected}: remove it and build the table again"
    )]
    Length {
        /// The length found, in bytes.
        found: u64,
        /// The length expected from the first page.
        expected: u64,
    },
    /// A checksum does not match.
    #[error("{part} damaged: remove the file and build the table again")]
    Damaged {
        /// The damaged part.
        part: String,
    },
}

impl FileError {
    pub(super) fn io(path: &Path, error: io::Error) -> FileError {
        FileError { path: path.to_owned(), problem: FileProblem::Io(error) }
    }
}
