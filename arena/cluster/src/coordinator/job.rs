//! One job: published, and open until its games are in the journal.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::super::messages::{self, Job, JobPairing, VERSION};
use super::super::{names, store, verify};
use super::course::{JobProgress, Part, UnconfirmedFault};
use super::open_jobs::{Delivery, Published};
use super::{Shared, lock};
use fanorona_ratings::kind::Kind;
use fanorona_runner::{GameSink, Missing, RunError, draw_opening};
use fanorona_tournament::pairing::ids::PairingId;
use fanorona_tournament::pairing::openings::Opening;
use fanorona_tournament::progress;
use fanorona_tournament::record::{GameRecord, JournalError, Reader};
use tracing::debug;

/// The time workers have to say what they play after they were asked to finish.
const ROLL_CALL: Duration = Duration::from_secs(5);

/// The time after which an open job looks again whether it is abandoned.
const LOOK: Duration = Duration::from_millis(500);

/// A job's entry among the open ones; dropping it closes the job.
struct Open<'s> {
    shared: &'s Shared,
    pairings: Vec<PairingId>,
}

impl Drop for Open<'_> {
    fn drop(&mut self) {
        let mut routes = lock(&self.shared.routes);
        for pairing in &self.pairings {
            routes.open.remove(pairing);
        }
        lock(&self.shared.published).remove(&self.pairings[0]);
        lock(&self.shared.asked).retain(|game, _| !self.pairings.contains(&game.pairing));
    }
}

impl Shared {
    /// Publishes a job and writes its games to the sink as they arrive. Returns the number of
    /// pairings that are complete.
    pub(super) async fn play_job(
        self: Arc<Shared>,
        job: Vec<Missing>,
        sink: GameSink,
    ) -> Result<usize, RunError> {
        let mut course = JobProgress::default();
        for missing in job {
            let opening = match missing.pairing.kind {
                Kind::Riatra | Kind::Vela => Some(draw_opening(&self.plan, missing.pairing).await),
                Kind::Session => None,
            };
            course.parts.push(Part::new(missing, opening));
        }
        let (sender, mut inbox) = mpsc::unbounded_channel();
        let pairings: Vec<_> = course.parts.iter().map(|part| part.missing.pairing.id).collect();
        let open = Open { shared: &self, pairings: pairings.clone() };
        {
            let mut routes = lock(&self.routes);
            for pairing in pairings {
                routes.open.insert(pairing, sender.clone());
                if let Some(early) = routes.early.remove(&pairing) {
                    // The receiver is here.
                    let _ = sender.send(early);
                }
            }
        }
        while let Ok(delivery) = inbox.try_recv() {
            self.take_delivery(&mut course, delivery, &sink).await?;
        }
        let mut is_published = false;
        let mut finishing: Option<Instant> = None;
        loop {
            let complete = course.parts.iter().filter(|part| part.is_complete).count();
            let is_finishing = self.is_finishing.load(Ordering::Relaxed);
            if complete == course.parts.len() {
                if is_finishing || !self.compares(&open.pairings) {
                    return Ok(complete);
                }
            } else if !is_published && !is_finishing {
                is_published = true;
                self.publish(&course.parts).await;
            }
            tokio::select! {
                delivery = inbox.recv() => {
                    let delivery = delivery.expect("this job holds a sender");
                    self.take_delivery(&mut course, delivery, &sink).await?;
                }
                () = sleep(LOOK) => {
                    self.look_for_others(&mut course, &open.pairings, &sink).await?;
                    if self.is_finishing.load(Ordering::Relaxed) {
                        let since = *finishing.get_or_insert_with(Instant::now);
                        let plays = |pairing: &PairingId| lock(&self.workers).plays(pairing.0);
                        let is_played = open.pairings.iter().any(plays);
                        if since.elapsed() >= ROLL_CALL && !is_played {
                            return Ok(complete);
                        }
                    }
                }
            }
        }
    }

    /// Publishes a job. If this fails, the renewal of the lease publishes it again.
    async fn publish(&self, parts: &[Part]) {
        let mut pairings = Vec::new();
        for part in parts {
            let earlier = match self.earlier_games(&part.missing) {
                Ok(games) => games,
                Err(why) => return self.warn(format!("a session cannot be published: {why}")),
            };
            pairings.push(JobPairing::new(&part.missing, part.opening.as_ref(), earlier));
        }
        let pairing = &parts[0].missing.pairing;
        let name = match pairing.kind {
            Kind::Riatra | Kind::Vela => pairing.pair.to_string(),
            Kind::Session => format!("{}-{}", pairing.pair, pairing.id),
        };
        let subject = names::job(&self.id, &self.digest, &name);
        let payload = self.seal(&subject, messages::write(&self.job(pairings)));
        let entry =
            Published { subject: subject.clone(), payload: payload.clone(), since: Instant::now() };
        lock(&self.published).insert(pairing.id, entry);
        debug!(%subject, "job is published");
        let _ = store::publish_job(&self.context, subject, payload).await;
    }

    /// A job with these pairings.
    pub(super) fn job(&self, pairings: Vec<JobPairing>) -> Job {
        Job {
            version: VERSION,
            tournament: self.id.clone(),
            epoch: self.epoch,
            config: self.checksum.clone(),
            digest: self.digest.clone(),
            pairings,
        }
    }

