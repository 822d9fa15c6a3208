//! `league.toml`: the settings of a league's games. It is a config of a tournament without engines,
//! read by the same reader.

use std::path::{Path, PathBuf};

use super::error::LeagueError;
use fanorona_tournament::config::{Format, LoadError, Overrides, Tournament, parse};
use fanorona_tournament::text::input_file;

/// The file's name in a league.
pub const FILE: &str = "league.toml";

/// The settings of a new league.
pub fn template(name: &str) -> String {
    let name = toml::Value::from(name);
    format!(
        r#"# The settings of a league. `arena league DIR add` adds bots; they do not stand here.

name = {name}
# title = "Fanorona, spring"  # shown on the pages instead of the name; any text on one line
seed = 1                      # determines the openings and the bots' random choices

kinds = ["riatra", "vela"]    # also "session"
rounds = 1                    # pairs of games between every two bots in each kind: 2 games each,
                              # the same opening with sides swapped. A larger number plays on.
limit = "100ms"               # per move; also "10s+0.1s", "40/10s", "nodes=10000", "depth=6"
margin = "100ms"              # tolerance before a late move loses on time
start_timeout = "10s"         # until a bot answers after its start, also at the door
# concurrency = 2             # games at once; default: one per processor core

memory = "512MB"              # a bot that uses more is stopped and loses the game
max_processes = 64            # processes and threads of a bot
disk = "100MB"                # what a bot may write, into a directory of its own
sandbox = "auto"              # no writes elsewhere, no network, no signals to others

[openings]
source = "random"             # every game starts with `plies` random moves
plies = 4
"#
    )
}

/// Whether a directory is a league.
pub fn is_league(dir: &Path) -> bool {
    dir.join(FILE).is_file()
}

/// Reads the settings: a round-robin without engines, which continues without broken ones.
pub fn read(dir: &Path) -> Result<Tournament, LeagueError> {
    let path = dir.join(FILE);
    if !path.is_file() {
        return Err(LeagueError::NotALeague { dir: dir.to_owned() });
    }
    let unreadable = |source| LoadError::Unreadable { path: path.clone(), source };
    let text = input_file::read_to_string(&path).map_err(unreadable)?;
    let base = dunce::canonicalize(dir).map_err(unreadable)?;
    settings(&path, &text, &base)
}

fn settings(path: &Path, text: &str, base: &Path) -> Result<Tournament, LeagueError> {
    // The reader of configs asks for two engines.
    let text = format!("{text}\n{PLACEHOLDERS}");
    let name = path.to_string_lossy();
    let read = parse(&name, &text, base, &Overrides::default()).map_err(LoadError::Wrong)?;
    let refused = |why| Err(LeagueError::Settings { path: PathBuf::from(path), why });
    if read.engines.len() != 2 {
        return refused("bots do not stand in the settings: add them with `arena league DIR add`");
    }
    if read.format != Format::RoundRobin || read.sprt.is_some() {
        return refused("a league is a round-robin: remove `format` and [sprt]");
    }
    Ok(Tournament { engines: Vec::new(), skip_broken: true, ..read })
}

const PLACEHOLDERS: &str = "[[engine]]\nname = \"league 1\"\ncommand = \"bot\"\n\
                            [[engine]]\nname = \"league 2\"\ncommand = \"bot\"\n";

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Tournament, String> {
        settings(Path::new("league.toml"), text, Path::new("/l")).map_err(|why| why.to_string())
    }

    #[test]
    fn the_template_is_a_league() {
        let read = read(&template("a \"b\"")).unwrap_err();
        assert!(read.contains("name"), "names of leagues are those of tournaments: {read}");
        let read = self::read(&template("spring")).unwrap();
        assert_eq!((read.name.as_str(), read.engines.len(), read.skip_broken), ("spring", 0, true));
        assert_eq!(read.memory.to_string(), "512MB");
    }

    #[test]
    fn keys_that_no_league_has_are_refused() {
        for (more, part) in [
            ("format = \"swiss\"", "round-robin"),
            ("[[engine]]\nname = \"a\"\ncommand = \"b\"", "league DIR add"),
            ("round = 3", "round"),
        ] {
            let why = read(&format!("name = \"x\"\n{more}\n")).unwrap_err();
            assert!(why.contains(part), "{why}");
        }
        let dir = tempfile::tempdir().unwrap();
        assert!(super::read(dir.path()).unwrap_err().to_string().contains("is not a league"));
        assert!(!is_league(dir.path()));
    }
}
