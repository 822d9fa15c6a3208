//! Shows the games that workers play to the spectators of the coordinator.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Message;
use fanorona_protocol::rules::{Move, Position, Ruleset};
use futures_util::StreamExt;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::messages::{self, Control};
use super::super::names;
use super::Shared;
use fanorona_runner::live::{BoardEvent, GameView, LiveGames};
use fanorona_tournament::pairing::ids::GameId;

/// The interval in which workers are asked for moves while somebody watches; they stop when they are
/// not asked any more.
const ASK: Duration = Duration::from_secs(2);

/// A game without news for this long is not shown any more: its worker is gone.
const STALE: Duration = Duration::from_secs(90);

/// The most games shown at once.
const MAX_GAMES: usize = 4096;

/// A game on the boards, as far as its moves are known to be legal.
struct Shown {
    /// The position after the moves so far.
    position: Position,
    moves: Vec<Move>,
    /// The number of them that belong to the first phase of a vela.
    phase_one: usize,
    heard: Instant,
}

impl Shared {
    /// Shows games as long as the tournament runs.
    pub(super) async fn show_live(self: Arc<Shared>) {
        let Some(live) = self.plan.live.clone() else { return };
        let mut asking = interval(ASK);
        asking.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let mut shown: BTreeMap<GameId, Shown> = BTreeMap::new();
            live.clear();
            if let Ok(mut messages) = self.client.subscribe(names::all_live(&self.id)).await {
                loop {
                    tokio::select! {
                        _ = asking.tick() => {
                            // Without spectators nothing travels.
                            if live.is_watched(ASK) {
                                self.control(Control::Live).await;
                            }
                            shown.retain(|id, game| {
                                let is_fresh = game.heard.elapsed() < STALE;
                                if !is_fresh {
                                    live.apply(BoardEvent::interrupted(*id));
                                }
                                is_fresh
                            });
                        }
                        message = messages.next() => match message {
                            None => break,
                            // An event that makes no sense is not shown; it decides nothing.
                            Some(message) => {
                                if let Some(event) = self.read_live(&message) {
                                    let _ = self.show(&live, &mut shown, event);
                                }
                            }
                        },
                    }
                }
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Reads an event that its worker has signed.
    fn read_live(&self, message: &Message) -> Option<BoardEvent> {
        let worker = names::worker_of_live(&message.subject)?;
        let event = self.open_new(worker, &message.subject, &message.payload)?;
        let event = messages::read(event);
        event.inspect_err(|why| self.drop_message(worker, &message.subject, why)).ok()
    }

    /// Shows an event on the boards; `None` if it makes no sense.
    fn show(
        &self,
        live: &LiveGames,
        shown: &mut BTreeMap<GameId, Shown>,
        event: BoardEvent,
    ) -> Option<()> {
        let id = event.game();
        match event {
            BoardEvent::Begin(view) => {
                let names = [&view.white, &view.black];
                let tournament = &self.plan.tournament;
                let is_engine = |name: &String| tournament.names().any(|known| known == name);
                let is_new = !shown.contains_key(&id);
                if (is_new && shown.len() >= MAX_GAMES) || !names.into_iter().all(is_engine) {
                    return None;
                }
                let known = shown.remove(&id).filter(|game| view.moves.starts_with(&game.moves));
                let mut game = known.unwrap_or_else(|| Shown::new(&view));
                game.follow(&view, &tournament.rules)?;
                let single = game.phase_one;
                shown.insert(id, game);
                live.apply(BoardEvent::Begin(Box::new(GameView { single, ..*view })));
            }
            // Workers send whole states.
            BoardEvent::Game(_) => return None,
            BoardEvent::End(end) => {
                shown.remove(&id);
                live.apply(BoardEvent::End(end));
            }
        }
        Some(())
    }
}

impl Shown {
    fn new(view: &GameView) -> Shown {
        Shown { position: view.start, moves: Vec::new(), phase_one: 0, heard: Instant::now() }
    }

    /// Plays the moves that are new in a view; `None` if they are illegal.
    fn follow(&mut self, view: &GameView, rules: &Ruleset) -> Option<()> {
        for mv in &view.moves[self.moves.len()..] {
            self.phase_one += usize::from(self.position.is_vela_phase_one());
            self.position = self.position.play(rules, mv).ok()?;
            self.moves.push(*mv);
        }
        self.heard = Instant::now();
        let fits = view.book <= view.moves.len() && view.scores.len() <= view.moves.len();
        fits.then_some(())
    }
}
