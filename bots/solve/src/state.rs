//! The state of a run on disk, so that it can resume after a stop, a kill or a power failure.
//!
//! A directory holds `state.json`, with the game and the progress, one file with the table, and one
//! for each proof that is found or being collected and each fortress that is being built. A save
//! writes new files first and then replaces `state.json`, which names them, so the directory is always
//! consistent. `bots/solve/SOLVED.md` describes them.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use fanorona_protocol::rules::Side;
use serde::{Deserialize, Serialize};

use super::game::Game;
use super::run::Run;
use super::table::{Numbers, Slot};

use fanorona_endgames::atomic_file;
use fanorona_endgames::file_format::{Format, FormatError, Layout};
use fanorona_endgames::path_error::PathError;
use fanorona_endgames::solution::SideName;

/// The format of `state.json` and of the files that it names.
const FORMAT: Format = Format {
    name: "fanorona-solve-state",
    version: 1,
    layout: Layout::Whole,
    noun: "the state of a run",
    remedy: "remove the directory and start again, or use another directory",
};

/// The compression level of files.
const LEVEL: i32 = 1;

/// Of a table with more positions than `MANY`, those whose search took at most about `CHEAP` nodes
/// are not saved: they are most of it, and found again in little time.
const MANY: u64 = 50_000_000;
const CHEAP: u64 = 3;

/// A directory with the state of a run, locked while it is in use.
pub struct State {
    dir: PathBuf,
    /// The lock of the directory.
    lock: File,
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
    start: String,
    rules: String,
    stones: usize,
    /// The number of saves.
    saves: u64,
    table: FileHeader,
    questions: [QuestionPage; 2],
    history: Vec<Snapshot>,
}

/// A question in `state.json`.
#[derive(Serialize, Deserialize)]
struct QuestionPage {
    #[serde(with = "SideName")]
    attacker: Side,
    /// Nodes searched, and wrong disproofs.
    nodes: u64,
    refuted: u64,
    /// The proof, as far as it is collected.
    proof: Option<ProofPage>,
    /// The fortress that is being built.
    fortress: Option<FileHeader>,
}

/// A proof in `state.json`.
#[derive(Serialize, Deserialize)]
struct ProofPage {
    /// Whether the attacker wins.
    wins: bool,
    /// Whether the file has the records of the whole proof.
    complete: bool,
    #[serde(flatten)]
    file: FileHeader,
}

/// A compressed file in `state.json`.
#[derive(Clone, Default, Serialize, Deserialize)]
struct FileHeader {
    /// Its name.
    file: String,
    /// Its length, and its CRC-32.
    bytes: u64,
    checksum: u32,
}

/// An error of the state of a run.
pub type StateError = PathError<StateProblem>;

/// The reason why the state of a run cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateProblem {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// Another run uses the directory.
    #[error("another run is using this directory: wait for it, or use another directory")]
    InUse,
    /// A file does not have the format of a state.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The state belongs to another game.
    #[error("the state belongs to another game ({0}): use another directory")]
    OtherGame(String),
    /// The run had larger endgame tables before.
    #[error(
        "the run had endgame tables of {before} stones, and now they have {now}: give it those \
         of {before} again, or larger ones"
    )]
    FewerStones {
        /// The stones of the tables at the last save.
        before: usize,
        /// The stones of the tables now, 0 without tables.
        now: usize,
    },
}

impl Drop for State {
    /// Ends the lock, also where a program that another thread starts has a copy of the descriptor.
    fn drop(&mut self) {
        let _ = self.lock.unlock();
    }
}

