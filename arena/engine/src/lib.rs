//! Engine processes: starts engines, communicates with them within deadlines, and ends them with
//! all their processes.
//!
//! Every engine has a `supervisor`, a process between it and the arena. A `launch_spec` tells the
//! supervisor what to start. It reports the engine's exit in a `supervisor_message` and kills all
//! remaining processes. [`Supervisors`] starts supervisors and cleans up if one of them is killed.
//! The process of an engine first restricts itself (`sandboxed_exec`) if the config says so: it
//! gives up its `capabilities`, enters a `sandbox` and a `filter` of system calls, `refused_calls`
//! among them, then executes the engine's program. A [`probe`]
//! tests which restrictions this machine enforces. [`NotStarted`] tells why a program was not
//! started, and who is at fault, and `unrunnable` what is wrong with its file, by
//! its `elf` header or its first line.
//!
//! The supervisor enforces the engine's `bounds`, for which it reads the `memory` and the
//! `open_files` of all its processes, and removes its `private_directory`. If the system
//! supports it, a PID `namespace` ends an engine's processes together with their supervisor, and
//! a `cgroup` makes the kernel enforce bounds. A control group may also limit the arena's own processor
//! time by a [`quota`].
//!
//! A `Dialogue` keeps all lines of a game where that is asked for. An engine's errors and its
//! standard error are kept of every game (`Reported`), because an engine may play on after them.
//! The options that an engine declares are its [`Declarations`].
//!
//! `process` transfers bytes and lines without knowing the protocol; [`client`] implements the
//! protocol. A [`Failure`] of an engine is an ordinary value with a `fault`; nothing an engine
//! does is an error of the arena. [`user_packages`] keeps the packages of the user's home visible to an
//! engine, whose own home is private. [`stall`] measures what an engine lost because the arena's own
//! machine stalled, and [`waiting`] how much of its waiting for a processor it is not charged for;
//! `charge` puts both together. [`raw_process`] gives an engine's output unchanged.

mod bounds;
mod capabilities;
mod cgroup;
mod charge;
pub mod client;
mod cpu;
mod declarations;
pub mod descriptors;
mod elf;
mod failure;
mod filter;
pub mod helper;
pub mod identity;
mod launch_options;
mod launch_spec;
mod line_log;
mod memory;
mod namespace;
mod not_started;
mod open_files;
mod private_directory;
pub mod probe;
mod process;
pub mod processes;
pub mod quota;
pub mod raw_process;
mod refused_calls;
mod relay;
mod sandbox;
mod sandboxed_exec;
pub mod stall;
mod stderr;
mod successor;
mod supervisor;
mod supervisor_message;
mod supervisors;
mod transcript;
mod tree;
mod unrunnable;
pub mod user_packages;
pub mod waiting;

pub use bounds::Bounds;
pub use client::{Engine, Launch, MoveReply, Search};
pub use declarations::{Declarations, UnreadableOption};
pub use failure::{Failure, StartError};
pub use identity::{Changed, Digests, Identity};
pub use launch_options::LaunchOptions;
pub use not_started::{NotStarted, Stage};
pub use sandboxed_exec::missing_cpus;
pub use supervisors::Supervisors;
pub use tree::started_by_this_process;
