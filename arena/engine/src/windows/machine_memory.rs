//! The memory of this machine.

#![expect(unsafe_code, reason = "the system's call has no safe interface")]

use std::mem::{size_of, zeroed};

use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};

/// All of it, and the available part, in bytes; `None` if the system does not report it.
pub fn total_and_available() -> Option<[u64; 2]> {
    // SAFETY: zeros are a valid value of the structure, which states its size.
    let found = unsafe {
        let mut found: MEMORYSTATUSEX = zeroed();
        found.dwLength = size_of::<MEMORYSTATUSEX>() as u32;
        (GlobalMemoryStatusEx(&mut found) != 0).then_some(found)
    };
    found.map(|found| [found.ullTotalPhys, found.ullAvailPhys])
}
