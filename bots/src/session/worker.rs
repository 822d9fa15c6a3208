//! The thread that owns the bot and runs everything that takes long.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use fanorona_protocol::messages::{Info, Reply, Value};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset, divide, perft};

use super::Event;
use super::output::Output;
use crate::bench::{self, Measure};
use crate::bot::{Bot, Choice, Observer, OptionError, RootMove, Task};
use crate::budget::Budget;

/// The stack size of the thread. Searches recurse once for every ply.
const STACK: usize = 64 << 20;

/// The number of plies that a perft counts between two looks at the stop flag.
const PERFT_UNBROKEN: u32 = 5;

/// A job for the worker.
pub(super) enum Job {
    SetOption { name: String, value: String, answer: Sender<Result<(), OptionError>> },
    NewGame,
    Value { game: Game, answer: Sender<Option<Value>> },
    Search { game: Game, moves: Vec<RootMove>, budget: Budget },
    Perft { position: Position, rules: Ruleset, depth: u32, stop: Arc<AtomicBool> },
    Bench,
}

/// The result of a job. Options, new games and values answer through their own channels.
pub(super) enum JobResult {
    /// The choice, and the reply that the bot expects, if its last line holds one.
    Search(Choice, Option<Move>),
    Perft(u64),
    Bench(Measure),
}

/// The session's handle of the worker.
pub(super) struct Worker {
    jobs: Sender<Job>,
}

impl Worker {
    /// Starts the thread.
    pub(super) fn start(
        bot: Box<dyn Bot>,
        output: Output,
        events: Sender<Event>,
    ) -> io::Result<Worker> {
        let (jobs, inbox) = channel();
        let work = move || {
            let guard = PanicGuard(events.clone());
            work(bot, output, &inbox, &events);
            std::mem::forget(guard);
        };
        thread::Builder::new().name("search".into()).stack_size(STACK).spawn(work)?;
        Ok(Worker { jobs })
    }

    /// Sends a job. If the worker has panicked, the session receives [`Event::Panicked`] anyway.
    pub(super) fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    /// Sets an option of the bot and waits for it, because the next command may depend on it.
    pub(super) fn set_option(&self, name: String, value: String) -> Result<(), OptionError> {
        let (answer, done) = channel();
        self.send(Job::SetOption { name, value, answer });
        // A worker that has panicked is reported separately.
        done.recv().unwrap_or(Ok(()))
    }

    /// Asks for an exact value and waits for it: the bot knows it without a search or not at all.
    pub(super) fn value(&self, game: Game) -> Option<Value> {
        let (answer, value) = channel();
        self.send(Job::Value { game, answer });
        value.recv().ok().flatten()
    }
}

/// Notifies the session when the thread unwinds.
struct PanicGuard(Sender<Event>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        // Sending fails only if the session has ended.
        let _ = self.0.send(Event::Panicked);
    }
}

fn work(mut bot: Box<dyn Bot>, mut output: Output, inbox: &Receiver<Job>, events: &Sender<Event>) {
    while let Ok(job) = inbox.recv() {
        let done = match job {
            Job::SetOption { name, value, answer } => {
                // The session waits for the answer, unless it has ended.
                let _ = answer.send(bot.set_option(&name, &value));
                continue;
            }
            Job::NewGame => {
                bot.new_game();
                continue;
            }
            Job::Value { game, answer } => {
                // The session waits for the answer, unless it has ended.
                let _ = answer.send(bot.value(&game));
                continue;
            }
            Job::Search { game, moves, budget } => {
                let task = Task { game: &game, moves: &moves, budget: &budget };
                let mut observer = Expectation { output: &mut output, line: Vec::new() };
                let choice = bot.choose(&task, &mut observer);
                let expected = match observer.line[..] {
                    [first, reply, ..] if first == choice.mv => Some(reply),
                    _ => None,
                };
                JobResult::Search(choice, expected)
            }
            Job::Perft { position, rules, depth, stop } => {
                JobResult::Perft(count(&position, &rules, depth, &stop, &mut output))
            }
            Job::Bench => JobResult::Bench(bench::run(&mut *bot)),
        };
        if events.send(Event::Done(done)).is_err() {
            return;
        }
    }
}

/// Prints reports, and keeps the best line of the last one.
struct Expectation<'o> {
    output: &'o mut Output,
    line: Vec<Move>,
}

impl Observer for Expectation<'_> {
    fn info(&mut self, info: Info) {
        if info.multipv.is_none_or(|number| number == 1) && !info.pv.is_empty() {
            self.line.clone_from(&info.pv);
        }
        self.output.info(info);
    }
}

/// Prints the divide form of perft while counting; returns the total.
fn count(
    position: &Position,
    rules: &Ruleset,
    depth: u32,
    stop: &AtomicBool,
    output: &mut Output,
) -> u64 {
    let mut total = 0;
    let mut line = |mv: &Move, count| {
        total += count;
        // If the manager is gone, the session notices when it prints the total.
        let _ = output.reply(&Reply::PerftMove(*mv, count));
    };
    let flow = if depth <= PERFT_UNBROKEN {
        divide(position, rules, depth, |mv, count| {
            line(mv, count);
            ControlFlow::Continue(())
        })
    } else {
        position.visit_moves(rules, |mv, effect| {
            let next = position.apply_unchecked(effect);
            match stoppable(&next, rules, depth - 1, stop) {
                Some(count) => {
                    line(mv, count);
                    ControlFlow::Continue(())
                }
                None => ControlFlow::Break(()),
            }
        })
    };
    if depth == 0 {
        return 1;
    }
    if flow.is_break() {
        output.info(Info::text("perft was stopped: the total covers only the moves above"));
    }
    total
}

/// A perft that can be stopped: `None` if it was.
fn stoppable(position: &Position, rules: &Ruleset, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= PERFT_UNBROKEN {
        return Some(perft(position, rules, depth));
    }
    let mut total = 0;
    let flow = position.visit_moves(rules, |_, effect| {
        match stoppable(&position.apply_unchecked(effect), rules, depth - 1, stop) {
            Some(count) => {
                total += count;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    });
    flow.is_continue().then_some(total)
}
