//! The messages between coordinator and workers: JSON with a version, bounded in size.

use std::path::PathBuf;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::engine_set::EngineSet;
use fanorona_ratings::kind::Kind;
use fanorona_runner::Missing;
use fanorona_tournament::pairing::ids::{EngineId, PairId, Pairing, PairingId};
use fanorona_tournament::pairing::openings::Opening;
use fanorona_tournament::record::{GameRecord, VoidRecord};

/// The version of the messages. Arenas with different versions do not work together.
pub const VERSION: u32 = 1;

/// The largest message that is read. A game takes a few kilobytes, a long one some dozens.
pub const MAX_MESSAGE: usize = 8 << 20;

/// The facts about a tournament that workers need to know.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TournamentInfo {
    /// The version of the messages.
    pub version: u32,
    /// The tournament.
    pub id: String,
    /// A number of the coordinator's process: workers sign it with their messages, so that those of
    /// another session are recognised.
    pub session: u64,
    /// Its effective config.
    pub config: String,
    /// The checksum of the settings that affect games.
    pub checksum: String,
    /// The directory that relative commands are resolved from.
    pub base: PathBuf,
    /// The text of the openings file, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub openings: Option<String>,
    /// The engines that take no part, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub broken: Vec<(String, String)>,
    /// The engines' programs.
    pub engines: EngineSet,
    /// The digest of the engines, as in the subjects of the jobs.
    pub digest: String,
    /// Whether the engines' files are in the object store.
    pub shipped: bool,
    /// The speed, in nodes per second, that time limits are meant for; `None` without time limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference_speed: Option<f64>,
    /// Workers that sent games which the rules reject, each with the reason.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<(String, String)>,
}

/// Games to play on one machine: those of a pair, or one session.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The version of the messages.
    pub version: u32,
    /// The tournament.
    pub tournament: String,
    /// The coordinator's epoch, for logs: a valid result of any epoch counts.
    pub epoch: u64,
    /// The checksum of the config.
    pub config: String,
    /// The digest of the engines.
    pub digest: String,
    /// The pairings with games left to play.
    pub pairings: Vec<JobPairing>,
}

/// A pairing of a job.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct JobPairing {
    /// Its number.
    pub id: u64,
    /// The number of its pair.
    pub pair: u64,
    /// Its kind.
    pub kind: Kind,
    /// Its round.
    pub round: u32,
    /// The engines, first and second, by their positions in the config.
    pub engines: [usize; 2],
    /// The session's games so far. The worker's spool needs them: a session has no gaps.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier: Vec<GameRecord>,
    /// The start position of its game; `None` in a session, where it depends on earlier games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The moves of the opening.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub book: Vec<String>,
    /// The options of its games alone, by engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Vec<(String, String)>>,
}

impl JobPairing {
    /// A pairing with its opening, or a session with its games so far.
    pub fn new(
        missing: &Missing,
        opening: Option<&Opening>,
        earlier: Vec<GameRecord>,
    ) -> JobPairing {
        let Missing { pairing, options, .. } = missing;
        let book =
            opening.map_or(Vec::new(), |it| it.book.iter().map(ToString::to_string).collect());
        JobPairing {
            id: pairing.id.0,
            pair: pairing.pair.0,
            kind: pairing.kind,
            round: pairing.round,
            engines: [pairing.first.0, pairing.second.0],
            earlier,
            start: opening.map(|opening| opening.start.to_string()),
            book,
            options: options.clone(),
        }
    }

