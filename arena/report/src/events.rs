//! The events of a tournament for programs: one JSON object per line.
//!
//! `arena/guides/events.md` describes every event. Within a version, events and fields may be
//! added, but existing ones keep their meaning.

use std::time::Duration;

use serde::Serialize;

use crate::statistics::outcome::OutcomeFields;
use crate::statistics::results::Results;
use crate::statistics::workers::WorkerRow;
use fanorona_ratings::kind::Kind;
use fanorona_ratings::{Rating, Scope};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::diagnostics::engine_reports::NamedReport;
use fanorona_tournament::game::begin::GameBegin;
use fanorona_tournament::game::reported::Reported;
use fanorona_tournament::progress::extent::Extent;
use fanorona_tournament::progress::{Withdrawal, WithdrawalReason};
use fanorona_tournament::record::{GameRecord, GameRow, VoidRecord};

/// The version of the event format.
pub const VERSION: u32 = 1;

/// An event of a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'e> {
    /// The engines are ready; the first event.
    Started(Started<'e>),
    /// An engine of the tournament.
    Engine {
        /// Its name.
        name: &'e str,
        /// The name it gives itself.
        identity: &'e str,
        /// Its limit.
        limit: String,
    },
    /// A game begins: its engines are made ready for it.
    GameStarted(Box<GameStarted<'e>>),
    /// A game is finished and on disk.
    Game(Box<Game<'e>>),
    /// An attempt at a game failed by a fault of the arena, and is repeated.
    Void {
        /// The game.
        game: String,
        /// The fault.
        why: &'e str,
    },
    /// A pairing is complete: its game, or the last game of its session.
    Pairing {
        /// The number of complete pairings.
        done: u64,
        /// The total number of pairings.
        total: u64,
    },
    /// An engine is withdrawn.
    Withdrawn {
        /// Its name.
        engine: &'e str,
        /// The last game it was at fault in; `0` if it did not start before the first game.
        after: String,
        /// Its faults in consecutive games.
        faults: Vec<Fault>,
        /// Why it did not start, if that is the reason.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// A warning; the tournament continues.
    Warning {
        /// The message.
        text: String,
    },
    /// The server between this arena and its workers is lost.
    ServerLost {
        /// The evidence of it.
        why: &'e str,
        /// The time that the arena waits for it, in seconds.
        seconds: f64,
    },
    /// The server is back.
    ServerBack {
        /// The time for which it was lost, in seconds.
        seconds: f64,
    },
    /// No further game begins.
    Finishing {
        /// The number of games still in progress.
        games: usize,
        /// The maximal time until they end, in seconds.
        seconds: f64,
    },
    /// The standings at the end.
    Standings {
        /// The number of finished games; a session counts once.
        finished: u64,
        /// The number of games still to be played, as far as known.
        missing: u64,
        /// The number of games without a result (`*`), which are not rated.
        void: u64,
        /// The winner, and the certainty of it.
        outcome: OutcomeFields,
        /// The standings by kind and over all kinds.
        fits: Vec<Fit<'e>>,
        /// The machines that played, if the tournament had workers.
        #[serde(skip_serializing_if = "<[_]>::is_empty")]
        workers: &'e [WorkerRow],
        /// The reports of engines besides their moves; engines that reported nothing are left out.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        reported: Vec<NamedReport<'e>>,
    },
    /// The tournament was stopped before its end; the last event.
    Stopped {
        /// The command that resumes it.
        resume: String,
        /// The results directory.
        results: String,
    },
    /// All games are played; the last event.
    Finished {
        /// The results directory.
        results: String,
    },
}

/// The tournament and its settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Started<'e> {
    /// The version of the event format.
    pub version: u32,
    /// The version of the arena.
    pub arena: &'static str,
    /// The tournament's name.
    pub name: &'e str,
    /// Its title; the name if it has none.
    pub title: &'e str,
    /// The results directory.
    pub results: String,
    /// The word of the format in configs, such as `round-robin`.
    pub format: &'static str,
    /// The kinds of games.
    pub kinds: &'e [Kind],
    /// Pairs per pairing and kind.
    pub rounds: u32,
    /// The seed of all random choices.
    pub seed: u64,
    /// Games played at once.
    pub concurrency: usize,
    /// The total number of pairings.
    pub total: u64,
    /// The number of pairings that were complete before.
    pub done: u64,
}

/// A game that begins, with columns of `games.csv`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns of games.csv, which the contract explains")]
pub struct GameStarted<'e> {
    pub game: String,
    pub pair: Option<u64>,
    pub session: Option<u64>,
    pub kind: Kind,
    pub white: &'e str,
    pub black: &'e str,
    pub book: usize,
    pub start: String,
    /// The moves of the opening.
    pub moves: String,
    /// The number of the attempt, from 1; later attempts follow a `void` event.
    pub attempt: u32,
}

/// A finished game: the columns of `games.csv`, and details from the journal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Game<'e> {
    /// The columns.
    #[serde(flatten)]
    pub row: GameRow<'e>,
    /// Details, if the reason needs any.
    pub detail: &'e str,
    /// For a fault: the last lines between the engine and the arena.
    pub transcript: &'e [String],
    /// The time of each move after the opening, in milliseconds.
    pub times: &'e [u64],
    /// The score its player reported with each of these moves; empty if none.
    pub scores: &'e [String],
    /// The reports of White and Black besides their moves; `None` for nothing.
    pub reported: [Option<&'e Reported>; 2],
}

/// A fault that counted towards a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The number of the game, as in `games.csv`.
    pub game: String,
    /// The kind of fault.
    pub reason: &'static str,
}

