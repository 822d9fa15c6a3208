//! The file that keeps the answer of every search.
//!
//! The header is a line that describes the searches ([`Recipe`]). Every other line is one answer: the
//! position, the number of excluded moves, the position after the best move, its score, and the
//! CRC-32 of the line up to there. The answers are in the order in which the searches ended, which
//! does not matter. An incomplete or damaged line ends the file, and the next run writes over it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use fanorona_endgames::file_format::{Format, FormatError, FormatProblem, Layout};
use fanorona_endgames::path_error::PathError;
use fanorona_protocol::messages::Score;
use serde::{Deserialize, Serialize};

use super::search::{Answer, Question};

/// The format of a journal.
const FORMAT: Format = Format {
    name: "fanorona-book-journal",
    version: 1,
    layout: Layout::Line,
    noun: "a journal of `book build`",
    remedy: "name another file",
};

/// The settings of the searches. Answers of other searches cannot be mixed with these.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recipe {
    /// The number of nodes after which a search begins no new iteration.
    pub nodes: u64,
    /// The directory of endgame tables; none is the tables that every engine has.
    pub tables: Option<PathBuf>,
}

/// An error of a journal.
pub type JournalError = PathError<JournalProblem>;

/// The reason why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalProblem {
    /// Reading or writing failed.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// The file does not have the format of a journal.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// Its positions were searched in another way.
    #[error("its positions were searched differently ({0}): use these settings or another file")]
    Recipe(String),
    /// Another run has the file.
    #[error("another run is using this journal: wait for it or name another file")]
    InUse,
}

/// The answers found so far, in memory and on disk.
pub(crate) struct Journal {
    file: File,
    path: PathBuf,
    answers: HashMap<Question, Answer>,
}

impl Journal {
    /// Starts a journal, or continues one whose positions were searched by the same recipe.
    ///
    /// # Errors
    /// Fails when the file cannot be read or written, or is something else.
    pub(crate) fn open(path: &Path, recipe: &Recipe) -> Result<Journal, JournalError> {
        Journal::from_path(path, recipe).map_err(|problem| JournalError::new(path, problem))
    }

    fn from_path(path: &Path, recipe: &Recipe) -> Result<Journal, JournalProblem> {
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalProblem::InUse),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let header = FORMAT.header(recipe);
        let mut text = Vec::new();
        BufReader::new(&file).read_to_end(&mut text)?;
        let mut answers = HashMap::new();
        let mut end = 0;
        let mut lines = text.split_inclusive(|&byte| byte == b'\n');
        match lines.next().filter(|line| line.ends_with(b"\n")) {
            // A first line without its end is the rest of a run that was killed at once.
            None if header.starts_with(&text) => {}
            None => return Err(FORMAT.error(FormatProblem::Foreign).into()),
            Some(line) => {
                check(line, recipe)?;
                end = line.len();
                for line in lines {
                    let Some((question, answer)) = read(line) else { break };
                    answers.insert(question, answer);
                    end += line.len();
                }
            }
        }
        file.set_len(end as u64)?;
        file.seek(SeekFrom::Start(end as u64))?;
        if end == 0 {
            file.write_all(&header)?;
        }
        Ok(Journal { file, path: path.to_owned(), answers })
    }

    /// The number of answers.
    pub(crate) fn len(&self) -> usize {
        self.answers.len()
    }

    /// The answer to a question, if it has been found.
    pub(crate) fn get(&self, question: &Question) -> Option<Answer> {
        self.answers.get(question).copied()
    }

    /// Adds an answer. It survives a kill of the program at any time after.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub(crate) fn add(&mut self, question: Question, answer: Answer) -> Result<(), JournalError> {
        let line = write(&question, &answer);
        self.answers.insert(question, answer);
        self.file.write_all(line.as_bytes()).map_err(|error| JournalError::new(&self.path, error))
    }
}

/// Checks the header.
fn check(line: &[u8], recipe: &Recipe) -> Result<(), JournalProblem> {
    let (found, _) = FORMAT.read::<Recipe>(line)?;
    if found != *recipe {
        let found = serde_json::to_string(&found).map_err(io::Error::from)?;
        return Err(JournalProblem::Recipe(found));
    }
    Ok(())
}

/// The line of an answer.
fn write(question: &Question, answer: &Answer) -> String {
    let Question { position, excluded } = question;
    let Answer { child, score } = answer;
    let text = format!("{position} {excluded} {child} {score}");
    format!("{text} {:08x}\n", crc32fast::hash(text.as_bytes()))
}

/// The answer of a line; `None` if the line is incomplete or damaged.
fn read(line: &[u8]) -> Option<(Question, Answer)> {
    let line = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (text, checksum) = line.rsplit_once(' ')?;
    if checksum != format!("{:08x}", crc32fast::hash(text.as_bytes())) {
        return None;
    }
    let words: Vec<&str> = text.split(' ').collect();
    let &[position, excluded, child, kind, number] = &words[..] else { return None };
    let score = match kind {
        "cp" => Score::Cp(number.parse().ok()?),
        "win" => Score::Win(number.parse().ok()?),
        "loss" => Score::Loss(number.parse().ok()?),
        _ => return None,
    };
    let question = Question { position: position.parse().ok()?, excluded: excluded.parse().ok()? };
    Some((question, Answer { child: child.parse().ok()?, score }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_bots::book::PositionId;

    fn recipe(nodes: u64) -> Recipe {
        Recipe { nodes, tables: None }
    }

    fn answers() -> Vec<(Question, Answer)> {
        let id = |text: &str| PositionId::new(&text.parse().unwrap());
        let position = id("bbb/b1W/WWW w");
        [(0, Score::Cp(-35)), (1, Score::Win(7)), (2, Score::Loss(4))]
            .into_iter()
            .map(|(excluded, score)| {
                (Question { position, excluded }, Answer { child: id("b1b/1W1/WWW w"), score })
            })
            .collect()
    }

    fn add(path: &Path, answers: &[(Question, Answer)]) -> usize {
        let mut journal = Journal::open(path, &recipe(10)).unwrap();
        for (question, answer) in answers {
            if journal.get(question).is_none() {
                journal.add(*question, *answer).unwrap();
            }
            assert_eq!(journal.get(question), Some(*answer));
        }
        journal.len()
    }

    #[test]
    fn a_journal_cut_anywhere_keeps_its_complete_lines() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        assert_eq!(add(&path, &answers()), 3);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let lines = whole[..length].iter().filter(|&&byte| byte == b'\n').count();
            let kept = Journal::open(&path, &recipe(10)).unwrap().len();
            assert_eq!(kept, lines.saturating_sub(1), "{length}");
            assert_eq!(add(&path, &answers()), 3);
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        let at = whole.len() - 12;
        let mut damaged = whole.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, damaged).unwrap();
        assert_eq!(Journal::open(&path, &recipe(10)).unwrap().len(), 2);
    }

    #[test]
    fn open_refuses_other_recipes_other_files_and_a_second_run() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        add(&path, &answers());
        let refused = |nodes| Journal::open(&path, &recipe(nodes)).err().unwrap().to_string();
        assert!(refused(11).contains("\"nodes\":10"));
        let held = Journal::open(&path, &recipe(10)).unwrap();
        assert!(refused(10).contains("another run"));
        drop(held);
        for (text, why) in [
            ("no end", "not a journal"),
            ("[sprt]\n", "not a journal"),
            ("{\"format\":\"fanorona-book-journal\",\"version\":4}\n", "version 4"),
        ] {
            std::fs::write(&path, text).unwrap();
            assert!(refused(10).contains(why), "{text}");
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text, "the file stays");
        }
    }
}
