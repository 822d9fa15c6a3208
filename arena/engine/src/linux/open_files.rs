//! The open files of processes that are in no directory: descriptors, files in memory, and deleted
//! files. They are read from `/proc`.

use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use nix::sys::stat::makedev;

use super::memory::Memory;
use crate::posix::home::BLOCK;

/// The suffix of a file without a name, after its former name.
const DELETED: &str = " (deleted)";

/// The beginnings of the names of files in memory: those of `memfd_create`, and memory that
/// processes share.
const IN_MEMORY: [&str; 2] = ["/memfd:", "/dev/zero"];

/// The open files of some processes that are not in any directory.
#[derive(Debug, Default)]
pub(crate) struct OpenFiles {
    /// Open descriptors, including those that are on their way through a socket.
    pub(crate) descriptors: u64,
    /// Bytes of files in memory. They use memory even if no process has their pages in its tables.
    pub(crate) in_memory: u64,
    /// Bytes of deleted files on the disk of the private directory.
    pub(crate) removed: u64,
    /// Whether a process hides its descriptors or mappings.
    pub(crate) hidden: bool,
}

/// A file is known by its device and number.
type Id = (u64, u64);

/// The deleted files found so far.
#[derive(Default)]
struct Deleted {
    /// The bytes of files that could be examined, and whether they are in memory.
    known: BTreeMap<Id, (u64, bool)>,
    /// The mapped bytes of others.
    mapped: BTreeMap<Id, u64>,
}

impl OpenFiles {
    /// Reads descriptors and mappings until there are more than `limit` descriptors.
    pub(crate) fn of(processes: &[Memory], limit: u64, home: &Path) -> OpenFiles {
        let disk = fs::metadata(home).map(|home| home.dev()).ok();
        let mut open = OpenFiles::default();
        let mut deleted = Deleted::default();
        for process in processes {
            let dir = &process.dir;
            let read = open.read_descriptors(dir, limit, &mut deleted);
            let read = read.and_then(|()| Deleted::read_mappings(&mut deleted, dir));
            open.hidden |= read.is_err_and(|why| is_hidden(&why, dir));
            if open.descriptors > limit {
                return open;
            }
        }
        let Deleted { known, mapped } = deleted;
        for (&(dev, _), &(bytes, in_memory)) in &known {
            match in_memory {
                true => open.in_memory += bytes,
                false if Some(dev) == disk => open.removed += bytes,
                false => {}
            }
        }
        for (id, bytes) in mapped {
            if !known.contains_key(&id) && Some(id.0) == disk {
                open.removed += bytes;
            }
        }
        open
    }

    fn read_descriptors(
        &mut self,
        dir: &Path,
        limit: u64,
        deleted: &mut Deleted,
    ) -> io::Result<()> {
        for entry in fs::read_dir(dir.join("fd"))?.filter_map(Result::ok) {
            self.descriptors += 1;
            let link = match fs::read_link(entry.path()) {
                Ok(link) => link,
                Err(why) if why.kind() == io::ErrorKind::PermissionDenied => return Err(why),
                // It has been closed.
                Err(_) => continue,
            };
            let name = link.to_string_lossy();
            if name.starts_with("socket:") {
                self.descriptors += in_flight(&dir.join("fdinfo").join(entry.file_name()));
            } else if name.ends_with(DELETED)
                && let Ok(data) = fs::metadata(entry.path())
            {
                deleted.note(&name, &data);
            }
            if self.descriptors > limit {
                break;
            }
        }
        Ok(())
    }
}

impl Deleted {
    fn note(&mut self, name: &str, data: &Metadata) {
        let in_memory = IN_MEMORY.iter().any(|begin| name.starts_with(begin));
        self.known.insert((data.dev(), data.ino()), (data.blocks() * BLOCK, in_memory));
    }

    /// Reads the mappings of a process: a file stays as long as it is mapped, without a descriptor.
    fn read_mappings(deleted: &mut Deleted, dir: &Path) -> io::Result<()> {
        let mappings = fs::read_to_string(dir.join("maps"))?;
        for mapping in mappings.lines().filter_map(Mapping::of_deleted) {
            if deleted.known.contains_key(&mapping.file) {
                continue;
            }
            // Only root can examine a file through its mapping.
            match fs::metadata(dir.join("map_files").join(&mapping.range)) {
                Ok(data) => deleted.note(mapping.name, &data),
                Err(_) => {
                    let bytes = deleted.mapped.entry(mapping.file).or_default();
                    *bytes = mapping.end.max(*bytes);
                }
            }
        }
        Ok(())
    }
}

/// A mapping of a deleted file.
struct Mapping<'l> {
    file: Id,
    name: &'l str,
    /// The addresses as `map_files` spells them.
    range: String,
    /// The end of the mapped part in the file, in bytes.
    end: u64,
}

impl Mapping<'_> {
    /// The mapping of a line of `maps`; `None` for another.
    fn of_deleted(line: &str) -> Option<Mapping<'_>> {
        if !line.ends_with(DELETED) {
            return None;
        }
        let mut rest = line;
        let mut field = || {
            let (field, more) = rest.split_once(' ')?;
            rest = more.trim_start();
            Some(field)
        };
        let (range, _permissions, offset, device, number) =
            (field()?, field()?, field()?, field()?, field()?);
        let hexadecimal = |text: &str| u64::from_str_radix(text, 16).ok();
        let ((begin, end), (major, minor)) = (range.split_once('-')?, device.split_once(':')?);
        let (begin, end) = (hexadecimal(begin)?, hexadecimal(end)?);
        Some(Mapping {
            file: (makedev(hexadecimal(major)?, hexadecimal(minor)?), number.parse().ok()?),
            name: rest,
            range: format!("{begin:x}-{end:x}"),
            end: hexadecimal(offset)?.saturating_add(end.saturating_sub(begin)),
        })
    }
}

/// The number of descriptors that have been sent to a socket and not received, if the system shows
/// it (from 5.6 on).
fn in_flight(info: &Path) -> u64 {
    let info = fs::read_to_string(info).unwrap_or_default();
    let count = info.lines().find_map(|line| line.strip_prefix("scm_fds:"));
    count.and_then(|count| count.trim().parse().ok()).unwrap_or(0)
}

/// Whether a process hides what could not be read. A process that is exiting has no memory any
/// more, and cannot be read either.
fn is_hidden(why: &io::Error, dir: &Path) -> bool {
    let is_denied = |why: &io::Error| why.kind() == io::ErrorKind::PermissionDenied;
    let has_memory = || {
        let status = fs::read_to_string(dir.join("status")).unwrap_or_default();
        status.contains("VmSize:")
    };
    let again = || fs::read_dir(dir.join("fd")).and_then(|_| File::open(dir.join("maps")));
    is_denied(why) && has_memory() && again().is_err_and(|why| is_denied(&why)) && has_memory()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mappings_of_deleted_files_are_read() {
        let line =
            "7f0a1000-7f0a3000 rw-s 00002000 fe:01 1234                       /tmp/a b (deleted)";
        let mapping = Mapping::of_deleted(line).unwrap();
        assert_eq!((&*mapping.range, mapping.end), ("7f0a1000-7f0a3000", 0x4000));
        assert_eq!(mapping.file, (makedev(0xfe, 1), 1234));
        assert_eq!(mapping.name, "/tmp/a b (deleted)");
        for line in ["", " (deleted)", "7f0a1000-7f0a3000 r--p 0 fe:01 1234   /tmp/a"] {
            assert!(Mapping::of_deleted(line).is_none(), "{line}");
        }
    }
}
