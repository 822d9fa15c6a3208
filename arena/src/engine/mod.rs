//! Engines as processes: started, spoken to within deadlines, and ended with all they began.
//!
//! Between the arena and every engine stands a process of its own, the [`guard`], which is told by
//! an `order` what to start, tells by `news` how that has ended, and lets nothing of it survive;
//! [`Guards`] starts guards and is there when one of them is killed. The engine's process first
//! [confines](confine) itself, into a `sandbox` and behind a `filter` of system calls if it is to have
//! them, then becomes the program. What both hold on this machine comes out by a [`probe`]. Why an engine
//! has not become its program, and who is at fault for that, is [`NotStarted`].
//!
//! The guard looks whether the engine keeps its `bounds`, and removes its `private_directory`. Where
//! the system gives them, a PID [`namespace`] ends an engine's processes with their guard, and a
//! `cgroup` has the kernel hold bounds itself.
//!
//! `process` moves bytes and lines and knows no protocol; [`client`] speaks it. An engine that
//! misbehaves is a [`Failure`], a value like any other; nothing an engine does is an error of the
//! arena. [`wire`] is for whoever wants to see what an engine says exactly as it is said.

mod bounds;
mod cgroup;
pub mod client;
pub mod confine;
mod cpu;
pub mod descriptors;
mod failure;
mod filter;
pub mod guard;
mod guards;
pub mod identity;
pub mod namespace;
mod news;
mod not_started;
mod order;
mod private_directory;
pub mod probe;
mod process;
pub mod processes;
mod sandbox;
mod stderr;
mod transcript;
mod tree;
pub mod wire;

pub use client::{Answer, Engine, Launch};
pub use confine::missing_cpus;
pub use failure::{Failure, StartError};
pub use guards::Guards;
pub use identity::{Changed, Digests, Identity};
pub use not_started::{NotStarted, Stage};
pub use probe::{Enforced, Enforcement};
