//! Tests which restrictions of the sandbox this machine enforces.
//!
//! A process in an engine's sandbox attempts each forbidden operation on an object of the arena. An
//! operation that is denied is enforced.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use nix::errno::Errno;
use nix::sched::{CloneFlags, sched_getaffinity, sched_setaffinity, unshare};
use nix::sys::signal::kill;
use nix::sys::stat::{Mode, SFlag, mknod};
use nix::unistd::{Pid, gethostname, getpid, getppid, sethostname};
use rustix::mount::{FsOpenFlags, fsopen};
use rustix::net::{self, AddressFamily, SocketType, ipproto, netlink};
use rustix::thread::{CapabilitySet, capabilities};
use tokio::time::Instant;

use super::supervisors::Supervisors;
use crate::bounds::Bounds;
use crate::failure::{Failure, StartError};
use crate::not_started::{NotStarted, Stage};
use crate::process::Process;
use crate::program::{Open, Program};
use fanorona_tournament::game::fault::Fault;
use fanorona_tournament::machine::enforced::{Enforced, Enforcement};

/// Runs the probing process and returns what it was denied. If that process could have a PID
/// namespace, engines started from then on have one too.
///
/// If the process cannot be started, or does not finish within `max_wait`.
pub async fn probe(
    supervisors: &Arc<Supervisors>,
    max_wait: Duration,
) -> Result<Enforced, StartError> {
    supervisors.give_namespaces(true);
    match probe_once(supervisors, max_wait).await {
        Ok(enforced) if enforced.namespace == Enforcement::Enforced => return Ok(enforced),
        _ => supervisors.give_namespaces(false),
    }
    probe_once(supervisors, max_wait).await
}

async fn probe_once(
    supervisors: &Arc<Supervisors>,
    max_wait: Duration,
) -> Result<Enforced, StartError> {
    let program = supervisors.program().to_owned();
    let not_run = |why| StartError::NotStarted { program: program.clone(), why };
    let no_end = |why: io::Error| not_run(NotStarted::at(Stage::Supervisor)(why));
    // The objects of the attempts, which must exist until the end.
    let tcp = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(no_end)?;
    let port = tcp.local_addr().map_err(no_end)?.port();
    let name = format!("arena-probe-{}-{port}", std::process::id());
    let address = SocketAddr::from_abstract_name(&name).map_err(no_end)?;
    let _socket = UnixListener::bind_addr(&address).map_err(no_end)?;
    // Outside the sandbox everyone can write to it, and nothing is stored.
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
    let mut process = Process::start(&probe, max_wait, supervisors).map_err(not_run)?;
    let mut enforced = Enforced::default();
    let on_line = |line: &str| {
        for (word, _, enforcement) in enforced.parts() {
            if line.strip_prefix("denied ") == Some(word) {
                *enforcement = Enforcement::Enforced;
            }
        }
        (line == TRIED).then_some(Ok(()))
    };
    let begin = Instant::now();
    let result: Result<(), Failure> =
        process.listen(begin, max_wait, Fault::Start, TRIED, on_line).await;
    let printed = process.printed();
    let result = match (result, process.not_started().await) {
        (Ok(()), _) => Ok(enforced),
        (Err(_), Some(why)) => Err(not_run(why)),
        (Err(failure), None) => Err(StartError::Handshake { expected: TRIED, failure, printed }),
    };
    process.end(Duration::ZERO).await;
    result
}

/// The line the process prints after all attempts.
const TRIED: &str = "tried";

/// Runs in the probing process. It attempts to write a file, to reach a TCP port of this machine in
/// several ways, to create other sockets, to make a device, to use rights of root, to look into its
/// parent, to signal it, to connect to an abstract socket, and to set its parent's limits, priority
/// and processors to their present values. It prints what was denied.
pub fn attempt(file: &Path, port: u16, name: &str) -> io::Result<()> {
    let parent = getppid();
    let abstract_socket = SocketAddr::from_abstract_name(name)?;
    let tried = [
        ("files", File::create(file).map(drop).is_denied()),
        ("tcp", tcp(port)),
        ("other-sockets", other_sockets()),
        ("devices", devices()),
        ("administration", administration()),
        ("other-processes", other_processes(parent)),
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

/// Whether an attempt was denied, as opposed to failing for another reason.
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

/// Whether a TCP port cannot be reached: with TCP, by listening without a bound address, or with
/// multipath TCP (MPTCP) if the kernel supports it.
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

/// Whether the only available sockets besides TCP are Unix sockets and those for queries about
/// network interfaces.
fn other_sockets() -> bool {
    let denied = |family, kind, protocol| net::socket(family, kind, protocol).map(drop).is_denied();
    denied(AddressFamily::INET, SocketType::DGRAM, Some(ipproto::UDP))
        && denied(AddressFamily::INET6, SocketType::DGRAM, Some(ipproto::UDP))
        && denied(AddressFamily::NETLINK, SocketType::RAW, Some(netlink::KOBJECT_UEVENT))
        && !denied(AddressFamily::NETLINK, SocketType::RAW, None)
        && !denied(AddressFamily::UNIX, SocketType::STREAM, None)
}

/// Whether no device can be made in the private directory.
fn devices() -> bool {
    let Some(home) = std::env::var_os("HOME") else { return false };
    let make = |name, kind| mknod(&Path::new(&home).join(name), kind, Mode::S_IRWXU, 0);
    make("character", SFlag::S_IFCHR).is_denied() && make("block", SFlag::S_IFBLK).is_denied()
}

/// Whether this process has no right of root, apart from reading, and can get none.
fn administration() -> bool {
    let name = gethostname().unwrap_or_default();
    let has_none = capabilities(None).is_ok_and(|sets| {
        let all = sets.effective | sets.permitted | sets.inheritable;
        CapabilitySet::DAC_READ_SEARCH.contains(all)
    });
    has_none
        && sethostname(name).is_denied()
        && fsopen("tmpfs", FsOpenFlags::empty()).map(drop).is_denied()
        && unshare(CloneFlags::CLONE_NEWUSER).is_denied()
}

/// Whether environment and descriptors of another process are out of reach. An empty environment
/// tells nothing.
fn other_processes(other: Pid) -> bool {
    let environment = std::fs::read(format!("/proc/{other}/environ")).map(|text| text.is_empty());
    let input = std::fs::read_link(format!("/proc/{other}/fd/0")).map(drop);
    environment.unwrap_or(true) && input.is_denied()
}

/// Whether the parent of this process is the first process of a PID namespace, and `/proc` shows
/// only that namespace.
fn is_in_a_namespace() -> bool {
    let own =
        std::fs::read_link("/proc/self").is_ok_and(|own| own == Path::new(&getpid().to_string()));
    let first = std::fs::read("/proc/1/cmdline")
        .is_ok_and(|line| line.split(|&byte| byte == 0).any(|word| word == b"supervisor"));
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
