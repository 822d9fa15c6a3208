//! Engines that are running and not playing.

use std::sync::{Mutex, PoisonError};

use tokio::task::JoinSet;

use super::Plan;
use crate::engine::{Engine, StartError};
use crate::schedule::EngineId;

/// Idle engines that may stay alive for every game played at once.
const IDLE_PER_GAME: usize = 8;

/// What an engine has said of itself when it was started.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Introduction {
    /// What it calls itself; empty when it does not say.
    pub identity: String,
    /// What it remarked on the options it was given.
    pub remarks: Vec<String>,
}

/// Engines that are running and not playing.
#[derive(Default)]
pub struct Pool {
    /// The longest idle first.
    idle: Mutex<Vec<(EngineId, Engine)>>,
}

impl Pool {
    /// Starts every engine once, so that what cannot play is known before the first game. Gives
    /// what the engines have said of themselves, or every reason why one would not start.
    pub async fn prepare(
        &self,
        plan: &Plan,
    ) -> Result<Vec<Introduction>, Vec<(String, StartError)>> {
        let mut starting = JoinSet::new();
        for (index, launch) in plan.launches.iter().cloned().enumerate() {
            starting.spawn(async move { (index, Engine::start(&launch).await) });
        }
        let mut introductions = vec![Introduction::default(); plan.launches.len()];
        let mut failures = Vec::new();
        while let Some(started) = starting.join_next().await {
            let (index, engine) = started.expect("starting an engine does not panic");
            match engine {
                Ok(engine) => {
                    introductions[index] = Introduction {
                        identity: engine.identity().to_owned(),
                        remarks: engine.remarks().to_vec(),
                    };
                    self.give_back(plan, EngineId(index), engine).await;
                }
                Err(error) => failures.push((index, error)),
            }
        }
        if failures.is_empty() {
            return Ok(introductions);
        }
        self.quit().await;
        failures.sort_by_key(|&(index, _)| index);
        let named = |(index, error): (usize, _)| (plan.launches[index].name.clone(), error);
        Err(failures.into_iter().map(named).collect())
    }

    /// An engine of its kind that is ready to play: an idle one, or one started afresh.
    pub(super) async fn take(&self, plan: &Plan, id: EngineId) -> Result<Engine, StartError> {
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
    pub(super) async fn give_back(&self, plan: &Plan, id: EngineId, engine: Engine) {
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
