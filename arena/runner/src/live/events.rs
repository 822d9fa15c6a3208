//! The games in progress as spectators get them: their state, and the updates that lead to it. Pages,
//! the socket between processes and the messages of a cluster carry the same events, as JSON.
//!
//! An update says from which move on it continues, so a spectator can apply it twice, and notices a
//! missing one.

use std::time::Duration;

use fanorona_protocol::messages::Reply;
use fanorona_protocol::rules::{Move, Position, Side};
use serde::{Deserialize, Serialize};

use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::text::as_text;
use fanorona_tournament::text::short_score::short_score;

/// The moves of a principal variation that a spectator gets.
const MAX_PV: usize = 12;

/// A game in progress.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameView {
    /// The number of the game.
    #[serde(with = "as_text")]
    pub game: GameId,
    /// Riatra or vela.
    pub kind: Kind,
    /// The engine with White.
    pub white: String,
    /// The engine with Black.
    pub black: String,
    /// The start position.
    pub start: Position,
    /// The number of opening moves.
    pub book: usize,
    /// The number of moves so far that belong to the first phase of a vela.
    pub single: usize,
    /// Every move so far, including the opening.
    pub moves: Vec<Move>,
    /// The score of each move after the opening in short form; empty if none.
    pub scores: Vec<String>,
    /// The search of the side to move.
    #[serde(flatten)]
    pub now: TurnState,
}

/// The state at this moment of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TurnState {
    /// Milliseconds on the clocks of White and Black when the current move began.
    pub clocks: [Option<u64>; 2],
    /// The side that thinks; `None` before the first move and after the end.
    pub to_move: Option<Side>,
    /// The milliseconds since the current move began.
    pub thinking_ms: u64,
    /// The replies that White and Black expect while they search in their opponent's time; `None` for
    /// one that does not.
    #[serde(default)]
    pub pondering: [Option<Move>; 2],
    /// The last search result of each engine.
    pub info: Infos,
}

/// The last search result of each engine.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Infos {
    /// The result of White.
    pub w: Option<InfoView>,
    /// The result of Black.
    pub b: Option<InfoView>,
}

/// A search result.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct InfoView {
    score: String,
    depth: Option<u32>,
    nodes: Option<u64>,
    nps: Option<u64>,
    pv: Vec<String>,
}

/// An update of a game: what follows its first `from` moves.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameUpdate {
    #[serde(with = "as_text")]
    pub(super) game: GameId,
    pub(super) from: usize,
    pub(super) single: usize,
    pub(super) moves: Vec<Move>,
    pub(super) scores: Vec<String>,
    #[serde(flatten)]
    pub(super) now: TurnState,
}

/// The end of a game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameEnd {
    #[serde(with = "as_text")]
    pub(super) game: GameId,
    /// Its result; `None` if it was interrupted, or if it is not known.
    #[serde(with = "as_text::optional", default)]
    pub(super) result: Option<GameResult>,
    #[serde(with = "as_text::optional", default)]
    pub(super) reason: Option<Reason>,
}

/// A change on the boards of a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "event", content = "data", rename_all = "lowercase")]
pub enum BoardEvent {
    /// A game begins, or is seen for the first time.
    Begin(Box<GameView>),
    /// A game continues.
    Game(Box<GameUpdate>),
    /// A game is over.
    End(GameEnd),
}

impl InfoView {
    /// Reads an `info` line.
    pub fn from_line(line: &str) -> Option<InfoView> {
        let Ok(Reply::Info(info)) = line.parse() else { return None };
        let pv = info.pv.iter().take(MAX_PV).map(ToString::to_string);
        Some(InfoView {
            score: info.score.map_or(String::new(), |score| short_score(&score.to_string())),
            depth: info.depth,
            nodes: info.nodes,
            nps: info.nps,
            pv: pv.collect(),
        })
    }
}

impl GameUpdate {
    /// The number of scores that precede those of the update, in a game with this opening.
    pub(super) fn scores_before(&self, book: usize) -> usize {
        self.from.saturating_sub(book)
    }
}

impl BoardEvent {
    /// The end of a game that was interrupted.
    pub fn interrupted(game: GameId) -> BoardEvent {
        BoardEvent::End(GameEnd { game, result: None, reason: None })
    }

    /// The number of its game.
    pub fn game(&self) -> GameId {
        match self {
            BoardEvent::Begin(view) => view.game,
            BoardEvent::Game(update) => update.game,
            BoardEvent::End(end) => end.game,
        }
    }
}

/// Whole milliseconds.
pub(super) fn milliseconds(time: Duration) -> u64 {
    time.as_millis() as u64
}
