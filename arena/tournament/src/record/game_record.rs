//! The record of a finished game, as a line of the journal holds it.

use std::borrow::Cow;

use fanorona_protocol::rules::{Move, Opening, Position, Ruleset, Side};
use serde::{Deserialize, Serialize};

use super::{Fingerprint, GameIdentity};
use crate::game::fault::Fault;
use crate::game::reported::Reported;
use crate::game::search_note::SearchNote;
use crate::game::termination::{GameResult, Reason};
use crate::pairing::ids::GameId;
use crate::text::table::{FORMULA, plain_cell};
use crate::text::{as_text, safe_text};
use fanorona_ratings::kind::Kind;

/// A finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// The number of the game.
    #[serde(with = "as_text")]
    pub id: GameId,
    /// The pair of games it belongs to; `None` in a session.
    pub pair: Option<u64>,
    /// Riatra or vela.
    pub kind: Kind,
    /// The engine with White.
    pub white: String,
    /// The engine with Black.
    pub black: String,
    /// The score of both sides; void if the game has to be played again.
    #[serde(with = "as_text")]
    pub result: GameResult,
    /// The reason for its end.
    #[serde(with = "as_text")]
    pub reason: Reason,
    /// The side whose engine was at fault, `w` or `b`. If both were, the one with the fault of the
    /// reason.
    pub offender: Option<char>,
    /// The fault of the other side's engine, if both were at fault.
    #[serde(with = "as_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub other_fault: Option<Fault>,
    /// The adjudicator, if there was one: `score`, or the oracle's name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudicated_by: Option<String>,
    /// Details that the reason does not give.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    /// The start position.
    pub start: String,
    /// The moves from there, separated by spaces.
    pub moves: String,
    /// The number of moves that come from the opening.
    pub book: u32,
    /// White's total thinking time in milliseconds.
    pub white_ms: u64,
    /// Black's total thinking time in milliseconds.
    pub black_ms: u64,
    /// The processor time in milliseconds that White and Black used while the other was thinking.
    #[serde(default, skip_serializing_if = "as_text::is_default")]
    pub idle_cpu_ms: [u64; 2],
    /// The time in milliseconds that White and Black took to answer `uginewgame` with `readyok`.
    #[serde(default, skip_serializing_if = "as_text::is_default")]
    pub ready_ms: [u64; 2],
    /// The time of each move after the opening in milliseconds.
    pub times: Vec<u64>,
    /// The score reported by the player for each of them, empty if none.
    pub scores: Vec<String>,
    /// The player's report on its search for each of them; empty if no player reported anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub searches: Vec<SearchNote>,
    /// The number of principal variations with illegal moves that White and Black reported.
    #[serde(default, skip_serializing_if = "as_text::is_default")]
    pub illegal_lines: [u32; 2],
    /// The reports of White and Black besides their moves: errors, and standard error.
    #[serde(default, skip_serializing_if = "are_silent")]
    pub reported: [Reported; 2],
    /// If an engine was at fault, the last lines between it and the arena: sent lines after `> `,
    /// received lines after `< `, and `…` for omitted ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub transcript: Vec<String>,
    /// Remarks about other events.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The worker that played it; `None` if it was played by the arena that wrote the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worker: Option<String>,
    /// The factor by which the worker stretched time limits, because its machine is slower or
    /// faster than the reference; `None` without a time limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_factor: Option<f64>,
    /// The worker that played it again because it ended by a fault; `None` if none did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_opinion: Option<SecondOpinion>,
}

/// The opinion of a second worker on a game that ended by a fault.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SecondOpinion {
    /// The second worker.
    pub worker: String,
    /// Whether it saw the same fault. Otherwise the fault is no reason to withdraw the engine.
    pub agrees: bool,
}

/// The names of two engines that were both at fault, in the form of the column `offender`.
pub fn both_names(white: &str, black: &str) -> String {
    format!("{white} + {black}")
}

fn are_silent(reported: &[Reported; 2]) -> bool {
    reported.iter().all(Reported::is_silent)
}

/// An attempt at a game that failed because of the arena and is repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct VoidRecord {
    /// The game.
    #[serde(with = "as_text")]
    pub id: GameId,
    /// The reason.
    pub why: String,
}

impl GameRecord {
    /// A game with only its start and end known, without names and moves.
    pub fn new(id: GameId, start: &Position, result: GameResult, reason: Reason) -> GameRecord {
        GameRecord {
            id,
            pair: None,
            kind: if start.debtor().is_some() { Kind::Vela } else { Kind::Riatra },
            white: String::new(),
            black: String::new(),
            result,
            reason,
            offender: None,
            other_fault: None,
            detail: String::new(),
            adjudicated_by: None,
            start: start.to_string(),
            moves: String::new(),
            book: 0,
            white_ms: 0,
            black_ms: 0,
            idle_cpu_ms: [0; 2],
            ready_ms: [0; 2],
            times: Vec::new(),
            scores: Vec::new(),
            searches: Vec::new(),
            illegal_lines: [0; 2],
            reported: Default::default(),
            transcript: Vec::new(),
            notes: Vec::new(),
            worker: None,
            time_factor: None,
            second_opinion: None,
        }
    }

    /// The same game with all texts made [safe](safe_text) to show.
    pub fn made_safe(mut self) -> GameRecord {
        let texts = [&mut self.white, &mut self.black, &mut self.detail].into_iter();
        let texts = texts.chain([&mut self.start, &mut self.moves]);
        let texts = texts.chain(&mut self.adjudicated_by).chain(&mut self.scores);
        let texts = texts.chain(self.reported.iter_mut().flat_map(Reported::texts));
        for text in texts.chain(&mut self.transcript).chain(&mut self.notes) {
            if let Cow::Owned(safe) = safe_text::line(text) {
                *text = safe;
            }
        }
        self
    }

