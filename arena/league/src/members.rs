//! `members.json`: every version of every bot that was ever added to a league.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::LeagueError;
use fanorona_tournament::config::{EngineConfig, Limit, Memory};
use fanorona_tournament::record::storage::{storage, write_file};
use fanorona_tournament::text::{as_text, input_file};

/// The file's name in a league.
pub const FILE: &str = "members.json";

/// The maximal length of a bot's name, in characters.
const MAX_NAME: usize = 40;

/// All versions, in the order in which they were added.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Members {
    /// The versions.
    pub versions: Vec<Version>,
}

/// One version of a bot. Its files and its command never change: an improved bot is a new version,
/// and the games of the old one stay its own.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Version {
    /// The bot's name.
    pub bot: String,
    /// The version's number, from 1.
    pub version: u32,
    /// The time it was added, in UTC.
    pub added: String,
    /// Its author; empty if unknown.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The program.
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Its directory, relative to the league; `None` for a program that was not copied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Whether it receives the legal moves.
    #[serde(default)]
    pub legal_moves: bool,
    /// The options it is sent.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// Its own thinking limit.
    #[serde(with = "as_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<Limit>,
    /// Its own memory limit.
    #[serde(with = "as_text::optional", default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Memory>,
    /// The digest of its files.
    pub sha256: String,
    /// Why it was not admitted; `None` if it was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused: Option<Refusal>,
    /// The time it was removed, in UTC; `None` if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub removed: Option<String>,
    /// Why its files are not those that were added; `None` if they are, or nobody has looked.
    #[serde(skip)]
    pub changed: Option<String>,
}

/// Why a version was not admitted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Refusal {
    /// In a sentence.
    pub reason: String,
    /// The failed checks in full, with how to fix each.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub details: String,
}

impl Version {
    /// Its name in tournaments. No bot's name has a space, so no two versions share one.
    pub fn engine_name(&self) -> String {
        format!("{} v{}", self.bot, self.version)
    }

    /// Returns the engine by which a tournament of the league starts it.
    pub fn engine(&self) -> EngineConfig {
        EngineConfig {
            family: Some(self.bot.clone()),
            args: self.args.clone(),
            dir: self.dir.clone(),
            legal_moves: self.legal_moves,
            options: self.options.clone().into_iter().collect(),
            limit: self.limit,
            memory: self.memory,
            ..EngineConfig::new(self.engine_name(), &self.command)
        }
    }
}

impl Members {
    /// The members of a league; none before the first is added.
    pub fn read(league: &Path) -> Result<Members, LeagueError> {
        let path = league.join(FILE);
        match input_file::read_to_string(&path) {
            Ok(text) => serde_json::from_str(&text)
                .map_err(|why| LeagueError::Content { path, why: why.to_string() }),
            Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(Members::default()),
            Err(why) => Err(storage("read", &path, why).into()),
        }
    }

    /// Writes the file.
    pub fn write(&self, league: &Path) -> Result<(), LeagueError> {
        let text = serde_json::to_string_pretty(self).expect("members are texts and numbers");
        Ok(write_file(&league.join(FILE), (text + "\n").as_bytes())?)
    }

    /// The number of the next version of a bot.
    pub fn next_version(&self, bot: &str) -> u32 {
        self.of(bot).map(|it| it.version).max().unwrap_or(0) + 1
    }

    /// The versions of a bot, the earliest first.
    pub fn of<'m>(&'m self, bot: &'m str) -> impl DoubleEndedIterator<Item = &'m Version> {
        self.versions.iter().filter(move |it| it.bot == bot)
    }

    /// The names of the bots, in the order in which they joined.
    pub fn bots(&self) -> Vec<&str> {
        let mut bots: Vec<&str> = Vec::new();
        for version in &self.versions {
            if !bots.contains(&&*version.bot) {
                bots.push(&version.bot);
            }
        }
        bots
    }

    /// Removes a bot: none of its versions plays any more. Returns whether one did.
    pub fn remove(&mut self, bot: &str, now: &str) -> Result<bool, LeagueError> {
        if self.of(bot).next().is_none() {
            return Err(LeagueError::Unknown { name: bot.to_owned() });
        }
        let mut any = false;
        for version in self.versions.iter_mut().filter(|it| it.bot == bot && it.removed.is_none()) {
            version.removed = Some(now.to_owned());
            any = true;
        }
        Ok(any)
    }
}

/// Checks a bot's name: it names a directory and a page, too.
pub fn check_name(name: &str) -> Result<(), LeagueError> {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_.".contains(letter);
    let begins = name.starts_with(|letter: char| letter.is_ascii_alphanumeric());
    match begins && name.len() <= MAX_NAME && name.chars().all(plain) {
        true => Ok(()),
        false => Err(LeagueError::Name { name: name.to_owned(), most: MAX_NAME }),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in super::super) fn version(bot: &str, version: u32) -> Version {
        Version {
            bot: bot.to_owned(),
            version,
            added: "2026-01-02T03:04:05Z".to_owned(),
            author: String::new(),
            command: "python3".to_owned(),
            args: vec!["bot.py".to_owned()],
            dir: Some(format!("bots/{bot}/{version}").into()),
            legal_moves: true,
            options: BTreeMap::new(),
            limit: None,
            memory: None,
            sha256: "0".repeat(64),
            refused: None,
            removed: None,
            changed: None,
        }
    }

    #[test]
    fn written_text_is_read_back() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Members::read(dir.path()).unwrap(), Members::default());
        let limited = Version {
            limit: Some("nodes=7".parse().unwrap()),
            memory: Some("512MB".parse().unwrap()),
            refused: Some(Refusal { reason: "why".into(), details: "all".into() }),
            ..version("ada", 2)
        };
        let members = Members { versions: vec![version("ada", 1), limited] };
        members.write(dir.path()).unwrap();
        assert_eq!(Members::read(dir.path()).unwrap(), members);
        std::fs::write(dir.path().join(FILE), "{").unwrap();
        assert!(Members::read(dir.path()).unwrap_err().to_string().contains("members.json: "));
    }

    #[test]
    fn versions_are_told_apart() {
        let mut members = Members { versions: vec![version("ada", 1), version("bea", 1)] };
        assert_eq!((members.next_version("ada"), members.next_version("eva")), (2, 1));
        members.versions.push(version("ada", 2));
        let names: Vec<_> = members.versions.iter().map(Version::engine_name).collect();
        assert_eq!(names, ["ada v1", "bea v1", "ada v2"]);
        assert_eq!(members.bots(), ["ada", "bea"]);
        assert!(members.remove("eva", "now").is_err());
        assert!(members.remove("ada", "now").unwrap() && !members.remove("ada", "now").unwrap());
        assert!(members.of("ada").all(|it| it.removed.is_some()));
        assert!(members.of("bea").all(|it| it.removed.is_none()));
    }

    #[test]
    fn names_are_those_of_directories() {
        for name in ["ada", "Ada-2_b.c", "7"] {
            check_name(name).unwrap();
        }
        for name in ["", "..", ".a", "-a", "a b", "a/b", "ä", &"a".repeat(41)] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }
}
