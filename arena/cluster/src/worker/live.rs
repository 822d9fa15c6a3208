//! Publishes the moves of games in progress, while a coordinator asks for them.

use fanorona_tournament::mutex::lock;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::rules::{Move, Side};
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::messages::{self, LiveMessage};
use super::super::names;
use super::Serving;
use fanorona_runner::live::{LiveGame, TICK};
use fanorona_tournament::pairing::ids::GameId;

/// A request for moves holds for this long; the coordinator repeats it while someone watches.
const ASKED: Duration = Duration::from_secs(15);

impl Serving {
    /// Shows the games in progress from now on.
    pub(super) fn show(&self) {
        let mut until = lock(&self.live_until);
        *until = Some(Instant::now() + ASKED);
    }

    fn is_shown(&self) -> bool {
        let until = lock(&self.live_until);
        until.is_some_and(|until| Instant::now() < until)
    }

    /// Publishes the games in progress as long as they are asked for.
    pub(super) async fn publish_live(self: Arc<Serving>) {
        let Some(live) = self.plan.live.clone() else { return };
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut shown: BTreeMap<GameId, (u64, Arc<LiveGame>)> = BTreeMap::new();
        loop {
            ticks.tick().await;
            if !self.is_shown() {
                shown.clear();
                continue;
            }
            let games = live.games();
            for game in &games {
                let version = game.version();
                let before = shown.insert(game.id, (version, game.clone()));
                if before.is_none_or(|(before, _)| before != version) {
                    self.publish_game(game, false).await;
                }
            }
            let is_over = |id: &GameId| games.iter().all(|game| game.id != *id);
            let over: Vec<GameId> = shown.keys().copied().filter(is_over).collect();
            for id in over {
                if let Some((_, game)) = shown.remove(&id) {
                    self.publish_game(&game, true).await;
                }
            }
        }
    }

    async fn publish_game(&self, game: &LiveGame, over: bool) {
        let state = game.state();
        let milliseconds = |time: Duration| time.as_millis() as u64;
        let moves: Vec<String> = state.moves.iter().map(Move::to_string).collect();
        let message = LiveMessage {
            game: game.id.to_string(),
            players: game.players.clone(),
            start: game.start.to_string(),
            book: game.book,
            moves: moves.join(" "),
            scores: state.scores,
            thinking: state.thinking.map(Side::letter),
            thinking_ms: milliseconds(state.since.elapsed()),
            clocks_ms: state.clocks.map(|clock| clock.map(milliseconds)),
            info: state.info,
            over,
        };
        let subject = names::live(&self.info.id, &self.worker.name, &message.game);
        let message = messages::write(&message);
        let message = self.worker.seal.seal(&subject, self.session(), message);
        // A lost state is followed by the next one.
        let _ = self.worker.client.publish(subject, message.into()).await;
    }
}
