//! `machine.json`: which engine programs and which openings file a tournament uses on this machine.
//! A resume compares them, so that changed programs do not play under an old name.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::runner::{Introduction, Plan};
use super::runs::{Computer, Run};
use crate::engine::Enforced;
use crate::record::StorageError;
use crate::record::storage::write_file;
use crate::text::input_file;

/// The file's name in a results directory.
const FILE: &str = "machine.json";

/// The engines' programs, the sandbox and the runs of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The version of the arena.
    arena: String,
    /// What the sandbox enforces here; `None` if no engine has one.
    #[serde(default)]
    sandbox: Option<Enforced>,
    /// The engine limits that the kernel enforces itself, as controllers of a control group.
    #[serde(default)]
    held_by_kernel: Vec<String>,
    /// The checksum of the openings file, if there is one.
    #[serde(default)]
    openings: Option<String>,
    engines: Vec<Program>,
    /// The times and computers of the runs; empty in files of older arenas.
    #[serde(default)]
    runs: Vec<Run>,
}

/// The program of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The engine's name in results.
    pub name: String,
    /// The program's file.
    pub program: PathBuf,
    /// The digest of that file; `None` if it cannot be read, or in files of older arenas.
    #[serde(default)]
    pub sha256: Option<String>,
    /// Other files that identify the engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<Recognised>,
    /// The checksum that older arenas wrote instead of the digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crc32: Option<String>,
    /// The name the engine gives itself.
    pub identity: String,
    /// The author the engine gives; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The engine's remarks on the options it was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
}

/// A file that identifies an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Recognised {
    file: PathBuf,
    /// `None` if the file cannot be read.
    sha256: Option<String>,
}

/// The checksum of a file, which may be larger than memory.
fn checksum(path: &Path) -> io::Result<u32> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    let mut hasher = crc32fast::Hasher::new();
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(hasher.finalize());
        }
        hasher.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}

impl Program {
    /// The digest of the program's file, or the checksum of an older arena.
    pub fn checksum(&self) -> Option<&str> {
        self.sha256.as_deref().or(self.crc32.as_deref())
    }

    /// Whether the program's file has changed.
    fn differs(&self, old: &Program) -> bool {
        match &old.crc32 {
            // Files of older arenas have a checksum instead of a digest.
            Some(_) if self.crc32.is_some() => self.crc32 != old.crc32,
            Some(old) => checksum(&self.program).map_or(true, |now| format!("{now:08x}") != *old),
            None => self.sha256 != old.sha256,
        }
    }
}

impl Machine {
    /// The engines of a plan with what they report about themselves, and what the sandbox enforces.
    pub fn new(plan: &Plan, introductions: &[Introduction], sandbox: Option<Enforced>) -> Machine {
        let program = |(launch, introduction): (&crate::engine::Launch, &Introduction)| {
            let mut files = launch.identity().files().map(|(file, sha256)| Recognised {
                file: file.to_owned(),
                sha256: sha256.map(str::to_owned),
            });
            Program {
                name: launch.name.clone(),
                program: launch.program().to_owned(),
                sha256: files.next().and_then(|program| program.sha256),
                files: files.collect(),
                crc32: None,
                identity: introduction.identity.clone(),
                author: introduction.author.clone(),
                remarks: introduction.remarks.clone(),
            }
        };
        Machine {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            sandbox,
            held_by_kernel: plan
                .supervisors
                .controllers()
                .iter()
                .map(|&name| name.into())
                .collect(),
            openings: plan.openings.checksum().map(|crc32| format!("{crc32:08x}")),
            engines: plan.launches.iter().zip(introductions).map(program).collect(),
            runs: vec![Run::begin()],
        }
    }

    /// The engines' programs in the order of the config, then the program of the adjudicating
    /// oracle.
    pub fn programs(&self) -> &[Program] {
        &self.engines
    }

    /// The times and computers of the tournament's runs, earliest first.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Prepends the runs of an earlier file. A file of an older arena has no runs: its run is added
    /// without times.
    pub fn after(mut self, before: &Machine) -> Machine {
        let unknown = Run {
            began: None,
            ended: None,
            arena: before.arena.clone(),
            computer: Computer::default(),
        };
        let mut runs = if before.runs.is_empty() { vec![unknown] } else { before.runs.clone() };
        runs.append(&mut self.runs);
        Machine { runs, ..self }
    }

