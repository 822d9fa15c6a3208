//! Second opinions: games that another worker plays again. A game that ended by a fault counts when
//! another worker has played it, too, so that no single worker's word costs an engine anything. And of
//! the others a sample is played again under limits by nodes or depth, where both records must be equal.

use std::time::{Duration, Instant};

use super::super::messages::{self, JobPairing};
use super::super::names;
use super::course::{JobProgress, Part, UnconfirmedFault};
use super::duplicates::is_same_fault;
use super::open_jobs::{Delivery, ReplayRequest};
use super::{Shared, lock};
use fanorona_runner::{GameSink, Missing, RunError};
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::pairing::ids::{GameId, PairingId};
use fanorona_tournament::record::{GameRecord, SecondOpinion};

/// A request that has not been answered is repeated after this time.
const ASK_AGAIN: Duration = Duration::from_secs(5);

impl Delivery {
    fn game(&self, id: GameId) -> Option<&GameRecord> {
        self.results.games.iter().find(|game| game.id == id)
    }
}

impl Shared {
    /// Takes a delivery: as the second opinion that a game waits for, or as the first.
    pub(super) async fn take_delivery(
        &self,
        course: &mut JobProgress,
        delivery: Delivery,
        sink: &GameSink,
    ) -> Result<(), RunError> {
        let is_about = |it: &UnconfirmedFault| delivery.game(it.game.id).is_some();
        let Some(place) = course.in_doubt.iter().position(is_about) else {
            return self.take_games(course, delivery, sink).await;
        };
        if course.in_doubt[place].delivery.worker == delivery.worker {
            // The server sends again what is not acknowledged.
            course.in_doubt[place].delivery = delivery;
            return Ok(());
        }
        let UnconfirmedFault { game: first, missing, .. } = &course.in_doubt[place];
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
        let UnconfirmedFault { game: first, delivery: earlier, .. } = course.in_doubt.remove(place);
        self.take_back(first.id);
        let agrees = is_same_fault(&first, &second);
        if !agrees && self.is_timeless && second.offender.is_none() {
            // Under these limits an engine that is well plays the game to its end everywhere.
            let kept = GameRecord { worker: Some(delivery.worker.clone()), ..second };
            self.raise_alarm(&kept, &first, &earlier.worker, "reason".to_owned());
            earlier.acknowledge().await;
            return self.take_games(course, delivery, sink).await;
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
        self.take_games(course, earlier, sink).await?;
        if self.is_timeless {
            // It may hold further games, and both copies are compared.
            return self.take_games(course, delivery, sink).await;
        }
        delivery.acknowledge().await;
        Ok(())
    }

    /// Asks another worker to play a game again: the next one of a pairing, after these games of its
    /// session.
    pub(super) async fn ask_again(&self, part: &Part, earlier: Vec<GameRecord>, game: &GameRecord) {
        let pairing = JobPairing::new(&part.missing, part.opening.as_ref(), earlier);
        let job = messages::write(&self.job(vec![pairing]));
        let played_by = game.worker.clone().unwrap_or_default();
        let asked = ReplayRequest { job, played_by, last: None, alone: None };
        lock(&self.asked).insert(game.id, asked);
        self.ask(game.id).await;
    }

    /// Asks a worker that is there to play a game again, unless it was asked a moment ago. It may be
    /// asked twice: it plays the game once.
    async fn ask(&self, game: GameId) {
        let (subject, job) = {
            let mut asked = lock(&self.asked);
            let Some(asked) = asked.get_mut(&game) else { return };
            let last = asked.last.as_ref().map(|(worker, _)| &**worker);
            let worker = lock(&self.workers).another(&asked.played_by, last);
            asked.alone = asked.alone.or(Some(Instant::now())).filter(|_| worker.is_none());
            let Some(worker) = worker else { return };
            let is_recent =
                |(last, since): &(String, Instant)| *last == worker && since.elapsed() < ASK_AGAIN;
            if asked.last.as_ref().is_some_and(is_recent) {
                return;
            }
            let subject = names::again(&self.id, &worker);
            asked.last = Some((worker, Instant::now()));
            (subject, asked.job.clone())
        };
        let message = self.seal(&subject, job);
        // It is asked again if this is lost.
        let _ = self.client.publish(subject, message.into()).await;
    }

    /// Takes back the request to play a game again. A worker that plays it already sends a copy of a
    /// known game.
    fn take_back(&self, game: GameId) -> bool {
        lock(&self.asked).remove(&game).is_some()
    }

    /// Has another worker play a sample of new games again, after they have been written.
    pub(super) async fn sample(&self, course: &JobProgress, new: &[GameRecord]) {
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
        lock(&self.asked).keys().any(|game| pairings.contains(&game.pairing))
    }

    /// A game that is known has arrived from a worker, perhaps because it was asked.
    pub(super) fn is_compared(&self, game: GameId, worker: &str) {
        let mut asked = lock(&self.asked);
        if asked.get(&game).is_some_and(|asked| asked.played_by != worker) {
            asked.remove(&game);
        }
    }

    /// Asks again, and waits no longer for other workers when there have been none for a while.
    pub(super) async fn look_for_others(
        &self,
        course: &mut JobProgress,
        pairings: &[PairingId],
        sink: &GameSink,
    ) -> Result<(), RunError> {
        let of_job = |game: &&GameId| pairings.contains(&game.pairing);
        let games: Vec<GameId> = lock(&self.asked).keys().filter(of_job).copied().collect();
        for id in games {
            self.ask(id).await;
            let patience = self.settings.redeliver;
            let is_over = |since: Instant| since.elapsed() >= patience;
            let alone = lock(&self.asked).get(&id).and_then(|asked| asked.alone);
            if !alone.is_some_and(is_over) || !self.take_back(id) {
                continue;
            }
            let is_it = |it: &UnconfirmedFault| it.game.id == id;
            let Some(place) = course.in_doubt.iter().position(is_it) else { continue };
            let UnconfirmedFault { delivery, .. } = course.in_doubt.remove(place);
            course.opinions.insert(id, None);
            self.take_games(course, delivery, sink).await?;
        }
        Ok(())
    }
}
