//! Finds the program, arguments and directory that start an engine, from its config.

use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::platform;

use super::tournament::EngineConfig;

/// The places to search for programs.
#[derive(Clone, Copy, Debug)]
pub struct Places<'p> {
    /// The directory of the arena's executable. The bots are in the same directory.
    pub arena: Option<&'p Path>,
    /// The tournament's `base`: the directory of its config.
    pub base: &'p Path,
    /// The value of `PATH`.
    pub path: Option<&'p OsStr>,
}

/// A resolved command that starts an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Resolved {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<String>,
    /// Its working directory.
    pub dir: PathBuf,
    /// The directories it can write to besides its private directory.
    pub writable: Vec<PathBuf>,
    /// The files that identify the engine besides its program: those named by its arguments, unless
    /// the engine can write them, and those of the config's `files`.
    pub files: Vec<PathBuf>,
}

/// The program is not in any of the places.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CommandNotFound {
    /// The engine's name.
    pub engine: String,
    /// The command as written.
    pub command: String,
    /// The paths tried, in order.
    pub tried: Vec<PathBuf>,
    /// The bot with this name after `bot-`, if there is one.
    pub meant: Option<String>,
    /// The first tried path that is a file but not executable.
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
                    "program `{command}` of the engine `{engine}` not found{question}; tried {tried}"
                )
            }
        }
    }
}

impl std::error::Error for CommandNotFound {}

impl CommandNotFound {
    /// Returns advice on how to fix it, for an engine given on the command line.
    pub fn help(&self) -> String {
        match &self.not_executable {
            Some(path) => platform::how_to_execute(path),
            None => "name a bot in the arena's directory, a program on PATH or a path; quote a \
                     program with arguments, as in \"python3 bot.py\""
                .to_owned(),
        }
    }
}

/// Why an engine cannot be started with its config.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ResolveError {
    /// Its program does not exist.
    #[error(transparent)]
    Command(#[from] CommandNotFound),
    /// The tournament's `base` does not exist.
    #[error(
        "engine `{engine}`: its paths are relative to {} (the config's `base`), which is not a directory",
        .base.display()
    )]
    Base {
        /// The engine's name.
        engine: String,
        /// The directory.
        base: PathBuf,
    },
    /// A directory does not exist.
    #[error(
        "engine `{engine}`: `{key}` names {}, which is not a directory: create it, or correct the config",
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
    /// Returns advice on how to fix it, for an engine given on the command line.
    pub fn help(&self) -> String {
        match self {
            ResolveError::Command(why) => why.help(),
            ResolveError::Base { .. } => "if the config or the results were moved, move them \
                                          back, or correct `base` in the config"
                .to_owned(),
            ResolveError::Directory { .. } => "create the directory".to_owned(),
        }
    }

    /// The same, but `None` if the fix is only to install the missing program.
    pub fn specific_help(&self) -> Option<String> {
        match self {
            ResolveError::Command(CommandNotFound { not_executable: None, .. }) => None,
            why => Some(why.help()),
        }
    }
}

fn question(meant: &Option<String>) -> String {
    meant.as_ref().map(|bot| format!(" (did you mean `{bot}`?)")).unwrap_or_default()
}

/// The tried paths. The directories of `PATH` are summed up.
fn shown(tried: &[PathBuf]) -> String {
    let (first, others) = tried.split_at(tried.len().min(2));
    let first: Vec<String> = first.iter().map(|path| path.display().to_string()).collect();
    first.join(", ") + if others.is_empty() { "" } else { " and on PATH" }
}

/// Finds the program of an engine's command on this machine's disk, and checks the directories its
/// config names.
pub fn resolve(engine: &EngineConfig, places: &Places) -> Result<Resolved, ResolveError> {
    if !places.base.is_dir() {
        let (engine, base) = (engine.name.clone(), places.base.to_owned());
        return Err(ResolveError::Base { engine, base });
    }
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

/// Returns the command of an engine whose program has not been found: as written in the config.
pub fn unresolved(engine: &EngineConfig, places: &Places) -> Resolved {
    let program = PathBuf::from(&engine.command);
    let (args, dir) = (engine.args.clone(), places.base.to_owned());
    Resolved { program, args, dir, writable: Vec::new(), files: Vec::new() }
}

/// Like [`resolve`], with the given tests for programs and files instead of the disk.
///
/// - A command with a slash is a path relative to `base`. Without one, it is searched for in the
///   directory of the arena's executable, then in `base`, then on `PATH`.
/// - The working directory is `dir`, relative to `base`, or `base` itself.
/// - Arguments are passed as written, so relative paths in them work from `base`. If `dir` is set,
///   an argument that is the relative path of a file in `base` becomes absolute.
pub(crate) fn resolve_with(
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
            not_executable: directories(&engine.command, places)
                .into_iter()
                .map(|dir| dir.join(&engine.command))
                .find(|path| is_file(path)),
            engine: engine.name.clone(),
            command: engine.command.clone(),
            tried,
        });
    };
    let arg = |arg: &String| {
        let path = places.base.join(arg);
        let moved = engine.dir.is_some() && !arg.is_empty() && is_file(&path);
        // A path that is not UTF-8 cannot be an argument of a config, so it stays relative.
        path.to_str().filter(|_| moved).unwrap_or(arg).to_owned()
    };
    let dir = engine.dir.as_ref().map_or_else(|| places.base.to_owned(), |d| places.base.join(d));
    let args: Vec<String> = engine.args.iter().map(arg).collect();
    let writable: Vec<PathBuf> = engine.writable.iter().map(|dir| places.base.join(dir)).collect();
    let named = args.iter().filter(|arg| !arg.is_empty()).map(|arg| dir.join(arg));
    // A file that the engine can write, such as a log, changes without making it a different
    // engine.
    let own = |file: &PathBuf| writable.iter().any(|dir| file.starts_with(dir));
    let named = named.filter(|file| is_file(file) && !own(file));
    let files = named.chain(engine.files.iter().map(|file| places.base.join(file))).collect();
    Ok(Resolved { program: program.clone(), args, dir, writable, files })
}