    /// The game with names that no spreadsheet reads as formulas. A config refuses such names, but a journal
    /// may come from others.
    pub(super) fn with_plain_names(mut self) -> GameRecord {
        let names = [&mut self.white, &mut self.black].into_iter().chain(&mut self.adjudicated_by);
        for name in names.filter(|name| name.starts_with(FORMULA)) {
            *name = plain_cell(name).into_owned();
        }
        self
    }

    /// The name of the engine at fault as written to files. If both were at fault, both names as
    /// joined by [`both_names`].
    pub fn offender_name(&self) -> Option<Cow<'_, str>> {
        Some(match (self.offender?, self.other_fault) {
            (_, Some(_)) => Cow::Owned(both_names(&self.white, &self.black)),
            ('w', None) => Cow::Borrowed(&self.white),
            _ => Cow::Borrowed(&self.black),
        })
    }

    /// Sets the engines at fault from a name in the form of [`GameRecord::offender_name`]; `None`
    /// if the name does not match. For two engines at fault, the second one's fault is unknown and
    /// set to that of the reason.
    pub(crate) fn with_offender(self, name: &str) -> Option<GameRecord> {
        let (offender, other_fault) = match (name, self.reason) {
            ("", _) => (None, None),
            (name, _) if name == self.white => (Some('w'), None),
            (name, _) if name == self.black => (Some('b'), None),
            (name, Reason::Fault(fault)) if name == both_names(&self.white, &self.black) => {
                (Some('w'), Some(fault))
            }
            _ => return None,
        };
        Some(GameRecord { offender, other_fault, ..self })
    }

    /// The name of the first field in which two records of a game differ. Thinking times are
    /// ignored because they vary between runs, and so are transcripts, search results and standard
    /// error, which contain times, and the machine that played it.
    pub fn difference(&self, other: &GameRecord) -> Option<String> {
        let fields = |game: &GameRecord| match serde_json::to_value(game) {
            Ok(serde_json::Value::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let (ours, theirs) = (fields(self), fields(other));
        let timeless = |name: &&String| {
            let times = [
                "white_ms",
                "black_ms",
                "idle_cpu_ms",
                "ready_ms",
                "times",
                "reported",
                "transcript",
                "searches",
                "worker",
                "time_factor",
                "second_opinion",
            ];
            !times.contains(&name.as_str())
        };
        let mut names = ours.keys().chain(theirs.keys()).filter(timeless);
        names.find(|&name| ours.get(name) != theirs.get(name)).cloned()
    }

    /// The fingerprint that identifies equal games. `None` for a game lost by a fault, because each
    /// fault is an event of its own.
    pub fn fingerprint(&self) -> Option<Fingerprint> {
        let identity = GameIdentity {
            players: [&self.white, &self.black],
            kind: self.kind,
            start: &self.start,
            result: self.result,
            moves: &self.moves,
        };
        self.offender.is_none().then(|| identity.fingerprint())
    }

    /// The number of moves, including the opening.
    pub fn plies(&self) -> usize {
        self.moves.split(' ').filter(|mv| !mv.is_empty()).count()
    }

    /// The number of moves in the first phase of a vela, in which a capture takes only one stone.
    /// The phase never returns.
    pub fn first_phase(&self, rules: &Ruleset) -> usize {
        let Ok(mut position) = self.start.parse::<Position>() else { return 0 };
        let mut moves = self.moves.split(' ');
        let mut count = 0;
        while position.is_vela_phase_one() {
            let mv = moves.next().and_then(|word| word.parse::<Move>().ok());
            let Some(next) = mv.and_then(|mv| position.play(rules, &mv).ok()) else { break };
            position = next;
            count += 1;
        }
        count
    }

    /// The name of the opening, if it has one.
    pub fn opening(&self) -> Option<Opening> {
        let start = self.start.parse().ok()?;
        let first = self.moves.split(' ').next()?.parse().ok()?;
        Opening::from_game(&start, &first)
    }

    /// The debtor, in a vela.
    pub fn debtor(&self) -> Option<Side> {
        self.start.parse::<Position>().ok()?.debtor()
    }
}

#[cfg(test)]
mod tests {
    use super::super::example::game;
    use super::*;

    #[test]
    fn times_are_ignored_in_comparisons() {
        let one = game("1");
        let later = GameRecord { white_ms: 9, black_ms: 9, times: vec![9], ..one.clone() };
        assert_eq!(one.difference(&later), None);
        let detailed = GameRecord { detail: "more".into(), ..one.clone() };
        assert_eq!(one.difference(&detailed).as_deref(), Some("detail"));
        assert_eq!(detailed.difference(&one).as_deref(), Some("detail"));
        let other = GameRecord { moves: "c1b1W".into(), ..one.clone() };
        assert_eq!(one.difference(&other).as_deref(), Some("moves"));
    }

    #[test]
    fn games_without_adjudicated_by_are_read() {
        let mut kept = serde_json::to_value(game("1")).unwrap();
        assert_eq!(kept.get("adjudicated_by"), None);
        assert_eq!(serde_json::from_value::<GameRecord>(kept.clone()).unwrap(), game("1"));
        kept["adjudicated_by"] = "sage".into();
        let adjudicated: GameRecord = serde_json::from_value(kept).unwrap();
        assert_eq!(adjudicated.adjudicated_by.as_deref(), Some("sage"));
    }
}
