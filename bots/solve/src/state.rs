//! The state of a run on disk, so that it can go on after it was stopped, killed or the power cut.
//!
//! A directory holds `state.json`, which says what game it is of and how far it has come, and one
//! file for each question's table. A save writes new tables first and then replaces `state.json`,
//! which names them; so the directory is always of one moment. `bots/solve/SOLVED.md` describes both.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::Side;
use serde::{Deserialize, Serialize};

use super::game::Game;
use super::run::Run;
use super::table::{Numbers, Slot};
use fanorona_endgames::atomic_file;
use fanorona_endgames::solution::SideName;

/// What `state.json` says it is.
const FORMAT: &str = "fanorona-solve-state";

/// The version of the format.
const VERSION: u32 = 2;

/// How hard tables are compressed.
const LEVEL: i32 = 1;

/// A directory with the state of a run; nobody else may use it meanwhile.
pub struct State {
    dir: PathBuf,
    /// Held as long as this lives.
    _lock: File,
    saves: u64,
    history: Vec<Snapshot>,
}

/// How far a run had come when it was saved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Processor time it had taken, in milliseconds.
    pub cpu_ms: u64,
    /// White's question and Black's.
    pub questions: [Point; 2],
}

/// How far a question had come.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Point {
    /// Nodes looked at.
    pub nodes: u64,
    /// The proof and disproof number of the start.
    pub start: [u32; 2],
    /// Those of every first move.
    pub moves: Vec<(String, [u32; 2])>,
}

/// What `state.json` holds.
#[derive(Serialize, Deserialize)]
struct Page {
    format: String,
    version: u32,
    start: String,
    rules: String,
    stones: usize,
    /// How often it has been saved.
    saves: u64,
    tables: [TableHeader; 2],
    history: Vec<Snapshot>,
}

/// What `state.json` says of a table.
#[derive(Serialize, Deserialize)]
struct TableHeader {
    #[serde(with = "SideName")]
    attacker: Side,
    /// The file.
    file: String,
    /// Nodes looked at, and disproofs that did not stand.
    nodes: u64,
    refuted: u64,
    /// Nodes in the file.
    slots: u64,
    /// Length of the file, and its CRC-32.
    bytes: u64,
    checksum: u32,
}

/// Why the state of a run cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct StateError {
    /// The file or directory.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: StateProblem,
}

/// What is wrong with the state of a run.
#[derive(Debug, thiserror::Error)]
pub enum StateProblem {
    /// The system will not read or write it.
    #[error(transparent)]
    Io(io::Error),
    /// Another run is at work.
    #[error("another run uses this directory: wait for it, or take another directory")]
    InUse,
    /// It is of no run.
    #[error("this is no state of a run: {0}")]
    Foreign(String),
    /// It is of another version.
    #[error("version {0} of the format; this program has version {VERSION}: begin anew elsewhere")]
    Version(u64),
    /// It is of another game.
    #[error("this is of another game ({0}): take another directory")]
    OtherGame(String),
    /// Something in it is not what it was.
    #[error("damaged: remove the directory and begin anew")]
    Damaged,
}

impl State {
    /// Opens a directory, which is made if it is not there, and takes up what it has: then the run
    /// goes on where it was saved, and the result is how far that was.
    pub fn open(dir: &Path, run: &mut Run<'_>) -> Result<(State, Option<Snapshot>), StateError> {
        let lock = lock(dir)?;
        let mut state = State { dir: dir.to_owned(), _lock: lock, saves: 0, history: Vec::new() };
        let Some(page) = page(dir)? else { return Ok((state, None)) };
        let path = dir.join("state.json");
        let wrong = |problem| StateError { path: path.clone(), problem };
        let [start, rules, stones] = identity(run.game());
        let found = [page.start, page.rules, page.stones.to_string()];
        for (name, (found, expected)) in ["start", "rules", "stones of the tables"]
            .iter()
            .zip(found.iter().zip([start, rules, stones]))
        {
            if *found != expected {
                let other = format!("{name}: `{found}` instead of `{expected}`");
                return Err(wrong(StateProblem::OtherGame(other)));
            }
        }
        for (question, header) in run.questions.iter_mut().zip(&page.tables) {
            let path = dir.join(&header.file);
            let read = read_table(&path, header, |slot| question.search.table.put_slot(slot));
            read.map_err(|problem| StateError { path, problem })?;
            (question.search.nodes, question.refuted) = (header.nodes, header.refuted);
        }
        (state.saves, state.history) = (page.saves, page.history);
        let last = state.history.last().cloned();
        Ok((state, last))
    }

