//! The jobs in flight, and the results that arrive for them.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use async_nats::jetstream::Message;
use tokio::sync::mpsc;

use super::super::messages::Results;
use crate::pairing::ids::{GameId, PairingId};

/// What a job is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Purpose {
    /// The games of a pair or session that begin with this pairing.
    Play(PairingId),
    /// This game, once more.
    Again(GameId),
}

/// A job on the server.
pub(super) struct Published {
    pub(super) subject: String,
    pub(super) payload: Vec<u8>,
    pub(super) since: Instant,
    /// The worker that must not play it.
    pub(super) not_by: Option<String>,
    /// Since when no other worker is there to play it.
    pub(super) alone: Option<Instant>,
}

/// Results of one worker that agree with the rules, but not yet with the schedule.
pub(super) struct Delivery {
    pub(super) worker: String,
    pub(super) results: Results,
    pub(super) message: Message,
}

impl Delivery {
    /// Acknowledges the results: they are on disk, known, or of no use.
    pub(super) async fn acknowledge(self) {
        // If this fails the results come again, and are known then.
        let _ = self.message.ack().await;
    }
}

/// The jobs that wait for results, and results that no job waits for yet.
#[derive(Default)]
pub(super) struct Routes {
    pub(super) open: HashMap<PairingId, mpsc::UnboundedSender<Delivery>>,
    /// Results for pairings that an earlier coordinator began and this one has yet to begin. They
    /// are not acknowledged, so the server keeps them too.
    pub(super) early: BTreeMap<PairingId, Delivery>,
}
