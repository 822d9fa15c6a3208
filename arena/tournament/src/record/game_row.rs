//! A game as a row of `games.csv`. The header, writing, reading and the fields of the event `game`
//! all follow from one type.

use std::borrow::Cow;
use std::fmt::Display;
use std::str::FromStr;

use fanorona_protocol::rules::Position;
use serde::{Deserialize, Serialize};

use super::GameRecord;
use crate::text::table::FieldError;
use fanorona_ratings::kind::Kind;

/// A row of `games.csv` as written: texts are not parsed. What a file does not contain is empty.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct GameRow<'g> {
    /// The number of the game.
    #[serde(borrow)]
    pub game: Cow<'g, str>,
    /// The pair of games it belongs to; `None` in a session.
    pub pair: Option<u64>,
    /// The session it belongs to.
    pub session: Option<u64>,
    /// Riatra or vela.
    #[serde(borrow)]
    pub kind: Cow<'g, str>,
    /// The name of the opening.
    pub opening: Option<Cow<'g, str>>,
    /// The engine with White.
    #[serde(borrow)]
    pub white: Cow<'g, str>,
    /// The engine with Black.
    #[serde(borrow)]
    pub black: Cow<'g, str>,
    /// `1-0`, `0-1` or `1/2-1/2`; `*` without a result.
    #[serde(borrow)]
    pub result: Cow<'g, str>,
    /// The reason for its end.
    #[serde(borrow)]
    pub reason: Cow<'g, str>,
    /// The engine at fault, or both.
    pub offender: Option<Cow<'g, str>>,
    /// The number of moves, including the opening.
    pub plies: Option<u64>,
    /// The number of moves that come from the opening.
    pub book: Option<u32>,
    /// The start position.
    #[serde(borrow)]
    pub start: Cow<'g, str>,
    /// The moves from there, separated by spaces.
    #[serde(borrow)]
    pub moves: Cow<'g, str>,
    /// White's total thinking time in milliseconds.
    pub white_ms: Option<u64>,
    /// Black's total thinking time in milliseconds.
    pub black_ms: Option<u64>,
    /// The adjudicator, if there was one: `score`, or the oracle's name.
    pub adjudicated_by: Option<Cow<'g, str>>,
}

impl<'g> GameRow<'g> {
    /// The row of a game.
    pub fn new(game: &'g GameRecord) -> GameRow<'g> {
        GameRow {
            game: game.id.to_string().into(),
            pair: game.pair,
            session: game.id.of_session.map(|_| game.id.pairing.0),
            kind: game.kind.name().into(),
            opening: game.opening().map(|opening| opening.name().into()),
            white: (&game.white).into(),
            black: (&game.black).into(),
            result: game.result.to_string().into(),
            reason: game.reason.to_string().into(),
            offender: game.offender_name(),
            plies: Some(game.plies() as u64),
            book: Some(game.book),
            start: (&game.start).into(),
            moves: (&game.moves).into(),
            white_ms: Some(game.white_ms),
            black_ms: Some(game.black_ms),
            adjudicated_by: game.adjudicated_by.as_deref().map(Cow::Borrowed),
        }
    }

    /// The game of the row, without times and scores of single moves.
    ///
    /// # Errors
    /// Returns an error if a field is invalid or contradicts another.
    pub fn record(&self) -> Result<GameRecord, FieldError> {
        let start: Position = parsed("start", &self.start)?;
        let result = parsed("result", &self.result)?;
        let reason = parsed("reason", &self.reason)?;
        let game = GameRecord::new(parsed("game", &self.game)?, &start, result, reason);
        let kind = (!self.kind.is_empty()).then(|| parsed::<Kind>("kind", &self.kind));
        if let Some(kind) = kind.transpose()?.filter(|kind| *kind != game.kind) {
            let why = format!("the kind is {kind}, but the start is that of a {}", game.kind);
            return Err(FieldError::new("kind", why));
        }
        let game = GameRecord {
            pair: self.pair,
            white: self.white.clone().into_owned(),
            black: self.black.clone().into_owned(),
            start: self.start.clone().into_owned(),
            moves: self.moves.clone().into_owned(),
            book: self.book.unwrap_or(0),
            white_ms: self.white_ms.unwrap_or(0),
            black_ms: self.black_ms.unwrap_or(0),
            adjudicated_by: self.adjudicated_by.clone().map(Cow::into_owned),
            ..game
        };
        let offender = self.offender.as_deref().unwrap_or("");
        let Some(game) = game.with_offender(offender) else {
            let why = format!("`{offender}` is neither {} nor {}", self.white, self.black);
            return Err(FieldError::new("offender", why));
        };
        if game.book as usize > game.plies() {
            let why =
                format!("the opening has {} moves, but the game only {}", game.book, game.plies());
            return Err(FieldError::new("book", why));
        }
        Ok(game)
    }
}

/// The value of a field.
pub fn parsed<T: FromStr>(column: &str, text: &str) -> Result<T, FieldError>
where
    T::Err: Display,
{
    text.parse().map_err(|why: T::Err| FieldError::new(column, why))
}
