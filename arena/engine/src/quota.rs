//! The processor time that the system allows this process, as a container or a service.

use std::fmt;
use std::path::PathBuf;

use fanorona_tournament::machine::runs::in_processors;

/// A quota of processor time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quota {
    /// The allowed time, in percent of one processor.
    pub percent: u32,
    /// The file that sets it.
    pub file: PathBuf,
}

impl fmt::Display for Quota {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", in_processors(self.percent), self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quota_is_shown_with_its_file() {
        let quota = Quota { percent: 50, file: "/sys/x/cpu.max".into() };
        assert_eq!(quota.to_string(), "0.5 processors (/sys/x/cpu.max)");
    }
}
