//! The capabilities of an engine: none. Those of an arena that root runs would let an engine leave
//! the sandbox, and do to the machine what no config allows.
//!
//! One exception serves engines whose files belong to another user, as with `sudo arena run`: an
//! engine of root may read every file. See capabilities(7).

use rustix::io::Errno;
use rustix::process::geteuid;
use rustix::thread::{
    CapabilitySet, CapabilitySets, capabilities, clear_ambient_capability_set,
    remove_capability_from_bounding_set, set_capabilities,
};

/// The capability of an engine of root: reading files and searching directories of other users.
const KEPT: CapabilitySet = CapabilitySet::DAC_READ_SEARCH;

/// The capability by which root executes a program that only its owner may execute. The kernel
/// checks that with the capabilities of the process that calls `exec`, and gives the program no
/// capability outside the bounding set.
const FOR_EXEC: CapabilitySet = CapabilitySet::DAC_OVERRIDE;

/// The number of capabilities that a set can hold.
const MOST: u32 = u64::BITS;

/// Gives up the capabilities of this process, and those its program could regain.
pub(crate) fn drop_all() -> rustix::io::Result<()> {
    let kept = if geteuid().is_root() { KEPT } else { CapabilitySet::empty() };
    let CapabilitySets { effective, permitted, .. } = capabilities(None)?;
    clear_ambient_capability_set()?;
    // Without this capability the bounding set is out of reach, and there is nothing to regain.
    if effective.contains(CapabilitySet::SETPCAP) {
        for number in 0..MOST {
            let capability = CapabilitySet::from_bits_retain(1 << number);
            if kept.contains(capability) {
                continue;
            }
            match remove_capability_from_bounding_set(capability) {
                Ok(()) => {}
                // The kernel has no capability of this number, nor any beyond.
                Err(Errno::INVAL) => break,
                Err(why) => return Err(why),
            }
        }
    }
    let for_exec = if kept.is_empty() { kept } else { kept | FOR_EXEC };
    set_capabilities(
        None,
        CapabilitySets {
            effective: permitted & kept,
            permitted: permitted & for_exec,
            inheritable: CapabilitySet::empty(),
        },
    )
}

/// Prepares this process for `exec`, after [`drop_all`].
pub(crate) fn prepare_exec() -> rustix::io::Result<()> {
    let sets = capabilities(None)?;
    set_capabilities(None, CapabilitySets { effective: sets.permitted, ..sets })
}
