//! Whoever plays one pairing: its game, or game after game of its session.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fanorona_protocol::rules::Side;
use tokio::sync::mpsc;

use super::keeper::{Keeper, Kept, Notice};
use super::pool::Pool;
use super::{Begins, Plan};
use crate::course;
use crate::ending::{Ending, Fault, GameResult, Reason};
use crate::engine::Engine;
use crate::host::{self, Host};
use crate::kind::Kind;
use crate::openings::{GameKind, Opening};
use crate::play::{self, Attempt, Game, Oracle, Played};
use crate::record::{GameRecord, StorageError, VoidRecord};
use crate::schedule::{EngineId, GameId, Pairing};
use crate::seeds;

/// How often a game is tried that the arena's own faults bring to nothing; then it is recorded as
/// void.
pub(super) const ATTEMPTS: u32 = 3;

/// What all workers of a tournament share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) plan: Arc<Plan>,
    pub(super) pool: Arc<Pool>,
    pub(super) keeper: Keeper,
    /// The way to whoever watches.
    pub(super) notices: mpsc::UnboundedSender<Notice>,
    pub(super) host: Arc<Host>,
    /// Attempts at games that were void before this run.
    pub(super) voids: Arc<HashMap<GameId, u32>>,
    /// Set when no further game is to begin.
    pub(super) stopping: Arc<AtomicBool>,
}

impl Shared {
    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// Whether a worker has played all of its pairing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Left {
    /// There is nothing left to play.
    Nothing,
    /// It was to stop before.
    Games,
}

/// Whoever plays one pairing.
pub(super) struct Worker {
    pub(super) shared: Shared,
    pub(super) pairing: Pairing,
}

impl Worker {
    /// Plays the pairing; of a session what follows on the results it has already.
    pub(super) async fn play(self, before: Vec<GameResult>) -> Result<Left, StorageError> {
        match self.pairing.kind {
            Kind::Riatra | Kind::Vela => {
                // Far into a tournament every opening before it is drawn first, while clocks of other
                // games run.
                let (plan, pairing) = (self.shared.plan.clone(), self.pairing);
                let drawn = tokio::task::spawn_blocking(move || plan.openings.of_pairing(&pairing));
                let opening = drawn.await.expect("an opening is drawn whatever there is");
                let colour = |side| self.pairing.player(&opening.start, side);
                let players = [colour(Side::White), colour(Side::Black)];
                let game = self.game(self.pairing.game(None), players, opening).await?;
                Ok(if game.is_some() { Left::Nothing } else { Left::Games })
            }
            Kind::Session => self.session(before).await,
        }
    }

    async fn session(&self, mut results: Vec<GameResult>) -> Result<Left, StorageError> {
        let Shared { plan, .. } = &self.shared;
        let session =
            |results: &[GameResult]| course::session_of(&plan.tournament, results.iter().copied());
        while let Some(next) = session(&results).and_then(|session| session.next()) {
            if self.shared.is_stopping() {
                return Ok(Left::Games);
            }
            let number = NonZeroU32::MIN.saturating_add(results.len() as u32);
            let kind = GameKind::of_session_game(&next);
            let opening = plan.openings.of_session_game(&self.pairing, number.get(), kind);
            let colour = |side| course::player(&self.pairing, next.player(side));
            let players = [colour(Side::White), colour(Side::Black)];
            match self.game(self.pairing.game(Some(number)), players, opening).await? {
                Some(game) => results.push(game.result),
                None => return Ok(Left::Games),
            }
        }
        Ok(Left::Nothing)
    }

