//! The pipes to a process exactly as they are: bytes out, lines in as they came, the end of input
//! when it is wanted.
//!
//! Nothing is mended and nothing is a fault here: a `\r` stays at the end of its line, a line that
//! has no end yet can be looked at.

use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use super::not_started::NotStarted;
use super::process::{CHUNK, MAX_ANSWER, MAX_LINE, Program};
use super::stderr::Tail;
use super::supervisor_message::SupervisorMessage;
use super::supervisors::{EngineExit, Guards, Supervised};
use crate::config::{EngineConfig, Resolved, Tournament};

/// Everything it takes to start a process, as often as need be.
#[derive(Clone, Debug)]
pub struct LaunchConfig {
    program: Program,
    guards: Arc<Guards>,
}

impl LaunchConfig {
    /// A program that has been found, in the surroundings the engines of a tournament have;
    /// `variable` looks a variable up in the arena's own environment.
    pub fn new(
        tournament: &Tournament,
        engine: &EngineConfig,
        resolved: Resolved,
        guards: &Arc<Guards>,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> LaunchConfig {
        let program = Program::new(tournament, engine, resolved, variable);
        LaunchConfig { program, guards: guards.clone() }
    }

    /// The program that is run.
    pub fn program(&self) -> &Path {
        &self.program.path
    }
}

/// A running process and the pipes to it. Dropped, it is ended with everything it has started.
pub struct RawProcess {
    ward: Supervised,
    stderr: Tail,
    /// What has been read and not been given out.
    bytes: Vec<u8>,
    /// How far there is no line end in it.
    searched: usize,
    /// Bytes read since the last command.
    said: usize,
}

/// What comes out of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadOutcome {
    /// A line without its `\n`; bytes that are not UTF-8 are replaced.
    Line(String),
    /// Nothing more by the deadline.
    Nothing,
    /// Its output is closed; a last line without an end has been given out before.
    End,
    /// A line, or all that was said since the last command, has grown past what the arena reads.
    TooMuch,
}

/// Why bytes did not reach a process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// It no longer has an input.
    Closed,
    /// It did not read by the deadline.
    Unread,
}

impl RawProcess {
    /// Starts a process under a guard. That it cannot be run comes out by how it has
    /// [ended](RawProcess::ended).
    ///
    /// # Errors
    /// When there is no room for another process or its private directory.
    pub fn start(plug: &LaunchConfig) -> Result<RawProcess, NotStarted> {
        let (ward, stderr) = plug.program.start(&plug.guards)?;
        Ok(RawProcess { stderr: Tail::of(stderr), ward, bytes: Vec::new(), searched: 0, said: 0 })
    }

    /// Writes bytes, to the last one before the deadline.
    ///
    /// # Errors
    /// When the process has no input any more, or does not read it.
    pub async fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), WriteError> {
        self.said = 0;
        let stdin = self.ward.stdin.as_mut().ok_or(WriteError::Closed)?;
        match timeout_at(deadline, stdin.write_all(bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(WriteError::Closed),
            Err(_) => Err(WriteError::Unread),
        }
    }

    /// Ends the input.
    pub fn close(&mut self) {
        self.ward.stdin = None;
    }

    /// The next line, if it comes before the deadline.
    pub async fn hear(&mut self, deadline: Instant) -> ReadOutcome {
        loop {
            if let Some(end) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') {
                let end = self.searched + end;
                let line = String::from_utf8_lossy(&self.bytes[..end]).into_owned();
                self.bytes.drain(..=end);
                self.searched = 0;
                return ReadOutcome::Line(line);
            }
            self.searched = self.bytes.len();
            if self.bytes.len() > MAX_LINE || self.said > MAX_ANSWER {
                return ReadOutcome::TooMuch;
            }
            let mut chunk = [0; CHUNK];
            match timeout_at(deadline, self.ward.stdout.read(&mut chunk)).await {
                Ok(Ok(n @ 1..)) => {
                    self.said += n;
                    self.bytes.extend_from_slice(&chunk[..n]);
                }
                Ok(_) if self.bytes.is_empty() => return ReadOutcome::End,
                Ok(_) => {
                    let line = String::from_utf8_lossy(&self.bytes).into_owned();
                    self.bytes.clear();
                    self.searched = 0;
                    return ReadOutcome::Line(line);
                }
                Err(_) => return ReadOutcome::Nothing,
            }
        }
    }

    /// The beginning of a line that has no end yet.
    pub fn unfinished(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// Bytes that were read since the last command.
    pub fn said(&self) -> usize {
        self.said
    }

    /// How the process has ended, waiting for it until the deadline: `Ok` with exit code 0, `Err`
    /// in words otherwise. `None` while it runs.
    pub async fn ended(&mut self, deadline: Instant) -> Option<Result<(), String>> {
        let patience = deadline.saturating_duration_since(Instant::now());
        match self.ward.ended(patience).await {
            EngineExit::Ended(SupervisorMessage::Exited(0)) => Some(Ok(())),
            EngineExit::Ended(news) => Some(Err(news.in_words())),
            EngineExit::Unguarded => Some(Err("killed the process that guards it".to_owned())),
            EngineExit::Running => None,
        }
    }

    /// Why the program has not been run, waiting for the news of its end until the deadline; `None`
    /// when it has been.
    pub async fn not_started(&mut self, deadline: Instant) -> Option<NotStarted> {
        match self.ward.ended(deadline.saturating_duration_since(Instant::now())).await {
            EngineExit::Ended(SupervisorMessage::NotStarted(why)) => Some(why),
            _ => None,
        }
    }

    /// The last of what was written to standard error. A process that has ended may have left some
    /// of it in the pipe, for which there is this much patience.
    pub async fn stderr(&mut self, patience: Duration) -> String {
        self.stderr.ended(patience).await;
        self.stderr.text()
    }

    /// Ends the process with everything it has started.
    pub async fn kill(self) {
        // Killed, it needs a moment at most; should it need longer, nobody else has to wait.
        self.ward.end(Duration::from_secs(1)).await;
    }
}
