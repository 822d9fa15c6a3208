//! The platform services of the standard library.

use std::io;
use std::mem::MaybeUninit;
use std::thread::{Builder, Scope, ScopedJoinHandle};

pub use std::time::Instant;

/// The stack size of a helper thread. Searches recurse once for every ply.
const STACK: usize = 8 << 20;

/// Reads a file.
pub(crate) fn read_file(path: &str) -> io::Result<Vec<u8>> {
    std::fs::read(path)
}

/// The available memory in bytes; `None` where the system does not report it.
pub(crate) fn available_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: usize = line.split_ascii_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1024)
}

/// Asks Linux to keep memory that is not used yet in huge pages: the processor finds more of a large
/// table without a walk through page tables, and its first use takes fewer faults. Nothing changes
/// where the system has none to give, and on other systems.
#[cfg_attr(not(target_os = "linux"), expect(unused_variables, reason = "Linux alone is asked"))]
pub fn prefer_huge_pages<T>(memory: &mut [MaybeUninit<T>]) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        /// The size of a huge page of x86-64, and of ARM64 with usual pages.
        const HUGE: usize = 2 << 20;
        let start = memory.as_mut_ptr().cast::<u8>();
        let before = start.align_offset(HUGE);
        let whole = size_of_val(memory).saturating_sub(before) / HUGE * HUGE;
        if whole > 0 {
            // SAFETY: the advice concerns pages inside of the memory and does not change their contents.
            #[expect(unsafe_code, reason = "a twelfth less time with 64 MiB")]
            unsafe {
                // A system without huge pages refuses, and usual pages do as well.
                let _ = madvise(start.wrapping_add(before).cast(), whole, Advice::LinuxHugepage);
            }
        }
    }
}

/// Runs some work in its own thread; drops the work if the system has no more threads.
pub(crate) fn in_background(name: &str, work: impl FnOnce() + Send + 'static) {
    let _ = Builder::new().name(name.to_owned()).spawn(work);
}

/// Starts a helper thread of a search; `None` if the system has no more threads.
pub(crate) fn spawn_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    Builder::new().stack_size(STACK).spawn_scoped(scope, work).ok()
}

/// Whether Linux has been asked to keep a value in huge pages: it notes that in the flags of the
/// memory, whether it has any to give or not.
#[cfg(all(test, target_os = "linux"))]
pub(crate) fn prefers_huge_pages<T>(value: &T) -> bool {
    let value = std::ptr::from_ref(value).addr();
    let mut inside = false;
    let maps = std::fs::read_to_string("/proc/self/smaps").expect("Linux has it");
    let flags = maps.lines().find_map(|line| {
        let word = line.split_whitespace().next()?;
        if let Some((from, to)) = word.split_once('-') {
            let address = |text| usize::from_str_radix(text, 16).expect("an address");
            inside = (address(from)..address(to)).contains(&value);
        }
        line.strip_prefix("VmFlags:").filter(|_| inside)
    });
    flags.is_some_and(|flags| flags.split_whitespace().any(|flag| flag == "hg"))
}

/// Whether this Linux knows huge pages at all.
#[cfg(all(test, target_os = "linux"))]
pub(crate) fn has_huge_pages() -> bool {
    std::path::Path::new("/sys/kernel/mm/transparent_hugepage").exists()
}