/// Every path that a command can mean, in order of preference.
fn candidates(command: &str, places: &Places) -> Vec<PathBuf> {
    let names = platform::file_names(command);
    let dirs = directories(command, places).into_iter();
    dirs.flat_map(|dir| names.iter().map(move |name| dir.join(name))).collect()
}

/// The directories in which a command is looked for.
fn directories(command: &str, places: &Places) -> Vec<PathBuf> {
    if is_path(command) {
        return vec![places.base.to_owned()];
    }
    let path = places.path.map(std::env::split_paths).into_iter().flatten();
    let dirs = places.arena.map(Path::to_owned).into_iter().chain([places.base.to_owned()]);
    // An empty entry of PATH means the current directory, which depends on where the arena was
    // started.
    dirs.chain(path.filter(|dir| dir.is_absolute())).collect()
}

/// Whether a command names a place among the files, so that it is not looked for in `PATH`.
pub fn is_path(command: &str) -> bool {
    platform::is_path(command)
}

/// Whether there is a program of this name in a directory.
pub fn has_program(dir: &Path, name: &str) -> bool {
    platform::file_names(name).iter().any(|name| is_program(&dir.join(name)))
}

/// Whether a path is an executable file.
pub fn is_program(path: &Path) -> bool {
    platform::is_program(path)
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
    fn bots_are_searched_for_beside_the_arena_first() {
        let everywhere = ["/arena/bot", "/configs/bot", "/usr/bin/bot", "/bin/bot"];
        for first in 0..everywhere.len() {
            let disk = &everywhere[first..];
            assert_eq!(program("bot", disk), Ok(disk[0].into()));
        }
        assert_eq!(program("bot", &[]), Err(everywhere.map(PathBuf::from).to_vec()));
    }

    #[test]
    fn the_message_lists_what_was_tried() {
        let message = |command, disk: &[&str]| {
            found(&EngineConfig::new("x", command), disk).unwrap_err().to_string()
        };
        assert_eq!(
            message("greedy", &["/arena/bot-greedy"]),
            "program `greedy` of the engine `x` not found (did you mean `bot-greedy`?); tried \
             /arena/greedy, /configs/greedy and on PATH"
        );
        let path = "program `./greedy` of the engine `x` not found; tried /configs/./greedy";
        assert_eq!(message("./greedy", &["/arena/bot-greedy"]), path);
    }

    #[test]
    fn an_engine_is_identified_by_the_files_it_is_started_with() {
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
    fn a_file_that_is_not_executable_has_its_own_message() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("bot.py");
        std::fs::write(&path, "").unwrap();
        let places = Places { arena: None, base: dir.path(), path: None };
        let refused = |command| resolve(&EngineConfig::new("x", command), &places).unwrap_err();
        for command in ["./bot.py", "bot.py"] {
            let why = refused(command);
            let message = why.to_string();
            assert!(
                message.starts_with("the program of the engine `x` is not executable: /"),
                "{message}"
            );
            assert!(why.help().starts_with("run `chmod +x /") && why.help().contains("bot.py`"));
        }
        assert!(refused("./bit.py").to_string().starts_with("program `./bit.py`"));
        // A directory is not a program, even with execute permission.
        std::fs::create_dir(dir.path().join("bots")).unwrap();
        assert!(refused("./bots").to_string().starts_with("program `./bots`"));
    }

    #[test]
    fn a_missing_base_is_named_before_anything_in_it() {
        let dir = tempfile::tempdir().unwrap();
        let base = dir.path().join("configs");
        let places = Places { arena: None, base: &base, path: None };
        for command in ["./bot", "/bin/sh"] {
            let why = resolve(&EngineConfig::new("x", command), &places).unwrap_err();
            let message = why.to_string();
            assert!(message.contains("/configs (the config's `base`)"), "{message}");
            assert!(why.help().contains("correct `base`"), "{}", why.help());
        }
        std::fs::create_dir(&base).unwrap();
        assert!(resolve(&EngineConfig::new("x", "/bin/sh"), &places).is_ok());
    }

    #[test]
    fn paths_are_relative_to_the_config() {
        assert_eq!(program("./bot", &["/configs/./bot"]), Ok("/configs/./bot".into()));
        assert_eq!(program("/opt/bot", &["/opt/bot"]), Ok("/opt/bot".into()));
        assert_eq!(program("a/bot", &["/arena/a/bot"]), Err(vec!["/configs/a/bot".into()]));
    }

    #[test]
    fn arguments_change_only_for_another_working_directory() {
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
