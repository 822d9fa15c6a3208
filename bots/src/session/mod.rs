//! The engine side of the protocol: reads commands, tracks the game, runs the bot and prints its
//! answers.
//!
//! Three threads communicate by messages. The reader splits bytes into lines. The worker owns the
//! bot and runs everything that takes long. The session between them only ever waits for the next
//! event, so it can answer `isready` and react to `stop` at any time. Only the session, and the
//! observer that it lends to the bot, print.
//!
//! While the worker is busy, commands that need the bot or change the game wait in a queue. Every
//! `go` gets exactly one `bestmove`, in order. End of input and `quit` end a running search, which
//! still prints its `bestmove`; a perft or a bench may finish.

mod game;
#[cfg(feature = "tune")]
mod node_clock;
mod options;
mod output;
mod worker;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use fanorona_endgames::program::{STORAGE, eprint_line};
use fanorona_protocol::messages::{
    BestMove, Command, CommandError, Dialect, Limits, LineBuffer, MAX_LINE, OptionSpec, Query,
    Reply, TooLong, ValueResponse,
};
use fanorona_protocol::rules::{Game, Move};

use crate::bot::Bot;
#[cfg(not(feature = "tune"))]
use crate::budget::Budget;
use crate::platform::processor::Level;
use options::Options;
use output::Output;
use worker::{Job, JobResult, Worker};

/// The longest time that a perft may continue after the end of input or `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(5);

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

/// Runs a bot on standard input and output until `quit` or the end of input. Output that cannot be
/// written, but for want of a reader, is exit code 74.
pub fn run(bot: impl Bot + 'static) -> ExitCode {
    match serve(Box::new(bot), io::stdin(), io::stdout()) {
        Ok(()) => ExitCode::SUCCESS,
        // The manager has closed the pipe, so an error message has no reader.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprint_line(format_args!("the session ended: {error}"));
            // An error of the system; the other one is a panic of the bot.
            let unwritten = error.raw_os_error().is_some();
            if unwritten { ExitCode::from(STORAGE) } else { ExitCode::FAILURE }
        }
    }
}

