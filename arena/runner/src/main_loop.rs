//! The main loop: gets the pairings of the schedule played, here or elsewhere, and records every
//! finished game. It makes all decisions about what is played and when the tournament ends.

use std::sync::Arc;

use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use fanorona_engine::stall::{self, SchedulingLag};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::Pairing;
use fanorona_tournament::pairing::shard::Shard;
use fanorona_tournament::progress::candidates_run::CandidatesRun;
use fanorona_tournament::progress::sprt_run::SprtRun;
use fanorona_tournament::progress::{self, Progress};
use fanorona_tournament::record::{Index, Journal, Summary};
use tracing::debug;

use super::Plan;
use super::event::{Event, Finish, RunError, Stop};
use super::missing::Missing;
use super::venue::{GameSink, Venue};

/// The state of a tournament.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// The finished games.
    pub index: Index,
    /// The decisions based on them.
    pub progress: Progress,
}

impl Snapshot {
    /// A tournament before its first game.
    pub fn empty(tournament: &Tournament, shard: Shard) -> Snapshot {
        let index = Index::new(tournament.names());
        Snapshot { index, progress: Progress::new(tournament, shard) }
    }

    /// The finished games that count.
    pub fn counting(&self) -> Vec<&Summary> {
        self.index.games().iter().filter(|game| self.progress.counts(game)).collect()
    }
}

/// Plays the missing games of a plan at a venue. Every finished game is written to the journal,
/// added to the snapshot, and then passed to `watch`, in the order of finishing. No pairing begins
/// while `may_begin` returns `false`; games in progress continue. A message on `stops` ends the
/// tournament early.
///
/// # Errors
/// Returns an error if the journal cannot be written, or engines cannot be started through no fault
/// of theirs. The journal is intact then.
pub async fn run(
    plan: Arc<Plan>,
    venue: Arc<dyn Venue>,
    journal: Journal,
    snapshot: &mut Snapshot,
    mut watch: impl FnMut(Event),
    may_begin: impl Fn() -> bool,
    mut stops: mpsc::UnboundedReceiver<Stop>,
) -> Result<Finish, RunError> {
    let (sink, mut events) = GameSink::start(&plan.tournament, journal)?;
    let mut lateness = venue.stalls().map(SchedulingLag::begin);
    let mut pulse = interval(stall::TICK);
    pulse.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut jobs = Jobs::default();
    // Once it is set, no further game begins.
    let mut deadline: Option<Instant> = None;
    let finished = |at: &Snapshot| at.progress.finished(&plan.tournament, &at.index);
    // The finished pairings of which `watch` knows.
    let mut known = finished(snapshot);
    decide(&plan, snapshot, &mut watch);
    let outcome = loop {
        // After the end of the match, games in progress do not count any more.
        if snapshot.progress.is_stopped() {
            break Ok(Finish::Complete);
        }
        let held = deadline.is_none()
            && begin_pairings(&mut jobs, &*venue, &sink, &plan, snapshot, &mut watch, &may_begin);
        tokio::select! {
            biased;
            stop = stops.recv() => match stop {
                Some(Stop::Finish) if deadline.is_none() => {
                    venue.finish();
                    let patience = plan.tournament.finish_timeout;
                    deadline = Some(Instant::now() + patience);
                    watch(Event::Finishing(jobs.tasks.len(), patience));
                }
                _ => break Ok(Finish::Interrupted),
            },
            () = sleep_until(deadline.unwrap_or_else(Instant::now)), if deadline.is_some() => {
                break Ok(Finish::Interrupted);
            }
            _ = pulse.tick() => {
                if let (Some(stalls), Some(lateness)) = (venue.stalls(), &mut lateness) {
                    stalls.tick();
                    if let Some((lost, within)) = lateness.look(stalls) {
                        watch(Event::Late(lost, within));
                    }
                }
            }
            Some(event) = events.recv() => take_in(event, snapshot, &mut watch),
            ended = jobs.tasks.join_next(), if !held || !jobs.tasks.is_empty() => match ended {
                None if deadline.is_some() => break Ok(Finish::Interrupted),
                None => break Ok(Finish::Complete),
                Some(Ok(Err(error))) => break Err(error),
                Some(Ok(Ok(complete))) => {
                    while let Ok(event) = events.try_recv() {
                        take_in(event, snapshot, &mut watch);
                    }
                    known += complete as u64;
                    for _ in 0..complete {
                        watch(Event::PairingComplete);
                    }
                    decide(&plan, snapshot, &mut watch);
                }
                Some(Err(error)) => std::panic::resume_unwind(error.into_panic()),
            }
        }
    };
    jobs.tasks.shutdown().await;
    // The writer finishes the entries in its queue, and then ends.
    sink.hurry();
    drop(sink);
    while let Some(event) = events.recv().await {
        take_in(event, snapshot, &mut watch);
    }
    // Jobs that were stopped had written their last games.
    for _ in known..finished(snapshot) {
        watch(Event::PairingComplete);
    }
    decide(&plan, snapshot, &mut watch);
    outcome
}

