//! Plays a single game outside a tournament: nothing is recorded in a journal.

use std::sync::Arc;

use tokio::time::{MissedTickBehavior, interval};

use super::game_attempt::{AttemptOutcome, Entry, GameResources, record};
use super::pairing_task::caught;
use super::{Plan, Pool};
use crate::play::Game;
use fanorona_engine::stall;
use fanorona_tournament::game::dialogue::Dialogue;
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::record::GameRecord;

/// A game that was played outside a tournament.
#[derive(Debug)]
pub struct SingleGame {
    /// Its record, without a pair.
    pub record: GameRecord,
    /// The dialogues of White and Black, if the plan keeps them.
    pub dialogues: [Option<Dialogue>; 2],
}

/// Plays a game with the seeds of its id, between these engines of the plan. `options` are for this
/// game alone, by engine.
///
/// # Errors
/// Returns the reason if the game is void.
pub async fn play_again(
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    id: GameId,
    players: [EngineId; 2],
    game: &Game,
    options: &[Vec<(String, String)>],
) -> Result<SingleGame, String> {
    let resources = GameResources::new(plan, pool);
    let entry = Entry { id, players, game, options };
    let mut pulse = interval(stall::TICK);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let playing = once(&resources, &entry);
    tokio::pin!(playing);
    loop {
        tokio::select! {
            played = &mut playing => return played,
            _ = pulse.tick() => resources.stalls.tick(),
        }
    }
}

/// Plays a game once. Nothing is recorded.
///
/// # Errors
/// Returns the reason if the game is void.
pub(super) async fn once(
    resources: &GameResources,
    entry: &Entry<'_>,
) -> Result<SingleGame, String> {
    match caught(resources.attempt(entry)).await? {
        AttemptOutcome::Played(mut played) => {
            let dialogues = played.said.each_mut().map(|said| said.dialogue.take());
            let record = record(&resources.plan, entry.id, entry.players, entry.game, *played);
            Ok(SingleGame { record, dialogues })
        }
        AttemptOutcome::Void(why) | AttemptOutcome::Short(why) => Err(why),
        AttemptOutcome::Changed(engine, why) => Err(format!("engine `{engine}`: {why}")),
    }
}
