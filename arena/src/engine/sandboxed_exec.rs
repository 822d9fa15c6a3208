//! The short life of a process before it becomes an engine: it gives up what an engine is not to
//! have, and then is replaced by the engine's program.

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
use super::not_started::{NotStarted, Stage};
use super::supervisor_message::SupervisorMessage;
use super::{cgroup, filter, sandbox};
use crate::config::Cpus;

/// The descriptor for [`SupervisorMessage`] of a failure. It is closed when the engine begins.
pub(super) const NEWS: i32 = 3;

/// The descriptors a process may have open unless it asks for more.
const DESCRIPTORS: u64 = 1024;

/// What a process may have of memory on paper beyond twice its limit, in bytes.
const MEMORY_SLACK: u64 = 256 << 20;

/// Signals that the arena ignores, or its parents may, and that engines are not to ignore for it.
const IGNORED: [Signal; 2] = [Signal::SIGPIPE, Signal::SIGXFSZ];

/// How long a program that somebody is writing is tried again, and how often. A process of the
/// arena's that is between `fork` and `exec` may hold a file open that has just been written.
const BUSY: Duration = Duration::from_secs(1);
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// Becomes the engine the order of `guard`, the parent of this process, names. Returns only when
/// that fails; the arena has been told why.
pub fn become_engine(guard: i32) -> io::Result<()> {
    close_fds::set_fds_cloexec(NEWS, &[]);
    let mut news = given(NEWS, true)?;
    let why = match attempt(Pid::from_raw(guard), &mut news) {
        Ok(never) => match never {},
        Err(why) => why,
    };
    writeln!(news, "{}", SupervisorMessage::NotStarted(why.clone()))?;
    Err(io::Error::other(why.to_string()))
}

/// What comes back of a success: nothing.
enum Never {}

fn attempt(guard: Pid, news: &mut File) -> Result<Never, NotStarted> {
    let order = LaunchSpec::received().map_err(NotStarted::at(Stage::Confine))?;
    if let Some(group) = &order.group {
        cgroup::enter(group);
    }
    // Out of reach of the terminal: neither its signals nor its screen are for engines.
    setsid().map_err(NotStarted::at(Stage::Session))?;
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(NotStarted::at(Stage::Session))?;
    // Had the guard died before that, nobody would tell.
    if getppid() != guard {
        return Err(NotStarted::without_errno(Stage::Session, "the guard is gone"));
    }
    SigSet::empty().thread_set_mask().map_err(NotStarted::at(Stage::Session))?;
    for signal in IGNORED {
        // A handler ends with the program that set it; a signal that is ignored stays so.
        signal_hook::flag::register(signal as i32, Arc::default())
            .map_err(NotStarted::at(Stage::Session))?;
    }
    limit(&order).map_err(NotStarted::at(Stage::Limits))?;
    if !order.cpus.is_empty() {
        bind(&order.cpus).map_err(NotStarted::at(Stage::Cpus))?;
    }
    std::env::set_current_dir(&order.dir)
        .map_err(|why| NotStarted::at(Stage::Directory)(why).on(order.dir.display()))?;
    let command = command(&order).map_err(NotStarted::at(Stage::Exec))?;
    if let Some(open) = &order.sandbox {
        sandbox::enter(&order.home, open)?;
        // Last, as what comes before uses some of these calls.
        filter::enter(open.network, !order.cpus.is_empty())?;
    }
    // From here on the arena takes what happens for the engine's, unless it hears otherwise.
    writeln!(news, "{}", SupervisorMessage::Exec).map_err(NotStarted::at(Stage::Confine))?;
    Err(NotStarted::at(Stage::Exec)(exec(&command)))
}

/// Sets the limits of resources.
fn limit(order: &LaunchSpec) -> Result<(), Errno> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // As many as there usually are; a program that wants more can raise that itself.
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let hard = hard.min(order.bounds.files);
    setrlimit(Resource::RLIMIT_NOFILE, hard.min(DESCRIPTORS), hard)?;
    if let Some(memory) = order.bounds.memory {
        // The guard's limit is the one that counts; this stops what grows faster than it looks.
        let most = memory.saturating_mul(2).saturating_add(MEMORY_SLACK);
        setrlimit(Resource::RLIMIT_DATA, most, most)?;
    }
    Ok(())
}

/// Binds this process to some processors.
fn bind(numbers: &[u32]) -> Result<(), Errno> {
    let mut cpus = CpuSet::new();
    numbers.iter().try_for_each(|&cpu| cpus.set(cpu as usize))?;
    sched_setaffinity(Pid::this(), &cpus)
}

/// The program, its arguments and its environment, as the system takes them.
struct Command {
    program: CString,
    args: Vec<CString>,
    env: Vec<CString>,
}

fn command(order: &LaunchSpec) -> Result<Command, NulError> {
    let text = |text: &OsStr| CString::new(text.as_bytes());
    // Of two values of one variable the later counts.
    let env: BTreeMap<_, _> = order.env.iter().map(|(name, value)| (name, value)).collect();
    let variable = |(name, value): (&_, &_)| {
        CString::new([OsStr::as_bytes(name), b"=", OsStr::as_bytes(value)].concat())
    };
    let args = [order.program.as_os_str()].into_iter().chain(order.args.iter().map(OsStr::new));
    Ok(Command {
        program: text(order.program.as_os_str())?,
        args: args.map(text).collect::<Result<_, _>>()?,
        env: env
            .into_iter()
            .map(|(name, value)| variable((name, value)))
            .collect::<Result<_, _>>()?,
    })
}

/// Becomes the program; gives why not. What is no program is not handed to a shell.
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

/// The processors of a list this process cannot run on.
pub fn missing_cpus(cpus: &Cpus) -> Vec<u32> {
    let Cpus::Only(cpus) = cpus else { return Vec::new() };
    let here = sched_getaffinity(Pid::this()).unwrap_or_default();
    cpus.iter().copied().filter(|&cpu| !here.is_set(cpu as usize).unwrap_or(false)).collect()
}
