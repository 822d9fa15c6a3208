//! Control groups: resource bounds enforced by the kernel, if the user has a delegated group.
//!
//! Version 2 of control groups limits memory, tasks and processors of all processes in a group
//! together, whereas a supervisor can only check them from time to time. It can also kill all of
//! them at once. A user can create groups inside a delegated one, as with `systemd-run --user
//! --scope -p Delegate=yes arena run …`. The arena uses the group it is started in if it is the
//! only process there and can create groups in it. Only leaf groups can contain processes, so the
//! arena moves into a leaf of its own and creates another for every engine.
//!
//! A step that fails is skipped, because the supervisor enforces the bounds too. See the kernel's
//! documentation, "Control Group v2".

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use nix::sys::signal::Signal;

use crate::bounds::{Bounds, Excess, Resource};
use crate::supervisor_message::SupervisorMessage;

/// The controllers for the bounds of engines.
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpuset"];

/// The tasks in an engine's group that do not belong to the engine: for a moment, the processes
/// that start it.
const OWN_TASKS: u64 = 2;

/// A multiple of every page size in use.
const PAGE: u64 = 1 << 16;

/// The arena's delegated group, which contains the groups of the engines.
#[derive(Debug)]
pub(crate) struct Delegated {
    dir: PathBuf,
    /// The [`CONTROLLERS`] available here.
    controllers: Vec<&'static str>,
    next: AtomicU64,
}

impl Delegated {
    /// Takes over the group of this process if no other process is in it and it can be divided.
    /// Otherwise `None`.
    pub(crate) fn take() -> Option<Delegated> {
        let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
        let group = fs::read_to_string("/proc/self/cgroup").ok()?;
        Delegated::divide(&directory(&mounts, &group)?, std::process::id()).ok()
    }

    /// Like [`Delegated::take`], for a given group and process.
    fn divide(dir: &Path, process: u32) -> io::Result<Delegated> {
        let number = process.to_string();
        let alone = fs::read_to_string(dir.join("cgroup.procs"))?;
        if alone.split_whitespace().ne([&*number]) {
            return Err(io::Error::other("there are other processes in the group"));
        }
        let known = fs::read_to_string(dir.join("cgroup.controllers"))?;
        let leaf = dir.join("arena");
        fs::create_dir(&leaf).or_else(|why| match why.kind() {
            io::ErrorKind::AlreadyExists => Ok(()),
            _ => Err(why),
        })?;
        fs::write(leaf.join("cgroup.procs"), &number)?;
        let mut controllers = CONTROLLERS.to_vec();
        controllers.retain(|&name| {
            known.split_whitespace().any(|word| word == name)
                && fs::write(dir.join("cgroup.subtree_control"), format!("+{name}")).is_ok()
        });
        Ok(Delegated { dir: dir.to_owned(), controllers, next: AtomicU64::new(1) })
    }

    /// The names of the controllers that the kernel enforces.
    pub(crate) fn controllers(&self) -> &[&'static str] {
        &self.controllers
    }

    /// Creates a group for an engine with these bounds, as far as the controllers allow.
    pub(crate) fn make(&self, bounds: &Bounds, cpus: &[u32]) -> io::Result<PathBuf> {
        let group = self.dir.join(format!("engine-{}", self.next.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&group)?;
        let set = |controller: &str, file: &str, value: String| {
            if self.controllers.contains(&controller) {
                // If this fails, only the supervisor enforces the bound.
                let _ = fs::write(group.join(file), value);
            }
        };
        if let Some(memory) = bounds.memory {
            // The kernel rounds down to whole pages, and messages quote what it holds.
            let pages = memory.next_multiple_of(PAGE);
            set("memory", "memory.max", pages.to_string());
            set("memory", "memory.swap.max", "0".to_owned());
            set("memory", "memory.oom.group", "1".to_owned());
        }
        set("pids", "pids.max", (bounds.processes + OWN_TASKS).to_string());
        if !cpus.is_empty() {
            let list: Vec<String> = cpus.iter().map(u32::to_string).collect();
            set("cpuset", "cpuset.cpus", list.join(","));
        }
        Ok(group)
    }
}

/// The directory of a process's group, from its `mountinfo` and `cgroup` files. `None` for the root
/// group, which cannot be divided.
fn directory(mounts: &str, group: &str) -> Option<PathBuf> {
    let path = group.lines().find_map(|line| line.strip_prefix("0::"))?;
    let path = Path::new(path).strip_prefix("/").ok()?;
    if path.as_os_str().is_empty() || path.starts_with("..") {
        return None;
    }
    let mounts = mounts.lines().filter_map(mount);
    mounts.filter(|mount| mount.system == "cgroup2").find_map(|mount| mount.dir(path))
}

/// A mounted hierarchy of control groups.
struct Mount<'m> {
    /// The group at the mount point.
    root: &'m str,
    point: &'m str,
    /// The file system.
    system: &'m str,
    /// Its options, among them the controllers of version 1.
    options: &'m str,
}

/// A line of a `mountinfo` file.
fn mount(line: &str) -> Option<Mount<'_>> {
    let (mount, system) = line.split_once(" - ")?;
    let mut fields = mount.split(' ').skip(3);
    let (root, point) = (fields.next()?, fields.next()?);
    let mut system = system.split(' ');
    Some(Mount { root, point, system: system.next()?, options: system.nth(1).unwrap_or_default() })
}

impl Mount<'_> {
    /// The directory of a group, whose path has no slash at its beginning; `None` outside of the
    /// mounted part.
    fn dir(&self, group: &Path) -> Option<PathBuf> {
        let below = group.strip_prefix(self.root.trim_start_matches('/')).ok()?;
        Some(Path::new(self.point).join(below))
    }
}

