//! The speed of a tournament's engines on this machine, measured by letting each one play against
//! itself for a moment.

use std::fmt::Display;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fanorona_protocol::messages::BestMove;
use fanorona_protocol::rules::{Game, Move, Position};

use super::prepare::{runtime, supervisors};
use crate::terminal::output::eprint_line;
use fanorona_engine::{Digests, Engine, Failure, Launch, LaunchOptions, Supervisors};
use fanorona_runner::play;
use fanorona_tournament::config::{self, EngineConfig, Limit, Places, Tournament};
use fanorona_tournament::game::clock::Allowance;
use fanorona_tournament::game::clock::Clocks;
use fanorona_tournament::progress::estimate::{FirstGame, Speed};

/// The maximum time that each engine plays.
const TIME: Duration = Duration::from_secs(1);

/// The moves after which its speed is known.
const MOVES: u32 = 500;

/// The longest move that is waited for.
const LONGEST_MOVE: Duration = Duration::from_secs(10);

/// The speeds of the engines under node and depth limits, in the config's order; `None` for the
/// others, whose limits say how long they take, and for those that cannot be measured. `openings` are
/// the beginnings of games that they play.
pub(super) fn speeds(tournament: &Tournament, openings: &[FirstGame]) -> Vec<Option<Speed>> {
    let is_counted = |engine: &EngineConfig| {
        matches!(tournament.limit_of(engine), Limit::Nodes(_) | Limit::Depth(_))
    };
    let unknown = || vec![None; tournament.engines.len()];
    if openings.is_empty() || !tournament.engines.iter().any(is_counted) {
        return unknown();
    }
    let (runtime, supervisors) = match (runtime(), supervisors()) {
        (Ok(runtime), Ok(supervisors)) => (runtime, supervisors),
        (Err(why), _) | (_, Err(why)) => {
            eprint_line(format_args!("note: no engine can be measured: {}", why.report));
            return unknown();
        }
    };
    let measured = tournament.engines.iter().map(|engine| {
        if !is_counted(engine) {
            return None;
        }
        let speed = runtime.block_on(speed(tournament, engine, &supervisors, openings));
        let note = |why| {
            let name = &engine.name;
            eprint_line(format_args!(
                "note: `{name}` cannot be measured, so an assumption is made: {why}"
            ));
        };
        speed.map_err(note).ok()
    });
    let measured = measured.collect();
    runtime.block_on(supervisors.gone(tournament.quit_timeout));
    measured
}

/// Starts an engine and lets it play.
async fn speed(
    tournament: &Tournament,
    engine: &EngineConfig,
    supervisors: &Arc<Supervisors>,
    openings: &[FirstGame],
) -> Result<Speed, String> {
    let text = |why: &dyn Display| why.to_string();
    let beside = std::env::current_exe().ok();
    let path = std::env::var_os("PATH");
    let places = Places {
        arena: beside.as_deref().and_then(Path::parent),
        base: &tournament.base,
        path: path.as_deref(),
    };
    let found = config::resolve(engine, &places).map_err(|why| text(&why))?;
    let options = LaunchOptions::new(tournament, engine);
    let launch = Launch::new(engine, found, options, supervisors, &Digests::default());
    let mut running = Engine::start(&launch).await.map_err(|why| text(&why))?;
    let played = played(tournament, engine, &mut running, openings).await;
    match played {
        Ok(speed) => {
            running.quit().await;
            Ok(speed)
        }
        Err(why) => {
            running.kill().await;
            Err(text(&why))
        }
    }
}

/// The mean times of the preparation of a game and of a move, over as many games as are needed, or as
/// there is time for.
async fn played(
    tournament: &Tournament,
    config: &EngineConfig,
    engine: &mut Engine,
    openings: &[FirstGame],
) -> Result<Speed, Failure> {
    let begin = Instant::now();
    let (mut preparing, mut thinking) = (Duration::ZERO, Duration::ZERO);
    let (mut games, mut moves) = (0_u32, 0_u32);
    let clocks = Clocks::new([tournament.limit_of(config); 2]);
    let is_enough = |moves| moves >= MOVES || begin.elapsed() >= TIME;
    for opening in openings.iter().cycle() {
        preparing += engine.new_game(tournament.seed, &[]).await?;
        games += 1;
        let mut game = line(tournament, opening);
        while game.ending().is_none() && (moves == 0 || !is_enough(moves)) {
            let text = play::position_line(game.start(), game.moves());
            let limits = clocks.words(game.position().side_to_move());
            let legal = || game.legal_moves().iter().map(Move::to_string).collect();
            let allowance =
                Allowance { time: LONGEST_MOVE, margin: Duration::ZERO, on_clock: false };
            let reply = engine.ask(&text, limits, Some(allowance), None, legal).await?;
            thinking += reply.time;
            moves += 1;
            let BestMove::Move(mv) = reply.best else { break };
            if game.play(&mv).is_err() {
                break;
            }
        }
        if is_enough(moves) {
            break;
        }
    }
    let mean = |time: Duration, count: u32| time.as_secs_f64() / f64::from(count.max(1));
    Ok(Speed { seconds_per_game: mean(preparing, games), seconds_per_move: mean(thinking, moves) })
}

/// The game after an opening.
fn line(tournament: &Tournament, opening: &FirstGame) -> Game {
    let start: Position = opening.start.parse().expect("the start of an opening is a position");
    let mut game = Game::new(tournament.rules, start);
    for mv in opening.moves.split_ascii_whitespace() {
        let mv: Move = mv.parse().expect("an opening is made of moves");
        if game.play(&mv).is_err() {
            break;
        }
    }
    game
}