/// Runs a bot on any input and output until `quit` or the end of input.
///
/// # Errors
/// Fails when the output can no longer be written, or when the bot has panicked.
pub fn serve(
    bot: Box<dyn Bot>,
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<()> {
    let (events, inbox) = channel();
    let output = Output::new(output);
    let options = Options::new(&*bot);
    let startpos = game::startpos(options.rules);
    let name = bot.name();
    let worker = Worker::start(bot, output.clone(), events.clone())?;
    // Detached on purpose: the thread may wait for input that never comes.
    thread::Builder::new().name("input".into()).spawn(move || read(input, &events))?;
    let session = Session {
        name,
        options,
        output,
        worker,
        game: Some(startpos),
        running: None,
        queue: VecDeque::new(),
        closing: None,
    };
    session.run(&inbox)
}

/// An event for the session.
enum Event {
    /// A line was read at this time.
    Line(String, Instant),
    /// A line was too long.
    Unreadable(String),
    /// The input has ended.
    End,
    /// The worker has finished its job.
    Done(JobResult),
    /// The bot has panicked.
    Panicked,
}

/// Turns input into events until it ends. A read error counts as the end.
fn read(mut input: impl Read, events: &Sender<Event>) {
    let mut lines = LineBuffer::new(MAX_LINE);
    let mut chunk = [0; 16 * 1024];
    let send = |line: Result<Cow<'_, str>, TooLong>| {
        let now = Instant::now();
        // Sending fails only if the session has ended.
        let _ = events.send(match line {
            Ok(line) => Event::Line(line.into_owned(), now),
            Err(error) => Event::Unreadable(error.to_string()),
        });
    };
    loop {
        match input.read(&mut chunk) {
            Ok(0) => break,
            Ok(n) => lines.push(&chunk[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
        while let Some(line) = lines.next_line() {
            send(line);
        }
    }
    if let Some(line) = lines.finish() {
        send(line);
    }
    let _ = events.send(Event::End);
}

/// The job that the worker is running.
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
}

/// A request that waits for the worker, with the time when it was read.
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
    worker: Worker,
    /// The current game; `None` after a `position` command with an error.
    game: Option<Game>,
    running: Option<RunningJob>,
    queue: VecDeque<QueuedRequest>,
    /// Set at `quit` or the end of input: the deadline of a running perft.
    closing: Option<Instant>,
}

impl Session {
    fn run(mut self, inbox: &Receiver<Event>) -> io::Result<()> {
        while self.closing.is_none() || self.running.is_some() {
            match self.next_event(inbox) {
                Event::Line(line, at) if self.closing.is_none() => self.read(&line, at)?,
                Event::Unreadable(why) if self.closing.is_none() => self.output.text(&why)?,
                Event::Line(..) | Event::Unreadable(_) => {}
                Event::End => self.close()?,
                Event::Done(done) => self.done(done)?,
                Event::Panicked => return Err(io::Error::other("the bot has panicked")),
            }
            self.drain()?;
        }
        Ok(())
    }

    /// Waits for the next event; while closing, at most until the deadline of a perft.
    fn next_event(&mut self, inbox: &Receiver<Event>) -> Event {
        let perft = self.running.as_ref().is_some_and(|running| running.kind == JobKind::Perft);
        if let (Some(deadline), true) = (self.closing, perft) {
            match inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(event) => return event,
                Err(RecvTimeoutError::Timeout) => self.stop(),
                Err(RecvTimeoutError::Disconnected) => return Event::Panicked,
            }
        }
        inbox.recv().unwrap_or(Event::Panicked)
    }

    /// Handles a line: answers at once if possible, and queues the request otherwise.
    fn read(&mut self, line: &str, since: Instant) -> io::Result<()> {
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
            // After `stop`, `isready` waits for the answer of the stopped search.
            Command::IsReady if self.running.as_ref().is_some_and(|running| !running.stopped) => {
                self.output.reply(&Reply::ReadyOk)
            }
            command => {
                let request = Request::Execute(command);
                self.queue.push_back(QueuedRequest { request, since, stopped: false });
                Ok(())
            }
        }
    }

    /// Executes queued requests while the worker is free.
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
        if self.running.as_ref().is_some_and(|running| !running.stopped) {
            let waiting = self.queue.len();
            self.queue.retain(|w| !matches!(w.request, Request::Execute(Command::IsReady)));
            for _ in self.queue.len()..waiting {
                self.output.reply(&Reply::ReadyOk)?;
            }
        }
        Ok(())
    }

    /// Executes one command. The worker is free.
    fn execute(&mut self, command: Command, since: Instant, stopped: bool) -> io::Result<()> {
        match command {
            Command::IsReady => self.output.reply(&Reply::ReadyOk),
            Command::SetOption { name, value } => match self.options.set(&name, value.as_deref()) {
                Ok(Some((name, value))) => match self.worker.set_option(name, value) {
                    Ok(()) => Ok(()),
                    Err(error) => self.output.text(&error.to_string()),
                },
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
                self.worker.send(Job::NewGame);
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
                    self.worker.send(Job::Perft { position, rules, depth, stop });
                    Ok(())
                }
            },
            Command::Bench => {
                self.begin(JobKind::Bench, false);
                self.worker.send(Job::Bench);
                Ok(())
            }
            Command::Query(query) => self.query(query),
            // These never wait for the worker; commands of a later protocol have no answer.
            _ => Ok(()),
        }
    }

    /// Marks the worker as busy; returns the flag that ends its job.
    fn begin(&mut self, kind: JobKind, stopped: bool) -> Arc<AtomicBool> {
        // While closing, a new job must end at once.
        let stopped = stopped || (self.closing.is_some() && kind != JobKind::Bench);
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
        self.worker.send(Job::Search { game, moves, budget });
        Ok(())
    }

    fn query(&mut self, query: Query) -> io::Result<()> {
        let Some(game) = &self.game else {
            return self.output.reply(&Reply::Response("none".into()));
        };
        if let Some(answer) = game::answer(game, query) {
            return self.output.reply(&Reply::Response(answer));
        }
        let value = self.worker.value(game.clone());
        self.output.reply(&Reply::Response(ValueResponse(value).to_string()))
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
        self.closing.get_or_insert(Instant::now() + QUIT_GRACE);
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

    /// Prints the result of the worker's job.
    fn done(&mut self, done: JobResult) -> io::Result<()> {
        let Some(running) = &mut self.running else { return Ok(()) };
        match done {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{Choice, Observer, OptionError, Task};
    use fanorona_protocol::messages::OptionSpec;
    use std::sync::Mutex;

    /// A bot that rejects every value of its option.
    struct RejectingBot;

    impl Bot for RejectingBot {
        fn name(&self) -> &'static str {
            "stubborn"
        }

        fn options(&self) -> Vec<OptionSpec> {
            vec![OptionSpec::string("Place", "")]
        }

        fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
            let why = format!("{value}: there is nothing here: name another place").into();
            Err(OptionError { name: name.to_owned(), why })
        }

        fn new_game(&mut self) {}

        fn choose(&mut self, task: &Task<'_>, _: &mut dyn Observer) -> Choice {
            Choice { mv: task.moves[0].mv, nodes: 1 }
        }

        fn bench_limits(&self) -> Limits {
            Limits::with_depth(1)
        }
    }

    #[derive(Clone, Default)]
    struct Printed(Arc<Mutex<Vec<u8>>>);

    impl Write for Printed {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn an_unusable_option_value_is_reported_first() {
        let printed = Printed::default();
        let input = "setoption name place value attic\nisready\nquit\n";
        serve(Box::new(RejectingBot), input.as_bytes(), printed.clone()).unwrap();
        let text = String::from_utf8(printed.0.lock().unwrap().clone()).unwrap();
        let expected = "info string option Place keeps its value: attic: there is nothing here: \
                        name another place\nreadyok\n";
        assert_eq!(text, expected);
    }
}
