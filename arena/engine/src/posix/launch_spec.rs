//! The launch specification, which tells a supervisor how to start its engine.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::descriptors::given;
use crate::bounds::Bounds;
use crate::program::{Open, Program};

/// The descriptor of a file without a name with the specification, which the supervisor is given. Command
/// lines and environments of processes can be read by others, and an engine's environment can contain
/// secrets.
pub(crate) const SPEC: i32 = 5;

/// The specification by which an engine is started, with its restrictions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct LaunchSpec {
    /// The executable.
    pub(crate) program: PathBuf,
    /// Its arguments.
    pub(crate) args: Vec<String>,
    /// Its working directory.
    pub(crate) dir: PathBuf,
    /// Its whole environment; if a variable occurs twice, the later value counts.
    pub(crate) env: Vec<(OsString, OsString)>,
    /// Its private directory, removed after it exits.
    pub(crate) home: PathBuf,
    /// The resource bounds of the engine and its processes.
    pub(crate) bounds: Bounds,
    /// The processors it can run on; empty for all.
    pub(crate) cpus: Vec<u32>,
    /// The control group it runs in.
    pub(crate) group: Option<PathBuf>,
    /// Whether it runs in its own PID namespace.
    pub(crate) namespace: bool,
    /// The exceptions of its sandbox; `None` for no sandbox.
    pub(crate) sandbox: Option<Open>,
}

impl LaunchSpec {
    /// Specifies the start of a program with this private directory, in no group and no namespace.
    pub(crate) fn new(program: &Program, home: PathBuf) -> LaunchSpec {
        let private = ["HOME", "TMPDIR"].map(|name| (name.into(), home.clone().into()));
        LaunchSpec {
            program: program.path.clone(),
            args: program.args.clone(),
            dir: program.dir.clone(),
            env: private.into_iter().chain(program.env.iter().cloned()).collect(),
            home,
            bounds: program.bounds,
            cpus: program.cpus.clone(),
            group: None,
            namespace: false,
            sandbox: program.sandbox.clone(),
        }
    }

    /// A file with the specification, for a supervisor.
    pub(crate) fn file(&self) -> io::Result<File> {
        let mut file = nameless_file()?;
        file.write_all(&serde_json::to_vec(self)?)?;
        Ok(file)
    }

    /// The specification this process was started with.
    pub(crate) fn received() -> io::Result<LaunchSpec> {
        let missing = |_| io::Error::other("only the arena itself runs this command");
        let mut file = given(SPEC, false).map_err(missing)?;
        // The arena has written it, and they can share their place in it.
        file.rewind()?;
        // A reader would ask the kernel for every byte.
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        Ok(serde_json::from_slice(&text)?)
    }
}

/// A new file in memory.
#[cfg(target_os = "linux")]
fn nameless_file() -> io::Result<File> {
    use rustix::fs::{MemfdFlags, memfd_create};
    let name = c"arena-launch-spec";
    // Some systems refuse files in memory that could be executed; others do not know the flag.
    let file = memfd_create(name, MemfdFlags::CLOEXEC | MemfdFlags::NOEXEC_SEAL)
        .or_else(|_| memfd_create(name, MemfdFlags::CLOEXEC))?;
    Ok(file.into())
}

/// A new file without a name, which only this user's processes could have opened before.
#[cfg(not(target_os = "linux"))]
fn nameless_file() -> io::Result<File> {
    tempfile::tempfile()
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn environments_are_not_always_utf8() {
        let value = OsString::from_vec(vec![b'a', 0xff]);
        let spec = LaunchSpec {
            program: "/bin/engine".into(),
            args: vec!["-v".into(), String::new()],
            dir: "/".into(),
            env: vec![("NAME".into(), value.clone())],
            home: "/tmp/x".into(),
            bounds: Bounds { memory: None, processes: 9, files: 99, disk: None },
            cpus: Vec::new(),
            group: None,
            namespace: false,
            sandbox: None,
        };
        let mut file = spec.file().unwrap();
        file.rewind().unwrap();
        let read: LaunchSpec = serde_json::from_reader(file).unwrap();
        assert_eq!((&read.env[0].1, &read.args), (&value, &spec.args));
    }
}
