//! Plays the games of a prepared tournament: reports its events, passes signals on, and writes the
//! results.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;
use std::fmt::Display;
use std::io;
use std::path::Path;
use std::sync::Arc;

use indicatif::HumanDuration;
use tokio::sync::{mpsc, oneshot};

use super::directory::resume_line;
use super::error::CliError;
use super::exit::Exit;
use super::machines::{Machines, Notice};
use super::signals::Signals;
use super::spectators::Spectators;
use crate::terminal::outlet::{Outlet, Stream};
use crate::terminal::output::{
    ProgressDisplay, READER_TIMEOUT, place_line, remarks, wrapped_for_stdout,
};
use crate::terminal::patience::Patience;
use crate::terminal::{screen, stdout};
use fanorona_engine::Supervisors;
use fanorona_ratings::FitProgress;
use fanorona_report::statistics::results::Results;
use fanorona_report::{events, html, terminal, words, write};
use fanorona_runner::{
    self, Closed, Event, Finish, Introduction, LocalVenue, Plan, Pool, RunError, Session, Snapshot,
    Stop, Venue,
};
use fanorona_tournament::config::Tournament;
use fanorona_tournament::diagnostics::EngineWarnings;
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::record::{JournalError, StorageError, Summary};

/// The options by which `run` and `resume` report progress and choose the exit code.
pub(super) struct RunOptions {
    /// Whether faults and void games change the exit code.
    strict: bool,
    /// Whether to print events instead of tables.
    json: bool,
    /// The identity and remarks of each engine.
    introductions: Vec<Introduction>,
    /// Standard output. Nothing is dropped, however late it is read.
    out: Outlet<String>,
    /// The spectators of the tournament.
    spectators: Spectators,
    /// The command that resumes it.
    resume: String,
}

/// No further game begins while this many bytes of events wait for a reader.
const MAX_UNREAD_BYTES: usize = 16 << 20;

impl RunOptions {
    /// Options with standard output for what they print. `strict` and `json` are those of the command
    /// line, and `resume` is the command that resumes the tournament.
    pub(super) fn new(
        (strict, json): (bool, bool),
        introductions: Vec<Introduction>,
        spectators: Spectators,
        resume: String,
    ) -> Result<RunOptions, CliError> {
        let mut stream = Stream::of(io::stdout());
        let print = move |line: String| stdout::remember(stream.line(&line));
        let out = Outlet::start(print).map_err(no_thread)?;
        Ok(RunOptions { strict, json, introductions, out, spectators, resume })
    }

    /// Returns the spectators of the tournament.
    pub(super) fn spectators(&self) -> &Spectators {
        &self.spectators
    }

    fn is_paused(&self) -> bool {
        self.spectators.has_paused()
    }

    fn print(&self, text: impl Display) {
        let text = text.to_string();
        let bytes = text.len();
        self.out.put(text, bytes);
    }

    fn emit(&self, event: events::Event<'_>) {
        if self.json {
            self.print(event.line());
        }
    }

    /// Prints the results, and a message about games without a result.
    fn conclude(
        &self,
        dir: &Path,
        tournament: &Tournament,
        results: &Results,
        without_result: Option<&str>,
    ) {
        if self.json {
            if let Some(text) = without_result {
                self.emit(events::Event::Warning { text: text.to_owned() });
            }
            self.emit(events::Event::standings(results));
            return;
        }
        self.print(format_args!("{}: {}", tournament.title(), results.extent.in_words()));
        self.print(wrapped_for_stdout(&terminal::results(results, screen::width())));
        if let Some(text) = without_result {
            self.print(text);
        }
        self.print(place_line("report", &dir.join(html::FILE)));
        self.print(place_line("results", dir));
    }

    /// Prints how to resume after an interruption; always the last line.
    fn stopped(&self, dir: &Path) {
        self.print(resume_line(self.resume.clone(), dir, self.json));
    }

    /// Whether the reader of the events is close enough behind for another game to begin. `paused` is
    /// the previous answer; a change is noted.
    fn keeps_up(&self, paused: &Cell<bool>, display: &RefCell<ProgressDisplay>) -> bool {
        let keeps_up = self.out.waiting() < MAX_UNREAD_BYTES;
        if paused.replace(!keeps_up) == keeps_up {
            display.borrow().note(match keeps_up {
                true => "the events are being read again: games continue",
                false => "the events are not being read: no further game begins until they are",
            });
        }
        keeps_up
    }

