//! The loop: hands pairings to as many workers as play at once, and keeps every finished game.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::mpsc as std_mpsc;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use fanorona_protocol::rules::{Player, Session, Side};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinSet;

use crate::config::{EngineConfig, Tournament};
use crate::ending::{Ending, Fault, GameResult};
use crate::engine::{Engine, Launch, StartError};
use crate::kind::Kind;
use crate::openings::{GameKind, Opening, Openings};
use crate::play::{self, Game, Played};
use crate::record::{GameRecord, Journal, StorageError};
use crate::schedule::{EngineId, GameId, Pairing, PairingId, Schedule};
use crate::seeds;

/// Everything that is known before the first game.
#[derive(Debug)]
pub struct Plan {
    /// What is played.
    pub tournament: Tournament,
    /// In which order.
    pub schedule: Schedule,
    /// How games begin.
    pub openings: Openings,
    /// How engines are started, by [`EngineId`].
    pub launches: Vec<Launch>,
}

impl Plan {
    fn engine(&self, id: EngineId) -> &EngineConfig {
        &self.tournament.engines[id.0]
    }

    /// How many games are played at once.
    pub fn concurrency(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let wanted = self.tournament.concurrency.map_or_else(cores, NonZeroU32::get);
        wanted as usize
    }
}

/// Idle engines that may stay alive for every game played at once.
const IDLE_PER_GAME: usize = 8;

/// Engines that are running and not playing.
#[derive(Default)]
pub struct Pool {
    /// The longest idle first.
    idle: Mutex<Vec<(EngineId, Engine)>>,
}

impl Pool {
    /// Starts every engine once, so that what cannot play is known before the first game. Gives
    /// what the engines call themselves, or every reason why one would not start.
    pub async fn prepare(&self, plan: &Plan) -> Result<Vec<String>, Vec<(String, StartError)>> {
        let mut starting = JoinSet::new();
        for (index, launch) in plan.launches.iter().cloned().enumerate() {
            starting.spawn(async move { (index, Engine::start(&launch).await) });
        }
        let mut identities = vec![String::new(); plan.launches.len()];
        let mut failures = Vec::new();
        while let Some(started) = starting.join_next().await {
            let (index, engine) = started.expect("starting an engine does not panic");
            match engine {
                Ok(engine) => {
                    identities[index] = engine.identity().to_owned();
                    self.give_back(plan, EngineId(index), engine).await;
                }
                Err(error) => failures.push((index, error)),
            }
        }
        if failures.is_empty() {
            return Ok(identities);
        }
        self.quit().await;
        failures.sort_by_key(|&(index, _)| index);
        let named = |(index, error): (usize, _)| (plan.launches[index].name.clone(), error);
        Err(failures.into_iter().map(named).collect())
    }

    /// An engine of its kind that is ready to play: an idle one, or one started afresh.
    async fn take(&self, plan: &Plan, id: EngineId) -> Result<Engine, StartError> {
        let idle = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            let place = idle.iter().rposition(|(engine, _)| *engine == id);
            place.map(|place| idle.remove(place).1)
        };
        match idle {
            Some(engine) => Ok(engine),
            None => Engine::start(&plan.launches[id.0]).await,
        }
    }

    /// Takes an engine back after a game; where too many are idle, the longest idle one quits.
    async fn give_back(&self, plan: &Plan, id: EngineId, engine: Engine) {
        let surplus = {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push((id, engine));
            (idle.len() > plan.concurrency() * IDLE_PER_GAME).then(|| idle.remove(0).1)
        };
        if let Some(engine) = surplus {
            engine.quit().await;
        }
    }

    /// Has every idle engine quit.
    pub async fn quit(&self) {
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        let mut quitting = JoinSet::new();
        for (_, engine) in idle {
            quitting.spawn(engine.quit());
        }
        quitting.join_all().await;
    }
}

/// How a tournament has ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Finish {
    /// Every pairing has been played.
    Complete,
    /// It was interrupted; what was finished is kept.
    Interrupted,
}

/// What whoever watches a tournament is told.
#[derive(Clone, Copy, Debug)]
pub enum Event<'g> {
    /// A game is finished and on disk.
    Game(&'g GameRecord),
    /// A pairing has no game left to play.
    PairingComplete,
}

/// How many pairings some games complete.
pub fn complete(plan: &Plan, games: &[GameRecord]) -> u64 {
    let mut shelf = Shelf::new(games);
    let known: Vec<u64> = shelf.games.keys().copied().collect();
    let pairings = known.into_iter().filter_map(|id| plan.schedule.get(PairingId(id)));
    pairings.filter(|pairing| shelf.missing(plan, pairing).is_none()).count() as u64
}

