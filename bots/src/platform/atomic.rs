//! The atomic integers of structures that the threads of a search share without locks.
//!
//! They come from the standard library. In tests built with `--cfg loom` they come from loom, which
//! repeats a test with every order of the threads' steps, and with every value that the memory
//! model allows a load to return.

#[cfg(all(test, loom))]
pub(crate) use loom::sync::atomic::{
    AtomicI32, AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};
/// Starts a thread of a test under loom.
#[cfg(all(test, loom))]
pub(crate) use loom::thread::spawn;
#[cfg(not(all(test, loom)))]
pub(crate) use std::sync::atomic::{
    AtomicI32, AtomicI64, AtomicU16, AtomicU32, AtomicU64, AtomicUsize,
};
