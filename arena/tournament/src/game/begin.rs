//! A game that begins.

use fanorona_protocol::rules::{Move, Position};

use crate::pairing::ids::{EngineId, GameId, Pairing};

/// A game that begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameBegin {
    /// Its number.
    pub id: GameId,
    /// The pairing that it belongs to.
    pub pairing: Pairing,
    /// White and Black.
    pub players: [EngineId; 2],
    /// The start position.
    pub start: Position,
    /// The moves of the opening.
    pub book: Vec<Move>,
    /// The number of the attempt, from 1.
    pub attempt: u32,
}
