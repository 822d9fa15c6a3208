//! The sandbox of an engine: restrictions by Landlock, a part of the kernel, for a process and its
//! descendants.
//!
//! Reading and executing files is allowed everywhere, writing in a few directories, and making
//! devices nowhere. TCP connections and listening, signals to processes outside, abstract sockets outside and the control of devices
//! are denied. The kernel's version determines how much of this is enforced; unsupported
//! restrictions are omitted. See landlock(7) and the kernel's documentation of its versions. A
//! [filter](super::filter) of system calls covers what Landlock does not.

use std::fs::File;
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use landlock::{
    ABI, Access, AccessFs, AccessNet, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, Scope,
};

use nix::libc::O_TMPFILE;
use rustix::process::geteuid;

use crate::not_started::{NotStarted, Stage};
use crate::program::Open;

/// The first Landlock version with all restrictions used here.
const NEWEST: ABI = ABI::V6;

/// Applies the sandbox permanently to this process, as far as the kernel supports it.
pub(crate) fn enter(home: &Path, allowed: &Open) -> Result<(), NotStarted> {
    let dirs = std::iter::once(home).chain(allowed.writable.iter().map(PathBuf::as_path));
    let open = |dir: &Path| {
        PathFd::new(dir).map_err(|why| NotStarted::at(Stage::Sandbox)(why).on(dir.display()))
    };
    let dirs = dirs.map(open).collect::<Result<Vec<_>, _>>()?;
    let null = open(Path::new("/dev/null"))?;
    if let Some(dir) = allowed.writable.iter().find(|dir| is_closed_to_root(dir)) {
        let why = "it belongs to another user, and an engine of root may read there but not write: \
                   run the arena as that user, or give root the directory";
        return Err(NotStarted::without_errno(Stage::Sandbox, why).on(dir.display()));
    }
    restrict(dirs, null, allowed.network).map_err(NotStarted::at(Stage::Sandbox))
}

/// Whether root cannot write to a directory without the [capabilities](super::capabilities) that it
/// has given up.
fn is_closed_to_root(dir: &Path) -> bool {
    // Not every file system can make such a file; then nothing is known.
    let made = File::options().write(true).custom_flags(O_TMPFILE).open(dir);
    geteuid().is_root() && made.is_err_and(|why| why.kind() == io::ErrorKind::PermissionDenied)
}

fn restrict(dirs: Vec<PathFd>, null: PathFd, network: bool) -> Result<(), RulesetError> {
    let write = AccessFs::from_write(NEWEST);
    let mut rules = Ruleset::default().handle_access(write)?;
    if !network {
        rules = rules.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let mut rules = rules.scope(Scope::from_all(NEWEST))?.create()?;
    let devices = AccessFs::MakeChar | AccessFs::MakeBlock;
    for dir in dirs {
        rules = rules.add_rule(PathBeneath::new(dir, write & !devices))?;
    }
    let device = write & AccessFs::from_file(NEWEST);
    rules = rules.add_rule(PathBeneath::new(null, device))?;
    rules.restrict_self()?;
    Ok(())
}
