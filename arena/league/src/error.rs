//! Why a league cannot be read or changed.

use std::path::PathBuf;

use fanorona_tournament::config::LoadError;
use fanorona_tournament::record::{JournalError, StorageError};
use fanorona_tournament::text::table::FieldError;

/// Why a league cannot be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum LeagueError {
    /// The directory is not a league.
    #[error("{} is not a league: there is no league.toml in it", .dir.display())]
    NotALeague {
        /// The directory.
        dir: PathBuf,
    },
    /// A file of the league has a wrong content.
    #[error("{}: {why}", .path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The settings, or the config of a tournament, cannot be used.
    #[error(transparent)]
    Config(#[from] LoadError),
    /// The settings ask for something that a league does not have.
    #[error("{}: {why}", .path.display())]
    Settings {
        /// The file.
        path: PathBuf,
        /// The feature that a league does not have.
        why: &'static str,
    },
    /// The name cannot be a bot's.
    #[error(
        "`{name}` cannot be the name of a bot: use letters, digits, `-`, `_` and `.`, at most {most}, and begin with a letter or digit"
    )]
    Name {
        /// The name.
        name: String,
        /// The maximal number of characters.
        most: usize,
    },
    /// No bot has this name.
    #[error("no bot of this league is called `{name}`")]
    Unknown {
        /// The name.
        name: String,
    },
    /// The files that were handed in cannot be used.
    #[error("{}: {why}", .path.display())]
    Submission {
        /// The directory or archive.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// A tournament's journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// A file cannot be read or written.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A journal holds a game that contradicts itself.
    #[error("cannot rate the games of {}: {why}", .dir.display())]
    Game {
        /// The results directory.
        dir: PathBuf,
        /// The contradiction.
        why: FieldError,
    },
}
