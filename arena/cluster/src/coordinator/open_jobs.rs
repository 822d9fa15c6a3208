//! The jobs in flight, and the results that arrive for them.

use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

use async_nats::jetstream::Message;
use tokio::sync::mpsc;

use super::super::messages::Results;
use fanorona_tournament::pairing::ids::PairingId;

/// A job on the server.
pub(super) struct Published {
    pub(super) subject: String,
    pub(super) payload: Vec<u8>,
    pub(super) since: Instant,
}

/// A game that another worker is asked to play again.
pub(super) struct ReplayRequest {
    /// The job it is asked to do, not yet signed.
    pub(super) job: Vec<u8>,
    /// The worker that has played the game.
    pub(super) played_by: String,
    /// The worker that was asked last, and when.
    pub(super) last: Option<(String, Instant)>,
    /// Since when no other worker is there.
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
