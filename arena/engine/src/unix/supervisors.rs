//! The arena's side of the supervisors: starts them, reads their messages, and ends the processes
//! that a killed supervisor leaves behind.

use std::collections::BTreeSet;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use nix::unistd::Pid;
use tokio::net::unix::pipe;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::cpu::CpuMeter;
use super::private_directory;
use super::tree::{self, Seen};
use crate::engine_exit::{EngineExit, FirstMessage};
use crate::not_started::{NotStarted, Stage};
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::link::{self, Link};
use crate::program::Program;
use fanorona_tournament::mutex::lock;

/// The interval and duration of the search for processes that a killed supervisor left behind.
const SEARCH_INTERVAL: Duration = Duration::from_millis(2);
const SEARCH_TIME: Duration = Duration::from_secs(5);

/// The interval of the search for processes that were started while their parents were stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(10);

/// Starts the supervisors, one per engine.
#[derive(Debug)]
pub struct Supervisors {
    program: PathBuf,
    /// The number of supervisors that have not exited or whose private directories still exist.
    active: AtomicUsize,
    /// The supervisors that have not been waited for.
    living: Mutex<BTreeSet<Pid>>,
    /// The supervisors whose engines are suspended.
    suspended: Mutex<BTreeSet<Pid>>,
}

impl Supervisors {
    /// Creates supervisors that run a program, which is the `arena`.
    ///
    /// Removes, in the background, the private directories of engines that no supervisor was left
    /// to remove.
    ///
    /// Never fails; other systems can refuse something.
    pub fn new(program: impl Into<PathBuf>) -> io::Result<Arc<Supervisors>> {
        // Full directories take time to remove. If no thread can be started, they stay.
        let _ = thread::Builder::new().spawn(private_directory::remove_abandoned);
        Ok(Arc::new(Supervisors {
            program: program.into(),
            active: AtomicUsize::new(0),
            living: Mutex::default(),
            suspended: Mutex::default(),
        }))
    }

    /// The bounds that the kernel enforces for engines: none.
    pub fn controllers(&self) -> &[&'static str] {
        &[]
    }

    /// Starts a program with a supervisor, which creates its private directory and reports if the
    /// program cannot be run. Also returns its standard error.
    pub(crate) fn launch(
        supervisors: &Arc<Supervisors>,
        program: &Program,
    ) -> Result<(Supervised, ChildStderr), NotStarted> {
        let spec = LaunchSpec::new(program, private_directory::new_path());
        Supervisors::start(supervisors, &spec).map_err(NotStarted::at(Stage::Supervisor))
    }

    /// Starts a supervisor, which starts an engine. Also returns the engine's standard error.
    fn start(
        supervisors: &Arc<Supervisors>,
        spec: &LaunchSpec,
    ) -> io::Result<(Supervised, ChildStderr)> {
        // A pipe is made in two steps here, between which a child would inherit it, and another engine
        // would not end with the arena. So only one starts at a time.
        let mut living = supervisors.living();
        let (mut command, Link { lifeline, messages }) = link::prepare(&supervisors.program, spec)?;
        let mut child = command.spawn()?;
        drop(command);
        let id = child.id().expect("a child that has not been waited for has an id");
        let pid = Pid::from_raw(id.cast_signed());
        living.insert(pid);
        drop(living);
        let missing = "all three streams are piped";
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect(missing);
        let stderr = child.stderr.take().expect(missing);
        let (sender, message) = watch::channel(None);
        supervisors.active.fetch_add(1, Ordering::SeqCst);
        let monitor = supervisors.clone();
        tokio::spawn(monitor.monitor(pid, child, messages, sender, spec.home.clone()));
        let supervisors = supervisors.clone();
        Ok((Supervised { pid, stdin, stdout, lifeline, message, supervisors }, stderr))
    }

