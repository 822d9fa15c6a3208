//! Why work on many machines fails, and what to do about it.

use std::path::PathBuf;

use fanorona_runner::RunError;
use fanorona_tournament::record::{JournalError, StorageError};

/// A failure of the connection, the server, or the agreement between coordinator and workers.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The server did not accept a connection.
    #[error("cannot reach the NATS server {url}: {why}")]
    Unreachable {
        /// The server.
        url: String,
        /// The reason.
        why: String,
    },
    /// The server rejects the credentials.
    #[error("the NATS server {url} rejects these credentials")]
    Rejected {
        /// The server.
        url: String,
    },
    /// The URL contains a password, which other users of this machine can read.
    #[error("the URL of the NATS server contains a password")]
    PasswordInUrl,
    /// The file with credentials cannot be used.
    #[error("{}: {why}", .path.display())]
    Credentials {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The server has no JetStream.
    #[error("the NATS server {url} cannot store messages: {why}")]
    NoJetStream {
        /// The server.
        url: String,
        /// The reason.
        why: String,
    },
    /// A request to the server failed.
    #[error("cannot {what}: {why}")]
    Server {
        /// The operation.
        what: String,
        /// The reason.
        why: String,
    },
    /// The coordinator whose key this side knows has not signed an entry of the bucket.
    #[error("an entry on the server is not signed by the coordinator of these credentials: {what}")]
    Unsigned {
        /// The entry.
        what: String,
    },
    /// Another coordinator runs the tournament.
    #[error("another coordinator runs this tournament: {holder}")]
    Fenced {
        /// The other coordinator.
        holder: String,
    },
    /// The server has been silent for too long.
    #[error("the NATS server has not answered for {0} s")]
    Silent(u64),
    /// This worker cannot play the tournament.
    #[error("this worker cannot play tournament {tournament}: {}", .reasons.join("; "))]
    Refused {
        /// The tournament.
        tournament: String,
        /// Every reason.
        reasons: Vec<String>,
    },
    /// A name or setting cannot be used.
    #[error("{0}")]
    Usage(String),
    /// Storage failed.
    #[error(transparent)]
    Storage(#[from] StorageError),
    /// A spool cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// Games cannot be played on this machine.
    #[error(transparent)]
    Run(#[from] RunError),
}

impl ClusterError {
    /// An operation that failed on the server.
    pub(super) fn server(what: impl Into<String>, why: impl std::fmt::Display) -> ClusterError {
        ClusterError::Server { what: what.into(), why: why.to_string() }
    }

    /// Returns advice on what to do about it.
    pub fn help(&self) -> String {
        match self {
            ClusterError::Unreachable { .. } => {
                "start the server (`nats-server -c FILE`, with a config from `arena cluster \
                 config`), and check the address and the firewall"
            }
            ClusterError::Rejected { .. } => {
                "give the file that `arena cluster config` wrote for this machine: --credentials \
                 FILE"
            }
            ClusterError::PasswordInUrl => {
                "leave it out and give a file: --credentials FILE; other users can read the \
                 command line"
            }
            ClusterError::Credentials { .. } => {
                "give a file that `arena cluster config` has written, with mode 0600"
            }
            ClusterError::NoJetStream { .. } => {
                "start it with JetStream: `nats-server -js`, or a config from `arena cluster config`"
            }
            ClusterError::Server { .. } | ClusterError::Silent(_) => {
                "check that the NATS server runs and that the network is up, then try again"
            }
            ClusterError::Unsigned { .. } => {
                "give the coordinator and the worker files of the same `arena cluster config`"
            }
            ClusterError::Fenced { .. } => {
                "stop the other one, or wait 15 s if it was killed, and try again"
            }
            ClusterError::Refused { .. } => {
                "install the same programs here, let the coordinator ship them (`arena run \
                 --ship`), or accept other builds of the same behaviour with identity = \"bench\" \
                 in the config"
            }
            ClusterError::Usage(_) => "see --help",
            ClusterError::Storage(_) => "free some disk space",
            ClusterError::Journal(_) => "name another directory with --spool",
            ClusterError::Run(_) => "free the resource named above",
        }
        .to_owned()
    }
}
