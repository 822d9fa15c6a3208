//! From an engine as written to the program, arguments and directory it is started with.

use std::ffi::OsStr;
use std::fmt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::tournament::EngineConfig;

/// Where programs are looked for.
#[derive(Clone, Copy, Debug)]
pub struct Places<'p> {
    /// The directory of the arena's own executable; bots lie beside it.
    pub arena: Option<&'p Path>,
    /// The tournament's `base`, the directory of its config.
    pub base: &'p Path,
    /// The value of `PATH`.
    pub path: Option<&'p OsStr>,
}

/// What an engine is started with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory.
    pub dir: PathBuf,
    /// Where it may write besides its private directory.
    pub writable: Vec<PathBuf>,
    /// The files the engine is recognised by besides its program: those its arguments name, unless
    /// it may write them, and those of the config's `files`.
    pub files: Vec<PathBuf>,
}

/// No program of that name in any of the places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandNotFound {
    /// The engine's name.
    pub engine: String,
    /// The command as written.
    pub command: String,
    /// Every path that was tried, in order.
    pub tried: Vec<PathBuf>,
    /// A bot that is there, if it is called so but for `bot-`.
    pub meant: Option<String>,
    /// The first of them that is a file, and only lacks the right to be executed.
    pub not_executable: Option<PathBuf>,
}

impl fmt::Display for CommandNotFound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CommandNotFound { engine, command, tried, meant, not_executable } = self;
        match not_executable {
            Some(path) => {
                write!(
                    f,
                    "the program of the engine `{engine}` is not executable: {}",
                    path.display()
                )
            }
            None => {
                let (question, tried) = (question(meant), shown(tried));
                write!(
                    f,
                    "no program `{command}` for the engine `{engine}`{question}; looked for {tried}"
                )
            }
        }
    }
}

impl std::error::Error for CommandNotFound {}

impl CommandNotFound {
    /// What to do about it, for an engine of the command line.
    pub fn help(&self) -> String {
        match &self.not_executable {
            Some(path) => format!(
                "run `chmod +x {}`, or name the program that runs it, as in \"python3 bot.py\"",
                path.display()
            ),
            None => "name a bot beside the arena, a program on PATH or a path; a program with \
                     arguments goes in quotes, as in \"python3 bot.py\""
                .to_owned(),
        }
    }
}

/// Why an engine cannot be started as its config says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ResolveError {
    /// Its program is not there.
    #[error(transparent)]
    Command(#[from] CommandNotFound),
    /// A directory is not there.
    #[error(
        "engine `{engine}`: `{key}` names {}, which is no directory: make it, or correct the config",
        .dir.display()
    )]
    Directory {
        /// The engine's name.
        engine: String,
        /// The key of the config.
        key: &'static str,
        /// The directory.
        dir: PathBuf,
    },
}

impl ResolveError {
    /// What to do about it, for an engine of the command line.
    pub fn help(&self) -> String {
        match self {
            ResolveError::Command(why) => why.help(),
            ResolveError::Directory { .. } => "make the directory".to_owned(),
        }
    }

    /// The same, where it says more than that a program is missing.
    pub fn help_of_its_own(&self) -> Option<String> {
        match self {
            ResolveError::Command(CommandNotFound { not_executable: None, .. }) => None,
            why => Some(why.help()),
        }
    }
}

fn question(meant: &Option<String>) -> String {
    meant.as_ref().map(|bot| format!(" (is `{bot}` meant?)")).unwrap_or_default()
}

/// The paths that were tried, the many of `PATH` by its name.
fn shown(tried: &[PathBuf]) -> String {
    let (first, others) = tried.split_at(tried.len().min(2));
    let first: Vec<String> = first.iter().map(|path| path.display().to_string()).collect();
    first.join(", ") + if others.is_empty() { "" } else { " and on PATH" }
}

