//! `arena init`: writes a config to start from.

use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;

use super::arguments::{engine, engine_name};
use super::error::CliError;
use super::exit::Exit;
use crate::terminal::output::print_line;
use fanorona_tournament::config::{EngineConfig, is_path};

pub(super) const HELP: &str = "\
Examples:
  arena init
  arena init mine.toml --engine 'python3 bot.py' --engine bot-greedy
  arena init && arena run arena.toml

The file explains every line and can be played as it is. Without --engine it lists the arena's \
bots; with one --engine, that engine and the bots. An engine given by a path or with arguments \
receives the list of legal moves, so it need not know the rules.";

#[derive(Args, Debug)]
pub(super) struct InitArgs {
    /// The file to write; an existing file is not overwritten
    #[arg(default_value = "arena.toml")]
    file: PathBuf,
    /// An engine: a bot's name, or a command line in quotes; may be given several times
    #[arg(long, value_name = "ENGINE")]
    engine: Vec<String>,
}

pub(super) fn init(args: &InitArgs) -> Result<Exit, CliError> {
    let usage = |why: &dyn std::fmt::Display| CliError::new(Exit::Usage, why);
    let mut engines = Vec::new();
    for command in &args.engine {
        engines.push(engine(command).map_err(|why| usage(&why))?);
    }
    // A single engine needs opponents.
    if engines.len() < 2 {
        for bot in ["bot-random", "bot-greedy", "bot-mcts", "bot-alphabeta"] {
            if engines.iter().all(|engine| engine.command != bot) {
                engines.push(EngineConfig::new(bot, bot));
            }
        }
    }
    let here = std::env::current_dir().map_err(|why| usage(&why))?;
    let dir = args.file.parent().filter(|dir| !dir.as_os_str().is_empty());
    let elsewhere = dir.map(dunce::canonicalize).transpose();
    let elsewhere = elsewhere.map_err(|why| cannot_write(&args.file, &why))?;
    if elsewhere.is_some_and(|dir| dir != here) {
        engines.iter_mut().for_each(|engine| keep_working_directory(engine, &here));
    }
    let text = text(&name(&args.file), engines);
    let file = OpenOptions::new().write(true).create_new(true).open(&args.file);
    let written = file.and_then(|mut file| {
        // Half a config is worse than none, and would be in the way of the next attempt.
        let undo = |_: &std::io::Error| drop(std::fs::remove_file(&args.file));
        file.write_all(text.as_bytes()).inspect_err(undo)
    });
    written.map_err(|why| cannot_write(&args.file, &why))?;
    let path = args.file.display();
    print_line(format_args!(
        "wrote {path}\nplay it: arena run {path}\nestimate its games and time: arena plan {path}"
    ));
    Ok(Exit::Done)
}

pub(super) fn cannot_write(path: &Path, why: &std::io::Error) -> CliError {
    let text = format!("cannot write {}: {why}", path.display());
    match why.kind() {
        ErrorKind::AlreadyExists => {
            CliError::with_help(Exit::Usage, text, "choose another name: arena init FILE")
        }
        // A place where nothing can be written, as opposed to a disk that takes no more.
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied => {
            CliError::new(Exit::Usage, text)
        }
        _ => CliError::new(Exit::Storage, text),
    }
}

/// Keeps an engine's working directory where the user named it, although its config lies elsewhere.
pub(super) fn keep_working_directory(engine: &mut EngineConfig, here: &Path) {
    // Bots and programs on PATH do not depend on the directory they start in.
    if is_path(&engine.command) {
        engine.command = here.join(&engine.command).to_string_lossy().into_owned();
    }
    if !engine.args.is_empty() || is_path(&engine.command) {
        engine.dir = Some(here.to_owned());
    }
}

/// Derives a tournament's name from the file name.
pub(super) fn name(file: &Path) -> String {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let plain = |letter: char| {
        if letter.is_ascii_alphanumeric() || "-_+".contains(letter) { letter } else { '-' }
    };
    let name: String = stem.chars().map(plain).collect();
    if name.is_empty() { "arena".to_owned() } else { name }
}

