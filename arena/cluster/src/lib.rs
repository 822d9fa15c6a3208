//! A tournament on many machines, over NATS JetStream.
//!
//! The *coordinator* is `arena run` with `--cluster`: it schedules, decides and writes the journal as
//! ever, but publishes each pair of games as a job. A *worker* is `arena cluster work`: it plays jobs exactly
//! as `arena run` would and publishes the finished games. The server in between is a plain
//! `nats-server`.
//!
//! The journal is the only truth. Every received game is replayed by the rules and compared with the
//! schedule, written and synced, and only then acknowledged. Messages may be lost, repeated or late,
//! and the server may lose all it has stored: this costs replays, never a finished game.
//!
//! Nobody is believed by a subject alone: every message that counts is signed ([`signature`]). And no
//! single worker is believed about faults: another one plays such a game again, and a sample of the
//! others.

pub mod access;
pub mod calibration;
pub mod coordinator;
pub mod engine_set;
pub mod error;
pub mod messages;
mod names;
pub mod server_config;
pub mod signature;
mod store;
pub mod tournament_id;
mod verify;
pub mod worker;

pub use error::ClusterError;
pub use names::is_worker_name;

/// A living coordinator renews its lease within this time.
const SILENCE: std::time::Duration = std::time::Duration::from_secs(12);

/// Does work that takes long on a thread of its own. Neither signals nor the end of the program wait
/// for it.
async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (done, result) = tokio::sync::oneshot::channel();
    // When the program ends, nobody waits for the result any more.
    std::thread::spawn(move || drop(done.send(work())));
    result.await.expect("the work does not panic")
}
