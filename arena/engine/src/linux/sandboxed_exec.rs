//! The process that executes an engine's program: it first gives up the rights that an engine must
//! not have.

use std::collections::BTreeMap;
use std::ffi::{CString, NulError, OsStr};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Pid, execve, getppid, setsid};

use super::descriptors::given;
use super::launch_spec::LaunchSpec;
use super::{capabilities, cgroup, filter, sandbox, unrunnable};
use crate::not_started::{NotStarted, Stage};
use crate::supervisor_message::SupervisorMessage;
use fanorona_tournament::config::Cpus;

/// The descriptor for the [`SupervisorMessage`] about a failure. It is closed when the engine's
/// program starts.
pub(crate) const MESSAGES: i32 = 3;

/// The default limit of open descriptors; a process can raise it.
const DESCRIPTORS: u64 = 1024;

/// The address space a process can reserve beyond twice its memory limit, in bytes.
const MEMORY_SLACK: u64 = 256 << 20;

/// Signals that the arena or its parents may ignore, but engines must not.
const IGNORED: [Signal; 3] = [Signal::SIGPIPE, Signal::SIGXFSZ, Signal::SIGCHLD];

/// The time and interval of retries while the program file is open for writing. A process of the
/// arena between `fork` and `exec` can hold a recently written file open.
const BUSY: Duration = Duration::from_secs(1);
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Executes the engine of the launch specification. `supervisor` is the parent of this process. Returns
/// only if that fails, after the arena was told the reason.
pub(crate) fn become_engine(supervisor: i32) -> io::Result<()> {
    close_fds::set_fds_cloexec(MESSAGES, &[]);
    let mut messages = given(MESSAGES, true)?;
    let why = match attempt(Pid::from_raw(supervisor), &mut messages) {
        Ok(never) => match never {},
        Err(why) => why,
    };
    writeln!(messages, "{}", SupervisorMessage::NotStarted(why.clone()))?;
    Err(io::Error::other(why.to_string()))
}

/// The result of a success, which never returns.
enum Never {}

fn attempt(supervisor: Pid, messages: &mut File) -> Result<Never, NotStarted> {
    let spec = LaunchSpec::received().map_err(NotStarted::at(Stage::Confine))?;
    if let Some(group) = &spec.group {
        cgroup::enter(group);
    }
    // A new session detaches engines from the terminal's signals and screen.
    setsid().map_err(NotStarted::at(Stage::Session))?;
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(NotStarted::at(Stage::Session))?;
    // If the supervisor died before, no signal arrives.
    if getppid() != supervisor {
        return Err(NotStarted::without_errno(Stage::Session, "the supervisor has exited"));
    }
    SigSet::empty().thread_set_mask().map_err(NotStarted::at(Stage::Session))?;
    for signal in IGNORED {
        // `exec` removes a handler, but an ignored signal stays ignored. Setting a handler
        // therefore restores the default.
        signal_hook::flag::register(signal as i32, Arc::default())
            .map_err(NotStarted::at(Stage::Session))?;
    }
    limit(&spec).map_err(NotStarted::at(Stage::Limits))?;
    if !spec.cpus.is_empty() {
        bind(&spec.cpus).map_err(NotStarted::at(Stage::Cpus))?;
    }
    std::env::set_current_dir(&spec.dir)
        .map_err(|why| NotStarted::at(Stage::Directory)(why).on(spec.dir.display()))?;
    let command = command(&spec).map_err(NotStarted::at(Stage::Exec))?;
    if let Some(open) = &spec.sandbox {
        capabilities::drop_all().map_err(NotStarted::at(Stage::Sandbox))?;
        sandbox::enter(&spec.home, open)?;
        // The filter comes last, because earlier steps use some of the filtered calls.
        filter::enter(open.network, !spec.cpus.is_empty())?;
        capabilities::prepare_exec().map_err(NotStarted::at(Stage::Sandbox))?;
    }
    // From here on the arena attributes failures to the engine, unless another message follows.
    writeln!(messages, "{}", SupervisorMessage::Exec).map_err(NotStarted::at(Stage::Confine))?;
    Err(unrunnable::not_executed(&spec.program, exec(&command)))
}

/// Sets resource limits.
fn limit(spec: &LaunchSpec) -> Result<(), Errno> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // The usual number; a program that needs more can raise the limit itself.
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let hard = hard.min(spec.bounds.files);
    setrlimit(Resource::RLIMIT_NOFILE, hard.min(DESCRIPTORS), hard)?;
    if let Some(memory) = spec.bounds.memory {
        // The supervisor enforces the actual limit. This one stops growth that is faster than its
        // checks.
        let most = memory.saturating_mul(2).saturating_add(MEMORY_SLACK);
        setrlimit(Resource::RLIMIT_DATA, most, most)?;
    }
    if spec.sandbox.is_some() {
        // Some users may raise priorities. An engine that did would take its opponent's time.
        setrlimit(Resource::RLIMIT_NICE, 0, 0)?;
        setrlimit(Resource::RLIMIT_RTPRIO, 0, 0)?;
    }
    Ok(())
}

/// Binds this process to processors.
fn bind(numbers: &[u32]) -> Result<(), Errno> {
    let mut cpus = CpuSet::new();
    numbers.iter().try_for_each(|&cpu| cpus.set(cpu as usize))?;
    sched_setaffinity(Pid::this(), &cpus)
}

/// The program, its arguments and its environment, in the form of the system call.
struct Command {
    program: CString,
    args: Vec<CString>,
    env: Vec<CString>,
}

fn command(spec: &LaunchSpec) -> Result<Command, NulError> {
    let text = |text: &OsStr| CString::new(text.as_bytes());
    // If a variable occurs twice, the later value counts.
    let env: BTreeMap<_, _> = spec.env.iter().map(|(name, value)| (name, value)).collect();
    let variable = |(name, value): (&_, &_)| {
        CString::new([OsStr::as_bytes(name), b"=", OsStr::as_bytes(value)].concat())
    };
    let args = [spec.program.as_os_str()].into_iter().chain(spec.args.iter().map(OsStr::new));
    Ok(Command {
        program: text(spec.program.as_os_str())?,
        args: args.map(text).collect::<Result<_, _>>()?,
        env: env
            .into_iter()
            .map(|(name, value)| variable((name, value)))
            .collect::<Result<_, _>>()?,
    })
}

/// Executes the program. Returns the error if that fails. A file that is not a program is not
/// passed to a shell.
fn exec(command: &Command) -> Errno {
    let begin = Instant::now();
    loop {
        let Err(why) = execve(&command.program, &command.args, &command.env);
        if why != Errno::ETXTBSY || begin.elapsed() >= BUSY {
            return why;
        }
        sleep(BUSY_PAUSE);
    }
}

/// The processors of a list that are not available to this process.
pub fn missing_cpus(cpus: &Cpus) -> Vec<u32> {
    let Cpus::Only(cpus) = cpus else { return Vec::new() };
    let here = sched_getaffinity(Pid::this()).unwrap_or_default();
    cpus.iter().copied().filter(|&cpu| !here.is_set(cpu as usize).unwrap_or(false)).collect()
}
