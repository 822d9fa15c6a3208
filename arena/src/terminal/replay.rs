//! A recorded game ply by ply, each as a text for the screen.

use std::fmt::Write;

use fanorona_protocol::rules::{Move, Position, Ruleset, Side};

use super::board::{Style, Trace, draw};
use crate::game::referee::not_legal;
use crate::game::termination::{GameResult, Reason};
use crate::record::GameRecord;
use crate::text::plural::counted;

/// A position of the game, and the move that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The position.
    pub position: Position,
    /// The move before it; `None` at the start.
    pub last: Option<Last>,
}

/// A move that has been played.
#[derive(Clone, PartialEq, Debug)]
pub struct Last {
    /// The move.
    pub mv: Move,
    /// The number of its move.
    pub number: u32,
    /// Who played it.
    pub side: Side,
    /// What it did.
    pub trace: Trace,
    /// Milliseconds it took, where that is known.
    pub time: Option<u64>,
    /// The score its player reported, where there was one.
    pub score: Option<String>,
    /// Whether it came from the opening.
    pub book: bool,
}

/// A game that can be looked at.
#[derive(Clone, PartialEq, Debug)]
pub struct Film {
    game: GameRecord,
    frames: Vec<Frame>,
}

/// Why a recorded game cannot be shown to its end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FilmError {
    /// The start is no position.
    #[error("game {game}: the start is refused: {why}")]
    Start {
        /// The game.
        game: String,
        /// Why.
        why: String,
    },
    /// A move cannot be played.
    #[error("game {game}: move {number}: {why}")]
    Move {
        /// The game.
        game: String,
        /// Which move, from 1.
        number: usize,
        /// Why.
        why: String,
    },
}

impl Film {
    /// Plays a game through by the rules.
    pub fn new(game: GameRecord, rules: &Ruleset) -> Result<Film, FilmError> {
        let id = || game.id.to_string();
        let start: Position = game
            .start
            .parse()
            .map_err(|why| FilmError::Start { game: id(), why: format!("{why}") })?;
        let mut frames = vec![Frame { position: start, last: None }];
        let mut position = start;
        for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
            let wrong = |why: String| FilmError::Move { game: id(), number: index + 1, why };
            let mv: Move = word.parse().map_err(|why| wrong(format!("{why}")))?;
            let after = position
                .play(rules, &mv)
                .map_err(|why| wrong(not_legal(&position, rules, &mv, &why)))?;
            let own = index.checked_sub(game.book as usize);
            let time = own.and_then(|own| game.times.get(own).copied());
            let score = own.and_then(|own| game.scores.get(own)).filter(|s| !s.is_empty());
            let last = Last::new(&position, &mv, &after).saying(time, score.cloned());
            let last = Last { book: own.is_none(), ..last };
            frames.push(Frame { position: after, last: Some(last) });
            position = after;
        }
        Ok(Film { game, frames })
    }

    /// The start, and the position after every ply.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// What is shown after so many plies: two lines on the players, the board, two on the last move.
    ///
    /// # Panics
    /// When the game has not so many.
    pub fn screen(&self, ply: usize, style: Style) -> String {
        let Film { game, frames } = self;
        let Frame { position, last } = &frames[ply];
        let end = frames.len() - 1;
        let player = |side: Side, name: &str| {
            let stones = position.board().count(side);
            let debtor = if position.debtor() == Some(side) { " (debtor)" } else { "" };
            format!("{} {name} {stones}{debtor}", style.stone(side))
        };
        let mut text = format!("game {} {}, ply {ply} of {end}\n", game.id, game.kind);
        text += &format!(
            "{} - {}\n",
            player(Side::White, &game.white),
            player(Side::Black, &game.black)
        );
        text += &draw(position.board(), last.as_ref().map(|last| &last.trace), style);
        if let Some(last) = last {
            text += &last.in_words();
        }
        let to_move = |ply: usize| format!("{} to move\n", frames[ply].position.side_to_move());
        text += &if ply == end { self.ending() } else { to_move(ply) };
        text
    }

    /// How it has ended.
    fn ending(&self) -> String {
        let GameRecord { result, reason, detail, white, black, .. } = &self.game;
        let won = match result {
            GameResult::Won(Side::White) => format!("{white} has won"),
            GameResult::Won(Side::Black) => format!("{black} has won"),
            GameResult::Drawn => "a draw".to_owned(),
            GameResult::Void => "no result".to_owned(),
        };
        let mut text = match reason {
            Reason::Void => format!("{result}: {won}"),
            _ => format!("{result}: {won}, {reason}"),
        };
        if !detail.is_empty() {
            // Writing to a string cannot fail.
            let _ = write!(text, " ({detail})");
        }
        text + "\n"
    }
}