impl State {
    /// Opens a directory, and creates it if necessary. If it has a state, the run continues from
    /// there, and the result is the progress at the last save.
    pub fn open(dir: &Path, run: &mut Run<'_>) -> Result<(State, Option<Snapshot>), StateError> {
        let lock = lock(dir)?;
        let mut state = State { dir: dir.to_owned(), lock, saves: 0, history: Vec::new() };
        let Some(page) = page(dir)? else { return Ok((state, None)) };
        let path = dir.join("state.json");
        let wrong = |problem: StateProblem| StateError::new(&path, problem);
        let [start, rules] = identity(run.game());
        let found = [page.start, page.rules];
        for (name, (found, expected)) in
            ["start", "rules"].iter().zip(found.iter().zip([start, rules]))
        {
            if *found != expected {
                let other = format!("{name}: `{found}` instead of `{expected}`");
                return Err(wrong(StateProblem::OtherGame(other)));
            }
        }
        let (before, now) = (page.stones, run.game().stones());
        // Answers hold with larger tables, too; with smaller ones their proofs may not be found.
        if now < before {
            return Err(wrong(StateProblem::FewerStones { before, now }));
        }
        let damaged = |header: &FileHeader| {
            let path = dir.join(&header.file);
            move |problem: StateProblem| StateError::new(&path, problem)
        };
        let mut bytes = [0; Slot::BYTES];
        read_file(dir, &page.table, |decoder| {
            while let Some(()) = filled(decoder, &mut bytes)? {
                run.table.put_slot(Slot::from_bytes(&bytes));
            }
            Ok(())
        })
        .map_err(damaged(&page.table))?;
        for (question, saved) in run.questions.iter_mut().zip(page.questions) {
            (question.search.nodes, question.refuted) = (saved.nodes, saved.refuted);
            let restore = |file: &FileHeader, restore: &mut dyn FnMut(&[u8]) -> Option<()>| {
                let mut bytes = Vec::new();
                read_file(dir, file, |decoder| decoder.read_to_end(&mut bytes).map(|_| ()))
                    .and_then(|()| restore(&bytes).ok_or_else(|| FORMAT.damaged("content").into()))
                    .map_err(damaged(file))
            };
            if let Some(ProofPage { wins, complete, file }) = &saved.proof {
                restore(file, &mut |bytes| question.restore(*wins, *complete, bytes))?;
            }
            if let Some(file) = &saved.fortress {
                restore(file, &mut |bytes| question.restore_fortress(bytes))?;
            }
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
        let table = self.write("positions", |file| {
            let used: u64 = run.progress().iter().map(|question| question.used).sum();
            let is_kept = |slot: &Slot| used <= MANY || slot.cost_more_than(CHEAP);
            let slots = run.table.slots().filter(is_kept);
            slots.map(Slot::to_bytes).try_for_each(|bytes| file.write_all(&bytes))
        })?;
        let mut questions = Vec::new();
        for question in &run.questions {
            let attacker = question.search.goal.attacker;
            let proof = match question.to_bytes() {
                None => None,
                Some((wins, complete, bytes)) => {
                    let file = self.write(proof_name(attacker), |file| file.write_all(&bytes))?;
                    Some(ProofPage { wins, complete, file })
                }
            };
            let fortress = match question.fortress_to_bytes() {
                None => None,
                Some(bytes) => {
                    Some(self.write(fortress_name(attacker), |file| file.write_all(&bytes))?)
                }
            };
            let (nodes, refuted) = (question.search.nodes, question.refuted);
            questions.push(QuestionPage { attacker, nodes, refuted, proof, fortress });
        }
        let [start, rules] = identity(run.game());
        let page = Page {
            start,
            rules,
            stones: run.game().stones(),
            saves: self.saves,
            table,
            questions: questions.try_into().ok().expect("there are two questions"),
            history: self.history.clone(),
        };
        let path = self.dir.join("state.json");
        atomic_file::write(&path, &FORMAT.header(&page))
            .map_err(|error| StateError::new(&path, error))?;
        let of_questions = Side::BOTH.map(|side| [proof_name(side), fortress_name(side)]);
        for name in of_questions.into_iter().flatten().chain(["positions"]) {
            // A leftover file only wastes space.
            let _ = fs::remove_file(self.dir.join(file_name(name, before)));
        }
        Ok(())
    }

    /// Writes a compressed file of this save.
    fn write(
        &self,
        name: &str,
        content: impl FnOnce(&mut Encoder<'_>) -> io::Result<()>,
    ) -> Result<FileHeader, StateError> {
        let file = file_name(name, self.saves);
        let path = self.dir.join(&file);
        let write = || {
            let mut encoder = Encoder::new(ChecksumStream::new(File::create(&path)?), LEVEL)?;
            content(&mut encoder)?;
            let summed = encoder.finish()?;
            summed.inner.sync_all()?;
            Ok((summed.bytes, summed.checksum.finalize()))
        };
        let (bytes, checksum) =
            write().map_err(|error: io::Error| StateError::new(&path, error))?;
        Ok(FileHeader { file, bytes, checksum })
    }

    /// The progress of a saved run at each save. This neither locks nor changes the directory.
    pub fn history(dir: &Path) -> Result<Vec<Snapshot>, StateError> {
        match page(dir)? {
            Some(page) => Ok(page.history),
            None => Err(StateError::new(
                &dir.join("state.json"),
                io::Error::from(io::ErrorKind::NotFound),
            )),
        }
    }
}

fn lock(dir: &Path) -> Result<File, StateError> {
    let path = dir.join("lock");
    let file = fs::create_dir_all(dir)
        .and_then(|()| File::options().write(true).create(true).truncate(false).open(&path));
    let file = file.map_err(|error| StateError::new(&path, error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => Err(StateError::new(dir, StateProblem::InUse)),
        Err(fs::TryLockError::Error(error)) => Err(StateError::new(&path, error)),
    }
}

/// Reads `state.json`, if it is there.
fn page(dir: &Path) -> Result<Option<Page>, StateError> {
    let path = dir.join("state.json");
    let text = match fs::read(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        text => text.map_err(|error| StateError::new(&path, error))?,
    };
    match FORMAT.read(&text) {
        Ok((page, _)) => Ok(Some(page)),
        Err(error) => Err(StateError::new(&path, error)),
    }
}

/// The identity of a game: start and rules.
fn identity(game: &Game) -> [String; 2] {
    [game.start().to_string(), game.rules().to_string()]
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

/// The name of the file of a proof, without its number.
fn proof_name(attacker: Side) -> &'static str {
    match attacker {
        Side::White => "white",
        Side::Black => "black",
    }
}

/// The same for a fortress.
fn fortress_name(attacker: Side) -> &'static str {
    match attacker {
        Side::White => "white-fortress",
        Side::Black => "black-fortress",
    }
}

fn file_name(name: &str, saves: u64) -> String {
    format!("{name}-{saves}.zst")
}

type Encoder<'a> = zstd::stream::Encoder<'a, ChecksumStream<File>>;

/// Counts the bytes that pass through a reader or writer, and their CRC-32.
struct ChecksumStream<T> {
    inner: T,
    bytes: u64,
    checksum: crc32fast::Hasher,
}

impl<T> ChecksumStream<T> {
    fn new(inner: T) -> ChecksumStream<T> {
        ChecksumStream { inner, bytes: 0, checksum: crc32fast::Hasher::new() }
    }

    fn pass(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.checksum.update(bytes);
    }
}

impl<W: Write> Write for ChecksumStream<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.pass(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for ChecksumStream<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.pass(&bytes[..read]);
        Ok(read)
    }
}

/// Reads a file to its end, so that the checksum covers everything.
fn read_file(
    dir: &Path,
    header: &FileHeader,
    content: impl FnOnce(&mut dyn Read) -> io::Result<()>,
) -> Result<(), StateProblem> {
    let file = File::open(dir.join(&header.file))?;
    let mut summed = ChecksumStream::new(BufReader::new(file));
    let read = |summed: &mut ChecksumStream<_>| -> io::Result<()> {
        let mut decoder = zstd::stream::Decoder::new(summed)?;
        content(&mut decoder)?;
        io::copy(&mut decoder, &mut io::sink()).map(|_| ())
    };
    let sound = read(&mut summed).is_ok()
        && (summed.bytes, summed.checksum.finalize()) == (header.bytes, header.checksum);
    if sound { Ok(()) } else { Err(FORMAT.damaged("content").into()) }
}

/// Fills a buffer; `None` at the end of the file.
fn filled(reader: &mut dyn Read, buffer: &mut [u8]) -> io::Result<Option<()>> {
    let mut length = 0;
    while length < buffer.len() {
        match reader.read(&mut buffer[length..])? {
            0 if length == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => length += read,
        }
    }
    Ok(Some(()))
}
