//! The reports of engines over all their games besides their moves: errors of their own, after
//! which they played on, and output on standard error. An error is no fault by the rules, but its
//! moves are not what the author meant. Output on standard error is no sign of anything by itself:
//! many honest engines log there.

use std::collections::BTreeMap;

use fanorona_protocol::rules::Side;
use serde::Serialize;

use crate::game::reported::Reported;
use crate::record::GameRecord;
use crate::text::exception::last_exception;
use crate::text::plural::counted;

/// The reports of one engine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct EngineReport {
    /// The number of moves that it was asked for.
    pub moves: u64,
    /// The number of them in which it reported an error.
    pub error_moves: u64,
    /// Its first error; `None` if it reported none.
    pub first_error: Option<Excerpt>,
    /// The number of them in which it wrote to standard error.
    pub stderr_moves: u64,
    /// Its first output on standard error; `None` if there was none.
    pub first_output: Option<Excerpt>,
}

/// A piece of what an engine reported.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Excerpt {
    /// The number of the game in which it reported this.
    pub game: String,
    /// Its text, in one line.
    pub text: String,
    /// The lines on standard error that belong to it; possibly none.
    pub lines: Vec<String>,
}

impl EngineReport {
    /// Adds a side's part of a game, which has this number. Returns whether the engine reported its
    /// first error.
    pub fn add(&mut self, game: &GameRecord, side: Side, number: &str) -> bool {
        let reported = &game.reported[side as usize];
        self.moves += match reported.is_silent() {
            true => own_moves(game, side),
            false => reported.asked.into(),
        };
        self.error_moves += u64::from(reported.error_moves);
        self.stderr_moves += u64::from(reported.stderr_moves);
        if self.first_output.is_none() {
            self.first_output = output(reported).map(|(text, lines)| {
                let game = number.to_owned();
                Excerpt { game, text, lines }
            });
        }
        let is_first = self.first_error.is_none() && !reported.error.is_empty();
        if is_first {
            self.first_error = Some(Excerpt {
                game: number.to_owned(),
                text: reported.error.clone(),
                lines: reported.explanation().to_vec(),
            });
        }
        is_first
    }

    /// Returns the number of moves in which it reported an error, in words.
    pub fn errors_in_words(&self) -> String {
        format!("reported an error {}", self.share(self.error_moves))
    }

    fn share(&self, moves: u64) -> String {
        match moves {
            0 => "between its moves".to_owned(),
            _ => format!("in {moves} of {}", counted(self.moves, "move", "moves")),
        }
    }
}

/// The first output on standard error: an exception in it, or its first line, and all kept lines.
fn output(reported: &Reported) -> Option<(String, Vec<String>)> {
    let first = reported.stderr.first()?;
    let exception = last_exception(&reported.stderr.join("\n"));
    Some((exception.map_or_else(|| first.clone(), |it| it.to_string()), reported.stderr.clone()))
}

/// The number of moves that a side's engine played itself.
fn own_moves(game: &GameRecord, side: Side) -> u64 {
    let moves = game.times.len() as u64;
    let white_begins = (game.start.split(' ').nth(1) == Some("w")) == game.book.is_multiple_of(2);
    if white_begins == (side == Side::White) { moves.div_ceil(2) } else { moves / 2 }
}

/// The reports of all engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineReports {
    engines: BTreeMap<String, EngineReport>,
}

/// The report of an engine with its name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct NamedReport<'r> {
    /// The name of the engine in the config.
    pub engine: &'r str,
    /// Its report.
    #[serde(flatten)]
    pub report: &'r EngineReport,
}

impl EngineReports {
    /// Adds a game, which has this number. Returns a sentence for each engine that reported its first
    /// error.
    pub fn add(&mut self, game: &GameRecord, number: &str) -> Vec<String> {
        Side::BOTH.into_iter().filter_map(|side| self.add_side(game, side, number)).collect()
    }

