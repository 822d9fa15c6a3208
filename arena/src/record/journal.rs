//! The journal: append-only, one finished game a line, on disk before anybody is told of it.
//!
//! Every line is a JSON object `{"crc32": "…", "entry": …}`; the checksum (CRC-32 as in ISO-HDLC)
//! is of the bytes of the entry as written. The first entry is a header that names the tournament;
//! every other one is a game, or an attempt at one that is void. A last line that was not written to
//! its end, as a power cut leaves it, is cut off when the journal is opened again; where it only
//! lacks its newline, its checksum proves it whole and it counts. Any other damage is refused with
//! its line number, and nothing is changed; [`Salvage`](super::Salvage) reads what is undamaged.

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use super::journal_error::JournalError;
use super::journal_line::{self, Entry, Header, VERSION, entry_with_end, line_of};
use super::storage::{StorageError, storage};
use super::{Compilation, GameRecord, Index, Lock, VoidRecord};
use crate::pairing::ids::GameId;
use crate::text::input_file;

/// What a journal holds.
#[derive(Clone, PartialEq, Debug)]
pub struct Contents {
    /// What it says of its tournament.
    pub header: Header,
    /// The games in short.
    pub index: Index,
    /// How many attempts at games have been void.
    pub voids: HashMap<GameId, u32>,
    /// Bytes at the end of the file that are no whole line.
    pub torn: u64,
    /// Where the newline of the last line belongs, if it is missing or damaged. The line counts:
    /// its checksum holds.
    pub unended: Option<u64>,
}

/// A journal open for writing, locked against every other arena. The lock lies on the file itself
/// (`flock`) as well as on the directory's, so that it holds when that one is removed.
#[derive(Debug)]
pub struct Journal {
    _lock: Lock,
    file: Box<dyn Storage>,
    path: PathBuf,
    /// Where the next line begins.
    length: u64,
    /// Whether there may be bytes behind `length`, of a line that could not be written.
    fragment: bool,
}

/// What a journal asks of its file; a test puts one in its place that fails.
trait Storage: Debug + Send {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()>;
    fn set_len(&self, length: u64) -> io::Result<()>;
    fn sync(&self) -> io::Result<()>;
}

impl Storage for File {
    fn write_all_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        FileExt::write_all_at(self, bytes, offset)
    }

    fn set_len(&self, length: u64) -> io::Result<()> {
        File::set_len(self, length)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }
}

impl Journal {
    /// The file in a results directory.
    pub fn path_in(dir: &Path) -> PathBuf {
        journal_line::path_in(dir)
    }

    /// Begins a journal with its header; refuses to replace one. The file is there with the header
    /// or not at all.
    pub fn create(lock: Lock, header: &Header) -> Result<Journal, JournalError> {
        Compilation::begin(lock.clone(), header)?.finish()?;
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

    /// Opens a journal to go on, cutting off a torn last line, and gives what it holds. Engines get
    /// ids by their places in `engines`.
    pub fn open<'n>(
        lock: Lock,
        engines: impl IntoIterator<Item = &'n str>,
    ) -> Result<(Journal, Contents), JournalError> {
        let path = Journal::path_in(lock.dir());
        // Not in append mode, in which the system ignores the offset of a write.
        let open = OpenOptions::new().read(true).write(true).open(&path);
        let file = open.map_err(|source| storage("open", &path, source))?;
        own(&file, &lock)?;
        let contents = read(&path, &file, Index::new(engines))?;
        let mend = || {
            let mut length = file.metadata()?.len() - contents.torn;
            if let Some(end) = contents.unended {
                FileExt::write_all_at(&file, b"\n", end)?;
                length = end + 1;
            }
            if contents.torn > 0 || contents.unended.is_some() {
                File::set_len(&file, length)?;
                file.sync_data()?;
            }
            Ok(length)
        };
        let length = mend().map_err(|source| storage("mend the end of", &path, source))?;
        let journal = Journal { _lock: lock, file: Box::new(file), path, length, fragment: false };
        Ok((journal, contents))
    }

