//! Engines as processes: started, spoken to within deadlines, and ended with all they began.
//!
//! `process` moves bytes and lines and knows no protocol; [`client`] speaks it. An engine that
//! misbehaves is a [`Failure`], a value like any other; nothing an engine does is an error of the
//! arena.

pub mod client;
mod cpu;
mod failure;
pub mod guard;
mod process;
mod stderr;
mod tree;

pub use client::{Answer, Engine, Launch};
pub use failure::{Failure, StartError};
