//! The effective config of a results directory, and the checksum by which a journal knows its config.

use super::storage::{StorageError, storage, write_file};
use crate::config::Tournament;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The effective config, from which a tournament can be resumed.
pub const CONFIG: &str = "config.toml";

/// A checksum of everything in a config that games depend on: not its title, nor how many are played
/// at once, nor where the files lie, nor how patient the arena is with its user and its disk.
pub fn checksum(tournament: &Tournament) -> String {
    format!("{:08x}", crc32fast::hash(with_old_names(&canonical(tournament)).as_bytes()))
}

/// The text with the names that keys had when the first tournaments were played, so that the checksums
/// in their journals stay valid.
fn with_old_names(text: &str) -> String {
    text.lines()
        .flat_map(|line| match line.starts_with("draw = ") || line.starts_with("resign = ") {
            true => [line.replacen("{ moves = ", "{ turns = ", 1), "\n".to_owned()],
            false => [line.to_owned(), "\n".to_owned()],
        })
        .collect()
}

/// What of a config the checksum is of.
fn canonical(tournament: &Tournament) -> String {
    let mut tournament = tournament.clone();
    tournament.title = None;
    tournament.concurrency = None;
    tournament.finish_timeout = Duration::ZERO;
    tournament.storage_timeout = Duration::ZERO;
    let defaults = Tournament::new("", "", Vec::new());
    tournament.shortage_timeout = defaults.shortage_timeout;
    tournament.oversubscribe = defaults.oversubscribe;
    tournament.skip_broken = defaults.skip_broken;
    let base = tournament.base.clone();
    let is_later = |line: &&str| LATER.iter().any(|key| line.starts_with(&format!("{key} = ")));
    let defaults = defaults.to_toml(Path::new(""));
    let said: Vec<&str> = defaults.lines().filter(is_later).collect();
    // A default says nothing.
    let text = tournament.to_toml(&base);
    text.lines().filter(|line| !said.contains(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Keys that came after the first tournaments: where they say nothing but their defaults, the
/// checksum is that of a config without them, so that directories of older arenas are resumed.
const LATER: [&str; 7] = [
    "shortage_timeout",
    "sandbox_network",
    "max_processes",
    "max_files",
    "disk",
    "oversubscribe",
    "skip_broken",
];

/// How a config with another checksum differs: its lines that the other lacks, and the other's that
/// it lacks.
pub fn differences(found: &Tournament, expected: &Tournament) -> Vec<String> {
    let (found, expected) = (canonical(found), canonical(expected));
    let lacking = |text: &str, other: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !other.lines().any(|known| known == *line));
        lines.map(str::to_owned).collect()
    };
    let new = lacking(&found, &expected).into_iter().map(|line| format!("`{line}` is new"));
    let gone = lacking(&expected, &found).into_iter().map(|line| format!("`{line}` is not there"));
    let lines: Vec<String> = new.chain(gone).collect();
    if lines.is_empty() { vec!["its lines are in another order".to_owned()] } else { lines }
}

/// Writes the effective config and syncs it.
pub fn write_config(dir: &Path, tournament: &Tournament) -> Result<(), StorageError> {
    let absolute = fs::canonicalize(dir).map_err(|why| storage("find", dir, why))?;
    write_file(&dir.join(CONFIG), tournament.to_toml(&absolute).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Overrides, parse};

    #[test]
    fn a_key_that_came_later_changes_no_checksum_by_its_default() {
        let text = "limit = \"nodes=1\"\n[[engine]]\nname = \"a\"\ncommand = \"bot-random\"\n\
                    [[engine]]\nname = \"b\"\ncommand = \"bot-greedy\"\n";
        let read = |more: &str| {
            let text = format!("{more}\n{text}");
            parse("t.toml", &text, Path::new("/base"), &Overrides::default()).unwrap()
        };
        // In the journal of an arena that knew none of these keys.
        assert_eq!(checksum(&read("")), "556ae207");
        for nothing in ["oversubscribe = false", "title = \"T\"", "storage_timeout = \"9s\""] {
            assert_eq!(checksum(&read(nothing)), checksum(&read("")), "{nothing}");
        }
        let ruled = |key: &str| {
            read(&format!(
                "adjudication.draw = {{ {key} = 8 }}\nadjudication.resign = {{ {key} = 3 }}"
            ))
        };
        assert_eq!(checksum(&ruled("turns")), checksum(&ruled("moves")));
        // In the journal of an arena that knew `turns` alone.
        assert_eq!(checksum(&ruled("turns")), "fa7a136c");
        for something in ["sandbox_network = true", "max_files = 77"] {
            assert_ne!(checksum(&read(something)), checksum(&read("")), "{something}");
        }
    }
}
