//! The effective config of a results directory, and the checksum that connects a journal with its
//! config.

use super::storage::{StorageError, storage, write_file};
use crate::config::Tournament;
use std::path::Path;
use std::time::Duration;

/// The file with the effective config, from which a tournament can be resumed.
pub const CONFIG: &str = "config.toml";

/// A checksum of every setting that affects games. Title, concurrency, log, file locations and
/// the timeouts for the user and the disk do not.
pub fn checksum(tournament: &Tournament) -> String {
    format!("{:08x}", crc32fast::hash(canonical(tournament).as_bytes()))
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
    // Families group engines in reports; they change pairings only where `only` may name one.
    if tournament.engines.iter().all(|engine| engine.only.is_empty()) {
        tournament.engines.iter_mut().for_each(|engine| engine.family = None);
    }
    tournament.adjudication.oracle.iter_mut().for_each(|oracle| oracle.identity = None);
    let base = tournament.base.clone();
    tournament.to_toml(&base)
}

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
    let absolute = dunce::canonicalize(dir).map_err(|why| storage("find", dir, why))?;
    write_file(&dir.join(CONFIG), tournament.to_toml(&absolute).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Overrides, parse};

    #[test]
    fn the_checksum_is_that_of_the_settings_that_affect_games() {
        let text = "limit = \"nodes=1\"\n[[engine]]\nname = \"a\"\ncommand = \"bot-random\"\n\
                    [[engine]]\nname = \"b\"\ncommand = \"bot-greedy\"\n";
        let read = |more: &str| {
            let text = format!("{more}\n{text}");
            parse("t.toml", &text, Path::new("/base"), &Overrides::default()).unwrap()
        };
        for nothing in
            ["oversubscribe = false", "title = \"T\"", "storage_timeout = \"9s\"", "log = \"all\""]
        {
            assert_eq!(checksum(&read(nothing)), checksum(&read("")), "{nothing}");
        }
        for something in ["sandbox_network = true", "max_files = 77", "suspend = \"never\""] {
            assert_ne!(checksum(&read(something)), checksum(&read("")), "{something}");
        }
        let of_family = |only: &str, family: &str| {
            let more = format!("{only}family = \"{family}\"\n");
            let text = format!("{text}{more}[[engine]]\nname = \"c\"\ncommand = \"bot-mcts\"\n");
            parse("t.toml", &text, Path::new("/base"), &Overrides::default()).unwrap()
        };
        // It groups engines, and it decides who plays whom.
        assert_eq!(checksum(&of_family("", "x")), checksum(&of_family("", "y")));
        let only = "only = [\"a\"]\n";
        assert_ne!(checksum(&of_family(only, "x")), checksum(&of_family(only, "y")));
    }
}
