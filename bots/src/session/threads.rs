//! The driver of the programs: one thread reads, one owns the bot and runs everything that takes long,
//! and between them the session waits for events, so it can answer `isready` and react to `stop` at any
//! time.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use fanorona_endgames::program::{STORAGE, eprint_line};
use fanorona_protocol::messages::{LineBuffer, MAX_LINE, TooLong};

use super::job::{Job, JobResult};
use super::output::Output;
use super::{JobKind, Session};
use crate::bot::Bot;

/// The stack size of the thread that owns the bot. Searches recurse once for every ply.
const STACK: usize = 64 << 20;

/// The longest time that a perft may continue after the end of input or `quit`.
const QUIT_GRACE: Duration = Duration::from_secs(5);

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
    let (jobs, for_worker) = channel();
    let output = Output::new(output);
    let mut session = Session::new(&*bot, output.clone(), jobs, None);
    start_worker(bot, output, for_worker, events.clone())?;
    // Detached on purpose: the thread may wait for input that never comes.
    thread::Builder::new().name("input".into()).spawn(move || read(input, &events))?;
    let (mut deadline, mut kept) = (None, VecDeque::new());
    while !session.is_over() {
        match next_event(&mut session, deadline, &inbox, &mut kept) {
            Event::Line(line, at) => session.read(&line, at)?,
            Event::Unreadable(why, at) => session.unreadable(why, at)?,
            Event::End => session.close()?,
            Event::Done(done) => session.done(done)?,
            Event::Panicked => return Err(io::Error::other("the bot has panicked")),
        }
        session.drain()?;
        if session.closing {
            deadline.get_or_insert_with(|| Instant::now() + QUIT_GRACE);
        }
    }
    Ok(())
}

/// An event for the session.
enum Event {
    /// A line was read at this time.
    Line(String, Instant),
    /// A line was too long.
    Unreadable(TooLong, Instant),
    /// The input has ended.
    End,
    /// A job has ended.
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
            Err(error) => Event::Unreadable(error, now),
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

/// Waits for the next event; with a deadline, a perft ends there at the latest. While the bot answers a
/// request, the next line is kept, because it may depend on it.
fn next_event(
    session: &mut Session,
    deadline: Option<Instant>,
    inbox: &Receiver<Event>,
    kept: &mut VecDeque<Event>,
) -> Event {
    while session.runs(JobKind::Request) {
        match inbox.recv().unwrap_or(Event::Panicked) {
            event @ (Event::Done(_) | Event::Panicked) => return event,
            event => kept.push_back(event),
        }
    }
    if let Some(event) = kept.pop_front() {
        return event;
    }
    if let Some(deadline) = deadline.filter(|_| session.runs(JobKind::Perft)) {
        match inbox.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(event) => return event,
            Err(RecvTimeoutError::Timeout) => session.stop(),
            Err(RecvTimeoutError::Disconnected) => return Event::Panicked,
        }
    }
    inbox.recv().unwrap_or(Event::Panicked)
}

/// Starts the thread that owns the bot.
fn start_worker(
    mut bot: Box<dyn Bot>,
    mut output: Output,
    jobs: Receiver<Job>,
    events: Sender<Event>,
) -> io::Result<()> {
    let work = move || {
        let guard = PanicGuard(events.clone());
        while let Ok(job) = jobs.recv() {
            let done = job.run(&mut *bot, &mut output);
            if events.send(Event::Done(done)).is_err() {
                break;
            }
        }
        std::mem::forget(guard);
    };
    thread::Builder::new().name("search".into()).stack_size(STACK).spawn(work)?;
    Ok(())
}

/// Notifies the session when the thread unwinds.
struct PanicGuard(Sender<Event>);

impl Drop for PanicGuard {
    fn drop(&mut self) {
        // Sending fails only if the session has ended.
        let _ = self.0.send(Event::Panicked);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{Choice, Observer, OptionError, Task};
    use fanorona_protocol::messages::{Limits, OptionSpec};
    use std::sync::{Arc, Mutex};

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
