//! A conversation with one process of the tested engine, with a record of its lines.

use std::time::Duration;

use fanorona_protocol::messages::{BestMove, Reply};
use fanorona_protocol::rules::Move;
use tokio::time::Instant;

use super::mistake::{self, Evidence};
use super::move_tally::SharedTally;
use super::positions::Case;
use super::settings::Settings;
use super::verdict::{Cause, CheckFailure, NoReply};
use fanorona_engine::NotStarted;
use fanorona_engine::raw_process::{LaunchConfig, RawProcess, ReadOutcome, WriteError};
use fanorona_tournament::mutex::lock;

/// The maximum number of recorded lines.
const KEPT: usize = 400;

/// The time for output after the input is closed, of an engine that waited for nothing else.
const PROMPT: Duration = Duration::from_millis(300);

/// The time for output after that, when the cause of a missing response is investigated.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// The time for the output of a process that has closed its input.
const LAST_LINES: Duration = Duration::from_millis(200);

/// A process and the lines exchanged with it.
pub struct Conversation {
    process: RawProcess,
    sent: Vec<String>,
    received: Vec<String>,
    /// The number of bytes on standard error before the last command.
    stderr_before: u64,
    moves: SharedTally,
    /// The settings of the run.
    pub settings: Settings,
}

/// A response to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct GoReply {
    /// The move.
    pub best: BestMove,
    /// The whole line.
    pub line: String,
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// The time from the command to the line.
    pub time: Duration,
}

impl Conversation {
    /// Starts a process and sends nothing.
    pub(super) fn start(
        launch: &LaunchConfig,
        settings: Settings,
        moves: SharedTally,
    ) -> Result<Conversation, CheckFailure> {
        let not_started = |why: NotStarted| {
            CheckFailure::NoReply(NoReply {
                expected_word: "",
                cause: Cause::NotStarted(why.to_string()),
            })
        };
        let process = RawProcess::start(launch).map_err(not_started)?;
        let (sent, received) = (Vec::new(), Vec::new());
        Ok(Conversation { process, sent, received, stderr_before: 0, moves, settings })
    }

    /// Forgets earlier lines: a check begins.
    pub(super) fn begin(&mut self) {
        self.sent.clear();
        self.received.clear();
    }

    /// The lines sent since the check began.
    pub(super) fn sent(&self) -> &[String] {
        &self.sent
    }

    /// Sends a line.
    pub(super) async fn send(&mut self, line: &str) -> Result<(), CheckFailure> {
        self.send_bytes(format!("{line}\n").as_bytes()).await
    }

    /// Sends bytes unchanged, and records them as text.
    pub(super) async fn send_bytes(&mut self, bytes: &[u8]) -> Result<(), CheckFailure> {
        let text = String::from_utf8_lossy(bytes);
        // The last newline ends the last line; it does not begin another.
        let text = text.strip_suffix('\n').unwrap_or(&text);
        for line in text.split('\n') {
            keep(&mut self.sent, line.to_owned());
        }
        self.stderr_before = self.process.stderr_written();
        let deadline = Instant::now() + self.settings.timeout;
        let cause = match self.process.send(bytes, deadline).await {
            Ok(()) => return Ok(()),
            Err(WriteError::Closed) => self.over().await,
            Err(WriteError::Unread) => Cause::NotReading,
        };
        Err(CheckFailure::NoReply(NoReply { expected_word: "", cause }))
    }

    /// The next line before the deadline; `None` if there is none.
    pub(super) async fn next(&mut self, deadline: Instant) -> Result<Option<String>, Cause> {
        match self.process.read_line(deadline).await {
            ReadOutcome::Line(line) => {
                keep(&mut self.received, line.clone());
                Ok(Some(line))
            }
            ReadOutcome::Nothing => Ok(None),
            ReadOutcome::End => Err(self.over().await),
            ReadOutcome::TooMuch => Err(Cause::TooMuch),
        }
    }

    /// The reason why the pipes are closed.
    async fn over(&mut self) -> Cause {
        let not_started = self.process.not_started(Instant::now() + LAST_WORDS).await;
        not_started.map_or(Cause::Ended, |why| Cause::NotStarted(why.to_string()))
    }

