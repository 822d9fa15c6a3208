//! The arena's side of the guards: starts them, hears their news, and ends what a guard that was
//! killed has left behind.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, waitpid};
use nix::unistd::{Pid, getsid};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::unix::pipe;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};

use super::bounds::Bounds;
use super::cgroup::Delegated;
use super::launch_spec::LaunchSpec;
use super::not_started::{NotStarted, Stage};
use super::supervisor_message::SupervisorMessage;
use super::{cgroup, private_directory, supervisor, tree};

/// The most bytes of news that are read.
const MAX_NEWS: u64 = 64 * 1024;

/// How soon those that were killed are looked for again, and for how long.
const LOOK_AGAIN: Duration = Duration::from_millis(2);
const LOOK_FOR: Duration = Duration::from_secs(5);

/// Whether this process has guards.
static THERE_ARE: AtomicBool = AtomicBool::new(false);

/// Starts guards, of which every engine has one.
///
/// The process that makes this becomes the parent of whatever its descendants leave behind. Once a
/// guard has died it ends every child that is no guard and belongs to another session than this
/// process: what an engine starts does, as every engine leads a session of its own. So children of
/// the process's own making are safe unless they lead sessions too.
///
/// Where the process is alone in a control group that is its own to divide, it moves into a group of
/// its own in it, and every engine has another.
///
/// There is one set of guards in a process at a time: two would take each other's for strays.
#[derive(Debug)]
pub struct Guards {
    program: PathBuf,
    /// Those whose end, or the end of whose engine's files, is still to come.
    attended: AtomicUsize,
    /// Whether engines in a sandbox have PID namespaces of their own.
    namespaces: AtomicBool,
    /// The control group engines have theirs in, where there is one.
    delegated: Option<Delegated>,
    /// Those that have not been waited for. Locked while one is being started, so that it is never
    /// taken for a stray.
    living: Mutex<BTreeSet<Pid>>,
}

impl Guards {
    /// Guards that are processes of a program, which is the `arena`.
    ///
    /// # Errors
    /// When the system does not let this process take care of its descendants, or this process has
    /// guards already.
    pub fn new(program: impl Into<PathBuf>) -> io::Result<Arc<Guards>> {
        prctl::set_child_subreaper(true)?;
        if THERE_ARE.swap(true, Ordering::SeqCst) {
            return Err(io::Error::other("this process has a set of guards already: use that one"));
        }
        Ok(Arc::new(Guards {
            program: program.into(),
            attended: AtomicUsize::new(0),
            namespaces: AtomicBool::new(false),
            delegated: Delegated::take(),
            living: Mutex::default(),
        }))
    }

    /// The bounds the kernel itself holds for engines, by the controllers of the control group this
    /// process was started in; none where it was delegated no group.
    pub fn controllers(&self) -> &[&'static str] {
        self.delegated.as_ref().map_or(&[], Delegated::controllers)
    }

    /// Makes a control group for an engine, where there can be one.
    pub(super) fn make_group(&self, bounds: &Bounds, cpus: &[u32]) -> Option<PathBuf> {
        self.delegated.as_ref()?.make(bounds, cpus).ok()
    }

    /// Whether engines in a sandbox have PID namespaces of their own.
    pub(super) fn has_namespaces(&self) -> bool {
        self.namespaces.load(Ordering::SeqCst)
    }

    /// Has engines in a sandbox that are started from now on have PID namespaces of their own, or not.
    pub(super) fn give_namespaces(&self, give: bool) {
        self.namespaces.store(give, Ordering::SeqCst);
    }

    /// The program guards are processes of.
    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    /// Starts a guard and, by it, an engine; gives the engine's standard error as well.
    pub(super) fn start(
        guards: &Arc<Guards>,
        order: &LaunchSpec,
    ) -> io::Result<(Supervised, ChildStderr)> {
        let (their_line, line) = io::pipe()?;
        let (news, their_news) = io::pipe()?;
        let news = pipe::Receiver::from_owned_fd(news.into())?;
        let (home, group) = (order.home.clone(), order.group.clone());
        let (variable, order) = order.variable()?;
        let mut command = Command::new(&guards.program);
        command
            .arg("guard")
            .env(variable, order)
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // What stops the arena at its terminal must not stop its guards.
            .process_group(0);
        let mappings = vec![
            FdMapping { parent_fd: their_line.into(), child_fd: supervisor::LIFELINE },
            FdMapping { parent_fd: their_news.into(), child_fd: supervisor::NEWS },
        ];
        command.fd_mappings(mappings).map_err(io::Error::other)?;
        let mut living = guards.living();
        let mut child = command.spawn()?;
        let id = child.id().expect("a child that has not been waited for has an id");
        let pid = Pid::from_raw(id as i32);
        living.insert(pid);
        drop(living);
        let missing = "all three streams are piped";
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect(missing);
        let stderr = child.stderr.take().expect(missing);
        let (told, heard) = watch::channel(None);
        guards.attended.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(guards.clone().attend(pid, child, news, told, home, group));
        Ok((Supervised { pid, stdin, stdout, line, heard }, stderr))
    }

