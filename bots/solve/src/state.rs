//! The state of a run on disk, so that it can resume after a stop, a kill or a power failure.
//!
//! A directory holds `state.json`, with the game and the progress, and one file for each question's
//! table. A save writes new tables first and then replaces `state.json`, which names them, so the
//! directory is always consistent. `bots/solve/SOLVED.md` describes both.

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

/// The name of the format in `state.json`.
const FORMAT: &str = "fanorona-solve-state";

/// The version of the format.
const VERSION: u32 = 2;

/// The compression level of tables.
const LEVEL: i32 = 1;

/// A directory with the state of a run, locked while it is in use.
pub struct State {
    dir: PathBuf,
    /// The lock of the directory.
    _lock: File,
    saves: u64,
    history: Vec<Snapshot>,
}

/// The progress of a run at a save.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Snapshot {
    /// Processor time in milliseconds.
    pub cpu_ms: u64,
    /// White's question and Black's.
    pub questions: [QuestionSnapshot; 2],
}

/// The progress of a question at a save.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct QuestionSnapshot {
    /// Nodes searched.
    pub nodes: u64,
    /// The proof and disproof numbers of the start.
    pub start: [u32; 2],
    /// The numbers of every first move.
    pub moves: Vec<(String, [u32; 2])>,
}

/// The content of `state.json`.
#[derive(Serialize, Deserialize)]
struct Page {
    format: String,
    version: u32,
    start: String,
    rules: String,
    stones: usize,
    /// The number of saves.
    saves: u64,
    tables: [TableHeader; 2],
    history: Vec<Snapshot>,
}

/// The header of a table in `state.json`.
#[derive(Serialize, Deserialize)]
struct TableHeader {
    #[serde(with = "SideName")]
    attacker: Side,
    /// The file.
    file: String,
    /// Nodes searched, and wrong disproofs.
    nodes: u64,
    refuted: u64,
    /// Nodes in the file.
    slots: u64,
    /// Length of the file, and its CRC-32.
    bytes: u64,
    checksum: u32,
}

/// An error of the state of a run.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct StateError {
    /// The file or directory.
    pub path: PathBuf,
    /// The error.
    pub problem: StateProblem,
}

/// The reason why the state of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateProblem {
    /// Reading or writing failed.
    #[error(transparent)]
    Io(io::Error),
    /// Another run uses the directory.
    #[error("another run is using this directory: wait for it, or use another directory")]
    InUse,
    /// The file is not the state of a run.
    #[error("not the state of a run: {0}")]
    Foreign(String),
    /// The format has another version.
    #[error(
        "version {0} of the format; this program reads version {VERSION}: start again in another directory"
    )]
    Version(u64),
    /// The state belongs to another game.
    #[error("the state belongs to another game ({0}): use another directory")]
    OtherGame(String),
    /// The state is damaged.
    #[error("damaged: remove the directory and start again")]
    Damaged,
}

impl State {
    /// Opens a directory, and creates it if necessary. If it has a state, the run continues from
    /// there, and the result is the progress at the last save.
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

    /// Saves a run; `cpu_ms` is its total processor time in milliseconds.
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
            // A leftover table only wastes space.
            let _ = fs::remove_file(self.dir.join(table_name(name, before)));
        }
        Ok(())
    }

    /// The progress of a saved run at each save. This neither locks nor changes the directory.
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

/// The identity of a game: start, rules and stones of the tables.
fn identity(game: &Game) -> [String; 3] {
    [game.start().to_string(), game.rules().to_string(), game.stones().to_string()]
}

fn moment(run: &Run<'_>, cpu_ms: u64) -> Snapshot {
    let pair = |numbers: Numbers| [numbers.proof, numbers.disproof];
    let (progress, moves) = (run.progress(), run.moves());
    let question = |place: usize| QuestionSnapshot {
        nodes: progress[place].nodes,
        start: pair(progress[place].numbers),
        moves: moves.iter().map(|(mv, of)| (mv.to_string(), pair(of[place]))).collect(),
    };
    Snapshot { cpu_ms, questions: [question(0), question(1)] }
}

fn table_name(attacker: &str, saves: u64) -> String {
    format!("{attacker}-{saves}.table")
}

/// Counts the bytes that pass through a reader or writer, and their CRC-32.
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

/// Writes a table to disk; returns its length and CRC-32.
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
        // Read to the end, so that the checksum covers everything.
        io::copy(&mut decoder, &mut io::sink()).map(|_| ())
    };
    let sound = read(&mut summed).is_ok()
        && (summed.bytes, summed.checksum.finalize()) == (header.bytes, header.checksum);
    if sound { Ok(()) } else { Err(StateProblem::Damaged) }
}
