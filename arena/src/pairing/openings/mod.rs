//! What is played before engines are asked: from a pairing to the position its game starts from
//! and the moves that come out of the book.
//!
//! Both games of a pair have the same opening. Openings depend on config, seed and the pairing's
//! place alone, never on what was played before, so that a tournament can be resumed anywhere:
//!
//! - `start`: no book.
//! - `named`: the five first captures in rotation, one a round.
//! - `random`: every pairing of engines has a stream of its own per kind, from which round r takes
//!   the r-th line (`random`).
//! - `file`: in sequential order round r takes the r-th line that fits the kind, for every pairing
//!   the same; in random order every pairing of engines shuffles the lines its own way (`file`).
//!
//! The games of a session take the next one each from streams of the session's own, one per kind:
//! the k-th game takes the k-th. In rotation and in files the session of round r begins at r.

mod file;
mod opening;
mod random;
pub mod selection;

use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use fanorona_protocol::rules::{self, Move, Position, Ruleset, Start};

pub use file::{LineError, LineProblem};
pub use opening::{GameKind, Opening};

use super::ids::{EngineId, Pairing};
use super::seeds;
use crate::config::{FileOrder, OpeningSource, Tournament};
use crate::ratings::kind::Kind;
use crate::text::input_file;
use random::RandomLines;

/// Why there are no openings.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file could not be read, or is no text.
    #[error("failed to read the openings {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Lines of the file are wrong, all of them given.
    #[error("{}", shown(path, errors))]
    Lines {
        /// The file.
        path: PathBuf,
        /// The lines.
        errors: Vec<LineError>,
    },
    /// No line of the file can begin a game of this kind.
    #[error(
        "{} has no opening for {kind}: add one (`startpos` alone is one), or take {kind} out of \
         `kinds`",
        path.display()
    )]
    NoneFor {
        /// The file.
        path: PathBuf,
        /// The kind.
        kind: GameKind,
    },
}

fn shown(path: &std::path::Path, errors: &[LineError]) -> String {
    let shown: Vec<String> =
        errors.iter().map(|error| format!("{}:{error}", path.display())).collect();
    shown.join("\n")
}

/// The openings of a tournament. Random ones are drawn when they are first wanted, and kept.
#[derive(Debug)]
pub struct Openings {
    board: Start,
    rules: Ruleset,
    seed: u64,
    source: Source,
}

#[derive(Debug)]
enum Source {
    Start,
    Named,
    Random { plies: u32, streams: Mutex<HashMap<Stream, RandomLines>> },
    File { lines: HashMap<GameKind, Vec<Opening>>, order: FileOrder, checksum: u32 },
}

/// Whose random openings: two engines', whoever is first, in one kind.
type Stream = (EngineId, EngineId, GameKind);

impl Openings {
    /// The openings of a tournament, its file read if it has one.
    pub fn load(tournament: &Tournament) -> Result<Openings, OpeningsError> {
        let text = match &tournament.openings {
            OpeningSource::File { path, .. } => {
                let path = tournament.base.join(path);
                let text = input_file::read_to_string(&path);
                text.map_err(|source| OpeningsError::Unreadable { path, source })?
            }
            _ => String::new(),
        };
        Openings::new(tournament, &text)
    }

    /// The same with the text of the file given; of no matter when openings come from elsewhere.
    pub fn new(tournament: &Tournament, file: &str) -> Result<Openings, OpeningsError> {
        let Tournament { board, rules, seed, .. } = *tournament;
        let source = match &tournament.openings {
            OpeningSource::Start => Source::Start,
            OpeningSource::Named => Source::Named,
            &OpeningSource::Random { plies } => Source::Random { plies, streams: Mutex::default() },
            OpeningSource::File { path, order } => {
                let mut kinds = GameKind::ALL.to_vec();
                if !tournament.kinds.contains(&Kind::Session) {
                    kinds.retain(|&kind| tournament.kinds.contains(&kind.into()));
                }
                let path = || tournament.base.join(path);
                let lines = file::read(file, board, &rules, &kinds)
                    .map_err(|errors| OpeningsError::Lines { path: path(), errors })?;
                if let Some(&kind) = kinds.iter().find(|kind| !lines.contains_key(kind)) {
                    return Err(OpeningsError::NoneFor { path: path(), kind });
                }
                let checksum = crc32fast::hash(file.as_bytes());
                Source::File { lines, order: *order, checksum }
            }
        };
        Ok(Openings { board, rules, seed, source })
    }

    /// The checksum of the file they come from, if they come from one.
    pub fn checksum(&self) -> Option<u32> {
        match self.source {
            Source::File { checksum, .. } => Some(checksum),
            _ => None,
        }
    }

