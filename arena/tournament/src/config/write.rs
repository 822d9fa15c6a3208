//! Writes the effective config, with every default explicit. `arena resume` reads it again.
//!
//! The types of a config serialise themselves in the form of a config; `serialised` has the values with
//! a notation of their own.

use std::path::{Component, Path, PathBuf};

use super::read::plain;
use super::tournament::Tournament;

impl Tournament {
    /// The tournament as a config for the directory `dir`, a canonical path. Read from there by
    /// [`parse`](super::parse), it is the same tournament. Commands and paths stay as written.
    /// `base`, the directory they are resolved from, is relative to `dir` if possible, so that
    /// configs and results can move together.
    pub fn to_toml(&self, dir: &Path) -> String {
        let mut written = self.clone();
        written.base = relative(&self.base, dir);
        if let Some(tuned) = self.tuned_engine() {
            written.engines = vec![tuned];
        }
        toml::to_string(&written).expect("a config is tables of plain values")
    }
}

/// The path of a directory relative to another. It stays as it is if the two share only the root,
/// or if one of them is relative.
fn relative(target: &Path, from: &Path) -> PathBuf {
    let from = &plain(from);
    let shared = target.components().zip(from.components()).take_while(|(a, b)| a == b).count();
    if !(target.is_absolute() && from.is_absolute()) || shared < 2 {
        return target.to_owned();
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    let seen: PathBuf = up.chain(target.components().skip(shared)).collect();
    if seen.as_os_str().is_empty() { ".".into() } else { seen }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_made_relative_to_another() {
        for (target, from, seen) in [
            ("/a/configs", "/a/results/x", "../../configs"),
            ("/a/configs", "/a/configs", "."),
            ("/a", "/a/results", ".."),
            ("/a/configs", "/a/configs/../results", "../configs"),
            ("/a/b", "/c/d", "/a/b"),
            ("configs", "results/x", "configs"),
        ] {
            assert_eq!(relative(Path::new(target), Path::new(from)), Path::new(seen));
        }
    }
}
