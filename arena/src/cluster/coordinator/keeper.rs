//! Keeps the tournament on the server: the lease, the streams, and the jobs in flight. All of it may
//! vanish when the server loses its store.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::{ClusterError, names, store};
use super::lease::Lease;
use super::{Shared, lock};

/// The interval of the checks.
const TICK: Duration = Duration::from_secs(2);

/// Jobs that have been open for this long are published again, in case that the server has lost
/// them.
const AGE: Duration = Duration::from_secs(30);

impl Shared {
    /// Keeps the tournament on the server as long as it runs.
    pub(super) async fn keep_up(self: Arc<Shared>, mut lease: Lease) {
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut answered = Instant::now();
        let mut published = Instant::now();
        let mut is_silent = false;
        let mut store: Option<i128> = None;
        loop {
            ticks.tick().await;
            for name in lock(&self.workers).forget_silent() {
                self.warn(format!("worker {name} is silent; others get its games"));
            }
            match self.look_after(&mut lease).await {
                Ok(created) => {
                    answered = Instant::now();
                    if std::mem::take(&mut is_silent) {
                        self.note("the NATS server answers again");
                    }
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
                    if !std::mem::replace(&mut is_silent, true) {
                        let patience = self.settings.patience.as_secs();
                        self.warn(format!("{why}; waiting for the server for {patience} s"));
                    }
                }
            }
        }
    }

    /// Renews the lease and sets up what is missing. Returns when the stream of jobs was created.
    async fn look_after(&self, lease: &mut Lease) -> Result<i128, ClusterError> {
        let bucket = store::set_up(&self.context).await?;
        lease.renew(&bucket).await?;
        self.set_up(&bucket).await?;
        let stream = self.context.get_stream(names::JOBS).await;
        let stream = stream.map_err(|why| ClusterError::server("look at the jobs", why))?;
        Ok(stream.cached_info().created.unix_timestamp_nanos())
    }
}