/// Finds the program an engine's command names, on this machine's disk, and the directories its
/// config names.
pub fn resolve(engine: &EngineConfig, places: &Places) -> Result<Resolved, ResolveError> {
    let resolved = resolve_with(engine, places, is_program, Path::is_file)?;
    let writable = resolved.writable.iter().map(|dir| ("writable", dir));
    let mut dirs = [("dir", &resolved.dir)].into_iter().chain(writable);
    if let Some((key, dir)) = dirs.find(|(_, dir)| !dir.is_dir()) {
        let (engine, dir) = (engine.name.clone(), dir.clone());
        return Err(ResolveError::Directory { engine, key, dir });
    }
    drop(dirs);
    Ok(resolved)
}

/// What an engine would be started with whose program has not been found: its command as written.
pub fn unresolved(engine: &EngineConfig, places: &Places) -> Resolved {
    let program = PathBuf::from(&engine.command);
    let (args, dir) = (engine.args.clone(), places.base.to_owned());
    Resolved { program, args, dir, writable: Vec::new(), files: Vec::new() }
}

/// The same with any notion of what is a program and what is a file.
///
/// - A command with a slash is a path, relative to `base`. One without is looked for beside the
///   arena's executable, then in `base`, then on `PATH`.
/// - The working directory is `dir`, relative to `base`, or `base` itself.
/// - Arguments are handed on as written, so that relative paths in them work from `base` by
///   themselves. With a `dir` of its own, an argument that as a whole is the relative path of a
///   file as seen from `base` becomes absolute.
pub fn resolve_with(
    engine: &EngineConfig,
    places: &Places,
    is_program: impl Fn(&Path) -> bool,
    is_file: impl Fn(&Path) -> bool,
) -> Result<Resolved, CommandNotFound> {
    let tried = candidates(&engine.command, places);
    let Some(program) = tried.iter().find(|path| is_program(path)) else {
        let bot = format!("bot-{}", engine.command);
        let is_there = candidates(&bot, places).iter().any(|path| is_program(path));
        return Err(CommandNotFound {
            meant: is_there.then_some(bot),
            not_executable: tried.iter().find(|path| is_file(path)).cloned(),
            engine: engine.name.clone(),
            command: engine.command.clone(),
            tried,
        });
    };
    let arg = |arg: &String| {
        let path = places.base.join(arg);
        let moved = engine.dir.is_some() && !arg.is_empty() && is_file(&path);
        // A path that is no text cannot be an argument of a config; then it stays relative.
        path.to_str().filter(|_| moved).unwrap_or(arg).to_owned()
    };
    let dir = engine.dir.as_ref().map_or_else(|| places.base.to_owned(), |d| places.base.join(d));
    let args: Vec<String> = engine.args.iter().map(arg).collect();
    let writable: Vec<PathBuf> = engine.writable.iter().map(|dir| places.base.join(dir)).collect();
    let named = args.iter().filter(|arg| !arg.is_empty()).map(|arg| dir.join(arg));
    // What it may write, such as a log, changes without making it another engine.
    let own = |file: &PathBuf| writable.iter().any(|dir| file.starts_with(dir));
    let named = named.filter(|file| is_file(file) && !own(file));
    let files = named.chain(engine.files.iter().map(|file| places.base.join(file))).collect();
    Ok(Resolved { program: program.clone(), args, dir, writable, files })
}

/// Every path a command may mean, the best first.
fn candidates(command: &str, places: &Places) -> Vec<PathBuf> {
    if command.contains('/') {
        return vec![places.base.join(command)];
    }
    let path = places.path.map(std::env::split_paths).into_iter().flatten();
    let dirs = places.arena.map(Path::to_owned).into_iter().chain([places.base.to_owned()]);
    // An empty entry of PATH would mean wherever the arena happens to be started.
    dirs.chain(path.filter(|dir| dir.is_absolute())).map(|dir| dir.join(command)).collect()
}

