//! The effective config of a results directory, and the checksum that connects a journal with its
//! config.

use super::storage::{StorageError, storage, write_file};
use crate::config::Tournament;
use std::fs;
use std::path::Path;
use std::time::Duration;

/// The file with the effective config, from which a tournament can be resumed.
pub const CONFIG: &str = "config.toml";

/// A checksum of every setting that affects games. Title, concurrency, log, file locations and
/// the timeouts for the user and the disk do not.
pub fn checksum(tournament: &Tournament) -> String {
    format!("{:08x}", crc32fast::hash(with_old_names(&canonical(tournament)).as_bytes()))
}

/// The text with the key names of the first version, so that the checksums in old journals stay
/// valid.
fn with_old_names(text: &str) -> String {
    text.lines()
        .flat_map(|line| match line.starts_with("draw = ") || line.starts_with("resign = ") {
            true => [line.replacen("{ moves = ", "{ turns = ", 1), "\n".to_owned()],
            false => [line.to_owned(), "\n".to_owned()],
        })
        .collect()
}

/// The text that the checksum is computed from.
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
    tournament.log = defaults.log;
    // Which machines may play does not change the games.
    tournament.identity = defaults.identity;
    tournament.engines.iter_mut().for_each(|engine| engine.identity = None);
    // It only groups engines in reports.
    tournament.engines.iter_mut().for_each(|engine| engine.family = None);
    tournament.adjudication.oracle.iter_mut().for_each(|oracle| oracle.identity = None);
    let base = tournament.base.clone();
    let is_later =
        |line: &&str| LATER_KEYS.iter().any(|key| line.starts_with(&format!("{key} = ")));
    let defaults = defaults.to_toml(Path::new(""));
    let defaults: Vec<&str> = defaults.lines().filter(is_later).collect();
    // Default values of later keys are omitted.
    let text = tournament.to_toml(&base);
    text.lines().filter(|line| !defaults.contains(line)).flat_map(|line| [line, "\n"]).collect()
}

/// Keys added after the first version. If they have their default, the checksum is that of a config
/// without them, so that results directories of older versions can be resumed.
const LATER_KEYS: [&str; 8] = [
    "shortage_timeout",
    "sandbox_network",
    "suspend",
    "max_processes",
    "max_files",
    "disk",
    "oversubscribe",
    "skip_broken",
];

/// The differences between two configs with different checksums: the lines that only one of them
/// has.
pub fn differences(found: &Tournament, expected: &Tournament) -> Vec<String> {
    let (found, expected) = (canonical(found), canonical(expected));
    let lacking = |text: &str, other: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| !other.lines().any(|known| known == *line));
        lines.map(str::to_owned).collect()
    };
    let new = lacking(&found, &expected).into_iter().map(|line| format!("`{line}` was added"));
    let gone = lacking(&expected, &found).into_iter().map(|line| format!("`{line}` was removed"));
    let lines: Vec<String> = new.chain(gone).collect();
    if lines.is_empty() { vec!["its lines have a different order".to_owned()] } else { lines }
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
    fn the_default_of_a_later_key_does_not_change_the_checksum() {
        let text = "limit = \"nodes=1\"\n[[engine]]\nname = \"a\"\ncommand = \"bot-random\"\n\
                    [[engine]]\nname = \"b\"\ncommand = \"bot-greedy\"\n";
        let read = |more: &str| {
            let text = format!("{more}\n{text}");
            parse("t.toml", &text, Path::new("/base"), &Overrides::default()).unwrap()
        };
        // From the journal of a version without these keys.
        assert_eq!(checksum(&read("")), "556ae207");
        for nothing in
            ["oversubscribe = false", "title = \"T\"", "storage_timeout = \"9s\"", "log = \"all\""]
        {
            assert_eq!(checksum(&read(nothing)), checksum(&read("")), "{nothing}");
        }
        let ruled = |key: &str| {
            read(&format!(
                "adjudication.draw = {{ {key} = 8 }}\nadjudication.resign = {{ {key} = 3 }}"
            ))
        };
        assert_eq!(checksum(&ruled("turns")), checksum(&ruled("moves")));
        // From the journal of a version that only knew `turns`.
        assert_eq!(checksum(&ruled("turns")), "fa7a136c");
        for something in ["sandbox_network = true", "max_files = 77", "suspend = \"never\""] {
            assert_ne!(checksum(&read(something)), checksum(&read("")), "{something}");
        }
    }
}
