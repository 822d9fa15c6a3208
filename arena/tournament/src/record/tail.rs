//! Follows a journal that another process may be writing.

use std::fs::File;
use std::io::{BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::journal::Journal;
use super::journal_error::JournalError;
use super::journal_line::{Entry, Header, VERSION, entry_of};
use super::own_file;
use super::storage::storage;
use super::{GameRecord, Index};

/// Reads a journal as it grows. Only complete lines count: the last one may still be being written.
#[derive(Debug)]
pub struct Tail {
    file: BufReader<File>,
    path: PathBuf,
    header: Header,
    index: Index,
    /// The end of the last complete line.
    end: u64,
    lines: u64,
    line: Vec<u8>,
}

impl Tail {
    /// Opens the journal of a results directory and reads its header. The ids of engines are their
    /// positions in `engines`.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be opened or has no valid header.
    pub fn open<'n>(
        dir: &Path,
        engines: impl IntoIterator<Item = &'n str>,
    ) -> Result<Tail, JournalError> {
        let path = Journal::path_in(dir);
        let file =
            own_file::open(&path).map_err(|source| JournalError::not_opened(&path, source))?;
        let mut tail = Tail {
            file: BufReader::new(file),
            path,
            header: Header::new("", ""),
            index: Index::new(engines),
            end: 0,
            lines: 0,
            line: Vec::new(),
        };
        match tail.next()? {
            Some((Entry::Header(header), _)) if header.version == VERSION => tail.header = header,
            Some((Entry::Header(header), _)) => {
                return Err(JournalError::Version { path: tail.path, found: header.version });
            }
            _ => return Err(tail.damaged("the journal has no header".to_owned())),
        }
        Ok(tail)
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The games read so far.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Reads what has been written since, and passes on each new game with its offset. Returns
    /// whether there was any.
    ///
    /// # Errors
    /// Returns an error if the journal cannot be read or is damaged. Everything before the damage
    /// counts.
    pub fn read(&mut self, mut take: impl FnMut(&GameRecord, u64)) -> Result<bool, JournalError> {
        let mut games = self.index.games().to_vec();
        let before = games.len();
        let read = loop {
            match self.next() {
                Ok(Some((Entry::Game(game), offset))) => {
                    games.push(self.index.summary(&game, offset));
                    take(&game.made_safe().with_plain_names(), offset);
                }
                Ok(Some((Entry::Void(_), _))) => {}
                Ok(Some((Entry::Header(_), _))) => {
                    break Err(self.damaged("only the first line can be a header".to_owned()));
                }
                Ok(None) => break Ok(()),
                Err(why) => break Err(why),
            }
        };
        let new = games.len() > before;
        if new {
            let path = &self.path;
            let filled = self.index.fill(games);
            filled.map_err(|why| JournalError::Games { path: path.clone(), why })?;
        }
        read.map(|()| new)
    }

    /// The next complete line with its offset; `None` if there is none yet.
    fn next(&mut self) -> Result<Option<(Entry, u64)>, JournalError> {
        self.line.clear();
        let seek = |file: &mut BufReader<File>, to| file.seek(SeekFrom::Start(to)).map(|_| ());
        let read = own_file::read_line(&mut self.file, &mut self.line);
        read.map_err(|source| storage("read", &self.path, source))?;
        let Some(line) = self.line.strip_suffix(b"\n") else {
            let back = seek(&mut self.file, self.end);
            back.map_err(|source| storage("read", &self.path, source))?;
            return Ok(None);
        };
        self.lines += 1;
        let entry = entry_of(line).map_err(|why| self.damaged(why))?;
        let offset = self.end;
        self.end += self.line.len() as u64;
        Ok(Some((entry, offset)))
    }

    fn damaged(&self, why: String) -> JournalError {
        JournalError::Damaged { path: self.path.clone(), line: self.lines.max(1) as usize, why }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Lock;
    use crate::record::example::game;
    use std::fs::{self, OpenOptions};
    use std::io::Write;

    #[test]
    fn games_arrive_as_they_are_written() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        let mut journal = Journal::create(lock, &Header::new("test", "abc")).unwrap();
        let mut tail = Tail::open(dir.path(), ["a", "b"]).unwrap();
        assert_eq!(tail.header(), &Header::new("test", "abc"));
        assert!(!tail.read(|_, _| panic!("there is no game yet")).unwrap());
        let mut seen = Vec::new();
        for id in ["2", "1"] {
            journal.write(&game(id)).unwrap();
            assert!(tail.read(|game, _| seen.push(game.id.to_string())).unwrap());
        }
        assert_eq!(seen, ["2", "1"]);
        assert!(!tail.read(|_, _| panic!("every game is read once")).unwrap());
        let contents = Journal::read(dir.path(), ["a", "b"]).unwrap();
        assert_eq!(tail.index(), &contents.index);
    }

    #[test]
    fn an_incomplete_line_counts_once_it_is_complete() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        let mut journal = Journal::create(lock, &Header::new("test", "abc")).unwrap();
        journal.write(&game("1")).unwrap();
        let path = Journal::path_in(dir.path());
        let whole = fs::read(&path).unwrap();
        fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut tail = Tail::open(dir.path(), []).unwrap();
        assert!(!tail.read(|_, _| panic!("the line is incomplete")).unwrap());
        let mut file = OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&whole[whole.len() - 5..]).unwrap();
        assert!(tail.read(|game, _| assert_eq!(game.id.to_string(), "1")).unwrap());
        file.write_all(b"nonsense\n").unwrap();
        let error = tail.read(|_, _| {}).unwrap_err().to_string();
        assert!(error.contains("journal.jsonl:3:"), "{error}");
        assert_eq!(tail.index().games().len(), 1);
    }
}
