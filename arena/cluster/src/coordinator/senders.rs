//! The workers whose messages are believed, and what has been said about messages of others.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use nkeys::KeyPair;

use super::super::names::is_worker_name;
use super::super::signature::{self, Flaw, Repetitions, Stamp};

/// The workers whose messages are believed.
#[derive(Debug, Default)]
pub(super) struct Senders {
    /// Their public keys; `None` if everyone is believed.
    workers: Option<BTreeMap<String, KeyPair>>,
    /// The live states and signs of life so far.
    pub(super) repetitions: Repetitions,
    /// The faults noted so far: the worker and what was wrong.
    pub(super) noted: Mutex<BTreeSet<(String, String)>>,
}

impl Senders {
    pub(super) fn new(workers: Option<BTreeMap<String, KeyPair>>) -> Senders {
        Senders { workers, ..Senders::default() }
    }

    /// The stamp and the content of a message that this worker has signed for its subject.
    pub(super) fn open<'m>(
        &self,
        worker: &str,
        subject: &str,
        message: &'m [u8],
    ) -> Result<(Option<Stamp>, &'m [u8]), Flaw> {
        let signer = match &self.workers {
            None if is_worker_name(worker) => None,
            None => return Err(Flaw::Stranger),
            Some(workers) => Some(workers.get(worker).ok_or(Flaw::Stranger)?),
        };
        signature::open(signer, subject, message)
    }
}
