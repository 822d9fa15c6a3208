//! A child process that communicates in lines, with limits on its output and on waiting times.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::messages::LineBuffer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, sleep_until, timeout_at};

use super::engine_exit::EngineExit;
use super::failure::Failure;
use super::line_log::LineLog;
use super::not_started::{NotStarted, Stage};
use super::program::Program;
use super::stderr::StandardError;
use super::supervisor_message::SupervisorMessage;
use super::system::cpu::CpuMeter;
use super::system::supervisors::{Supervised, Supervisors};
use super::transcript::shorten;
use fanorona_tournament::game::dialogue::{BoundedLog, Dialogue};
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::game::reported::{EngineOutput, Reported};
use fanorona_tournament::text::duration::duration_text;
use fanorona_tournament::text::safe_text;

/// The maximum length of a line from an engine, in bytes.
pub(super) const MAX_LINE: usize = 1 << 20;

/// The maximum output of an engine in response to one command, in bytes.
pub(super) const MAX_ANSWER: usize = 64 << 20;

/// The time to wait for the end of standard error after an invalid line.
const STDERR_WAIT: Duration = Duration::from_millis(5);

/// The maximum output of an engine that has exited which is still read, in bytes.
const MAX_REST: usize = 1 << 20;

/// The share of standard error in the dialogue of a game.
const STDERR_SHARE: usize = 8;

/// The size of one read, in bytes.
pub(super) const CHUNK: usize = 16 * 1024;

/// Why a listener has no result.
#[derive(Debug)]
pub(super) enum NoResponse {
    /// The deadline has passed.
    Late,
    /// The process failed.
    Broken(Failure),
}

/// A running process with its pipes. Dropping it ends the process and its descendants.
pub(super) struct Process {
    supervised: Supervised,
    stderr: StandardError,
    lines: LineBuffer,
    log: LineLog,
    /// The place in the engine's reports where the present move began.
    move_begin: MoveBegin,
    chunk: Box<[u8; CHUNK]>,
    /// The number of bytes read since the last command.
    bytes_read: usize,
    cpu: CpuMeter,
    /// Whether it is suspended until the next command.
    suspended: bool,
    /// The time a process has to exit after it closes its pipes.
    exit_grace: Duration,
}

/// The extent of an engine's reports when it was asked for a move.
#[derive(Clone, Copy, Default)]
struct MoveBegin {
    /// The number of errors.
    errors: u64,
    /// The number of bytes on standard error.
    stderr: u64,
}

impl Process {
    /// Starts a program with a supervisor. If the program cannot be run, the first communication
    /// fails.
    pub(super) fn start(
        program: &Program,
        exit_grace: Duration,
        supervisors: &Arc<Supervisors>,
    ) -> Result<Process, NotStarted> {
        let (supervised, stderr) = Supervisors::launch(supervisors, program)?;
        Ok(Process {
            stderr: StandardError::new(stderr).map_err(NotStarted::at(Stage::Supervisor))?,
            lines: LineBuffer::new(MAX_LINE),
            log: LineLog::default(),
            move_begin: MoveBegin::default(),
            chunk: Box::new([0; CHUNK]),
            bytes_read: 0,
            cpu: supervised.cpu_meter(),
            suspended: false,
            supervised,
            exit_grace,
        })
    }

    /// Why the program was not run; `None` if it was run or may have been.
    pub(super) async fn not_started(&mut self) -> Option<NotStarted> {
        match self.supervised.ended(Duration::ZERO).await {
            EngineExit::Ended(SupervisorMessage::NotStarted(why)) => Some(why),
            _ => None,
        }
    }

    /// Suspends the process and its descendants until the next command.
    pub(super) fn suspend(&mut self) {
        self.suspended = true;
        self.supervised.suspend();
    }

    /// Continues a suspended process and its descendants. Every command does this first.
    pub(super) fn resume(&mut self) {
        if std::mem::take(&mut self.suspended) {
            self.supervised.resume();
        }
    }

    /// Returns when no descendant of a suspended process runs any more.
    pub(super) async fn stopped(&self) {
        self.supervised.stopped().await;
    }

    /// Writes all bytes before the deadline. Earlier output does not count as a response.
    pub(super) async fn write(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Failure> {
        self.resume();
        self.bytes_read = 0;
        self.log.sent(bytes);
        let begin = Instant::now();
        let stdin = self.supervised.stdin.as_mut().expect("the input of an engine stays open");
        let written = {
            let mut deadline = pin!(sleep_until(deadline));
            tokio::select! {
                biased;
                written = stdin.write_all(bytes) => Some(written),
                () = &mut deadline => None,
            }
        };
        match written {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) => Err(self.exit_failure("input").await),
            None => {
                let detail =
                    format!("did not read its input for {}", duration_text(begin.elapsed()));
                Err(self.failure(Fault::Stall, detail))
            }
        }
    }

