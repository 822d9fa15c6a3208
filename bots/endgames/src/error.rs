//! What can be wrong with a file of tables.

use std::io;
use std::path::{Path, PathBuf};

/// The version of the format.
pub(super) const VERSION: u32 = 1;

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: FileProblem,
}

/// Why a file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileProblem {
    /// The system will not read or write it.
    #[error(transparent)]
    Io(io::Error),
    /// It does not begin like a table.
    #[error("this is no endgame table: its first page is not a table's")]
    Foreign,
    /// It is of another version.
    #[error(
        "version {found} of the format; this program has version {VERSION}: build the table anew"
    )]
    Version {
        /// The version found.
        found: u64,
    },
    /// It is not what its name says.
    #[error("the table of {found}, though its name says {expected}")]
    Other {
        /// What it is of.
        found: String,
        /// What was looked for.
        expected: String,
    },
    /// It is by other rules.
    #[error("the table is by {found}, not by {expected}: tables by each take a directory")]
    Rules {
        /// Those it is by.
        found: String,
        /// Those asked for.
        expected: String,
    },
    /// It is too short or too long.
    #[error("{found} bytes long instead of {expected}: remove it and build the table anew")]
    Length {
        /// Its length in bytes.
        found: u64,
        /// The length its first page tells.
        expected: u64,
    },
    /// A checksum does not match.
    #[error("{part} damaged: remove the file and build the table anew")]
    Damaged {
        /// Where.
        part: String,
    },
}

impl FileError {
    pub(super) fn io(path: &Path, error: io::Error) -> FileError {
        FileError { path: path.to_owned(), problem: FileProblem::Io(error) }
    }
}