impl Last {
    /// A move that led from one position to the next, of which no more is known.
    pub fn new(before: &Position, mv: &Move, after: &Position) -> Last {
        Last {
            mv: *mv,
            number: before.full_move(),
            side: before.side_to_move(),
            trace: Trace::of(before, mv, after),
            time: None,
            score: None,
            book: false,
        }
    }

    /// The same with the milliseconds it took and the score its player reported.
    pub fn saying(self, time: Option<u64>, score: Option<String>) -> Last {
        Last { time, score, ..self }
    }

    /// The move with what it took and what was said of it, in a line.
    pub fn in_words(&self) -> String {
        let dots = if self.side == Side::White { "." } else { "..." };
        let taken = self.trace.captured.len();
        let took = match taken {
            0 => String::new(),
            taken => format!(" takes {}", counted(taken, "stone", "stones")),
        };
        let mut said = Vec::new();
        if self.book {
            said.push("opening".to_owned());
        }
        said.extend(self.time.map(|time| format!("{time} ms")));
        said.extend(self.score.as_ref().map(|score| format!("score {score}")));
        let said = if said.is_empty() { String::new() } else { format!(" ({})", said.join(", ")) };
        format!("{}{dots} {}{took}{said}\n", self.number, self.mv)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn film(moves: &str) -> Result<Film, FilmError> {
        let start = "b4/b4/bW1b1/5/5 w - 0 1".parse().unwrap();
        let (result, reason) = ("0-1".parse().unwrap(), "time".parse().unwrap());
        let game = GameRecord {
            white: "me".into(),
            black: "you".into(),
            moves: moves.into(),
            detail: "slept".into(),
            times: vec![31, 4],
            scores: vec!["cp 5".into(), String::new()],
            ..GameRecord::new("7.2".parse().unwrap(), &start, result, reason)
        };
        Film::new(game, &Ruleset::default())
    }

    #[test]
    fn a_screen_holds_players_board_and_the_last_move() {
        let film = film("b3c3A a3b3A").unwrap();
        let style = Style::default();
        let expected = "\
game 7.2 riatra, ply 1 of 2
W me 1 - b you 3
5 b---+---*---+---*
  | \\ | / | \\ | / |
4 b---*---+---*---+
  | / | \\ | / | \\ |
3 b--(+)-[W]--x---*
  | \\ | / | \\ | / |
2 +---*---+---*---+
  | / | \\ | / | \\ |
1 *---+---*---+---*
  a   b   c   d   e
1. b3c3A takes 1 stone (31 ms, score cp 5)
Black to move
";
        assert_eq!(film.screen(1, style), expected);
        let end = film.screen(2, style);
        assert!(
            end.ends_with("\n1... a3b3A takes 1 stone (4 ms)\n0-1: you has won, time (slept)\n"),
            "{end}"
        );
        assert_eq!(film.frames().len(), 3);
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let error = film("b3c3A a5a4").unwrap_err().to_string();
        assert!(error.starts_with("game 7.2: move 2: a5a4 is not legal"), "{error}");
        let error = film("b3c3A x").unwrap_err().to_string();
        assert!(error.starts_with("game 7.2: move 2: `x` is not a move"), "{error}");
    }
}
