//! The task that plays one pairing: a game, or the games of a session in turn.

use std::num::NonZeroU32;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fanorona_protocol::rules::Side;
use tokio::sync::mpsc;
use tokio::time::sleep;

use super::event::Event;
use super::journal_writer::{JournalEntry, JournalWriter};
use super::pool::Pool;
use super::shortage::{LONGEST_WAIT, Shortages, pause};
use super::{GameBegin, Plan, RunError};
use crate::engine::fault::Fault;
use crate::engine::stall::{self, StallMonitor};
use crate::engine::{Changed, Engine, StartError};
use crate::game::play::{self, Attempt, Game, GameOracle, Played};
use crate::game::search_note::SearchNote;
use crate::game::termination::{Ending, GameResult, Reason};
use crate::pairing::ids::{EngineId, GameId, Pairing};
use crate::pairing::openings::{GameKind, Opening};
use crate::pairing::seeds;
use crate::ratings::kind::Kind;
use crate::record::{GameRecord, VoidRecord};
use crate::tournament::progress;

/// The number of attempts at a game that fails by the arena's own faults; then it is recorded as
/// void.
pub(super) const ATTEMPTS: u32 = 3;

/// State shared by all pairing tasks of a tournament.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) plan: Arc<Plan>,
    pub(super) pool: Arc<Pool>,
    pub(super) writer: JournalWriter,
    /// The channel to the observer.
    pub(super) events: mpsc::UnboundedSender<Event>,
    pub(super) stalls: Arc<StallMonitor>,
    /// Set if no further game may begin.
    pub(super) stopping: Arc<AtomicBool>,
    pub(super) shortages: Arc<Shortages>,
}