/// The jobs of a tournament: those in flight, and where the schedule continues.
#[derive(Default)]
struct Jobs {
    /// The next pairing of the schedule.
    next: u64,
    tasks: JoinSet<Result<usize, RunError>>,
}

/// Begins pairings, the next one of the schedule first, until enough are in flight. Returns whether
/// pairings are held back: by `may_begin`, or because no machine is there to play them.
fn begin_pairings(
    Jobs { next, tasks }: &mut Jobs,
    venue: &dyn Venue,
    sink: &GameSink,
    plan: &Plan,
    snapshot: &Snapshot,
    watch: &mut impl FnMut(Event),
    may_begin: &impl Fn() -> bool,
) -> bool {
    let schedule = snapshot.progress.schedule();
    let room = venue.room();
    while tasks.len() < room {
        // The next pairings may depend on games in progress.
        if *next == schedule.drawn() {
            break;
        }
        // The question is repeated at every tick.
        if !may_begin() {
            return true;
        }
        let Some(missing) = take_next(next, plan, snapshot, watch) else { continue };
        debug!(pairing = %missing.pairing.id, "pairing begins");
        let mut job = vec![missing];
        if venue.takes_pairs() {
            let is_same =
                |other: Pairing| other.pair == job[0].pairing.pair && other.kind != Kind::Session;
            if *next < schedule.drawn() && schedule.pairing(*next).is_some_and(is_same) {
                job.extend(take_next(next, plan, snapshot, watch));
            }
        }
        tasks.spawn(venue.play(job, sink.clone()));
    }
    room == 0 && *next < schedule.drawn()
}

/// Moves past the next pairing of the schedule, and returns it if it has games left to play.
fn take_next(
    next: &mut u64,
    plan: &Plan,
    snapshot: &Snapshot,
    watch: &mut impl FnMut(Event),
) -> Option<Missing> {
    let pairing = snapshot.progress.schedule().pairing(*next);
    *next += 1;
    let Some(pairing) = pairing else {
        watch(Event::PairingComplete);
        return None;
    };
    let before = snapshot.index.of(pairing.id);
    if progress::is_finished(&plan.tournament, &pairing, before) {
        return None;
    }
    if snapshot.progress.skips(&pairing) {
        watch(Event::PairingComplete);
        return None;
    }
    let before = before.iter().map(|game| game.result).collect();
    Some(Missing { pairing, before, options: snapshot.progress.options() })
}

