//! The thread that holds the bot and does whatever takes long.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use fanorona_protocol::messages::{Info, Reply, Value};
use fanorona_protocol::rules::{History, Move, Position, Ruleset, divide, perft};

use super::Event;
use super::output::Output;
use crate::bench::{self, Measure};
use crate::bot::{Bot, Observer, OptionError, RootMove, Task};
use crate::budget::Budget;

/// Stack of the thread: searches recurse once for every ply.
const STACK: usize = 64 << 20;

/// Plies a perft counts without looking whether it should end.
const PERFT_UNBROKEN: u32 = 5;

/// What the worker is to do.
pub(super) enum Job {
    SetOption { name: String, value: String, answer: Sender<Result<(), OptionError>> },
    NewGame,
    Value { game: History, rules: Ruleset, answer: Sender<Value> },
    Search { game: History, rules: Ruleset, moves: Vec<RootMove>, budget: Budget },
    Perft { position: Position, rules: Ruleset, depth: u32, stop: Arc<AtomicBool> },
    Bench,
}

/// What it has done; options, new games and values are not told of here.
pub(super) enum Done {
    Search(Move),
    Perft(u64),
    Bench(Measure),
}

/// The session's end of the channel to the worker.
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

    /// Hands over a job. One that a broken worker no longer takes is reported as
    /// [`Event::Panicked`] anyway.
    pub(super) fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    /// Sets an option of the bot and waits until it is done: what comes next may depend on it.
    pub(super) fn set_option(&self, name: String, value: String) -> Result<(), OptionError> {
        let (answer, done) = channel();
        self.send(Job::SetOption { name, value, answer });
        // A worker that has broken is reported as such.
        done.recv().unwrap_or(Ok(()))
    }

    /// Asks for an exact value and waits for it: bots have it without searching or not at all.
    pub(super) fn value(&self, game: History, rules: Ruleset) -> Value {
        let (answer, value) = channel();
        self.send(Job::Value { game, rules, answer });
        value.recv().unwrap_or(Value::Unknown)
    }
}

/// Tells the session when the thread unwinds.
struct PanicGuard(Sender<Event>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        // A session that no longer listens has ended.
        let _ = self.0.send(Event::Panicked);
    }
}

fn work(mut bot: Box<dyn Bot>, mut output: Output, inbox: &Receiver<Job>, events: &Sender<Event>) {
    while let Ok(job) = inbox.recv() {
        let done = match job {
            Job::SetOption { name, value, answer } => {
                // The session waits for it, unless it has ended.
                let _ = answer.send(bot.set_option(&name, &value));
                continue;
            }
            Job::NewGame => {
                bot.new_game();
                continue;
            }
            Job::Value { game, rules, answer } => {
                // The session waits for it, unless it has ended.
                let _ = answer.send(bot.value(&game, &rules));
                continue;
            }
            Job::Search { game, rules, moves, budget } => {
                let task = Task { game: &game, rules: &rules, moves: &moves, budget: &budget };
                Done::Search(bot.choose(&task, &mut output).mv)
            }
            Job::Perft { position, rules, depth, stop } => {
                Done::Perft(count(&position, &rules, depth, &stop, &mut output))
            }
            Job::Bench => Done::Bench(bench::run(&mut *bot)),
        };
        if events.send(Event::Done(done)).is_err() {
            return;
        }
    }
}

/// The divide form of perft, printed as it is counted; gives the total.
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
        // A manager that has gone is noticed when the total is printed.
        let _ = output.reply(&Reply::PerftMove(*mv, count));
    };
    let flow = if depth <= PERFT_UNBROKEN {
        divide(position, rules, depth, |mv, count| {
            line(mv, count);
            ControlFlow::Continue(())
        })
    } else {
        position.visit_moves(rules, |mv, effect| {
            let next = position.play_unchecked(effect);
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
        output.info(Info::text("perft was stopped: the total is of the moves above only"));
    }
    total
}

/// Perft that gives up when told to.
fn stoppable(position: &Position, rules: &Ruleset, depth: u32, stop: &AtomicBool) -> Option<u64> {
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    if depth <= PERFT_UNBROKEN {
        return Some(perft(position, rules, depth));
    }
    let below = |effect| stoppable(&position.play_unchecked(effect), rules, depth - 1, stop);
    position.effects(rules).into_iter().map(below).sum()
}