impl Shared {
    fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// What a task has played of its pairing. Every game is in the journal.
#[derive(Clone, PartialEq, Debug)]
pub struct PairingGames {
    /// Whether nothing is left to play; otherwise the task was stopped before the end.
    pub is_complete: bool,
    /// The games that it has played, in order.
    pub games: Vec<GameRecord>,
}

/// The task that plays one pairing.
pub(super) struct PairingTask {
    pub(super) shared: Shared,
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
                    None => draw_opening(&self.shared.plan, self.pairing).await,
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
        let Shared { plan, .. } = &self.shared;
        let mut games = Vec::new();
        let session = |results: &[GameResult]| {
            progress::session_of(&plan.tournament, results.iter().copied())
        };
        while let Some(next) = session(&results).and_then(|session| session.next_game()) {
            if self.shared.is_stopping() {
                return Ok(PairingGames { is_complete: false, games });
            }
            let number = NonZeroU32::MIN.saturating_add(results.len() as u32);
            let kind = GameKind::of_session_game(&next);
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
        let plan = &*self.shared.plan;
        let game = Game {
            rules: plan.tournament.rules,
            start: opening.start,
            book: opening.book,
            limits: players.map(|player| plan.limit_of(player)),
            margin: plan.tournament.margin,
            adjudication: plan.tournament.adjudication.scores,
        };
        let Shared { shortages, .. } = &self.shared;
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
            // After the end of the tournament nobody receives events.
            let _ = self.shared.events.send(Event::GameBegins(Box::new(begins)));
            let tried = self.until_others_make_room(id, players, &game).await;
            let (why, short) = match tried {
                Ok(Tried::Played(played)) => {
                    return self.keep(self.record(id, players, &game, *played)).await.map(Some);
                }
                Ok(Tried::Changed(engine, why)) => return Err(RunError::Changed { engine, why }),
                Ok(Tried::Void(why)) => (why, false),
                Ok(Tried::Short(why)) => (why, true),
                Err(panic) => (format!("the arena failed: {panic}"), false),
            };
            let void = VoidRecord { id, why: why.clone() };
            self.shared.writer.keep(JournalEntry::Void(void)).await?;
            if self.shared.is_stopping() {
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
    ) -> Result<Tried, String> {
        let Shared { shortages, events, .. } = &self.shared;
        loop {
            let tried = caught(self.attempt(id, players, game)).await;
            let Ok(Tried::Short(why)) = &tried else { return tried };
            if shortages.note() {
                let _ = events.send(Event::Short(why.clone()));
            }
            if self.shared.is_stopping() || !shortages.wait_for_others(LONGEST_WAIT).await {
                return tried;
            }
        }
    }

    async fn keep(&self, game: GameRecord) -> Result<GameRecord, RunError> {
        self.shared.writer.keep(JournalEntry::Game(Box::new(game.clone()))).await?;
        Ok(game)
    }

    /// Attempts a game once.
    async fn attempt(&self, id: GameId, players: [EngineId; 2], game: &Game) -> Tried {
        let [white, black] = players;
        let starting = self.shared.shortages.start().await;
        let (white, black) = tokio::join!(self.ready(id, white), self.ready(id, black));
        let playing = (white.is_ok() && black.is_ok()).then(|| self.shared.shortages.begin());
        drop(starting);
        let tried = self.play_game(id, players, game, white, black).await;
        drop(playing);
        tried
    }

    /// Plays a game if its engines are ready.
    async fn play_game(
        &self,
        id: GameId,
        players: [EngineId; 2],
        game: &Game,
        white: Result<(Engine, Duration), Unready>,
        black: Result<(Engine, Duration), Unready>,
    ) -> Tried {
        match (white, black) {
            (Ok((mut white, of_white)), Ok((mut black, of_black))) => {
                let mut oracle = self.oracle(id).await;
                let engines = [&mut white, &mut black];
                let live = self.shared.plan.live.as_ref().map(|live| {
                    let names = players.map(|id| self.shared.plan.engine(id).name.clone());
                    live.begin(id, names, game.start, &game.book)
                });
                let (stalls, live) = (&self.shared.stalls, live.as_deref());
                let mut attempt = play::play(game, engines, oracle.as_mut(), stalls, live).await;
                if let Attempt::Played(played) = &mut attempt {
                    played.ready = [of_white, of_black];
                }
                if let Some(engine) = oracle.and_then(|oracle| oracle.engine) {
                    self.part(self.shared.plan.oracle(), engine, true).await;
                }
                for (side, engine) in [(Side::White, white), (Side::Black, black)] {
                    let well = match &attempt {
                        Attempt::Played(played) => played.ending.offender != Some(side),
                        // The engine may be in the middle of a search.
                        Attempt::Void(_) => false,
                    };
                    self.part(players[side as usize], engine, well).await;
                }
                match attempt {
                    Attempt::Played(played) => Tried::Played(played),
                    Attempt::Void(why) => Tried::Void(why),
                }
            }
            // Both are at fault. In a shortage neither is.
            (Err(Unready::Fault(white, why, transcript)), Err(Unready::Fault(black, other, _))) => {
                let [first, second] = players.map(|id| &self.shared.plan.launches[id.0].name);
                let detail = format!("{first}: {why}; {second}: {other}");
                let played = unplayed(game, Ending::by_both([white, black], detail));
                Tried::Played(Box::new(Played { transcript, ..played }))
            }
            // This engine might not have failed without the other one's shortage.
            (Err(Unready::Fault(..)), Err(unready)) => unready.tried(game, Side::Black),
            (Err(unready), other) => {
                if let Ok((engine, _)) = other {
                    self.part(players[1], engine, true).await;
                }
                unready.tried(game, Side::White)
            }
            (Ok((engine, _)), Err(unready)) => {
                self.part(players[0], engine, true).await;
                unready.tried(game, Side::Black)
            }
        }
    }

    /// The oracle, if the tournament has one. It is not essential: if it cannot be restarted, the
    /// game goes without.
    async fn oracle(&self, id: GameId) -> Option<GameOracle> {
        let plan = &self.shared.plan;
        let config = plan.tournament.adjudication.oracle.as_ref()?;
        let (engine, _) = self.ready(id, plan.oracle()).await.ok()?;
        Some(GameOracle { name: config.name.clone(), engine: Some(engine) })
    }

    /// An engine that is ready for a new game and the time it needed, or why it is not ready.
    async fn ready(&self, id: GameId, player: EngineId) -> Result<(Engine, Duration), Unready> {
        let Shared { plan, pool, stalls, .. } = &self.shared;
        let begin = stalls.look();
        let ours = || stalls.lost_since(begin).is_some_and(|stall| stall.longest >= stall::LONG);
        let mut engine = match pool.take(plan, player).await {
            Ok(engine) => engine,
            Err(StartError::Changed(why)) => {
                let name = plan.launches[player.0].name.clone();
                return Err(Unready::Changed(name, why));
            }
            Err(why) if why.is_ours() => return Err(Unready::Short(why.to_string())),
            Err(why) if ours() => return Err(Unready::Stalled(why.to_string())),
            Err(why) => {
                return Err(Unready::Fault(Fault::Start, why.to_string(), Vec::new()));
            }
        };
        let seed = seeds::engine_seed(plan.tournament.seed, id, &plan.launches[player.0].name);
        let options = self.options.get(player.0).map_or(&[][..], Vec::as_slice);
        match engine.new_game(seed, options).await {
            Ok(time) => Ok((engine, time)),
            Err(failure) => {
                let transcript = engine.transcript();
                engine.kill().await;
                let why = failure.to_string();
                let waited = failure.fault == Fault::Stall;
                Err(if waited && ours() {
                    Unready::Stalled(why)
                } else {
                    Unready::Fault(failure.fault, why, transcript)
                })
            }
        }
    }

    /// Releases an engine after a game. An engine at fault is killed, and restarted when it is
    /// needed again.
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
            moves: played.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            book: game.book.len() as u32,
            white_ms: milliseconds(played.thought[0]),
            black_ms: milliseconds(played.thought[1]),
            idle_cpu_ms: played.idle_cpu.map(milliseconds),
            ready_ms: played.ready.map(milliseconds),
            times: played.times.into_iter().map(milliseconds).collect(),
            scores: played.scores,
            // Engines that report nothing need no space in the journal.
            searches: match played.searches.iter().all(SearchNote::is_empty) {
                true => Vec::new(),
                false => played.searches,
            },
            illegal_lines: played.illegal_lines,
            transcript: played.transcript,
            notes: played.notes,
            worker: None,
            time_factor: self.shared.plan.time_factor,
        }
    }
}

