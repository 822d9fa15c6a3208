//! Engines as processes: started, spoken to within deadlines, and ended with all they began.
//!
//! Between the arena and every engine stands a process of its own, the [`supervisor`]. A
//! `launch_spec` tells it what to start; it tells by `supervisor_message` how that has ended, and
//! lets nothing of it survive. [`Guards`] starts supervisors and is there when one of them is
//! killed. The engine's process first confines itself ([`sandboxed_exec`]), into a `sandbox` and
//! behind a `filter` of system calls if it is to have them, then becomes the program. What both
//! hold on this machine comes out by a [`probe`]. Why an engine has not become its program, and who
//! is at fault for that, is [`NotStarted`].
//!
//! The supervisor looks whether the engine keeps its `bounds`, and removes its `private_directory`.
//! Where the system gives them, a PID [`namespace`] ends an engine's processes with their
//! supervisor, and a `cgroup` has the kernel hold bounds itself.
//!
//! `process` moves bytes and lines and knows no protocol; [`client`] speaks it. An engine that
//! misbehaves is a [`Failure`], a value like any other, with a [`fault`]; nothing an engine does is
//! an error of the arena. [`stall`] tells what an engine lost because the arena's own machine stood
//! still. [`raw_process`] shows what an engine says exactly as it is said.

mod bounds;
mod cgroup;
pub mod client;
mod cpu;
pub mod descriptors;
mod failure;
pub mod fault;
mod filter;
pub mod identity;
mod launch_spec;
pub mod namespace;
mod not_started;
mod private_directory;
pub mod probe;
mod process;
pub mod processes;
pub mod raw_process;
mod sandbox;
pub mod sandboxed_exec;
pub mod stall;
mod stderr;
mod successor;
pub mod supervisor;
mod supervisor_message;
mod supervisors;
mod transcript;
mod tree;

pub use client::{Answer, Engine, Launch};
pub use failure::{Failure, StartError};
pub use identity::{Changed, Digests, Identity};
pub use not_started::{NotStarted, Stage};
pub use probe::{Enforced, Enforcement};
pub use sandboxed_exec::missing_cpus;
pub use supervisors::Guards;
