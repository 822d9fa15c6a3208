//! Windows.

use std::env;
use std::fs::{File, FileType, Metadata, TryLockError};
use std::io;
use std::os::windows::fs::FileExt;
use std::path::Path;

/// The endings of programs where the environment does not name them.
const ENDINGS: &str = ".COM;.EXE;.BAT;.CMD";

/// The number of the user to whom a file belongs, unless it is the one of this process. Windows has
/// no such numbers; a file's access list decides who can write it.
pub(crate) fn other_owner(_: &Metadata) -> Option<u32> {
    None
}

/// Whether a command names a place among the files, so that it is not looked for in `PATH`.
pub(crate) fn is_path(command: &str) -> bool {
    command.contains(['/', '\\', ':'])
}

/// The names of the files that a command can mean, in order of preference: with one of the endings of
/// `PATHEXT`, unless it has one.
pub(crate) fn file_names(command: &str) -> Vec<String> {
    let endings = env::var("PATHEXT").unwrap_or_default();
    let endings = if endings.is_empty() { ENDINGS } else { &endings };
    let endings = endings.split(';').filter(|ending| !ending.is_empty());
    let has_ending = |ending: &str| {
        let begin = command.len().saturating_sub(ending.len());
        command.get(begin..).is_some_and(|end| end.eq_ignore_ascii_case(ending))
    };
    if endings.clone().any(has_ending) {
        return vec![command.to_owned()];
    }
    endings.map(|ending| format!("{command}{}", ending.to_ascii_lowercase())).collect()
}

/// Returns advice on how to start a program whose file cannot be executed.
pub(crate) fn how_to_execute(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str()).display();
    format!("name the program that runs it, as in \"python {name}\"")
}

/// Whether a path is a file that can be executed. Its ending decides, and [`file_names`] adds that.
pub(crate) fn is_program(path: &Path) -> bool {
    path.is_file()
}

/// Sets options to refuse symbolic links, where the system supports that.
pub(crate) fn open_no_link(_: &mut std::fs::OpenOptions) {}

/// Leaves a draft with the access list of its directory.
pub(crate) fn share(_: &mut tempfile::Builder<'_, '_>) {}

/// A device in words; `None` for anything else. The names of devices, such as `nul`, are neither
/// files nor directories.
pub(crate) fn device(kind: FileType) -> Option<&'static str> {
    (!kind.is_file() && !kind.is_dir() && !kind.is_symlink()).then_some("a device")
}

/// Whether a device can be a terminal.
pub(crate) fn may_be_terminal(_: FileType) -> bool {
    true
}

/// Writes all bytes at a place of a file.
pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match file.seek_write(bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => (bytes, offset) = (&bytes[written..], offset + written as u64),
        }
    }
    Ok(())
}

/// Fills a buffer from a place of a file.
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match file.seek_read(buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
        }
    }
    Ok(())
}

/// Makes the names of new files in a directory survive a power cut: Windows has no call for it, and
/// keeps them in the journal of its file system.
pub(crate) fn sync_directory(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Locks a file that others read meanwhile. A lock of Windows would keep readers out, so the file
/// stays unlocked.
pub(crate) fn try_lock_readable(_: &File) -> Result<(), TryLockError> {
    Ok(())
}

/// The version of the system.
pub(crate) fn system_version() -> String {
    let version = windows_version::OsVersion::current();
    format!("{}.{}.{}", version.major, version.minor, version.build)
}

/// The model of the processor, if it is not in `/proc/cpuinfo`.
pub(crate) fn processor() -> Option<String> {
    env::var("PROCESSOR_IDENTIFIER").ok()
}

/// The name of this computer.
pub(crate) fn host_name() -> Option<String> {
    env::var("COMPUTERNAME").ok().filter(|name| !name.is_empty())
}

/// The process that has the lock on a file, if the system tells.
pub(crate) fn locked_by(_: &Path) -> Option<u32> {
    None
}

/// Whether a process of this machine has a lock on a file. It is tried, which for a moment keeps
/// another process from taking it.
pub(crate) fn is_locked(path: &Path) -> bool {
    let opened = File::open(path);
    opened.is_ok_and(|file| matches!(file.try_lock(), Err(TryLockError::WouldBlock)))
}
