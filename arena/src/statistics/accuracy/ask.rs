//! Asking an oracle about games that have been played.

use fanorona_protocol::messages::Value;
use fanorona_protocol::rules::{History, Move, Position, Ruleset};

use super::values::GameValues;
use crate::engine::{Engine, Failure, Launch, StartError};
use crate::game::play;
use crate::record::GameRecord;

/// Failures in a row after which an oracle is asked no more.
const MOST_FAILURES: u32 = 3;

/// An engine that is asked for values; started afresh after a failure.
pub struct Oracle {
    launch: Launch,
    engine: Option<Engine>,
    identity: String,
    failures: u32,
}

/// What asking about a game comes to.
pub enum Answer {
    /// The oracle has said what it knows.
    Values(GameValues),
    /// It has failed, and is started afresh for the next game.
    Failed(Failure),
    /// It has failed too often, or would not start again, and is asked no more.
    GivenUp,
}

impl Oracle {
    /// Starts the engine.
    ///
    /// # Errors
    /// When it cannot be started.
    pub async fn start(launch: Launch) -> Result<Oracle, StartError> {
        let engine = Engine::start(&launch).await?;
        let identity = match engine.identity() {
            "" => launch.name.clone(),
            identity => identity.to_owned(),
        };
        Ok(Oracle { launch, engine: Some(engine), identity, failures: 0 })
    }

    /// What it calls itself.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    /// What it remarked on the options it was given when it was started.
    pub fn remarks(&self) -> &[String] {
        self.engine.as_ref().map_or(&[], Engine::remarks)
    }

    /// Asks about every position of a game its engines had to play in, and the last one. Each
    /// answer is waited for as long as the launch's patience for an engine without a clock.
    pub async fn ask(&mut self, game: &GameRecord, rules: &Ruleset) -> Answer {
        if self.failures >= MOST_FAILURES {
            return Answer::GivenUp;
        }
        if self.engine.is_none() {
            match Engine::start(&self.launch).await {
                Ok(engine) => self.engine = Some(engine),
                Err(_) => {
                    self.failures = MOST_FAILURES;
                    return Answer::GivenUp;
                }
            }
        }
        let engine = self.engine.as_mut().expect("there is one now");
        match values(engine, game, rules).await {
            Ok(values) => {
                self.failures = 0;
                Answer::Values(values)
            }
            Err(failure) => {
                self.failures += 1;
                if let Some(engine) = self.engine.take() {
                    engine.kill().await;
                }
                Answer::Failed(failure)
            }
        }
    }

    /// Has it quit.
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
    // What the referee has let pass is read again without fail.
    let Ok(start) = game.start.parse::<Position>() else { return Ok(values) };
    let mut history = History::new(start);
    let mut line = play::opening_line(&start);
    for (index, word) in game.moves.split_ascii_whitespace().enumerate() {
        if index >= game.book as usize {
            values.add(index, engine.value(&line).await?.unwrap_or(Value::Unknown));
        }
        let Ok(mv) = word.parse::<Move>() else { return Ok(values) };
        if history.play(rules, &mv).is_err() {
            return Ok(values);
        }
        play::append(&mut line, &mv);
        if line.len() > play::MAX_POSITION {
            line = format!("position fen {}", history.position());
        }
    }
    let value = match history.ending(rules) {
        Some(ending) => match ending.winner {
            None => Value::Draw,
            Some(winner) if winner == history.position().side_to_move() => Value::Win(0),
            Some(_) => Value::Loss(0),
        },
        None => engine.value(&line).await?.unwrap_or(Value::Unknown),
    };
    values.add(game.plies(), value);
    Ok(values)
}
