//! The arena's side of the supervisors: starts them, reads their messages, and ends the processes
//! that a killed supervisor leaves behind.

use fanorona_tournament::mutex::lock;
use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, getsid};
use tokio::net::unix::pipe;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep};

use super::cgroup::Delegated;
use super::cpu::CpuMeter;
use super::{cgroup, private_directory, tree};
use crate::bounds::Bounds;
use crate::engine_exit::{EngineExit, FirstMessage};
use crate::not_started::{NotStarted, Stage};
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::link::{self, Link};
use crate::program::Program;

/// The interval and duration of the search for orphans.
const SEARCH_INTERVAL: Duration = Duration::from_millis(2);
const SEARCH_TIME: Duration = Duration::from_secs(5);

/// The interval of the search for processes that were started while their parents were stopped.
const STOP_INTERVAL: Duration = Duration::from_millis(10);

/// Whether this process already has a set of supervisors.
static EXISTS: AtomicBool = AtomicBool::new(false);

/// Starts the supervisors, one per engine.
///
/// The process that creates this becomes the parent of all orphaned descendants. When a supervisor
/// dies, it ends every child that is not a supervisor and belongs to another session. The processes
/// of engines do, because every engine leads its own session. Other children of this process are
/// safe unless they lead sessions too.
///
/// If the process is alone in a delegated control group, it moves into a new group inside it, and
/// every engine gets another.
///
/// A process can have only one set of supervisors at a time, because two would end each other's as
/// orphans.
#[derive(Debug)]
pub struct Supervisors {
    program: PathBuf,
    /// The number of supervisors that have not exited or whose private directories still exist.
    active: AtomicUsize,
    /// Whether sandboxed engines have their own PID namespaces.
    namespaces: AtomicBool,
    /// The control group that contains those of the engines, if there is one.
    delegated: Option<Delegated>,
    /// The supervisors that have not been waited for. Locked during a start, so that a new
    /// supervisor is never taken for an orphan.
    living: Mutex<BTreeSet<Pid>>,
    /// The supervisors whose engines are suspended by signals.
    suspended: Mutex<BTreeSet<Pid>>,
}

impl Supervisors {
    /// Creates supervisors that run a program, which is the `arena`.
    ///
    /// Removes, in the background, the private directories of engines that no supervisor was left
    /// to remove.
    ///
    /// If the system does not make this process a subreaper, or if it already has supervisors.
    pub fn new(program: impl Into<PathBuf>) -> io::Result<Arc<Supervisors>> {
        prctl::set_child_subreaper(true)?;
        if EXISTS.swap(true, Ordering::SeqCst) {
            return Err(io::Error::other(
                "this process already has supervisors: use the same ones",
            ));
        }
        // Full directories take time to remove. If no thread can be started, they stay.
        let _ = thread::Builder::new().spawn(private_directory::remove_abandoned);
        Ok(Arc::new(Supervisors {
            program: program.into(),
            active: AtomicUsize::new(0),
            namespaces: AtomicBool::new(false),
            delegated: Delegated::take(),
            living: Mutex::default(),
            suspended: Mutex::default(),
        }))
    }

    /// The bounds that the kernel enforces for engines, named by the controllers of the delegated
    /// control group; empty without one.
    pub fn controllers(&self) -> &[&'static str] {
        self.delegated.as_ref().map_or(&[], Delegated::controllers)
    }

    /// Creates a control group for an engine, if possible.
    pub(crate) fn make_group(&self, bounds: &Bounds, cpus: &[u32]) -> Option<PathBuf> {
        self.delegated.as_ref()?.make(bounds, cpus).ok()
    }

    /// Whether sandboxed engines have their own PID namespaces.
    pub(crate) fn has_namespaces(&self) -> bool {
        self.namespaces.load(Ordering::SeqCst)
    }

    /// Sets whether sandboxed engines started from now on have their own PID namespaces.
    pub(crate) fn give_namespaces(&self, give: bool) {
        self.namespaces.store(give, Ordering::SeqCst);
    }

    /// The program of the supervisors.
    pub(crate) fn program(&self) -> &Path {
        &self.program
    }

    /// Starts a program with a supervisor, which creates its private directory and reports if the
    /// program cannot be run. Also returns its standard error.
    pub(crate) fn launch(
        supervisors: &Arc<Supervisors>,
        program: &Program,
    ) -> Result<(Supervised, ChildStderr), NotStarted> {
        let spec = LaunchSpec {
            group: supervisors.make_group(&program.bounds, &program.cpus),
            namespace: program.sandbox.is_some() && supervisors.has_namespaces(),
            ..LaunchSpec::new(program, private_directory::new_path())
        };
        Supervisors::start(supervisors, &spec).map_err(NotStarted::at(Stage::Supervisor))
    }

