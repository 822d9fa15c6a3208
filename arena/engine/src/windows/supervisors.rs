//! Starts engines in their jobs, waits for their ends, enforces their bounds, and ends them.

use std::env;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::{oneshot, watch};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, sleep, timeout};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_NO_WINDOW, CREATE_SUSPENDED,
};

use super::cpu::CpuMeter;
use super::job::{self, Job};
use super::private_directory::{self, PrivateDirectory};
use super::{checks, tree, unrunnable};
use crate::bounds::Bounds;
use crate::engine_exit::{EngineExit, FirstMessage};
use crate::not_started::{NotStarted, Stage};
use crate::program::Program;
use crate::supervisor_message::SupervisorMessage;

/// The interval and duration of the wait for the end of processes that were ended.
const LOOK: Duration = Duration::from_millis(2);
const MOST: Duration = Duration::from_secs(5);

/// The variables without which programs do not run on this system.
const OF_SYSTEM: [&str; 17] = [
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "OS",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "PROCESSOR_IDENTIFIER",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "PROGRAMW6432",
    "COMMONPROGRAMFILES",
    "ALLUSERSPROFILE",
    "PUBLIC",
    "PSMODULEPATH",
];

/// The variables that name the private directory.
const PRIVATE: [&str; 7] =
    ["HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "TMPDIR", "TMP", "TEMP"];

/// Exit codes from here on are those of the system (NTSTATUS), about a process that it ended.
const BY_SYSTEM: u32 = 0xc000_0000;

/// Starts engines and knows how many are running.
#[derive(Debug)]
pub struct Supervisors {
    /// The number of engines that are running or whose private directories still exist.
    active: AtomicUsize,
}

impl Supervisors {
    /// The supervisors of this process. `program` is the `arena`, which other systems need.
    ///
    /// Removes, in the background, the private directories that were left behind.
    ///
    /// This cannot fail.
    pub fn new(program: impl Into<PathBuf>) -> io::Result<Arc<Supervisors>> {
        drop(program.into());
        // Full directories take time to remove. If no thread can be started, they stay.
        let _ = thread::Builder::new().spawn(private_directory::remove_abandoned);
        Ok(Arc::new(Supervisors { active: AtomicUsize::new(0) }))
    }

    /// The bounds that the kernel enforces exactly: none, because its limits only stop what grows too
    /// fast for the arena's checks.
    pub fn controllers(&self) -> &[&'static str] {
        &[]
    }

    /// Starts a program in a job. Also returns its standard error.
    pub(crate) fn launch(
        supervisors: &Arc<Supervisors>,
        program: &Program,
    ) -> Result<(Supervised, ChildStderr), NotStarted> {
        let home = PrivateDirectory::create().map_err(NotStarted::at(Stage::PrivateDirectory))?;
        let started = start(program, &home);
        let (job, mut child) = match started {
            Ok(started) => started,
            Err(why) => {
                home.remove();
                return Err(why);
            }
        };
        let missing = "all three streams are piped";
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect(missing);
        let stderr = child.stderr.take().expect(missing);
        let (sender, message) = watch::channel(None);
        let (lifeline, closed) = oneshot::channel();
        supervisors.active.fetch_add(1, Ordering::SeqCst);
        let watcher =
            Watcher { supervisors: supervisors.clone(), job: job.clone(), bounds: program.bounds };
        tokio::spawn(watcher.watch(child, home, closed, sender));
        Ok((Supervised { stdin, stdout, lifeline, message, job }, stderr))
    }

    /// Stops every engine or continues it: this system does not stop the arena at its terminal.
    pub fn halt(&self, _: bool) {}

    /// Waits until all engines have ended and their files are removed, up to `max_wait`.
    pub async fn gone(&self, max_wait: Duration) {
        let deadline = Instant::now() + max_wait;
        while self.active.load(Ordering::SeqCst) > 0 && Instant::now() < deadline {
            sleep(LOOK).await;
        }
    }
}

/// Starts a program suspended, adds it to a new job, and lets it run.
fn start(program: &Program, home: &PrivateDirectory) -> Result<(Arc<Job>, Child), NotStarted> {
    let inherited = OF_SYSTEM.into_iter().filter_map(|name| Some((name, env::var_os(name)?)));
    let private = PRIVATE.map(|name| (name, home.path.clone().into_os_string()));
    let system = inherited.chain(private).map(|(name, value)| (OsString::from(name), value));
    let mut command = Command::new(&program.path);
    command
        .args(&program.args)
        .current_dir(&program.dir)
        .env_clear()
        .envs(system.chain(program.env.iter().cloned()))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        // Ctrl-C at the arena's console must not reach engines, nor the end of that console.
        .creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP | CREATE_NO_WINDOW)
        .kill_on_drop(true);
    let job = Job::new(&program.bounds, &program.cpus).map_err(NotStarted::at(Stage::Limits))?;
    if !program.dir.is_dir() {
        return Err(NotStarted::without_errno(Stage::Directory, program.dir.display().to_string()));
    }
    let child = command.spawn().map_err(|why| unrunnable::not_executed(&program.path, why))?;
    let id = child.id().zip(child.raw_handle());
    let (id, handle) = id.expect("a child that has not been waited for has an id");
    job.add(handle).map_err(NotStarted::at(Stage::Confine))?;
    job::resume(id).map_err(NotStarted::at(Stage::Confine))?;
    let job = Arc::new(job);
    tree::remember(&job);
    Ok((job, child))
}