    /// Reports the start: the engines, and how many of the pairings are done.
    fn begin(&self, dir: &Path, plan: &Plan, counts: [u64; 2]) {
        let Plan { tournament, .. } = plan;
        let results = dir.display().to_string();
        self.emit(events::Event::started(tournament, results, plan.capacity.games, counts));
        for (engine, introduction) in tournament.engines.iter().zip(&self.introductions) {
            let (limit, identity) =
                (tournament.limit_of(engine).to_string(), &*introduction.identity);
            self.emit(events::Event::Engine { name: &engine.name, identity, limit });
        }
        for (launch, introduction) in plan.launches.iter().zip(&self.introductions) {
            for text in remarks(&launch.name, &introduction.remarks) {
                self.emit(events::Event::Warning { text });
            }
        }
    }
}

/// Reports the events of a tournament, as text or as JSON.
struct Observer<'o> {
    options: &'o RunOptions,
    tournament: &'o Tournament,
    warnings: EngineWarnings,
    /// The number of complete pairings.
    done: u64,
    /// The total number of pairings.
    total: u64,
}

impl Observer<'_> {
    fn see(&mut self, event: Event, display: &mut ProgressDisplay) {
        let options = self.options;
        match event {
            Event::GameBegins(begins) => {
                options.emit(events::Event::begins(&begins, self.tournament))
            }
            Event::Game(game, _) => {
                options.emit(events::Event::game(&game));
                display.game(&game);
                for note in &game.notes {
                    display.note(&format!("game {}: {note}", game.id));
                }
                for text in self.warnings.add(&game) {
                    display.note(&format!("warning: {text}"));
                    options.emit(events::Event::Warning { text });
                }
            }
            Event::Void(void) => {
                options.emit(events::Event::void(&void));
                display.note(&format!("game {} is void and played again: {}", void.id, void.why));
            }
            Event::PairingComplete => {
                self.done += 1;
                let (done, total) = (self.done, self.total);
                options.emit(events::Event::Pairing { done, total });
                display.pairing();
            }
            Event::Withdrawn(withdrawal) => {
                let name = &self.tournament.engines[withdrawal.engine.0].name;
                options.emit(events::Event::withdrawn(name, &withdrawal));
                display.note(&terminal::withdrawn(name, &withdrawal));
            }
            Event::Tested(state) => display.tested(words::running(&state)),
            Event::Weighed(counts) => display.tested(words::running_candidates(counts)),
            Event::StorageFailing(why, patience) => {
                let patience = HumanDuration(patience);
                options.emit(events::Event::Warning { text: why.clone() });
                display
                    .note(&format!("{why}; free some disk space: retries continue for {patience}"));
            }
            Event::StorageRecovered => display.note("finished games can be written again"),
            Event::Short(why) => {
                let text = format!(
                    "this machine lacks a resource that engines need to start ({why}); games wait \
                     until it is available, and no engine is blamed"
                );
                display.note(&text);
                options.emit(events::Event::Warning { text });
            }
            Event::Late(lost, within) => {
                let text = format!(
                    "the arena waited {:.1} of the last {:.0} s for a processor; this is not \
                     counted against engines, but play fewer games at once (`concurrency`) or \
                     leave the machine to the tournament",
                    lost.as_secs_f64(),
                    within.as_secs_f64(),
                );
                display.note(&format!("warning: {text}"));
                options.emit(events::Event::Warning { text });
            }
            Event::Finishing(games, patience) => {
                options.emit(events::Event::finishing(games, patience));
                let patience = HumanDuration(patience);
                display.note(&format!(
                    "no further game begins; {games} in progress may continue for {patience}; \
                     press Ctrl-C again to stop them"
                ));
            }
        }
    }
}

