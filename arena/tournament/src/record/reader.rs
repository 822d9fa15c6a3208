//! Reads single games of a journal.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use super::journal::Journal;
use super::journal_error::JournalError;
use super::journal_line::{Entry, entry_with_end};
use super::own_file;
use super::storage::storage;
use super::{GameRecord, StorageError};

/// Reads games of a journal by the offsets of their lines. Reading in file order is fastest.
#[derive(Debug)]
pub struct Reader {
    file: BufReader<File>,
    path: PathBuf,
    position: u64,
    line: Vec<u8>,
}

impl Reader {
    /// Opens the journal of a results directory.
    pub fn open(dir: &Path) -> Result<Reader, StorageError> {
        let path = Journal::path_in(dir);
        let file = own_file::open(&path).map_err(|source| storage("open", &path, source))?;
        Ok(Reader { file: BufReader::new(file), path, position: 0, line: Vec::new() })
    }

    /// Reads the game at an offset, with texts safe to show.
    pub fn game(&mut self, offset: u64) -> Result<GameRecord, JournalError> {
        self.line.clear();
        // Nearby games are already in the buffer.
        let distance = offset as i64 - self.position as i64;
        let read = self.file.seek_relative(distance).and_then(|()| {
            self.position = offset;
            own_file::read_line(&mut self.file, &mut self.line)
        });
        self.position += read.map_err(|source| storage("read", &self.path, source))? as u64;
        let changed = |why| JournalError::Changed { path: self.path.clone(), offset, why };
        let (entry, end) = entry_with_end(&self.line).map_err(changed)?;
        let Entry::Game(game) = entry else {
            return Err(changed("the line is no longer a game".to_owned()));
        };
        // The newline of the last line may be damaged.
        self.line.truncate(end);
        self.line.push(b'\n');
        Ok(game.made_safe().with_plain_names())
    }

    /// The line of the game read last, with its newline.
    pub fn line(&self) -> &[u8] {
        &self.line
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example::game;
    use crate::record::{Header, Lock};

    #[test]
    fn names_of_a_journal_are_no_formulas() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        let mut journal = Journal::create(lock, &Header::new("test", "abc")).unwrap();
        let forged = GameRecord { white: "=cmd|calc!A0".to_owned(), ..game("1") };
        let offset = journal.write(&forged).unwrap();
        let read = Reader::open(dir.path()).unwrap().game(offset).unwrap();
        assert_eq!((&*read.white, &read.black), ("'=cmd|calc!A0", &forged.black));
    }
}
