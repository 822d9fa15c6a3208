//! The journal: an append-only file with one finished game per line, synced to disk before the
//! result is reported.
//!
//! Every line is a JSON object `{"crc32": "…", "entry": …}`. The checksum (CRC-32/ISO-HDLC) covers
//! the bytes of the entry as written. The first entry is a header that names the tournament; every
//! other entry is a game, or an attempt at a game that was void. When a journal is opened, an
//! incomplete last line, as a power failure leaves it, is removed. If only its newline is missing,
//! the checksum shows that the line is complete, and it counts. Any other damage is reported as an
//! error with its line number, and nothing is changed; [`Salvage`](super::Salvage) reads the
//! undamaged lines.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::journal_error::JournalError;
use super::journal_line::{self, Entry, Header, NewEntry, VERSION, entry_with_end, line_of};
use super::own_file;
use super::storage::{StorageError, storage};
use super::{GameRecord, Index, JournalBuilder, Lock};
use crate::pairing::ids::GameId;
use crate::platform;

/// The contents of a journal.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// The header with the tournament.
    pub header: Header,
    /// The index of the games.
    pub index: Index,
    /// The number of void attempts per game.
    pub voids: HashMap<GameId, u32>,
    /// The number of bytes of an incomplete line at the end.
    pub torn: u64,
    /// The offset of the last line's newline if that is missing or damaged. The line counts,
    /// because its checksum is correct.
    pub unended: Option<u64>,
}

/// A journal open for writing, locked against other arena processes. The file itself is locked
/// (`flock`) in addition to the directory, so that the lock remains if the directory's lock file is
/// removed.
#[derive(Debug)]
pub struct Journal {
    _lock: Lock,
    file: Box<dyn Storage>,
    path: PathBuf,
    /// The offset of the next line.
    length: u64,
    /// Whether bytes of a failed write may follow after `length`.
    fragment: bool,
}

/// The file operations of a journal; a test replaces them by failing ones.
trait Storage: Debug + Send {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    fn set_len(&self, length: u64) -> io::Result<()>;
    fn sync(&self) -> io::Result<()>;
    fn unlock(&self) -> io::Result<()>;
}

impl Storage for File {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        platform::write_all_at(self, bytes, offset)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        File::set_len(self, length)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn unlock(&self) -> io::Result<()> {
        File::unlock(self)
    }
}

impl Drop for Journal {
    /// Gives up the lock, which would otherwise last as long as a copy of the descriptor: a program
    /// that another thread starts has one for a moment.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Journal {
    /// The path of the journal in a results directory.
    pub fn path_in(dir: &Path) -> PathBuf {
        journal_line::path_in(dir)
    }

    /// Creates a journal with its header. It is an error if there is one. The file appears with its
    /// header or not at all.
    pub fn create(lock: Lock, header: &Header) -> Result<Journal, JournalError> {
        JournalBuilder::begin(lock.clone(), header)?.finish()?;
        let path = Journal::path_in(lock.dir());
        let open = || {
            let file = OpenOptions::new().write(true).open(&path)?;
            let length = file.metadata()?.len();
            Ok((file, length))
        };
        let (file, length) = open().map_err(|source| storage("open", &path, source))?;
        own(&file, &lock)?;
        Ok(Journal { _lock: lock, file: Box::new(file), path, length, fragment: false })
    }

