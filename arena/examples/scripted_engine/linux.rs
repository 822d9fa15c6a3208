//! Vices of Linux, and the abilities that other systems give in other ways.

use std::fs::File;
use std::io;
use std::process::{Command, Stdio};
use std::time::Duration;

use nix::sys::signal::{Signal, raise};
use nix::unistd::Pid;

/// Ignores the request to end.
pub(crate) fn block_terminate() {
    nix::sys::signal::SigSet::from(Signal::SIGTERM).thread_block().unwrap();
}

/// Dies of an access to memory that it does not have.
pub(crate) fn break_a_segment() -> ! {
    // The first signal reaches the handler of the Rust runtime, which then removes itself.
    loop {
        raise(Signal::SIGSEGV).unwrap();
    }
}

/// Kills the process that guards this one.
pub(crate) fn kill_parent() {
    let guard = nix::unistd::getppid();
    nix::sys::signal::kill(guard, Signal::SIGKILL).unwrap();
}

/// Closes standard output.
pub(crate) fn close_stdout() {
    nix::unistd::dup2_stdout(File::open("/dev/null").unwrap()).unwrap();
}

/// A program that only sleeps.
pub(crate) fn sleeper() -> Command {
    let mut command = Command::new("sleep");
    command.arg("600");
    command
}

/// Attempts actions that are forbidden to engines; returns the outcomes, one per line.
pub(crate) fn trespass(outside: &str, port: u16) -> String {
    let denied = |result: io::Result<()>| match result {
        Err(why) if why.kind() == io::ErrorKind::PermissionDenied => "denied".to_owned(),
        result => format!("{result:?}"),
    };
    let victims = [("guard", Some(nix::unistd::getppid())), ("opponent", opponent())];
    // It has no process id for processes that it cannot see.
    let victims =
        victims.map(|(name, victim)| (name, victim.unwrap_or(nix::unistd::Pid::from_raw(1))));
    let mut told = String::new();
    let written = File::create(format!("{outside}/file")).map(drop);
    told += &format!("files {}\n", denied(written));
    let removed = std::fs::remove_dir(format!("{outside}/dir"));
    told += &format!("files {}\n", denied(removed));
    let connected = std::net::TcpStream::connect(("127.0.0.1", port)).map(drop);
    told += &format!("tcp {}\n", denied(connected));
    let listening = std::net::TcpListener::bind(("127.0.0.1", 0)).map(drop);
    told += &format!("tcp {}\n", denied(listening));
    for (name, victim) in victims {
        // If it is allowed after all, it does no harm.
        for signal in [None, Some(Signal::SIGCONT)] {
            let sent = nix::sys::signal::kill(victim, signal).map_err(io::Error::from);
            told += &format!("signals {} {name}\n", denied(sent));
        }
    }
    told += &trespass_by_filtered_calls(port, victims);
    told
}

/// Actions that only the system call filter prevents.
fn trespass_by_filtered_calls(port: u16, victims: [(&str, Pid); 2]) -> String {
    use rustix::net::{self, AddressFamily, SocketType, ipproto};
    use rustix::process::{
        Pid, Resource, Rlimit, getpriority_process, prlimit, setpriority_process,
    };
    let denied = |result: rustix::io::Result<()>| match result {
        Err(rustix::io::Errno::ACCESS | rustix::io::Errno::PERM) => "denied".to_owned(),
        result => format!("{result:?}"),
    };
    let address = std::net::SocketAddrV4::new(std::net::Ipv4Addr::LOCALHOST, port);
    let socket = |kind, protocol| net::socket(AddressFamily::INET, kind, Some(protocol));
    let paths = socket(SocketType::STREAM, ipproto::MPTCP)
        .and_then(|socket| net::connect(socket, &address));
    let unbound =
        socket(SocketType::STREAM, ipproto::TCP).and_then(|socket| net::listen(socket, 1));
    let datagram = socket(SocketType::DGRAM, ipproto::UDP).map(drop);
    let raw = socket(SocketType::RAW, ipproto::ICMP).map(drop);
    let mut told = format!(
        "tcp {}\ntcp {}\nother_sockets {}\nother_sockets {}\n",
        denied(paths),
        denied(unbound),
        denied(datagram),
        denied(raw)
    );
    for (name, victim) in victims {
        let pid = Pid::from_raw(victim.as_raw());
        // A limit that would kill the victim in its next second of work.
        let cpu = Rlimit { current: Some(1), maximum: Some(1) };
        let limited = prlimit(pid, Resource::Cpu, cpu).map(drop);
        told += &format!("limits {} {name}\n", denied(limited));
        let slowed = setpriority_process(pid, 19);
        told += &format!("limits {} {name}\n", denied(slowed));
        let cpus = nix::sched::sched_getaffinity(victim);
        let moved = cpus.and_then(|cpus| nix::sched::sched_setaffinity(victim, &cpus));
        let moved = moved.map_err(|why| rustix::io::Errno::from_raw_os_error(why as i32));
        told += &format!("limits {} {name}\n", denied(moved));
    }
    // Actions that concern only this process are allowed.
    let mine = rustix::process::getrlimit(Resource::Core);
    prlimit(None, Resource::Core, mine).expect("its own limits are its own");
    let own = getpriority_process(None).expect("a priority");
    setpriority_process(None, own).expect("its own priority is its own");
    std::os::unix::net::UnixStream::pair().expect("Unix sockets are open");
    told
}

