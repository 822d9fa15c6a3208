//! The programs that a tournament is played with: workers must have the same ones.

use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use fanorona_engine::Launch;
use fanorona_runner::Plan;
use fanorona_tournament::config::IdentityBy;

/// The version of the protocol's messages that the arena speaks to engines.
const PROTOCOL: &str = "ugi 1";

/// The programs of a tournament, and the version of the arena that plays it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineSet {
    /// The version of the arena.
    pub arena: String,
    /// The protocol between arena and engines.
    pub protocol: String,
    /// The engines in the order of the config, then the oracle if there is one.
    pub engines: Vec<EngineFiles>,
}

/// The identity of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFiles {
    /// The engine's name.
    pub name: String,
    /// Its program, then its other files.
    pub files: Vec<FileDigest>,
    /// The nodes of its `bench`, which identify it instead of the files if the config says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
}

/// A file and its digest. Machines may keep it in different places.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileDigest {
    /// The path on the machine that computed the digest.
    pub path: String,
    /// The SHA-256 in hexadecimal; `None` if the file cannot be read.
    pub sha256: Option<String>,
}

impl EngineSet {
    /// The engines of a plan on this machine. Those that are identified by their `bench` run it.
    ///
    /// # Errors
    /// Returns every engine whose `bench` does not work, with the reason.
    pub fn new(plan: &Plan) -> Result<EngineSet, Vec<String>> {
        let (mut engines, mut failures) = (Vec::new(), Vec::new());
        let configs = plan.tournament.engines.iter().chain(&plan.tournament.adjudication.oracle);
        for (config, launch) in configs.zip(&plan.launches) {
            let is_out = plan.missing.iter().any(|(name, _)| *name == config.name);
            let bench = match plan.tournament.identity_of(config) {
                IdentityBy::Bench if !is_out => match bench(launch, &config.args) {
                    Ok(nodes) => Some(nodes),
                    Err(why) => {
                        failures.push(format!("engine `{}`: {why}", config.name));
                        None
                    }
                },
                _ => None,
            };
            let files = launch.identity().files().map(|(path, sha256)| FileDigest {
                path: path.display().to_string(),
                sha256: sha256.map(str::to_owned),
            });
            engines.push(EngineFiles { name: config.name.clone(), files: files.collect(), bench });
        }
        let arena = env!("CARGO_PKG_VERSION").to_owned();
        let set = EngineSet { arena, protocol: PROTOCOL.to_owned(), engines };
        if failures.is_empty() { Ok(set) } else { Err(failures) }
    }

    /// A digest that is equal on machines with the same engines. It is part of subjects.
    pub fn digest(&self) -> String {
        let mut hasher = Sha256::new();
        let mut add = |text: &str| {
            hasher.update((text.len() as u64).to_le_bytes());
            hasher.update(text.as_bytes());
        };
        add(&self.arena);
        add(&self.protocol);
        for engine in &self.engines {
            add(&engine.name);
            match engine.bench {
                Some(nodes) => add(&format!("bench {nodes}")),
                None => engine.files.iter().for_each(|file| add(file.word())),
            }
        }
        hasher.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
    }

    /// Returns the differences of this machine's engines from the tournament's. Those that are
    /// `out` play no games.
    pub fn differences(&self, expected: &EngineSet, out: impl Fn(&str) -> bool) -> Vec<String> {
        let mut found = Vec::new();
        for (what, ours, theirs) in [
            ("arena version", &self.arena, &expected.arena),
            ("protocol", &self.protocol, &expected.protocol),
        ] {
            if ours != theirs {
                found.push(format!("{what} {ours} here, {theirs} at the coordinator"));
            }
        }
        for theirs in expected.engines.iter().filter(|engine| !out(&engine.name)) {
            let Some(ours) = self.engines.iter().find(|engine| engine.name == theirs.name) else {
                found.push(format!("engine `{}` is missing here", theirs.name));
                continue;
            };
            found.extend(ours.difference(theirs));
        }
        found
    }
}

impl EngineFiles {
    fn difference(&self, expected: &EngineFiles) -> Option<String> {
        let name = &self.name;
        match (self.bench, expected.bench) {
            (Some(ours), Some(theirs)) if ours == theirs => return None,
            (Some(ours), Some(theirs)) => {
                return Some(format!(
                    "engine `{name}` searches {ours} nodes in its bench here, {theirs} at the \
                     coordinator"
                ));
            }
            _ => {}
        }
        if self.files.len() != expected.files.len() {
            return Some(format!(
                "engine `{name}` has {} files here, {} at the coordinator",
                self.files.len(),
                expected.files.len()
            ));
        }
        let mut both = self.files.iter().zip(&expected.files);
        let (ours, theirs) = both.find(|(ours, theirs)| ours.sha256 != theirs.sha256)?;
        Some(format!(
            "engine `{name}`: {} has the digest {} here, {} at the coordinator",
            ours.path,
            ours.short(),
            theirs.short()
        ))
    }
}