    /// Hears what a guard has to say and waits for its end.
    async fn attend(
        self: Arc<Guards>,
        pid: Pid,
        mut child: Child,
        news: pipe::Receiver,
        told: watch::Sender<Option<SupervisorMessage>>,
        home: PathBuf,
        group: Option<PathBuf>,
    ) {
        let mut lines = BufReader::new(news.take(MAX_NEWS)).lines();
        // Whether the engine's process was about to become the program, and whether nothing is left.
        let (mut exec, mut gone) = (false, false);
        let tell = |news| {
            // What is told first has come to pass first.
            told.send_if_modified(|known: &mut Option<SupervisorMessage>| {
                let first = known.is_none();
                known.get_or_insert(news);
                first
            });
        };
        while let Ok(Some(line)) = lines.next_line().await {
            match line.parse() {
                Ok(SupervisorMessage::Exec) => exec = true,
                Ok(SupervisorMessage::Gone) => gone = true,
                Ok(news) if exec || matches!(news, SupervisorMessage::NotStarted(_)) => tell(news),
                // The end of a process that has not become the engine is not the engine's.
                Ok(news) => tell(not_started(Stage::Confine, news.in_words())),
                Err(()) => {}
            }
        }
        if !exec {
            // Nor is that of a guard which has not come so far. It may have told why before.
            tell(not_started(Stage::Guard, "it ended before the program was run"));
        }
        // Whoever waits learns by the end of the channel that nothing is left of the engine. A guard
        // may go on removing files then.
        let told = (!gone).then_some(told);
        // Its orphans are ours as soon as it has been waited for, not when its pipes are closed.
        let _ = child.wait().await;
        self.living().remove(&pid);
        self.end_strays().await;
        drop(told);
        if let Some(group) = group {
            cgroup::remove(&group);
        }
        // A guard that was killed has left it; to remove it may take long.
        if home.exists() {
            let removed = spawn_blocking(move || private_directory::remove(&home));
            // It is in the directory for what is temporary: somebody else will clear it up.
            let _ = removed.await;
        }
        self.attended.fetch_sub(1, Ordering::SeqCst);
    }

    fn living(&self) -> MutexGuard<'_, BTreeSet<Pid>> {
        self.living.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends every child that guards have left behind, with what it has started.
    async fn end_strays(&self) {
        let deadline = Instant::now() + LOOK_FOR;
        while self.kill_strays() && Instant::now() < deadline {
            sleep(LOOK_AGAIN).await;
        }
    }

    /// Kills those there are now; whether there were any.
    fn kill_strays(&self) -> bool {
        let living = self.living();
        let own = getsid(None).ok();
        let mut children = tree::children(Pid::this());
        children.retain(|&child| {
            let session = tree::stat(child).map(|stat| stat.session);
            !living.contains(&child) && session.is_some() && session != own
        });
        for &stray in &children {
            tree::kill_all(stray);
            // It may be gone, and has to be waited for all the same.
            let _ = kill(stray, Signal::SIGKILL);
            let _ = waitpid(stray, Some(WaitPidFlag::WNOHANG));
        }
        !children.is_empty()
    }

    /// Stops every engine with everything it has started, or has them go on.
    pub fn halt(&self, halt: bool) {
        for &guard in &*self.living() {
            tree::halt_all(guard, halt);
        }
    }

    /// Returns when every guard has ended, and with it whatever its engine has started and written;
    /// or after `patience`.
    pub async fn gone(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.attended.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            sleep(LOOK_AGAIN).await;
        }
        self.kill_strays();
    }
}

fn not_started(stage: Stage, detail: impl Into<String>) -> SupervisorMessage {
    SupervisorMessage::NotStarted(NotStarted::without_errno(stage, detail))
}

impl Drop for Guards {
    fn drop(&mut self) {
        THERE_ARE.store(false, Ordering::SeqCst);
    }
}

/// A guard, seen from the arena, and the streams of its engine. Dropped, it ends the engine with
/// everything that has started.
#[derive(Debug)]
pub(super) struct Supervised {
    /// The guard; the engine's processes are its descendants.
    pub(super) pid: Pid,
    /// What the engine reads; `None` once it has been ended.
    pub(super) stdin: Option<ChildStdin>,
    /// What the engine says.
    pub(super) stdout: ChildStdout,
    /// Cut by closing it.
    line: io::PipeWriter,
    heard: watch::Receiver<Option<SupervisorMessage>>,
}

/// What is known of an engine's end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum EngineExit {
    /// The guard has told.
    Ended(SupervisorMessage),
    /// The guard has been killed, and the engine with it, which had begun to run.
    Unguarded,
    /// It has not ended.
    Running,
}

impl Supervised {
    /// Waits for the end of the engine, but not longer than `patience`.
    pub(super) async fn ended(&mut self, patience: Duration) -> EngineExit {
        match timeout(patience, self.heard.wait_for(Option::is_some)).await {
            Ok(Ok(news)) => news.clone().map_or(EngineExit::Running, EngineExit::Ended),
            Ok(Err(_)) => EngineExit::Unguarded,
            Err(_) => EngineExit::Running,
        }
    }

    /// Ends the engine with everything it has started, and returns when nothing of it is left; or
    /// after `patience`, when the system does not end it.
    pub(super) async fn end(self, patience: Duration) {
        let Supervised { pid, line, mut heard, .. } = self;
        drop(line);
        let mut gone = pin!(async { while heard.changed().await.is_ok() {} });
        if timeout(patience, &mut gone).await.is_err() {
            supervisor::end(pid);
            let _ = timeout(patience, gone).await;
        }
    }
}
