//! A child process that speaks lines: bounded in what it may say, and for how long it is waited
//! for.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use fanorona_protocol::messages::LineBuffer;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStderr;
use tokio::time::{Instant, sleep_until};

use super::bounds::Bounds;
use super::cpu::CpuMeter;
use super::failure::{Failure, shown};
use super::fault::Fault;
use super::launch_spec::{LaunchSpec, Open};
use super::not_started::{NotStarted, Stage};
use super::stderr::Tail;
use super::supervisor_message::SupervisorMessage;
use super::supervisors::{EngineExit, Guards, Supervised};
use super::transcript::Transcript;
use crate::config::{Cpus, EngineConfig, Resolved, Sandbox, Tournament};

/// The longest line an engine may say in bytes.
pub(super) const MAX_LINE: usize = 1 << 20;

/// The most bytes an engine may say in answer to one command.
pub(super) const MAX_ANSWER: usize = 64 << 20;

/// How long the end of standard error is waited for when a process has said something wrong.
const LAST_WORDS: Duration = Duration::from_millis(5);

/// Bytes read at once.
pub(super) const CHUNK: usize = 16 * 1024;

/// Why a listener does not have what it wants.
#[derive(Debug)]
pub(super) enum Silence {
    /// The deadline has passed.
    Late,
    /// There is nothing more to wait for.
    Broken(Failure),
}

/// What a process is started with.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The executable.
    pub(super) path: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Its working directory.
    pub(super) dir: PathBuf,
    /// Its environment, `HOME` and `TMPDIR` aside: they lead to a directory made for the process,
    /// unless they are set here.
    pub(super) env: Vec<(OsString, OsString)>,
    /// What it may have, with everything it starts.
    pub(super) bounds: Bounds,
    /// The processors it may run on; none for any.
    pub(super) cpus: Vec<u32>,
    /// What its sandbox leaves open; `None` for no sandbox.
    pub(super) sandbox: Option<Open>,
}

impl Program {
    /// The program of an engine that has been found. Its environment is `PATH`, `LANG`, what the
    /// config passes on, and what it sets; `variable` looks one up in the arena's own environment.
    pub(super) fn new(
        tournament: &Tournament,
        engine: &EngineConfig,
        resolved: Resolved,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Program {
        let inherited = ["PATH", "LANG"].into_iter().chain(engine.inherit_env.iter().map(|s| &**s));
        let inherited = inherited.filter_map(|name| Some((name.into(), variable(name)?)));
        let set = engine.env.iter().map(|(name, value)| (name.into(), value.into()));
        Program {
            path: resolved.program,
            args: resolved.args,
            dir: resolved.dir,
            env: inherited.chain(set).collect(),
            bounds: Bounds {
                memory: tournament.memory_of(engine).bytes(),
                processes: tournament.max_processes_of(engine).into(),
                files: tournament.max_files_of(engine).into(),
                disk: tournament.disk_of(engine).bytes(),
            },
            cpus: match tournament.cpus_of(engine) {
                Cpus::Any => Vec::new(),
                Cpus::Only(cpus) => cpus.iter().copied().collect(),
            },
            sandbox: match tournament.sandbox_of(engine) {
                Sandbox::Auto | Sandbox::Landlock => Some(Open {
                    writable: resolved.writable,
                    network: tournament.sandbox_network_of(engine),
                }),
                Sandbox::None => None,
            },
        }
    }

    /// Has a guard start it, in a directory made for it. That it cannot be run is news of the guard.
    pub(super) fn start(
        &self,
        guards: &Arc<Guards>,
    ) -> Result<(Supervised, ChildStderr), NotStarted> {
        let home = tempfile::Builder::new().prefix("arena-engine-").tempdir();
        let home = home.map_err(NotStarted::at(Stage::PrivateDirectory))?;
        let private = ["HOME", "TMPDIR"].map(|name| (name.into(), home.path().into()));
        let order = LaunchSpec {
            program: self.path.clone(),
            args: self.args.clone(),
            dir: self.dir.clone(),
            env: private.into_iter().chain(self.env.iter().cloned()).collect(),
            home: home.path().to_owned(),
            bounds: self.bounds,
            cpus: self.cpus.clone(),
            group: guards.make_group(&self.bounds, &self.cpus),
            namespace: self.sandbox.is_some() && guards.has_namespaces(),
            sandbox: self.sandbox.clone(),
        };
        let (ward, stderr) = Guards::start(guards, &order).map_err(NotStarted::at(Stage::Guard))?;
        // The guard removes it now, or who hears of the guard's death.
        let _ = home.keep();
        Ok((ward, stderr))
    }
}

/// A running process and the pipes to it. Dropped, it is ended with everything it has started.
pub(super) struct Process {
    ward: Supervised,
    stderr: Tail,
    lines: LineBuffer,
    transcript: Transcript,
    chunk: Box<[u8; CHUNK]>,
    /// Bytes read since the last command.
    said: usize,
    cpu: CpuMeter,
    /// How long a process that has closed its pipes may take to exit before it counts as alive.
    exit_grace: Duration,
}

impl Process {
    /// Starts a program under a guard. That it cannot be run comes out when it is spoken to.
    pub(super) fn start(
        program: &Program,
        exit_grace: Duration,
        guards: &Arc<Guards>,
    ) -> Result<Process, NotStarted> {
        let (ward, stderr) = program.start(guards)?;
        Ok(Process {
            stderr: Tail::of(stderr),
            lines: LineBuffer::new(MAX_LINE),
            transcript: Transcript::default(),
            chunk: Box::new([0; CHUNK]),
            said: 0,
            cpu: CpuMeter::new(ward.pid),
            ward,
            exit_grace,
        })
    }

