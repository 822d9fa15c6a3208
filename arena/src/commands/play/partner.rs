//! The engine that the user plays against. All requests to it go through here.

use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::rules::{Game, Move, Ruleset};
use tokio::runtime::Runtime;

use super::super::prepare::{runtime, supervisors};
use crate::commands::arguments::{engine, engine_name, found};
use crate::commands::error::CliError;
use crate::commands::exit::Exit;
use crate::terminal::output::warn_about_remarks;
use fanorona_engine::{Digests, Engine, Failure, Launch, LaunchOptions, MoveReply, Supervisors};
use fanorona_runner::play::position_line;
use fanorona_tournament::config::Limit;
use fanorona_tournament::game::clock::Clocks;
use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::pairing::seeds;

/// The engine of `arena play`.
pub(super) struct Partner {
    runtime: Runtime,
    launch: Launch,
    supervisors: Arc<Supervisors>,
    /// The time to wait for the supervisors at the end.
    patience: Duration,
    /// `None` after a failure, until the engine is restarted.
    engine: Option<Engine>,
    identity: String,
    limit: Limit,
    clocks: Clocks,
    /// The clocks before each of its moves in the game.
    earlier: Vec<Clocks>,
    seed: u64,
    /// The seed of the current game.
    game_seed: u64,
}

impl Partner {
    /// Starts an engine from the command line.
    pub(super) fn start(
        command: &str,
        limit: Limit,
        rules: Ruleset,
        legal_moves: bool,
        seed: u64,
    ) -> Result<Partner, CliError> {
        let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
        let mut engine = engine(command).map_err(|why| usage(&why))?;
        engine.name = engine_name(&engine);
        engine.legal_moves |= legal_moves;
        let here = std::env::current_dir().map_err(|why| usage(&why))?;
        let found = found(&engine, &here)?;
        let alone = LaunchOptions::alone(&engine, rules);
        let options = LaunchOptions { sets_openings: false, ..alone };
        let patience = options.quit_timeout;
        let supervisors = supervisors()?;
        let launch = Launch::new(&engine, found, options, &supervisors, &Digests::default());
        let runtime = runtime()?;
        let started = runtime.block_on(Engine::start(&launch));
        let engine = started.map_err(|why| CliError::from_start(&why, &why))?;
        warn_about_remarks(&launch.name, engine.remarks());
        let identity = match engine.identity() {
            "" => launch.name.clone(),
            identity => identity.to_owned(),
        };
        Ok(Partner {
            runtime,
            launch,
            supervisors,
            patience,
            engine: Some(engine),
            identity,
            limit,
            clocks: Clocks::new([limit; 2]),
            earlier: Vec::new(),
            seed,
            game_seed: seed,
        })
    }

    /// The engine's name in files.
    pub(super) fn name(&self) -> &str {
        &self.launch.name
    }

    /// The name the engine gives itself.
    pub(super) fn identity(&self) -> &str {
        &self.identity
    }

    /// The engine's limit.
    pub(super) fn limit(&self) -> Limit {
        self.limit
    }

    /// Starts a new game.
    pub(super) fn new_game(&mut self, id: GameId) -> Result<(), Failure> {
        self.clocks = Clocks::new([self.limit; 2]);
        self.earlier.clear();
        self.game_seed = seeds::engine_seed(self.seed, id, &self.launch.name);
        let seed = self.game_seed;
        self.with(|engine, runtime| runtime.block_on(engine.new_game(seed, &[])).map(drop))
    }

    /// Asks for the engine's own move; its clock runs.
    pub(super) fn answer(&mut self, game: &Game) -> Result<MoveReply, Failure> {
        let answer = self.ask(game)?;
        self.earlier.push(self.clocks.clone());
        self.clocks.spend(game.position().side_to_move(), answer.time);
        Ok(answer)
    }

    /// Takes back the engine's last move: its clock is as before.
    pub(super) fn take_back(&mut self) {
        if let Some(earlier) = self.earlier.pop() {
            self.clocks = earlier;
        }
    }

    /// Asks for the best move of the side to move, as a hint; no clock runs.
    pub(super) fn ask(&mut self, game: &Game) -> Result<MoveReply, Failure> {
        let side = game.position().side_to_move();
        let position = position_line(game.start(), game.moves());
        let words = self.clocks.words(side);
        let allowance = self.clocks.loose_allowance(side);
        let legal = || game.legal_moves().iter().map(Move::to_string).collect();
        self.with(|engine, runtime| {
            runtime.block_on(engine.ask(&position, words, allowance, None, legal))
        })
    }

    /// The error that the engine has reported since the last call, in words.
    pub(super) fn take_error(&mut self) -> Option<String> {
        let reported = self.engine.as_mut()?.take_output().reported;
        (!reported.error.is_empty()).then(|| reported.error_in_words())
    }

    /// Sends the engine a request, after restarting it if it failed before.
    fn with<T>(
        &mut self,
        ask: impl FnOnce(&mut Engine, &Runtime) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        if self.engine.is_none() {
            let started = self.runtime.block_on(async {
                let mut engine = Engine::start(&self.launch).await?;
                // If the engine fails here, the request below fails too and reports it.
                let _ = engine.new_game(self.game_seed, &[]).await;
                Ok::<_, fanorona_engine::StartError>(engine)
            });
            self.engine = Some(started.map_err(|why| Failure {
                excess: false,
                fault: fanorona_tournament::game::fault::Fault::Start,
                detail: why.to_string(),
                stderr: String::new(),
            })?);
        }
        let engine = self.engine.as_mut().expect("there is one now");
        let answer = ask(engine, &self.runtime);
        if answer.is_err()
            && let Some(engine) = self.engine.take()
        {
            self.runtime.block_on(engine.kill());
        }
        answer
    }

    /// Ends the engine.
    pub(super) fn quit(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.runtime.block_on(engine.quit());
        }
        self.runtime.block_on(self.supervisors.gone(self.patience));
    }
}
