//! One attempt at a game: gets both engines ready, plays, and gives the engines back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use fanorona_protocol::rules::Side;
use tracing::debug;

use super::Plan;
use super::pool::Pool;
use super::shortage::Shortages;
use crate::play::{self, Attempt, Game, GameOracle, Played};
use fanorona_engine::stall::{self, StallMonitor};
use fanorona_engine::{Changed, Engine, StartError};
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::reported::{EngineOutput, Reported};
use fanorona_tournament::game::search_note::SearchNote;
use fanorona_tournament::game::termination::Ending;
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::pairing::seeds;
use fanorona_tournament::record::GameRecord;

/// The resources that every game on this machine needs.
#[derive(Clone)]
pub(super) struct GameResources {
    pub(super) plan: Arc<Plan>,
    pub(super) pool: Arc<Pool>,
    pub(super) stalls: Arc<StallMonitor>,
    pub(super) shortages: Arc<Shortages>,
    /// Set if no further game may begin.
    pub(super) stopping: Arc<AtomicBool>,
}

impl GameResources {
    pub(super) fn new(plan: Arc<Plan>, pool: Arc<Pool>) -> GameResources {
        let (stalls, shortages) = (Arc::new(StallMonitor::new()), Arc::default());
        GameResources { plan, pool, stalls, shortages, stopping: Arc::default() }
    }

    /// Whether no further game may begin.
    pub(super) fn is_stopping(&self) -> bool {
        self.stopping.load(Ordering::Relaxed)
    }
}

/// A game to be played.
pub(super) struct Entry<'g> {
    pub(super) id: GameId,
    /// The engines with White and Black.
    pub(super) players: [EngineId; 2],
    pub(super) game: &'g Game,
    /// Options for this game alone, by engine; empty if there are none.
    pub(super) options: &'g [Vec<(String, String)>],
}

impl GameResources {
    /// Attempts a game once.
    pub(super) async fn attempt(&self, entry: &Entry<'_>) -> AttemptOutcome {
        let [white, black] = entry.players;
        let starting = self.shortages.start().await;
        let (white, black) = tokio::join!(self.ready(entry, white), self.ready(entry, black));
        let playing = (white.is_ok() && black.is_ok()).then(|| self.shortages.begin());
        drop(starting);
        debug!(game = %entry.id, ready = playing.is_some(), "game begins");
        let outcome = self.play_game(entry, white, black).await;
        drop(playing);
        match &outcome {
            AttemptOutcome::Played(game) => {
                let Ending { result, reason, .. } = &game.played.ending;
                debug!(game = %entry.id, %result, %reason, "game ends");
            }
            AttemptOutcome::Void(why) => debug!(game = %entry.id, %why, "game is void"),
            _ => debug!(game = %entry.id, "game cannot begin"),
        }
        outcome
    }

    /// Plays a game if its engines are ready.
    async fn play_game(
        &self,
        entry: &Entry<'_>,
        white: Result<(Engine, Duration), NotReady>,
        black: Result<(Engine, Duration), NotReady>,
    ) -> AttemptOutcome {
        let Entry { id, players, game, .. } = *entry;
        match (white, black) {
            (Ok((mut white, of_white)), Ok((mut black, of_black))) => {
                let mut oracle = self.oracle(entry).await;
                let engines = [&mut white, &mut black];
                let live = self.plan.live.as_ref().map(|live| {
                    let names = players.map(|id| self.plan.engine(id).name.clone());
                    live.begin(id, names, game.start, &game.book)
                });
                let (stalls, live) = (&self.stalls, live.as_deref());
                let attempt = play::play(game, engines, oracle.as_mut(), stalls, live).await;
                if let (Attempt::Played(played), Some(live)) = (&attempt, live) {
                    live.ended(played.ending.result, played.ending.reason);
                }
                let said = [white.take_output(), black.take_output()];
                if let Some(engine) = oracle.and_then(|oracle| oracle.engine) {
                    self.part(self.plan.oracle(), engine, true).await;
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
                    Attempt::Played(played) => {
                        let ready = [of_white, of_black];
                        AttemptOutcome::Played(Box::new(PlayedGame {
                            played: *played,
                            ready,
                            said,
                        }))
                    }
                    Attempt::Void(why) => AttemptOutcome::Void(why),
                }
            }
            // Both are at fault. In a shortage neither is.
            (
                Err(NotReady::Fault(white, why, of_white)),
                Err(NotReady::Fault(black, other, of_black)),
            ) => {
                let [first, second] = players.map(|id| &self.plan.launches[id.0].name);
                let detail = format!("{first}: {why}; {second}: {other}");
                let ending = Ending::by_both([white, black], detail);
                let said = [of_white.said, of_black.said];
                AttemptOutcome::Played(Box::new(unplayed(game, ending, of_white.last, said)))
            }
            // This engine might not have failed without the other one's shortage.
            (Err(NotReady::Fault(..)), Err(unready)) => {
                unready.outcome(game, Side::Black, EngineOutput::default())
            }
            (Err(unready), other) => {
                let mut said = EngineOutput::default();
                if let Ok((mut engine, _)) = other {
                    said = engine.take_output();
                    self.part(players[1], engine, true).await;
                }
                unready.outcome(game, Side::White, said)
            }
            (Ok((mut engine, _)), Err(unready)) => {
                let said = engine.take_output();
                self.part(players[0], engine, true).await;
                unready.outcome(game, Side::Black, said)
            }
        }
    }

