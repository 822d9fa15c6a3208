//! The process that executes an engine's program.

use std::collections::BTreeMap;
use std::ffi::{CString, NulError, OsStr};
use std::fs::File;
use std::io::{self, Write};
use std::os::unix::ffi::OsStrExt;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::signal::{SigSet, Signal};
use nix::unistd::{Pid, execve, getppid};

use super::launch_spec::LaunchSpec;
use crate::bounds::Bounds;
use crate::not_started::{NotStarted, Stage};
use crate::supervisor_message::SupervisorMessage;

/// The default limit of open descriptors; a process can raise it.
const DESCRIPTORS: u64 = 1024;

/// Signals that the arena or its parents may ignore, but engines must not.
const IGNORED: [Signal; 3] = [Signal::SIGPIPE, Signal::SIGXFSZ, Signal::SIGCHLD];

/// The time and interval of retries while the program file is open for writing. A process of the
/// arena between `fork` and `exec` can hold a recently written file open.
const BUSY: Duration = Duration::from_secs(1);
const BUSY_PAUSE: Duration = Duration::from_millis(10);

/// The result of a success, which never returns.
pub(crate) enum Never {}

/// Becomes an engine by an attempt, which is given the file of the messages. Returns only if that fails,
/// after the arena was told the reason.
pub(crate) fn become_engine(
    mut messages: File,
    attempt: impl FnOnce(&mut File) -> Result<Never, NotStarted>,
) -> io::Result<()> {
    let why = match attempt(&mut messages) {
        Ok(never) => match never {},
        Err(why) => why,
    };
    writeln!(messages, "{}", SupervisorMessage::NotStarted(why.clone()))?;
    Err(io::Error::other(why.to_string()))
}

/// If the parent of this process is another one than the supervisor, which has exited.
pub(crate) fn expect_parent(supervisor: Pid) -> Result<(), NotStarted> {
    if getppid() == supervisor {
        return Ok(());
    }
    Err(NotStarted::without_errno(Stage::Session, "the supervisor has exited"))
}

/// Gives all signals their default effect.
pub(crate) fn reset_signals() -> Result<(), NotStarted> {
    SigSet::empty().thread_set_mask().map_err(NotStarted::at(Stage::Session))?;
    for signal in IGNORED {
        // `exec` removes a handler, but an ignored signal stays ignored. Setting a handler
        // therefore restores the default.
        signal_hook::flag::register(signal as i32, Arc::default())
            .map_err(NotStarted::at(Stage::Session))?;
    }
    Ok(())
}

/// Sets the limits that the system keeps for a single process: no core dumps, and so many descriptors.
pub(crate) fn limit(bounds: &Bounds) -> Result<(), Errno> {
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    // The usual number; a program that needs more can raise the limit itself.
    let (_, hard) = getrlimit(Resource::RLIMIT_NOFILE)?;
    let hard = hard.min(bounds.files);
    setrlimit(Resource::RLIMIT_NOFILE, hard.min(DESCRIPTORS), hard)
}

/// Changes to the engine's working directory.
pub(crate) fn change_directory(spec: &LaunchSpec) -> Result<(), NotStarted> {
    std::env::set_current_dir(&spec.dir)
        .map_err(|why| NotStarted::at(Stage::Directory)(why).on(spec.dir.display()))
}

/// The program, its arguments and its environment, in the form of the system call.
pub(crate) struct Command {
    program: CString,
    args: Vec<CString>,
    env: Vec<CString>,
}

impl Command {
    /// The command of an engine.
    pub(crate) fn of(spec: &LaunchSpec) -> Result<Command, NotStarted> {
        Command::in_bytes(spec).map_err(NotStarted::at(Stage::Exec))
    }

    fn in_bytes(spec: &LaunchSpec) -> Result<Command, NulError> {
        let text = |text: &OsStr| CString::new(text.as_bytes());
        // If a variable occurs twice, the later value counts.
        let env: BTreeMap<_, _> = spec.env.iter().map(|(name, value)| (name, value)).collect();
        let variable = |(name, value): (&_, &_)| {
            CString::new([OsStr::as_bytes(name), b"=", OsStr::as_bytes(value)].concat())
        };
        let args = [spec.program.as_os_str()].into_iter().chain(spec.args.iter().map(OsStr::new));
        Ok(Command {
            program: text(spec.program.as_os_str())?,
            args: args.map(text).collect::<Result<_, _>>()?,
            env: env
                .into_iter()
                .map(|(name, value)| variable((name, value)))
                .collect::<Result<_, _>>()?,
        })
    }

    /// Tells the arena that the program is about to be executed, and executes it. Returns the error if
    /// that fails. A file that is not a program is not passed to a shell.
    pub(crate) fn execute(&self, messages: &mut File) -> Result<Errno, NotStarted> {
        // From here on the arena attributes failures to the engine, unless another message follows.
        writeln!(messages, "{}", SupervisorMessage::Exec)
            .map_err(NotStarted::at(Stage::Confine))?;
        let begin = Instant::now();
        loop {
            let Err(why) = execve(&self.program, &self.args, &self.env);
            if why != Errno::ETXTBSY || begin.elapsed() >= BUSY {
                return Ok(why);
            }
            sleep(BUSY_PAUSE);
        }
    }
}
