//! Loads a config file.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::error::ConfigErrors;
use super::read::{parse, parse_engines};
use super::tournament::{EngineConfig, Overrides, Tournament};
use crate::platform::other_owner;
use crate::text::input_file;

/// Why a config could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The file could not be read.
    #[error("failed to read the config {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file is not UTF-8.
    #[error("the config {} is not valid UTF-8: the first invalid byte is at offset {at}", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The offset of the first invalid byte.
        at: usize,
    },
    /// It belongs to another user, who could make this one run any program.
    #[error("the config {} belongs to another user (number {owner})", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The number of its owner.
        owner: u32,
    },
    /// The text has errors.
    #[error(transparent)]
    Wrong(ConfigErrors),
}

/// Loads a file of further engines for a tournament that has these. Paths in it are relative to the
/// tournament's `base`.
pub fn load_engines(path: &Path, others: &[EngineConfig]) -> Result<Vec<EngineConfig>, LoadError> {
    let text = text_of(path, read(path)?)?;
    parse_engines(&path.to_string_lossy(), &text, others).map_err(LoadError::Wrong)
}

/// Loads a config file. The tournament's `base` becomes the absolute path of the file's directory,
/// with symbolic links resolved.
pub fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, LoadError> {
    let text = text_of(path, read(path)?)?;
    parse_in_place(path, &text, overrides)
}

/// Loads a config file as [`load`] does, if it belongs to the user of this process.
pub fn load_own(path: &Path, overrides: &Overrides) -> Result<Tournament, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    if let Some(owner) = other_owner(&fs::symlink_metadata(path).map_err(unreadable)?) {
        return Err(LoadError::Foreign { path: path.to_owned(), owner });
    }
    // What is open stays what it is, whatever comes in its place.
    let file = input_file::open(path).map_err(unreadable)?;
    if let Some(owner) = other_owner(&file.metadata().map_err(unreadable)?) {
        return Err(LoadError::Foreign { path: path.to_owned(), owner });
    }
    let text = text_of(path, input_file::read_all(file).map_err(unreadable)?)?;
    parse_in_place(path, &text, overrides)
}

/// The number of the user to whom a file or a link to it belongs, unless it is the one of this
/// process. `None` also if there is no such file.
pub fn owned_by_other(path: &Path) -> Option<u32> {
    let found = [fs::symlink_metadata(path), fs::metadata(path)];
    found.iter().flatten().find_map(other_owner)
}

fn parse_in_place(path: &Path, text: &str, overrides: &Overrides) -> Result<Tournament, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or(Path::new("."));
    let dir = dunce::canonicalize(dir).map_err(unreadable)?;
    parse(&path.to_string_lossy(), text, &dir, overrides).map_err(LoadError::Wrong)
}

fn read(path: &Path) -> Result<Vec<u8>, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    input_file::read(path).map_err(unreadable)
}

/// The bytes of a file as text.
fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String, LoadError> {
    String::from_utf8(bytes).map_err(|error| LoadError::NotText {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })
}
