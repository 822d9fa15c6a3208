//! The opening of a game.

use fanorona_protocol::rules::{Move, NextGame, Position, Ruleset, Start};
use fanorona_ratings::kind::Kind;
use std::fmt;

/// An opening: a start position and moves.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Opening {
    /// The start position.
    pub start: Position,
    /// The moves played before the engines move. They are legal and do not end the game.
    pub book: Vec<Move>,
}

impl Opening {
    /// The position after the moves.
    pub fn end(&self, rules: &Ruleset) -> Position {
        let play = |position: Position, mv: &Move| {
            position.play(rules, mv).expect("the moves of a book are legal")
        };
        self.book.iter().fold(self.start, play)
    }
}

/// The kind of a single game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum GameKind {
    /// An ordinary game.
    Riatra,
    /// A game with a debtor.
    Vela,
}

impl GameKind {
    /// Both kinds.
    pub const ALL: [GameKind; 2] = [GameKind::Riatra, GameKind::Vela];

    /// The kind of a game in a session.
    pub fn from_session_game(game: &NextGame) -> GameKind {
        if game.debtor.is_some() { GameKind::Vela } else { GameKind::Riatra }
    }

    /// The start position of games of this kind.
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
