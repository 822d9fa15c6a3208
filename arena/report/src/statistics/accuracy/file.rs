//! `values.csv`: an oracle's values for the games of a results directory, one line per game in
//! schedule order. It is read and written game by game, so that it never has to fit in memory.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::record::table_writer::TableWriter;
use fanorona_tournament::record::{GameRecord, GameValues, StorageError};
use fanorona_tournament::text::input_file::{self, Text};
use fanorona_tournament::text::table::{TableError, TableReader};

/// The file's name in a results directory.
pub const FILE: &str = "values.csv";

/// A row of the file.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
struct Row {
    game: String,
    oracle: String,
    /// The [`checksum`] of the game.
    checksum: String,
    /// The [values](GameValues).
    values: String,
}

/// An oracle's knowledge of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The name of the oracle.
    pub oracle: String,
    /// The values it knows.
    pub values: GameValues,
}

/// The CRC-32 of start and moves. It identifies the game that the values belong to: a replayed game
/// has other moves and loses them.
fn checksum(game: &GameRecord) -> String {
    format!("{:08x}", crc32fast::hash(format!("{} {}", game.start, game.moves).as_bytes()))
}

/// Reads the values of games in schedule order.
pub struct Reader {
    path: PathBuf,
    /// `None` if there is no file.
    rows: Option<TableReader<Text>>,
    /// The next row and its game.
    next: Option<(GameId, Row)>,
}

impl Reader {
    /// Opens the file of a directory; the file may be missing.
    ///
    /// # Errors
    /// Returns an error if the file exists but cannot be read or has other columns.
    pub fn open(dir: &Path) -> Result<Reader, StorageError> {
        let path = dir.join(FILE);
        let file = match input_file::open_text(&path) {
            Ok(file) => file,
            Err(why) if why.kind() == ErrorKind::NotFound => {
                return Ok(Reader { path, rows: None, next: None });
            }
            Err(why) => return Err(storage("open", &path, why)),
        };
        let rows = TableReader::new(file).map_err(|why| unreadable(&path, why))?;
        rows.needs(&["game", "oracle", "checksum", "values"]).map_err(|_| foreign(&path))?;
        let mut reader = Reader { path, rows: Some(rows), next: None };
        reader.advance()?;
        Ok(reader)
    }

    fn advance(&mut self) -> Result<(), StorageError> {
        let Some(rows) = &mut self.rows else { return Ok(()) };
        let row = rows.next::<Row>().map_err(|why| unreadable(&self.path, why))?;
        self.next = match row {
            None => None,
            Some((_, row)) => Some((row.game.parse().map_err(|_| foreign(&self.path))?, row)),
        };
        Ok(())
    }

    /// The row of a game. Games must be asked for in schedule order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read further.
    pub fn of(&mut self, game: &GameRecord) -> Result<Option<Entry>, StorageError> {
        while self.next.as_ref().is_some_and(|(id, _)| *id < game.id) {
            self.advance()?;
        }
        let Some((_, row)) = self.next.as_ref().filter(|(id, _)| *id == game.id) else {
            return Ok(None);
        };
        if row.checksum != checksum(game) {
            return Ok(None);
        }
        let values = row.values.parse().map_err(|_| foreign(&self.path))?;
        Ok(Some(Entry { oracle: row.oracle.clone(), values }))
    }
}

/// The error for a file with other content.
fn foreign(path: &Path) -> StorageError {
    let why = "not a valid values.csv: delete the file and ask the oracle again";
    storage("read", path, io::Error::other(why))
}

fn unreadable(path: &Path, why: TableError) -> StorageError {
    storage("read", path, io::Error::other(why))
}

/// Writes the file: it is complete or unchanged.
pub struct Values(TableWriter);

impl Values {
    /// Begins the file of a directory.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn begin(dir: &Path) -> Result<Values, StorageError> {
        Ok(Values(TableWriter::of::<Row>(dir, FILE)?))
    }

    /// Adds a game, the next one in schedule order.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn add(&mut self, game: &GameRecord, entry: &Entry) -> Result<(), StorageError> {
        let Entry { oracle, values } = entry;
        self.0.row(&Row {
            game: game.id.to_string(),
            oracle: oracle.clone(),
            checksum: checksum(game),
            values: values.to_string(),
        })
    }

    /// Replaces the old file.
    ///
    /// # Errors
    /// Returns an error if it cannot be written.
    pub fn finish(self) -> Result<(), StorageError> {
        self.0.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::record::example::game;

    fn entry(values: &str) -> Entry {
        Entry { oracle: "sage, \"old\"".into(), values: values.parse().unwrap() }
    }

    #[test]
    fn values_are_kept_by_game() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Reader::open(dir.path()).unwrap().of(&game("1")).unwrap(), None);
        let mut values = Values::begin(dir.path()).unwrap();
        for (id, text) in [("1", "3:w5 4:l4"), ("2", ""), ("7.2", "9:d")] {
            values.add(&game(id), &entry(text)).unwrap();
        }
        values.finish().unwrap();
        let mut reader = Reader::open(dir.path()).unwrap();
        let mut of = |id: &str| reader.of(&game(id)).unwrap();
        assert_eq!(of("1"), Some(entry("3:w5 4:l4")));
        assert_eq!(of("7.1"), None);
        assert_eq!(of("7.2"), Some(entry("9:d")));
        assert_eq!(of("8"), None);
        // A game with the same number but other moves is another game.
        let other = GameRecord { moves: "c1b1W".into(), ..game("1") };
        assert_eq!(Reader::open(dir.path()).unwrap().of(&other).unwrap(), None);
    }

    #[test]
    fn another_file_of_that_name_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        for text in ["game,values\n1,3:d\n", "game,oracle,checksum,values\nx,,,\n"] {
            std::fs::write(dir.path().join(FILE), text).unwrap();
            let Err(why) = Reader::open(dir.path()) else { panic!("{text}") };
            assert!(why.to_string().contains("values.csv"), "{why}");
        }
    }
}
