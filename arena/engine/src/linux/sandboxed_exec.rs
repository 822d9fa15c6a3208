//! The process that executes an engine's program: it first gives up the rights that an engine must
//! not have.

use std::fs::File;
use std::io;

use nix::errno::Errno;
use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::Signal;
use nix::unistd::{Pid, setsid};

use super::{capabilities, cgroup, filter, sandbox};
use crate::not_started::{NotStarted, Stage};
use crate::posix::execution::{self, Command, Never};
use crate::posix::launch_spec::LaunchSpec;
use crate::posix::unrunnable;
use fanorona_tournament::config::Cpus;

/// The address space a process can reserve beyond twice its memory limit, in bytes.
const MEMORY_SLACK: u64 = 256 << 20;

/// Executes the engine of a launch specification. `parent` is that of this process. Returns only if that
/// fails, after the arena was told the reason.
pub(crate) fn become_engine(parent: Pid, messages: File, spec: &LaunchSpec) -> io::Result<()> {
    execution::become_engine(messages, |messages| attempt(parent, messages, spec))
}

fn attempt(parent: Pid, messages: &mut File, spec: &LaunchSpec) -> Result<Never, NotStarted> {
    if let Some(group) = &spec.group {
        cgroup::enter(group);
    }
    // A new session detaches engines from the terminal's signals and screen.
    setsid().map_err(NotStarted::at(Stage::Session))?;
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(NotStarted::at(Stage::Session))?;
    // If the parent died before, no signal arrives.
    execution::expect_parent(parent)?;
    execution::reset_signals()?;
    limit(spec).map_err(NotStarted::at(Stage::Limits))?;
    if !spec.cpus.is_empty() {
        bind(&spec.cpus).map_err(NotStarted::at(Stage::Cpus))?;
    }
    execution::change_directory(spec)?;
    let command = Command::of(spec)?;
    if let Some(open) = &spec.sandbox {
        capabilities::drop_all().map_err(NotStarted::at(Stage::Sandbox))?;
        sandbox::enter(&spec.home, open)?;
        // The filter comes last, because earlier steps use some of the filtered calls.
        filter::enter(open.network, !spec.cpus.is_empty())?;
        capabilities::prepare_exec().map_err(NotStarted::at(Stage::Sandbox))?;
    }
    let why = command.execute(messages)?;
    Err(unrunnable::not_executed(&spec.program, why))
}

/// Sets resource limits.
fn limit(spec: &LaunchSpec) -> Result<(), Errno> {
    execution::limit(&spec.bounds)?;
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

/// The processors of a list that are not available to this process.
pub fn missing_cpus(cpus: &Cpus) -> Vec<u32> {
    let Cpus::Only(cpus) = cpus else { return Vec::new() };
    let here = sched_getaffinity(Pid::this()).unwrap_or_default();
    cpus.iter().copied().filter(|&cpu| !here.is_set(cpu as usize).unwrap_or(false)).collect()
}
