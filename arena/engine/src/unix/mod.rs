//! Unix systems other than Linux: macOS.
//!
//! As on Linux, every engine has a [`supervisor`], a process between it and the arena, which ends the
//! engine with all that it started even if the arena is killed. [`supervisors`] starts supervisors and
//! cleans up if one of them is killed. The supervisor leads a session, and the engine, which becomes one
//! in [`engine_exec`], a process group in it.
//!
//! These systems do not tell who becomes the parent of an orphan, so [`tree`] looks for an engine's
//! processes: those of its session, and whatever was seen to descend from them. There is no sandbox, so
//! that a [`probe`] finds none, no binding to processors, no [`quota`], and no measure of the waiting for
//! a processor ([`thread_times`]). Bounds are enforced by looking ([`excess`]). [`cpu`] measures processor
//! time, and the supervisor removes the engine's [`private_directory`].
//!
//! [`table`] is what the system tells of its processes. With `--cfg portable_unix` Linux uses this module
//! with a table of its own, so that the tests of the arena can be run with it.

pub(crate) mod cpu;
pub(crate) mod engine_exec;
pub(crate) mod excess;
pub mod helper;
pub mod machine_memory;
pub(crate) mod private_directory;
pub mod probe;
pub mod processes;
pub(crate) mod sandboxed_exec;
pub(crate) mod supervisor;
pub(crate) mod supervisors;
pub(crate) mod table;
pub(crate) mod tree;

pub use crate::posix::descriptors;
pub(crate) use crate::posix::{error_pipe, file_version, start_error};
pub(crate) use crate::unmeasured::{quota, thread_times};

use std::time::Duration;

use nix::sys::signal::Signal;
use nix::time::{ClockId, clock_gettime};

/// Whether engines can be suspended.
pub const CAN_SUSPEND: bool = true;
/// Whether engines can be bound to processors.
pub const CAN_BIND: bool = false;

/// The time since this machine was started; on macOS with the time in which it slept.
pub(crate) fn since_boot() -> Duration {
    // Every Unix has this clock.
    clock_gettime(ClockId::CLOCK_MONOTONIC).map_or(Duration::ZERO, Duration::from)
}

/// The end of a process by a signal in words.
pub(crate) fn killed(number: i32) -> String {
    match Signal::try_from(number) {
        Ok(signal) => format!("killed by signal {number} ({signal})"),
        Err(_) => format!("killed by signal {number}"),
    }
}