    /// The games of a session that are in the journal.
    pub(super) fn earlier_games(&self, missing: &Missing) -> Result<Vec<GameRecord>, JournalError> {
        if missing.before.is_empty() {
            return Ok(Vec::new());
        }
        let mut reader = Reader::open(&self.dir)?;
        let numbers = (1..=missing.before.len() as u32).filter_map(NonZeroU32::new);
        let offsets: Vec<u64> = {
            let known = lock(&self.known);
            let ids = numbers.map(|number| missing.pairing.game(Some(number)));
            ids.filter_map(|id| known.get(&id).copied()).collect()
        };
        offsets.into_iter().map(|offset| reader.game(offset)).collect()
    }

    /// Publishes the open jobs again, those that have been open for at least `age`. The server keeps
    /// one message for each, so only lost ones are added.
    pub(super) async fn publish_again(&self, age: Option<Duration>) {
        let jobs: Vec<_> = lock(&self.published)
            .values()
            .filter(|job| age.is_none_or(|age| job.since.elapsed() >= age))
            .map(|job| (job.subject.clone(), job.payload.clone()))
            .collect();
        for (subject, payload) in jobs {
            if store::publish_job(&self.context, subject, payload).await.is_err() {
                return;
            }
        }
    }

    /// Checks results against the schedule, writes them to the sink, and acknowledges them. A game
    /// that ended by a fault waits for a second opinion first, if another worker can give one.
    pub(super) async fn take_games(
        &self,
        course: &mut JobProgress,
        delivery: Delivery,
        sink: &GameSink,
    ) -> Result<(), RunError> {
        let worker = delivery.worker.clone();
        if let Some(void) = &delivery.results.void {
            sink.keep_void(void.clone()).await?;
            delivery.acknowledge().await;
            return Ok(());
        }
        let time_factor = lock(&self.workers).time_factor(&worker);
        // Games of a session are checked one after the other; if a later one is wrong, none counts.
        let mut after: Vec<Missing> =
            course.parts.iter().map(|part| part.missing.clone()).collect();
        let mut new: Vec<GameRecord> = Vec::new();
        let mut wrong = None;
        let mut in_doubt = None;
        for game in &delivery.results.games {
            let of_game = |part: &Part| part.missing.pairing.id == game.id.pairing;
            let Some(place) = course.parts.iter().position(of_game) else {
                wrong = Some(format!("game {} does not belong to its job", game.id));
                break;
            };
            if self.is_known(game, &worker) {
                self.is_compared(game.id, &worker);
                continue;
            }
            let opening = course.parts[place].opening.as_ref();
            if let Err(why) = self.by_the_schedule(&after[place], opening, game) {
                wrong = Some(why);
                break;
            }
            let mut game = game.clone();
            game.worker = Some(worker.clone());
            game.time_factor = game.time_factor.or(time_factor);
            game.second_opinion = None;
            if game.offender.is_some() {
                match course.opinions.get(&game.id) {
                    Some(opinion) => game.second_opinion = opinion.clone(),
                    None if lock(&self.workers).has_another(&worker) => {
                        in_doubt = Some((place, game));
                        break;
                    }
                    None => {}
                }
            }
            after[place].before.push(game.result);
            new.push(game);
        }
        if let Some(why) = wrong {
            delivery.acknowledge().await;
            self.refuse(&worker, &why).await;
            return Ok(());
        }
        if let Some((place, game)) = &in_doubt {
            let part = course.parts[*place].at(after[*place].clone());
            let earlier = self.games_before(&part.missing, &new);
            self.ask_again(&part, earlier, game).await;
        }
        let is_complete = |missing: &Missing| match missing.pairing.kind {
            Kind::Riatra | Kind::Vela => !missing.before.is_empty(),
            Kind::Session => {
                progress::session_of(&self.plan.tournament, missing.before.iter().copied())
                    .is_none_or(|session| session.is_over())
            }
        };
        // Under clocks both games of a pair, and all games of a session, come from one worker.
        let is_part = !new.is_empty() && !after.iter().all(is_complete);
        if !self.is_timeless && (is_part || in_doubt.is_some()) {
            match in_doubt {
                Some((place, game)) => {
                    let missing = after.swap_remove(place);
                    course.in_doubt.push(UnconfirmedFault { game, missing, delivery });
                }
                None => delivery.acknowledge().await,
            }
            return Ok(());
        }
        if !new.is_empty() {
            let offsets = sink.keep(new.clone()).await?;
            lock(&self.known).extend(new.iter().map(|game| game.id).zip(offsets));
        }
        for (part, missing) in course.parts.iter_mut().zip(&after) {
            part.is_complete = is_complete(missing);
            part.missing = missing.clone();
        }
        self.sample(course, &new).await;
        match in_doubt {
            Some((place, game)) => {
                let missing = after.swap_remove(place);
                course.in_doubt.push(UnconfirmedFault { game, missing, delivery });
            }
            None => delivery.acknowledge().await,
        }
        Ok(())
    }

    /// Checks that a game is the one that its pairing needs next.
    pub(super) fn by_the_schedule(
        &self,
        missing: &Missing,
        opening: Option<&Opening>,
        game: &GameRecord,
    ) -> Result<(), String> {
        let (tournament, openings) = (&self.plan.tournament, &self.plan.openings);
        verify::by_the_schedule(tournament, openings, missing, opening, game)
    }

    /// The games of a session before the next one: those in the journal, then new ones.
    fn games_before(&self, missing: &Missing, new: &[GameRecord]) -> Vec<GameRecord> {
        let is_earlier = |game: &&GameRecord| game.id.pairing == missing.pairing.id;
        let new: Vec<_> = new.iter().filter(is_earlier).cloned().collect();
        let journalled = missing.before.len() - new.len();
        let missing = Missing { before: missing.before[..journalled].to_vec(), ..missing.clone() };
        let mut games = self.earlier_games(&missing).unwrap_or_default();
        games.extend(new);
        games
    }
}
