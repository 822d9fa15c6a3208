//! A conversation with one process of the engine that is checked, kept as it goes.

use std::time::Duration;

use fanorona_protocol::messages::{BestMove, Reply};
use fanorona_protocol::rules::Move;
use tokio::time::Instant;

use super::mistake::{self, Evidence};
use super::positions::Case;
use super::settings::Settings;
use super::verdict::{CheckFailure, How, StartFailure};
use crate::engine::NotStarted;
use crate::engine::raw_process::{LaunchConfig, RawProcess, ReadOutcome, WriteError};

/// The most lines of a conversation that are kept.
const KEPT: usize = 400;

/// How long a process whose input has been closed may still speak when it is asked why it did not.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// A process and what has been said.
pub struct Conversation {
    wire: RawProcess,
    sent: Vec<String>,
    heard: Vec<String>,
    /// How everything is to be done.
    pub settings: Settings,
}

/// An answer to `go`.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    /// The answer.
    pub best: BestMove,
    /// The whole line.
    pub line: String,
    /// The `info` lines before it.
    pub infos: Vec<String>,
    /// From the command to the line.
    pub time: Duration,
}

impl Conversation {
    /// Starts a process; nothing is said yet.
    pub(super) fn start(
        plug: &LaunchConfig,
        settings: Settings,
    ) -> Result<Conversation, CheckFailure> {
        let not_started = |why: NotStarted| {
            CheckFailure::StartFailure(StartFailure {
                awaited: "",
                how: How::NotStarted(why.to_string()),
            })
        };
        let wire = RawProcess::start(plug).map_err(not_started)?;
        Ok(Conversation { wire, sent: Vec::new(), heard: Vec::new(), settings })
    }

    /// Forgets what has been said: a check begins.
    pub(super) fn begin(&mut self) {
        self.sent.clear();
        self.heard.clear();
    }

    /// The lines that have been sent since the check began.
    pub(super) fn sent(&self) -> &[String] {
        &self.sent
    }

    /// Sends a line.
    pub(super) async fn say(&mut self, line: &str) -> Result<(), CheckFailure> {
        self.say_bytes(format!("{line}\n").as_bytes()).await
    }

    /// Sends bytes as they are; they are kept as text.
    pub(super) async fn say_bytes(&mut self, bytes: &[u8]) -> Result<(), CheckFailure> {
        let text = String::from_utf8_lossy(bytes);
        // The end of the text ends its last line.
        let text = text.strip_suffix('\n').unwrap_or(&text);
        for line in text.split('\n') {
            keep(&mut self.sent, line.to_owned());
        }
        let deadline = Instant::now() + self.settings.timeout;
        let how = match self.wire.send(bytes, deadline).await {
            Ok(()) => return Ok(()),
            Err(WriteError::Closed) => self.over().await,
            Err(WriteError::Unread) => How::Deaf,
        };
        Err(CheckFailure::StartFailure(StartFailure { awaited: "", how }))
    }

    /// The next line that comes before a deadline; `None` when none does.
    pub(super) async fn next(&mut self, deadline: Instant) -> Result<Option<String>, How> {
        match self.wire.hear(deadline).await {
            ReadOutcome::Line(line) => {
                keep(&mut self.heard, line.clone());
                Ok(Some(line))
            }
            ReadOutcome::Nothing => Ok(None),
            ReadOutcome::End => Err(self.over().await),
            ReadOutcome::TooMuch => Err(How::Flood),
        }
    }

    /// What it means that the pipes are closed.
    async fn over(&mut self) -> How {
        let not_started = self.wire.not_started(Instant::now() + LAST_WORDS).await;
        not_started.map_or(How::Ended, |why| How::NotStarted(why.to_string()))
    }

    /// Listens until a line is what is awaited, by its first word.
    pub(super) async fn until<T>(
        &mut self,
        patience: Duration,
        awaited: &'static str,
        mut hear: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, CheckFailure> {
        let deadline = Instant::now() + patience;
        loop {
            let how = match self.next(deadline).await {
                Ok(Some(line)) => match hear(line.trim()) {
                    Some(found) => return Ok(found),
                    None => continue,
                },
                Ok(None) => How::Silent(patience.as_millis()),
                Err(how) => how,
            };
            return Err(CheckFailure::StartFailure(StartFailure { awaited, how }));
        }
    }

    /// Everything that is said for a while.
    pub(super) async fn overhear(&mut self, time: Duration) -> Result<Vec<String>, CheckFailure> {
        let deadline = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            match self.next(deadline).await {
                Ok(Some(line)) => lines.push(line),
                Ok(None) => return Ok(lines),
                Err(how) => {
                    return Err(CheckFailure::StartFailure(StartFailure { awaited: "", how }));
                }
            }
        }
    }

    /// Says `isready`; gives every line before `readyok`.
    pub(super) async fn ready(&mut self) -> Result<Vec<String>, CheckFailure> {
        self.say("isready").await?;
        self.readyok().await
    }

    /// Waits for `readyok`; gives every line before it.
    pub(super) async fn readyok(&mut self) -> Result<Vec<String>, CheckFailure> {
        let mut lines = Vec::new();
        let hear = |line: &str| {
            let ready = line == "readyok";
            if !ready {
                lines.push(line.to_owned());
            }
            ready.then_some(())
        };
        self.until(self.settings.timeout, "readyok", hear).await?;
        Ok(lines)
    }

    /// Tells a position and asks for a move in one write, as tournaments do.
    pub(super) async fn ask(
        &mut self,
        position: &str,
        words: &str,
    ) -> Result<Answer, CheckFailure> {
        let begin = Instant::now();
        self.say_bytes(format!("{position}\ngo {words}\n").as_bytes()).await?;
        self.answer(begin).await
    }

