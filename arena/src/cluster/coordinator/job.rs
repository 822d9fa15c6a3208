//! One job: published, and open until its games are in the journal.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use tokio::sync::mpsc;
use tokio::time::sleep;

use super::super::messages::{self, Job, JobPairing, VERSION};
use super::super::{names, store, verify};
use super::open_jobs::{Delivery, Published};
use super::{Shared, lock};
use crate::pairing::ids::PairingId;
use crate::pairing::openings::Opening;
use crate::ratings::kind::Kind;
use crate::record::{GameRecord, JournalError, Reader};
use crate::tournament::progress;
use crate::tournament::runner::{Desk, Missing, RunError, draw_opening};

/// How long workers have to say what they play after they were asked to finish.
const ROLL_CALL: Duration = Duration::from_secs(5);

/// How often an open job looks whether it is abandoned.
const LOOK: Duration = Duration::from_millis(500);

/// A pairing of a job, with its results so far.
struct Part {
    missing: Missing,
    opening: Option<Opening>,
    is_complete: bool,
}

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
    }
}

impl Shared {
    /// Publishes a job and writes its games to the desk as they arrive. Returns the number of
    /// pairings that are complete.
    pub(super) async fn play_job(
        self: Arc<Shared>,
        job: Vec<Missing>,
        desk: Desk,
    ) -> Result<usize, RunError> {
        let mut parts = Vec::new();
        for missing in job {
            let opening = match missing.pairing.kind {
                Kind::Riatra | Kind::Vela => Some(draw_opening(&self.plan, missing.pairing).await),
                Kind::Session => None,
            };
            parts.push(Part { missing, opening, is_complete: false });
        }
        let (sender, mut inbox) = mpsc::unbounded_channel();
        let pairings: Vec<_> = parts.iter().map(|part| part.missing.pairing.id).collect();
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
            self.take_games(&mut parts, delivery, &desk).await?;
        }
        let mut is_published = false;
        let mut finishing: Option<Instant> = None;
        loop {
            let complete = parts.iter().filter(|part| part.is_complete).count();
            if complete == parts.len() {
                return Ok(complete);
            }
            if !is_published && !self.is_finishing.load(Ordering::Relaxed) {
                is_published = true;
                self.publish(&parts, open.pairings[0]).await;
            }
            tokio::select! {
                delivery = inbox.recv() => {
                    let delivery = delivery.expect("this job holds a sender");
                    self.take_games(&mut parts, delivery, &desk).await?;
                }
                () = sleep(LOOK) => {
                    if self.is_finishing.load(Ordering::Relaxed) {
                        let since = *finishing.get_or_insert_with(Instant::now);
                        let plays = lock(&self.workers).plays(open.pairings[0].0);
                        if since.elapsed() >= ROLL_CALL && !plays {
                            return Ok(complete);
                        }
                    }
                }
            }
        }
    }

    /// Publishes a job. If this fails, the keeper publishes it again.
    async fn publish(&self, parts: &[Part], key: PairingId) {
        let mut pairings = Vec::new();
        for part in parts {
            let earlier = match self.earlier_games(&part.missing) {
                Ok(games) => games,
                Err(why) => return self.warn(format!("a session cannot be published: {why}")),
            };
            pairings.push(JobPairing::new(&part.missing, part.opening.as_ref(), earlier));
        }
        let job = Job {
            version: VERSION,
            tournament: self.id.clone(),
            epoch: self.epoch,
            config: self.checksum.clone(),
            digest: self.digest.clone(),
            pairings,
        };
        let pairing = &parts[0].missing.pairing;
        let name = match pairing.kind {
            Kind::Riatra | Kind::Vela => pairing.pair.to_string(),
            Kind::Session => format!("{}-{}", pairing.pair, pairing.id),
        };
        let subject = names::job(&self.id, &self.digest, &name);
        let payload = messages::write(&job);
        let entry =
            Published { subject: subject.clone(), payload: payload.clone(), since: Instant::now() };
        lock(&self.published).insert(key, entry);
        let _ = store::publish_job(&self.context, subject, payload).await;
    }

    /// The games of a session that are in the journal.
    fn earlier_games(&self, missing: &Missing) -> Result<Vec<GameRecord>, JournalError> {
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

    /// Checks results against the schedule, writes them to the desk, and acknowledges them.
    async fn take_games(
        &self,
        parts: &mut [Part],
        delivery: Delivery,
        desk: &Desk,
    ) -> Result<(), RunError> {
        let worker = delivery.worker.clone();
        if let Some(void) = &delivery.results.void {
            desk.keep_void(void.clone()).await?;
            delivery.acknowledge().await;
            return Ok(());
        }
        let time_factor = lock(&self.workers).time_factor(&worker);
        // Games of a session are checked one after the other; if a later one is wrong, none counts.
        let mut after: Vec<Missing> = parts.iter().map(|part| part.missing.clone()).collect();
        let mut new = Vec::new();
        let mut wrong = None;
        for game in &delivery.results.games {
            let place = parts.iter().position(|part| part.missing.pairing.id == game.id.pairing);
            let Some(place) = place else {
                wrong = Some(format!("game {} does not belong to its job", game.id));
                break;
            };
            if self.is_known(game, &worker) {
                continue;
            }
            let Shared { plan, .. } = self;
            let opening = parts[place].opening.as_ref();
            let (tournament, openings) = (&plan.tournament, &plan.openings);
            if let Err(why) =
                verify::by_the_schedule(tournament, openings, &after[place], opening, game)
            {
                wrong = Some(why);
                break;
            }
            after[place].before.push(game.result);
            let mut game = game.clone();
            game.worker = Some(worker.clone());
            game.time_factor = game.time_factor.or(time_factor);
            new.push(game);
        }
        if let Some(why) = wrong {
            delivery.acknowledge().await;
            self.refuse(&worker, &why).await;
            return Ok(());
        }
        let is_complete = |missing: &Missing| match missing.pairing.kind {
            Kind::Riatra | Kind::Vela => !missing.before.is_empty(),
            Kind::Session => {
                progress::session_of(&self.plan.tournament, missing.before.iter().copied())
                    .is_none_or(|session| session.is_over())
            }
        };
        // Under clocks both games of a pair, and all games of a session, come from one worker.
        if !self.is_timeless && !new.is_empty() && !after.iter().all(is_complete) {
            delivery.acknowledge().await;
            return Ok(());
        }
        let ids: Vec<_> = new.iter().map(|game| game.id).collect();
        if !new.is_empty() {
            let offsets = desk.keep(new).await?;
            lock(&self.known).extend(ids.into_iter().zip(offsets));
        }
        for (part, missing) in parts.iter_mut().zip(after) {
            part.is_complete = is_complete(&missing);
            part.missing = missing;
        }
        delivery.acknowledge().await;
        Ok(())
    }
}