    /// Plays one game, whatever the engines do, and has it kept; `None` where the tournament is to
    /// stop and the game is still to be played.
    async fn game(
        &self,
        id: GameId,
        players: [EngineId; 2],
        opening: Opening,
    ) -> Result<Option<GameRecord>, StorageError> {
        let plan = &*self.shared.plan;
        let game = Game {
            rules: plan.tournament.rules,
            start: opening.start,
            book: opening.book,
            limits: players.map(|player| plan.tournament.limit_of(plan.engine(player))),
            margin: plan.tournament.margin,
            adjudication: plan.tournament.adjudication.scores,
        };
        let before = self.shared.voids.get(&id).copied().unwrap_or_default();
        for attempt in before..ATTEMPTS {
            let begins = Begins {
                id,
                pairing: self.pairing,
                players,
                start: game.start,
                book: game.book.clone(),
                attempt: attempt + 1,
            };
            // Nobody looks at notices any more once the tournament is over.
            let _ = self.shared.notices.send(Notice::Begins(Box::new(begins)));
            let attempt = caught(self.attempt(id, players, &game)).await;
            let why = match attempt {
                Ok(Attempt::Played(played)) => {
                    return self.keep(self.record(id, players, &game, *played)).await.map(Some);
                }
                Ok(Attempt::Void(why)) => why,
                Err(panic) => format!("the arena failed: {panic}"),
            };
            self.shared.keeper.keep(Kept::Void(VoidRecord { id, why })).await?;
            if self.shared.is_stopping() {
                return Ok(None);
            }
        }
        let void = self.record(id, players, &game, never_played(&game));
        self.keep(void).await.map(Some)
    }

    async fn keep(&self, game: GameRecord) -> Result<GameRecord, StorageError> {
        self.shared.keeper.keep(Kept::Game(Box::new(game.clone()))).await?;
        Ok(game)
    }

    /// Tries to play a game once.
    async fn attempt(&self, id: GameId, players: [EngineId; 2], game: &Game) -> Attempt {
        let [white, black] = players;
        let (white, black) = tokio::join!(self.ready(id, white), self.ready(id, black));
        match (white, black) {
            (Ok((mut white, of_white)), Ok((mut black, of_black))) => {
                let mut oracle = self.oracle(id).await;
                let engines = [&mut white, &mut black];
                let mut attempt =
                    play::play(game, engines, oracle.as_mut(), &self.shared.host).await;
                if let Attempt::Played(played) = &mut attempt {
                    played.ready = [of_white, of_black];
                }
                if let Some(engine) = oracle.and_then(|oracle| oracle.engine) {
                    self.part(self.shared.plan.oracle(), engine, true).await;
                }
                for (side, engine) in [(Side::White, white), (Side::Black, black)] {
                    let well = match &attempt {
                        Attempt::Played(played) => played.ending.offender != Some(side),
                        // In the middle of a search, perhaps.
                        Attempt::Void(_) => false,
                    };
                    self.part(players[side as usize], engine, well).await;
                }
                attempt
            }
            // Both are blamed. Where the arena was short of something, neither is.
            (Err(Unready::Fault(white, why, transcript)), Err(Unready::Fault(black, other, _))) => {
                let [first, second] = players.map(|id| &self.shared.plan.launches[id.0].name);
                let detail = format!("{first}: {why}; {second}: {other}");
                let played = unplayed(game, Ending::by_both([white, black], detail));
                Attempt::Played(Box::new(Played { transcript, ..played }))
            }
            (Err(unready @ Unready::Fault(..)), Err(Unready::Ours(why))) => {
                drop(unready);
                Attempt::Void(why)
            }
            (Err(unready), other) => {
                if let Ok((engine, _)) = other {
                    self.part(players[1], engine, true).await;
                }
                unready.attempt(game, Side::White)
            }
            (Ok((engine, _)), Err(unready)) => {
                self.part(players[0], engine, true).await;
                unready.attempt(game, Side::Black)
            }
        }
    }

    /// The oracle, if the tournament has one. It is no part of the game: one that does not come up
    /// again is done without.
    async fn oracle(&self, id: GameId) -> Option<Oracle> {
        let plan = &self.shared.plan;
        let config = plan.tournament.adjudication.oracle.as_ref()?;
        let (engine, _) = self.ready(id, plan.oracle()).await.ok()?;
        Some(Oracle { name: config.name.clone(), engine: Some(engine) })
    }

