//! The engine side of the protocol: reads commands, tracks the game, runs the bot and prints its
//! answers.
//!
//! A session receives lines and the results of jobs, and never waits for one: whatever needs the bot is
//! a `Job` for its driver, which also hands it the lines. There are two drivers. That of the programs
//! ([`serve`]) has a thread that reads and one that owns the bot. A [`PolledSession`] does all in one
//! thread, as in a browser, and a job asks for new lines as often as it looks for `stop`. Only the
//! session, and the observer that it lends to the bot, print.
//!
//! While a job runs, commands that need the bot or change the game wait in a queue. Every
//! `go` gets exactly one `bestmove`, in order. End of input and `quit` end a running search, which
//! still prints its `bestmove`; a perft or a bench may finish.

mod game;
mod job;
#[cfg(feature = "tune")]
mod node_clock;
mod options;
mod output;
mod polled;
#[cfg(feature = "native")]
mod threads;

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, LazyLock, OnceLock};

use fanorona_protocol::messages::{
    BestMove, Command, CommandError, Dialect, Limits, OptionSpec, Query, Reply, TooLong,
    ValueResponse,
};
use fanorona_protocol::rules::{Game, Move};

use crate::bot::Bot;
#[cfg(not(feature = "tune"))]
use crate::budget::Budget;
use crate::budget::Listener;
use crate::platform::Instant;
use crate::platform::processor::Level;
use job::{Job, JobResult};
use options::Options;
use output::Output;
pub use polled::PolledSession;
#[cfg(feature = "native")]
pub use threads::{run, serve};

/// The deepest perft. One this deep would never finish, but the limit bounds its recursion.
const MAX_PERFT: u32 = 100;

/// The version of the bots, with the [level](Level) of the processor's instructions that they use.
pub fn version() -> &'static str {
    static VERSION: LazyLock<String> =
        LazyLock::new(|| format!("{} ({})", env!("CARGO_PKG_VERSION"), Level::best().name()));
    &VERSION
}

/// Name, version and level of a bot, like `bot-random 0.1.0 (x86-64-v3)`.
fn identity(name: &str) -> String {
    format!("{name} {}", version())
}

/// All options of a bot, including those of the session.
pub fn options(bot: &dyn Bot) -> Vec<OptionSpec> {
    Options::new(bot).specs().to_vec()
}

/// The job that is running.
struct RunningJob {
    /// The flag that ends the job.
    stop: Arc<AtomicBool>,
    kind: JobKind,
    /// Whether `stop` has been received for it.
    stopped: bool,
    /// The clock of a search in the opponent's time, to be set at `ponderhit`; `None` for others.
    pondering: Option<Arc<OnceLock<Instant>>>,
    /// The answer of an infinite search that ended by itself and waits for `stop`, or of one in the
    /// opponent's time that waits for `ponderhit`.
    pending: Option<Answer>,
}

/// The answer of a search: the move, and the reply that the bot expects.
#[derive(Clone, Copy)]
struct Answer {
    best: BestMove,
    expected: Option<Move>,
}

/// The kind of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum JobKind {
    /// A search; an infinite one answers only after `stop`.
    Search {
        infinite: bool,
    },
    Perft,
    Bench,
    /// An option, a new game or a query, which takes no time to speak of and cannot be stopped.
    Request,
}

/// A request that waits for the end of a job, with the time when it was read.
struct QueuedRequest {
    request: Request,
    since: Instant,
    /// Whether `stop` was received after it.
    stopped: bool,
}

/// The request of a line, executed in order.
enum Request {
    /// A command.
    Execute(Command),
    /// Forget the position, after a `position` command with an error.
    ForgetPosition,
    /// Print the answer to a line with an error, so that the manager does not wait for it.
    Answer(Reply),
}

struct Session {
    name: &'static str,
    options: Options,
    output: Output,
    /// The channel to which jobs go. One runs at a time.
    jobs: Sender<Job>,
    /// Hears new lines during a job, if only the job itself can ask for them.
    listener: Option<Listener>,
    /// The current game; `None` after a `position` command with an error.
    game: Option<Game>,
    running: Option<RunningJob>,
    queue: VecDeque<QueuedRequest>,
    /// Set at `quit` or the end of input.
    closing: bool,
}