    /// Adds a side's part of a game. Returns a sentence if its engine reported its first error.
    pub fn add_side(&mut self, game: &GameRecord, side: Side, number: &str) -> Option<String> {
        let name = if side == Side::White { &game.white } else { &game.black };
        let report = self.engines.entry(name.clone()).or_default();
        if !report.add(game, side, number) {
            return None;
        }
        let Excerpt { game, text, .. } = report.first_error.as_ref()?;
        Some(format!("{name} reported an error in game {game} and played on: {text}"))
    }

    /// The report of an engine that has played.
    pub fn of(&self, engine: &str) -> Option<&EngineReport> {
        self.engines.get(engine)
    }

    /// The engines that reported something.
    pub fn named(&self) -> impl Iterator<Item = NamedReport<'_>> {
        let something = |it: &NamedReport<'_>| {
            it.report.first_error.is_some() || it.report.first_output.is_some()
        };
        self.engines.iter().map(|(engine, report)| NamedReport { engine, report }).filter(something)
    }

    /// The engines that reported an error, each with its first one.
    pub fn errors(&self) -> impl Iterator<Item = (NamedReport<'_>, &Excerpt)> {
        self.named().filter_map(|it| Some((it.clone(), it.report.first_error.as_ref()?)))
    }

    /// Returns the number of moves in which engines reported an error or wrote to standard error; a
    /// move that did both counts twice.
    pub fn reporting_moves(&self) -> u64 {
        self.engines.values().map(|it| it.error_moves + it.stderr_moves).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::example::game;

    /// A game in which each side was asked for five moves, and White reported this.
    fn reporting(number: &str, reported: Reported) -> GameRecord {
        let (white, black) = ("a".to_owned(), "b".to_owned());
        let reported = [reported, Reported::default()];
        GameRecord { white, black, reported, times: vec![1; 10], ..game(number) }
    }

    fn add(reports: &mut EngineReports, number: &str, reported: Reported) -> Vec<String> {
        reports.add(&reporting(number, reported), number)
    }

    #[test]
    fn errors_are_counted_over_all_moves_and_the_first_is_named_once() {
        let mut reports = EngineReports::default();
        assert!(add(&mut reports, "1", Reported::default()).is_empty());
        let error = |moves: u32, text: &str| Reported {
            asked: 5,
            error_moves: moves,
            error: text.to_owned(),
            trace: vec!["Traceback".to_owned(), text.to_owned()],
            stderr: vec!["loading".to_owned()],
            stderr_moves: moves,
        };
        let warnings = add(&mut reports, "2.3", error(1, "KeyError: 7"));
        assert_eq!(warnings, ["a reported an error in game 2.3 and played on: KeyError: 7"]);
        assert!(add(&mut reports, "3", error(2, "another")).is_empty());
        let (named, first) = reports.errors().next().unwrap();
        assert_eq!(
            (named.engine, &first.lines[..]),
            ("a", &["Traceback", "KeyError: 7"].map(str::to_owned)[..])
        );
        assert_eq!(reports.named().count(), 1);
        assert_eq!(named.report.errors_in_words(), "reported an error in 3 of 15 moves");
    }

    #[test]
    fn output_alone_is_no_error() {
        let mut reports = EngineReports::default();
        let said = |line: &str, moves: u32| Reported {
            asked: 5,
            stderr_moves: moves,
            stderr: vec![line.to_owned()],
            ..Reported::default()
        };
        assert!(add(&mut reports, "1", said("depth 3", 5)).is_empty());
        let report = reports.of("a").unwrap();
        assert_eq!((report.stderr_moves, report.moves), (5, 5));
        assert_eq!(report.first_output.as_ref().unwrap().text, "depth 3");
        assert!(report.first_error.is_none());
    }

    #[test]
    fn own_moves_follow_the_opening() {
        let moves = |start: &str, book: u32, times: usize| {
            let game =
                GameRecord { start: start.to_owned(), book, times: vec![1; times], ..game("1") };
            Side::BOTH.map(|side| own_moves(&game, side))
        };
        assert_eq!(moves("b/W w - 0 1", 0, 5), [3, 2]);
        assert_eq!(moves("b/W w - 0 1", 1, 5), [2, 3]);
        assert_eq!(moves("b/W b - 0 1", 0, 5), [2, 3]);
        assert_eq!(moves("b/W b - 0 1", 3, 4), [2, 2]);
    }
}
