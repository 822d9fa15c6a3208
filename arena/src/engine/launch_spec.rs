//! What a guard is told of the engine it is to start.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;

/// The variable of the environment an order travels in: the command line could be read by every
/// user of the machine, and an engine's environment may hold what is not for them.
const VARIABLE: &str = "ARENA_ORDER";

/// An engine to be started, and what it may do.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct LaunchSpec {
    /// The executable.
    pub(super) program: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Its working directory.
    pub(super) dir: PathBuf,
    /// Its whole environment; of two values of one variable the later counts.
    pub(super) env: Vec<(OsString, OsString)>,
    /// A directory of its own, removed when it has ended.
    pub(super) home: PathBuf,
    /// What it may have, with everything it starts.
    pub(super) bounds: Bounds,
    /// The processors it may run on; none for any.
    pub(super) cpus: Vec<u32>,
    /// The control group it is to be in.
    pub(super) group: Option<PathBuf>,
    /// Whether it is to have a PID namespace of its own.
    pub(super) namespace: bool,
    /// What its sandbox leaves open; `None` for no sandbox at all.
    pub(super) sandbox: Option<Open>,
}

/// What a sandbox leaves open.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(super) struct Open {
    /// Where the engine may write besides its own directory.
    pub(super) writable: Vec<PathBuf>,
    /// Whether it may use the network.
    pub(super) network: bool,
}

impl LaunchSpec {
    /// The order as the variable to be set, for a guard.
    pub(super) fn variable(&self) -> io::Result<(&'static str, String)> {
        Ok((VARIABLE, serde_json::to_string(self)?))
    }

    /// The order this process was started with.
    pub(super) fn received() -> io::Result<LaunchSpec> {
        let missing = "this command is for the arena itself to run";
        let text = std::env::var(VARIABLE).map_err(|_| io::Error::other(missing))?;
        Ok(serde_json::from_str(&text)?)
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::ffi::OsStringExt;

    use super::*;

    #[test]
    fn an_environment_need_not_be_text() {
        let value = OsString::from_vec(vec![b'a', 0xff]);
        let order = LaunchSpec {
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
        let (_, text) = order.variable().unwrap();
        let read: LaunchSpec = serde_json::from_str(&text).unwrap();
        assert_eq!((&read.env[0].1, &read.args), (&value, &order.args));
    }
}