/// The standings of one kind, or of all kinds together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit<'e> {
    /// `riatra`, `vela`, `session` or `all`.
    pub kind: Scope,
    /// The ratings, best first, as in `arena rate --json`.
    pub ratings: &'e [Rating],
}

impl<'e> Event<'e> {
    /// The start of a tournament in which `done` pairings were complete before.
    pub fn started(
        tournament: &'e Tournament,
        results: String,
        concurrency: usize,
        [done, total]: [u64; 2],
    ) -> Event<'e> {
        Event::Started(Started {
            version: VERSION,
            arena: env!("CARGO_PKG_VERSION"),
            name: &tournament.name,
            title: tournament.title(),
            results,
            format: tournament.format.word(),
            kinds: &tournament.kinds,
            rounds: tournament.rounds.get(),
            seed: tournament.seed,
            concurrency,
            total,
            done,
        })
    }

    /// A game begins.
    pub fn begins(begins: &GameBegin, tournament: &'e Tournament) -> Event<'e> {
        let GameBegin { id, pairing, players, start, book, attempt } = begins;
        let [white, black] = players.map(|player| &*tournament.engines[player.0].name);
        let moves: Vec<String> = book.iter().map(ToString::to_string).collect();
        Event::GameStarted(Box::new(GameStarted {
            game: id.to_string(),
            pair: id.of_session.is_none().then_some(pairing.pair.0),
            session: id.of_session.map(|_| id.pairing.0),
            kind: if start.debtor().is_some() { Kind::Vela } else { Kind::Riatra },
            white,
            black,
            book: book.len(),
            start: start.to_string(),
            moves: moves.join(" "),
            attempt: *attempt,
        }))
    }

    /// A game is finished.
    pub fn game(game: &'e GameRecord) -> Event<'e> {
        Event::Game(Box::new(Game {
            row: GameRow::new(game),
            detail: &game.detail,
            transcript: &game.transcript,
            times: &game.times,
            scores: &game.scores,
            reported: game.reported.each_ref().map(|it| Some(it).filter(|it| !it.is_silent())),
        }))
    }

    /// An attempt was void.
    pub fn void(void: &'e VoidRecord) -> Event<'e> {
        Event::Void { game: void.id.to_string(), why: &void.why }
    }

    /// An engine is withdrawn.
    pub fn withdrawn(engine: &'e str, withdrawal: &Withdrawal) -> Event<'e> {
        let fault = |(game, fault): &(
            fanorona_tournament::pairing::ids::GameId,
            fanorona_tournament::game::fault::Fault,
        )| { Fault { game: game.to_string(), reason: fault.word() } };
        let (faults, why) = match &withdrawal.why {
            WithdrawalReason::Faults(faults) => (faults.iter().map(fault).collect(), None),
            WithdrawalReason::Broken(why) => (Vec::new(), Some(why.clone())),
        };
        let after = withdrawal.after().map_or("0".to_owned(), |game| game.to_string());
        Event::Withdrawn { engine, after, faults, why }
    }

    /// No further game begins.
    pub fn finishing(games: usize, patience: Duration) -> Event<'e> {
        Event::Finishing { games, seconds: patience.as_secs_f64() }
    }

    /// The standings.
    pub fn standings(results: &'e Results) -> Event<'e> {
        let Results { outcome, standings, extent, workers, .. } = results;
        let fits = standings.fits.iter();
        let fits = fits.map(|fit| Fit { kind: fit.scope, ratings: &fit.engines });
        let Extent { finished, missing, void, .. } = *extent;
        let (outcome, fits) = (outcome.fields(), fits.collect());
        let reported = standings.reported.named().collect();
        Event::Standings { finished, missing, void, outcome, fits, workers, reported }
    }

    /// The event as a line, without the newline.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("events are numbers and texts")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;
    use serde_json::{Value, json};

    #[test]
    fn an_event_is_one_line_that_says_what_it_is() {
        let start = Start::TSIVY.riatra();
        let (result, reason) = ("0-1".parse().unwrap(), "time".parse().unwrap());
        let game = GameRecord {
            white: "a \"b\"\nc".into(),
            black: "d".into(),
            offender: Some('w'),
            moves: "e2e3A e5e4".into(),
            book: 1,
            times: vec![3],
            scores: vec!["cp 5".into()],
            reported: [
                Reported {
                    asked: 4,
                    error_moves: 1,
                    error: "KeyError: 7".into(),
                    ..Reported::default()
                },
                Reported::default(),
            ],
            ..GameRecord::new("17.2".parse().unwrap(), &start, result, reason)
        };
        let line = Event::game(&game).line();
        assert_eq!(line.lines().count(), 1);
        let expected = json!({
            "event": "game", "game": "17.2", "pair": null, "session": 17, "kind": "riatra",
            "opening": "Vakiloha", "white": "a \"b\"\nc", "black": "d", "result": "0-1",
            "reason": "time", "offender": "a \"b\"\nc", "plies": 2, "book": 1,
            "start": start.to_string(), "moves": "e2e3A e5e4", "white_ms": 0, "black_ms": 0, "adjudicated_by": null,
            "detail": "", "transcript": [], "times": [3], "scores": ["cp 5"],
            "reported": [{"asked": 4, "error_moves": 1, "error": "KeyError: 7"}, null],
        });
        assert_eq!(line.parse::<Value>().unwrap(), expected);
        let begin = r#"{"event":"game","game":"17.2","pair":null,"session":17,"kind":"riatra","#;
        assert!(line.starts_with(begin), "{line}");
        let finishing = Event::finishing(2, Duration::from_millis(1500)).line();
        assert_eq!(finishing, r#"{"event":"finishing","games":2,"seconds":1.5}"#);
        let pairing = Event::Pairing { done: 1, total: 4 }.line();
        assert_eq!(pairing, r#"{"event":"pairing","done":1,"total":4}"#);
    }

    #[test]
    fn a_game_has_every_column_of_games_csv() {
        let start = Start::TSIVY.riatra();
        let (result, reason) = ("*".parse().unwrap(), "void".parse().unwrap());
        let game = GameRecord::new("1".parse().unwrap(), &start, result, reason);
        let said: Value = Event::game(&game).line().parse().unwrap();
        let columns = fanorona_tournament::record::table_writer::columns::<GameRow>();
        assert_eq!(columns.len(), 17);
        for column in &columns {
            assert!(said.get(column).is_some(), "{column}");
        }
    }
}