    /// Reads a journal without locking or changing it.
    pub fn read<'n>(
        dir: &Path,
        engines: impl IntoIterator<Item = &'n str>,
    ) -> Result<Contents, JournalError> {
        let path = Journal::path_in(dir);
        let file = input_file::open(&path).map_err(|source| storage("open", &path, source))?;
        read(&path, &file, Index::new(engines))
    }

    /// Writes a game; gives the byte at which its line begins. When this returns, it is on disk.
    pub fn write(&mut self, game: &GameRecord) -> Result<u64, StorageError> {
        self.append(&Entry::Game(Box::new(game.clone())))
    }

    /// Writes down that an attempt at a game was void. When this returns, it is on disk.
    pub fn write_void(&mut self, void: &VoidRecord) -> Result<u64, StorageError> {
        self.append(&Entry::Void(void.clone()))
    }

    fn append(&mut self, entry: &Entry) -> Result<u64, StorageError> {
        let line = line_of(entry).map_err(|why| storage("encode a line of", &self.path, why))?;
        // A fragment longer than this line would reach out behind it.
        if self.fragment {
            let cut = self.file.set_len(self.length);
            cut.map_err(|source| storage("truncate", &self.path, source))?;
            self.fragment = false;
        }
        let written = self.file.write_all_at(line.as_bytes(), self.length);
        match written.and_then(|()| self.file.sync()) {
            Ok(()) => {
                let offset = self.length;
                self.length += line.len() as u64;
                Ok(offset)
            }
            Err(source) => {
                self.fragment = self.file.set_len(self.length).is_err();
                Err(storage("write to", &self.path, source))
            }
        }
    }
}

/// Locks the journal itself; the system lets go of it when the file is closed.
fn own(file: &File, lock: &Lock) -> Result<(), JournalError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            let holder = "its journal.lock, which named it, has been removed".to_owned();
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
        let read = reader.read_until(b'\n', &mut bytes);
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
            // Every line is written with its end; only the last can lack it.
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
            (Ok(_), _) => return Err(damaged("the header is the first line and no other".into())),
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
    use super::*;
    use crate::record::Reader;
    use crate::record::tests::game;
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

    /// The games of a journal, each read back from where the index says it lies.
    fn read_back(dir: &Path, contents: &Contents) -> Vec<GameRecord> {
        let mut reader = Reader::open(dir).unwrap();
        contents.index.games().iter().map(|game| reader.game(game.offset).unwrap()).collect()
    }

    #[test]
    fn what_was_written_is_read() {
        let dir = tempfile::tempdir().unwrap();
        let games = written(dir.path());
        let contents = Journal::read(dir.path(), []).unwrap();
        assert_eq!((read_back(dir.path(), &contents), contents.torn), (games, 0));
        assert_eq!(contents.header, Header::new("test", "abc"));
    }

    #[test]
    fn games_are_read_back_in_any_order() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = create(dir.path()).unwrap();
        // Longer together than any buffer.
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
    fn a_part_is_named_and_the_whole_is_not() {
        for (shard, words) in [("2/4", ",\"shard\":\"2/4\"}"), ("1/1", "\"config\":\"abc\"}")] {
            let dir = tempfile::tempdir().unwrap();
            let header = Header::new("test", "abc").of_part(shard.parse().unwrap());
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
    fn a_second_writer_is_refused() {
        let dir = tempfile::tempdir().unwrap();
        let first = create(dir.path()).unwrap();
        assert!(matches!(open(dir.path()), Err(JournalError::Locked { .. })));
        drop(first);
        open(dir.path()).unwrap();
    }

    #[test]
    fn a_torn_tail_is_cut_at_every_byte() {
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
    fn damage_in_the_middle_is_refused_with_its_line() {
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
        assert!(open(dir.path()).unwrap_err().to_string().contains("game 1 is there twice"));
    }
    #[test]
    fn a_last_line_counts_whatever_has_become_of_its_newline() {
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
    fn without_its_lock_file_a_journal_is_still_locked() {
        let dir = tempfile::tempdir().unwrap();
        let first = create(dir.path()).unwrap();
        fs::remove_file(dir.path().join("journal.lock")).unwrap();
        let error = open(dir.path()).unwrap_err();
        assert!(matches!(error, JournalError::Locked { .. }), "{error}");
        assert!(error.to_string().contains("journal.lock"), "{error}");
        drop(first);
        open(dir.path()).unwrap();
    }

    /// A file that fails a few times: a write stops in the middle, or all of it is there and not
    /// synced, and then it cannot be truncated either.
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
            FileExt::write_all_at(&self.file, some, offset)?;
            written
        }

        fn set_len(&self, length: u64) -> io::Result<()> {
            Failing::fails(&self.truncations)?;
            File::set_len(&self.file, length)
        }

        fn sync(&self) -> io::Result<()> {
            Failing::fails(&self.syncs)
        }
    }

    #[test]
    fn what_a_failed_write_has_left_is_never_part_of_another_line() {
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
                // The longer line fails; it is given up for shorter ones.
                let long = GameRecord { detail: "long ".repeat(100), ..game("2") };
                journal.write(&long).unwrap_err();
                let voids = ["3", "4"]
                    .map(|id| VoidRecord { id: id.parse().unwrap(), why: "a test".to_owned() });
                for void in &voids {
                    let mut tries = 0;
                    while journal.write_void(void).is_err() {
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
