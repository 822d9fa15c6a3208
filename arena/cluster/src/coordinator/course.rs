//! The course of a job: its results so far, and the games that wait for a second opinion.

use std::collections::HashMap;

use super::open_jobs::Delivery;
use fanorona_runner::Missing;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::pairing::openings::Opening;
use fanorona_tournament::record::{GameRecord, SecondOpinion};

/// A job with its results so far.
#[derive(Default)]
pub(super) struct JobProgress {
    pub(super) parts: Vec<Part>,
    /// Games that ended by a fault and do not count yet.
    pub(super) in_doubt: Vec<UnconfirmedFault>,
    /// The second opinions about such games; `None` if no other worker was there any more.
    pub(super) opinions: HashMap<GameId, Option<SecondOpinion>>,
}

/// A pairing of a job, with its results so far.
pub(super) struct Part {
    pub(super) missing: Missing,
    pub(super) opening: Option<Opening>,
    pub(super) is_complete: bool,
}

/// A game that ended by a fault, and the delivery that it came in.
pub(super) struct UnconfirmedFault {
    pub(super) game: GameRecord,
    /// Its pairing, with the results before it.
    pub(super) missing: Missing,
    pub(super) delivery: Delivery,
}

impl Part {
    pub(super) fn new(missing: Missing, opening: Option<Opening>) -> Part {
        Part { missing, opening, is_complete: false }
    }

    /// The same pairing after these results.
    pub(super) fn at(&self, missing: Missing) -> Part {
        Part::new(missing, self.opening.clone())
    }
}

impl JobProgress {
    /// The part that a game belongs to.
    pub(super) fn part_of(&self, game: GameId) -> Option<&Part> {
        self.parts.iter().find(|part| part.missing.pairing.id == game.pairing)
    }
}
