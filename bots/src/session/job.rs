//! Jobs: everything that needs the bot or takes long.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use fanorona_protocol::messages::{Info, Reply, Value};
use fanorona_protocol::rules::{Game, Move, Position, Ruleset, divide, perft};

use super::output::Output;
use crate::bench::{self, Measure};
use crate::bot::{Bot, Choice, Observer, OptionError, RootMove, Task};
use crate::budget::{Budget, Listener};

/// The number of plies that a perft counts between two looks for `stop`.
const PERFT_UNBROKEN: u32 = 5;

/// A job for the driver.
pub(super) enum Job {
    SetOption {
        name: String,
        value: String,
    },
    NewGame,
    Value {
        game: Game,
    },
    Search {
        game: Game,
        moves: Vec<RootMove>,
        budget: Budget,
    },
    Perft {
        position: Position,
        rules: Ruleset,
        depth: u32,
        stop: Arc<AtomicBool>,
        listener: Option<Listener>,
    },
    Bench,
}

/// The result of a job.
pub(super) enum JobResult {
    Option(Result<(), OptionError>),
    NewGame,
    Value(Option<Value>),
    /// The choice, and the reply that the bot expects, if its last line holds one.
    Search(Choice, Option<Move>),
    Perft(u64),
    Bench(Measure),
}

impl Job {
    /// Runs the job.
    pub(super) fn run(self, bot: &mut dyn Bot, output: &mut Output) -> JobResult {
        match self {
            Job::SetOption { name, value } => JobResult::Option(bot.set_option(&name, &value)),
            Job::NewGame => {
                bot.new_game();
                JobResult::NewGame
            }
            Job::Value { game } => JobResult::Value(bot.value(&game)),
            Job::Search { game, moves, budget } => {
                let task = Task { game: &game, moves: &moves, budget: &budget };
                let mut observer = Expectation { output, line: Vec::new() };
                let choice = bot.choose(&task, &mut observer);
                let expected = match observer.line[..] {
                    [first, reply, ..] if first == choice.mv => Some(reply),
                    _ => None,
                };
                JobResult::Search(choice, expected)
            }
            Job::Perft { position, rules, depth, stop, listener } => {
                let is_stopped = || {
                    if let Some(listener) = &listener {
                        listener.listen();
                    }
                    stop.load(Ordering::Relaxed)
                };
                JobResult::Perft(count(&position, &rules, depth, &is_stopped, output))
            }
            Job::Bench => JobResult::Bench(bench::run(bot)),
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
    is_stopped: &dyn Fn() -> bool,
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
            match stoppable(&next, rules, depth - 1, is_stopped) {
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
fn stoppable(
    position: &Position,
    rules: &Ruleset,
    depth: u32,
    is_stopped: &dyn Fn() -> bool,
) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= PERFT_UNBROKEN {
        return Some(perft(position, rules, depth));
    }
    let mut total = 0;
    let flow = position.visit_moves(rules, |_, effect| {
        match stoppable(&position.apply_unchecked(effect), rules, depth - 1, is_stopped) {
            Some(count) => {
                total += count;
                ControlFlow::Continue(())
            }
            None => ControlFlow::Break(()),
        }
    });
    flow.is_continue().then_some(total)
}
