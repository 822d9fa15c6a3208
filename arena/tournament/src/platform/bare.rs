//! A system without files, users and processes, as a web page. What reads them fails or finds nothing.

use std::fs::{File, FileType, Metadata, TryLockError};
use std::io;
use std::path::Path;

/// There are no users.
pub(crate) fn other_owner(_: &Metadata) -> Option<u32> {
    None
}

/// Whether a command names a place among files.
pub(crate) fn is_path(command: &str) -> bool {
    command.contains('/')
}

/// The name itself.
pub(crate) fn file_names(command: &str) -> Vec<String> {
    vec![command.to_owned()]
}

/// Says that nothing can be started.
pub(crate) fn how_to_execute(_: &Path) -> String {
    "programs cannot be started here".to_owned()
}

/// There are no programs.
pub(crate) fn is_program(_: &Path) -> bool {
    false
}

/// Sets options to refuse symbolic links, where the system supports that.
pub(crate) fn open_no_link(_: &mut std::fs::OpenOptions) {}

/// Does nothing.
pub(crate) fn share(_: &mut tempfile::Builder<'_, '_>) {}

/// There are no devices.
pub(crate) fn device(_: FileType) -> Option<&'static str> {
    None
}

/// There are no terminals.
pub(crate) fn may_be_terminal(_: FileType) -> bool {
    false
}

/// Fails: there are no files.
pub(crate) fn write_all_at(_: &File, _: &[u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails: there are no files.
pub(crate) fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails: there are no directories.
pub(crate) fn sync_directory(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails: there are no files.
pub(crate) fn try_lock_readable(_: &File) -> Result<(), TryLockError> {
    Err(TryLockError::Error(io::ErrorKind::Unsupported.into()))
}

/// Nothing is known of the system.
pub(crate) fn system_version() -> String {
    String::new()
}

/// Nothing is known of the processor.
pub(crate) fn processor() -> Option<String> {
    None
}

/// A page does not know the name of its computer.
pub(crate) fn host_name() -> Option<String> {
    None
}

/// The process that has the lock on a file, if the system tells.
pub(crate) fn locked_by(_: &Path) -> Option<u32> {
    None
}

/// There are no locks.
pub(crate) fn is_locked(_: &Path) -> bool {
    false
}

/// Fails: there are no files that it could be for.
pub(crate) fn pack(_: &[u8]) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails: there are no files that it could come from.
pub(crate) fn unpack(_: File) -> io::Result<io::Empty> {
    Err(io::ErrorKind::Unsupported.into())
}