    /// The oracle, if the tournament has one. It is not essential: if it cannot be restarted, the
    /// game goes without.
    async fn oracle(&self, entry: &Entry<'_>) -> Option<GameOracle> {
        let plan = &self.plan;
        let config = plan.tournament.adjudication.oracle.as_ref()?;
        let (engine, _) = self.ready(entry, plan.oracle()).await.ok()?;
        Some(GameOracle { name: config.name.clone(), engine: Some(engine) })
    }

    /// An engine that is ready for a new game and the time it needed, or why it is not ready.
    async fn ready(
        &self,
        entry: &Entry<'_>,
        player: EngineId,
    ) -> Result<(Engine, Duration), NotReady> {
        let GameResources { plan, pool, stalls, .. } = self;
        let begin = stalls.look();
        let ours = || stalls.lost_since(begin).is_some_and(|stall| stall.longest >= stall::LONG);
        let mut engine = match pool.take(plan, player).await {
            Ok(engine) => engine,
            Err(StartError::Changed(why)) => {
                let name = plan.launches[player.0].name.clone();
                return Err(NotReady::Changed(name, why));
            }
            Err(why) if why.is_ours() => return Err(NotReady::Short(why.to_string())),
            Err(why) if ours() => return Err(NotReady::Stalled(why.to_string())),
            Err(why) => {
                let last = Box::default();
                return Err(NotReady::Fault(Fault::Start, why.to_string(), last));
            }
        };
        let seed =
            seeds::engine_seed(plan.tournament.seed, entry.id, &plan.launches[player.0].name);
        let options = entry.options.get(player.0).map_or(&[][..], Vec::as_slice);
        match engine.new_game(seed, options).await {
            Ok(time) => Ok((engine, time)),
            Err(failure) => {
                let (last, said) = (engine.transcript(), engine.take_output());
                let last = Box::new(FailureOutput { last, said });
                engine.kill().await;
                let why = failure.to_string();
                let waited = failure.fault == Fault::Stall;
                Err(if waited && ours() {
                    NotReady::Stalled(why)
                } else {
                    NotReady::Fault(failure.fault, why, last)
                })
            }
        }
    }

    /// Releases an engine after a game. An engine at fault is killed, and restarted when it is
    /// needed again.
    async fn part(&self, player: EngineId, mut engine: Engine, well: bool) {
        // What nobody has taken belongs to no later game, such as the questions to an oracle.
        drop(engine.take_output());
        if well {
            self.pool.give_back(&self.plan, player, engine).await;
        } else {
            engine.kill().await;
        }
    }
}

/// A game with what its engines did besides playing it.
pub(super) struct PlayedGame {
    pub(super) played: Played,
    /// The time White and Black took to get ready.
    pub(super) ready: [Duration; 2],
    /// The output of White and Black besides their moves.
    pub(super) said: [EngineOutput; 2],
}

