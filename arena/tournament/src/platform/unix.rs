//! Linux and other Unix systems.

use std::fs::{File, FileType, Metadata, OpenOptions, Permissions, TryLockError};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::Path;

/// The number of the user to whom a file belongs, unless it is the one of this process.
pub(crate) fn other_owner(data: &Metadata) -> Option<u32> {
    Some(data.uid()).filter(|&owner| owner != rustix::process::geteuid().as_raw())
}

/// Whether a command names a place among the files, so that it is not looked for in `PATH`.
pub(crate) fn is_path(command: &str) -> bool {
    command.contains('/')
}

/// The names of the files that a command can mean, in order of preference.
pub(crate) fn file_names(command: &str) -> Vec<String> {
    vec![command.to_owned()]
}

/// Returns advice on how to start a program whose file cannot be executed.
pub(crate) fn how_to_execute(path: &Path) -> String {
    format!(
        "run `chmod +x {}`, or name the program that runs it, as in \"python3 bot.py\"",
        path.display()
    )
}

/// Whether a path is a file that can be executed.
pub(crate) fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Sets options to refuse symbolic links, where the system supports that.
pub(crate) fn open_no_link(options: &mut OpenOptions) {
    options.custom_flags(rustix::fs::OFlags::NOFOLLOW.bits() as i32);
}

/// Gives a draft the usual mode of a new file; that of a temporary file allows only the owner.
pub(crate) fn share(draft: &mut tempfile::Builder<'_, '_>) {
    draft.permissions(Permissions::from_mode(0o666));
}

/// A device or a socket, in words; `None` for anything else.
pub(crate) fn device(kind: FileType) -> Option<&'static str> {
    match kind {
        _ if kind.is_char_device() => Some("a device"),
        _ if kind.is_block_device() || kind.is_socket() => Some("a device or a socket"),
        _ => None,
    }
}

/// Whether a device can be a terminal.
pub(crate) fn may_be_terminal(kind: FileType) -> bool {
    kind.is_char_device()
}

/// Writes all bytes at a place of a file.
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    file.write_all_at(bytes, offset)
}

/// Fills a buffer from a place of a file.
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    file.read_exact_at(buffer, offset)
}

/// Makes the names of new files in a directory survive a power cut.
pub(crate) fn sync_directory(dir: &Path) -> io::Result<()> {
    File::open(dir)?.sync_all()
}

/// Locks a file that others read meanwhile.
pub(crate) fn try_lock_readable(file: &File) -> Result<(), TryLockError> {
    file.try_lock()
}

/// The version of the system; empty if it is unknown.
pub(crate) fn system_version() -> String {
    rustix::system::uname().release().to_string_lossy().into_owned()
}

/// The model of the processor, if it is not in `/proc/cpuinfo`.
pub(crate) fn processor() -> Option<String> {
    if !cfg!(target_os = "macos") {
        return None;
    }
    let mut command = std::process::Command::new("/usr/sbin/sysctl");
    let output = command.args(["-n", "machdep.cpu.brand_string"]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned()).filter(|name| !name.is_empty())
}

/// The name of this computer.
pub(crate) fn host_name() -> Option<String> {
    let name = rustix::system::uname();
    name.nodename().to_str().ok().filter(|name| !name.is_empty()).map(str::to_owned)
}

/// Whether a process of this machine has a lock on a file. It is looked up in the kernel's list of
/// locks: trying the lock would for a moment keep another process from taking it.
#[cfg(target_os = "linux")]
pub(crate) fn is_locked(path: &Path) -> bool {
    let Ok(found) = path.metadata() else { return false };
    // The kernel gives a part of the list for each read, and misses a lock when others end in
    // between: so the parts are large, and what is missing is looked for again.
    (0..3).any(|_| listed(found.ino()).is_some())
}

/// The process that has the lock on a file, if the system tells.
#[cfg(target_os = "linux")]
pub(crate) fn locked_by(path: &Path) -> Option<u32> {
    let inode = path.metadata().ok()?.ino();
    (0..3).find_map(|_| listed(inode)).flatten()
}

/// The process that has the lock on a file, if the system tells.
#[cfg(not(target_os = "linux"))]
pub(crate) fn locked_by(_: &Path) -> Option<u32> {
    None
}

/// Whether a process of this machine has a lock on a file. It is tried, which for a moment keeps
/// another process from taking it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn is_locked(path: &Path) -> bool {
    let opened = File::open(path);
    opened.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}

/// The lock on the file with an inode number in the kernel's list of locks: its process, if that is one
/// which this process can see.
#[cfg(target_os = "linux")]
fn listed(inode: u64) -> Option<Option<u32>> {
    use std::io::Read;
    let mut locks = String::with_capacity(1 << 16);
    if File::open("/proc/locks").and_then(|mut file| file.read_to_string(&mut locks)).is_err() {
        return None;
    }
    let inode = format!(":{inode}");
    // `1: FLOCK ADVISORY WRITE 708 fe:00:1310733 0 EOF` (proc(5)).
    locks.lines().find_map(|line| {
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let is_it =
            words.get(1) == Some(&"FLOCK") && words.get(5).is_some_and(|at| at.ends_with(&inode));
        is_it.then(|| words[4].parse().ok().filter(|&process| process > 0))
    })
}
