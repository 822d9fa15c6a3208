//! Keeps the tournament on the server: the lease, the streams, and the jobs in flight. All of it may
//! vanish when the server loses its store.

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::{ClusterError, names, store};
use super::lease::Lease;
use super::{Note, Shared, lock};

/// The interval of the checks.
const CHECK_INTERVAL: Duration = Duration::from_secs(2);

/// The interval in which the connection is looked at.
const LOOK: Duration = Duration::from_millis(200);

/// Jobs that have been open for this long are published again, in case that the server has lost
/// them.
const AGE: Duration = Duration::from_secs(30);

impl Shared {
    /// Keeps the tournament on the server as long as it runs.
    pub(super) async fn renew_until_end(self: Arc<Shared>, mut lease: Lease) {
        let mut ticks = interval(CHECK_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut answered = Instant::now();
        let mut published = Instant::now();
        let mut store: Option<i128> = None;
        loop {
            ticks.tick().await;
            for name in lock(&self.workers).forget_silent() {
                self.warn(format!("worker {name} is silent; others get its games"));
            }
            let asked = Instant::now();
            match self.check_server(&mut lease).await {
                Ok(created) => {
                    answered = Instant::now();
                    self.found_server(asked);
                    let is_new = store.replace(created).is_some_and(|before| before != created);
                    if is_new {
                        self.note(
                            "the NATS server has lost its store: all jobs are published again",
                        );
                    }
                    if is_new || published.elapsed() >= AGE {
                        published = Instant::now();
                        self.publish_again((!is_new).then_some(AGE)).await;
                    }
                }
                Err(why @ ClusterError::Fenced { .. }) => return self.fail(why),
                Err(why) => {
                    let silence = answered.elapsed();
                    if silence >= self.settings.patience {
                        return self.fail(ClusterError::Silent(silence.as_secs()));
                    }
                    self.lost_server(&why.to_string());
                }
            }
        }
    }

    /// Watches the connection to the server: its end is known at once, and a silence only later.
    pub(super) async fn watch_connection(self: Arc<Shared>) {
        let mut looks = interval(LOOK);
        looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            looks.tick().await;
            if self.client.connection_state() == State::Disconnected {
                self.lost_server("the connection is broken");
            }
        }
    }

    /// Says that the server is lost, once until it is back.
    fn lost_server(&self, why: &str) {
        let mut lost = lock(&self.lost);
        if lost.is_none() {
            *lost = Some(Instant::now());
            let patience = self.settings.patience;
            let _ = self.notes.send(Note::Lost { why: why.to_owned(), patience });
        }
    }

    /// Says that the server is back, if it has answered something that was asked after the loss.
    fn found_server(&self, asked: Instant) {
        let mut lost = lock(&self.lost);
        if let Some(since) = lost.take_if(|since| *since < asked) {
            let _ = self.notes.send(Note::Back(since.elapsed()));
        }
    }

    /// Renews the lease and sets up what is missing. Returns when the stream of jobs was created.
    async fn check_server(&self, lease: &mut Lease) -> Result<i128, ClusterError> {
        let bucket = store::set_up(&self.context).await?;
        lease.renew(&bucket).await?;
        self.set_up(&bucket).await?;
        let stream = self.context.get_stream(names::JOBS).await;
        let stream = stream.map_err(|why| ClusterError::server("look at the jobs", why))?;
        Ok(stream.cached_info().created.unix_timestamp_nanos())
    }
}
