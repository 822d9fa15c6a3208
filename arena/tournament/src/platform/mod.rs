//! The differences between systems that files and programs of a tournament meet. Each system has a
//! module with the same items.

#[cfg(not(any(unix, windows)))]
mod bare;
#[cfg(any(unix, windows))]
mod packing;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(not(any(unix, windows)))]
pub(crate) use bare::*;
#[cfg(any(unix, windows))]
pub(crate) use packing::*;
#[cfg(unix)]
pub(crate) use unix::*;
#[cfg(windows)]
pub(crate) use windows::*;