/// Plays what is missing of a plan. Every finished game is written to the journal and then shown
/// to `watch`, in the order they finish. `interrupted` ends the tournament: games in progress are
/// given up.
///
/// # Errors
/// When the journal cannot be written. What it holds is whole.
pub async fn run(
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    journal: Journal,
    played: &[GameRecord],
    mut watch: impl FnMut(Event<'_>),
    interrupted: impl Future<Output = ()>,
) -> Result<Finish, StorageError> {
    let mut played = Shelf::new(played);
    let (shown, mut finished) = mpsc::unbounded_channel();
    let keeper = Keeper::start(journal, shown);
    let mut pairings = plan.schedule.iter();
    let mut workers = JoinSet::new();
    let mut interrupted = std::pin::pin!(interrupted);
    let concurrency = plan.concurrency();
    let outcome = loop {
        while workers.len() < concurrency {
            let Some(pairing) = pairings.next() else { break };
            if let Some(before) = played.missing(&plan, &pairing) {
                let worker = Worker {
                    plan: plan.clone(),
                    pool: pool.clone(),
                    keeper: keeper.clone(),
                    pairing,
                };
                workers.spawn(worker.play(before));
            }
        }
        tokio::select! {
            biased;
            () = &mut interrupted => break Ok(Finish::Interrupted),
            Some(game) = finished.recv() => watch(Event::Game(&game)),
            ended = workers.join_next() => match ended {
                None => break Ok(Finish::Complete),
                Some(Ok(Err(error))) => break Err(error),
                Some(Ok(Ok(()))) => {
                    while let Ok(game) = finished.try_recv() {
                        watch(Event::Game(&game));
                    }
                    watch(Event::PairingComplete);
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    };
    workers.shutdown().await;
    // The keeper still writes what it has been given, and then ends.
    drop(keeper);
    while let Some(game) = finished.recv().await {
        watch(Event::Game(&game));
    }
    outcome
}

/// The games played before, by pairing.
struct Shelf {
    games: HashMap<u64, Vec<GameRecord>>,
}

impl Shelf {
    fn new(played: &[GameRecord]) -> Shelf {
        let mut games: HashMap<u64, Vec<GameRecord>> = HashMap::new();
        for game in played {
            games.entry(game.id.pairing.0).or_default().push(game.clone());
        }
        Shelf { games }
    }

    /// The games a pairing has already, in order; `None` if none is missing.
    fn missing(&mut self, plan: &Plan, pairing: &Pairing) -> Option<Vec<GameRecord>> {
        let mut before = self.games.remove(&pairing.id.0).unwrap_or_default();
        before.sort_by_key(|game| game.id);
        let complete = match pairing.kind {
            Kind::Riatra | Kind::Vela => !before.is_empty(),
            Kind::Session => session_of(plan, pairing, &before).is_none_or(|s| s.is_over()),
        };
        (!complete).then_some(before)
    }
}

/// A session as far as its games have brought it; `None` once a game of it is void, which ends it
/// without a result.
pub fn session_of(plan: &Plan, pairing: &Pairing, games: &[GameRecord]) -> Option<Session> {
    let mut session = Session::new(plan.tournament.session, plan.tournament.rules.vela_starter);
    for game in games {
        let next = session.next()?;
        let winner = match game.result {
            GameResult::Won(side) => Some(next.player(side)),
            GameResult::Drawn => None,
            GameResult::Void => return None,
        };
        debug_assert_eq!(
            plan.engine(player(pairing, next.player(Side::White))).name,
            game.white,
            "a session's games are played by its players"
        );
        session.record(winner);
    }
    Some(session)
}

/// The engine that is a player of a session.
fn player(pairing: &Pairing, player: Player) -> EngineId {
    match player {
        Player::First => pairing.first,
        Player::Second => pairing.second,
    }
}

/// Writes finished games on a thread of its own: syncing waits for the disk, and games in progress
/// must not.
#[derive(Clone)]
struct Keeper {
    games: std_mpsc::Sender<(GameRecord, oneshot::Sender<Result<(), StorageError>>)>,
}

impl Keeper {
    fn start(mut journal: Journal, shown: mpsc::UnboundedSender<GameRecord>) -> Keeper {
        let (games, inbox) =
            std_mpsc::channel::<(GameRecord, oneshot::Sender<Result<(), StorageError>>)>();
        std::thread::spawn(move || {
            for (game, reply) in inbox {
                let written = journal.write(&game);
                if written.is_ok() {
                    // Nobody looks any more once the tournament is over.
                    let _ = shown.send(game);
                }
                // A worker that was stopped does not wait for it.
                let _ = reply.send(written);
            }
        });
        Keeper { games }
    }

    /// Returns when the game is on disk.
    async fn keep(&self, game: GameRecord) -> Result<(), StorageError> {
        let (reply, written) = oneshot::channel();
        self.games.send((game, reply)).expect("the keeper lives as long as a worker");
        written.await.expect("the keeper answers every worker")
    }
}

/// Whoever plays one pairing.
struct Worker {
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    keeper: Keeper,
    pairing: Pairing,
}

impl Worker {
    async fn play(self, before: Vec<GameRecord>) -> Result<(), StorageError> {
        match self.pairing.kind {
            Kind::Riatra | Kind::Vela => {
                let opening = self.plan.openings.of_pairing(&self.pairing);
                let colour = |side| self.pairing.player(&opening.start, side);
                let players = [colour(Side::White), colour(Side::Black)];
                let game = self.game(self.pairing.game(None), players, opening).await;
                self.keeper.keep(game).await
            }
            Kind::Session => self.session(before).await,
        }
    }

    async fn session(&self, mut games: Vec<GameRecord>) -> Result<(), StorageError> {
        while let Some(next) =
            session_of(&self.plan, &self.pairing, &games).and_then(|session| session.next())
        {
            let number = NonZeroU32::MIN.saturating_add(games.len() as u32);
            let kind = GameKind::of_session_game(&next);
            let opening = self.plan.openings.of_session_game(&self.pairing, number.get(), kind);
            let colour = |side| player(&self.pairing, next.player(side));
            let players = [colour(Side::White), colour(Side::Black)];
            let game = self.game(self.pairing.game(Some(number)), players, opening).await;
            games.push(game.clone());
            self.keeper.keep(game).await?;
        }
        Ok(())
    }

    /// Plays one game, whatever the engines do.
    async fn game(&self, id: GameId, players: [EngineId; 2], opening: Opening) -> GameRecord {
        let plan = &*self.plan;
        let configs = players.map(|player| plan.engine(player));
        let game = Game {
            rules: plan.tournament.rules,
            start: opening.start,
            book: opening.book,
            limits: configs.map(|engine| plan.tournament.limit_of(engine)),
            margin: plan.tournament.margin,
        };
        let [white, black] = players;
        let (white, black) = tokio::join!(self.ready(id, white), self.ready(id, black));
        let played = match (white, black) {
            (Ok(mut white), Ok(mut black)) => {
                let played = play::play(&game, [&mut white, &mut black]).await;
                for (side, engine) in [(Side::White, white), (Side::Black, black)] {
                    let player = players[side as usize];
                    self.part(player, engine, played.ending.offender != Some(side)).await;
                }
                played
            }
            (Err((fault, why)), other) => {
                if let Ok(engine) = other {
                    self.part(players[1], engine, true).await;
                }
                unplayed(&game, fault, Side::White, why)
            }
            (Ok(engine), Err((fault, why))) => {
                self.part(players[0], engine, true).await;
                unplayed(&game, fault, Side::Black, why)
            }
        };
        let in_session = id.of_session.is_some();
        let vela = game.start.debtor().is_some();
        let milliseconds = |time: Duration| time.as_millis() as u64;
        GameRecord {
            id,
            pair: (!in_session).then_some(self.pairing.pair.0),
            kind: if vela { Kind::Vela } else { Kind::Riatra },
            white: configs[0].name.clone(),
            black: configs[1].name.clone(),
            result: played.ending.result,
            reason: played.ending.reason,
            offender: played.ending.offender.map(Side::letter),
            detail: played.ending.detail,
            start: game.start.to_string(),
            turns: played.turns.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
            book: game.book.len() as u32,
            white_ms: milliseconds(played.thought[0]),
            black_ms: milliseconds(played.thought[1]),
            times: played.times.into_iter().map(milliseconds).collect(),
            scores: played.scores,
        }
    }

    /// An engine that is ready for a new game, or what it is at fault of.
    async fn ready(&self, id: GameId, player: EngineId) -> Result<Engine, (Fault, String)> {
        let plan = &*self.plan;
        let started = self.pool.take(plan, player).await;
        let mut engine = started.map_err(|why| (Fault::Start, why.to_string()))?;
        let seed = seeds::engine_seed(plan.tournament.seed, id, &plan.engine(player).name);
        match engine.new_game(seed).await {
            Ok(()) => Ok(engine),
            Err(failure) => {
                engine.kill().await;
                Err((failure.fault, failure.to_string()))
            }
        }
    }

    /// Takes leave of an engine after a game: one that was at fault is killed and started afresh
    /// when it is next needed.
    async fn part(&self, player: EngineId, engine: Engine, well: bool) {
        if well {
            self.pool.give_back(&self.plan, player, engine).await;
        } else {
            engine.kill().await;
        }
    }
}

/// A game that one side could not begin.
fn unplayed(game: &Game, fault: Fault, offender: Side, why: String) -> Played {
    Played {
        ending: Ending::by_fault(fault, offender, why),
        turns: game.book.clone(),
        times: Vec::new(),
        scores: Vec::new(),
        thought: [Duration::ZERO; 2],
    }
}
