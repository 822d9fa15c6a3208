//! Windows.
//!
//! Every engine belongs to a [`job`] before its first instruction runs. The job holds its processes
//! together: none can leave it, and the system ends all of them when the arena closes the job or is
//! killed itself. So there is no process between the arena and an engine; [`supervisors`] starts
//! engines, waits for them and enforces their bounds ([`checks`]). An engine's [`private_directory`] is
//! removed after it, or by the next arena. [`unrunnable`] tells what is wrong with a program's file.
//!
//! There is no sandbox: an engine can read, write and connect to whatever its user can. Engines are not
//! suspended, and the system does not report how long threads wait for a processor.

pub(crate) mod checks;
pub(crate) mod cpu;
pub mod descriptors;
pub(crate) mod error_pipe;
pub(crate) mod file_version;
pub mod helper;
pub(crate) mod job;
pub mod machine_memory;
pub(crate) mod private_directory;
pub mod probe;
pub mod processes;
pub(crate) mod sandboxed_exec;
pub(crate) mod start_error;
pub(crate) mod supervisors;
pub(crate) mod tree;
pub(crate) mod unrunnable;

pub(crate) use crate::unmeasured::{quota, thread_times};

use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Whether engines can be suspended.
pub const CAN_SUSPEND: bool = false;
/// Whether engines can be bound to processors.
pub const CAN_BIND: bool = true;

/// A fixed moment. The clock goes on while the machine sleeps.
static BEGIN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The time since a fixed moment, the time included in which the machine slept.
pub(crate) fn since_boot() -> Duration {
    BEGIN.elapsed()
}

/// The codes of frequent ends by the system (NTSTATUS), with their meaning.
const ENDS: [(u32, &str); 8] = [
    (0xc000_0005, "an access to memory that it does not have"),
    (0xc000_0017, "no more memory"),
    (0xc000_001d, "an instruction that this processor does not have"),
    (0xc000_0094, "a division by zero"),
    (0xc000_00fd, "an overflow of its stack"),
    (0xc000_0135, "a DLL that was not found"),
    (0xc000_0142, "a DLL that could not be initialised"),
    (0xc000_0409, "an abort, as by a panic or an overrun buffer"),
];

/// The end of a process by the system in words.
pub(crate) fn killed(code: i32) -> String {
    let code = code.cast_unsigned();
    let meaning = ENDS.iter().find(|(known, _)| *known == code);
    let meaning = meaning.map_or(String::new(), |(_, meaning)| format!(": {meaning}"));
    format!("ended by the system with code {code:#010x}{meaning}")
}