    /// Reads the messages of a supervisor and waits for its exit.
    async fn monitor(
        self: Arc<Supervisors>,
        pid: Pid,
        mut child: Child,
        messages: pipe::Receiver,
        sender: watch::Sender<FirstMessage>,
        home: PathBuf,
    ) {
        let gone = link::read_messages(messages, &sender).await;
        // The end of the channel means that no process of the engine is left. The supervisor may
        // still be removing files.
        let sender = (!gone).then_some(sender);
        if !gone {
            // It was killed. Nobody else gets its number before it has been waited for.
            link::kill(pid);
            end_session(pid).await;
        }
        let _ = child.wait().await;
        self.living().remove(&pid);
        self.suspended().remove(&pid);
        drop(sender);
        // A killed supervisor did not remove it. Removing it can take long.
        if home.exists() {
            let removed = spawn_blocking(move || private_directory::remove(&home));
            // If it cannot be removed, it stays in the directory for temporary files.
            let _ = removed.await;
        }
        self.active.fetch_sub(1, Ordering::SeqCst);
    }

    fn living(&self) -> MutexGuard<'_, BTreeSet<Pid>> {
        lock(&self.living)
    }

    fn suspended(&self) -> MutexGuard<'_, BTreeSet<Pid>> {
        lock(&self.suspended)
    }

    /// Stops every engine with its descendants, or continues those that are not suspended.
    pub fn halt(&self, halt: bool) {
        let suspended = self.suspended();
        for &supervisor in &*self.living() {
            match halt {
                true => drop(tree::stop_all(supervisor, &Seen::new())),
                false if suspended.contains(&supervisor) => {}
                false => tree::continue_all(supervisor),
            }
        }
    }

    /// Waits until every supervisor has exited and its engine's processes and files are removed, up
    /// to `max_wait`.
    pub async fn gone(&self, max_wait: Duration) {
        let deadline = Instant::now() + max_wait;
        while self.active.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            sleep(SEARCH_INTERVAL).await;
        }
    }
}

/// Ends the processes of the engine of a killed supervisor.
async fn end_session(supervisor: Pid) {
    let deadline = Instant::now() + SEARCH_TIME;
    while tree::kill_all(supervisor, &Seen::new()) && Instant::now() < deadline {
        sleep(SEARCH_INTERVAL).await;
    }
}

/// The arena's view of a supervisor, with the streams of its engine. Dropping it ends the engine
/// and its descendants.
#[derive(Debug)]
pub(crate) struct Supervised {
    /// The supervisor, the leader of the engine's session.
    pid: Pid,
    /// The engine's input; `None` after it is closed.
    pub(crate) stdin: Option<ChildStdin>,
    /// The engine's output.
    pub(crate) stdout: ChildStdout,
    /// Closing it ends the engine.
    lifeline: io::PipeWriter,
    message: watch::Receiver<FirstMessage>,
    supervisors: Arc<Supervisors>,
}

impl Supervised {
    /// A meter of the engine's processor time.
    pub(crate) fn cpu_meter(&self) -> CpuMeter {
        CpuMeter::new(self.pid)
    }

    /// Suspends all processes of the engine.
    pub(crate) fn suspend(&self) {
        self.supervisors.suspended().insert(self.pid);
        tree::stop_all(self.pid, &Seen::new());
    }

    /// Continues all processes of the engine.
    pub(crate) fn resume(&self) {
        if self.supervisors.suspended().remove(&self.pid) {
            tree::continue_all(self.pid);
        }
    }

    /// Returns when no process of a suspended engine is left that runs: a process may be starting
    /// another one at the moment it is stopped.
    pub(crate) async fn stopped(&self) {
        while self.supervisors.suspended().contains(&self.pid) && !tree::are_stopped(self.pid) {
            sleep(STOP_INTERVAL).await;
            tree::stop_all(self.pid, &Seen::new());
        }
    }

    /// Waits until the engine exits, up to `max_wait`.
    pub(crate) async fn ended(&mut self, max_wait: Duration) -> EngineExit {
        EngineExit::within(max_wait, &mut self.message).await
    }

    /// Ends the engine with its descendants, and returns when no process is left, or after
    /// `max_wait` if the system does not end them.
    pub(crate) async fn end(self, max_wait: Duration) {
        link::end(self.pid, self.lifeline, self.message, max_wait).await;
    }
}