    /// Starts a supervisor, which starts an engine. Also returns the engine's standard error.
    fn start(
        supervisors: &Arc<Supervisors>,
        spec: &LaunchSpec,
    ) -> io::Result<(Supervised, ChildStderr)> {
        let (mut command, Link { lifeline, messages }) = link::prepare(&supervisors.program, spec)?;
        // Stopping the arena at its terminal must not stop the supervisors.
        command.process_group(0);
        let (home, group) = (spec.home.clone(), spec.group.clone());
        let mut living = supervisors.living();
        let mut child = command.spawn()?;
        let id = child.id().expect("a child that has not been waited for has an id");
        let pid = Pid::from_raw(id as i32);
        living.insert(pid);
        drop(living);
        let missing = "all three streams are piped";
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect(missing);
        let stderr = child.stderr.take().expect(missing);
        let (sender, message) = watch::channel(None);
        supervisors.active.fetch_add(1, Ordering::SeqCst);
        let monitor = supervisors.clone();
        tokio::spawn(monitor.monitor(pid, child, messages, sender, home, group.clone()));
        let supervisors = supervisors.clone();
        Ok((Supervised { pid, stdin, stdout, lifeline, message, group, supervisors }, stderr))
    }

    /// Reads the messages of a supervisor and waits for its exit.
    async fn monitor(
        self: Arc<Supervisors>,
        pid: Pid,
        mut child: Child,
        messages: pipe::Receiver,
        sender: watch::Sender<FirstMessage>,
        home: PathBuf,
        group: Option<PathBuf>,
    ) {
        let gone = link::read_messages(messages, &sender).await;
        // The end of the channel means that no process of the engine is left. The supervisor may
        // still be removing files.
        let sender = (!gone).then_some(sender);
        // This process inherits the supervisor's orphans when it has been waited for, not when its
        // pipes are closed.
        let _ = child.wait().await;
        self.living().remove(&pid);
        self.suspended().remove(&pid);
        self.end_orphans().await;
        drop(sender);
        if let Some(group) = group {
            cgroup::remove(&group);
        }
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

    /// Ends every orphan of a supervisor with its descendants.
    async fn end_orphans(&self) {
        let deadline = Instant::now() + SEARCH_TIME;
        while self.kill_orphans() && Instant::now() < deadline {
            sleep(SEARCH_INTERVAL).await;
        }
    }

    /// Kills the present orphans. Returns whether there were any.
    fn kill_orphans(&self) -> bool {
        let living = self.living();
        let own = getsid(None).ok();
        let mut children = tree::children(Pid::this());
        children.retain(|&child| {
            let session = tree::stat(child).map(|stat| stat.session);
            !living.contains(&child) && session.is_some() && session != own
        });
        for &orphan in &children {
            tree::kill_all(orphan);
            // `waitpid` also reaps an orphan that has already exited.
            let _ = kill(orphan, Signal::SIGKILL);
            let _ = waitpid(orphan, Some(WaitPidFlag::WNOHANG));
        }
        !children.is_empty()
    }

    fn suspended(&self) -> MutexGuard<'_, BTreeSet<Pid>> {
        lock(&self.suspended)
    }

    /// Stops every engine with its descendants, or continues those that are not suspended.
    pub fn halt(&self, halt: bool) {
        let suspended = self.suspended();
        for supervisor in &*self.living() {
            match halt {
                true => tree::stop_all(*supervisor),
                false if suspended.contains(supervisor) => {}
                false => tree::continue_all(*supervisor),
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
        self.kill_orphans();
    }
}

impl Drop for Supervisors {
    fn drop(&mut self) {
        EXISTS.store(false, Ordering::SeqCst);
    }
}

/// The arena's view of a supervisor, with the streams of its engine. Dropping it ends the engine
/// and its descendants.
#[derive(Debug)]
pub(crate) struct Supervised {
    /// The supervisor, the ancestor of the engine's processes.
    pid: Pid,
    /// The engine's input; `None` after it is closed.
    pub(crate) stdin: Option<ChildStdin>,
    /// The engine's output.
    pub(crate) stdout: ChildStdout,
    /// Closing it ends the engine.
    lifeline: io::PipeWriter,
    message: watch::Receiver<FirstMessage>,
    /// The engine's control group, if it has one.
    group: Option<PathBuf>,
    supervisors: Arc<Supervisors>,
}

impl Supervised {
    /// A meter of the engine's processor time.
    pub(crate) fn cpu_meter(&self) -> CpuMeter {
        CpuMeter::new(self.pid)
    }

    /// Suspends all processes of the engine: by its control group, or else by signals.
    pub(crate) fn suspend(&self) {
        if !self.group.as_deref().is_some_and(|group| cgroup::freeze(group, true)) {
            self.supervisors.suspended().insert(self.pid);
            tree::stop_all(self.pid);
        }
    }

    /// Continues all processes of the engine.
    pub(crate) fn resume(&self) {
        match self.supervisors.suspended().remove(&self.pid) {
            true => tree::continue_all(self.pid),
            false => drop(self.group.as_deref().map(|group| cgroup::freeze(group, false))),
        }
    }

    /// Returns when no process of a suspended engine is left that runs: a process may be starting
    /// another one at the moment it is stopped.
    pub(crate) async fn stopped(&self) {
        // A control group includes every process.
        while self.supervisors.suspended().contains(&self.pid) && !tree::are_stopped(self.pid) {
            sleep(STOP_INTERVAL).await;
            tree::stop_all(self.pid);
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
