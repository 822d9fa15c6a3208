//! Second opinions: games that another worker plays again. A game that ended by a fault counts when
//! another worker has played it, too, so that no single worker's word costs an engine anything. And of
//! the others a sample is played again under limits by nodes or depth, where both records must be equal.

use std::time::Instant;

use super::super::messages::{Again, JobPairing};
use super::super::{names, store};
use super::course::{Course, InDoubt, Part};
use super::duplicates::is_same_fault;
use super::open_jobs::{Delivery, Published, Purpose};
use super::{Shared, lock};
use crate::game::termination::GameResult;
use crate::pairing::ids::{GameId, PairingId};
use crate::record::{GameRecord, SecondOpinion};
use crate::tournament::runner::{Desk, Missing, RunError};

impl Delivery {
    fn game(&self, id: GameId) -> Option<&GameRecord> {
        self.results.games.iter().find(|game| game.id == id)
    }
}

impl Shared {
    /// Takes a delivery: as the second opinion that a game waits for, or as the first.
    pub(super) async fn take_delivery(
        &self,
        course: &mut Course,
        delivery: Delivery,
        desk: &Desk,
    ) -> Result<(), RunError> {
        let is_about = |it: &InDoubt| delivery.game(it.game.id).is_some();
        let Some(place) = course.in_doubt.iter().position(is_about) else {
            return self.take_games(course, delivery, desk).await;
        };
        if course.in_doubt[place].delivery.worker == delivery.worker {
            // The server sends again what is not acknowledged.
            course.in_doubt[place].delivery = delivery;
            return Ok(());
        }
        let InDoubt { game: first, missing, .. } = &course.in_doubt[place];
        let second = delivery.game(first.id).expect("the delivery is about it").clone();
        let opening = course.part_of(first.id).and_then(|part| part.opening.as_ref());
        if let Err(why) = self.by_the_schedule(missing, opening, &second) {
            let worker = delivery.worker.clone();
            delivery.acknowledge().await;
            self.refuse(&worker, &why).await;
            return Ok(());
        }
        if second.result == GameResult::Void && second.offender.is_none() {
            // That machine could not play it.
            delivery.acknowledge().await;
            return Ok(());
        }
        let InDoubt { game: first, delivery: earlier, .. } = course.in_doubt.remove(place);
        self.take_back(first.id).await;
        let agrees = is_same_fault(&first, &second);
        if !agrees && self.is_timeless && second.offender.is_none() {
            // Under these limits an engine that is well plays the game to its end everywhere.
            let kept = GameRecord { worker: Some(delivery.worker.clone()), ..second };
            self.raise_alarm(&kept, &first, &earlier.worker, "reason".to_owned());
            earlier.acknowledge().await;
            return self.take_games(course, delivery, desk).await;
        }
        if !agrees {
            self.note(format!(
                "game {} ended by a fault at worker {} ({}), but not at {}: it counts, and is no \
                 reason to withdraw the engine",
                first.id, earlier.worker, first.reason, delivery.worker
            ));
        }
        let opinion = SecondOpinion { worker: delivery.worker.clone(), agrees };
        course.opinions.insert(first.id, Some(opinion));
        self.take_games(course, earlier, desk).await?;
        if self.is_timeless {
            // It may hold further games, and both copies are compared.
            return self.take_games(course, delivery, desk).await;
        }
        delivery.acknowledge().await;
        Ok(())
    }

    /// Asks another worker to play a game again: the next one of a pairing, after these games of its
    /// session.
    pub(super) async fn ask_again(&self, part: &Part, earlier: Vec<GameRecord>, game: &GameRecord) {
        let played_by = game.worker.clone().unwrap_or_default();
        let again = Again { game: game.id.to_string(), played_by };
        let pairing = JobPairing::new(&part.missing, part.opening.as_ref(), earlier);
        let name = names::again(game.id);
        self.publish_job(Purpose::Again(game.id), &name, vec![pairing], Some(again)).await;
    }

    /// Takes back the request to play a game again.
    async fn take_back(&self, game: GameId) {
        let Some(job) = lock(&self.published).remove(&Purpose::Again(game)) else { return };
        store::purge(&self.context, names::JOBS, &job.subject).await;
    }

    /// Has another worker play a sample of new games again, after they have been written.
    pub(super) async fn sample(&self, course: &Course, new: &[GameRecord]) {
        if !self.is_timeless {
            return;
        }
        for game in new {
            let worker = game.worker.as_deref().unwrap_or_default();
            let is_drawn = game.offender.is_none()
                && self.tournament.samples(game.id, self.settings.recheck)
                && lock(&self.workers).has_another(worker);
            let Some(part) = course.part_of(game.id).filter(|_| is_drawn) else { continue };
            let number = game.id.of_session.map_or(0, |number| number.get() as usize - 1);
            let before = part.missing.before[..number].to_vec();
            let missing = Missing { before, ..part.missing.clone() };
            let Ok(earlier) = self.earlier_games(&missing) else { continue };
            self.ask_again(&part.at(missing), earlier, game).await;
        }
    }

    /// Whether games of these pairings are being played again.
    pub(super) fn compares(&self, pairings: &[PairingId]) -> bool {
        let is_open = |purpose: &Purpose| matches!(purpose, Purpose::Again(game) if pairings.contains(&game.pairing));
        lock(&self.published).keys().any(is_open)
    }

    /// A game that is known has arrived from another worker, perhaps on request.
    pub(super) async fn is_compared(&self, game: GameId, worker: &str) {
        let is_by_another = |job: &Published| job.not_by.as_deref() != Some(worker);
        let purpose = Purpose::Again(game);
        let is_asked = lock(&self.published).get(&purpose).is_some_and(is_by_another);
        if is_asked {
            self.take_back(game).await;
        }
    }

    /// Waits no longer for other workers when there have been none for a while.
    pub(super) async fn look_for_others(
        &self,
        course: &mut Course,
        pairings: &[PairingId],
        desk: &Desk,
    ) -> Result<(), RunError> {
        let mut alone = Vec::new();
        for (purpose, job) in lock(&self.published).iter_mut() {
            let (Purpose::Again(game), Some(worker)) = (purpose, &job.not_by) else { continue };
            if !pairings.contains(&game.pairing) {
                continue;
            }
            let has_another = lock(&self.workers).has_another(worker);
            job.alone = job.alone.or(Some(Instant::now())).filter(|_| !has_another);
            if job.alone.is_some_and(|since| since.elapsed() >= self.settings.redeliver) {
                alone.push(*game);
            }
        }
        for id in alone {
            self.take_back(id).await;
            let is_it = |it: &InDoubt| it.game.id == id;
            let Some(place) = course.in_doubt.iter().position(is_it) else { continue };
            let InDoubt { delivery, .. } = course.in_doubt.remove(place);
            course.opinions.insert(id, None);
            self.take_games(course, delivery, desk).await?;
        }
        Ok(())
    }
}
