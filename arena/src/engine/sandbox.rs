//! The sandbox of an engine: what Landlock, a part of the kernel, keeps a process and everything it
//! starts from.
//!
//! Reading and running files is allowed everywhere, writing in a few directories. Connecting and
//! listening by TCP, signals to processes outside, abstract sockets outside and the control of
//! devices are not. How much of this is enforced depends on the kernel; what it does not know is
//! left out. See landlock(7) and the kernel's documentation of its versions.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, PathFdError, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

/// The kernel's version of Landlock that knows everything asked for here.
const NEWEST: ABI = ABI::V6;

/// Why a process could not be put into its sandbox.
#[derive(Debug, thiserror::Error)]
pub(super) enum SandboxError {
    /// A directory that was to be writable is not there.
    #[error("cannot let it write in {}: {source}", .dir.display())]
    Directory {
        /// The directory.
        dir: PathBuf,
        /// Why.
        source: PathFdError,
    },
    /// The kernel has refused.
    #[error("cannot put it into the sandbox: {0}")]
    Kernel(#[from] RulesetError),
}

/// Puts this process into the sandbox, as far as the kernel knows one, for good.
pub(super) fn enter(home: &Path, writable: &[PathBuf]) -> Result<(), SandboxError> {
    let write = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default()
        .handle_access(write)?
        .handle_access(AccessNet::from_all(NEWEST))?
        .scope(Scope::from_all(NEWEST))?
        .create()?;
    let open = |dir: &Path| {
        PathFd::new(dir).map_err(|source| SandboxError::Directory { dir: dir.to_owned(), source })
    };
    for dir in std::iter::once(home).chain(writable.iter().map(PathBuf::as_path)) {
        rules = rules.add_rule(PathBeneath::new(open(dir)?, write))?;
    }
    let device = write & AccessFs::from_file(NEWEST);
    rules = rules.add_rule(PathBeneath::new(open(Path::new("/dev/null"))?, device))?;
    rules.restrict_self()?;
    Ok(())
}