    /// Reads lines until `accept` accepts one. `expected_word` is the first word of the expected line.
    pub(super) async fn until<T>(
        &mut self,
        timeout: Duration,
        expected_word: &'static str,
        mut accept: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, CheckFailure> {
        let deadline = Instant::now() + timeout;
        loop {
            let cause = match self.next(deadline).await {
                Ok(Some(line)) => match accept(line.trim()) {
                    Some(found) => return Ok(found),
                    None => continue,
                },
                Ok(None) => Cause::Silent(timeout.as_millis()),
                Err(cause) => cause,
            };
            return Err(CheckFailure::NoReply(NoReply { expected_word, cause }));
        }
    }

    /// All lines within a period of time.
    pub(super) async fn lines_within(
        &mut self,
        time: Duration,
    ) -> Result<Vec<String>, CheckFailure> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.next(deadline).await {
                Ok(Some(line)) => lines.push(line.trim().to_owned()),
                Ok(None) => return Ok(lines),
                Err(cause) => {
                    return Err(CheckFailure::NoReply(NoReply { expected_word: "", cause }));
                }
            }
        }
    }

    /// Sends `isready` and returns the lines before `readyok`.
    pub(super) async fn ready(&mut self) -> Result<Vec<String>, CheckFailure> {
        self.send("isready").await?;
        self.readyok().await
    }

    /// Waits for `readyok` and returns the lines before it.
    pub(super) async fn readyok(&mut self) -> Result<Vec<String>, CheckFailure> {
        let mut lines = Vec::new();
        let accept = |line: &str| {
            let ready = line == "readyok";
            if !ready {
                lines.push(line.to_owned());
            }
            ready.then_some(())
        };
        self.until(self.settings.timeout, "readyok", accept).await?;
        Ok(lines)
    }

    /// Sends `position`, `isready` and `go` in one write, as tournaments do.
    pub(super) async fn ask(
        &mut self,
        position: &str,
        words: &str,
    ) -> Result<GoReply, CheckFailure> {
        let begin = Instant::now();
        self.send_bytes(format!("{position}\nisready\ngo {words}\n").as_bytes()).await?;
        self.answer_to(begin, true).await
    }

    /// Waits for the response to a `go` that was sent at `begin`.
    pub(super) async fn answer(&mut self, begin: Instant) -> Result<GoReply, CheckFailure> {
        self.answer_to(begin, false).await
    }

    /// Waits for the response to a `go` and, while it is `unready`, for `readyok`. Their order has a
    /// check of its own.
    async fn answer_to(
        &mut self,
        begin: Instant,
        mut unready: bool,
    ) -> Result<GoReply, CheckFailure> {
        let mut infos = Vec::new();
        let accept = |line: &str| match line.split_ascii_whitespace().next() {
            Some("info") => {
                infos.push(line.to_owned());
                None
            }
            Some("readyok") => {
                unready = false;
                None
            }
            Some("bestmove") => Some(line.to_owned()),
            _ => None,
        };
        let line = self.until(self.settings.timeout, "bestmove", accept).await?;
        let time = begin.elapsed();
        if unready {
            self.readyok().await?;
        }
        let stderr = self.process.stderr_since(self.stderr_before);
        lock(&self.moves).add(&infos, stderr);
        match line.parse() {
            Ok(Reply::BestMove(best)) => Ok(GoReply { best, line, infos, time }),
            _ => Err(CheckFailure::with_hint(
                "`bestmove` and a move",
                format!("`{line}`"),
                mistake::best_move_hint(&line),
            )),
        }
    }

    /// Sends a query and returns the response.
    pub(super) async fn query(&mut self, word: &str) -> Result<String, CheckFailure> {
        self.send(&format!("query {word}")).await?;
        let response = |line: &str| match line.parse() {
            Ok(Reply::Response(text)) => Some(text),
            _ => None,
        };
        self.until(self.settings.timeout, "response", response).await
    }

    /// Runs perft in the current position: the counts of the moves and the total.
    pub(super) async fn perft(
        &mut self,
        depth: u32,
    ) -> Result<(Vec<(Move, u64)>, u64), CheckFailure> {
        self.send(&format!("go perft {depth}")).await?;
        let mut counts = Vec::new();
        let accept = |line: &str| match line.parse() {
            Ok(Reply::PerftMove(mv, count)) => {
                counts.push((mv, count));
                None
            }
            Ok(Reply::PerftTotal(total)) => Some(total),
            _ => None,
        };
        let total = self.until(self.settings.timeout, "nodes", accept).await?;
        Ok((counts, total))
    }

    /// Checks that the engine sends no further `bestmove`.
    pub(super) async fn no_more_bestmoves(&mut self) -> Result<(), CheckFailure> {
        let lines = self.ready().await?;
        match lines.iter().find(|line| line.starts_with("bestmove")) {
            None => Ok(()),
            Some(line) => Err(CheckFailure::wrong(
                "exactly one bestmove for every go",
                format!("another `{line}`"),
            )),
        }
    }

    /// Closes the engine's input.
    pub(super) fn close(&mut self) {
        self.process.close();
    }

    /// The wanted ones of all lines until the output ends or the time is over; if they are many, the
    /// first and the last of them.
    pub(super) async fn rest(
        &mut self,
        timeout: Duration,
        wanted: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let deadline = Instant::now() + timeout;
        let mut lines = Vec::new();
        while let Ok(Some(line)) = self.next(deadline).await {
            let line = line.trim();
            if wanted(line) {
                keep(&mut lines, line.to_owned());
            }
        }
        lines
    }

    /// Waits until the process exits, and returns how it did; `None` if it does not in time.
    pub(super) async fn ended(&mut self, timeout: Duration) -> Option<Result<(), String>> {
        self.process.ended(Instant::now() + timeout).await
    }

    /// The number of bytes received since the last command.
    pub(super) fn bytes_received(&self) -> usize {
        self.process.bytes_read()
    }

    /// Ends the conversation and collects evidence for the cause of a missing response.
    pub(super) async fn evidence(mut self, no_reply: &NoReply, command: String) -> Evidence {
        let NoReply { expected_word, ref cause } = *no_reply;
        let unfinished = self.process.unfinished();
        if *cause == Cause::Ended {
            // What it printed before it exited says why.
            self.rest(LAST_LINES, |_| true).await;
        }
        let (sent, received) = (std::mem::take(&mut self.sent), std::mem::take(&mut self.received));
        // A process may exit a moment after its output ends.
        let moment = if *cause == Cause::Ended { 1000 } else { 20 };
        let ended = self.ended(Duration::from_millis(moment)).await;
        let (mut late, mut later) = (Vec::new(), Vec::new());
        if ended.is_none() {
            // Both `quit` and the end of input can make it respond. The write may fail, which does
            // not matter.
            let _ = self.send("quit").await;
            self.close();
            late = self.rest(PROMPT, |_| true).await;
            later = self.rest(LAST_WORDS, |_| true).await;
        }
        let stderr = self.process.stderr(Duration::from_millis(200)).await;
        self.process.kill().await;
        Evidence { expected_word, sent, received, unfinished, late, later, stderr, ended, command }
    }

    /// Ends the process.
    pub(super) async fn end(self) {
        self.process.kill().await;
    }
}