    /// An engine that is ready for a new game, and how long it took to get ready; or why there is
    /// none.
    async fn ready(&self, id: GameId, player: EngineId) -> Result<(Engine, Duration), Unready> {
        let Shared { plan, pool, host, .. } = &self.shared;
        let begin = host.look();
        let ours = || host.lost_since(begin).is_some_and(|stall| stall.longest >= host::LONG);
        let mut engine = match pool.take(plan, player).await {
            Ok(engine) => engine,
            Err(why) if why.is_ours() || ours() => return Err(Unready::Ours(why.to_string())),
            Err(why) => {
                return Err(Unready::Fault(Fault::Start, why.to_string(), Vec::new()));
            }
        };
        let seed = seeds::engine_seed(plan.tournament.seed, id, &plan.launches[player.0].name);
        match engine.new_game(seed).await {
            Ok(time) => Ok((engine, time)),
            Err(failure) => {
                let transcript = engine.transcript();
                engine.kill().await;
                let why = failure.to_string();
                let waited = failure.fault == Fault::Stall;
                Err(if waited && ours() {
                    Unready::Ours(why)
                } else {
                    Unready::Fault(failure.fault, why, transcript)
                })
            }
        }
    }

    /// Takes leave of an engine after a game: one that was at fault is killed and started afresh
    /// when it is next needed.
    async fn part(&self, player: EngineId, engine: Engine, well: bool) {
        if well {
            self.shared.pool.give_back(&self.shared.plan, player, engine).await;
        } else {
            engine.kill().await;
        }
    }

    fn record(
        &self,
        id: GameId,
        players: [EngineId; 2],
        game: &Game,
        played: Played,
    ) -> GameRecord {
        let [white, black] = players.map(|player| self.shared.plan.engine(player).name.clone());
        let in_session = id.of_session.is_some();
        let vela = game.start.debtor().is_some();
        let milliseconds = |time: Duration| time.as_millis() as u64;
        GameRecord {
            id,
            pair: (!in_session).then_some(self.pairing.pair.0),
            kind: if vela { Kind::Vela } else { Kind::Riatra },
            white,
            black,
            result: played.ending.result,
            reason: played.ending.reason,
            offender: played.ending.offender.map(Side::letter),
            other_fault: played.ending.other_fault,
            adjudicated_by: played.ending.adjudicated_by,
            detail: played.ending.detail,
            start: game.start.to_string(),
            turns: played.turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            book: game.book.len() as u32,
            white_ms: milliseconds(played.thought[0]),
            black_ms: milliseconds(played.thought[1]),
            idle_cpu_ms: played.idle_cpu.map(milliseconds),
            ready_ms: played.ready.map(milliseconds),
            times: played.times.into_iter().map(milliseconds).collect(),
            scores: played.scores,
            transcript: played.transcript,
            notes: played.notes,
        }
    }
}

/// Why an engine is not ready for a game.
enum Unready {
    /// It is at fault: of what, what happened, and the last lines between it and the arena.
    Fault(Fault, String, Vec<String>),
    /// This machine is: there is no memory for another process, or it stood still meanwhile.
    Ours(String),
}

impl Unready {
    fn attempt(self, game: &Game, side: Side) -> Attempt {
        match self {
            Unready::Fault(fault, why, transcript) => {
                let played = unplayed(game, Ending::by_fault(fault, side, why));
                Attempt::Played(Box::new(Played { transcript, ..played }))
            }
            Unready::Ours(why) => Attempt::Void(why),
        }
    }
}

/// A game that ends before anybody is asked.
fn unplayed(game: &Game, ending: Ending) -> Played {
    Played {
        ending,
        turns: game.book.clone(),
        times: Vec::new(),
        scores: Vec::new(),
        thought: [Duration::ZERO; 2],
        idle_cpu: [Duration::ZERO; 2],
        ready: [Duration::ZERO; 2],
        transcript: Vec::new(),
        notes: Vec::new(),
    }
}

/// A game that the arena has failed to play as often as it tries.
fn never_played(game: &Game) -> Played {
    unplayed(
        game,
        Ending {
            reason: Reason::Void,
            result: GameResult::Void,
            offender: None,
            other_fault: None,
            adjudicated_by: None,
            detail: format!("void {ATTEMPTS} times, by faults of the arena's machine"),
        },
    )
}

/// What a future comes to, or the message of the panic it ends in.
async fn caught<T>(future: impl Future<Output = T>) -> Result<T, String> {
    let mut future = pin!(future);
    let polled = std::future::poll_fn(|context| {
        // Whatever the panic has left half done goes with the future.
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