/// The mount point and the directory of a group, in the first hierarchy with a wanted file system
/// and options. A group outside of the mounted part is taken for the one at the mount point: in a
/// container that is its own.
pub(crate) fn mounted(
    mounts: &str,
    group: &Path,
    wanted: impl Fn(&str, &str) -> bool,
) -> Option<(PathBuf, PathBuf)> {
    let found = mounts.lines().filter_map(mount).find(|it| wanted(it.system, it.options))?;
    let path = group.strip_prefix("/").ok()?;
    let point = PathBuf::from(found.point);
    let dir = found.dir(path).filter(|_| !path.starts_with(".."));
    Some((point.clone(), dir.unwrap_or(point)))
}

/// Moves this process into a group.
pub(crate) fn enter(group: &Path) {
    // If this fails, only the supervisor enforces the bounds.
    let _ = fs::write(group.join("cgroup.procs"), "0");
}

/// The message about an engine that was killed by a signal: if the kernel killed it for memory,
/// that is an exceeded bound.
pub(crate) fn killed(signal: i32, group: Option<&Path>) -> SupervisorMessage {
    let most = group.filter(|_| signal == Signal::SIGKILL as i32).and_then(out_of_memory);
    match most {
        Some(most) => {
            SupervisorMessage::TooMuch(Excess { resource: Resource::Memory, limit: most })
        }
        None => SupervisorMessage::Killed(signal),
    }
}

/// The memory bound of a group in which the kernel killed a process for exceeding it.
fn out_of_memory(group: &Path) -> Option<u64> {
    let most = fs::read_to_string(group.join("memory.max")).ok()?.trim().parse().ok()?;
    has_killed(group).then_some(most)
}

/// Whether the kernel has killed a process of a group for lack of memory.
fn has_killed(group: &Path) -> bool {
    let events = fs::read_to_string(group.join("memory.events")).unwrap_or_default();
    let killed = events.lines().find_map(|line| line.strip_prefix("oom_kill "));
    killed.is_some_and(|times| times.trim() != "0")
}

/// Freezes every process of a group, also those that are started meanwhile, or lets them go on.
/// Returns whether that worked.
pub(crate) fn freeze(group: &Path, freeze: bool) -> bool {
    // Kernels before 5.2 do not support this.
    fs::write(group.join("cgroup.freeze"), if freeze { "1" } else { "0" }).is_ok()
}

/// Kills every process of a group.
pub(crate) fn kill(group: &Path) {
    // Kernels before 5.14 do not support this. The supervisor kills the processes in any case.
    let _ = fs::write(group.join("cgroup.kill"), "1");
}

/// Removes a group without processes.
pub(crate) fn remove(group: &Path) {
    // If it stays, it disappears with the arena's group.
    let _ = fs::remove_dir(group);
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
24 1 0:22 / /proc rw - proc proc rw
30 24 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - tmpfs tmpfs rw
31 30 0:27 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
";

    #[test]
    fn the_group_of_a_process_is_found() {
        let of = |group: &str| directory(MOUNTS, group).map(|dir| dir.display().to_string());
        let service = "4:memory:/x\n0::/user.slice/arena.scope\n";
        assert_eq!(of(service), Some("/sys/fs/cgroup/unified/user.slice/arena.scope".into()));
        for group in ["0::/\n", "4:memory:/x\n", "", "0::/../other\n"] {
            assert_eq!(of(group), None, "{group:?}");
        }
        let container = MOUNTS.replace("0:27 / /sys", "0:27 /user.slice /sys");
        let dir = directory(&container, service).unwrap();
        assert_eq!(dir, Path::new("/sys/fs/cgroup/unified/arena.scope"));
        assert_eq!(directory("", service), None);
    }

    /// Uses an ordinary directory in place of a group, so the kernel's part is not tested.
    #[test]
    fn bounds_are_written_for_available_controllers() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str| dir.path().join(name);
        fs::write(file("cgroup.procs"), "42\n43\n").unwrap();
        fs::write(file("cgroup.controllers"), "cpuset cpu memory hugetlb pids\n").unwrap();
        assert!(Delegated::divide(dir.path(), 42).is_err(), "another process is there");
        fs::write(file("cgroup.procs"), "42\n").unwrap();
        let group = Delegated::divide(dir.path(), 42).unwrap();
        assert_eq!(group.controllers(), ["memory", "pids", "cpuset"]);
        assert_eq!(fs::read_to_string(file("arena/cgroup.procs")).unwrap(), "42");
        let bounds = Bounds { memory: Some(1_000_000), processes: 8, files: 9, disk: None };
        let engine = group.make(&bounds, &[0, 3]).unwrap();
        let read = |name: &str| fs::read_to_string(engine.join(name)).unwrap();
        assert_eq!([read("memory.max"), read("pids.max")], ["1048576", "10"]);
        assert_eq!([read("memory.swap.max"), read("cpuset.cpus")], ["0", "0,3"]);
        assert_ne!(group.make(&bounds, &[]).unwrap(), engine);
        fs::write(engine.join("memory.events"), "low 0\noom 1\noom_kill 0\n").unwrap();
        assert_eq!(killed(9, Some(&engine)), SupervisorMessage::Killed(9));
        fs::write(engine.join("memory.events"), "low 0\noom 1\noom_kill 2\n").unwrap();
        let excess = Excess { resource: Resource::Memory, limit: 1 << 20 };
        assert_eq!(killed(9, Some(&engine)), SupervisorMessage::TooMuch(excess));
        assert_eq!(killed(11, Some(&engine)), SupervisorMessage::Killed(11));
        assert_eq!(killed(9, None), SupervisorMessage::Killed(9));
    }
}