    /// Saves a run that has taken so much processor time in all, in milliseconds.
    pub fn save(&mut self, run: &Run<'_>, cpu_ms: u64) -> Result<(), StateError> {
        let before = self.saves;
        self.saves += 1;
        self.history.push(moment(run, cpu_ms));
        let mut tables = Vec::new();
        for (question, name) in run.questions.iter().zip(["white", "black"]) {
            let file = table_name(name, self.saves);
            let path = self.dir.join(&file);
            let slots = question.search.table.slots();
            let (bytes, checksum) =
                write_table(&path, slots).map_err(|error| io_error(&path, error))?;
            tables.push(TableHeader {
                attacker: question.search.goal.attacker,
                file,
                nodes: question.search.nodes,
                refuted: question.refuted,
                slots: question.search.table.used(),
                bytes,
                checksum,
            });
        }
        let [start, rules, _] = identity(run.game());
        let page = Page {
            format: FORMAT.to_owned(),
            version: VERSION,
            start,
            rules,
            stones: run.game().stones(),
            saves: self.saves,
            tables: tables.try_into().ok().expect("a table for each question"),
            history: self.history.clone(),
        };
        let path = self.dir.join("state.json");
        let text = serde_json::to_vec(&page).expect("a page is plain data");
        atomic_file::write(&path, &text).map_err(|error| io_error(&path, error))?;
        for name in ["white", "black"] {
            // A table that stays behind costs room and nothing else.
            let _ = fs::remove_file(self.dir.join(table_name(name, before)));
        }
        Ok(())
    }

    /// How far a saved run had come, moment by moment; nothing is locked or changed.
    pub fn history(dir: &Path) -> Result<Vec<Snapshot>, StateError> {
        match page(dir)? {
            Some(page) => Ok(page.history),
            None => Err(io_error(&dir.join("state.json"), io::ErrorKind::NotFound.into())),
        }
    }
}

fn io_error(path: &Path, error: io::Error) -> StateError {
    StateError { path: path.to_owned(), problem: StateProblem::Io(error) }
}

fn lock(dir: &Path) -> Result<File, StateError> {
    let path = dir.join("lock");
    let file = fs::create_dir_all(dir).and_then(|()| File::create(&path));
    let file = file.map_err(|error| io_error(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            Err(StateError { path: dir.to_owned(), problem: StateProblem::InUse })
        }
        Err(fs::TryLockError::Error(error)) => Err(io_error(&path, error)),
    }
}

/// Reads `state.json`, if it is there.
fn page(dir: &Path) -> Result<Option<Page>, StateError> {
    let path = dir.join("state.json");
    let wrong = |problem| StateError { path: path.clone(), problem };
    let foreign = |error: &dyn std::fmt::Display| wrong(StateProblem::Foreign(error.to_string()));
    let text = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| io_error(&path, error))?,
    };
    let object: serde_json::Value =
        serde_json::from_slice(&text).map_err(|error| foreign(&error))?;
    if object["format"] != FORMAT {
        return Err(foreign(&format!("`format` is not `{FORMAT}`")));
    }
    match object["version"].as_u64() {
        Some(version) if version == u64::from(VERSION) => {}
        version => return Err(wrong(StateProblem::Version(version.unwrap_or(0)))),
    }
    serde_json::from_value(object).map(Some).map_err(|error| foreign(&error))
}

/// What tells games apart: start, rules and stones of the tables.
fn identity(game: &Game) -> [String; 3] {
    [game.start().to_string(), game.rules().to_string(), game.stones().to_string()]
}

fn moment(run: &Run<'_>, cpu_ms: u64) -> Snapshot {
    let pair = |numbers: Numbers| [numbers.proof, numbers.disproof];
    let (progress, moves) = (run.progress(), run.moves());
    let question = |place: usize| Point {
        nodes: progress[place].nodes,
        start: pair(progress[place].numbers),
        moves: moves.iter().map(|(mv, of)| (mv.to_string(), pair(of[place]))).collect(),
    };
    Snapshot { cpu_ms, questions: [question(0), question(1)] }
}

fn table_name(attacker: &str, saves: u64) -> String {
    format!("{attacker}-{saves}.table")
}

/// What passes through a reader or writer: how much, and its CRC-32.
struct Summed<T> {
    inner: T,
    bytes: u64,
    checksum: crc32fast::Hasher,
}

impl<T> Summed<T> {
    fn new(inner: T) -> Summed<T> {
        Summed { inner, bytes: 0, checksum: crc32fast::Hasher::new() }
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.checksum.update(bytes);
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.pass(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.pass(&bytes[..read]);
        Ok(read)
    }
}

/// Writes a table to the disk; its length and CRC-32.
fn write_table<'s>(path: &Path, slots: impl Iterator<Item = &'s Slot>) -> io::Result<(u64, u32)> {
    let mut encoder = zstd::stream::Encoder::new(Summed::new(File::create(path)?), LEVEL)?;
    for slot in slots {
        encoder.write_all(&slot.to_bytes())?;
    }
    let summed = encoder.finish()?;
    summed.inner.sync_all()?;
    Ok((summed.bytes, summed.checksum.finalize()))
}

fn read_table(
    path: &Path,
    header: &TableHeader,
    mut add: impl FnMut(Slot),
) -> Result<(), StateProblem> {
    let file = File::open(path).map_err(StateProblem::Io)?;
    let mut summed = Summed::new(BufReader::new(file));
    let mut read = |summed: &mut Summed<_>| -> io::Result<()> {
        let mut decoder = zstd::stream::Decoder::new(summed)?;
        let mut bytes = [0; Slot::BYTES];
        for _ in 0..header.slots {
            decoder.read_exact(&mut bytes)?;
            add(Slot::from_bytes(&bytes));
        }
        // To the end, so that all of it is summed.
        io::copy(&mut decoder, &mut io::sink()).map(|_| ())
    };
    let sound = read(&mut summed).is_ok()
        && (summed.bytes, summed.checksum.finalize()) == (header.bytes, header.checksum);
    if sound { Ok(()) } else { Err(StateProblem::Damaged) }
}