impl Session {
    fn new(
        bot: &dyn Bot,
        output: Output,
        jobs: Sender<Job>,
        listener: Option<Listener>,
    ) -> Session {
        let options = Options::new(bot);
        Session {
            name: bot.name(),
            game: Some(game::startpos(options.rules)),
            options,
            output,
            jobs,
            listener,
            running: None,
            queue: VecDeque::new(),
            closing: false,
        }
    }

    /// Whether everything has been answered that came before `quit` or the end of input.
    fn is_over(&self) -> bool {
        self.closing && self.running.is_none()
    }

    /// Whether a job of this kind is running.
    fn runs(&self, kind: JobKind) -> bool {
        self.running.as_ref().is_some_and(|running| running.kind == kind)
    }

    /// Whether `isready` is answered while the running job goes on. After `stop` it waits for the
    /// answer of the stopped search.
    fn is_ready_meanwhile(&self) -> bool {
        !self.runs(JobKind::Request) && self.running.as_ref().is_some_and(|job| !job.stopped)
    }

    /// Handles a line: answers at once if possible, and queues the request otherwise.
    fn read(&mut self, line: &str, since: Instant) -> io::Result<()> {
        if self.closing {
            return Ok(());
        }
        let command = match line.parse::<Command>() {
            Ok(command) => command,
            Err(CommandError::Empty) => return Ok(()),
            Err(error) => {
                self.output.text(&error.to_string())?;
                let request = match error {
                    // Search anyway: every `go` needs its `bestmove`. The part with the error may
                    // have been the limit of the search, so an unlimited search gets one node.
                    CommandError::Go { mut limits, .. } => {
                        if !limits.is_finite() && !limits.infinite {
                            limits.nodes = Some(1);
                        }
                        Request::Execute(Command::Go(*limits))
                    }
                    CommandError::Query(_) => Request::Answer(Reply::Response("none".into())),
                    CommandError::Perft(_) => Request::Answer(Reply::PerftTotal(0)),
                    CommandError::Position(_) | CommandError::PositionTrailing(_) => {
                        Request::ForgetPosition
                    }
                    _ => return Ok(()),
                };
                self.queue.push_back(QueuedRequest { request, since, stopped: false });
                return Ok(());
            }
        };
        match command {
            Command::Stop => {
                self.queue.iter_mut().for_each(|waiting| waiting.stopped = true);
                self.stop();
                self.release()
            }
            Command::PonderHit => self.ponder_hit(since),
            Command::Quit => self.close(),
            Command::Handshake(dialect) => self.introduce(dialect),
            Command::IsReady if self.is_ready_meanwhile() => self.output.reply(&Reply::ReadyOk),
            command => {
                let request = Request::Execute(command);
                self.queue.push_back(QueuedRequest { request, since, stopped: false });
                Ok(())
            }
        }
    }

    /// Reports a line that was too long. What it asks for is unknown, but an old position would not
    /// be what the manager means.
    fn unreadable(&mut self, why: TooLong, since: Instant) -> io::Result<()> {
        if self.closing {
            return Ok(());
        }
        if why.is_position {
            let request = Request::ForgetPosition;
            self.queue.push_back(QueuedRequest { request, since, stopped: false });
        }
        self.output.text(&why.to_string())
    }

    /// Executes queued requests while no job runs.
    fn drain(&mut self) -> io::Result<()> {
        while self.running.is_none() {
            let Some(QueuedRequest { request, since, stopped }) = self.queue.pop_front() else {
                return Ok(());
            };
            match request {
                Request::Execute(command) => self.execute(command, since, stopped)?,
                Request::ForgetPosition => self.game = None,
                Request::Answer(reply) => self.output.reply(&reply)?,
            }
        }
        if self.is_ready_meanwhile() {
            let waiting = self.queue.len();
            self.queue.retain(|w| !matches!(w.request, Request::Execute(Command::IsReady)));
            for _ in self.queue.len()..waiting {
                self.output.reply(&Reply::ReadyOk)?;
            }
        }
        Ok(())
    }

