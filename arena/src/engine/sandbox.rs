//! The sandbox of an engine: what Landlock, a part of the kernel, keeps a process and everything it
//! starts from.
//!
//! Reading and running files is allowed everywhere, writing in a few directories. Connecting and
//! listening by TCP, signals to processes outside, abstract sockets outside and the control of
//! devices are not. How much of this is enforced depends on the kernel; what it does not know is
//! left out. See landlock(7) and the kernel's documentation of its versions. What Landlock does not
//! govern is left to a [filter](super::filter) of system calls.

use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

use super::launch_spec::Open;
use super::not_started::{NotStarted, Stage};

/// The kernel's version of Landlock that knows everything asked for here.
const NEWEST: ABI = ABI::V6;

/// Puts this process into the sandbox, as far as the kernel knows one, for good.
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
