//! The processes that the arena starts of its own program for every engine. They have a parser of
//! their own: a tournament starts thousands, and the parser of all commands takes as long to build
//! as such a process lives otherwise.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

use super::exit::Exit;
use crate::engine::{namespace, probe, sandboxed_exec, supervisor};

/// The command line of a helper process.
#[derive(Parser, Debug)]
pub struct Helper {
    #[command(subcommand)]
    process: Process,
}

#[derive(Subcommand, Debug)]
enum Process {
    /// Starts an engine for the arena and ends it together with all its child processes
    Supervisor,
    /// Applies the sandbox and executes the engine's program
    Confine {
        /// The pid of the expected parent process
        supervisor: i32,
    },
    /// Is process 1 of an engine's namespace: when it ends, all processes of the engine end
    Namespace {
        /// The pid of the expected parent process
        supervisor: i32,
    },
    /// Attempts the actions that the sandbox must block
    Probe {
        /// A file to write
        file: PathBuf,
        /// A TCP port to connect to
        port: u16,
        /// An abstract socket to connect to
        name: String,
    },
}

impl Helper {
    /// Whether the first argument of a command line names a helper process.
    pub fn is_named(first: Option<&OsStr>) -> bool {
        first.and_then(OsStr::to_str).is_some_and(Process::has_subcommand)
    }

    /// Runs the process, which reports its result to the arena itself.
    pub fn run(self) -> Exit {
        let done = match self.process {
            Process::Supervisor => supervisor::run(),
            Process::Confine { supervisor } => sandboxed_exec::become_engine(supervisor),
            Process::Namespace { supervisor } => namespace::run(supervisor),
            Process::Probe { file, port, name } => probe::attempt(&file, port, &name),
        };
        if done.is_ok() { Exit::Done } else { Exit::Bug }
    }
}