/// The record of a game, without its pair.
pub(super) fn record(
    plan: &Plan,
    id: GameId,
    players: [EngineId; 2],
    game: &Game,
    played_game: PlayedGame,
) -> GameRecord {
    let PlayedGame { played, ready, said } = played_game;
    let [white, black] = players.map(|player| plan.engine(player).name.clone());
    let milliseconds = |time: Duration| time.as_millis() as u64;
    // An engine that reports nothing needs no space in the journal.
    let reported = |said: EngineOutput| match said.reported.is_silent() {
        true => Reported::default(),
        false => said.reported,
    };
    let Ending { result, reason, .. } = played.ending;
    GameRecord {
        white,
        black,
        offender: played.ending.offender.map(Side::letter),
        other_fault: played.ending.other_fault,
        adjudicated_by: played.ending.adjudicated_by,
        detail: played.ending.detail,
        moves: played.moves.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
        book: game.book.len() as u32,
        white_ms: milliseconds(played.thought[0]),
        black_ms: milliseconds(played.thought[1]),
        idle_cpu_ms: played.idle_cpu.map(milliseconds),
        ready_ms: ready.map(milliseconds),
        times: played.times.into_iter().map(milliseconds).collect(),
        scores: played.scores,
        // Engines that report nothing need no space in the journal.
        searches: match played.searches.iter().all(SearchNote::is_empty) {
            true => Vec::new(),
            false => played.searches,
        },
        illegal_lines: played.illegal_lines,
        reported: said.map(reported),
        transcript: played.transcript,
        notes: played.notes,
        time_factor: plan.time_factor,
        ..GameRecord::new(id, &game.start, result, reason)
    }
}

/// Why an engine is not ready for a game.
enum NotReady {
    /// The engine is at fault: the fault, what happened, and what was said.
    Fault(Fault, String, Box<FailureOutput>),
    /// This machine stalled meanwhile.
    Stalled(String),
    /// This machine lacks a resource to start the engine.
    Short(String),
    /// The engine has changed since the tournament began.
    Changed(String, Changed),
}

/// The lines of an engine and the arena before the engine failed.
#[derive(Default)]
struct FailureOutput {
    /// The last lines.
    last: Vec<String>,
    said: EngineOutput,
}

/// The outcome of an attempt.
pub(super) enum AttemptOutcome {
    /// The game was played.
    Played(Box<PlayedGame>),
    /// The attempt is void through a fault of this machine.
    Void(String),
    /// The game could not begin: this machine lacks a resource.
    Short(String),
    /// An engine has changed.
    Changed(String, Changed),
}

impl NotReady {
    /// The outcome of an attempt in which this side was not ready; `opponent` is the output of the
    /// other one.
    fn outcome(self, game: &Game, side: Side, opponent: EngineOutput) -> AttemptOutcome {
        match self {
            NotReady::Fault(fault, why, last_words) => {
                let FailureOutput { last, said } = *last_words;
                let said = match side {
                    Side::White => [said, opponent],
                    Side::Black => [opponent, said],
                };
                let ending = Ending::by_fault(fault, side, why);
                AttemptOutcome::Played(Box::new(unplayed(game, ending, last, said)))
            }
            NotReady::Stalled(why) => AttemptOutcome::Void(why),
            NotReady::Short(why) => AttemptOutcome::Short(why),
            NotReady::Changed(engine, why) => AttemptOutcome::Changed(engine, why),
        }
    }
}

/// A game that ends before any engine is asked for a move, with the last lines of an engine at fault
/// and the output of both.
pub(super) fn unplayed(
    game: &Game,
    ending: Ending,
    transcript: Vec<String>,
    said: [EngineOutput; 2],
) -> PlayedGame {
    let played = Played {
        ending,
        moves: game.book.clone(),
        times: Vec::new(),
        scores: Vec::new(),
        searches: Vec::new(),
        illegal_lines: [0; 2],
        thought: [Duration::ZERO; 2],
        idle_cpu: [Duration::ZERO; 2],
        transcript,
        notes: Vec::new(),
    };
    PlayedGame { played, ready: [Duration::ZERO; 2], said }
}
