//! What an engine may have of the machine, with everything it has started, and looking whether it has
//! more.
//!
//! The kernel bounds a process or a user, and an engine is neither: so its guard looks, often. A look
//! takes time, for which an engine may see to it that there is much to look at; the more time it
//! takes, the longer it is until the next.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::{Duration, Instant};

use nix::unistd::Pid;
use serde::{Deserialize, Serialize};

use super::private_directory::{BLOCK, Held, measure};
use super::tree;
use crate::config::Memory;

/// How often an engine's processes are looked at; memory may grow fast.
const LOOK: Duration = Duration::from_millis(100);
const MEMORY_LOOK: Duration = Duration::from_millis(50);

/// A look is followed by a pause of at least this many times its own time.
const PAUSE: u32 = 20;

/// The bounds of one engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Bounds {
    /// Bytes of memory.
    pub(super) memory: Option<u64>,
    /// Processes and their threads.
    pub(super) processes: u64,
    /// Names in the private directory; and descriptors all processes have open.
    pub(super) files: u64,
    /// Bytes in the private directory, and of files that were in it and are still open.
    pub(super) disk: Option<u64>,
}

/// What an engine has had too much of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bounded {
    Memory,
    Processes,
    Files,
    Descriptors,
    Disk,
}

/// A bound that has been crossed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Excess {
    pub(super) of: Bounded,
    /// The bound, in bytes or by number.
    pub(super) most: u64,
}

impl Bounded {
    pub(super) const ALL: [Bounded; 5] =
        [Bounded::Memory, Bounded::Processes, Bounded::Files, Bounded::Descriptors, Bounded::Disk];

    /// The word guards use.
    fn word(self) -> &'static str {
        match self {
            Bounded::Memory => "memory",
            Bounded::Processes => "processes",
            Bounded::Files => "files",
            Bounded::Descriptors => "descriptors",
            Bounded::Disk => "disk",
        }
    }
}

impl fmt::Display for Excess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.of.word(), self.most)
    }
}

impl FromStr for Excess {
    type Err = ();

    fn from_str(text: &str) -> Result<Excess, ()> {
        let (word, most) = text.split_once(' ').ok_or(())?;
        let of = Bounded::ALL.into_iter().find(|of| of.word() == word).ok_or(())?;
        Ok(Excess { of, most: most.parse().map_err(drop)? })
    }
}

impl Excess {
    /// For people, with the key of the config.
    pub(super) fn in_words(self) -> String {
        let Excess { of, most } = self;
        let bytes = Memory::AtMost(most);
        match of {
            Bounded::Memory => format!("used more than {bytes} of memory (the config's `memory`)"),
            Bounded::Processes => {
                format!("had more than {most} processes and threads (the config's `max_processes`)")
            }
            Bounded::Files => format!(
                "had more than {most} files in its private directory (the config's `max_files`)"
            ),
            Bounded::Descriptors => {
                format!("had more than {most} descriptors open (the config's `max_files`)")
            }
            Bounded::Disk => {
                format!("had more than {bytes} in its private directory (the config's `disk`)")
            }
        }
    }
}

/// Looks at one engine again and again.
pub(super) struct Looks {
    bounds: Bounds,
    home: PathBuf,
    /// When its processes, and its directory, are to be looked at.
    processes: Instant,
    directory: Instant,
}

impl Looks {
    /// Looks at what has this private directory.
    pub(super) fn new(bounds: Bounds, home: PathBuf) -> Looks {
        let now = Instant::now();
        Looks { bounds, home, processes: now, directory: now }
    }

    /// How long it is until the next look.
    pub(super) fn pause(&self) -> Duration {
        self.processes.min(self.directory).saturating_duration_since(Instant::now())
    }

    /// Looks at the descendants of a process if it is time; gives a bound that is crossed.
    pub(super) fn look(&mut self, root: Pid) -> Option<Excess> {
        let least = if self.bounds.memory.is_some() { MEMORY_LOOK } else { LOOK };
        let mut excess = None;
        let mut due = |next: &mut Instant, look: &dyn Fn() -> Option<Excess>| {
            let begin = Instant::now();
            if begin >= *next {
                excess = excess.or_else(look);
                *next = begin + least.max(begin.elapsed() * PAUSE);
            }
        };
        let Looks { bounds, home, processes, directory } = self;
        due(processes, &|| at_processes(bounds, &tree::descendants(root), home));
        due(directory, &|| at_directory(bounds, home));
        excess
    }
}

fn at_directory(bounds: &Bounds, home: &std::path::Path) -> Option<Excess> {
    let most = Held { files: bounds.files, bytes: bounds.disk.unwrap_or(u64::MAX) };
    let held = measure(home, most);
    if held.files > most.files {
        return Some(Excess { of: Bounded::Files, most: most.files });
    }
    (held.bytes > most.bytes).then_some(Excess { of: Bounded::Disk, most: most.bytes })
}

fn at_processes(bounds: &Bounds, pids: &[Pid], home: &std::path::Path) -> Option<Excess> {
    let over = |of, have: u64, most: u64| (have > most).then_some(Excess { of, most });
    let threads = || pids.iter().filter_map(|&pid| Some(tree::stat(pid)?.threads)).sum();
    let processes = over(Bounded::Processes, pids.len() as u64, bounds.processes)
        .or_else(|| over(Bounded::Processes, threads(), bounds.processes));
    if processes.is_some() {
        return processes;
    }
    let open = OpenFiles::of(pids, bounds.files, home);
    over(Bounded::Descriptors, open.descriptors, bounds.files)
        .or_else(|| over(Bounded::Disk, open.removed, bounds.disk?))
        .or_else(|| over(Bounded::Memory, tree::resident(pids, open.in_memory), bounds.memory?))
}