    /// Opens a journal for writing, removes an incomplete last line, and returns the contents. The
    /// ids of engines are their positions in `engines`.
    pub fn open<'n>(
        lock: Lock,
        engines: impl IntoIterator<Item = &'n str>,
    ) -> Result<(Journal, Contents), JournalError> {
        let path = Journal::path_in(lock.dir());
        // Append mode is not used because the system would ignore the offset of a write.
        let open = OpenOptions::new().read(true).write(true).open(&path);
        let file = open.map_err(|source| JournalError::not_opened(&path, source))?;
        own(&file, &lock)?;
        let contents = read(&path, &file, Index::new(engines))?;
        let repair = || {
            let mut length = file.metadata()?.len() - contents.torn;
            if let Some(end) = contents.unended {
                platform::write_all_at(&file, b"\n", end)?;
                length = end + 1;
            }
            if contents.torn > 0 || contents.unended.is_some() {
                File::set_len(&file, length)?;
                file.sync_data()?;
            }
            Ok(length)
        };
        let length = repair().map_err(|source| storage("repair the end of", &path, source))?;
        let journal = Journal { _lock: lock, file: Box::new(file), path, length, fragment: false };
        Ok((journal, contents))
    }

    /// Reads a journal without locking or changing it.
    pub fn read<'n>(
        dir: &Path,
        engines: impl IntoIterator<Item = &'n str>,
    ) -> Result<Contents, JournalError> {
        let path = Journal::path_in(dir);
        let file =
            own_file::open(&path).map_err(|source| JournalError::not_opened(&path, source))?;
        read(&path, &file, Index::new(engines))
    }

    /// Writes a game and returns the offset of its line. On return, the game is on disk.
    pub fn write(&mut self, game: &GameRecord) -> Result<u64, StorageError> {
        Ok(self.write_all(&[NewEntry::Game(game)])?[0])
    }

    /// Writes entries in this order with one sync, all of them or none, and returns the offset of
    /// each line. On return, they are on disk.
    pub fn write_all(&mut self, entries: &[NewEntry<'_>]) -> Result<Vec<u64>, StorageError> {
        let (mut lines, mut offsets) = (String::new(), Vec::with_capacity(entries.len()));
        for entry in entries {
            let line =
                line_of(entry).map_err(|why| storage("encode a line of", &self.path, why))?;
            offsets.push(self.length + lines.len() as u64);
            lines += &line;
        }
        // A fragment longer than these lines would remain after them.
        if self.fragment {
            let cut = self.file.set_len(self.length);
            cut.map_err(|source| storage("truncate", &self.path, source))?;
            self.fragment = false;
        }
        let written = self.file.write_all_at(lines.as_bytes(), self.length);
        match written.and_then(|()| self.file.sync()) {
            Ok(()) => {
                self.length += lines.len() as u64;
                Ok(offsets)
            }
            Err(source) => {
                self.fragment = self.file.set_len(self.length).is_err();
                Err(storage("write to", &self.path, source))
            }
        }
    }
}

/// Locks the journal file itself.
fn own(file: &File, lock: &Lock) -> Result<(), JournalError> {
    match platform::try_lock_readable(file) {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let holder = "its name is unknown because journal.lock was removed".to_owned();
            Err(JournalError::Locked { dir: lock.dir().to_owned(), holder })
        }
        Err(TryLockError::Error(source)) => {
            Err(storage("lock", &Journal::path_in(lock.dir()), source).into())
        }
    }
}

fn read(path: &Path, file: &File, mut index: Index) -> Result<Contents, JournalError> {
    let mut reader = BufReader::new(file);
    let (mut header, mut games, mut voids) = (None, Vec::new(), HashMap::new());
    let (mut torn, mut unended) = (0, None);
    let (mut bytes, mut offset) = (Vec::new(), 0);
    for line in 1.. {
        bytes.clear();
        let read = own_file::read_line(&mut reader, &mut bytes);
        let length = read.map_err(|source| storage("read", path, source))? as u64;
        if length == 0 {
            break;
        }
        let damaged = |why| JournalError::Damaged { path: path.to_owned(), line, why };
        let entry = match entry_with_end(&bytes) {
            Ok((entry, end)) => {
                if !bytes.ends_with(b"\n") {
                    unended = Some(offset + end as u64);
                }
                Ok(entry)
            }
            // Every line is written with a newline, so only the last one can lack it.
            Err(_) if !bytes.ends_with(b"\n") => {
                torn = length;
                break;
            }
            Err(why) => Err(why),
        };
        match (entry, line) {
            (Ok(Entry::Header(found)), 1) if found.version != VERSION => {
                return Err(JournalError::Version { path: path.to_owned(), found: found.version });
            }
            (Ok(Entry::Header(found)), 1) => header = Some(found),
            (Ok(Entry::Game(game)), 2..) => games.push(index.summary(&game, offset)),
            (Ok(Entry::Void(void)), 2..) => *voids.entry(void.id).or_default() += 1,
            (Ok(_), _) => return Err(damaged("only the first line can be a header".into())),
            (Err(why), _) => return Err(damaged(why)),
        }
        offset += length;
    }
    let Some(header) = header else {
        let why = "the journal has no header".to_owned();
        return Err(JournalError::Damaged { path: path.to_owned(), line: 1, why });
    };
    index.fill(games).map_err(|why| JournalError::Games { path: path.to_owned(), why })?;
    Ok(Contents { header, index, voids, torn, unended })
}

#[cfg(test)]
mod tests {
    use super::super::VoidRecord;
    use super::*;
    use crate::record::Reader;
    use crate::record::example::game;
    use std::cell::Cell;
    use std::fs;

    fn create(dir: &Path) -> Result<Journal, JournalError> {
        Journal::create(Lock::take(dir)?, &Header::new("test", "abc"))
    }

    fn open(dir: &Path) -> Result<(Journal, Contents), JournalError> {
        Journal::open(Lock::take(dir)?, [])
    }

    fn written(dir: &Path) -> Vec<GameRecord> {
        let mut journal = create(dir).unwrap();
        let games = vec![game("1"), game("2")];
        for game in &games {
            journal.write(game).unwrap();
        }
        games
    }

