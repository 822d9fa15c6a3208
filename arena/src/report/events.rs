//! What happens in a tournament, for programs: one JSON object a line.
//!
//! The page `arena/guides/events.md` describes every event. Within a version events and their fields
//! may be added, but keep their meaning.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;

use crate::config::Tournament;
use crate::ratings::kind::Kind;
use crate::ratings::{Rating, Scope};
use crate::record::{GameRecord, VoidRecord};
use crate::statistics::standings::Standings;
use crate::tournament::extent::Extent;
use crate::tournament::progress::{Withdrawal, WithdrawalReason};
use crate::tournament::runner::Begins;

/// The version of the events.
pub const VERSION: u32 = 1;

/// Something that happens in a tournament.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event<'e> {
    /// The engines are ready; the first event.
    Started(Started<'e>),
    /// An engine that takes part.
    Engine {
        /// Its name.
        name: &'e str,
        /// What it calls itself.
        identity: &'e str,
        /// Its limit.
        limit: String,
    },
    /// A game begins: its engines are made ready for it.
    GameStarted(Box<GameStarted<'e>>),
    /// A game is finished and on disk.
    Game(Box<Game<'e>>),
    /// An attempt at a game came to nothing by the arena's own fault, and is made again.
    Void {
        /// The game.
        game: String,
        /// What happened.
        why: &'e str,
    },
    /// A pairing is complete: its game, or the last game of its session.
    Pairing {
        /// How many are complete.
        done: u64,
        /// Of how many.
        total: u64,
    },
    /// An engine takes part in no further pairing.
    Withdrawn {
        /// Its name.
        engine: &'e str,
        /// The last game it was at fault in; `0` for an engine that did not start before the first.
        after: String,
        /// The games it was at fault in, in a row, and of what.
        faults: Vec<Fault>,
        /// Why it did not start, if it did not.
        #[serde(skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Something to know about; the tournament goes on.
    Warning {
        /// For people.
        text: String,
    },
    /// No further game begins.
    Finishing {
        /// How many are still being played.
        games: usize,
        /// For how many seconds at most.
        seconds: f64,
    },
    /// How the engines stand at the end.
    Standings {
        /// Games that are finished, sessions counting once.
        finished: u64,
        /// Those still to be played, as far as they are known.
        missing: u64,
        /// Games without a result (`*`), which no rating counts.
        void: u64,
        /// By kind, and over everything.
        fits: Vec<Fit<'e>>,
    },
    /// The tournament was stopped before its end; the last event.
    Stopped {
        /// The command that goes on with it.
        resume: String,
        /// The results directory.
        results: String,
    },
    /// Everything has been played; the last event.
    Finished {
        /// The results directory.
        results: String,
    },
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Started<'e> {
    /// The version of the events.
    pub version: u32,
    /// The version of the arena.
    pub arena: &'static str,
    /// The tournament's name.
    pub name: &'e str,
    /// Its title for people; the name where it has none.
    pub title: &'e str,
    /// The results directory.
    pub results: String,
    /// Who meets whom.
    pub format: &'static str,
    /// What they play.
    pub kinds: &'e [Kind],
    /// Pairs per pairing and kind.
    pub rounds: u32,
    /// What random choices follow from.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
    /// How many pairings there are.
    pub total: u64,
    /// How many of them were complete before.
    pub done: u64,
}

/// A game that begins, in the columns of `games.csv`.
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
    /// Which attempt it is, from 1; a later one comes after a `void`.
    pub attempt: u32,
}

/// A game: the columns of `games.csv`, and what only the journal has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "the columns of games.csv, which the contract explains")]
pub struct Game<'e> {
    pub game: String,
    pub pair: Option<u64>,
    pub session: Option<u64>,
    pub kind: Kind,
    pub opening: Option<&'static str>,
    pub white: &'e str,
    pub black: &'e str,
    pub result: String,
    pub reason: String,
    pub offender: Option<Cow<'e, str>>,
    pub plies: usize,
    pub book: u32,
    pub start: &'e str,
    pub moves: &'e str,
    pub white_ms: u64,
    pub black_ms: u64,
    /// What called an adjudicated game: `score`, or the oracle's name.
    pub adjudicated_by: Option<&'e str>,
    /// What exactly happened, where the reason does not say.
    pub detail: &'e str,
    /// Where an engine was at fault, the last lines between it and the arena.
    pub transcript: &'e [String],
    /// Milliseconds each move after the book took.
    pub times: &'e [u64],
    /// The score its player reported with each of them, empty where none.
    pub scores: &'e [String],
}

/// A fault that counted towards a withdrawal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The game.
    pub game: String,
    /// Of what.
    pub reason: &'static str,
}

