//! Builds a whole journal that appears atomically: one with only its header, or one with lines of
//! other journals.

use std::io::{self, BufReader, BufWriter, ErrorKind, Write};

use super::atomic_file::AtomicFile;
use super::journal_line::{Entry, Header, line_of, path_in};
use super::own_file;
use super::storage::storage;
use super::{Lock, StorageError};

/// A new journal that appears when it is complete and on disk. Dropping it leaves nothing behind.
#[derive(Debug)]
pub struct JournalBuilder {
    lock: Lock,
    out: BufWriter<AtomicFile>,
    length: u64,
}

impl JournalBuilder {
    /// Starts a journal with its header. It is an error if there is a journal already.
    pub fn begin(lock: Lock, header: &Header) -> Result<JournalBuilder, StorageError> {
        let path = path_in(lock.dir());
        if path.exists() {
            return Err(storage("replace", &path, ErrorKind::AlreadyExists.into()));
        }
        JournalBuilder::draft(lock, header)
    }

    /// Gives the journal of a directory another header. All other lines stay as they are.
    pub fn renew(lock: Lock, header: &Header) -> Result<(), StorageError> {
        let path = path_in(lock.dir());
        let read = |source| storage("read", &path, source);
        let mut old = BufReader::new(own_file::open(&path).map_err(read)?);
        let mut new = JournalBuilder::draft(lock.clone(), header)?;
        let mut line = Vec::new();
        own_file::read_line(&mut old, &mut line).map_err(read)?;
        io::copy(&mut old, &mut new.out).map_err(|source| storage("write to", &path, source))?;
        new.finish()
    }

    /// A file with a header that will replace the journal.
    fn draft(lock: Lock, header: &Header) -> Result<JournalBuilder, StorageError> {
        let path = path_in(lock.dir());
        let failed = |what| {
            let path = &path;
            move |source| storage(what, path, source)
        };
        let draft = AtomicFile::begin(&path).map_err(failed("create"))?;
        let line = line_of(&Entry::Header(header.clone())).map_err(failed("encode a line of"))?;
        let mut new = JournalBuilder { lock, out: BufWriter::new(draft), length: 0 };
        new.add(line.as_bytes())?;
        Ok(new)
    }

    /// Adds a line of another journal unchanged, and returns its offset.
    pub fn add(&mut self, line: &[u8]) -> Result<u64, StorageError> {
        let begin = self.length;
        let path = || path_in(self.lock.dir());
        self.out.write_all(line).map_err(|source| storage("write to", &path(), source))?;
        self.length += line.len() as u64;
        Ok(begin)
    }

    /// Moves the journal to its final name.
    pub fn finish(self) -> Result<(), StorageError> {
        let finished = match self.out.into_inner() {
            Ok(draft) => draft.finish(),
            Err(unwritten) => Err(unwritten.into_error()),
        };
        finished.map_err(|source| storage("write", &path_in(self.lock.dir()), source))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Journal;
    use std::fs;

    use crate::record::Reader;
    use crate::record::example::game;

    #[test]
    fn lines_are_copied_unchanged() {
        let (from, to) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let header = Header::new("test", "abc");
        let mut journal = Journal::create(Lock::take(from.path()).unwrap(), &header).unwrap();
        let games = ["2", "1"].map(game);
        let offsets = games.each_ref().map(|game| journal.write(game).unwrap());
        let mut reader = Reader::open(from.path()).unwrap();
        let lock = Lock::take(to.path()).unwrap();
        let mut new = JournalBuilder::begin(lock, &header).unwrap();
        for offset in offsets.into_iter().rev() {
            reader.game(offset).unwrap();
            new.add(reader.line()).unwrap();
        }
        assert!(!Journal::path_in(to.path()).exists());
        new.finish().unwrap();
        let contents = Journal::read(to.path(), []).unwrap();
        assert_eq!(contents.header, header);
        let mut reader = Reader::open(to.path()).unwrap();
        let read = contents.index.games().iter().map(|game| reader.game(game.offset).unwrap());
        assert_eq!(read.collect::<Vec<_>>(), ["1", "2"].map(game));
    }

    #[test]
    fn a_new_header_changes_no_other_line() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        let mut journal = Journal::create(lock.clone(), &Header::new("test", "abc")).unwrap();
        journal.write(&game("1")).unwrap();
        drop(journal);
        let lines = |text: &str| text.lines().skip(1).map(str::to_owned).collect::<Vec<_>>();
        let path = Journal::path_in(dir.path());
        let before = fs::read_to_string(&path).unwrap();
        let header = Header::new("test", "a longer checksum");
        JournalBuilder::renew(lock, &header).unwrap();
        let after = fs::read_to_string(&path).unwrap();
        assert_eq!(lines(&before), lines(&after));
        let contents = Journal::read(dir.path(), []).unwrap();
        assert_eq!((contents.header, contents.index.games().len()), (header, 1));
    }

    #[test]
    fn a_dropped_journal_leaves_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let lock = Lock::take(dir.path()).unwrap();
        drop(JournalBuilder::begin(lock, &Header::new("test", "abc")).unwrap());
        let left = fs::read_dir(dir.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["journal.lock"]);
    }
}