    /// Waits for the answer to a `go` that was said at some time.
    pub(super) async fn answer(&mut self, begin: Instant) -> Result<Answer, CheckFailure> {
        let mut infos = Vec::new();
        let hear = |line: &str| match line.split_ascii_whitespace().next() {
            Some("info") => {
                infos.push(line.to_owned());
                None
            }
            Some("bestmove") => Some(line.to_owned()),
            _ => None,
        };
        let line = self.until(self.settings.timeout, "bestmove", hear).await?;
        let time = begin.elapsed();
        match line.parse() {
            Ok(Reply::BestMove(best)) => Ok(Answer { best, line, infos, time }),
            _ => Err(CheckFailure::mended(
                "`bestmove` and a move, two words",
                format!("`{line}`"),
                mistake::of_best_move(&line),
            )),
        }
    }

    /// The answer to a query.
    pub(super) async fn query(&mut self, word: &str) -> Result<String, CheckFailure> {
        self.say(&format!("query {word}")).await?;
        let response = |line: &str| match line.parse() {
            Ok(Reply::Response(text)) => Some(text),
            _ => None,
        };
        self.until(self.settings.timeout, "response", response).await
    }

    /// The lines of a perft of the present position, and its total.
    pub(super) async fn perft(
        &mut self,
        depth: u32,
    ) -> Result<(Vec<(Move, u64)>, u64), CheckFailure> {
        self.say(&format!("go perft {depth}")).await?;
        let mut counts = Vec::new();
        let hear = |line: &str| match line.parse() {
            Ok(Reply::PerftMove(mv, count)) => {
                counts.push((mv, count));
                None
            }
            Ok(Reply::PerftTotal(total)) => Some(total),
            _ => None,
        };
        let total = self.until(self.settings.timeout, "nodes", hear).await?;
        Ok((counts, total))
    }

    /// Makes sure that nothing more has been said than `readyok`, in particular no `bestmove`.
    pub(super) async fn quiet(&mut self) -> Result<(), CheckFailure> {
        let lines = self.ready().await?;
        match lines.iter().find(|line| line.starts_with("bestmove")) {
            None => Ok(()),
            Some(line) => Err(CheckFailure::wrong(
                "one bestmove for every go, and none without",
                format!("`{line}` besides"),
            )),
        }
    }

    /// Ends the input.
    pub(super) fn close(&mut self) {
        self.wire.close();
    }

    /// Everything that is said until the output ends or there has been enough waiting.
    pub(super) async fn rest(&mut self, patience: Duration) -> Vec<String> {
        let deadline = Instant::now() + patience;
        let mut lines = Vec::new();
        while let (Ok(Some(line)), true) = (self.next(deadline).await, lines.len() < KEPT) {
            lines.push(line);
        }
        lines
    }

    /// How the process has ended, if it does so in time.
    pub(super) async fn ended(&mut self, patience: Duration) -> Option<Result<(), String>> {
        self.wire.ended(Instant::now() + patience).await
    }

    /// Bytes said since the last command.
    pub(super) fn said(&self) -> usize {
        self.wire.said()
    }

    /// Ends the conversation and finds out what the process had in mind when it did not say what
    /// was awaited.
    pub(super) async fn evidence(mut self, trouble: &StartFailure, command: String) -> Evidence {
        let StartFailure { awaited, ref how } = *trouble;
        let unfinished = self.wire.unfinished();
        let (sent, heard) = (std::mem::take(&mut self.sent), std::mem::take(&mut self.heard));
        // Between the end of its output and its own a process may need a moment.
        let moment = if *how == How::Ended { 1000 } else { 20 };
        let ended = self.ended(Duration::from_millis(moment)).await;
        let mut late = Vec::new();
        if ended.is_none() {
            // Either may be what makes it speak; that it cannot be told is no matter.
            let _ = self.say("quit").await;
            self.close();
            late = self.rest(LAST_WORDS).await;
        }
        let stderr = self.wire.stderr(Duration::from_millis(200)).await;
        self.wire.kill().await;
        Evidence { awaited, sent, heard, unfinished, late, stderr, ended, command }
    }

    /// Ends the process.
    pub(super) async fn end(self) {
        self.wire.kill().await;
    }
}

/// What is wrong with an answer to a `go` in a position where there are moves: nothing if it is one
/// of them, or a resignation.
pub(super) fn legal(answer: &Answer, case: &Case) -> Result<(), CheckFailure> {
    let moves = &case.moves;
    let among = || match moves.len() {
        0..=12 => format!("one of {}", case.words().join(" ")),
        count => format!("one of {count} legal moves"),
    };
    match answer.best {
        BestMove::Resign => Ok(()),
        BestMove::Move(mv) if moves.contains(&mv) => Ok(()),
        BestMove::Move(mv) => {
            let why = case.position().effect_of(&case.rules, &mv).err();
            let got = match why {
                Some(why) => format!("`bestmove {mv}`, which is not legal: {why}"),
                None => format!("`bestmove {mv}`"),
            };
            Err(CheckFailure::Wrong {
                expected: among(),
                got,
                mend: mistake::of_illegal(&mv.to_string(), moves),
            })
        }
        BestMove::None => Err(CheckFailure::mended(
            among(),
            "`bestmove 0000`, which says that there is not a move",
            "say 0000 only where there is not a legal move; to give up, say `bestmove resign`",
        )),
    }
}

fn keep(lines: &mut Vec<String>, line: String) {
    if lines.len() == KEPT {
        lines.remove(KEPT / 2);
    }
    lines.push(line);
}
