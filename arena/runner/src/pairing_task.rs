//! The task that plays one pairing: a game, or the games of a session in turn.

use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;

use fanorona_protocol::rules::Side;
use tokio::time::sleep;

use super::event::Event;
use super::game_attempt::{AttemptOutcome, Entry, GameResources, PlayedGame, record, unplayed};
use super::shortage::{LONGEST_WAIT, pause};
use super::venue::GameSink;
use super::{Plan, RunError};
use crate::play::Game;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::game::begin::GameBegin;
use fanorona_tournament::game::termination::{Ending, GameResult, Reason};
use fanorona_tournament::pairing::ids::{EngineId, GameId, Pairing};
use fanorona_tournament::pairing::openings::{GameKind, Opening};
use fanorona_tournament::progress;
use fanorona_tournament::record::{GameRecord, VoidRecord, dialogues};

/// The number of attempts at a game that fails by the arena's own faults; then it is recorded as
/// void.
pub(super) const ATTEMPTS: u32 = 3;

/// The games of its pairing that a task has played. Every game is in the journal.
#[derive(Clone, PartialEq, Debug)]
pub struct PairingGames {
    /// Whether nothing is left to play; otherwise the task was stopped before the end.
    pub is_complete: bool,
    /// The games that it has played, in order.
    pub games: Vec<GameRecord>,
}

/// The task that plays one pairing.
pub(super) struct PairingTask {
    pub(super) resources: GameResources,
    pub(super) sink: GameSink,
    pub(super) pairing: Pairing,
    /// The opening of its game if that is known already; otherwise the task draws it.
    pub(super) opening: Option<Opening>,
    /// Options for its games alone, by engine; empty if there are none.
    pub(super) options: Vec<Vec<(String, String)>>,
}

impl PairingTask {
    /// Plays the pairing; `before` holds the results of a session's finished games.
    pub(super) async fn play(self, before: Vec<GameResult>) -> Result<PairingGames, RunError> {
        match self.pairing.kind {
            Kind::Riatra | Kind::Vela => {
                let opening = match &self.opening {
                    Some(opening) => opening.clone(),
                    None => draw_opening(&self.resources.plan, self.pairing).await,
                };
                let colour = |side| self.pairing.player(&opening.start, side);
                let players = [colour(Side::White), colour(Side::Black)];
                let game = self.game(self.pairing.game(None), players, opening).await?;
                Ok(PairingGames { is_complete: game.is_some(), games: game.into_iter().collect() })
            }
            Kind::Session => self.session(before).await,
        }
    }

    async fn session(&self, mut results: Vec<GameResult>) -> Result<PairingGames, RunError> {
        let plan = &self.resources.plan;
        let mut games = Vec::new();
        let session = |results: &[GameResult]| {
            progress::session_of(&plan.tournament, results.iter().copied())
        };
        while let Some(next) = session(&results).and_then(|session| session.next_game()) {
            if self.resources.is_stopping() {
                return Ok(PairingGames { is_complete: false, games });
            }
            let number = NonZeroU32::MIN.saturating_add(results.len() as u32);
            let kind = GameKind::from_session_game(&next);
            let opening = plan.openings.of_session_game(&self.pairing, number.get(), kind);
            let colour = |side| progress::player(&self.pairing, next.player(side));
            let players = [colour(Side::White), colour(Side::Black)];
            match self.game(self.pairing.game(Some(number)), players, opening).await? {
                Some(game) => {
                    results.push(game.result);
                    games.push(game);
                }
                None => return Ok(PairingGames { is_complete: false, games }),
            }
        }
        Ok(PairingGames { is_complete: true, games })
    }