    /// Executes one command. No job is running.
    fn execute(&mut self, command: Command, since: Instant, stopped: bool) -> io::Result<()> {
        match command {
            Command::IsReady => self.output.reply(&Reply::ReadyOk),
            Command::SetOption { name, value } => match self.options.set(&name, value.as_deref()) {
                Ok(Some((name, value))) => {
                    self.begin(JobKind::Request, false);
                    self.send(Job::SetOption { name, value });
                    Ok(())
                }
                Ok(None) => {
                    // The option may be `Rules`, which act at once on the present position.
                    if let Some(game) = &mut self.game {
                        game.set_rules(self.options.rules);
                    }
                    Ok(())
                }
                Err(why) => self.output.text(&why),
            },
            Command::NewGame => {
                self.game = Some(game::startpos(self.options.rules));
                #[cfg(feature = "tune")]
                self.options.node_clock.new_game();
                // `isready` waits for it: no clock may run while memory is cleared and tables are built.
                self.begin(JobKind::Request, false);
                self.send(Job::NewGame);
                Ok(())
            }
            Command::Position { start, moves } => {
                // The old position is gone even if the new one has an error.
                self.game = None;
                match game::set_up(&start, &moves, self.options.rules) {
                    Ok(game) => self.game = Some(game),
                    Err(why) => self.output.text(&why)?,
                }
                Ok(())
            }
            Command::Go(limits) => self.go(&limits, since, stopped),
            Command::Perft(depth) if depth > MAX_PERFT => {
                self.output.text(&format!("perft goes no deeper than {MAX_PERFT} plies"))?;
                self.output.reply(&Reply::PerftTotal(0))
            }
            Command::Perft(depth) => match &self.game {
                None => self.output.reply(&Reply::PerftTotal(0)),
                Some(game) => {
                    let (position, rules) = (*game.position(), *game.rules());
                    let stop = self.begin(JobKind::Perft, stopped);
                    let listener = self.listener.clone();
                    self.send(Job::Perft { position, rules, depth, stop, listener });
                    Ok(())
                }
            },
            Command::Bench => {
                self.begin(JobKind::Bench, false);
                self.send(Job::Bench);
                Ok(())
            }
            Command::Query(query) => self.query(query),
            // These never wait for a job; commands of a later protocol have no answer.
            _ => Ok(()),
        }
    }

    /// Sends a job to the driver. One that has ended reports that itself.
    fn send(&self, job: Job) {
        let _ = self.jobs.send(job);
    }

    /// Notes that a job runs; returns the flag that ends it.
    fn begin(&mut self, kind: JobKind, stopped: bool) -> Arc<AtomicBool> {
        // While closing, a new job must end at once.
        let stopped = stopped || (self.closing && kind != JobKind::Bench);
        let stop = Arc::new(AtomicBool::new(stopped));
        let (pondering, pending) = (None, None);
        self.running = Some(RunningJob { stop: stop.clone(), kind, stopped, pondering, pending });
        stop
    }

    fn go(&mut self, limits: &Limits, since: Instant, stopped: bool) -> io::Result<()> {
        let Some(game) = self.game.clone().filter(|game| !game::is_over(game)) else {
            return self.output.reply(&Reply::BestMove(BestMove::None));
        };
        let (moves, unknown) = game::root_moves(&game, &limits.search_moves);
        for why in unknown {
            self.output.text(&why)?;
        }
        let stop = self.begin(JobKind::Search { infinite: !limits.is_finite() }, stopped);
        let overhead = self.options.move_overhead;
        #[cfg(feature = "tune")]
        let budget = self.options.node_clock.budget(limits, game.position(), overhead, since, stop);
        #[cfg(not(feature = "tune"))]
        let budget = Budget::new(limits, game.position(), overhead, since, stop);
        let budget = match (limits.ponder, &mut self.running) {
            (true, Some(running)) => {
                let clock = running.pondering.insert(Arc::default());
                budget.pondering(clock.clone())
            }
            _ => budget,
        };
        let budget = match &self.listener {
            Some(listener) => budget.listening(listener.clone()),
            None => budget,
        };
        self.send(Job::Search { game, moves, budget });
        Ok(())
    }

