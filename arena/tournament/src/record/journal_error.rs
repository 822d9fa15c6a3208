//! The errors of journals.

use super::index::IndexError;
use super::journal_line::VERSION;
use super::storage::{StorageError, storage};
use std::io;
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// A file operation failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// There is none.
    #[error(
        "there is no {}, which holds the games: restore it from a backup, or look at what is left with \
         `arena rate` and `arena show`",
        .path.display()
    )]
    Missing {
        /// The file.
        path: PathBuf,
    },
    /// Another process is writing to it.
    #[error(
        "{} is being written by another arena: {holder}; wait for it, or stop it first",
        .dir.display()
    )]
    Locked {
        /// The results directory.
        dir: PathBuf,
        /// The other process, as it identifies itself.
        holder: String,
    },
    /// A line is damaged. Nothing was changed.
    #[error("{}:{line}: {why}; {}", .path.display(), recovery(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The problem.
        why: String,
    },
    /// Its games contradict each other. Nothing was changed.
    #[error("{}: {why}; {}", .path.display(), recovery(.path))]
    Games {
        /// The file.
        path: PathBuf,
        /// The contradiction.
        why: IndexError,
    },
    /// A line changed while the arena was running.
    #[error("{} was changed by another program, at byte {offset}: {why}", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// The offset of the line.
        offset: u64,
        /// The problem.
        why: String,
    },
    /// The journal has another format version.
    #[error("{} has format version {found}, but this arena reads version {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format version.
        found: u32,
    },
}

impl JournalError {
    /// The journal cannot be opened.
    pub(super) fn not_opened(path: &Path, source: io::Error) -> JournalError {
        match source.kind() {
            io::ErrorKind::NotFound => JournalError::Missing { path: path.to_owned() },
            _ => storage("open", path, source).into(),
        }
    }
}

/// Returns advice on how to recover from a damaged journal.
fn recovery(path: &Path) -> String {
    let dir = path.parent().unwrap_or(path).display();
    format!(
        "restore the file from a backup, or copy every undamaged game to a new directory and \
         continue there: arena resume {dir} --salvage NEW"
    )
}
