//! What happens while a tournament is played, and how it ends.

use crate::engine::Changed;
use crate::pairing::ids::{EngineId, GameId, Pairing};
use crate::record::{GameRecord, StorageError, VoidRecord};
use crate::tournament::progress::Withdrawal;
use crate::tournament::sprt_run::Sequential;
use fanorona_protocol::rules::{Move, Position};
use std::time::Duration;

/// Why a tournament cannot go on. Everything finished is kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The disk.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// Engines cannot be started on this machine, for a reason that is none of theirs.
    #[error("no engine can be started any more, through no fault of its own: {0}")]
    Shortage(String),
    /// An engine is no longer the one that began the tournament.
    #[error("engine `{engine}`: {why}")]
    Changed {
        /// Which one.
        engine: String,
        /// What has changed.
        why: Changed,
    },
}

/// How a tournament has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// There is nothing left to play.
    Complete,
    /// It was interrupted; what was finished is kept.
    Interrupted,
}

/// What whoever watches a tournament is told.
#[derive(Clone, Copy, Debug)]
pub enum Event<'g> {
    /// A game begins, or another attempt at it.
    Begins(&'g Begins),
    /// A game is finished and on disk.
    Game(&'g GameRecord),
    /// An attempt at a game came to nothing by the arena's own fault; it is made again.
    Void(&'g VoidRecord),
    /// A pairing has no game left to play.
    PairingComplete,
    /// An engine takes part in no further pairing.
    Withdrawn(&'g Withdrawal),
    /// The test of the match has taken in further pairs.
    Tested(&'g Sequential),
    /// The disk refuses to keep a game, as it says; it is asked again for so long.
    StartFailure(&'g str, Duration),
    /// The disk has given in.
    Recovered,
    /// This machine is short of what engines need to start, as this says; games wait for it.
    Short(&'g str),
    /// The arena was kept from looking at the clock, in all for the first time within the second.
    Late(Duration, Duration),
    /// No further game begins; so many are still being played, for so long at most.
    Finishing(usize, Duration),
}

/// A game that begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Begins {
    /// Its number.
    pub id: GameId,
    /// The pairing it is, or is part of.
    pub pairing: Pairing,
    /// White and Black.
    pub players: [EngineId; 2],
    /// The position it starts from.
    pub start: Position,
    /// The moves that are played from there before anybody is asked.
    pub book: Vec<Move>,
    /// Which attempt it is, from 1.
    pub attempt: u32,
}

/// How a tournament is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// When the games in progress are over, or have had time enough.
    Finish,
    /// At once: games in progress are given up.
    AtOnce,
}
