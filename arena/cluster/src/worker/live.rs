//! Publishes the boards of games in progress, while a coordinator asks for them.

use fanorona_tournament::mutex::lock;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::messages;
use super::super::names;
use super::WorkerSession;
use fanorona_runner::live::{BOARD_INTERVAL, Watcher};

/// A request for boards holds for this long; the coordinator repeats it while someone watches.
const ASKED: Duration = Duration::from_secs(15);

impl WorkerSession {
    /// Shows the games in progress from now on.
    pub(super) fn show(&self) {
        let mut until = lock(&self.live_until);
        *until = Some(Instant::now() + ASKED);
    }

    fn is_shown(&self) -> bool {
        let until = lock(&self.live_until);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Publishes the games in progress as long as they are asked for. An event can be lost, so each
    /// brings the whole state of its game.
    pub(super) async fn publish_live(self: Arc<WorkerSession>) {
        let Some(live) = self.plan.live.clone() else { return };
        let mut ticks = interval(BOARD_INTERVAL);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut watcher = Watcher::whole();
        loop {
            ticks.tick().await;
            if !self.is_shown() {
                watcher = Watcher::whole();
                continue;
            }
            for event in watcher.look(&live) {
                let game = event.game().to_string();
                let subject = names::live(&self.info.id, &self.worker.name, &game);
                let message = messages::write(&event);
                let message = self.worker.seal.seal(&subject, self.session(), message);
                let _ = self.worker.client.publish(subject, message.into()).await;
            }
        }
    }
}
