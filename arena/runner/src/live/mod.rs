//! Games in progress for spectators.
//!
//! A game writes its state into a place of its own, and spectators read it when they want to.
//! Nothing is queued, so a slow spectator costs a game nothing, and an update that no spectator
//! has read is simply overwritten by the next one.
//!
//! A [`Watcher`] turns the changes of the boards into [events](BoardEvent), and [`LiveGames::apply`] events into
//! boards: those of a tournament that another process or machine plays are watched like its own.

mod events;
mod games;
mod watcher;

use std::time::Duration;

pub use events::{BoardEvent, GameEnd, GameUpdate, GameView, InfoView, Infos, TurnState};
pub use games::{LiveGame, LiveGames, Seat};
pub use watcher::Watcher;

/// The interval in which spectators are told what has changed.
pub const BOARD_INTERVAL: Duration = Duration::from_millis(200);
