//! Games that two workers have played: each pair of records is compared, and `comparisons.jsonl` in the
//! results directory holds a line about it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::own_file;
use super::storage::{StorageError, storage};
use crate::pairing::ids::GameId;
use crate::text::as_text;

/// The file's name in a results directory.
const FILE: &str = "comparisons.jsonl";

/// A game that two workers have played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RepeatedGame {
    /// The number of the game in the tournament.
    #[serde(with = "as_text")]
    pub game: GameId,
    /// The worker whose game counts.
    pub kept: String,
    /// The worker that played it, too.
    pub other: String,
    /// The first field in which the records differ although they must not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differs: Option<String>,
}

impl RepeatedGame {
    /// The file in a results directory.
    pub fn path_in(dir: &Path) -> PathBuf {
        dir.join(FILE)
    }

    /// Adds it to the file in a results directory.
    pub fn append(&self, dir: &Path) -> Result<(), StorageError> {
        let path = RepeatedGame::path_in(dir);
        let line = serde_json::to_string(self).expect("plain data") + "\n";
        let file = own_file::options().create(true).append(true).open(&path);
        file.and_then(|mut file| file.write_all(line.as_bytes()))
            .map_err(|why| storage("write to", &path, why))
    }

    /// Reads the comparisons of a results directory. A line that was cut off at the end is left
    /// out.
    pub fn read_all(dir: &Path) -> Result<Vec<RepeatedGame>, StorageError> {
        let path = RepeatedGame::path_in(dir);
        let text = match own_file::read(&path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(why) => return Err(storage("read", &path, why)),
        };
        Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn comparisons_are_read_back() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(RepeatedGame::read_all(dir.path()).unwrap(), []);
        let comparison = |game: &str, differs: Option<&str>| RepeatedGame {
            game: game.parse().unwrap(),
            kept: "ada".into(),
            other: "grace".into(),
            differs: differs.map(str::to_owned),
        };
        let all = [comparison("5", None), comparison("7.2", Some("moves"))];
        all.iter().for_each(|it| it.append(dir.path()).unwrap());
        assert_eq!(RepeatedGame::read_all(dir.path()).unwrap(), all);
        let path = RepeatedGame::path_in(dir.path());
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        assert_eq!(RepeatedGame::read_all(dir.path()).unwrap(), all[..1]);
    }
}
