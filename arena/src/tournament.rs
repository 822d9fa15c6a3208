//! The loop: hands pairings to as many workers as play at once, and keeps every finished game.

mod keeper;
mod pool;
mod worker;

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fanorona_protocol::rules::{Player, Session, Side};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use crate::config::{EngineConfig, Tournament};
use crate::ending::GameResult;
use crate::engine::Launch;
use crate::host::{self, Host};
use crate::kind::Kind;
use crate::openings::Openings;
use crate::record::{GameRecord, Journal, StorageError, VoidRecord};
use crate::schedule::{EngineId, GameId, Pairing, PairingId, Schedule};

pub use pool::Pool;

use keeper::{Keeper, Kept, Notice};
use worker::{Left, Shared, Worker};

/// Everything that is known before the first game.
#[derive(Debug)]
pub struct Plan {
    /// What is played.
    pub tournament: Tournament,
    /// In which order.
    pub schedule: Schedule,
    /// How games begin.
    pub openings: Openings,
    /// How engines are started, by [`EngineId`]; after them the oracle, if there is one.
    pub launches: Vec<Launch>,
}

impl Plan {
    fn engine(&self, id: EngineId) -> &EngineConfig {
        &self.tournament.engines[id.0]
    }

    /// The engine that plays no game, but knows the value of positions: the last launch, where the
    /// tournament has one.
    fn oracle(&self) -> EngineId {
        EngineId(self.tournament.engines.len())
    }

    /// How many games are played at once.
    pub fn concurrency(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, |cores| cores.get() as u32);
        let wanted = self.tournament.concurrency.map_or_else(cores, NonZeroU32::get);
        wanted as usize
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
    /// An attempt at a game came to nothing by the arena's own fault; it is made again.
    Void(&'g VoidRecord),
    /// A pairing has no game left to play.
    PairingComplete,
    /// The disk refuses to keep a game, as it says; it is asked again for so long.
    Trouble(&'g str, Duration),
    /// The disk has given in.
    Recovered,
    /// No further game begins; so many are still being played, for so long at most.
    Finishing(usize, Duration),
}

/// How a tournament is asked to stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// When the games in progress are over, or have had time enough.
    Finish,
    /// At once: games in progress are given up.
    AtOnce,
}

/// What has been played before.
#[derive(Clone, Copy, Debug)]
pub struct Before<'g> {
    /// The finished games.
    pub games: &'g [GameRecord],
    /// The attempts that were void.
    pub voids: &'g [VoidRecord],
}

/// How many pairings some games complete.
pub fn complete(plan: &Plan, games: &[GameRecord]) -> u64 {
    let mut shelf = Shelf::new(games);
    let known: Vec<u64> = shelf.games.keys().copied().collect();
    let pairings = known.into_iter().filter_map(|id| plan.schedule.get(PairingId(id)));
    pairings.filter(|pairing| shelf.missing(plan, pairing).is_none()).count() as u64
}

/// Plays what is missing of a plan. Every finished game is written to the journal and then shown
/// to `watch`, in the order they finish. `stops` ends the tournament before its time.
///
/// # Errors
/// When the journal cannot be written. What it holds is whole.
pub async fn run(
    plan: Arc<Plan>,
    pool: Arc<Pool>,
    mut journal: Journal,
    before: Before<'_>,
    mut watch: impl FnMut(Event<'_>),
    mut stops: mpsc::UnboundedReceiver<Stop>,
) -> Result<Finish, StorageError> {
    let mut played = Shelf::new(before.games);
    let (shown, mut notices) = mpsc::unbounded_channel();
    let write = move |kept: &Kept| match kept {
        Kept::Game(game) => journal.write(game),
        Kept::Void(void) => journal.write_void(void),
    };
    let keeper = Keeper::start(write, plan.tournament.storage_timeout, shown);
    let mut voids: HashMap<GameId, u32> = HashMap::new();
    for void in before.voids {
        *voids.entry(void.id).or_default() += 1;
    }
    let shared = Shared {
        plan: plan.clone(),
        pool,
        keeper: keeper.clone(),
        host: Arc::new(Host::new()),
        voids: Arc::new(voids),
        stopping: Arc::new(AtomicBool::new(false)),
    };
    let mut pulse = interval(host::PULSE);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pairings = plan.schedule.iter();
    let mut workers = JoinSet::new();
    let concurrency = plan.concurrency();
    // Once there is one, nothing begins any more.
    let mut deadline: Option<Instant> = None;
    let outcome = loop {
        while deadline.is_none() && workers.len() < concurrency {
            let Some(pairing) = pairings.next() else { break };
            if let Some(before) = played.missing(&plan, &pairing) {
                workers.spawn(Worker { shared: shared.clone(), pairing }.play(before));
            }
        }
        tokio::select! {
            biased;
            stop = stops.recv() => match stop {
                Some(Stop::Finish) if deadline.is_none() => {
                    shared.stopping.store(true, Ordering::Relaxed);
                    let patience = plan.tournament.finish_timeout;
                    deadline = Some(Instant::now() + patience);
                    watch(Event::Finishing(workers.len(), patience));
                }
                _ => break Ok(Finish::Interrupted),
            },
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                break Ok(Finish::Interrupted);
            }
            _ = pulse.tick() => shared.host.beat(),
            Some(notice) = notices.recv() => notice.show(&mut watch),
            ended = workers.join_next() => match ended {
                None if deadline.is_some() => break Ok(Finish::Interrupted),
                None => break Ok(Finish::Complete),
                Some(Ok(Err(error))) => break Err(error),
                Some(Ok(Ok(left))) => {
                    while let Ok(notice) = notices.try_recv() {
                        notice.show(&mut watch);
                    }
                    if left == Left::Nothing {
                        watch(Event::PairingComplete);
                    }
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    };
    workers.shutdown().await;
    // The keeper still writes what it has been given, and then ends.
    keeper.hurry();
    drop((keeper, shared));
    while let Some(notice) = notices.recv().await {
        notice.show(&mut watch);
    }
    outcome
}

impl Notice {
    fn show(&self, watch: &mut impl FnMut(Event<'_>)) {
        watch(match self {
            Notice::Kept(Kept::Game(game)) => Event::Game(game),
            Notice::Kept(Kept::Void(void)) => Event::Void(void),
            Notice::Trouble(why, patience) => Event::Trouble(why, *patience),
            Notice::Recovered => Event::Recovered,
        });
    }
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
