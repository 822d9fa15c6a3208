//! A process with unmodified communication: bytes out, raw lines in, and an explicit end of input.
//! `arena check` uses it.
//!
//! Nothing is corrected or reported as a fault: a `\r` stays at the end of its line, and an
//! incomplete line can be read.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::{Instant, timeout_at};

use super::engine_exit::EngineExit;
use super::launch_options::LaunchOptions;
use super::not_started::{NotStarted, Stage};
use super::process::{CHUNK, MAX_ANSWER, MAX_LINE};
use super::program::Program;
use super::stderr::StandardError;
use super::supervisor_message::SupervisorMessage;
use super::system::supervisors::{Supervised, Supervisors};
use fanorona_tournament::config::{EngineConfig, Resolved};

/// The configuration that starts a process, any number of times.
#[derive(Clone, Debug)]
pub struct LaunchConfig {
    program: Program,
    supervisors: Arc<Supervisors>,
}

impl LaunchConfig {
    /// A resolved program in the environment of an engine.
    pub fn new(
        engine: &EngineConfig,
        resolved: Resolved,
        options: &LaunchOptions,
        supervisors: &Arc<Supervisors>,
    ) -> LaunchConfig {
        let program = Program::new(engine, resolved, options);
        LaunchConfig { program, supervisors: supervisors.clone() }
    }

    /// The program.
    pub fn program(&self) -> &Path {
        &self.program.path
    }
}

/// A running process with its pipes. Dropping it ends the process and its descendants.
pub struct RawProcess {
    supervised: Supervised,
    stderr: StandardError,
    /// The bytes that were read but not returned.
    bytes: Vec<u8>,
    /// The length of their beginning that is known to contain no line end.
    searched: usize,
    /// The number of bytes read since the last command.
    bytes_read: usize,
}

/// The result of a read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReadOutcome {
    /// A line without its `\n`; bytes that are not UTF-8 are replaced.
    Line(String),
    /// There was no complete line before the deadline.
    Nothing,
    /// The output is closed, and an incomplete last line has been returned.
    End,
    /// A line, or the whole output since the last command, exceeds the limits.
    TooMuch,
}

/// Why a write failed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WriteError {
    /// The input is closed.
    Closed,
    /// The process did not read before the deadline.
    Unread,
}

impl RawProcess {
    /// Starts a process with a supervisor. If the program cannot be run, [`RawProcess::ended`]
    /// reports it.
    ///
    /// If the process or its private directory cannot be created.
    pub fn start(launch: &LaunchConfig) -> Result<RawProcess, NotStarted> {
        let (supervised, stderr) = Supervisors::launch(&launch.supervisors, &launch.program)?;
        Ok(RawProcess {
            stderr: StandardError::new(stderr).map_err(NotStarted::at(Stage::Supervisor))?,
            supervised,
            bytes: Vec::new(),
            searched: 0,
            bytes_read: 0,
        })
    }

    /// Writes all bytes before the deadline.
    ///
    /// If the input is closed or not read.
    pub async fn send(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), WriteError> {
        self.bytes_read = 0;
        let stdin = self.supervised.stdin.as_mut().ok_or(WriteError::Closed)?;
        match timeout_at(deadline, stdin.write_all(bytes)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(WriteError::Closed),
            Err(_) => Err(WriteError::Unread),
        }
    }

    /// Closes the input.
    pub fn close(&mut self) {
        self.supervised.stdin = None;
    }

    /// Reads the next line before the deadline.
    pub async fn read_line(&mut self, deadline: Instant) -> ReadOutcome {
        loop {
            if let Some(end) = self.bytes[self.searched..].iter().position(|&byte| byte == b'\n') {
                let end = self.searched + end;
                let line = String::from_utf8_lossy(&self.bytes[..end]).into_owned();
                self.bytes.drain(..=end);
                self.searched = 0;
                return ReadOutcome::Line(line);
            }
            self.searched = self.bytes.len();
            if self.bytes.len() > MAX_LINE || self.bytes_read > MAX_ANSWER {
                return ReadOutcome::TooMuch;
            }
            let mut chunk = [0; CHUNK];
            match timeout_at(deadline, self.supervised.stdout.read(&mut chunk)).await {
                Ok(Ok(n @ 1..)) => {
                    self.bytes_read += n;
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

    /// The incomplete last line.
    pub fn unfinished(&self) -> String {
        String::from_utf8_lossy(&self.bytes).into_owned()
    }

    /// The number of bytes read since the last command.
    pub fn bytes_read(&self) -> usize {
        self.bytes_read
    }

    /// Waits until the process exits, at most until the deadline: `Ok` with exit code 0, otherwise
    /// a description. `None` while it runs.
    pub async fn ended(&mut self, deadline: Instant) -> Option<Result<(), String>> {
        let max_wait = deadline.saturating_duration_since(Instant::now());
        match self.supervised.ended(max_wait).await {
            EngineExit::Ended(SupervisorMessage::Exited(0)) => Some(Ok(())),
            EngineExit::Ended(message) => Some(Err(message.description())),
            EngineExit::SupervisorKilled => {
                Some(Err("its supervisor process was killed".to_owned()))
            }
            EngineExit::Running => None,
        }
    }

    /// Why the program was not run, if that is reported before the deadline; `None` if it was run.
    pub async fn not_started(&mut self, deadline: Instant) -> Option<NotStarted> {
        match self.supervised.ended(deadline.saturating_duration_since(Instant::now())).await {
            EngineExit::Ended(SupervisorMessage::NotStarted(why)) => Some(why),
            _ => None,
        }
    }

    /// The end of standard error. After an exit, output may still be in the pipe; this waits for it
    /// up to `max_wait`.
    pub async fn stderr(&mut self, max_wait: Duration) -> String {
        self.stderr.ended(max_wait).await;
        self.stderr.text()
    }

    /// The number of bytes written to standard error so far.
    pub fn stderr_written(&self) -> u64 {
        self.stderr.written()
    }

    /// The lines on standard error since the first `written` bytes, as far as they are kept.
    pub fn stderr_since(&self, written: u64) -> Vec<String> {
        self.stderr.since(written)
    }

    /// Kills the process and its descendants.
    pub async fn kill(self) {
        // A killed process ends within moments. A longer wait must not block the caller.
        self.supervised.end(Duration::from_secs(1)).await;
    }
}