    /// Plays one game and records it, whatever the engines do. Returns `None` if the tournament
    /// stops before the game is played.
    async fn game(
        &self,
        id: GameId,
        players: [EngineId; 2],
        opening: Opening,
    ) -> Result<Option<GameRecord>, RunError> {
        let plan = &*self.resources.plan;
        let game = plan.game(players, opening);
        let shortages = &self.resources.shortages;
        let before = shortages.begun();
        for attempt in 0..ATTEMPTS {
            let begins = GameBegin {
                id,
                pairing: self.pairing,
                players,
                start: game.start,
                book: game.book.clone(),
                attempt: attempt + 1,
            };
            self.sink.tell(Event::GameBegins(Box::new(begins)));
            let outcome = self.until_others_make_room(id, players, &game).await;
            let (why, short) = match outcome {
                Ok(AttemptOutcome::Played(mut played)) => {
                    self.keep_dialogues(id, &mut played).await;
                    return self.keep(self.record(id, players, &game, *played)).await.map(Some);
                }
                Ok(AttemptOutcome::Changed(engine, why)) => {
                    return Err(RunError::Changed { engine, why });
                }
                Ok(AttemptOutcome::Void(why)) => (why, false),
                Ok(AttemptOutcome::Short(why)) => (why, true),
                Err(panic) => (format!("the arena failed: {panic}"), false),
            };
            let void = VoidRecord { id, why: why.clone() };
            self.sink.keep_void(void).await?;
            if self.resources.is_stopping() {
                return Ok(None);
            }
            if short && attempt + 1 == ATTEMPTS && shortages.begun() == before {
                // No game has begun since the first attempt, so further games would not begin
                // either.
                return Err(RunError::Shortage(why));
            }
            if short {
                sleep(pause(attempt, plan.tournament.shortage_timeout)).await;
            }
        }
        let void = self.record(id, players, &game, never_played(&game));
        self.keep(void).await.map(Some)
    }

    /// Attempts a game. While this machine lacks a resource and other games are in progress, the
    /// game waits for one of them to end; this does not count as an attempt.
    async fn until_others_make_room(
        &self,
        id: GameId,
        players: [EngineId; 2],
        game: &Game,
    ) -> Result<AttemptOutcome, String> {
        let resources = &self.resources;
        loop {
            let entry = Entry { id, players, game, options: &self.options };
            let outcome = caught(resources.attempt(&entry)).await;
            let Ok(AttemptOutcome::Short(why)) = &outcome else { return outcome };
            if resources.shortages.note() {
                self.sink.tell(Event::Short(why.clone()));
            }
            if self.resources.is_stopping()
                || !resources.shortages.wait_for_others(LONGEST_WAIT).await
            {
                return outcome;
            }
        }
    }

    fn record(
        &self,
        id: GameId,
        players: [EngineId; 2],
        game: &Game,
        played: PlayedGame,
    ) -> GameRecord {
        let pair = id.of_session.is_none().then_some(self.pairing.pair.0);
        GameRecord { pair, ..record(&self.resources.plan, id, players, game, played) }
    }

    /// Writes what the engines and the arena said to each other, if that is kept. A game counts
    /// without it.
    async fn keep_dialogues(&self, id: GameId, game: &mut PlayedGame) {
        let Some(dir) = self.resources.plan.dialogues.clone() else { return };
        let said = game.said.each_mut().map(|said| said.dialogue.take());
        let written = tokio::task::spawn_blocking(move || {
            dialogues::write(&dir, id, &dialogues::text(&said))
        });
        if let Err(why) = written.await.expect("writing a dialogue does not panic") {
            game.played.notes.push(format!("the dialogue is not kept: {why}"));
        }
    }

    async fn keep(&self, game: GameRecord) -> Result<GameRecord, RunError> {
        self.sink.keep(vec![game.clone()]).await?;
        Ok(game)
    }
}

/// The opening of a riatra or vela pairing. Drawing a late opening first draws all earlier ones, so
/// it must not block this thread while clocks of other games run.
pub async fn draw_opening(plan: &Arc<Plan>, pairing: Pairing) -> Opening {
    let plan = plan.clone();
    let drawn = tokio::task::spawn_blocking(move || plan.openings.of_pairing(&pairing));
    drawn.await.expect("drawing an opening does not panic")
}

/// A void game, after the last attempt has failed.
fn never_played(game: &Game) -> PlayedGame {
    let ending = Ending {
        reason: Reason::Void,
        result: GameResult::Void,
        offender: None,
        other_fault: None,
        adjudicated_by: None,
        detail: format!("void {ATTEMPTS} times, by faults of the arena's machine"),
    };
    unplayed(game, ending, Vec::new(), Default::default())
}

/// The output of a future, or the message if it panics.
pub(super) async fn caught<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let mut future = pin!(future);
    let polled = std::future::poll_fn(|context| {
        // The future is dropped, so its inconsistent state is not used again.
        match catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(context))) {
            Ok(poll) => poll.map(Ok),
            Err(panic) => std::task::Poll::Ready(Err(panic)),
        }
    });
    polled.await.map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or("a panic".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_answer() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            assert_eq!(caught(async { 5 }).await, Ok(5));
            let number = 7;
            let broken = caught(async {
                tokio::task::yield_now().await;
                assert!(number < 0, "number is {number}");
            });
            assert_eq!(broken.await, Err("number is 7".to_owned()));
        });
    }
}
