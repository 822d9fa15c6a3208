//! Why a journal cannot be used.

use super::index::IndexError;
use super::journal_line::VERSION;
use super::storage::StorageError;
use std::path::{Path, PathBuf};

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The disk.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Somebody else is writing to it.
    #[error(
        "{} is being written by another arena: {holder}; wait for it, or stop it first",
        .dir.display()
    )]
    Locked {
        /// The results directory.
        dir: PathBuf,
        /// Who that is, as it says itself.
        holder: String,
    },
    /// A line in it is damaged. Nothing has been changed.
    #[error("{}:{line}: {why}; {}", .path.display(), way_out(.path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// Its games cannot all be of one tournament. Nothing has been changed.
    #[error("{}: {why}; {}", .path.display(), way_out(.path))]
    Games {
        /// The file.
        path: PathBuf,
        /// What is wrong with them.
        why: IndexError,
    },
    /// A line that was whole before no longer is.
    #[error("{} has changed under the arena's hands, at byte {offset}: {why}", .path.display())]
    Changed {
        /// The file.
        path: PathBuf,
        /// Where the line begins.
        offset: u64,
        /// What is wrong with it now.
        why: String,
    },
    /// It was written by an arena with another format.
    #[error("{} has format {found}, this arena reads {VERSION}", .path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
}

/// What to do about a damaged journal.
fn way_out(path: &Path) -> String {
    let dir = path.parent().unwrap_or(path).display();
    format!(
        "restore the file from a copy, or copy every undamaged game to a new directory: arena \
         salvage {dir} --out NEW"
    )
}
