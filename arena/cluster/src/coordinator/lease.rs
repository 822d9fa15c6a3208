//! The lease: it keeps two coordinators from running one tournament.
//!
//! The coordinator renews an entry of the bucket every few seconds, each time only if it is unchanged
//! since its own last renewal. Another one takes over at once if it holds the same results directory,
//! whose lock proves that the first is gone; otherwise only after the entry has been unchanged for a
//! while. The lease fences coordinators alone: a valid result counts for every coordinator. An entry
//! that no coordinator has signed is overwritten.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::kv;
use serde::{Deserialize, Serialize};

use super::super::access::with_source;
use super::super::signature::{self, Seal};
use super::super::{ClusterError, SILENCE, messages, names};

/// The time in which a claim succeeds or fails: a lease that is not renewed is free long before.
const PATIENCE: Duration = Duration::from_secs(3 * SILENCE.as_secs());

/// A claim on a tournament.
#[derive(Debug)]
pub(super) struct Lease {
    seal: Arc<Seal>,
    key: String,
    content: Content,
    revision: u64,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Content {
    /// The number of the coordinator, from 1.
    epoch: u64,
    /// The coordinator, for messages.
    holder: String,
    /// The results directory: the machine since its boot, the device and the inode.
    directory: String,
    /// The number of renewals.
    beat: u64,
}

fn failed(why: impl std::error::Error) -> ClusterError {
    ClusterError::server("claim the tournament", with_source(&why))
}

impl Lease {
    /// Claims a tournament for the coordinator that has locked this directory.
    ///
    /// # Errors
    /// [`ClusterError::Fenced`] if another coordinator runs it; another error if the server does not
    /// store the claim.
    pub(super) async fn claim(
        bucket: &kv::Store,
        tournament: &str,
        dir: &Path,
        seal: Arc<Seal>,
    ) -> Result<Lease, ClusterError> {
        let key = names::lease(tournament);
        let mut content = Content { epoch: 1, holder: holder(), directory: place(dir), beat: 0 };
        let mut watched: Option<(u64, tokio::time::Instant)> = None;
        let begin = tokio::time::Instant::now();
        while begin.elapsed() < PATIENCE {
            let Some((before, revision)) = read(bucket, &key, &seal).await? else {
                match bucket.create(&key, write(&content, &key, &seal).into()).await {
                    Ok(revision) => return Ok(Lease { seal, key, content, revision }),
                    // Another one was faster.
                    Err(why) if why.kind() == kv::CreateErrorKind::AlreadyExists => {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                    Err(why) => return Err(failed(why)),
                }
            };
            let Some(before) = before else {
                match bucket.update(&key, write(&content, &key, &seal).into(), revision).await {
                    Ok(revision) => return Ok(Lease { seal, key, content, revision }),
                    Err(why) if why.kind() == kv::UpdateErrorKind::WrongLastRevision => {
                        tokio::time::sleep(Duration::from_millis(100)).await;
                        continue;
                    }
                    Err(why) => return Err(failed(why)),
                }
            };
            match watched {
                _ if before.directory == content.directory => {}
                None => watched = Some((revision, tokio::time::Instant::now())),
                Some((seen, _)) if seen != revision => {
                    return Err(ClusterError::Fenced { holder: before.holder });
                }
                Some(_) => {}
            }
            let is_free = before.directory == content.directory
                || watched.is_some_and(|(_, since)| since.elapsed() >= SILENCE);
            if !is_free {
                tokio::time::sleep(Duration::from_millis(500)).await;
                continue;
            }
            content.epoch = before.epoch + 1;
            let taken = bucket.update(&key, write(&content, &key, &seal).into(), revision).await;
            match taken {
                Ok(revision) => return Ok(Lease { seal, key, content, revision }),
                Err(why)
                    if before.directory == content.directory
                        || why.kind() != kv::UpdateErrorKind::WrongLastRevision =>
                {
                    return Err(failed(why));
                }
                Err(_) => return Err(ClusterError::Fenced { holder: before.holder }),
            }
        }
        Err(ClusterError::server("claim the tournament", "others change it all the time"))
    }

    /// The number of this coordinator.
    pub(super) fn epoch(&self) -> u64 {
        self.content.epoch
    }

    /// Renews the lease.
    ///
    /// # Errors
    /// [`ClusterError::Fenced`] if another coordinator has taken over; another error if the server
    /// does not answer.
    pub(super) async fn renew(&mut self, bucket: &kv::Store) -> Result<(), ClusterError> {
        self.content.beat += 1;
        let value = write(&self.content, &self.key, &self.seal);
        if let Ok(revision) = bucket.update(&self.key, value.clone().into(), self.revision).await {
            self.revision = revision;
            return Ok(());
        }
        match read(bucket, &self.key, &self.seal).await? {
            // The server has lost its store.
            None => {
                let created = bucket.create(&self.key, value.into()).await;
                self.revision = created.map_err(failed)?;
                Ok(())
            }
            // Somebody else has written it.
            Some((None, revision)) => {
                let updated = bucket.update(&self.key, value.into(), revision).await;
                self.revision = updated.map_err(failed)?;
                Ok(())
            }
            // An earlier renewal arrived, but its answer did not.
            Some((Some(found), revision))
                if (found.epoch, &found.holder) == (self.content.epoch, &self.content.holder) =>
            {
                self.revision = revision;
                Ok(())
            }
            Some((Some(found), _)) => Err(ClusterError::Fenced { holder: found.holder }),
        }
    }
}

/// An entry with its revision; its content only if a coordinator has signed it.
async fn read(
    bucket: &kv::Store,
    key: &str,
    seal: &Seal,
) -> Result<Option<(Option<Content>, u64)>, ClusterError> {
    let entry = bucket.entry(key).await.map_err(failed)?;
    let entry = entry.filter(|entry| entry.operation == kv::Operation::Put);
    Ok(entry.map(|entry| {
        let opened = signature::open(seal.key(), &names::entry(key), &entry.value);
        let content = opened.ok().and_then(|(_, content)| messages::read(content).ok());
        (content, entry.revision)
    }))
}

fn write(content: &Content, key: &str, seal: &Seal) -> Vec<u8> {
    seal.seal(&names::entry(key), 0, messages::write(content))
}

/// This process, for messages.
fn holder() -> String {
    let host = nix::unistd::gethostname().ok().and_then(|name| name.into_string().ok());
    let host = host.map_or(String::new(), |name| format!(" on {name}"));
    let now = jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M:%S UTC");
    format!("process {}{host} since {now}", std::process::id())
}

/// The identity of a directory, which only one coordinator can have locked.
fn place(dir: &Path) -> String {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    let (device, inode) = fs::metadata(dir).map_or((0, 0), |data| (data.dev(), data.ino()));
    format!("{} {device} {inode}", boot.trim())
}