    /// The last lines of the conversation.
    pub(super) fn transcript(&self) -> Vec<String> {
        self.log.transcript.last_lines()
    }

    /// The last lines that the process printed, the last one possibly without an end. They are safe
    /// to show.
    pub(super) fn printed(&self) -> Vec<String> {
        let mut lines: Vec<String> = self.log.transcript.received_lines().collect();
        let unfinished = self.lines.unfinished();
        if !unfinished.is_empty() {
            let mut text = String::new();
            shorten(&unfinished, &mut text);
            lines.push(format!("{} (without a line end)", safe_text::line(&text)));
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// Keeps the lines of each game from now on, up to this many bytes.
    pub(super) fn keep_dialogue(&mut self, limit: usize) {
        self.log.dialogue = Some(BoundedLog::new(limit));
        self.stderr.keep_lines(limit / STDERR_SHARE);
    }

    /// Takes the engine's output since the last call.
    pub(super) fn take_output(&mut self) -> EngineOutput {
        let (first_lines, stderr) = self.stderr.take();
        let spoken = self.log.dialogue.as_mut().map(BoundedLog::take);
        let dialogue = spoken.zip(stderr).map(|(spoken, stderr)| Dialogue::new(spoken, stderr));
        let reported = Reported { stderr: first_lines, ..std::mem::take(&mut self.log.reported) };
        EngineOutput { reported, dialogue }
    }

    /// The answer to a move is there, or will not come: notes what was reported in it.
    pub(super) fn end_move(&mut self) {
        let MoveBegin { errors, stderr } = self.move_begin;
        let reported = &mut self.log.reported;
        reported.asked += 1;
        reported.stderr_moves += u32::from(self.stderr.written() > stderr);
        if self.log.errors > errors {
            reported.error_moves += 1;
            if reported.error_moves == 1 {
                reported.trace = self.stderr.since(stderr);
            }
        }
    }

    /// The processor time used by the process and its descendants.
    pub(super) fn cpu_time(&mut self) -> Duration {
        self.cpu.read()
    }

    /// The meter of that time, and of the waiting for a processor.
    pub(super) fn cpu(&mut self) -> &mut CpuMeter {
        &mut self.cpu
    }

    /// Discards output that was not asked for.
    pub(super) fn discard(&mut self) {
        loop {
            while let Some(line) = self.lines.next_line() {
                if let Ok(line) = line {
                    self.log.received(&line);
                }
            }
            // Only output that is already there: an endless stream must not block the arena.
            match self.read_now() {
                Some(n) if n > 0 && self.bytes_read <= MAX_LINE => {
                    self.lines.push(&self.chunk[..n]);
                }
                _ => return,
            }
        }
    }

    /// Reads available output without waiting; `None` if there is none, or at its end.
    fn read_now(&mut self) -> Option<usize> {
        use std::future::Future;
        use std::task::{Context, Poll, Waker};
        let mut context = Context::from_waker(Waker::noop());
        let read = pin!(self.supervised.stdout.read(&mut self.chunk[..]));
        match read.poll(&mut context) {
            Poll::Ready(Ok(n)) => {
                self.bytes_read += n;
                Some(n)
            }
            _ => None,
        }
    }

    /// Passes every line to a listener until that returns a result, at most for a timeout from
    /// `begin`, when the request was about to be written. Output does not extend it.
    pub(super) async fn listen<T>(
        &mut self,
        begin: Instant,
        timeout: Duration,
        late: Fault,
        expected: &str,
        on_line: impl FnMut(&str) -> Option<Result<T, Failure>>,
    ) -> Result<T, Failure> {
        self.converse(&mut &[][..], begin + timeout, on_line).await.map_err(|no_response| {
            match no_response {
                NoResponse::Broken(failure) => failure,
                NoResponse::Late => {
                    let waited = duration_text(begin.elapsed());
                    self.failure(late, format!("no {expected} within {waited}"))
                }
            }
        })
    }

    /// Begins a write that [`Process::converse`] performs, of which a move may be the answer, and counts
    /// the response from here.
    pub(super) fn begin(&mut self, bytes: &[u8]) {
        self.resume();
        self.move_begin = MoveBegin { errors: self.log.errors, stderr: self.stderr.written() };
        self.bytes_read = 0;
        self.log.sent(bytes);
    }

    /// Writes the remaining bytes and passes every line to a listener, both at once, until the
    /// listener returns a result. A process that prints much before it reads would otherwise block
    /// on one full pipe while the arena blocks on the other. After [`NoResponse::Late`] the
    /// conversation can be continued with a later deadline.
    pub(super) async fn converse<T>(
        &mut self,
        unsent: &mut &[u8],
        deadline: Instant,
        mut on_line: impl FnMut(&str) -> Option<Result<T, Failure>>,
    ) -> Result<T, NoResponse> {
        enum Event {
            Wrote(io::Result<usize>),
            Read(io::Result<usize>),
            Late,
        }
        let mut timer = pin!(sleep_until(deadline));
        // Every call writes once, even if the deadline has passed.
        let mut tried = unsent.is_empty();
        loop {
            while let Some(line) = self.lines.next_line() {
                let received = line.map(|line| {
                    self.log.received(&line);
                    on_line(&line)
                });
                match received {
                    Ok(None) => {}
                    Ok(Some(Ok(answer))) => return Ok(answer),
                    Ok(Some(Err(failure))) => {
                        // Related lines on standard error may still be in the pipe.
                        self.stderr.ended(STDERR_WAIT).await;
                        return Err(NoResponse::Broken(self.with_stderr(failure)));
                    }
                    Err(too_long) => return Err(self.flooded(too_long.to_string())),
                }
            }
            if let Some(too_long) = self.lines.overlong() {
                return Err(self.flooded(too_long.to_string()));
            }
            if self.bytes_read > MAX_ANSWER {
                return Err(
                    self.flooded(format!("printed more than {} MiB in one move", MAX_ANSWER >> 20))
                );
            }
            if tried && Instant::now() >= deadline {
                return Err(NoResponse::Late);
            }
            tried = true;
            let stdin = self.supervised.stdin.as_mut().expect("the input of an engine stays open");
            let event = tokio::select! {
                biased;
                wrote = stdin.write(unsent), if !unsent.is_empty() => Event::Wrote(wrote),
                read = self.supervised.stdout.read(&mut self.chunk[..]) => Event::Read(read),
                () = &mut timer => Event::Late,
            };
            match event {
                Event::Wrote(Ok(n @ 1..)) => *unsent = &unsent[n..],
                Event::Read(Ok(n @ 1..)) => {
                    self.bytes_read += n;
                    self.lines.push(&self.chunk[..n]);
                }
                Event::Late => return Err(NoResponse::Late),
                // A process that does not read cannot give a valid response, whatever it printed before.
                Event::Wrote(_) => {
                    return Err(NoResponse::Broken(self.exit_failure("input").await));
                }
                Event::Read(_) => {
                    return Err(NoResponse::Broken(self.exit_failure("output").await));
                }
            }
        }
    }

    fn flooded(&self, detail: String) -> NoResponse {
        NoResponse::Broken(self.failure(Fault::Flood, detail))
    }

    /// The failure of a process that closed this pipe. The pipes of a process that exited are
    /// closed at once, even if its descendants hold them, because the supervisor ends those too.
    async fn exit_failure(&mut self, closed: &str) -> Failure {
        let exit = self.supervised.ended(self.exit_grace).await;
        match exit {
            EngineExit::Running => self.discard(),
            _ => {
                // The last lines may still be in the pipes.
                self.stderr.ended(self.exit_grace).await;
                self.read_rest().await;
            }
        }
        match exit {
            EngineExit::Ended(message) => {
                let fault = match message {
                    SupervisorMessage::Exited(0) => Fault::Disconnect,
                    _ => Fault::Crash,
                };
                let excess = matches!(message, SupervisorMessage::TooMuch(_));
                Failure { excess, ..self.failure(fault, message.description()) }
            }
            EngineExit::SupervisorKilled => {
                let detail = "was killed because its supervisor process was killed";
                self.failure(Fault::Crash, detail)
            }
            EngineExit::Running => {
                let detail = format!("closed its {closed} but is still running");
                self.failure(Fault::Disconnect, detail)
            }
        }
    }

    /// Reads the rest of the output of a process that has exited, to show it.
    async fn read_rest(&mut self) {
        let deadline = Instant::now() + self.exit_grace;
        let mut rest = 0;
        self.discard();
        while rest < MAX_REST
            && let Ok(Ok(n @ 1..)) =
                timeout_at(deadline, self.supervised.stdout.read(&mut self.chunk[..])).await
        {
            rest += n;
            self.lines.push(&self.chunk[..n]);
            while let Some(line) = self.lines.next_line() {
                if let Ok(line) = line {
                    self.log.received(&line);
                }
            }
        }
    }

    pub(super) fn failure(&self, fault: Fault, detail: impl Into<String>) -> Failure {
        self.with_stderr(Failure::new(fault, detail))
    }

    fn with_stderr(&self, failure: Failure) -> Failure {
        Failure { stderr: self.stderr.text(), ..failure }
    }

    /// Waits for a process that was told to quit, then ends it with its descendants.
    pub(super) async fn end(mut self, max_wait: Duration) {
        // It does not matter whether it exited by itself.
        let _ = self.supervised.ended(max_wait).await;
        self.supervised.end(self.exit_grace).await;
    }
}