    /// Why the program has not been run; `None` when it has, or may have been.
    pub(super) async fn not_started(&mut self) -> Option<NotStarted> {
        match self.ward.ended(Duration::ZERO).await {
            EngineExit::Ended(SupervisorMessage::NotStarted(why)) => Some(why),
            _ => None,
        }
    }

    /// Writes bytes, to the last one before the deadline. What the process has said before is
    /// passed over: it answers nothing that has been asked.
    pub(super) async fn write(&mut self, bytes: &[u8], deadline: Instant) -> Result<(), Failure> {
        self.said = 0;
        self.transcript.sent(bytes);
        let begin = Instant::now();
        let stdin = self.ward.stdin.as_mut().expect("the input of an engine stays open");
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
            Some(Err(_)) => Err(self.fate().await),
            None => {
                let detail = format!("did not read its input for {}", shown(begin.elapsed()));
                Err(self.failure(Fault::Stall, detail))
            }
        }
    }

    /// The last lines that were said to it and by it.
    pub(super) fn transcript(&self) -> Vec<String> {
        self.transcript.last_lines()
    }

    /// The processor time used so far by the process and all it has started.
    pub(super) fn cpu_time(&mut self) -> Duration {
        self.cpu.read()
    }

    /// Forgets whatever has been said and not been asked for.
    pub(super) fn discard(&mut self) {
        loop {
            while let Some(line) = self.lines.next_line() {
                if let Ok(line) = line {
                    self.transcript.heard(&line);
                }
            }
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
        let read = pin!(self.ward.stdout.read(&mut self.chunk[..]));
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
        hear: impl FnMut(&str) -> Option<Result<T, Failure>>,
    ) -> Result<T, Failure> {
        let begin = Instant::now();
        self.converse(&mut &[][..], deadline, hear).await.map_err(|silence| match silence {
            Silence::Broken(failure) => failure,
            Silence::Late => {
                let waited = shown(begin.elapsed());
                self.failure(late, format!("no {awaited} within {waited}"))
            }
        })
    }

    /// Begins to say something in one go, which [`Process::converse`] writes; counts what is said in
    /// answer from here.
    pub(super) fn begin(&mut self, bytes: &[u8]) {
        self.said = 0;
        self.transcript.sent(bytes);
    }

    /// Writes what is still unsent and shows every line the process says to a listener, both at once,
    /// until the listener has what it wants: a process that writes much before it reads on must not
    /// block on a full pipe while the arena blocks on the other. After [`Silence::Late`] the
    /// conversation can be continued with a later deadline.
    pub(super) async fn converse<T>(
        &mut self,
        unsent: &mut &[u8],
        deadline: Instant,
        mut hear: impl FnMut(&str) -> Option<Result<T, Failure>>,
    ) -> Result<T, Silence> {
        enum Happened {
            Wrote(io::Result<usize>),
            Read(io::Result<usize>),
            Late,
        }
        let mut timer = pin!(sleep_until(deadline));
        // However little time there is, something is said before it is over.
        let mut tried = unsent.is_empty();
        loop {
            while let Some(line) = self.lines.next_line() {
                let heard = line.map(|line| {
                    self.transcript.heard(&line);
                    hear(&line)
                });
                match heard {
                    Ok(None) => {}
                    Ok(Some(Ok(answer))) => return Ok(answer),
                    Ok(Some(Err(failure))) => {
                        // What it wrote to standard error with that may still be in its pipe.
                        self.stderr.ended(LAST_WORDS).await;
                        return Err(Silence::Broken(self.with_stderr(failure)));
                    }
                    Err(too_long) => return Err(self.flooded(too_long.to_string())),
                }
            }
            if let Some(too_long) = self.lines.overlong() {
                return Err(self.flooded(too_long.to_string()));
            }
            if self.said > MAX_ANSWER {
                return Err(
                    self.flooded(format!("said more than {} MiB in one move", MAX_ANSWER >> 20))
                );
            }
            if tried && Instant::now() >= deadline {
                return Err(Silence::Late);
            }
            tried = true;
            let stdin = self.ward.stdin.as_mut().expect("the input of an engine stays open");
            let happened = tokio::select! {
                biased;
                wrote = stdin.write(unsent), if !unsent.is_empty() => Happened::Wrote(wrote),
                read = self.ward.stdout.read(&mut self.chunk[..]) => Happened::Read(read),
                () = &mut timer => Happened::Late,
            };
            match happened {
                Happened::Wrote(Ok(n @ 1..)) => *unsent = &unsent[n..],
                Happened::Read(Ok(n @ 1..)) => {
                    self.said += n;
                    self.lines.push(&self.chunk[..n]);
                }
                Happened::Late => return Err(Silence::Late),
                // What it said before it closed its input may still be in its pipe, but a process
                // that no longer reads has no more to say that would count.
                Happened::Wrote(_) | Happened::Read(_) => {
                    return Err(Silence::Broken(self.fate().await));
                }
            }
        }
    }

    fn flooded(&self, detail: String) -> Silence {
        Silence::Broken(self.failure(Fault::Flood, detail))
    }

    /// What has become of a process that closed its pipes. Those of one that has ended are closed
    /// at once, whoever else holds them: its guard ends that as well.
    async fn fate(&mut self) -> Failure {
        let fate = self.ward.ended(self.exit_grace).await;
        if fate != EngineExit::Running {
            // What it said last may still be in its pipe.
            self.stderr.ended(self.exit_grace).await;
        }
        match fate {
            EngineExit::Ended(news) => {
                let fault = match news {
                    SupervisorMessage::Exited(0) => Fault::Disconnect,
                    _ => Fault::Crash,
                };
                let excess = matches!(news, SupervisorMessage::TooMuch(_));
                Failure { excess, ..self.failure(fault, news.in_words()) }
            }
            EngineExit::Unguarded => {
                let detail = "was ended because the process that guards it has been killed";
                self.failure(Fault::Crash, detail)
            }
            EngineExit::Running => {
                self.failure(Fault::Disconnect, "closed its output and went on running")
            }
        }
    }

    pub(super) fn failure(&self, fault: Fault, detail: impl Into<String>) -> Failure {
        self.with_stderr(Failure::new(fault, detail))
    }

    fn with_stderr(&self, failure: Failure) -> Failure {
        Failure { stderr: self.stderr.text(), ..failure }
    }

    /// Lets a process that has been told to quit do so, and ends whatever is left.
    pub(super) async fn end(mut self, patience: Duration) {
        // Whether it went by itself no longer matters.
        let _ = self.ward.ended(patience).await;
        self.ward.end(self.exit_grace).await;
    }
}
