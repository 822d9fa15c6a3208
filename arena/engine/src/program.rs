//! A program and how to start it.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::bounds::Bounds;
use super::launch_options::LaunchOptions;
use super::user_packages;
use fanorona_tournament::config::{Cpus, EngineConfig, Resolved, Sandbox};

/// The program of a process, and the settings by which it is started.
#[derive(Clone, Debug)]
pub(super) struct Program {
    /// The executable.
    pub(super) path: PathBuf,
    /// Its arguments.
    pub(super) args: Vec<String>,
    /// Its working directory.
    pub(super) dir: PathBuf,
    /// Its environment. `HOME` and `TMPDIR` are set to the process's private directory unless they
    /// are set here.
    pub(super) env: Vec<(OsString, OsString)>,
    /// The resource bounds of the process and its descendants.
    pub(super) bounds: Bounds,
    /// The processors it can run on; empty for all.
    pub(super) cpus: Vec<u32>,
    /// The exceptions of its sandbox; `None` for no sandbox.
    #[cfg_attr(windows, expect(dead_code, reason = "Windows has no sandbox"))]
    pub(super) sandbox: Option<Open>,
}

impl Program {
    /// The program of an engine whose command was resolved. Its environment has `PATH`, `LANG`, the
    /// variables that name the user's packages, those passed on by the config, and those it sets.
    pub(super) fn new(
        engine: &EngineConfig,
        resolved: Resolved,
        options: &LaunchOptions,
    ) -> Program {
        let variable = |name: &str| env::var_os(name);
        let inherited = ["PATH", "LANG"].into_iter().chain(engine.inherit_env.iter().map(|s| &**s));
        let inherited = inherited.filter_map(|name| Some((name.into(), variable(name)?)));
        let packages = user_packages::variables(engine, variable).into_iter();
        let set = engine.env.iter().map(|(name, value)| (name.into(), value.into()));
        Program {
            path: resolved.program,
            args: resolved.args,
            dir: resolved.dir,
            env: packages.chain(inherited).chain(set).collect(),
            bounds: options.bounds,
            cpus: match &options.cpus {
                Cpus::Any => Vec::new(),
                Cpus::Only(cpus) => cpus.iter().copied().collect(),
            },
            sandbox: match options.sandbox {
                Sandbox::Auto | Sandbox::Landlock => {
                    Some(Open { writable: resolved.writable, network: options.network })
                }
                Sandbox::None => None,
            },
        }
    }
}

/// The exceptions of a sandbox.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Open {
    /// The directories the engine can write to besides its own.
    pub(crate) writable: Vec<PathBuf>,
    /// Whether it can use the network.
    pub(crate) network: bool,
}
