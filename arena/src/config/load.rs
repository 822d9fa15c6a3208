//! Reading a config from its file.

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
        /// Why.
        source: io::Error,
    },
    /// The file is no text.
    #[error("the config {} is no UTF-8 text: it is wrong from byte {at} on", path.display())]
    NotText {
        /// The file.
        path: PathBuf,
        /// The first wrong byte.
        at: usize,
    },
    /// The text is no config.
    #[error(transparent)]
    Wrong(ConfigErrors),
}

/// Reads a config from its file. The tournament's `base` is absolute: the directory the file was
/// found in, symbolic links followed.
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
