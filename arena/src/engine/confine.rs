//! The short life of a process before it becomes an engine: it gives up what an engine is not to
//! have, and then is replaced by the engine's program.

use std::fs::File;
use std::io::{self, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Pid, getppid, setsid};

use super::guard::given;
use super::news::News;
use super::order::Order;
use super::sandbox;
use crate::config::Cpus;

/// The descriptor for [`News`] of a failure. It is closed when the engine begins.
pub(super) const NEWS: i32 = 3;

/// What a process may have of memory on paper beyond twice its limit, in bytes.
const MEMORY_SLACK: u64 = 256 << 20;

/// Becomes the engine the order of `guard`, the parent of this process, names. Returns only when
/// that fails; the arena has been told why.
pub fn become_engine(guard: i32) -> io::Result<()> {
    close_fds::set_fds_cloexec(NEWS, &[]);
    let mut news = given(NEWS, true)?;
    let why = match attempt(Pid::from_raw(guard)) {
        Ok(never) => match never {},
        Err(why) => why,
    };
    writeln!(news, "{}", News::NotStarted(why.to_string()))?;
    Err(why)
}

/// What comes back of a success: nothing.
enum Never {}

fn attempt(guard: Pid) -> io::Result<Never> {
    let order = Order::received()?;
    // Out of reach of the terminal: neither its signals nor its screen are for engines.
    setsid()?;
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    // Had the guard died before that, nobody would tell.
    if getppid() != guard {
        return Err(io::Error::other("the guard is gone"));
    }
    SigSet::empty().thread_set_mask()?;
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    if let Some(memory) = order.memory {
        // The guard's limit is the one that counts; this stops what grows faster than it looks.
        let most = memory.saturating_mul(2).saturating_add(MEMORY_SLACK);
        setrlimit(Resource::RLIMIT_DATA, most, most)?;
    }
    if !order.cpus.is_empty() {
        let mut cpus = CpuSet::new();
        order.cpus.iter().try_for_each(|&cpu| cpus.set(cpu as usize))?;
        sched_setaffinity(Pid::this(), &cpus)
            .map_err(|why| io::Error::other(format!("cannot run on the config's `cpus`: {why}")))?;
    }
    std::env::set_current_dir(&order.dir).map_err(|why| {
        io::Error::other(format!("cannot work in the directory {}: {why}", order.dir.display()))
    })?;
    if let Some(writable) = &order.writable {
        sandbox::enter(&order.home, writable).map_err(io::Error::other)?;
    }
    if is_bare_text(&order.program) {
        return Err(io::Error::other("it is no program, and a script has to begin with `#!`"));
    }
    let env = order.env.iter().map(|(name, value)| (name, value));
    Err(Command::new(&order.program).args(&order.args).env_clear().envs(env).exec())
}

/// The processors of a list this process cannot run on.
pub fn missing_cpus(cpus: &Cpus) -> Vec<u32> {
    let Cpus::Only(cpus) = cpus else { return Vec::new() };
    let here = sched_getaffinity(Pid::this()).unwrap_or_default();
    cpus.iter().copied().filter(|&cpu| !here.is_set(cpu as usize).unwrap_or(false)).collect()
}

/// Whether a file is text that does not say what is to read it: nothing the system runs, but
/// `exec` would hand it to a shell all the same.
fn is_bare_text(file: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(file).and_then(|file| file.take(256).read_to_end(&mut beginning));
    // What can be run and not read is left to the system.
    read.is_ok() && !beginning.starts_with(b"#!") && !beginning.contains(&0)
}