/// The process of another engine: a child of another supervisor.
/// `None` if it sees only its own processes.
fn opponent() -> Option<Pid> {
    let own = nix::unistd::getppid();
    if own == Pid::from_raw(1) {
        return None;
    }
    let arena = parent(own).expect("the guard has a parent");
    let others = || std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let ids = || others().filter_map(|e| e.file_name().to_str()?.parse().ok().map(Pid::from_raw));
    let guard = ids().find(|&id| id != own && parent(id) == Some(arena)).expect("two guards");
    Some(ids().find(|&id| parent(id) == Some(guard)).expect("an opponent"))
}

/// The parent of a process, if that is there.
fn parent(of: Pid) -> Option<Pid> {
    let stat = std::fs::read_to_string(format!("/proc/{of}/stat")).ok()?;
    let (_, fields) = stat.rsplit_once(')')?;
    fields.split_whitespace().nth(1)?.parse().ok().map(Pid::from_raw)
}

/// Writes down how this process finds itself placed.
pub(crate) fn tell(file: &str) {
    let home = std::env::var("HOME").unwrap_or_default();
    let mine = File::create(format!("{home}/file")).map(drop);
    let here = File::create("file").map(drop);
    let cpus = nix::sched::sched_getaffinity(Pid::this()).unwrap();
    let cpus: Vec<_> = (0..1024).filter(|&cpu| cpus.is_set(cpu).unwrap()).collect();
    let open: Vec<_> = std::fs::read_dir("/proc/self/fd").unwrap().collect();
    let mut told = format!(
        "home-writable {}\ndir-writable {}\ncpus {cpus:?}\nopen {}\nleader {}\n",
        mine.is_ok(),
        here.is_ok(),
        // The directory being read is open as well.
        open.len() - 1,
        nix::unistd::getsid(None).unwrap() == Pid::this(),
    );
    for (name, value) in std::env::vars() {
        told += &format!("env {name}={value}\n");
    }
    std::fs::write(file, told).unwrap();
}

/// Uses a processor for this long, not counting the time of other threads and processes.
pub(crate) fn work(time: Duration) {
    use nix::time::{ClockId, clock_gettime};
    let used = || Duration::from(clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).unwrap());
    let end = used() + time;
    while used() < end {
        std::hint::spin_loop();
    }
}

/// Starts a process that leaves session, group, parent and streams behind.
pub(crate) fn daemonize() {
    let null = || Stdio::from(File::options().read(true).write(true).open("/dev/null").unwrap());
    let mut shell = Command::new("setsid");
    shell.args(["sh", "-c", "sleep 600 & exit"]).stdin(null()).stdout(null()).stderr(null());
    assert!(shell.status().expect("there is a setsid").success());
}

/// Starts processes, each in its own session.
pub(crate) fn breed(count: u32) {
    for _ in 0..count {
        let mut child = Command::new("setsid");
        child.args(["--fork", "sleep", "600"]).stdin(Stdio::null());
        assert!(child.status().expect("there is a setsid").success());
    }
}