/// What some processes have open that no directory shows.
#[derive(Debug, Default)]
struct OpenFiles {
    descriptors: u64,
    /// Bytes of files made by `memfd_create`, which are memory also where nobody has mapped them.
    in_memory: u64,
    /// Bytes of files on the disk of the private directory that have no name any more.
    removed: u64,
}

impl OpenFiles {
    /// Looks through the descriptors until there are more than `most`.
    fn of(pids: &[Pid], most: u64, home: &std::path::Path) -> OpenFiles {
        let disk = fs::metadata(home).map(|home| home.dev()).ok();
        let mut open = OpenFiles::default();
        // Several descriptors may be of one file.
        let mut files = BTreeMap::new();
        for pid in pids {
            let entries = fs::read_dir(format!("/proc/{pid}/fd"));
            for entry in entries.into_iter().flatten().filter_map(Result::ok) {
                open.descriptors += 1;
                if open.descriptors > most {
                    return open;
                }
                let Ok(link) = fs::read_link(entry.path()) else { continue };
                let link = link.to_string_lossy();
                if link.ends_with(" (deleted)")
                    && let Ok(data) = fs::metadata(entry.path())
                {
                    let in_memory = link.starts_with("/memfd:");
                    files.insert((data.dev(), data.ino()), (data.blocks() * BLOCK, in_memory));
                }
            }
        }
        for ((dev, _), (bytes, in_memory)) in files {
            match in_memory {
                true => open.in_memory += bytes,
                false if Some(dev) == disk => open.removed += bytes,
                false => {}
            }
        }
        open
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::path::Path;

    use super::*;

    const ROOMY: Bounds = Bounds { memory: None, processes: 1000, files: 1000, disk: None };

    #[test]
    fn the_same_is_read_as_was_told() {
        for of in Bounded::ALL {
            let excess = Excess { of, most: 12 << 20 };
            assert_eq!(excess.to_string().parse(), Ok(excess));
            assert!(excess.in_words().contains("(the config's `"), "{}", excess.in_words());
        }
        for text in ["", "memory", "memory x", "money 3"] {
            assert_eq!(text.parse::<Excess>(), Err(()), "{text}");
        }
    }

    #[test]
    fn what_is_in_memory_without_a_mapping_counts() {
        let me = [Pid::this()];
        let before = OpenFiles::of(&me, 1000, Path::new("/")).in_memory;
        let name = c"a test";
        let file = nix::sys::memfd::memfd_create(name, nix::sys::memfd::MFdFlags::empty()).unwrap();
        let mut file = fs::File::from(file);
        file.write_all(&vec![1; 64 << 20]).unwrap();
        let _again = file.try_clone().unwrap();
        let after = OpenFiles::of(&me, 1000, Path::new("/")).in_memory;
        assert_eq!(after - before, 64 << 20);
        // However little this process has mapped.
        let bounds = Bounds { memory: Some(60 << 20), ..ROOMY };
        let excess = at_processes(&bounds, &me, Path::new("/")).map(|excess| excess.of);
        assert_eq!(excess, Some(Bounded::Memory));
    }

    #[test]
    fn removed_files_and_descriptors_count() {
        let me = [Pid::this()];
        let home = tempfile::tempdir().unwrap();
        let mut file = tempfile::tempfile_in(home.path()).unwrap();
        file.write_all(&vec![1; 4 << 20]).unwrap();
        file.sync_all().unwrap();
        let disk = |most| Bounds { disk: Some(most), ..ROOMY };
        let look = |bounds: &Bounds| at_processes(bounds, &me, home.path()).map(|excess| excess.of);
        assert_eq!(look(&disk(3 << 20)), Some(Bounded::Disk));
        assert_eq!(look(&disk(1 << 40)), None);
        assert_eq!(look(&Bounds { files: 2, ..ROOMY }), Some(Bounded::Descriptors));
        // Threads are as many as processes could be.
        let (hold, held) = std::sync::mpsc::channel::<()>();
        let held = std::sync::Arc::new(std::sync::Mutex::new(held));
        let threads: Vec<_> = (0..20)
            .map(|_| {
                let held = held.clone();
                std::thread::spawn(move || held.lock().unwrap().recv().is_err())
            })
            .collect();
        assert_eq!(look(&Bounds { processes: 19, ..ROOMY }), Some(Bounded::Processes));
        drop(hold);
        assert!(threads.into_iter().all(|thread| thread.join().unwrap()));
    }

    #[test]
    fn a_look_is_followed_by_a_pause() {
        let home = tempfile::tempdir().unwrap();
        let mut looks = Looks::new(Bounds { files: 3, ..ROOMY }, home.path().to_owned());
        assert_eq!(looks.pause(), Duration::ZERO);
        for name in ["a", "b", "c", "d"] {
            fs::write(home.path().join(name), "").unwrap();
        }
        // No process has this one for its parent that is not there.
        let nobody = Pid::from_raw(i32::MAX);
        assert_eq!(looks.look(nobody), Some(Excess { of: Bounded::Files, most: 3 }));
        assert!(looks.pause() > LOOK / 2);
        assert_eq!(looks.look(nobody), None, "it is not time yet");
    }
}
