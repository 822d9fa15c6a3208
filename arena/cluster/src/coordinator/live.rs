//! Shows the games that workers play to the spectators of the coordinator.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::Message;
use fanorona_protocol::rules::{Move, Position, Side};
use futures_util::StreamExt;
use tokio::time::{Instant, MissedTickBehavior, interval};

use super::super::messages::{self, Control, LiveMessage};
use super::super::names;
use super::Shared;
use fanorona_runner::live::{LiveGames, Seat};
use fanorona_tournament::pairing::ids::GameId;

/// The interval in which workers are asked for moves while somebody watches; they stop when they are
/// not asked any more.
const ASK: Duration = Duration::from_secs(2);

/// A game without news for this long is not shown any more: its worker is gone.
const STALE: Duration = Duration::from_secs(90);

/// The most games shown at once.
const MAX_GAMES: usize = 4096;

/// A game on the screens.
struct Shown {
    seat: Seat,
    /// The position after the moves so far.
    position: Position,
    moves: usize,
    scores: usize,
    thinking: Option<(usize, Side)>,
    info: [String; 2],
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
            if let Ok(mut states) = self.client.subscribe(names::all_live(&self.id)).await {
                loop {
                    tokio::select! {
                        _ = asking.tick() => {
                            // Without spectators nothing travels.
                            if live.is_watched(ASK) {
                                self.control(Control::Live).await;
                            }
                            shown.retain(|_, game| game.heard.elapsed() < STALE);
                        }
                        state = states.next() => match state {
                            None => break,
                            // A state that makes no sense is not shown; it decides nothing.
                            Some(state) => {
                                if let Some(state) = self.read_live(&state) {
                                    let _ = self.show(&live, &mut shown, state);
                                }
                            }
                        },
                    }
                }
            }
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    }

    /// Reads a live state that its worker has signed.
    fn read_live(&self, message: &Message) -> Option<LiveMessage> {
        let worker = names::worker_of_live(&message.subject)?;
        let state = self.open_new(worker, &message.subject, &message.payload)?;
        let state = messages::read(state);
        state.inspect_err(|why| self.drop_message(worker, &message.subject, why)).ok()
    }

    /// Shows the state of a game; `None` if it makes no sense.
    fn show(
        &self,
        live: &Arc<LiveGames>,
        shown: &mut BTreeMap<GameId, Shown>,
        state: LiveMessage,
    ) -> Option<()> {
        let id: GameId = state.game.parse().ok()?;
        if state.over {
            shown.remove(&id);
            return Some(());
        }
        let rules = &self.plan.tournament.rules;
        let moves: Vec<&str> = state.moves.split(' ').filter(|mv| !mv.is_empty()).collect();
        // Another worker may play the game again from the beginning.
        if shown.get(&id).is_some_and(|game| game.moves > moves.len()) {
            shown.remove(&id);
        }
        if !shown.contains_key(&id) {
            let names = self.plan.tournament.names();
            let known: Vec<&str> =
                names.filter(|name| state.players.iter().any(|it| it == name)).collect();
            if shown.len() >= MAX_GAMES || known.len() != 2 {
                return None;
            }
            let start: Position = state.start.parse().ok()?;
            let book: Option<Vec<Move>> =
                moves.iter().take(state.book).map(|mv| mv.parse().ok()).collect();
            let book = book.filter(|book| book.len() == state.book)?;
            let seat = live.begin(id, state.players.clone(), start, &book);
            let game = Shown {
                seat,
                position: start,
                moves: 0,
                scores: 0,
                thinking: None,
                info: Default::default(),
                heard: Instant::now(),
            };
            shown.insert(id, game);
        }
        let game = shown.get_mut(&id)?;
        game.heard = Instant::now();
        for mv in &moves[game.moves..] {
            let mv: Move = mv.parse().ok()?;
            let next = game.position.play(rules, &mv).ok()?;
            game.seat.moved(&game.position, mv);
            game.position = next;
            game.moves += 1;
        }
        for score in state.scores.iter().skip(game.scores).take(moves.len()) {
            game.seat.scored(score.clone());
        }
        game.scores = state.scores.len();
        let side = match state.thinking {
            Some('w') => Some(Side::White),
            Some('b') => Some(Side::Black),
            _ => None,
        };
        if let Some(side) = side.filter(|&side| game.thinking != Some((game.moves, side))) {
            game.thinking = Some((game.moves, side));
            game.seat.thinks(side, state.clocks_ms.map(|ms| ms.map(Duration::from_millis)));
        }
        for (side, line) in [Side::White, Side::Black].into_iter().zip(state.info) {
            if game.info[side as usize] != line {
                game.seat.heard(side, &line);
                game.info[side as usize] = line;
            }
        }
        Some(())
    }
}