/// Plays the missing games and writes the results.
pub(super) async fn play(
    dir: &Path,
    plan: Plan,
    pool: Arc<Pool>,
    mut machines: Option<Machines>,
    signals: &mut Signals,
    mut session: Session,
    options: RunOptions,
) -> Result<Exit, CliError> {
    let plan = Arc::new(plan);
    let Snapshot { index, progress, .. } = &session.snapshot;
    let before = progress.finished(&plan.tournament, index);
    let total = progress.schedule().len();
    // Two closures print to the progress display: the one that watches events, and the one that
    // decides whether another game may begin.
    let display = RefCell::new(ProgressDisplay::new(total, before).map_err(no_thread)?);
    let paused = Cell::new(false);
    options.begin(dir, &plan, [before, total]);
    let mut observer = Observer {
        options: &options,
        tournament: &plan.tournament,
        warnings: EngineWarnings::new(&plan.tournament, plan.capacity.games),
        done: before,
        total,
    };
    let watch = |event: Event| observer.see(event, &mut display.borrow_mut());
    let may_begin = || options.keeps_up(&paused, &display) && !options.is_paused();
    let (stop, stops) = mpsc::unbounded_channel();
    let shown = options.spectators.begin(dir, stop.clone());
    let mut signalled = Exit::Done;
    let venue: Arc<dyn Venue> = match &mut machines {
        None => Arc::new(LocalVenue::new(plan.clone(), pool.clone())),
        Some(machines) => {
            pool.quit().await;
            let resume = options.resume.clone();
            tokio::select! {
                biased;
                exit = signals.next(&plan.supervisors) => {
                    display.into_inner().finish().await;
                    options.stopped(dir);
                    options.out.flushed(Some(READER_TIMEOUT)).await;
                    return Ok(exit);
                }
                begun = machines.begin(&plan, dir, &session.snapshot, resume) => begun?,
            }
        }
    };
    let mut fatal = None;
    let playing = session.run(&plan, venue, watch, may_begin, stops);
    let finish = tokio::select! {
        finish = playing => finish,
        never = listen(signals, &plan.supervisors, &stop, &mut signalled) => match never {},
        never = relay_notices(&mut machines, &stop, &options, &display, &mut fatal) => match never {},
    };
    if let Some(machines) = &machines {
        machines.end(finish.as_ref().ok().copied()).await;
    }
    drop(shown);
    // The directory stays locked until the results are written, also after an interruption.
    let Closed { snapshot, noted, lock: _lock } = session.close(&plan, &pool).await;
    let display = display.into_inner();
    let games = snapshot.counting();
    let without_result = without_result_message(&games, &options.resume);
    let is_faulty = games.iter().any(|game| game.is_void())
        || snapshot.index.games().iter().any(|game| game.fault.is_some());
    let written = written(dir, &plan, snapshot, signals, &display).await;
    display.finish().await;
    let end = End { finish, signalled, fatal, noted, without_result, is_faulty };
    let exit = end.conclude(written, dir, &plan.tournament, &options);
    // After a signal, a reader that does not read delays the end only briefly.
    let patience = (signalled != Exit::Done).then_some(READER_TIMEOUT);
    tokio::select! {
        biased;
        _ = options.out.flushed(patience) => exit,
        asked = signals.next(&plan.supervisors) => exit.map(|_| asked),
    }
}

/// The end of a tournament's games.
struct End {
    finish: Result<Finish, RunError>,
    /// The exit code of the signal that interrupted them.
    signalled: Exit,
    /// Why the machines of a cluster cannot continue.
    fatal: Option<CliError>,
    /// Whether the end could be noted in `machine.json`.
    noted: Result<(), StorageError>,
    without_result: Option<String>,
    is_faulty: bool,
}

impl End {
    /// Prints the results, which have been written unless a signal prevented it, and returns the exit
    /// code.
    fn conclude(
        self,
        written: Result<Result<Results, JournalError>, Exit>,
        dir: &Path,
        tournament: &Tournament,
        options: &RunOptions,
    ) -> Result<Exit, CliError> {
        let results = match written {
            Ok(results) => results,
            Err(exit) => {
                options.stopped(dir);
                return Ok(exit);
            }
        };
        let finish = self.finish.map_err(|why| cut_short(why, &options.resume))?;
        if let Some(error) = self.fatal {
            return Err(error);
        }
        let results = results.map_err(|why| match why {
            JournalError::Storage(why) => cut_short(why.into(), &options.resume),
            why => why.into(),
        })?;
        self.noted.map_err(|why| cut_short(why.into(), &options.resume))?;
        options.conclude(dir, tournament, &results, self.without_result.as_deref());
        Ok(match finish {
            Finish::Interrupted => {
                options.stopped(dir);
                self.signalled
            }
            Finish::Complete => {
                options.emit(events::Event::Finished { results: dir.display().to_string() });
                if options.strict && self.is_faulty { Exit::Faults } else { Exit::Done }
            }
        })
    }
}

/// Prints what the machines of a cluster report, and stops the tournament when it cannot continue.
async fn relay_notices(
    machines: &mut Option<Machines>,
    stop: &mpsc::UnboundedSender<Stop>,
    options: &RunOptions,
    display: &RefCell<ProgressDisplay>,
    fatal: &mut Option<CliError>,
) -> Infallible {
    let Some(machines) = machines else { return std::future::pending().await };
    loop {
        match machines.report().await {
            Ok(Notice::Text(text)) => display.borrow().note(&text),
            Ok(Notice::Warning(text)) => {
                display.borrow().note(&format!("warning: {text}"));
                options.emit(events::Event::Warning { text });
            }
            Ok(Notice::Lost { why, patience }) => {
                display.borrow().note(&format!(
                    "warning: the NATS server is lost ({why}); workers finish their games, and it \
                     is waited for up to {}",
                    HumanDuration(patience)
                ));
                let seconds = patience.as_secs_f64();
                options.emit(events::Event::ServerLost { why: &why, seconds });
            }
            Ok(Notice::Back(after)) => {
                let seconds = after.as_secs_f64();
                display.borrow().note(&format!("the NATS server is back after {seconds:.0} s"));
                options.emit(events::Event::ServerBack { seconds });
            }
            Err(error) => {
                *fatal = Some(error);
                let _ = stop.send(Stop::AtOnce);
            }
        }
    }
}