/// The opening of a riatra or vela pairing. Drawing a late opening first draws all earlier ones, so
/// it must not block this thread while clocks of other games run.
pub async fn draw_opening(plan: &Arc<Plan>, pairing: Pairing) -> Opening {
    let plan = plan.clone();
    let drawn = tokio::task::spawn_blocking(move || plan.openings.of_pairing(&pairing));
    drawn.await.expect("drawing an opening does not panic")
}

/// Why an engine is not ready for a game.
enum Unready {
    /// The engine is at fault: the fault, what happened, and the last lines of the dialogue.
    Fault(Fault, String, Vec<String>),
    /// This machine stalled meanwhile.
    Stalled(String),
    /// This machine lacks a resource to start the engine.
    Short(String),
    /// The engine has changed since the tournament began.
    Changed(String, Changed),
}

/// The outcome of an attempt.
enum Tried {
    /// The game was played.
    Played(Box<Played>),
    /// The attempt is void through a fault of this machine.
    Void(String),
    /// The game could not begin: this machine lacks a resource.
    Short(String),
    /// An engine has changed.
    Changed(String, Changed),
}

impl Unready {
    fn tried(self, game: &Game, side: Side) -> Tried {
        match self {
            Unready::Fault(fault, why, transcript) => {
                let played = unplayed(game, Ending::by_fault(fault, side, why));
                Tried::Played(Box::new(Played { transcript, ..played }))
            }
            Unready::Stalled(why) => Tried::Void(why),
            Unready::Short(why) => Tried::Short(why),
            Unready::Changed(engine, why) => Tried::Changed(engine, why),
        }
    }
}

/// A game that ends before any engine is asked for a move.
fn unplayed(game: &Game, ending: Ending) -> Played {
    Played {
        ending,
        moves: game.book.clone(),
        times: Vec::new(),
        scores: Vec::new(),
        searches: Vec::new(),
        illegal_lines: [0; 2],
        thought: [Duration::ZERO; 2],
        idle_cpu: [Duration::ZERO; 2],
        ready: [Duration::ZERO; 2],
        transcript: Vec::new(),
        notes: Vec::new(),
    }
}

/// A void game, after the last attempt has failed.
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

/// The output of a future, or the message if it panics.
async fn caught<T>(future: impl Future<Output = T>) -> Result<T, String> {
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
