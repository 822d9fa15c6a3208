//! Finding out what the sandbox holds on this machine, by trying.
//!
//! A process in the sandbox of an engine attempts each of the things that are forbidden there, with
//! something of the arena's own at the other end; what it is denied is enforced.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::kill;
use nix::unistd::getppid;
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::failure::{Failure, StartError};
use super::guards::Guards;
use super::not_started::{NotStarted, Stage};
use super::process::{Process, Program};
use crate::ending::Fault;

/// What of the sandbox a machine enforces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Enforced {
    /// Files are written in the allowed directories only.
    pub files: Enforcement,
    /// No connections by TCP.
    pub tcp: Enforcement,
    /// No signals to processes outside.
    pub signals: Enforcement,
    /// No abstract Unix sockets outside.
    pub abstract_sockets: Enforcement,
}

/// Whether something is enforced.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum Enforcement {
    /// It is.
    #[serde(rename = "enforced")]
    Enforced,
    /// The kernel does not know how.
    #[default]
    #[serde(rename = "not enforced here")]
    NotHere,
}

impl Enforced {
    /// Each thing that is forbidden, as the process that tries it and people call it.
    fn parts(&mut self) -> [(&'static str, &'static str, &mut Enforcement); 4] {
        [
            ("files", "writing outside their directories", &mut self.files),
            ("tcp", "TCP", &mut self.tcp),
            ("signals", "signals to others", &mut self.signals),
            ("abstract-sockets", "abstract sockets of others", &mut self.abstract_sockets),
        ]
    }
}

impl fmt::Display for Enforced {
    /// In one line: what engines are kept from, and what they are not.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut copy = *self;
        let parts = copy.parts();
        let list = |wanted| {
            let parts = parts.iter().filter(|(_, _, enforcement)| **enforcement == wanted);
            parts.map(|&(_, name, _)| name).collect::<Vec<_>>().join(", ")
        };
        let (here, not) = (list(Enforcement::Enforced), list(Enforcement::NotHere));
        let here = if here.is_empty() { "nothing" } else { &here };
        write!(f, "engines are kept from {here}")?;
        if not.is_empty() { Ok(()) } else { write!(f, "; not enforced here: {not}") }
    }
}

/// Starts the process that tries, and hears what it is denied.
///
/// # Errors
/// When there is no such process, or it does not answer within `patience`.
pub async fn probe(guards: &Arc<Guards>, patience: Duration) -> Result<Enforced, StartError> {
    let program = guards.program().to_owned();
    let not_run = |why| StartError::NotStarted { program: program.clone(), why };
    let no_end = |why: io::Error| not_run(NotStarted::at(Stage::Guard)(why));
    // The other ends, there for as long as it takes.
    let outside = tempfile::tempdir().map_err(no_end)?;
    let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_end)?;
    let port = tcp.local_addr().map_err(no_end)?.port();
    let name = format!("arena-probe-{}-{port}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).map_err(no_end)?;
    let _socket = UnixListener::bind_addr(&address).map_err(no_end)?;
    let file = outside.path().join("file").to_string_lossy().into_owned();
    let probe = Program {
        path: program.clone(),
        args: vec!["probe".to_owned(), file, port.to_string(), name],
        dir: "/".into(),
        env: Vec::new(),
        memory: None,
        cpus: Vec::new(),
        writable: Some(Vec::new()),
    };
    let mut process = Process::start(&probe, patience, guards).map_err(not_run)?;
    let mut enforced = Enforced::default();
    let hear = |line: &str| {
        for (word, _, enforcement) in enforced.parts() {
            if line.strip_prefix("denied ") == Some(word) {
                *enforcement = Enforcement::Enforced;
            }
        }
        (line == TRIED).then_some(Ok(()))
    };
    let deadline = Instant::now() + patience;
    let heard: Result<(), Failure> = process.listen(deadline, Fault::Start, TRIED, hear).await;
    process.end(Duration::ZERO).await;
    heard.map_err(|failure| StartError::Handshake { awaited: TRIED, failure })?;
    Ok(enforced)
}

/// What the process says when it has tried everything.
const TRIED: &str = "tried";

/// The process that tries: to write a file, to connect to a TCP port of this machine and to an
/// abstract socket, and to signal its parent. Says what it was denied.
pub fn attempt(file: &Path, port: u16, name: &str) -> io::Result<()> {
    let denied = |kind: Option<ErrorKind>| kind == Some(ErrorKind::PermissionDenied);
    let address = SocketAddr::from_abstract_name(name)?;
    let tried = [
        ("files", denied(File::create(file).err().map(|why| why.kind()))),
        ("tcp", denied(TcpStream::connect((Ipv4Addr::LOCALHOST, port)).err().map(|w| w.kind()))),
        ("signals", kill(getppid(), None) == Err(Errno::EPERM)),
        ("abstract-sockets", denied(UnixStream::connect_addr(&address).err().map(|w| w.kind()))),
    ];
    let mut out = io::stdout().lock();
    for (word, _) in tried.iter().filter(|(_, denied)| *denied) {
        writeln!(out, "denied {word}")?;
    }
    writeln!(out, "{TRIED}")?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_enforced_is_said() {
        let mut enforced = Enforced { files: Enforcement::Enforced, ..Enforced::default() };
        assert_eq!(
            enforced.to_string(),
            "engines are kept from writing outside their directories; not enforced here: TCP, signals \
             to others, abstract sockets of others"
        );
        enforced.parts().into_iter().for_each(|(_, _, part)| *part = Enforcement::Enforced);
        assert!(!enforced.to_string().contains("not enforced"), "{enforced}");
        assert!(Enforced::default().to_string().contains("from nothing;"));
        let text = serde_json::to_string(&Enforced::default()).unwrap();
        assert!(text.contains("\"tcp\":\"not enforced here\""), "{text}");
        assert_eq!(serde_json::from_str::<Enforced>(&text).unwrap(), Enforced::default());
    }
}