/// Passes signals on as requests to stop, and keeps the exit code of the last one.
async fn listen(
    signals: &mut Signals,
    supervisors: &Supervisors,
    stop: &mpsc::UnboundedSender<Stop>,
    signalled: &mut Exit,
) -> Infallible {
    loop {
        let exit = signals.next(supervisors).await;
        // The first Ctrl-C lets the games in progress finish.
        let first = std::mem::replace(signalled, exit) == Exit::Done;
        let patient = first && exit == Exit::Interrupt;
        // The tournament may have ended at this moment, and its receiver with it.
        let _ = stop.send(if patient { Stop::Finish } else { Stop::AtOnce });
    }
}

/// The number of games without a result and how to play them again; `None` if there are none.
fn without_result_message(games: &[&Summary], resume: &str) -> Option<String> {
    let without = games.iter().filter(|game| game.result == GameResult::Void).count();
    let ours = games.iter().filter(|game| game.is_void()).count();
    if without == 0 {
        return None;
    }
    let have = if without == 1 { "has" } else { "have" };
    let mut text = format!("{without} of {} games {have} no result (*)", games.len());
    if ours > 0 {
        text += &format!(
            ", {ours} by faults of this machine; play them again, unless a decision depends on \
             them: {resume}"
        );
    } else {
        text += ": neither engine became ready";
    }
    Some(text)
}

/// Writes the results on a separate thread, so that signals are still handled. With many engines this
/// takes a while, and is said: the first signal prints a note, and the second one ends the wait, after which every
/// file is either complete or unchanged. An `Err` holds the exit code for that case.
async fn written(
    dir: &Path,
    plan: &Arc<Plan>,
    snapshot: Snapshot,
    signals: &mut Signals,
    display: &ProgressDisplay,
) -> Result<Result<Results, JournalError>, Exit> {
    let (done, mut results) = oneshot::channel();
    let (say, mut said) = mpsc::unbounded_channel();
    let snapshot = Arc::new(snapshot);
    let started = {
        let (dir, plan, snapshot) = (dir.to_owned(), plan.clone(), snapshot.clone());
        std::thread::Builder::new().spawn(move || {
            let Snapshot { index, progress, .. } = &*snapshot;
            // After a second signal the receivers are gone.
            let patience = Patience::new(|text: &str| {
                let _ = say.send(text.to_owned());
            });
            let watch = |at: FitProgress<'_>| patience.see(at);
            let written =
                write::write_all_files(&dir, &plan.tournament, index, progress, None, &watch);
            let _ = done.send(written);
        })
    };
    let Ok(writing) = started else {
        // If no thread is available, write the results on this one.
        return Ok(write::write_all_files(
            dir,
            &plan.tournament,
            &snapshot.index,
            &snapshot.progress,
            None,
            &|_| {},
        ));
    };
    let mut asked = false;
    loop {
        tokio::select! {
            biased;
            results = &mut results => return Ok(results.unwrap_or_else(|_| {
                std::panic::resume_unwind(writing.join().expect_err("it ends by giving results"))
            })),
            Some(text) = said.recv() => display.note(&text),
            exit = signals.next(&plan.supervisors) => {
                if std::mem::replace(&mut asked, true) {
                    return Err(exit);
                }
                display.note(
                    "writing the results; press Ctrl-C again to stop without them",
                );
            }
        }
    }
}

/// The error if the printing thread cannot be started.
fn no_thread(why: io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("cannot start the printing thread: {why}"))
}

/// The error for a tournament that had to stop, with how to resume it.
fn cut_short(why: RunError, resume: &str) -> CliError {
    let (exit, fix) = match why {
        RunError::Storage(_) => (Exit::Storage, "free some disk space"),
        RunError::Shortage(_) => (Exit::Storage, "free the resource named above"),
        RunError::Changed { .. } => {
            (Exit::Usage, "restore the file, or add --force to continue with the changed one")
        }
    };
    CliError::with_help(exit, why, format!("finished games are kept; {fix}, then: {resume}"))
}