/// Checks that a response to `go` is a legal move or a resignation, in a position with legal moves.
pub(super) fn legal(answer: &GoReply, case: &Case) -> Result<(), CheckFailure> {
    let moves = &case.moves;
    let among = || match moves.len() {
        0..=12 => format!("one of {}", case.words().join(" ")),
        count => format!("one of {count} legal moves"),
    };
    match answer.best {
        BestMove::Resign => Ok(()),
        BestMove::Move(mv) if moves.contains(&mv) => Ok(()),
        BestMove::Move(mv) => {
            let why = case.position().effect_of(case.game.rules(), &mv).err();
            let got = match why {
                Some(why) => format!("`bestmove {mv}`, which is not legal: {why}"),
                None => format!("`bestmove {mv}`"),
            };
            Err(CheckFailure::Wrong {
                expected: among(),
                got,
                fix_hint: mistake::illegal_move_hint(&mv.to_string(), moves),
            })
        }
        BestMove::None => Err(CheckFailure::with_hint(
            among(),
            "`bestmove 0000`, which means that there is no legal move",
            "print 0000 only if there is no legal move; to resign, print `bestmove resign`",
        )),
    }
}

fn keep(lines: &mut Vec<String>, line: String) {
    if lines.len() == KEPT {
        lines.remove(KEPT / 2);
    }
    lines.push(line);
}
