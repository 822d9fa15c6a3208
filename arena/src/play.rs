//! One game: asks the side to move, has the referee judge, keeps the clocks.

use std::fmt::Write;
use std::time::Duration;

use fanorona_protocol::messages::{BestMove, MAX_LINE};
use fanorona_protocol::rules::{BoardSize, Position, Ruleset, Side, Turn};

use crate::clock::Clocks;
use crate::config::Limit;
use crate::ending::Ending;
use crate::engine::{Engine, Failure};
use crate::referee::{Referee, Verdict};

/// The longest `position` line in bytes: with limits switched off a game may outgrow what a line of
/// the protocol holds, and is then told from its present position on.
const LONGEST_POSITION: usize = MAX_LINE - 1024;

/// A game to be played.
#[derive(Clone, Debug)]
pub struct Game {
    /// The rules.
    pub rules: Ruleset,
    /// The position it begins with.
    pub start: Position,
    /// The turns played before anybody is asked; legal from the start.
    pub book: Vec<Turn>,
    /// The limits of White and Black.
    pub limits: [Limit; 2],
    /// By how much a time limit may be overstepped.
    pub margin: Duration,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its end.
    pub ending: Ending,
    /// Every turn, those of the book included.
    pub turns: Vec<Turn>,
    /// What each turn after the book took.
    pub times: Vec<Duration>,
    /// The score its player reported with it, empty where none.
    pub scores: Vec<String>,
    /// What White and Black thought in all, the time of an answer that lost included.
    pub thought: [Duration; 2],
}

/// Plays a game between two engines that are ready for it, White first. Whatever an engine does is
/// part of the result.
pub async fn play(game: &Game, engines: [&mut Engine; 2]) -> Played {
    let mut referee = Referee::new(game.rules, game.start);
    let mut position = opening_line(&game.start);
    let mut over = referee.over();
    for turn in &game.book {
        if over.is_none() {
            append(&mut position, turn);
            over = match referee.judge(&BestMove::Turn(*turn)) {
                Verdict::Continue => None,
                Verdict::Over(ending) => Some(ending),
            };
        }
    }
    let mut clocks = Clocks::new(game.limits);
    let (mut times, mut scores, mut thought) = (Vec::new(), Vec::new(), [Duration::ZERO; 2]);
    let ending = loop {
        if let Some(ending) = over {
            break ending;
        }
        let side = referee.turn();
        let allowance = clocks.allowance(side).map(|time| time + game.margin);
        let legal = || referee.legal_turns().iter().map(Turn::to_string).collect();
        let engine = &mut *engines[side as usize];
        let answer = match engine.ask(&position, clocks.words(side), allowance, legal).await {
            Ok(answer) => answer,
            Err(failure) => break by_failure(&failure, side),
        };
        thought[side as usize] += answer.time;
        clocks.spend(side, answer.time);
        let before = referee.turns().len();
        let verdict = referee.judge(&answer.best);
        if let Some(turn) = referee.turns().get(before) {
            append(&mut position, turn);
            if position.len() > LONGEST_POSITION {
                position = format!("position fen {}", referee.position());
            }
            times.push(answer.time);
            scores.push(answer.score.map_or(String::new(), |score| score.to_string()));
        }
        if let Verdict::Over(ending) = verdict {
            over = Some(ending);
        }
    };
    Played { ending, turns: referee.turns().to_vec(), times, scores, thought }
}

/// The game an engine's failure ends.
pub fn by_failure(failure: &Failure, offender: Side) -> Ending {
    Ending::by_fault(failure.fault, offender, failure.to_string())
}

/// The `position` line of a game's start: `startpos` for the standard one, so that a first engine
/// needs no FEN.
fn opening_line(start: &Position) -> String {
    let standard = Position::start(BoardSize::TSIVY);
    if start.to_string() == standard.to_string() {
        "position startpos".to_owned()
    } else {
        format!("position fen {start}")
    }
}

/// Adds a turn to a `position` line.
fn append(line: &mut String, turn: &Turn) {
    // Neither `startpos` nor a FEN has the word in it.
    if !line.contains(" moves ") {
        line.push_str(" moves");
    }
    // Writing to a string cannot fail.
    let _ = write!(line, " {turn}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Start, VelaStarter};

    #[test]
    fn only_the_standard_start_is_startpos() {
        assert_eq!(opening_line(&Start::TSIVY.riatra()), "position startpos");
        for start in [
            Start::TSIVY.vela(VelaStarter::Debtor),
            Start::LeftRight.riatra(),
            Start::Usual(BoardSize::DIMY).riatra(),
        ] {
            assert_eq!(opening_line(&start), format!("position fen {start}"));
        }
        let mut late = Start::TSIVY.riatra().to_string();
        late = late.replace("0 1", "5 9");
        assert!(opening_line(&late.parse().unwrap()).ends_with("5 9"));
    }

    #[test]
    fn turns_are_appended_as_words() {
        let mut line = "position startpos".to_owned();
        append(&mut line, &"e2e3A".parse().unwrap());
        append(&mut line, &"e5e4".parse().unwrap());
        assert_eq!(line, "position startpos moves e2e3A e5e4");
    }
}