/// The standings of a kind, or of everything.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit<'e> {
    /// `riatra`, `vela`, `session` or `all`.
    pub kind: Scope,
    /// The engines, the best first; as `arena rate --json` prints them.
    pub ratings: &'e [Rating],
}

impl<'e> Event<'e> {
    /// The beginning of a tournament of which so many pairings were complete before.
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

    /// A game that begins.
    pub fn begins(begins: &Begins, tournament: &'e Tournament) -> Event<'e> {
        let Begins { id, pairing, players, start, book, attempt } = begins;
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

    /// A game that has been finished.
    pub fn game(game: &'e GameRecord) -> Event<'e> {
        Event::Game(Box::new(Game {
            game: game.id.to_string(),
            pair: game.pair,
            session: game.id.of_session.map(|_| game.id.pairing.0),
            kind: game.kind,
            opening: game.opening().map(|opening| opening.name()),
            white: &game.white,
            black: &game.black,
            result: game.result.to_string(),
            reason: game.reason.to_string(),
            offender: game.offender_name(),
            plies: game.plies(),
            book: game.book,
            start: &game.start,
            moves: &game.moves,
            white_ms: game.white_ms,
            black_ms: game.black_ms,
            adjudicated_by: game.adjudicated_by.as_deref(),
            detail: &game.detail,
            transcript: &game.transcript,
            times: &game.times,
            scores: &game.scores,
        }))
    }

    /// An attempt that was void.
    pub fn void(void: &'e VoidRecord) -> Event<'e> {
        Event::Void { game: void.id.to_string(), why: &void.why }
    }

    /// The withdrawal of an engine of this name.
    pub fn withdrawn(engine: &'e str, withdrawal: &Withdrawal) -> Event<'e> {
        let fault = |(game, fault): &(crate::pairing::ids::GameId, crate::engine::fault::Fault)| {
            Fault { game: game.to_string(), reason: fault.word() }
        };
        let (faults, why) = match &withdrawal.why {
            WithdrawalReason::Faults(faults) => (faults.iter().map(fault).collect(), None),
            WithdrawalReason::Broken(why) => (Vec::new(), Some(why.clone())),
        };
        let after = withdrawal.after().map_or("0".to_owned(), |game| game.to_string());
        Event::Withdrawn { engine, after, faults, why }
    }

    /// That only the games in progress go on.
    pub fn finishing(games: usize, patience: Duration) -> Event<'e> {
        Event::Finishing { games, seconds: patience.as_secs_f64() }
    }

    /// How the engines stand.
    pub fn standings(standings: &'e Standings, extent: &Extent) -> Event<'e> {
        let fits = standings.fits.iter();
        let fits = fits.map(|fit| Fit { kind: fit.scope, ratings: &fit.engines });
        let Extent { finished, missing, void, .. } = *extent;
        Event::Standings { finished, missing, void, fits: fits.collect() }
    }

    /// The event as a line, without its end.
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
        });
        assert_eq!(line.parse::<Value>().unwrap(), expected);
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
        for column in crate::report::csv::GAME_COLUMNS {
            assert!(said.get(column).is_some(), "{column}");
        }
    }
}
