//! How one game begins.

use crate::ratings::kind::Kind;
use fanorona_protocol::rules::{Move, NextGame, Position, Ruleset, Start};
use std::fmt;

/// How a game begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The position the game starts from.
    pub start: Position,
    /// The moves played from there before engines are asked; legal, and the game goes on.
    pub book: Vec<Move>,
}

impl Opening {
    /// The position engines are asked in first.
    pub fn end(&self, rules: &Ruleset) -> Position {
        let play = |position: Position, mv: &Move| {
            position.play(rules, mv).expect("the moves of a book are legal")
        };
        self.book.iter().fold(self.start, play)
    }
}

/// What a single game can be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameKind {
    /// An ordinary game.
    Riatra,
    /// A game with a debtor.
    Vela,
}

impl GameKind {
    /// Both.
    pub const ALL: [GameKind; 2] = [GameKind::Riatra, GameKind::Vela];

    /// What a game of a session is.
    pub fn of_session_game(game: &NextGame) -> GameKind {
        if game.debtor.is_some() { GameKind::Vela } else { GameKind::Riatra }
    }

    /// The position games of this kind start from.
    pub fn start(self, board: Start, rules: &Ruleset) -> Position {
        match self {
            GameKind::Riatra => board.riatra(),
            GameKind::Vela => board.vela(rules.vela_starter),
        }
    }
}

impl From<GameKind> for Kind {
    fn from(kind: GameKind) -> Kind {
        match kind {
            GameKind::Riatra => Kind::Riatra,
            GameKind::Vela => Kind::Vela,
        }
    }
}

impl fmt::Display for GameKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Kind::from(*self).fmt(f)
    }
}