    /// Adds the runs of another shard.
    pub fn merged(mut self, other: &Machine) -> Machine {
        let new = other.runs.iter().filter(|run| !self.runs.contains(run));
        self.runs.extend(new.cloned().collect::<Vec<_>>());
        self.runs.sort_by(|one, other| one.began.cmp(&other.began));
        self
    }

    /// Sets the end time of the last run in a directory's file. A later run in which no game was
    /// played is removed, as no game belongs to it.
    pub fn end(dir: &Path, has_played: bool) -> Result<(), StorageError> {
        let Some(mut machine) = Machine::read(dir) else { return Ok(()) };
        match machine.runs.len() {
            2.. if !has_played => drop(machine.runs.pop()),
            _ => machine.runs.last_mut().into_iter().for_each(Run::end),
        }
        machine.write(dir)
    }

    /// Writes the file.
    pub fn write(&self, dir: &Path) -> Result<(), StorageError> {
        let text = serde_json::to_string_pretty(self).expect("names and paths are text") + "\n";
        write_file(&dir.join(FILE), text.as_bytes())
    }

    /// Reads the file; `None` if it is missing or unreadable.
    pub fn read(dir: &Path) -> Option<Machine> {
        serde_json::from_str(&input_file::read_to_string(&dir.join(FILE)).ok()?).ok()
    }

    /// What has changed in the engines and the openings file. Paths are not compared.
    pub fn differences(&self, before: &Machine) -> Vec<String> {
        let mut differences = Vec::new();
        if let (Some(openings), Some(old)) = (&self.openings, &before.openings)
            && openings != old
        {
            let what =
                format!("the openings file has changed (checksum {openings}, expected {old})");
            differences.push(what);
        }
        for program in &self.engines {
            let Some(old) = before.engines.iter().find(|old| old.name == program.name) else {
                continue;
            };
            let Program { name, identity, .. } = program;
            if *identity != old.identity {
                let before = &old.identity;
                differences.push(format!(
                    "engine `{name}` reports the name `{identity}` instead of `{before}`"
                ));
            }
            if program.differs(old) {
                let path = program.program.display();
                differences.push(format!("the program of engine `{name}`, {path}, has changed"));
            }
            // The files are in the order of the arguments. Their paths are not compared.
            for (file, old) in program.files.iter().zip(&old.files) {
                if file.sha256 != old.sha256 {
                    let path = file.file.display();
                    differences.push(format!("{path}, a file of engine `{name}`, has changed"));
                }
            }
        }
        differences
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A file of an arena that kept neither runs nor authors.
    const OLD: &str = r#"{"arena": "0.1.0", "engines": [
        {"name": "a", "program": "/x/a", "crc32": "01234567", "identity": "A 1"}]}"#;

    fn run(began: &str) -> Run {
        Run { began: Some(began.to_owned()), ..Run::begin() }
    }

    #[test]
    fn a_file_of_an_older_arena_is_read_and_gone_on_with() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(FILE), OLD).unwrap();
        let old = Machine::read(dir.path()).unwrap();
        assert_eq!((old.programs()[0].identity.as_str(), old.runs()), ("A 1", &[][..]));
        let now = Machine { runs: vec![run("2026-01-02T03:04:05Z")], ..old.clone() };
        assert_eq!(now.differences(&old), [] as [String; 0]);
        let after = now.after(&old);
        let began: Vec<_> = after.runs().iter().map(|run| run.began.as_deref()).collect();
        assert_eq!(began, [None, Some("2026-01-02T03:04:05Z")]);
        // A further run is appended, and removed if it played no game.
        let again = Machine { runs: vec![run("2027")], ..after.clone() }.after(&after);
        assert_eq!(again.runs().len(), 3);
        again.write(dir.path()).unwrap();
        Machine::end(dir.path(), false).unwrap();
        assert_eq!(Machine::read(dir.path()).unwrap(), after);
        Machine::end(dir.path(), true).unwrap();
        let ended = Machine::read(dir.path()).unwrap();
        assert!(ended.runs()[0].ended.is_none() && ended.runs()[1].ended.is_some());
    }

    #[test]
    fn parts_of_a_tournament_keep_the_runs_of_all() {
        let old: Machine = serde_json::from_str(OLD).unwrap();
        let part = |began| Machine { runs: vec![run(began)], ..old.clone() };
        let merged = part("2026-02").merged(&part("2026-01")).merged(&part("2026-02"));
        let began: Vec<_> = merged.runs().iter().map(|run| run.began.clone().unwrap()).collect();
        assert_eq!(began, ["2026-01", "2026-02"]);
    }
}