impl FileDigest {
    fn word(&self) -> &str {
        self.sha256.as_deref().unwrap_or("unreadable")
    }

    /// The first digits, enough to tell files apart.
    fn short(&self) -> &str {
        let word = self.word();
        word.get(..12).unwrap_or(word)
    }
}

/// Runs the `bench` of one of our bots and returns its number of nodes, which is the same wherever
/// the bot behaves the same.
fn bench(launch: &Launch, args: &[String]) -> Result<u64, String> {
    let program = launch.program();
    let shown = program.display();
    let mut running =
        Bench::start(program, args).map_err(|why| format!("{shown} cannot be run: {why}"))?;
    running
        .result()
        .map(|(nodes, _)| nodes)
        .map_err(|why| format!("{shown}: {why}; identity = \"bench\" is for this project's bots"))
}

/// A bot that runs its `bench`.
pub(super) struct Bench(Child);

impl Bench {
    /// Starts a bot and its `bench`, which is a command of the protocol.
    pub(super) fn start(program: &Path, args: &[String]) -> io::Result<Bench> {
        let mut command = Command::new(program);
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn()?;
        let mut input = child.stdin.take().expect("its input is a pipe");
        // A program that does not read has ended, which its output shows.
        let _ = input.write_all(b"bench\nquit\n");
        Ok(Bench(child))
    }

    /// The nodes and the nodes per second, when it has ended.
    pub(super) fn result(&mut self) -> Result<(u64, u64), String> {
        let output = self.0.stdout.take().ok_or("its output is gone")?;
        let (sender, read) = mpsc::channel();
        std::thread::spawn(move || {
            let mut text = String::new();
            let read = output.take(MAX_OUTPUT).read_to_string(&mut text).map(|_| text);
            // After the timeout nobody waits for it.
            let _ = sender.send(read);
        });
        let read = read.recv_timeout(TIMEOUT);
        let _ = self.0.kill();
        let _ = self.0.wait();
        let text = read
            .map_err(|_| format!("its `bench` does not end within {} s", TIMEOUT.as_secs()))?
            .map_err(|why| why.to_string())?;
        result_of_bench(&text).ok_or_else(|| "its `bench` prints no node count".to_owned())
    }
}

/// The longest output of a `bench`.
const MAX_OUTPUT: u64 = 1 << 20;

/// The timeout for a `bench`, which takes some seconds.
const TIMEOUT: Duration = Duration::from_secs(300);

/// The nodes and the nodes per second in the output of a `bench`: the lines `… nodes` and `… nps`.
fn result_of_bench(text: &str) -> Option<(u64, u64)> {
    let number = |unit: &str| {
        let of_line = |line: &str| line.trim().strip_suffix(unit)?.trim().parse().ok();
        text.lines().rev().find_map(of_line)
    };
    Some((number(" nodes")?, number(" nps")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(sha256: &str, bench: Option<u64>) -> EngineSet {
        let file = FileDigest { path: "/x/a".into(), sha256: Some(sha256.into()) };
        EngineSet {
            arena: "1.0".into(),
            protocol: PROTOCOL.into(),
            engines: vec![EngineFiles { name: "a".into(), files: vec![file], bench }],
        }
    }

    #[test]
    fn a_difference_names_the_engine_and_both_digests() {
        let (ours, theirs) = (set("0123456789abcdef", None), set("fedcba9876543210", None));
        assert_eq!(
            ours.differences(&theirs, |_| false),
            ["engine `a`: /x/a has the digest 0123456789ab here, fedcba987654 at the coordinator"]
        );
        assert_ne!(ours.digest(), theirs.digest());
        assert_eq!(ours.differences(&theirs, |name| name == "a"), [""; 0]);
        assert_eq!(ours.differences(&ours, |_| false), [""; 0]);
        let other = EngineSet { arena: "2.0".into(), ..ours.clone() };
        assert_eq!(
            other.differences(&ours, |_| false),
            ["arena version 2.0 here, 1.0 at the coordinator"]
        );
    }

    #[test]
    fn a_bench_ends_with_its_nodes_and_speed() {
        let text = "info string bot 1.0\n3679746 nodes\n2856546 nps\n";
        assert_eq!(result_of_bench(text), Some((3_679_746, 2_856_546)));
        assert_eq!(result_of_bench("usage: bot"), None);
    }

    #[test]
    fn builds_of_the_same_behaviour_are_equal_by_their_bench() {
        let (ours, theirs) = (set("01", Some(7)), set("02", Some(7)));
        assert_eq!(ours.differences(&theirs, |_| false), [""; 0]);
        assert_eq!(ours.digest(), theirs.digest());
        let other = set("01", Some(8));
        let found = other.differences(&theirs, |_| false);
        assert_eq!(found, ["engine `a` searches 8 nodes in its bench here, 7 at the coordinator"]);
    }
}