/// Whether a path leads to a file that may be executed.
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(engine: &EngineConfig, disk: &[&str]) -> Result<Resolved, CommandNotFound> {
        let places = Places {
            arena: Some(Path::new("/arena")),
            base: Path::new("/configs"),
            path: Some(OsStr::new("/usr/bin:relative::/bin")),
        };
        let on_disk = |path: &Path| disk.contains(&path.to_str().unwrap());
        resolve_with(engine, &places, on_disk, on_disk)
    }

    fn program(command: &str, disk: &[&str]) -> Result<PathBuf, Vec<PathBuf>> {
        let engine = EngineConfig::new("x", command);
        found(&engine, disk).map(|found| found.program).map_err(|error| error.tried)
    }

    #[test]
    fn bots_are_looked_for_beside_the_arena_first() {
        let everywhere = ["/arena/bot", "/configs/bot", "/usr/bin/bot", "/bin/bot"];
        for first in 0..everywhere.len() {
            let disk = &everywhere[first..];
            assert_eq!(program("bot", disk), Ok(disk[0].into()));
        }
        assert_eq!(program("bot", &[]), Err(everywhere.map(PathBuf::from).to_vec()));
    }

    #[test]
    fn what_was_tried_is_told_in_few_words() {
        let told = |command, disk: &[&str]| {
            found(&EngineConfig::new("x", command), disk).unwrap_err().to_string()
        };
        assert_eq!(
            told("greedy", &["/arena/bot-greedy"]),
            "no program `greedy` for the engine `x` (is `bot-greedy` meant?); looked for \
             /arena/greedy, /configs/greedy and on PATH"
        );
        let path = "no program `./greedy` for the engine `x`; looked for /configs/./greedy";
        assert_eq!(told("./greedy", &["/arena/bot-greedy"]), path);
    }

    #[test]
    fn an_engine_is_recognised_by_the_files_it_is_started_with() {
        let disk = ["/bin/python3", "/configs/bot.py", "/configs/logs/out.txt"];
        let mut engine = EngineConfig::new("x", "python3");
        engine.args =
            ["bot.py", "--log", "logs/out.txt", "none.py", ""].map(str::to_owned).to_vec();
        engine.files = vec!["weights.bin".into()];
        let files = |engine: &EngineConfig| found(engine, &disk).unwrap().files;
        let all = ["/configs/bot.py", "/configs/logs/out.txt", "/configs/weights.bin"];
        assert_eq!(files(&engine), all.map(PathBuf::from));
        engine.writable = vec!["logs".into()];
        assert_eq!(files(&engine), [all[0], all[2]].map(PathBuf::from));
    }

    #[test]
    fn a_file_that_is_not_executable_is_told_from_none() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot.py");
        std::fs::write(&path, "").unwrap();
        let places = Places { arena: None, base: dir.path(), path: None };
        let refused = |command| resolve(&EngineConfig::new("x", command), &places).unwrap_err();
        for command in ["./bot.py", "bot.py"] {
            let why = refused(command);
            let said = why.to_string();
            assert!(
                said.starts_with("the program of the engine `x` is not executable: /"),
                "{said}"
            );
            assert!(why.help().starts_with("run `chmod +x /") && why.help().contains("bot.py`"));
        }
        assert!(refused("./bit.py").to_string().starts_with("no program `./bit.py`"));
        // A directory is no program, whatever its rights.
        std::fs::create_dir(dir.path().join("bots")).unwrap();
        assert!(refused("./bots").to_string().starts_with("no program `./bots`"));
    }

    #[test]
    fn paths_are_relative_to_the_config() {
        assert_eq!(program("./bot", &["/configs/./bot"]), Ok("/configs/./bot".into()));
        assert_eq!(program("/opt/bot", &["/opt/bot"]), Ok("/opt/bot".into()));
        assert_eq!(program("a/bot", &["/arena/a/bot"]), Err(vec!["/configs/a/bot".into()]));
    }

    #[test]
    fn arguments_stay_unless_the_engine_works_elsewhere() {
        let disk = ["/bin/python3", "/configs/bots/first.py", "/configs/-v"];
        let args = ["bots/first.py", "--book", "bots/none.py", ""];
        let mut engine = EngineConfig::new("x", "python3");
        engine.args = args.map(str::to_owned).to_vec();
        let here = found(&engine, &disk).unwrap();
        assert_eq!((here.args, here.dir), (engine.args.clone(), "/configs".into()));
        engine.dir = Some("bots".into());
        let there = found(&engine, &disk).unwrap();
        assert_eq!(there.args, ["/configs/bots/first.py", "--book", "bots/none.py", ""]);
        assert_eq!(there.dir, Path::new("/configs/bots"));
    }
}