/// Updates the progress with the new games, and reports the new decisions.
fn decide(plan: &Plan, snapshot: &mut Snapshot, watch: &mut impl FnMut(Event)) {
    let Snapshot { index, progress, .. } = snapshot;
    let pairs = |progress: &Progress| progress.test().map_or(0, SprtRun::complete_pairs);
    let pairs_of_candidates =
        |progress: &Progress| progress.candidates().map_or(0, CandidatesRun::complete_pairs);
    let (withdrawn, tested) = (progress.withdrawals().len(), pairs(progress));
    let weighed = pairs_of_candidates(progress);
    progress.advance(&plan.tournament, index);
    for withdrawal in &progress.withdrawals()[withdrawn..] {
        watch(Event::Withdrawn(withdrawal.clone()));
    }
    if let Some(test) = progress.test().filter(|test| test.complete_pairs() > tested) {
        watch(Event::Tested(test.state()));
    }
    if let Some(run) = progress.candidates().filter(|run| run.complete_pairs() > weighed) {
        watch(Event::Weighed(run.counts()));
    }
}

/// Adds a finished game to the snapshot, and reports the event.
fn take_in(event: Event, snapshot: &mut Snapshot, watch: &mut impl FnMut(Event)) {
    if let Event::Game(game, offset) = &event {
        snapshot.index.add(game, *offset);
    }
    watch(event);
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::OnceLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    use fanorona_engine::Supervisors;
    use fanorona_tournament::config::{self, Overrides};
    use fanorona_tournament::pairing::openings::Openings;
    use fanorona_tournament::record::example::game;
    use fanorona_tournament::record::{GameRecord, Header, Lock};
    use tokio::time::sleep;

    use super::*;
    use crate::capacity::Capacity;
    use crate::venue::JobFuture;

    /// The plan of a tournament of four pairings, whose engines no venue of these tests starts.
    fn plan() -> Arc<Plan> {
        static PLAN: OnceLock<Arc<Plan>> = OnceLock::new();
        let text = "rounds = 1\nfinish_timeout = \"10m\"\nlimit = \"nodes=1\"\n\
                    [[engine]]\nname = \"a\"\ncommand = \"a\"\n\
                    [[engine]]\nname = \"b\"\ncommand = \"b\"\n";
        let plan = PLAN.get_or_init(|| {
            let tournament = config::parse("four", text, Path::new(""), &Overrides::default());
            let tournament = tournament.expect("a config");
            Arc::new(Plan {
                shard: Shard::WHOLE,
                openings: Openings::load(&tournament).expect("openings"),
                launches: Vec::new(),
                supervisors: Supervisors::new("arena").expect("the only ones of this process"),
                capacity: Capacity::new(&tournament, 2),
                live: None,
                dialogues: None,
                missing: Vec::new(),
                time_factor: None,
                notes: Vec::new(),
                tournament,
            })
        });
        plan.clone()
    }

    /// A venue of one job, which fails when its game is in the journal.
    struct Failing;

    impl Venue for Failing {
        fn room(&self) -> usize {
            1
        }

        fn takes_pairs(&self) -> bool {
            false
        }

        fn play(&self, job: Vec<Missing>, sink: GameSink) -> JobFuture {
            Box::pin(async move {
                let id = job[0].pairing.game(None).to_string();
                let game = GameRecord { white: "a".into(), black: "b".into(), ..game(&id) };
                sink.keep(vec![game]).await?;
                Err(RunError::Shortage("a test".to_owned()))
            })
        }

        fn finish(&self) {}

        fn stalls(&self) -> Option<&stall::StallMonitor> {
            None
        }
    }

    #[tokio::test]
    async fn a_pairing_whose_games_are_kept_is_told_of_also_after_a_failure() {
        let plan = plan();
        let dir = tempfile::tempdir().expect("a directory");
        let lock = Lock::take(dir.path()).expect("a lock");
        let journal = Journal::create(lock, &Header::new("four", "")).expect("a journal");
        let mut snapshot = Snapshot::empty(&plan.tournament, Shard::WHOLE);
        let mut told = Vec::new();
        let watch = |event| match event {
            Event::Game(game, _) => told.push(game.id.to_string()),
            Event::PairingComplete => told.push("complete".to_owned()),
            _ => {}
        };
        let (_stop, stops) = mpsc::unbounded_channel();
        let venue = Arc::new(Failing);
        let end = run(plan, venue, journal, &mut snapshot, watch, || true, stops).await;
        assert!(matches!(end, Err(RunError::Shortage(_))));
        assert_eq!(told, ["1", "complete"]);
    }

    /// A venue of two jobs at once, each of which takes this long and has no game to tell of.
    struct Slow {
        takes: Duration,
        finishing: AtomicBool,
    }

    impl Venue for Slow {
        fn room(&self) -> usize {
            2
        }

        fn takes_pairs(&self) -> bool {
            false
        }

        fn play(&self, job: Vec<Missing>, _sink: GameSink) -> JobFuture {
            assert!(!self.finishing.load(Ordering::Relaxed), "no further game begins");
            let takes = self.takes;
            Box::pin(async move {
                sleep(takes).await;
                Ok(job.len())
            })
        }

        fn finish(&self) {
            assert!(!self.finishing.swap(true, Ordering::Relaxed), "it is told once");
        }

        fn stalls(&self) -> Option<&stall::StallMonitor> {
            None
        }
    }

    /// A tournament whose jobs take this long, with messages after these times: how it ends, after how
    /// many seconds, the jobs that were complete, and those that were in progress when it was told to finish.
    async fn played(takes: u64, stops: &[(u64, Stop)]) -> (Finish, u64, usize, Option<usize>) {
        let plan = plan();
        let dir = tempfile::tempdir().expect("a directory");
        let lock = Lock::take(dir.path()).expect("a lock");
        let journal = Journal::create(lock, &Header::new("four", "")).expect("a journal");
        let mut snapshot = Snapshot::empty(&plan.tournament, Shard::WHOLE);
        let venue = Slow { takes: Duration::from_secs(takes), finishing: AtomicBool::new(false) };
        let (stop, told) = mpsc::unbounded_channel();
        let stops = stops.to_owned();
        tokio::spawn(async move {
            for (at, message) in stops {
                sleep(Duration::from_secs(at)).await;
                stop.send(message).expect("the tournament goes on");
            }
            std::future::pending::<()>().await;
        });
        let (mut complete, mut waited_for) = (0, None);
        let watch = |event| match event {
            Event::PairingComplete => complete += 1,
            Event::Finishing(jobs, patience) => {
                assert_eq!(patience, Duration::from_secs(600));
                waited_for = Some(jobs);
            }
            _ => {}
        };
        let begin = Instant::now();
        let venue = Arc::new(venue);
        let end = run(plan, venue, journal, &mut snapshot, watch, || true, told).await;
        // Time also passes while nothing but the journal's thread works: less than a second of it.
        (end.expect("nothing fails"), begin.elapsed().as_secs(), complete, waited_for)
    }

    #[tokio::test(start_paused = true)]
    async fn jobs_follow_each_other() {
        let played = played(100, &[]).await;
        assert_eq!(played, (Finish::Complete, 200, 4, None));
    }

    #[tokio::test(start_paused = true)]
    async fn games_in_progress_may_end_before_the_timeout() {
        let played = played(100, &[(150, Stop::Finish)]).await;
        assert_eq!(played, (Finish::Interrupted, 200, 4, Some(2)));
        let played = self::played(100, &[(50, Stop::Finish)]).await;
        assert_eq!(played, (Finish::Interrupted, 100, 2, Some(2)));
    }

    #[tokio::test(start_paused = true)]
    async fn games_in_progress_have_a_timeout() {
        let played = played(3600, &[(50, Stop::Finish)]).await;
        assert_eq!(played, (Finish::Interrupted, 650, 0, Some(2)));
    }

    #[tokio::test(start_paused = true)]
    async fn the_second_stop_is_at_once() {
        let played = played(3600, &[(50, Stop::Finish), (20, Stop::Finish)]).await;
        assert_eq!(played, (Finish::Interrupted, 70, 0, Some(2)));
        let played = self::played(3600, &[(50, Stop::AtOnce)]).await;
        assert_eq!(played, (Finish::Interrupted, 50, 0, None));
    }
}
