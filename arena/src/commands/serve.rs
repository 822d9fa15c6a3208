//! `arena serve`: pages that show tournaments, and on which people play, analyse and study.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use clap::Args;

use super::arguments::{engine, engine_name};
use super::error::CliError;
use super::exit::Exit;
use super::prepare::{runtime, supervisors};
use super::signals::Signals;
use crate::terminal::output::{eprint_line, print_line};
use fanorona_serve::{self, Access, Engines, Library, Site};
use fanorona_tournament::config::EngineConfig;

pub(super) const HELP: &str = "\
Examples:
  arena serve --open
  arena serve results/full results/quick
  arena serve --engine 'python3 my_bot.py'
  arena serve --listen 0.0.0.0:8080

The pages show every results directory in and below DIR, live or finished; a page can also start a \
tournament from a config in this directory or in configs/. Pages may start only the bots beside the \
arena and the engines given by --engine, in the same sandbox as in tournaments. The server listens \
on this machine only; with --listen it can be reached from others. It answers only those who have the \
token in the printed address, and starts no config that belongs to another user. Anybody who has the \
token can use your processors.";

/// The port that is tried first.
const PORT: u16 = 8080;

/// The bots that come with the arena.
const BOTS: [&str; 4] = ["bot-alphabeta", "bot-mcts", "bot-greedy", "bot-random"];

/// The bots, which stand beside the arena or in `PATH`.
pub(super) fn bots() -> Vec<EngineConfig> {
    BOTS.map(|name| EngineConfig::new(name, name)).to_vec()
}

#[derive(Args, Debug)]
pub(super) struct ServeArgs {
    /// Results directories, or directories that contain some [default: this directory]
    dirs: Vec<PathBuf>,
    /// Open the pages in a browser
    #[arg(long)]
    open: bool,
    /// The address and port to listen on [default: 127.0.0.1, port 8080 or a free one]
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<SocketAddr>,
    /// A further engine that pages may start: a command line in quotes; may be given several times
    #[arg(long, value_name = "ENGINE")]
    engine: Vec<String>,
}

pub(super) fn serve(args: &ServeArgs) -> Result<Exit, CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    for dir in &args.dirs {
        if !dir.is_dir() {
            let what = format!("{} is not a directory", dir.display());
            let help = "name a results directory, or one that contains some";
            return Err(CliError::with_help(Exit::Usage, what, help));
        }
    }
    let base = std::env::current_dir().map_err(|why| usage(&why))?;
    let roots = if args.dirs.is_empty() { vec![base.clone()] } else { args.dirs.clone() };
    let mut engines: Vec<EngineConfig> = Vec::new();
    for command in &args.engine {
        let mut engine = engine(command).map_err(|why| usage(&why))?;
        engine.name = engine_name(&engine);
        engines.push(engine);
    }
    engines.splice(0..0, bots());
    let supervisors = supervisors()?;
    let library = Library::new(roots, base.clone());
    let engines = Engines::new(engines, base, supervisors.clone());
    let (site, listener) = open_site(args.listen, library, engines)?;
    print_line(format_args!("{}", site.url()));
    eprint_line("press Ctrl-C to stop the server");
    if args.open {
        open(site.opening(None))?;
    }
    let runtime = runtime()?;
    runtime.block_on(async {
        let mut signals = Signals::new();
        tokio::select! {
            served = fanorona_serve::serve(site, listener) => {
                let what = |why: io::Error| format!("the server failed: {why}");
                served.map_err(|why| CliError::new(Exit::Storage, what(why)))?;
                Ok(Exit::Done)
            }
            exit = signals.next(&supervisors) => Ok(exit),
        }
    })
}

/// Opens a port and prepares the site that is served there.
pub(super) fn open_site(
    address: Option<SocketAddr>,
    library: Library,
    engines: Engines,
) -> Result<(Site, std::net::TcpListener), CliError> {
    let bound = match address {
        Some(address) => fanorona_serve::bind(address).map_err(|why| (address, why)),
        None => {
            let local = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
            fanorona_serve::bind(local(PORT))
                .or_else(|_| fanorona_serve::bind(local(0)).map_err(|why| (local(0), why)))
        }
    };
    let (listener, address) = bound.map_err(|(address, why)| {
        let what = format!("cannot listen on {address}: {why}");
        CliError::with_help(Exit::Usage, what, "choose another port: --listen 127.0.0.1:8081")
    })?;
    let access = Access::new(address).map_err(no_random)?;
    Ok((Site::new(access, library, engines), listener))
}

/// Serves a site on a thread of its own, for as long as the process lives. Games and their clocks
/// run on another thread.
pub(super) fn serve_beside(site: Site, listener: std::net::TcpListener) -> Result<(), CliError> {
    let runtime = runtime()?;
    let refused = |why| CliError::new(Exit::Storage, format!("cannot start the server: {why}"));
    let started = std::thread::Builder::new().name("server".to_owned()).spawn(move || {
        if let Err(why) = runtime.block_on(fanorona_serve::serve(site, listener)) {
            eprint_line(format_args!("warning: the server failed: {why}"));
        }
    });
    started.map(drop).map_err(refused)
}

/// Opens an address in the user's browser.
pub(super) fn open(url: io::Result<String>) -> Result<(), CliError> {
    let url = url.map_err(no_random)?;
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
    };
    if quiet(Command::new("xdg-open").arg(url)).is_err() {
        eprint_line("note: no program opens a browser here (xdg-open); open the address yourself");
    }
    Ok(())
}

fn no_random(why: io::Error) -> CliError {
    CliError::new(Exit::Storage, format!("the system has no random numbers: {why}"))
}
