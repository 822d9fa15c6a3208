//! Platform services: time, threads, files, the size of memory and the instructions of the processor.
//! The rest of the package computes from its arguments alone.
//!
//! With the feature `native` these come from the standard library. Without it, as on a web page,
//! there are no threads and no files, and time passes only if the program sets a clock
//! (`set_clock`). Limits of nodes and depth work without a clock. Work in the background is done when a
//! session has answered.

use std::sync::atomic::{AtomicBool, Ordering};

pub(crate) mod atomic;
#[cfg(not(feature = "native"))]
mod bare;
#[cfg(feature = "native")]
mod native;
pub mod processor;

#[cfg(not(feature = "native"))]
pub use bare::{Instant, prefer_huge_pages, set_clock};
#[cfg(not(feature = "native"))]
pub(crate) use bare::{
    available_memory, in_background, read_file, spawn_scoped, work_in_background,
};
#[cfg(feature = "native")]
pub use native::{Instant, prefer_huge_pages};
#[cfg(feature = "native")]
pub(crate) use native::{available_memory, in_background, read_file, spawn_scoped};
#[cfg(all(test, feature = "native", target_os = "linux"))]
pub(crate) use native::{has_huge_pages, prefers_huge_pages};

/// Sets a flag when it is dropped, also when its thread unwinds: the other threads of a search must
/// not run forever.
pub(crate) struct StopGuard<'f>(pub(crate) &'f AtomicBool);

impl Drop for StopGuard<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
