//! Loads a config file.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ConfigErrors;
use super::read::{parse, parse_engines};
use super::tournament::{EngineConfig, Overrides, Tournament};
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
    /// The text has errors.
    #[error(transparent)]
    Wrong(ConfigErrors),
}

/// Loads a file of further engines for a tournament that has these. Paths in it are relative to the
/// tournament's `base`.
pub fn load_engines(path: &Path, others: &[EngineConfig]) -> Result<Vec<EngineConfig>, LoadError> {
    let text = read(path)?;
    parse_engines(&path.to_string_lossy(), &text, others).map_err(LoadError::Wrong)
}

/// Loads a config file. The tournament's `base` becomes the absolute path of the file's directory,
/// with symbolic links resolved.
pub fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let text = read(path)?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or(Path::new(".")).canonicalize().map_err(unreadable)?;
    parse(&path.to_string_lossy(), &text, &dir, overrides).map_err(LoadError::Wrong)
}

/// Reads a file as text.
fn read(path: &Path) -> Result<String, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let bytes = input_file::read(path).map_err(unreadable)?;
    String::from_utf8(bytes).map_err(|error| LoadError::NotText {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })
}
