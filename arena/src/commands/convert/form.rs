//! A game on its way from one format to another.

use fanorona_tournament::notation::fgn::{FileTags, Notation};
use fanorona_tournament::record::GameRecord;

/// The form in which a game is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As a row of a table.
    Row,
    /// As FGN.
    Fgn,
    /// For another program.
    Other(Notation),
}

impl Form {
    /// The name of the format on the command line.
    pub(super) fn name(self) -> &'static str {
        match self {
            Form::Row => "csv",
            Form::Fgn => "fgn",
            Form::Other(Notation::Engine) => "fanorona-engine",
            Form::Other(Notation::AbstractPlay) => "abstract-play",
            Form::Other(Notation::Pgn) => "pgn",
        }
    }
}

/// A game of the input.
pub(super) struct Found {
    /// Its line in a file, or its number among the games of a journal.
    pub(super) line: u64,
    pub(super) game: GameRecord,
    /// The known facts about the game beside it.
    pub(super) about: FileTags,
    /// Whether the input has more about the game.
    pub(super) has_more: bool,
}
