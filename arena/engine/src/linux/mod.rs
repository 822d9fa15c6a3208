//! Linux.
//!
//! Every engine has a [`supervisor`], a process between it and the arena. It reports the engine's exit and
//! kills all remaining processes. What other Unix systems do in the same way is in `posix`.
//! [`supervisors`] starts supervisors and cleans up if one of them is killed. The process of an engine
//! first restricts itself ([`sandboxed_exec`]) if the config says so: it gives up its
//! [`capabilities`], enters a [`sandbox`] and a [`filter`] of system calls, [`refused_calls`] among
//! them, then executes the engine's program. A [`probe`] tests which restrictions this machine
//! enforces.
//!
//! The supervisor enforces the engine's bounds ([`excess`]), for which it reads the [`memory`] and the
//! [`open_files`] of all its processes, and removes its [`private_directory`]. If the system
//! supports it, a PID [`namespace`] ends an engine's processes together with their supervisor, and
//! a [`cgroup`] makes the kernel enforce bounds. A control group may also limit the arena's own
//! processor time by a [`quota`]. [`tree`] finds an engine's processes, [`cpu`] measures their
//! processor time, and [`thread_times`] how long they waited for a processor.

pub(crate) mod capabilities;
pub(crate) mod cgroup;
pub(crate) mod cpu;
pub(crate) mod excess;
pub(crate) mod filter;
pub mod helper;
pub mod machine_memory;
pub(crate) mod memory;
pub(crate) mod namespace;
pub(crate) mod open_files;
pub(crate) mod private_directory;
pub mod probe;
pub mod processes;
pub(crate) mod quota;
pub(crate) mod refused_calls;
pub(crate) mod sandbox;
pub(crate) mod sandboxed_exec;
pub(crate) mod supervisor;
pub(crate) mod supervisors;
pub(crate) mod thread_times;
pub(crate) mod tree;

pub use crate::posix::descriptors;
pub(crate) use crate::posix::{error_pipe, file_version, start_error};

use std::time::Duration;

use nix::sys::signal::Signal;
use nix::time::{ClockId, clock_gettime};

/// Whether engines can be suspended.
pub const CAN_SUSPEND: bool = true;
/// Whether engines can be bound to processors.
pub const CAN_BIND: bool = true;

/// The time since this machine was started, the time included in which it slept.
pub(crate) fn since_boot() -> Duration {
    // Every Linux has this clock.
    clock_gettime(ClockId::CLOCK_BOOTTIME).map_or(Duration::ZERO, Duration::from)
}

/// The end of a process by a signal in words.
pub(crate) fn killed(number: i32) -> String {
    match Signal::try_from(number) {
        Ok(Signal::SIGSYS) => format!(
            "killed by signal {number} (SIGSYS): the sandbox kills programs for another processor or \
             32 bits; they need sandbox = \"none\""
        ),
        Ok(signal) => format!("killed by signal {number} ({signal})"),
        Err(_) => format!("killed by signal {number}"),
    }
}
