//! Finding out what the sandbox holds on this machine, by trying.
//!
//! A process in the sandbox of an engine attempts each of the things that are forbidden there, with
//! something of the arena's own at the other end; what it is denied is enforced.

use std::fmt;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::sched::{sched_getaffinity, sched_setaffinity};
use nix::sys::signal::kill;
use nix::unistd::{Pid, getpid, getppid};
use rustix::net::{self, AddressFamily, SocketType, ipproto, netlink};
use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use super::bounds::Bounds;
use super::failure::{Failure, StartError};
use super::fault::Fault;
use super::launch_spec::Open;
use super::not_started::{NotStarted, Stage};
use super::process::{Process, Program};
use super::supervisors::Guards;

/// What of the sandbox a machine enforces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Enforced {
    /// Files are written in the allowed directories only.
    pub files: Enforcement,
    /// No connections by TCP, nor by what is built on it.
    pub tcp: Enforcement,
    /// No other sockets but Unix sockets and questions about network interfaces.
    #[serde(default)]
    pub other_sockets: Enforcement,
    /// No signals to processes outside.
    pub signals: Enforcement,
    /// No abstract Unix sockets outside.
    pub abstract_sockets: Enforcement,
    /// No changes to limits, priorities and processors of other processes.
    #[serde(default)]
    pub limits: Enforcement,
    /// No process that lives on when arena and guard are killed at once, by a PID namespace.
    #[serde(default)]
    pub namespace: Enforcement,
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
    fn parts(&mut self) -> [(&'static str, &'static str, &mut Enforcement); 7] {
        [
            ("files", "writing outside their directories", &mut self.files),
            ("tcp", "TCP", &mut self.tcp),
            ("other-sockets", "UDP and other networks", &mut self.other_sockets),
            ("signals", "signals to others", &mut self.signals),
            ("abstract-sockets", "abstract sockets of others", &mut self.abstract_sockets),
            ("limits", "limits and priorities of others", &mut self.limits),
            ("namespace", "outliving a killed arena", &mut self.namespace),
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

/// Starts the process that tries, and hears what it is denied. From then on engines have PID
/// namespaces of their own if that process could have one.
///
/// # Errors
/// When there is no such process, or it does not answer within `patience`.
pub async fn probe(guards: &Arc<Guards>, patience: Duration) -> Result<Enforced, StartError> {
    guards.give_namespaces(true);
    match probe_once(guards, patience).await {
        Ok(enforced) if enforced.namespace == Enforcement::Enforced => return Ok(enforced),
        _ => guards.give_namespaces(false),
    }
    probe_once(guards, patience).await
}

async fn probe_once(guards: &Arc<Guards>, patience: Duration) -> Result<Enforced, StartError> {
    let program = guards.program().to_owned();
    let not_run = |why| StartError::NotStarted { program: program.clone(), why };
    let no_end = |why: io::Error| not_run(NotStarted::at(Stage::Guard)(why));
    // The other ends, there for as long as it takes.
    let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_end)?;
    let port = tcp.local_addr().map_err(no_end)?.port();
    let name = format!("arena-probe-{}-{port}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).map_err(no_end)?;
    let _socket = UnixListener::bind_addr(&address).map_err(no_end)?;
    // Everybody may write to it outside the sandbox, and nothing of that stays behind.
    let file = "/dev/zero".to_owned();
    let probe = Program {
        path: program.clone(),
        args: vec!["probe".to_owned(), file, port.to_string(), name],
        dir: "/".into(),
        env: Vec::new(),
        bounds: Bounds { memory: None, processes: 100, files: 1000, disk: None },
        cpus: Vec::new(),
        sandbox: Some(Open::default()),
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

/// The process that tries: to write a file, to reach a TCP port of this machine in several ways, to
/// make other sockets, to connect to an abstract socket, to signal its parent, and to change its
/// parent's limits, priority and processors to what they are. Says what it was denied.
pub fn attempt(file: &Path, port: u16, name: &str) -> io::Result<()> {
    let parent = getppid();
    let abstract_socket = SocketAddr::from_abstract_name(name)?;
    let tried = [
        ("files", File::create(file).map(drop).is_denied()),
        ("tcp", tcp(port)),
        ("other-sockets", other_sockets()),
        ("signals", kill(parent, None).is_denied()),
        ("abstract-sockets", UnixStream::connect_addr(&abstract_socket).map(drop).is_denied()),
        ("limits", limits(parent)),
        ("namespace", is_in_a_namespace()),
    ];
    let mut out = io::stdout().lock();
    for (word, _) in tried.iter().filter(|(_, denied)| *denied) {
        writeln!(out, "denied {word}")?;
    }
    writeln!(out, "{TRIED}")?;
    out.flush()
}

/// Whether an attempt was denied, and did not fail for another reason.
trait Denied {
    fn is_denied(&self) -> bool;
}

impl Denied for io::Result<()> {
    fn is_denied(&self) -> bool {
        self.as_ref().is_err_and(|why| why.kind() == ErrorKind::PermissionDenied)
    }
}

impl Denied for nix::Result<()> {
    fn is_denied(&self) -> bool {
        matches!(self, Err(Errno::EPERM | Errno::EACCES))
    }
}

impl Denied for rustix::io::Result<()> {
    fn is_denied(&self) -> bool {
        self.map_err(io::Error::from).is_denied()
    }
}

/// Whether no way leads to a TCP port: neither TCP itself, nor listening without a bound address, nor
/// TCP by several paths (MPTCP), as far as the kernel knows it.
fn tcp(port: u16) -> bool {
    let address = SocketAddrV4::new(Ipv4Addr::LOCALHOST, port);
    let socket = |protocol| net::socket(AddressFamily::INET, SocketType::STREAM, Some(protocol));
    let connected = socket(ipproto::TCP).and_then(|socket| net::connect(&socket, &address));
    let listening = socket(ipproto::TCP).and_then(|socket| net::listen(&socket, 1));
    let by_paths = match socket(ipproto::MPTCP) {
        Ok(socket) => net::connect(&socket, &address).is_denied(),
        Err(_) => true,
    };
    connected.is_denied() && listening.is_denied() && by_paths
}

/// Whether there are no sockets for networks besides TCP, nor for the kernel's own messages besides
/// those about network interfaces.
fn other_sockets() -> bool {
    let denied = |family, kind, protocol| net::socket(family, kind, protocol).map(drop).is_denied();
    denied(AddressFamily::INET, SocketType::DGRAM, Some(ipproto::UDP))
        && denied(AddressFamily::INET6, SocketType::DGRAM, Some(ipproto::UDP))
        && denied(AddressFamily::NETLINK, SocketType::RAW, Some(netlink::KOBJECT_UEVENT))
        && !denied(AddressFamily::NETLINK, SocketType::RAW, None)
        && !denied(AddressFamily::UNIX, SocketType::STREAM, None)
}

/// Whether the parent of this process is the first of a PID namespace, and `/proc` tells of no other.
fn is_in_a_namespace() -> bool {
    let own =
        std::fs::read_link("/proc/self").is_ok_and(|own| own == Path::new(&getpid().to_string()));
    let first = std::fs::read("/proc/1/cmdline")
        .is_ok_and(|line| line.split(|&byte| byte == 0).any(|word| word == b"namespace"));
    own && getppid() == Pid::from_raw(1) && first
}

/// Whether limits, priority and processors of another process cannot be changed.
fn limits(other: Pid) -> bool {
    use rustix::process::{Pid, Resource, getpriority_process, prlimit, setpriority_process};
    let Some(pid) = Pid::from_raw(other.as_raw()) else { return false };
    let limits = rustix::process::getrlimit(Resource::Core);
    let priority = getpriority_process(Some(pid)).unwrap_or(0);
    prlimit(Some(pid), Resource::Core, limits).map(drop).is_denied()
        && setpriority_process(Some(pid), priority).is_denied()
        && sched_getaffinity(other).and_then(|cpus| sched_setaffinity(other, &cpus)).is_denied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_enforced_is_said() {
        let mut enforced = Enforced { files: Enforcement::Enforced, ..Enforced::default() };
        assert_eq!(
            enforced.to_string(),
            "engines are kept from writing outside their directories; not enforced here: TCP, UDP and \
             other networks, signals to others, abstract sockets of others, limits and priorities of others, outliving a killed arena"
        );
        enforced.parts().into_iter().for_each(|(_, _, part)| *part = Enforcement::Enforced);
        assert!(!enforced.to_string().contains("not enforced"), "{enforced}");
        assert!(Enforced::default().to_string().contains("from nothing;"));
        let text = serde_json::to_string(&Enforced::default()).unwrap();
        assert!(text.contains("\"tcp\":\"not enforced here\""), "{text}");
        assert_eq!(serde_json::from_str::<Enforced>(&text).unwrap(), Enforced::default());
    }
}
