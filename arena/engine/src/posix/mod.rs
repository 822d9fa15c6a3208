//! The parts of the Unix systems that are the same on each.
//!
//! Every engine has a supervisor, a process between it and the arena, at the other end of a [`link`]. A
//! [`launch_spec`] tells it what to start. Its [`supervision`] begins and ends alike everywhere. It starts
//! its [`successor`], a copy of itself which ends in the [`execution`] of the engine's program, and
//! [`unrunnable`] tells what is wrong with its file, by its first line or on Linux its `elf` header. The
//! supervisor enforces bounds by repeated [`checks`] and removes the engine's [`home`].

pub(crate) mod checks;
pub mod descriptors;
#[cfg(target_os = "linux")]
pub(crate) mod elf;
pub(crate) mod error_pipe;
pub(crate) mod execution;
pub(crate) mod file_version;
pub(crate) mod home;
pub(crate) mod launch_spec;
pub(crate) mod link;
pub(crate) mod own_program;
pub(crate) mod start_error;
pub(crate) mod successor;
pub(crate) mod supervision;
pub(crate) mod unrunnable;
