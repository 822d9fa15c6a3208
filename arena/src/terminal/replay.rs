//! Replays a recorded game ply by ply as text for the screen.

use std::fmt::Write;

use fanorona_protocol::rules::{Move, Position, Ruleset, Side};

use fanorona_tournament::game::referee::not_legal;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::notation::board::{Style, Trace, draw};
use fanorona_tournament::record::GameRecord;
use fanorona_tournament::text::plural::counted;

/// A position of the game and the move that led to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Frame {
    /// The position after the move.
    pub position: Position,
    /// The move before it; `None` at the start.
    pub last: Option<Last>,
}

/// A move that has been played.
#[derive(Clone, PartialEq, Debug)]
pub struct Last {
    /// The move.
    pub mv: Move,
    /// The number of the full move.
    pub number: u32,
    /// The side that played it.
    pub side: Side,
    /// Its effect on the board.
    pub trace: Trace,
    /// The time it took in milliseconds, if known.
    pub time: Option<u64>,
    /// The score its player reported, if any.
    pub score: Option<String>,
    /// Whether it came from the opening.
    pub book: bool,
}

/// A recorded game with all its positions.
#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    game: GameRecord,
    frames: Vec<Frame>,
}

/// Why a recorded game cannot be replayed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReplayError {
    /// The start is not a valid position.
    #[error("game {game}: invalid start position: {why}")]
    Start {
        /// The game.
        game: String,
        /// Why.
        why: String,
    },
    /// A move is not legal.
    #[error("game {game}: move {number}: {why}")]
    Move {
        /// The game.
        game: String,
        /// The number of the move, from 1.
        number: usize,
        /// Why.
        why: String,
    },
}

impl Replay {
    /// Replays a game by the rules.
    pub fn new(game: GameRecord, rules: &Ruleset) -> Result<Replay, ReplayError> {
        let id = || game.id.to_string();
        let start: Position = game
            .start
            .parse()
            .map_err(|why| ReplayError::Start { game: id(), why: format!("{why}") })?;
        let mut frames = vec![Frame { position: start, last: None }];
        let mut position = start;
        for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
            let wrong = |why: String| ReplayError::Move { game: id(), number: index + 1, why };
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
        Ok(Replay { game, frames })
    }

    /// The start, and the position after every ply.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The screen after `ply` plies: two lines about the players, the board, and two lines about
    /// the last move.
    ///
    /// # Panics
    /// Panics if the game has fewer plies.
    pub fn screen(&self, ply: usize, style: Style) -> String {
        let Replay { game, frames } = self;
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

    /// Describes the end of the game.
    fn ending(&self) -> String {
        let GameRecord { result, reason, detail, white, black, .. } = &self.game;
        let won = match result {
            GameResult::Won(Side::White) => format!("{white} won"),
            GameResult::Won(Side::Black) => format!("{black} won"),
            GameResult::Drawn => "draw".to_owned(),
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
        text.push('\n');
        for (name, reported) in [white, black].into_iter().zip(&self.game.reported) {
            if !reported.error.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "{name} {}", reported.error_in_words());
            }
        }
        text
    }
}

impl Last {
    /// A move from one position to the next, without time and score.
    pub fn new(before: &Position, mv: &Move, after: &Position) -> Last {
        Last {
            mv: *mv,
            number: before.full_move(),
            side: before.side_to_move(),
            trace: Trace::new(before, mv, after),
            time: None,
            score: None,
            book: false,
        }
    }

    /// Adds the time in milliseconds and the reported score.
    pub fn saying(self, time: Option<u64>, score: Option<String>) -> Last {
        Last { time, score, ..self }
    }

    /// The move, its captures, time and score in one line.
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

    fn replay(moves: &str) -> Result<Replay, ReplayError> {
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
        Replay::new(game, &Ruleset::default())
    }

    #[test]
    fn a_screen_holds_players_board_and_the_last_move() {
        let replay = replay("b3c3A a3b3A").unwrap();
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
        assert_eq!(replay.screen(1, style), expected);
        let end = replay.screen(2, style);
        assert!(
            end.ends_with("\n1... a3b3A takes 1 stone (4 ms)\n0-1: you won, time (slept)\n"),
            "{end}"
        );
        assert_eq!(replay.frames().len(), 3);
    }

    #[test]
    fn a_move_that_cannot_be_played_is_named() {
        let error = replay("b3c3A a5a4").unwrap_err().to_string();
        assert!(error.starts_with("game 7.2: move 2: a5a4 is not legal"), "{error}");
        let error = replay("b3c3A x").unwrap_err().to_string();
        assert!(error.starts_with("game 7.2: move 2: `x` is not a move"), "{error}");
    }
}
