//! Asks an oracle about finished games.

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{Game, Move, Position, Ruleset};

use crate::play;
use fanorona_engine::{Engine, Failure, Launch, StartError};
use fanorona_tournament::record::{GameRecord, GameValues};
use fanorona_tournament::text::table::plain_cell;

/// After this many failures in a row the oracle is not asked again.
const MAX_FAILURES: u32 = 3;

/// An engine that is asked for exact values; restarted after a failure.
pub struct Oracle {
    launch: Launch,
    engine: Option<Engine>,
    identity: String,
    failures: u32,
}

/// The outcome of asking about a game.
pub enum OracleAnswer {
    /// The values that the oracle knows.
    Values(GameValues),
    /// The oracle failed, and is restarted for the next game.
    Failed(Failure),
    /// The oracle failed too often or did not restart, and is not asked again.
    GivenUp,
}

impl Oracle {
    /// Starts the engine.
    ///
    /// # Errors
    /// Returns an error if it cannot be started.
    pub async fn start(launch: Launch) -> Result<Oracle, StartError> {
        let engine = Engine::start(&launch).await?;
        let identity = match engine.identity() {
            "" => launch.name.clone(),
            identity => plain_cell(identity).into_owned(),
        };
        Ok(Oracle { launch, engine: Some(engine), identity, failures: 0 })
    }

    /// The name the engine gives itself.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// The engine's remarks on the options it was given at the start.
    pub fn remarks(&self) -> &[String] {
        self.engine.as_ref().map_or(&[], Engine::remarks)
    }

    /// Asks about every position in which an engine had to move, and about the last one. The
    /// timeout for each response is the launch's timeout for engines without a clock.
    pub async fn ask(&mut self, game: &GameRecord, rules: &Ruleset) -> OracleAnswer {
        if self.failures >= MAX_FAILURES {
            return OracleAnswer::GivenUp;
        }
        if self.engine.is_none() {
            match Engine::start(&self.launch).await {
                Ok(engine) => self.engine = Some(engine),
                Err(_) => {
                    self.failures = MAX_FAILURES;
                    return OracleAnswer::GivenUp;
                }
            }
        }
        let engine = self.engine.as_mut().expect("there is one now");
        match values(engine, game, rules).await {
            Ok(values) => {
                self.failures = 0;
                OracleAnswer::Values(values)
            }
            Err(failure) => {
                self.failures += 1;
                if let Some(engine) = self.engine.take() {
                    engine.kill().await;
                }
                OracleAnswer::Failed(failure)
            }
        }
    }

    /// Ends the engine.
    pub async fn quit(self) {
        if let Some(engine) = self.engine {
            engine.quit().await;
        }
    }
}

async fn values(
    engine: &mut Engine,
    game: &GameRecord,
    rules: &Ruleset,
) -> Result<GameValues, Failure> {
    let mut values = GameValues::default();
    // The referee has parsed this start already.
    let Ok(start) = game.start.parse::<Position>() else { return Ok(values) };
    let mut played = Game::new(*rules, start);
    let mut line = play::opening_line(&start);
    for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
        if index >= game.book as usize {
            values.add(index, engine.value(&line).await?);
        }
        let Ok(mv) = word.parse::<Move>() else { return Ok(values) };
        if played.play(&mv).is_err() {
            return Ok(values);
        }
        play::append(&mut line, &mv);
        if line.len() > play::MAX_POSITION {
            line = format!("position fen {}", played.position());
        }
    }
    let value = match played.ending() {
        Some(ending) => Some(match ending.winner {
            None => Value::Draw,
            Some(winner) if winner == played.position().side_to_move() => Value::Win(0),
            Some(_) => Value::Loss(0),
        }),
        None => engine.value(&line).await?,
    };
    values.add(game.plies(), value);
    Ok(values)
}