    /// The games of a journal, read from their offsets in the index.
    fn read_back(dir: &Path, contents: &Contents) -> Vec<GameRecord> {
        let mut reader = Reader::open(dir).unwrap();
        contents.index.games().iter().map(|game| reader.game(game.offset).unwrap()).collect()
    }

    #[test]
    fn games_survive_a_round_trip() {
        let dir = tempfile::tempdir().unwrap();
        let games = written(dir.path());
        let contents = Journal::read(dir.path(), []).unwrap();
        assert_eq!((read_back(dir.path(), &contents), contents.torn), (games, 0));
        assert_eq!(contents.header, Header::new("test", "abc"));
    }

    #[test]
    fn games_can_be_read_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = create(dir.path()).unwrap();
        // Together longer than any buffer.
        let games: Vec<_> = (1..200).map(|number| game(&number.to_string())).collect();
        let offsets: Vec<_> = games.iter().map(|game| journal.write(game).unwrap()).collect();
        let mut reader = Reader::open(dir.path()).unwrap();
        for place in (0..199).map(|step| step * 70 % 199) {
            assert_eq!(reader.game(offsets[place]).unwrap(), games[place]);
        }
        let error = reader.game(offsets[7] + 1).unwrap_err();
        assert!(matches!(error, JournalError::Changed { .. }), "{error}");
        assert_eq!(reader.game(offsets[8]).unwrap(), games[8]);
    }

    #[test]
    fn only_a_shard_is_named() {
        for (shard, words) in [("2/4", ",\"shard\":\"2/4\"}"), ("1/1", "\"config\":\"abc\"}")] {
            let dir = tempfile::tempdir().unwrap();
            let header = Header::new("test", "abc").for_shard(shard.parse().unwrap());
            Journal::create(Lock::take(dir.path()).unwrap(), &header).unwrap();
            let text = fs::read_to_string(Journal::path_in(dir.path())).unwrap();
            assert!(text.contains(words), "{text}");
            assert_eq!(Journal::read(dir.path(), []).unwrap().header, header);
        }
    }

    #[test]
    fn a_journal_is_never_replaced() {
        let dir = tempfile::tempdir().unwrap();
        written(dir.path());
        let error = create(dir.path()).unwrap_err();
        assert!(matches!(error, JournalError::Storage(_)), "{error}");
    }

    #[test]
    fn a_second_writer_is_rejected() {
        let dir = tempfile::tempdir().unwrap();
        let first = create(dir.path()).unwrap();
        assert!(matches!(open(dir.path()), Err(JournalError::Locked { .. })));
        drop(first);
        open(dir.path()).unwrap();
    }

    #[test]
    fn an_incomplete_last_line_is_removed() {
        let dir = tempfile::tempdir().unwrap();
        let games = written(dir.path());
        let path = Journal::path_in(dir.path());
        let whole = fs::read(&path).unwrap();
        let last = whole[..whole.len() - 1].iter().rposition(|&b| b == b'\n').unwrap() + 1;
        for end in last..whole.len() - 1 {
            fs::write(&path, &whole[..end]).unwrap();
            let (mut journal, contents) = open(dir.path()).unwrap();
            assert_eq!(read_back(dir.path(), &contents), games[..1]);
            assert_eq!(contents.torn, (end - last) as u64);
            let offset = journal.write(&games[1]).unwrap();
            assert_eq!(offset, last as u64);
            drop(journal);
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn damage_in_the_middle_is_reported_with_its_line() {
        let dir = tempfile::tempdir().unwrap();
        written(dir.path());
        let path = Journal::path_in(dir.path());
        let whole = fs::read_to_string(&path).unwrap();
        for (from, to, line) in
            [("c1b2A", "c1b1A", 2), ("\"version\"", "\"verzion\"", 1), ("{\"crc32\"", "{crc32", 1)]
        {
            fs::write(&path, whole.replacen(from, to, 1)).unwrap();
            let error = open(dir.path()).unwrap_err().to_string();
            assert!(error.contains(&format!("journal.jsonl:{line}:")), "{error}");
        }
        fs::write(&path, "").unwrap();
        assert!(open(dir.path()).unwrap_err().to_string().contains("no header"));
        fs::write(&path, format!("{whole}{}\n", whole.lines().nth(1).unwrap())).unwrap();
        assert!(open(dir.path()).unwrap_err().to_string().contains("game 1 occurs twice"));
    }
    #[test]
    fn a_last_line_counts_without_its_newline() {
        let dir = tempfile::tempdir().unwrap();
        let games = written(dir.path());
        let path = Journal::path_in(dir.path());
        let whole = fs::read(&path).unwrap();
        for newline in [&b""[..], b"\x0b", b"\x8a", b"J"] {
            fs::write(&path, [&whole[..whole.len() - 1], newline].concat()).unwrap();
            let contents = Journal::read(dir.path(), []).unwrap();
            assert_eq!(contents.unended, Some(whole.len() as u64 - 1));
            assert_eq!(read_back(dir.path(), &contents), games);
            let (mut journal, contents) = open(dir.path()).unwrap();
            assert_eq!((read_back(dir.path(), &contents), contents.torn), (games.clone(), 0));
            assert_eq!(fs::read(&path).unwrap(), whole);
            assert_eq!(journal.write(&game("3")).unwrap(), whole.len() as u64);
            drop(journal);
            assert_eq!(Journal::read(dir.path(), []).unwrap().index.games().len(), 3);
        }
    }

    #[test]
    fn a_journal_stays_locked_without_its_lock_file() {
        let dir = tempfile::tempdir().unwrap();
        let first = create(dir.path()).unwrap();
        fs::remove_file(dir.path().join("journal.lock")).unwrap();
        let error = open(dir.path()).unwrap_err();
        assert!(matches!(error, JournalError::Locked { .. }), "{error}");
        assert!(error.to_string().contains("journal.lock"), "{error}");
        drop(first);
        open(dir.path()).unwrap();
    }

    /// A file with a few failures: a write stops in the middle, or is complete but not synced, and
    /// then truncating fails too.
    #[derive(Debug)]
    struct Failing {
        file: File,
        writes: Cell<u32>,
        syncs: Cell<u32>,
        truncations: Cell<u32>,
    }

    impl Failing {
        fn fails(times: &Cell<u32>) -> io::Result<()> {
            let left = times.get();
            times.set(left.saturating_sub(1));
            if left > 0 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }
    }

    impl Storage for Failing {
        fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
            let written = Failing::fails(&self.writes);
            let some = if written.is_ok() { bytes } else { &bytes[..bytes.len() / 2] };
            platform::write_all_at(&self.file, some, offset)?;
            written
        }

        fn set_len(&self, length: u64) -> io::Result<()> {
            Failing::fails(&self.truncations)?;
            File::set_len(&self.file, length)
        }

        fn sync(&self) -> io::Result<()> {
            Failing::fails(&self.syncs)
        }

        fn unlock(&self) -> io::Result<()> {
            File::unlock(&self.file)
        }
    }

    #[test]
    fn entries_are_written_together_or_not_at_all() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = create(dir.path()).unwrap();
        let path = Journal::path_in(dir.path());
        let syncs = |syncs: u32| Failing {
            file: OpenOptions::new().write(true).open(&path).unwrap(),
            writes: 0.into(),
            syncs: syncs.into(),
            truncations: 0.into(),
        };
        journal.file = Box::new(syncs(1));
        let games = ["1", "2", "3"].map(game);
        let all = games.each_ref().map(NewEntry::Game);
        journal.write_all(&all).unwrap_err();
        assert!(Journal::read(dir.path(), []).unwrap().index.games().is_empty());
        let offsets = journal.write_all(&all).unwrap();
        let again = journal.write(&game("4")).unwrap();
        drop(journal);
        let contents = Journal::read(dir.path(), []).unwrap();
        let found: Vec<u64> = contents.index.games().iter().map(|game| game.offset).collect();
        assert_eq!(found, [&offsets[..], &[again]].concat());
        assert_eq!(read_back(dir.path(), &contents)[..3], games);
    }

    #[test]
    fn a_failed_write_does_not_damage_other_lines() {
        for (writes, syncs) in [(1, 0), (2, 0), (0, 1), (0, 2)] {
            for truncations in 0..4 {
                let dir = tempfile::tempdir().unwrap();
                let mut journal = create(dir.path()).unwrap();
                journal.write(&game("1")).unwrap();
                let path = Journal::path_in(dir.path());
                journal.file = Box::new(Failing {
                    file: OpenOptions::new().write(true).open(&path).unwrap(),
                    writes: writes.into(),
                    syncs: syncs.into(),
                    truncations: truncations.into(),
                });
                // The longer line fails, and shorter ones are written instead.
                let long = GameRecord { detail: "long ".repeat(100), ..game("2") };
                journal.write(&long).unwrap_err();
                let voids = ["3", "4"]
                    .map(|id| VoidRecord { id: id.parse().unwrap(), why: "a test".to_owned() });
                for void in &voids {
                    let mut tries = 0;
                    while journal.write_all(&[NewEntry::Void(void)]).is_err() {
                        tries += 1;
                        assert!(tries < 10);
                    }
                }
                drop(journal);
                let contents = Journal::read(dir.path(), []).unwrap();
                assert_eq!((contents.torn, contents.unended), (0, None));
                assert_eq!(read_back(dir.path(), &contents), [game("1")]);
                assert_eq!(contents.voids.len(), 2);
            }
        }
    }
}
