//! Writes the effective config, with every default explicit. `arena resume` reads it again.
//!
//! The types of a config serialise themselves in the form of a config; `serialised` has the values with
//! a notation of their own.

use std::path::{Component, Path, PathBuf};

use super::read::plain;
use super::tournament::{EngineConfig, Tournament};

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

    /// The tournament as a config for its base directory that says only what differs from the
    /// defaults, and what people look for first.
    pub fn to_short_toml(&self) -> String {
        let usual = table(&Tournament::new(&*self.name, &self.base, Vec::new()));
        let mut short =
            without(table(self), &usual, &["name", "format", "kinds", "rounds", "limit"]);
        let engines = self.engines.iter().map(|engine| {
            let usual = table(&EngineConfig::new(&*engine.name, &*engine.command));
            toml::Value::Table(without(table(engine), &usual, &["name", "command"]))
        });
        short.insert("engine".to_owned(), toml::Value::Array(engines.collect()));
        toml::to_string(&short).expect("a config is tables of plain values")
    }
}

/// The values of a table that differ from the usual ones, and those that are kept in any case.
fn without(mut table: toml::Table, usual: &toml::Table, kept: &[&str]) -> toml::Table {
    table.retain(|key, value| kept.contains(&key) || usual.get(key) != Some(value));
    table
}

/// A part of a config as a table.
fn table(part: &impl serde::Serialize) -> toml::Table {
    toml::Table::try_from(part).expect("a config is tables of plain values")
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
    use crate::config::{Overrides, parse};

    #[test]
    fn a_short_config_says_what_differs_and_is_read_back() {
        let engines = ["bot-a", "bot-b"].map(|name| EngineConfig::new(name, name));
        let mut tournament = Tournament::new("cup", "/base", engines.into());
        tournament.rounds = std::num::NonZeroU32::new(5).unwrap();
        tournament.engines[1].options = vec![("Hash".to_owned(), "64".to_owned())];
        let text = tournament.to_short_toml();
        let read = parse("cup.toml", &text, Path::new("/base"), &Overrides::default());
        assert_eq!(read.unwrap_or_else(|why| panic!("{why}\n{text}")), tournament);
        let keys = text.lines().filter_map(|line| Some(line.split_once(" = ")?.0));
        let keys: Vec<&str> = keys.collect();
        let first = ["format", "kinds", "limit", "name", "rounds"];
        assert_eq!(keys, [&first[..], &["command", "name", "command", "name", "Hash"]].concat());
    }

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
