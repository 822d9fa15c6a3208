//! `arena doctor`: what this machine enforces and offers, one fact per line.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use crate::terminal::output::print_wrapped;
use clap::Args;
use fanorona_engine::quota::Quota;
use fanorona_engine::{descriptors, machine_memory, probe, processes, quota_of_this_process};
use fanorona_tournament::config::has_program;
use fanorona_tournament::machine::runs::Computer;
use fanorona_tournament::text::safe_text;

pub(super) const HELP: &str = "\
Examples:
  arena doctor
  systemd-run --user --scope -p Delegate=yes arena doctor      limits enforced by the kernel

Every line is a fact about this machine; a missing program only matters for what its line names. The \
command always exits with 0, unless the arena itself cannot work here.";

#[derive(Args, Debug)]
pub(super) struct DoctorArgs {}

/// The bots that come with the arena.
const BOTS: [&str; 4] = ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"];

/// The findings; `None` for what is not there.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Findings {
    computer: String,
    /// The restrictions that the sandbox enforces, or why it could not be probed.
    sandbox: String,
    /// The limits that the kernel enforces.
    controllers: Vec<String>,
    /// The number of processors, and the quota of their time.
    processors: (usize, Option<Quota>),
    /// Whether the system reports how long threads wait for a processor.
    has_waiting: bool,
    /// The memory of the machine in bytes, and what is available of it.
    memory: Option<[u64; 2]>,
    /// The number of files the arena may open, and of processes the user may have.
    files: Option<u64>,
    processes: Option<u64>,
    /// The directory for private directories of engines, and whether it can be written.
    temporary: (PathBuf, bool),
    /// The bots beside the arena or on PATH.
    bots: Vec<&'static str>,
    python: Option<String>,
    /// Whether Python has the package `fanorona`.
    package: bool,
    nats: Option<String>,
    browser: Option<String>,
}

pub(super) fn doctor(_: &DoctorArgs) -> Result<Exit, CliError> {
    print_wrapped(in_words(&examined()?, cfg!(feature = "cluster")));
    Ok(Exit::Done)
}

/// Looks at the machine.
fn examined() -> Result<Findings, CliError> {
    let supervisors = supervisors()?;
    let probed = runtime()?.block_on(probe::probe(&supervisors, Duration::from_secs(10)));
    let interpreter = if cfg!(windows) { "python" } else { "python3" };
    let python = version(&[interpreter, "--version"]);
    let package =
        python.is_some() && version(&[interpreter, "-c", "import fanorona; print(1)"]).is_some();
    let browsers = ["chromium", "chromium-browser", "google-chrome"];
    let temporary = std::env::temp_dir();
    let is_writable = tempfile::tempdir_in(&temporary).is_ok();
    Ok(Findings {
        computer: Computer::this().in_words(),
        sandbox: probed.map_or_else(|why| format!("cannot be probed: {why}"), |it| it.to_string()),
        controllers: supervisors.controllers().iter().map(|&name| name.to_owned()).collect(),
        processors: (
            std::thread::available_parallelism().map_or(1, usize::from),
            quota_of_this_process(),
        ),
        has_waiting: fanorona_engine::waiting_is_reported(),
        memory: machine_memory::total_and_available(),
        files: descriptors::most(),
        processes: processes::most(),
        temporary: (temporary, is_writable),
        bots: BOTS.into_iter().filter(|bot| is_there(bot)).collect(),
        python,
        package,
        nats: version(&["nats-server", "--version"]),
        browser: browsers.iter().find_map(|name| version(&[name, "--version"])),
    })
}

/// The directories in which the arena looks for programs.
fn places() -> Vec<PathBuf> {
    let beside = std::env::current_exe().ok().and_then(|exe| Some(exe.parent()?.to_owned()));
    let path = std::env::var_os("PATH").unwrap_or_default();
    beside.into_iter().chain(std::env::split_paths(&path).filter(|dir| dir.is_absolute())).collect()
}

fn is_there(program: &str) -> bool {
    places().iter().any(|dir| has_program(dir, program))
}

