//! The sandbox of an engine: restrictions by Landlock, a part of the kernel, for a process and its
//! descendants.
//!
//! Reading and executing files is allowed everywhere, writing in a few directories. TCP connections
//! and listening, signals to processes outside, abstract sockets outside and the control of devices
//! are denied. The kernel's version determines how much of this is enforced; unsupported
//! restrictions are omitted. See landlock(7) and the kernel's documentation of its versions. A
//! [filter](super::filter) of system calls covers what Landlock does not.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

use super::launch_spec::Open;
use super::not_started::{NotStarted, Stage};

/// The first Landlock version with all restrictions used here.
const NEWEST: ABI = ABI::V6;

/// Applies the sandbox permanently to this process, as far as the kernel supports it.
pub(super) fn enter(home: &Path, allowed: &Open) -> Result<(), NotStarted> {
    let dirs = std::iter::once(home).chain(allowed.writable.iter().map(PathBuf::as_path));
    let open = |dir: &Path| {
        PathFd::new(dir).map_err(|why| NotStarted::at(Stage::Sandbox)(why).on(dir.display()))
    };
    let dirs = dirs.map(open).collect::<Result<Vec<_>, _>>()?;
    let null = open(Path::new("/dev/null"))?;
    restrict(dirs, null, allowed.network).map_err(NotStarted::at(Stage::Sandbox))
}

fn restrict(dirs: Vec<PathFd>, null: PathFd, network: bool) -> Result<(), RulesetError> {
    let write = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default().handle_access(write)?;
    if !network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let mut rules = rules.scope(Scope::from_all(NEWEST))?.create()?;
    for dir in dirs {
        rules = rules.add_rule(PathBeneath::new(dir, write))?;
    }
    let device = write & AccessFs::from_file(NEWEST);
    rules = rules.add_rule(PathBeneath::new(null, device))?;
    rules.restrict_self()?;
    Ok(())
}