    /// The opening of a riatra or a vela; of a session, that of its first game.
    pub fn of_pairing(&self, pairing: &Pairing) -> Opening {
        let kind = match pairing.kind {
            Kind::Riatra => GameKind::Riatra,
            Kind::Vela => GameKind::Vela,
            Kind::Session => return self.of_session_game(pairing, 1, GameKind::Riatra),
        };
        let engines = [pairing.first, pairing.second];
        let (low, high) = (engines[0].min(engines[1]), engines[0].max(engines[1]));
        let index = u64::from(pairing.round - 1);
        let names = [low.0.to_string(), high.0.to_string(), kind.to_string()];
        let labels = ["openings", &names[0], &names[1], &names[2]];
        match &self.source {
            Source::Random { streams, .. } => {
                // A panic while drawing leaves a stream that has drawn less, nothing worse.
                let mut streams = streams.lock().unwrap_or_else(PoisonError::into_inner);
                let stream = streams.entry((low, high, kind));
                let lines = stream.or_insert_with(|| self.random(kind, &labels));
                self.with_book(kind, lines.line(index))
            }
            _ => self.listed(kind, index, index, &labels),
        }
    }

    /// The opening of a game of a session by its place there, from 1.
    pub fn of_session_game(&self, session: &Pairing, game: u32, kind: GameKind) -> Opening {
        let index = u64::from(game.max(1) - 1);
        let names = [session.id.to_string(), kind.to_string()];
        let labels = ["openings", "session", &names[0], &names[1]];
        match &self.source {
            // The few games of a session are drawn again for each of them.
            Source::Random { .. } => self.with_book(kind, self.random(kind, &labels).line(index)),
            _ => self.listed(kind, u64::from(session.round - 1) + index, index, &labels),
        }
    }

    /// All openings of a kind there are, each once, and random ones as long as somebody asks: those
    /// of no pairing, for whoever chooses among them.
    pub fn lines(&self, kind: GameKind) -> Lines {
        let Openings { board, rules, .. } = *self;
        let start = kind.start(board, &rules);
        let lines = match &self.source {
            Source::Start => LinesOf::Listed(vec![self.with_book(kind, Vec::new())].into_iter()),
            Source::Named => {
                let named =
                    rules::Opening::ALL.map(|one| self.with_book(kind, vec![one.first_move()]));
                LinesOf::Listed(Vec::from(named).into_iter())
            }
            Source::Random { .. } => {
                let labels = ["openings", "chosen", &kind.to_string()];
                LinesOf::Random { lines: Box::new(self.random(kind, &labels)), next: 0 }
            }
            Source::File { lines, .. } => LinesOf::Listed(lines[&kind].clone().into_iter()),
        };
        Lines { start, lines }
    }

    /// An opening as a line of a file that is for one kind alone.
    pub fn line(&self, kind: GameKind, opening: &Opening) -> String {
        let start = match opening.start == kind.start(self.board, &self.rules) {
            true => "startpos".to_owned(),
            false => opening.start.to_string(),
        };
        let moves = opening.book.iter().map(Move::to_string);
        let words: Vec<String> = [kind.to_string(), start].into_iter().chain(moves).collect();
        words.join(" ")
    }

    /// How many openings of a kind there are before they come again; `None` where they are drawn.
    pub fn count(&self, kind: GameKind) -> Option<usize> {
        match &self.source {
            Source::Start => Some(1),
            Source::Named => Some(rules::Opening::ALL.len()),
            Source::Random { .. } => None,
            Source::File { lines, .. } => lines.get(&kind).map(Vec::len),
        }
    }

    /// The stream of random lines that belongs to these labels.
    fn random(&self, kind: GameKind, labels: &[&str]) -> RandomLines {
        let plies = match self.source {
            Source::Random { plies, .. } => plies,
            _ => 0,
        };
        let start = kind.start(self.board, &self.rules);
        RandomLines::new(start, self.rules, plies, seeds::generator(self.seed, labels))
    }

    /// An opening that is not drawn: by its place in an order all share, or in the shuffled order
    /// that belongs to these labels.
    fn listed(&self, kind: GameKind, shared: u64, own: u64, labels: &[&str]) -> Opening {
        match &self.source {
            Source::Start | Source::Random { .. } => self.with_book(kind, Vec::new()),
            Source::Named => {
                let all = rules::Opening::ALL;
                let named = all[(shared % all.len() as u64) as usize];
                self.with_book(kind, vec![named.first_move()])
            }
            Source::File { lines, order, .. } => {
                let lines = &lines[&kind];
                let count = lines.len() as u64;
                let index = match order {
                    FileOrder::Sequential => shared % count,
                    FileOrder::Random => {
                        file::shuffled(seeds::derive(self.seed, labels), own % count, count)
                    }
                };
                lines[index as usize].clone()
            }
        }
    }

    fn with_book(&self, kind: GameKind, book: Vec<Move>) -> Opening {
        Opening { start: kind.start(self.board, &self.rules), book }
    }
}

/// The openings of a kind, one after another.
#[derive(Debug)]
pub struct Lines {
    start: Position,
    lines: LinesOf,
}

#[derive(Debug)]
enum LinesOf {
    Listed(std::vec::IntoIter<Opening>),
    Random { lines: Box<RandomLines>, next: u64 },
}

impl Iterator for Lines {
    type Item = Opening;

    fn next(&mut self) -> Option<Opening> {
        match &mut self.lines {
            LinesOf::Listed(lines) => lines.next(),
            LinesOf::Random { lines, next } => {
                let book = lines.new_line(*next)?;
                *next += 1;
                Some(Opening { start: self.start, book })
            }
        }
    }
}

#[cfg(test)]
mod tests;