/// The first line that a program prints; `None` if it is not there, fails, or takes too long.
fn version(command: &[&str]) -> Option<String> {
    let (program, args) = command.split_first()?;
    if !is_there(program) {
        return None;
    }
    let mut output = tempfile::tempfile().ok()?;
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::null())
        .stdout(output.try_clone().ok()?)
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let deadline = Instant::now() + Duration::from_secs(10);
    let status = loop {
        match child.try_wait().ok()? {
            Some(status) => break status,
            None if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(5)),
            None => {
                // It is not waited for any longer; if it has ended by itself, all the better.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    };
    let mut text = String::new();
    std::io::Seek::rewind(&mut output).ok()?;
    std::io::Read::read_to_string(&mut output, &mut text).ok()?;
    let line = text.lines().next()?.trim();
    (status.success() && !line.is_empty()).then(|| safe_text::line(line).into_owned())
}

/// The findings, one fact with its meaning per line.
fn in_words(found: &Findings, has_cluster: bool) -> String {
    let size = |bytes: u64| format!("{:.1} GiB", bytes as f64 / f64::from(1 << 30));
    let count = |limit: Option<u64>| limit.map_or("unlimited".to_owned(), |it| it.to_string());
    let (directory, is_writable) = &found.temporary;
    let directory = match is_writable {
        true => format!("{} (private directories of engines)", shown(directory)),
        false => format!("{} cannot be written: set TMPDIR, or no engine starts", shown(directory)),
    };
    let bots = match (&found.bots[..], BOTS.len()) {
        ([], _) => "none beside the arena or on PATH: install the package fanorona-bots".to_owned(),
        (bots, all) if bots.len() == all => bots.join(", "),
        (bots, _) => {
            format!("{}; the others are neither beside the arena nor on PATH", bots.join(", "))
        }
    };
    let python = match (&found.python, found.package) {
        (None, _) => "not found; only bots in Python need it".to_owned(),
        (Some(version), true) => format!("{version}, with the package fanorona"),
        (Some(version), false) => format!("{version}; the package fanorona is not installed"),
    };
    let nats = match (&found.nats, has_cluster) {
        (_, false) => {
            "this arena is built without the feature `cluster`: no tournaments on many machines"
                .to_owned()
        }
        (None, true) => "not found here; only tournaments on many machines need it".to_owned(),
        (Some(version), true) => version.clone(),
    };
    let browser = found.browser.clone().unwrap_or_else(|| {
        "no Chromium; only the arena's own tests need it, its pages open in any browser".to_owned()
    });
    let memory = found.memory.map_or("unknown".to_owned(), |[total, available]| {
        format!("{}, {} of it available", size(total), size(available))
    });
    let lines = [
        (
            "arena",
            format!(
                "{}{}",
                env!("CARGO_PKG_VERSION"),
                if has_cluster { ", with cluster" } else { "" }
            ),
        ),
        ("machine", found.computer.clone()),
        ("processors", processors(&found.processors, found.has_waiting)),
        ("memory", memory),
        ("sandbox", found.sandbox.clone()),
        ("limits", limits(&found.controllers)),
        (
            "files",
            format!("{} open files, {} processes", count(found.files), count(found.processes)),
        ),
        ("directory", directory),
        ("bots", bots),
        ("python", python),
        ("nats", nats),
        ("browser", browser),
    ];
    lines.map(|(name, fact)| format!("{name:<10} {fact}")).join("\n")
}

/// Describes the number of processors for engines, and whether engines pay for waiting.
fn processors((count, quota): &(usize, Option<Quota>), has_waiting: bool) -> String {
    let quota = match quota {
        None => String::new(),
        Some(quota) => {
            let few = match quota.percent {
                ..100 => ": too little for games with a time limit",
                _ => "",
            };
            format!(", a quota of {quota}{few}")
        }
    };
    let waiting = match has_waiting {
        true => "engines are not charged for waiting for one",
        false => {
            "the system does not report how long engines wait for one (Linux does with \
             CONFIG_SCHED_INFO), so they are charged for it"
        }
    };
    format!("{count}{quota}; {waiting}")
}

/// Describes the enforcement of the limits of engines, with these controllers of control groups.
fn limits(controllers: &[String]) -> String {
    let polled: BTreeSet<&str> = ["memory", "pids", "cpuset"]
        .into_iter()
        .filter(|name| !controllers.iter().any(|it| it == name))
        .collect();
    if controllers.is_empty() {
        let checked = "memory and processes of engines are checked many times a second";
        return match cfg!(target_os = "linux") {
            true => format!("{checked} (no delegated control group; see --help)"),
            false => checked.to_owned(),
        };
    }
    let enforced = format!("the kernel enforces {}", controllers.join(", "));
    if polled.is_empty() {
        return enforced;
    }
    format!("{enforced}; the arena checks {}", Vec::from_iter(polled).join(", "))
}

fn shown(path: &Path) -> String {
    safe_text::line(&path.display().to_string()).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_and_an_empty_machine_are_told_in_twelve_lines() {
        let full = Findings {
            computer: "A processor, 2 processors, Linux".to_owned(),
            sandbox: "engines are denied everything".to_owned(),
            controllers: vec!["memory".to_owned(), "pids".to_owned()],
            processors: (2, Some(Quota { percent: 50, file: "/sys/x/cpu.max".into() })),
            has_waiting: true,
            memory: Some([8 << 30, 3 << 29]),
            files: Some(1024),
            processes: None,
            temporary: ("/tmp".into(), true),
            bots: BOTS.to_vec(),
            python: Some("Python 3.11.2".to_owned()),
            package: true,
            nats: Some("nats-server: v2".to_owned()),
            browser: Some("Chromium 1".to_owned()),
        };
        let nothing = Findings { temporary: ("/none".into(), false), ..Findings::default() };
        let bare = in_words(&nothing, false);
        let texts = [in_words(&full, true), bare];
        for text in &texts {
            assert_eq!(text.lines().count(), 12, "{text}");
        }
        assert_eq!(
            texts[0].replace(env!("CARGO_PKG_VERSION"), "VERSION"),
            "arena      VERSION, with cluster\n\
             machine    A processor, 2 processors, Linux\n\
             processors 2, a quota of 0.5 processors (/sys/x/cpu.max): too little for games with a \
             time limit; engines are not charged for waiting for one\n\
             memory     8.0 GiB, 1.5 GiB of it available\n\
             sandbox    engines are denied everything\n\
             limits     the kernel enforces memory, pids; the arena checks cpuset\n\
             files      1024 open files, unlimited processes\n\
             directory  /tmp (private directories of engines)\n\
             bots       bot-random, bot-greedy, bot-mcts, bot-alphabeta\n\
             python     Python 3.11.2, with the package fanorona\n\
             nats       nats-server: v2\n\
             browser    Chromium 1"
        );
        for part in [
            "so they are charged for it",
            "set TMPDIR",
            "fanorona-bots",
            "without the feature",
            "not found; only bots",
        ] {
            assert!(texts[1].contains(part), "{part}\n{}", texts[1]);
        }
    }

    #[test]
    fn a_program_that_hangs_or_is_missing_has_no_version() {
        assert_eq!(version(&["no-such-program-here"]), None);
        assert_eq!(
            version(&["sh", "-c", "echo ' one two'; echo three"]).as_deref(),
            Some("one two")
        );
        assert_eq!(version(&["sh", "-c", "echo one; exit 1"]), None);
    }
}
