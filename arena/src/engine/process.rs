//! A child process that speaks lines: bounded in what it may say, and for how long it is waited
//! for.

use std::ffi::OsString;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::messages::LineBuffer;
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep_until, timeout};

use super::cpu::CpuMeter;
use super::failure::{Failure, shown};
use super::guard::{Guard, Ward};
use super::stderr::Tail;
use crate::ending::Fault;

/// The longest line an engine may say in bytes.
const MAX_LINE: usize = 1 << 20;

/// The most bytes an engine may say in answer to one command.
const MAX_ANSWER: usize = 64 << 20;

/// Bytes read at once.
const CHUNK: usize = 16 * 1024;

/// How long a process that has closed its output may take to exit before it counts as alive.
const FAREWELL: Duration = Duration::from_millis(500);

/// What a process is started with.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The executable.
    pub(super) path: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Its working directory.
    pub(super) dir: PathBuf,
    /// Its whole environment.
    pub(super) env: Vec<(OsString, OsString)>,
}

/// A running process and the pipes to it. Dropped, it is killed with its whole process group.
pub(super) struct Process {
    child: Child,
    group: Pid,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: Tail,
    lines: LineBuffer,
    chunk: Box<[u8; CHUNK]>,
    /// Bytes read since the last command.
    said: usize,
    cpu: CpuMeter,
    /// Ends the group should the arena die before it does.
    _ward: Option<Ward>,
}

impl Process {
    /// Starts a program in a process group of its own.
    pub(super) fn start(program: &Program, guard: Option<&Arc<Guard>>) -> io::Result<Process> {
        let mut child = Command::new(&program.path)
            .args(&program.args)
            .current_dir(&program.dir)
            .env_clear()
            .envs(program.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .kill_on_drop(true)
            .spawn()?;
        let id = child.id().expect("a child that has not been waited for has an id");
        let group = Pid::from_raw(id as i32);
        let missing = "all three streams are piped";
        Ok(Process {
            group,
            stdin: child.stdin.take().expect(missing),
            stdout: child.stdout.take().expect(missing),
            stderr: Tail::of(child.stderr.take().expect(missing)),
            child,
            lines: LineBuffer::new(MAX_LINE),
            chunk: Box::new([0; CHUNK]),
            said: 0,
            cpu: CpuMeter::new(group),
            _ward: guard.map(|guard| Guard::watch(guard, group)),
        })
    }

    /// Writes bytes, to the last one before the deadline. What the process has said before is
    /// passed over: it answers nothing that has been asked.
    pub(super) async fn write(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Failure> {
        self.said = 0;
        let begin = Instant::now();
        let written = {
            let mut deadline = pin!(sleep_until(deadline));
            tokio::select! {
                biased;
                written = self.stdin.write_all(bytes) => Some(written),
                () = &mut deadline => None,
            }
        };
        match written {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) => Err(self.fate().await),
            None => {
                let detail = format!("did not read its input for {}", shown(begin.elapsed()));
                Err(self.failure(Fault::Stall, detail))
            }
        }
    }

    /// The processor time used so far by the process and all it has started.
    pub(super) fn cpu_time(&mut self) -> Duration {
        self.cpu.read()
    }

    /// Forgets whatever has been said and not been asked for.
    pub(super) fn discard(&mut self) {
        loop {
            while self.lines.next_line().is_some() {}
            // Only what is there already; a process that says more and more is not waited for.
            match self.read_now() {
                Some(n) if n > 0 && self.said <= MAX_LINE => {
                    self.lines.push(&self.chunk[..n]);
                }
                _ => return,
            }
        }
    }

    /// Reads what is there without waiting; `None` when there is nothing, or no more to come.
    fn read_now(&mut self) -> Option<usize> {
        use std::future::Future;
        use std::task::{Context, Poll, Waker};
        let mut context = Context::from_waker(Waker::noop());
        let read = pin!(self.stdout.read(&mut self.chunk[..]));
        match read.poll(&mut context) {
            Poll::Ready(Ok(n)) => {
                self.said += n;
                Some(n)
            }
            _ => None,
        }
    }

    /// Shows every line the process says to a listener until that has what it wants. The deadline
    /// stands, however much is said.
    pub(super) async fn listen<T>(
        &mut self,
        deadline: Instant,
        late: Fault,
        awaited: &str,
        mut hear: impl FnMut(&str) -> Option<Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let begin = Instant::now();
        let mut timer = pin!(sleep_until(deadline));
        loop {
            while let Some(line) = self.lines.next_line() {
                match line.map(|line| hear(&line)) {
                    Ok(None) => {}
                    Ok(Some(Ok(answer))) => return Ok(answer),
                    Ok(Some(Err(failure))) => return Err(self.with_stderr(failure)),
                    Err(too_long) => return Err(self.failure(Fault::Flood, too_long.to_string())),
                }
            }
            if let Some(too_long) = self.lines.overlong() {
                return Err(self.failure(Fault::Flood, too_long.to_string()));
            }
            if self.said > MAX_ANSWER {
                let detail = format!("said more than {} MiB in one turn", MAX_ANSWER >> 20);
                return Err(self.failure(Fault::Flood, detail));
            }
            let read = if Instant::now() >= deadline {
                None
            } else {
                tokio::select! {
                    biased;
                    read = self.stdout.read(&mut self.chunk[..]) => Some(read),
                    () = &mut timer => None,
                }
            };
            match read {
                Some(Ok(n @ 1..)) => {
                    self.said += n;
                    self.lines.push(&self.chunk[..n]);
                }
                Some(_) => return Err(self.fate().await),
                None if matches!(self.child.try_wait(), Ok(Some(_))) => {
                    // Dead, while a child of its own holds the pipes open.
                    return Err(self.fate().await);
                }
                None => {
                    let waited = shown(begin.elapsed());
                    return Err(self.failure(late, format!("no {awaited} within {waited}")));
                }
            }
        }
    }

    /// What has become of a process that closed its pipes.
    async fn fate(&mut self) -> Failure {
        let exited = timeout(FAREWELL, self.child.wait()).await;
        if exited.is_ok() {
            // What it said last may still be in its pipe.
            self.stderr.ended(FAREWELL).await;
        }
        match exited {
            Ok(Ok(status)) if status.success() => {
                self.failure(Fault::Disconnect, "exited with code 0 though nobody told it to quit")
            }
            Ok(Ok(status)) => self.failure(Fault::Crash, told(status)),
            Ok(Err(_)) | Err(_) => {
                self.failure(Fault::Disconnect, "closed its output and went on running")
            }
        }
    }

    fn failure(&self, fault: Fault, detail: impl Into<String>) -> Failure {
        self.with_stderr(Failure::new(fault, detail))
    }

    fn with_stderr(&self, failure: Failure) -> Failure {
        Failure { stderr: self.stderr.text(), ..failure }
    }

    /// Lets a process that has been told to quit do so, and kills whatever is left.
    pub(super) async fn end(mut self, patience: Duration) {
        // Whether it went by itself no longer matters.
        let _ = timeout(patience, self.child.wait()).await;
        self.kill();
        let _ = self.child.wait().await;
    }

    /// Kills the whole process group.
    fn kill(&self) {
        // It may be gone already.
        let _ = killpg(self.group, Signal::SIGKILL);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// How a process ended, in words.
fn told(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(number), _) => match Signal::try_from(number) {
            Ok(signal) => format!("killed by signal {number} ({signal})"),
            Err(_) => format!("killed by signal {number}"),
        },
        (None, Some(code)) => format!("exited with code {code}"),
        (None, None) => status.to_string(),
    }
}