/// The text of the config.
fn text(name: &str, engines: Vec<EngineConfig>) -> String {
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let mut text = format!(
        r#"# A tournament. Play it with `arena run`; preview it with `arena plan`.

name = {}
# title = "Spring cup"      # shown in reports instead of the name; any text on one line
seed = 1                    # determines the openings and the engines' random choices

format = "round-robin"      # all play all; "gauntlet": the first engine plays the others
kinds = ["riatra", "vela"]  # also "session": riatra, and vela until the debt is paid
board = "tsivy"             # 9x5; also "dimy" (5x5), "telo" (3x3), "7x5", "left-right" ...
rounds = 3                  # pairs of games per pairing and kind: same opening, sides swapped
# concurrency = 2           # games at once; default: one per processor core
limit = "50ms"              # per move; also "10s+0.1s", "40/10s", "nodes=10000", "depth=6"
margin = "100ms"            # tolerance before a late move loses on time
# suspend = "never"         # lets engines run while their opponents think; default: "auto"

[openings]
source = "random"           # every game starts with `plies` random moves;
plies = 4                   # also "start", "named", or "file" with path = "..."

# An engine: a bot of the arena by its name, or any program. Paths are relative to this file.
# More keys:
#   options = {{ Hash = 64 }}   values for the options the engine declares
#   limit = "100ms"           its own limit
#   legal_moves = true        for an engine without move rules: it receives the legal moves
"#,
        quoted(name)
    );
    let mut names: Vec<String> = Vec::new();
    for engine in engines {
        let plain = engine_name(&engine);
        let taken = |name: &String| names.contains(name);
        let numbered = (2..).map(|number| format!("{plain}-{number}"));
        let unique = std::iter::once(plain.clone()).chain(numbered).find(|name| !taken(name));
        let name = unique.expect("numbers never end");
        text += &format!(
            "\n[[engine]]\nname = {}\ncommand = {}\n",
            quoted(&name),
            quoted(&engine.command)
        );
        if !engine.args.is_empty() {
            text += &format!("args = {}\n", toml::Value::from(engine.args.clone()));
        }
        if let Some(dir) = &engine.dir {
            text += &format!("dir = {}\n", quoted(&dir.to_string_lossy()));
        }
        if engine.legal_moves {
            text += "legal_moves = true  # remove once the engine knows the rules\n";
        }
        names.push(name);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::config::{Overrides, parse};

    fn engines(commands: &[&str]) -> Vec<EngineConfig> {
        commands.iter().map(|command| engine(command).unwrap()).collect()
    }

    #[test]
    fn init_writes_a_valid_config() {
        let commands =
            ["bot-greedy", "python3 -u 'a b/my \"bot\".py'", "./bot-greedy", "python3 x/greedy.py"];
        let text = text("a-name", engines(&commands));
        let read = parse("a.toml", &text, Path::new("/"), &Overrides::default());
        let tournament = read.unwrap_or_else(|errors| panic!("{errors}\n{text}"));
        let names: Vec<&str> = tournament.engines.iter().map(|engine| &*engine.name).collect();
        assert_eq!(names, ["greedy", "my \"bot\"", "greedy-2", "greedy-3"]);
        assert_eq!(tournament.engines[1].args, ["-u", "a b/my \"bot\".py"]);
        let told: Vec<bool> = tournament.engines.iter().map(|engine| engine.legal_moves).collect();
        assert_eq!(told, [false, true, true, true]);
        assert_eq!(tournament.name, "a-name");
    }

    #[test]
    fn a_file_names_its_tournament() {
        let named = |file: &str| name(Path::new(file));
        assert_eq!(named("mine.toml"), "mine");
        assert_eq!(named("x/my best.v2.toml"), "my-best-v2");
    }

    #[test]
    fn an_engine_stays_where_it_was_named() {
        let mut all = engines(&["bot-greedy", "./mine -v", "python3 bot.py"]);
        all.iter_mut().for_each(|engine| keep_working_directory(engine, Path::new("/here")));
        assert_eq!((&*all[0].command, &all[0].dir), ("bot-greedy", &None));
        assert_eq!((&*all[1].command, &all[1].dir), ("/here/./mine", &Some("/here".into())));
        assert_eq!((&*all[2].command, &all[2].dir), ("python3", &Some("/here".into())));
    }
}
