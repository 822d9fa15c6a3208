//! Engines that are running but idle.

use fanorona_tournament::mutex::lock;
use std::sync::Mutex;

use tokio::task::JoinSet;

use super::Plan;
use super::introduction::Introduction;
use fanorona_engine::{Engine, StartError};
use fanorona_tournament::pairing::ids::EngineId;

/// The outcome of starting every engine once.
#[derive(Debug, Default)]
pub struct Started {
    /// The introductions in the order of the launches; empty for engines that did not start.
    pub introductions: Vec<Introduction>,
    /// The engines that did not start, each with the reason.
    pub failures: Vec<(String, StartError)>,
}

/// Engines that are running but idle.
#[derive(Default)]
pub struct Pool {
    /// The engine idle for the longest time comes first.
    idle: Mutex<Vec<(EngineId, Engine)>>,
}

impl Pool {
    /// Starts every engine once, except those for which `out` is true, so that problems are known
    /// before the first game.
    pub async fn prepare(&self, plan: &Plan, out: impl Fn(&str) -> bool) -> Started {
        let mut introductions = vec![Introduction::default(); plan.launches.len()];
        let (mut failures, mut again) = (Vec::new(), Vec::new());
        let mut waiting = plan.launches.iter().enumerate().filter(|(_, launch)| !out(&launch.name));
        let mut starting = JoinSet::new();
        loop {
            while starting.len() < plan.capacity.starting
                && let Some((index, launch)) = waiting.next()
            {
                let launch = launch.clone();
                starting.spawn(async move { (index, Engine::start(&launch).await) });
            }
            let Some(started) = starting.join_next().await else { break };
            match started.expect("starting an engine does not panic") {
                (index, Ok(engine)) => {
                    introductions[index] = Introduction::new(&engine);
                    self.give_back(plan, EngineId(index), engine).await;
                }
                (index, Err(why)) if why.is_ours() => again.push(index),
                (index, Err(why)) => failures.push((index, why)),
            }
        }
        // Engines that could not start together may start one after the other.
        for index in again {
            match self.take(plan, EngineId(index)).await {
                Ok(engine) => {
                    introductions[index] = Introduction::new(&engine);
                    self.give_back(plan, EngineId(index), engine).await;
                }
                Err(why) => failures.push((index, why)),
            }
        }
        failures.sort_by_key(|&(index, _)| index);
        let named = |(index, why): (usize, _)| (plan.launches[index].name.clone(), why);
        Started { introductions, failures: failures.into_iter().map(named).collect() }
    }

    /// An engine that is ready to play: an idle one, or a new process.
    pub(super) async fn take(&self, plan: &Plan, id: EngineId) -> Result<Engine, StartError> {
        let idle = {
            let mut idle = lock(&self.idle);
            let place = idle.iter().rposition(|(engine, _)| *engine == id);
            place.map(|place| idle.remove(place).1)
        };
        if let Some(engine) = idle {
            return Ok(engine);
        }
        let launch = &plan.launches[id.0];
        match Engine::start(launch).await {
            // Idle engines may hold the missing resource.
            Err(why) if why.is_ours() && self.quit().await => Engine::start(launch).await,
            started => started,
        }
    }

    /// Takes an engine back after a game. If too many are idle, the one idle for the longest time
    /// quits.
    pub(super) async fn give_back(&self, plan: &Plan, id: EngineId, mut engine: Engine) {
        engine.rest();
        let surplus = {
            let mut idle = lock(&self.idle);
            idle.push((id, engine));
            (idle.len() > plan.capacity.idle).then(|| idle.remove(0).1)
        };
        if let Some(engine) = surplus {
            engine.quit().await;
        }
    }

    /// Ends all idle engines; returns whether there were any.
    pub async fn quit(&self) -> bool {
        let idle = std::mem::take(&mut *lock(&self.idle));
        let any = !idle.is_empty();
        let mut quitting = JoinSet::new();
        for (_, engine) in idle {
            quitting.spawn(engine.quit());
        }
        quitting.join_all().await;
        any
    }
}