/// Watches one engine.
struct Watcher {
    supervisors: Arc<Supervisors>,
    job: Arc<Job>,
    bounds: Bounds,
}

impl Watcher {
    /// Waits until the engine exits, exceeds a bound, or is to be ended; then ends all its processes,
    /// reports that, and removes its directory.
    async fn watch(
        self,
        mut child: Child,
        home: PrivateDirectory,
        closed: oneshot::Receiver<()>,
        sender: watch::Sender<FirstMessage>,
    ) {
        let Watcher { supervisors, job, bounds } = self;
        let message = tokio::select! {
            biased;
            exited = child.wait() => exited.ok().and_then(|status| status.code()).map(exited_with),
            excess = checked(bounds, &job, home.path.clone()) => Some(excess),
            _ = closed => None,
        };
        if let Some(message) = message {
            sender.send_replace(Some(message));
        }
        job.end();
        let deadline = Instant::now() + MOST;
        while job.running() > 0 && Instant::now() < deadline {
            sleep(LOOK).await;
        }
        // The end of the channel means that no process of the engine is left.
        drop(sender);
        let _ = child.wait().await;
        // Removing it can take long.
        let _ = spawn_blocking(move || home.remove()).await;
        supervisors.active.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Checks an engine's bounds until it exceeds one.
async fn checked(bounds: Bounds, job: &Arc<Job>, home: PathBuf) -> SupervisorMessage {
    loop {
        let (job, home) = (job.clone(), home.clone());
        let looked = spawn_blocking(move || checks::look(&bounds, &job, &home)).await;
        match looked {
            Ok((Some(excess), _)) => return SupervisorMessage::TooMuch(excess),
            Ok((None, pause)) => sleep(pause).await,
            // The runtime is ending, and every engine with it.
            Err(_) => std::future::pending().await,
        }
    }
}

fn exited_with(code: i32) -> SupervisorMessage {
    match code.cast_unsigned() {
        BY_SYSTEM.. => SupervisorMessage::Killed(code),
        _ => SupervisorMessage::Exited(code),
    }
}

/// The arena's view of an engine with its streams. Dropping it ends the engine and its descendants.
#[derive(Debug)]
pub(crate) struct Supervised {
    /// The engine's input; `None` after it is closed.
    pub(crate) stdin: Option<ChildStdin>,
    /// The engine's output.
    pub(crate) stdout: ChildStdout,
    /// Closing it ends the engine.
    lifeline: oneshot::Sender<()>,
    message: watch::Receiver<FirstMessage>,
    job: Arc<Job>,
}

impl Supervised {
    /// A meter of the engine's processor time.
    pub(crate) fn cpu_meter(&self) -> CpuMeter {
        CpuMeter::new(self.job.clone())
    }

    /// Suspends the engine: this system cannot.
    pub(crate) fn suspend(&self) {}

    /// Continues a suspended engine.
    pub(crate) fn resume(&self) {}

    /// Returns when no process of a suspended engine is left that runs.
    pub(crate) async fn stopped(&self) {}

    /// Waits until the engine exits, up to `max_wait`.
    pub(crate) async fn ended(&mut self, max_wait: Duration) -> EngineExit {
        EngineExit::within(max_wait, &mut self.message).await
    }

    /// Ends the engine with its descendants, and returns when no process is left, or after
    /// `max_wait` if the system does not end them.
    pub(crate) async fn end(self, max_wait: Duration) {
        let Supervised { lifeline, mut message, .. } = self;
        drop(lifeline);
        let _ = timeout(max_wait, async { while message.changed().await.is_ok() {} }).await;
    }
}
