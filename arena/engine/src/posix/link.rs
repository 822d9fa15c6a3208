//! The link between the arena and the supervisor of an engine: how one is started, and what it reports.

use std::io;
use std::path::Path;
use std::pin::pin;
use std::process::Stdio;
use std::time::Duration;

use command_fds::{CommandFdExt, FdMapping};
use nix::sys::signal::Signal;
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::net::unix::pipe;
use tokio::process::Command;
use tokio::sync::watch;
use tokio::time::timeout;

use super::launch_spec::{self, LaunchSpec};
use crate::engine_exit::FirstMessage;
use crate::not_started::{NotStarted, Stage};
use crate::supervisor_message::SupervisorMessage;

/// The descriptor the supervisor reads; its end is the command to end everything.
pub(crate) const LIFELINE: i32 = 3;

/// The descriptor the supervisor writes each [`SupervisorMessage`] to.
pub(crate) const MESSAGES: i32 = 4;

/// The maximum length of all messages of a supervisor, in bytes.
const MAX_MESSAGES: u64 = 64 * 1024;

/// The arena's end of a link.
pub(crate) struct Link {
    /// Closing it ends the engine.
    pub(crate) lifeline: io::PipeWriter,
    /// The supervisor's messages.
    pub(crate) messages: pipe::Receiver,
}

/// The command that starts a supervisor, whose streams are those of its engine, and the link to it. The
/// command must be dropped after the start, because it holds the supervisor's end.
pub(crate) fn prepare(program: &Path, spec: &LaunchSpec) -> io::Result<(Command, Link)> {
    let (their_lifeline, lifeline) = io::pipe()?;
    let (messages, their_messages) = io::pipe()?;
    let messages = pipe::Receiver::from_owned_fd(messages.into())?;
    let mut command = Command::new(program);
    command
        .arg("supervisor")
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mappings = vec![
        FdMapping { parent_fd: their_lifeline.into(), child_fd: LIFELINE },
        FdMapping { parent_fd: their_messages.into(), child_fd: MESSAGES },
        FdMapping { parent_fd: spec.file()?.into(), child_fd: launch_spec::SPEC },
    ];
    command.fd_mappings(mappings).map_err(io::Error::other)?;
    Ok((command, Link { lifeline, messages }))
}

/// Reads the messages of a supervisor to their end, and passes on how its engine ended. Returns whether
/// it reported that no process of the engine is left.
pub(crate) async fn read_messages(
    messages: pipe::Receiver,
    sender: &watch::Sender<FirstMessage>,
) -> bool {
    let mut lines = BufReader::new(messages.take(MAX_MESSAGES)).lines();
    // Whether the engine's program was about to be executed, and whether all its processes have
    // ended.
    let (mut exec, mut gone) = (false, false);
    let report = |message| {
        // The first message is the actual cause.
        sender.send_if_modified(|known: &mut FirstMessage| {
            let first = known.is_none();
            known.get_or_insert(message);
            first
        });
    };
    while let Ok(Some(line)) = lines.next_line().await {
        match line.parse() {
            Ok(SupervisorMessage::Exec) => exec = true,
            Ok(SupervisorMessage::Gone) => gone = true,
            Ok(message) if exec || matches!(message, SupervisorMessage::NotStarted(_)) => {
                report(message)
            }
            // The exit of a process that did not execute the engine is not the engine's.
            Ok(message) => report(not_started(Stage::Confine, message.description())),
            Err(_) => {}
        }
    }
    if !exec {
        // The same applies to a supervisor that did not get so far. It may have reported the
        // reason before.
        report(not_started(Stage::Supervisor, "it exited before the program was run"));
    }
    gone
}

/// Closes the lifeline of a supervisor, and returns when no process of its engine is left. A supervisor
/// that takes longer than `max_wait` is killed, and the same time is waited again.
pub(crate) async fn end(
    supervisor: Pid,
    lifeline: io::PipeWriter,
    mut message: watch::Receiver<FirstMessage>,
    max_wait: Duration,
) {
    drop(lifeline);
    let mut gone = pin!(async { while message.changed().await.is_ok() {} });
    if timeout(max_wait, &mut gone).await.is_err() {
        kill(supervisor);
        let _ = timeout(max_wait, gone).await;
    }
}

/// Kills a process, which may have exited already.
pub(crate) fn kill(process: Pid) {
    let _ = nix::sys::signal::kill(process, Signal::SIGKILL);
}

fn not_started(stage: Stage, detail: impl Into<String>) -> SupervisorMessage {
    SupervisorMessage::NotStarted(NotStarted::without_errno(stage, detail))
}
