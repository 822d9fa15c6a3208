//! The launch specification, which tells a supervisor how to start its engine.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;

/// The environment variable with the specification. The command line is readable by every user of
/// the machine, and an engine's environment can contain secrets.
const VARIABLE: &str = "ARENA_LAUNCH_SPEC";

/// How to start an engine, and its restrictions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LaunchSpec {
    /// The executable.
    pub(super) program: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Its working directory.
    pub(super) dir: PathBuf,
    /// Its whole environment; if a variable occurs twice, the later value counts.
    pub(super) env: Vec<(OsString, OsString)>,
    /// Its private directory, removed after it exits.
    pub(super) home: PathBuf,
    /// The resource bounds of the engine and its processes.
    pub(super) bounds: Bounds,
    /// The processors it can run on; empty for all.
    pub(super) cpus: Vec<u32>,
    /// The control group it runs in.
    pub(super) group: Option<PathBuf>,
    /// Whether it runs in its own PID namespace.
    pub(super) namespace: bool,
    /// The exceptions of its sandbox; `None` for no sandbox.
    pub(super) sandbox: Option<Open>,
}

/// The exceptions of a sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Open {
    /// The directories the engine can write to besides its own.
    pub(super) writable: Vec<PathBuf>,
    /// Whether it can use the network.
    pub(super) network: bool,
}

impl LaunchSpec {
    /// The name and value of the environment variable for a supervisor.
    pub(super) fn variable(&self) -> io::Result<(&'static str, String)> {
        Ok((VARIABLE, serde_json::to_string(self)?))
    }

    /// The specification this process was started with.
    pub(super) fn received() -> io::Result<LaunchSpec> {
        let missing = "only the arena itself runs this command";
        let text = std::env::var(VARIABLE).map_err(|_| io::Error::other(missing))?;
        Ok(serde_json::from_str(&text)?)
    }
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
        let (_, text) = spec.variable().unwrap();
        let read: LaunchSpec = serde_json::from_str(&text).unwrap();
        assert_eq!((&read.env[0].1, &read.args), (&value, &spec.args));
    }
}