    /// The pairing and its opening; `None` if a part of it is invalid.
    pub fn read(&self, engines: usize) -> Option<(Missing, Option<Opening>)> {
        let [first, second] = self.engines;
        if first >= engines || second >= engines || first == second || self.round == 0 {
            return None;
        }
        let pairing = Pairing {
            id: PairingId(self.id),
            pair: PairId(self.pair),
            kind: self.kind,
            round: self.round,
            first: EngineId(first),
            second: EngineId(second),
        };
        let before = self.earlier.iter().map(|game| game.result).collect();
        let missing = Missing { pairing, before, options: self.options.clone() };
        let opening = match &self.start {
            None => None,
            Some(start) => {
                let book = self.book.iter().map(|text| text.parse().ok());
                Some(Opening { start: start.parse().ok()?, book: book.collect::<Option<_>>()? })
            }
        };
        Some((missing, opening))
    }
}

/// Finished games of one job, or a void attempt.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Results {
    /// The version of the messages.
    pub version: u32,
    /// The checksum of the config.
    pub config: String,
    /// The digest of the engines that played.
    pub digest: String,
    /// Games, in schedule order. Under a time limit both games of a pair come together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub games: Vec<GameRecord>,
    /// An attempt that failed by a fault of the worker.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub void: Option<VoidRecord>,
}

/// A worker's sign of life.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hello {
    /// The version of the messages.
    pub version: u32,
    /// The tournament that it plays or would play.
    pub tournament: String,
    /// Its computer, in words.
    pub computer: String,
    /// The version of its arena.
    pub arena: String,
    /// A random number of the process: two workers may have one name by mistake.
    #[serde(default)]
    pub instance: u64,
    /// The jobs that it plays at once.
    pub slots: usize,
    /// The first pairings of the jobs in progress.
    pub playing: Vec<u64>,
    /// Whether it takes no further jobs.
    pub leaving: bool,
    /// Why it does not play this tournament; empty if it does.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<String>,
    /// The factor that its time limits are scaled by.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_factor: Option<f64>,
    /// The games that it has finished but not delivered.
    pub undelivered: usize,
}

/// A coordinator's request to all workers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Control {
    /// Finish the games in progress and take no further jobs.
    Finish,
    /// The tournament is over or paused: abandon the games in progress.
    Stop,
    /// Publish the moves of games in progress for some seconds.
    Live,
}

/// Writes a message.
pub fn write(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages are plain data")
}

/// Reads a message, which may come from anyone: its size and its form are checked.
pub fn read<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    if bytes.len() > MAX_MESSAGE {
        return Err(format!("the message has {} bytes, more than {MAX_MESSAGE}", bytes.len()));
    }
    serde_json::from_slice(bytes).map_err(|why| format!("the message cannot be read: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::record::example::game;

    #[test]
    fn a_pairing_survives_the_journey() {
        let pairing = |kind| Pairing {
            id: PairingId(5),
            pair: PairId(3),
            kind,
            round: 2,
            first: EngineId(1),
            second: EngineId(0),
        };
        let opening = Opening {
            start: fanorona_protocol::rules::Start::TSIVY.riatra(),
            book: vec!["e2e3A".parse().unwrap()],
        };
        for (kind, opening, earlier) in [
            (Kind::Riatra, Some(opening), vec![]),
            (Kind::Session, None, vec![game("5.1"), game("5.2")]),
        ] {
            let before = earlier.iter().map(|game| game.result).collect();
            let options = vec![vec![("X".to_owned(), "1".to_owned())], Vec::new()];
            let missing = Missing { pairing: pairing(kind), before, options };
            let sent = write(&JobPairing::new(&missing, opening.as_ref(), earlier));
            let received: JobPairing = read(&sent).unwrap();
            assert_eq!(received.read(2), Some((missing, opening)));
            assert_eq!(received.read(1), None);
        }
    }

    #[test]
    fn messages_are_bounded() {
        let results = Results {
            version: VERSION,
            config: "c".into(),
            digest: "d".into(),
            games: vec![game("1")],
            void: None,
        };
        assert_eq!(read::<Results>(&write(&results)).unwrap(), results);
        let why = read::<Results>(&vec![b' '; MAX_MESSAGE + 1]).unwrap_err();
        assert!(why.contains("bytes, more than"), "{why}");
        assert!(read::<Results>(b"{}").is_err());
    }
}
