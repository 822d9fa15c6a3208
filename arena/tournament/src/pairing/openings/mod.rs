//! The openings, which are played before the engines move: from a pairing to the start position and
//! opening moves of its game.
//!
//! Both games of a pair have the same opening. Openings depend only on the config, the seed and the
//! position of the pairing, never on earlier games, so that a tournament can be resumed at any
//! point:
//!
//! - `start`: no opening moves.
//! - `named`: the five first captures in rotation, one per round.
//! - `random`: every pairing of engines has its own stream per kind; round r takes the r-th line
//!   (`random`).
//! - `file`: in sequential order, round r takes the r-th line for the kind, the same for every
//!   pairing; in random order, every pairing of engines has its own shuffled order (`file`).
//!
//! The games of a session take consecutive openings from the session's own streams, one per kind:
//! the k-th game takes the k-th opening. With rotation and files, the session of round r begins at
//! r.

mod file;
mod opening;
mod random;
pub mod selection;

use crate::mutex::lock;
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;
use std::sync::Mutex;

use fanorona_protocol::rules::{self, Move, Position, Ruleset, Start};

pub use file::{LineError, LineProblem};
pub use opening::{GameKind, Opening};

use super::ids::{EngineId, Pairing};
use super::seeds;
use crate::config::{FileOrder, OpeningSource, Tournament};
use crate::text::input_file;
use fanorona_ratings::kind::Kind;
use random::RandomLines;

/// Why the openings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file could not be read or is not UTF-8.
    #[error("failed to read the openings {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The file has invalid lines; all of them are listed.
    #[error("{}", shown(path, errors))]
    Lines {
        /// The file.
        path: PathBuf,
        /// The lines.
        errors: Vec<LineError>,
    },
    /// No line of the file is usable for this kind of game.
    #[error(
        "{} has no opening for {kind}: add one (for example `startpos`), or remove {kind} from \
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

/// The openings of a tournament. Random ones are generated on demand and stored.
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

/// The key of a stream of random openings: two engines in the order of the config, and a kind.
type Stream = (EngineId, EngineId, GameKind);

impl Openings {
    /// Loads the openings of a tournament, including its openings file.
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

    /// The openings with the given text of the file, which is ignored for other sources.
    pub fn new(tournament: &Tournament, file: &str) -> Result<Openings, OpeningsError> {
        let Tournament { board, rules, seed, .. } = *tournament;
        let source = match &tournament.openings {
            OpeningSource::Start => Source::Start,
            OpeningSource::Named => Source::Named,
            &OpeningSource::Random { plies } => Source::Random { plies, streams: Mutex::default() },
            OpeningSource::File { path, order } => {
                let mut kinds = GameKind::ALL.to_vec();
                let has_sessions = tournament.kinds.contains(&Kind::Session);
                if !has_sessions {
                    kinds.retain(|&kind| tournament.kinds.contains(&kind.into()));
                }
                let path = || tournament.base.join(path);
                let lines = file::read(file, board, &rules, &kinds, has_sessions)
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

    /// The checksum of the openings file, if there is one.
    pub fn checksum(&self) -> Option<u32> {
        match self.source {
            Source::File { checksum, .. } => Some(checksum),
            _ => None,
        }
    }

    /// The opening of a riatra or vela game, or that of the first game of a session.
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
                // After a panic the stream only has fewer lines.
                let mut streams = lock(streams);
                let stream = streams.entry((low, high, kind));
                let lines = stream.or_insert_with(|| self.random(kind, &labels));
                self.with_book(kind, lines.line(index))
            }
            _ => self.listed(kind, index, index, &labels),
        }
    }

    /// The opening of the n-th game of a session, from 1.
    pub fn of_session_game(&self, session: &Pairing, game: u32, kind: GameKind) -> Opening {
        let index = u64::from(game.max(1) - 1);
        let names = [session.id.to_string(), kind.to_string()];
        let labels = ["openings", "session", &names[0], &names[1]];
        match &self.source {
            // A session has few games, so its lines are generated again for each.
            Source::Random { .. } => self.with_book(kind, self.random(kind, &labels).line(index)),
            _ => self.listed(kind, u64::from(session.round - 1) + index, index, &labels),
        }
    }

    /// All different openings of a kind; endless for random ones. They do not belong to a pairing;
    /// `arena openings` selects from them.
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

    /// An opening as a line of a file, for one kind only.
    pub fn line(&self, kind: GameKind, opening: &Opening) -> String {
        let start = match opening.start == kind.start(self.board, &self.rules) {
            true => "startpos".to_owned(),
            false => opening.start.to_string(),
        };
        let moves = opening.book.iter().map(Move::to_string);
        let words: Vec<String> = [kind.to_string(), start].into_iter().chain(moves).collect();
        words.join(" ")
    }

    /// The number of openings of a kind before they repeat; `None` for random ones.
    pub fn count(&self, kind: GameKind) -> Option<usize> {
        match &self.source {
            Source::Start => Some(1),
            Source::Named => Some(rules::Opening::ALL.len()),
            Source::Random { .. } => None,
            Source::File { lines, .. } => lines.get(&kind).map(Vec::len),
        }
    }

    /// The stream of random lines for these labels.
    fn random(&self, kind: GameKind, labels: &[&str]) -> RandomLines {
        let plies = match self.source {
            Source::Random { plies, .. } => plies,
            _ => 0,
        };
        let start = kind.start(self.board, &self.rules);
        RandomLines::new(start, self.rules, plies, seeds::generator(self.seed, labels))
    }

    /// An opening that is not random: by its position in the shared order, or in the shuffled order
    /// of these labels.
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

/// An iterator over the openings of a kind.
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
