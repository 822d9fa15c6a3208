//! The resource bounds of an engine and all its processes.

use serde::{Deserialize, Serialize};

use fanorona_tournament::config;

/// The bounds of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Bounds {
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processes and threads.
    pub processes: u64,
    /// Names in the private directory, and open descriptors of all processes.
    pub files: u64,
    /// Bytes in the private directory, including deleted files that are still open.
    pub disk: Option<u64>,
}

/// A resource with a bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, strum::VariantArray)]
pub(super) enum Resource {
    Memory,
    Processes,
    Files,
    Descriptors,
    Disk,
    /// Descriptors that cannot be counted; it has no bound.
    Hidden,
}

/// A bound that an engine exceeded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Excess {
    pub(super) resource: Resource,
    /// The bound, in bytes or as a count.
    pub(super) limit: u64,
}

impl Excess {
    /// A description with the key of the config that sets the bound.
    pub(super) fn description(self) -> String {
        let Excess { resource, limit } = self;
        let bytes = config::Memory::AtMost(limit);
        match resource {
            Resource::Memory => format!("used more than {bytes} of memory (the config's `memory`)"),
            Resource::Processes => {
                format!(
                    "had more than {limit} processes and threads (the config's `max_processes`)"
                )
            }
            Resource::Files => format!(
                "had more than {limit} files in its private directory (the config's `max_files`)"
            ),
            Resource::Descriptors => {
                format!("had more than {limit} open descriptors (the config's `max_files`)")
            }
            Resource::Disk => {
                format!("had more than {bytes} in its private directory (the config's `disk`)")
            }
            Resource::Hidden => "hid its open descriptors, so that they cannot be counted (the \
                                 config's `max_files`): a process of it is not dumpable \
                                 (`prctl(PR_SET_DUMPABLE)`), or runs a program that cannot be read"
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn excesses_name_the_key_of_their_bound() {
        for &resource in Resource::VARIANTS {
            let excess = Excess { resource, limit: 12 << 20 };
            assert!(excess.description().contains("(the config's `"), "{}", excess.description());
        }
    }
}
