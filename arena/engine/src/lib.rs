//! Engine processes: starts engines, communicates with them within deadlines, and ends them with
//! all their processes.
//!
//! `process` transfers bytes and lines without knowing the protocol; [`client`] implements the
//! protocol. A [`Failure`] of an engine is an ordinary value with a `fault`; nothing an engine
//! does is an error of the arena. [`NotStarted`] tells why a program was not started, and who is at
//! fault. [`raw_process`] gives an engine's output unchanged.
//!
//! The system that engines run on is behind one door, the module `system`: it starts a program
//! so that nothing it starts survives it, ends all of that, measures its processor time and its
//! waiting for a processor, enforces its `bounds`, and confines it. [`Supervisors`] holds what is
//! running. Each system is a module with the same items: `linux`, `unix` for macOS, and `windows`; what
//! the first two have in common is in `posix`.
//!
//! A `Dialogue` keeps all lines of a game where that is asked for. An engine's errors and its
//! standard error are kept of every game (`Reported`), because an engine may play on after them.
//! The options that an engine declares are its [`Declarations`]. [`user_packages`] keeps the packages
//! of the user's home visible to an engine, whose own home is private.
//!
//! [`stall`] measures what an engine lost because the arena's own machine stalled, and `waiting` how
//! much of its waiting for a processor it is not charged for; `charge` puts both together.

mod bounds;
mod charge;
pub mod client;
mod declarations;
mod engine_exit;
mod failure;
mod handshake;
pub mod identity;
mod launch_options;
mod line_log;
#[cfg(all(target_os = "linux", not(portable_unix)))]
mod linux;
mod not_started;
#[cfg(unix)]
mod posix;
mod process;
mod program;
pub mod quota;
pub mod raw_process;
mod relay;
pub mod stall;
mod stderr;
mod supervisor_message;
mod transcript;
#[cfg(all(unix, any(portable_unix, not(target_os = "linux"))))]
mod unix;
#[cfg(any(portable_unix, not(target_os = "linux")))]
mod unmeasured;
pub mod user_packages;
mod waiting;
#[cfg(windows)]
mod windows;

/// The system that engines run on.
#[cfg(all(target_os = "linux", not(portable_unix)))]
use linux as system;
#[cfg(all(unix, any(portable_unix, not(target_os = "linux"))))]
use unix as system;
#[cfg(windows)]
use windows as system;

pub use bounds::Bounds;
pub use client::{Engine, Launch, MoveReply, Search};
pub use declarations::{Declarations, UnreadableOption};
pub use failure::{Failure, StartError};
pub use handshake::{Handshake, HandshakeExcess};
pub use identity::{Changed, Digests, Identity};
pub use launch_options::LaunchOptions;
pub use not_started::{NotStarted, Stage};
pub use system::quota::of_this_process as quota_of_this_process;
pub use system::sandboxed_exec::missing_cpus;
pub use system::supervisors::Supervisors;
pub use system::thread_times::is_reported as waiting_is_reported;
pub use system::tree::started_by_this_process;
pub use system::{CAN_BIND, CAN_SUSPEND};
pub use system::{descriptors, helper, machine_memory, probe, processes};
