//! Loads a config file.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ConfigErrors;
use super::read::parse;
use super::tournament::{Overrides, Tournament};
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

/// Loads a config file. The tournament's `base` becomes the absolute path of the file's directory,
/// with symbolic links resolved.
pub fn load(path: &Path, overrides: &Overrides) -> Result<Tournament, LoadError> {
    let unreadable = |source| LoadError::Unreadable { path: path.to_owned(), source };
    let bytes = input_file::read(path).map_err(unreadable)?;
    let text = String::from_utf8(bytes).map_err(|error| LoadError::NotText {
        path: path.to_owned(),
        at: error.utf8_error().valid_up_to(),
    })?;
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    let dir = dir.unwrap_or(Path::new(".")).canonicalize().map_err(unreadable)?;
    parse(&path.to_string_lossy(), &text, &dir, overrides).map_err(LoadError::Wrong)
}