    fn query(&mut self, query: Query) -> io::Result<()> {
        let Some(game) = &self.game else {
            return self.output.reply(&Reply::Response("none".into()));
        };
        if let Some(answer) = game::answer(game, query) {
            return self.output.reply(&Reply::Response(answer));
        }
        let game = game.clone();
        self.begin(JobKind::Request, false);
        self.send(Job::Value { game });
        Ok(())
    }

    fn introduce(&mut self, dialect: Dialect) -> io::Result<()> {
        self.output.reply(&Reply::Name(identity(self.name)))?;
        self.output.reply(&Reply::Author(env!("CARGO_PKG_AUTHORS").into()))?;
        for option in self.options.specs() {
            self.output.reply(&Reply::Option(option.clone()))?;
        }
        self.output.reply(&Reply::HandshakeOk(dialect))
    }

    /// Ends the running job as soon as possible.
    fn stop(&mut self) {
        if let Some(running) = &mut self.running {
            running.stopped = true;
            running.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Prints the answer of a search that waits for `stop` or `ponderhit`.
    fn release(&mut self) -> io::Result<()> {
        let pending = self.running.as_mut().and_then(|running| running.pending.take());
        let Some(Answer { best, expected }) = pending else { return Ok(()) };
        self.running = None;
        self.output.answer(best, expected)
    }

    /// The opponent has made the expected move: the search is one in the bot's own time from now on.
    fn ponder_hit(&mut self, since: Instant) -> io::Result<()> {
        for waiting in self.queue.iter_mut().rev() {
            if let Request::Execute(Command::Go(limits)) = &mut waiting.request
                && std::mem::take(&mut limits.ponder)
            {
                waiting.since = since;
                return Ok(());
            }
        }
        let Some(running) = &mut self.running else { return Ok(()) };
        let Some(clock) = running.pondering.take() else { return Ok(()) };
        clock.set(since).expect("only this sets it, and it is gone then");
        match running.kind {
            JobKind::Search { infinite: false } => self.release(),
            _ => Ok(()),
        }
    }

    /// Stops reading commands. Searches end, including one that only waits for `stop`. A perft may
    /// continue for a while.
    fn close(&mut self) -> io::Result<()> {
        self.closing = true;
        if self
            .running
            .as_ref()
            .is_some_and(|running| matches!(running.kind, JobKind::Search { .. }))
        {
            self.stop();
        }
        // Queued requests are still answered; their searches end at once.
        self.queue.iter_mut().for_each(|waiting| {
            waiting.stopped |= matches!(waiting.request, Request::Execute(Command::Go(_)));
        });
        self.release()
    }

    /// Prints the result of the job.
    fn done(&mut self, done: JobResult) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        match done {
            JobResult::Option(set) => {
                self.running = None;
                set.or_else(|error| self.output.text(&error.to_string()))
            }
            JobResult::NewGame => {
                self.running = None;
                Ok(())
            }
            JobResult::Value(value) => {
                self.running = None;
                self.output.reply(&Reply::Response(ValueResponse(value).to_string()))
            }
            JobResult::Search(choice, expected) => {
                #[cfg(feature = "tune")]
                self.options.node_clock.spend(choice.nodes);
                let best = BestMove::Move(choice.mv);
                let expected = expected.filter(|_| self.options.ponder);
                let infinite = running.kind == JobKind::Search { infinite: true };
                if (infinite || running.pondering.is_some()) && !running.stopped {
                    running.pending = Some(Answer { best, expected });
                    return Ok(());
                }
                self.running = None;
                self.output.answer(best, expected)
            }
            JobResult::Perft(total) => {
                self.running = None;
                self.output.reply(&Reply::PerftTotal(total))
            }
            JobResult::Bench(measure) => {
                self.running = None;
                self.output.text(&identity(self.name))?;
                self.output.reply(&Reply::BenchNodes(measure.nodes))?;
                self.output.reply(&Reply::BenchNps(measure.nps()))
            }
        }
    }
}
