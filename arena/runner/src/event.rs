//! Events of a running tournament, and how it ends.

use fanorona_engine::Changed;
use fanorona_tournament::game::begin::GameBegin;
use fanorona_tournament::progress::Withdrawal;
use fanorona_tournament::progress::sprt_run::State;
use fanorona_tournament::record::{GameRecord, StorageError, VoidRecord};
use std::time::Duration;

/// Why a tournament cannot continue. Finished games are kept.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// This machine cannot start engines, through no fault of theirs.
    #[error("this machine cannot start engines any more, through no fault of theirs: {0}")]
    Shortage(String),
    /// An engine has changed since the tournament began.
    #[error("engine `{engine}`: {why}")]
    Changed {
        /// The engine's name.
        engine: String,
        /// The change.
        why: Changed,
    },
}

/// The way a tournament ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// All games are played.
    Complete,
    /// It was interrupted. Finished games are kept.
    Interrupted,
}

/// An event for the observer of a tournament.
#[derive(Clone, Debug)]
pub enum Event {
    /// A game begins, or a further attempt at it.
    GameBegins(Box<GameBegin>),
    /// A game is finished and written to disk; its journal line begins at this byte.
    Game(Box<GameRecord>, u64),
    /// An attempt at a game failed by a fault of the arena and is repeated.
    Void(VoidRecord),
    /// A pairing has no game left to play.
    PairingComplete,
    /// An engine is withdrawn.
    Withdrawn(Withdrawal),
    /// The SPRT has counted more pairs.
    Tested(State),
    /// Candidates have more pairs: the numbers of accepted, dropped and open ones.
    Weighed([usize; 3]),
    /// Writing the journal failed with this error; retries continue for this long.
    StorageFailing(String, Duration),
    /// Writing the journal works again.
    StorageRecovered,
    /// This machine lacks a resource that engines need to start, for this reason; games wait for
    /// it.
    Short(String),
    /// The arena did not get a processor in time: the time lost, and the interval it was lost in.
    Late(Duration, Duration),
    /// No further game begins; this many are still in progress, for at most this long.
    Finishing(usize, Duration),
}

/// A request to stop a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Stop when the games in progress are over, or after a timeout.
    Finish,
    /// Stop at once and abandon the games in progress.
    AtOnce,
}
