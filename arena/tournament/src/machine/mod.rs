//! `machine.json`: which engine programs and which openings file a tournament uses on this machine.
//! A resume compares them, so that changed programs do not play under an old name.

pub mod enforced;
pub mod runs;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::machine::enforced::Enforced;
use crate::machine::runs::Run;
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
    /// The setting of the last run.
    #[serde(flatten)]
    setting: Setting,
    engines: Vec<Program>,
    /// The times and computers of the runs.
    runs: Vec<Run>,
}

/// The setting of a run besides the engines' programs.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Setting {
    /// The restrictions that the sandbox enforces here; `None` if no engine has one.
    pub sandbox: Option<Enforced>,
    /// The engine limits that the kernel enforces itself, as controllers of a control group.
    pub held_by_kernel: Vec<String>,
    /// The checksum of the openings file, if there is one.
    pub openings: Option<String>,
}

/// The program of an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The engine's name in results.
    pub name: String,
    /// The program's file.
    pub program: PathBuf,
    /// The digest of that file; `None` if it cannot be read.
    pub sha256: Option<String>,
    /// Other files that identify the engine.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<ProgramFile>,
    /// The name the engine gives itself.
    pub identity: String,
    /// The author the engine gives; empty if none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// The engine's remarks on the options it was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
}

/// A file that identifies an engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramFile {
    /// Its path.
    pub file: PathBuf,
    /// Its digest; `None` if it cannot be read.
    pub sha256: Option<String>,
}

impl Program {
    /// Whether the files of another program are known to be the same. Paths are not compared.
    pub fn has_same_files(&self, other: &Program) -> bool {
        let same = |one: &Option<String>, other: &Option<String>| one.is_some() && one == other;
        let files = || self.files.iter().zip(&other.files);
        same(&self.sha256, &other.sha256)
            && self.files.len() == other.files.len()
            && files().all(|(one, other)| same(&one.sha256, &other.sha256))
    }
}

impl Machine {
    /// The machine of a run that begins now.
    pub fn new(engines: Vec<Program>, setting: Setting, run: Run) -> Machine {
        let arena = env!("CARGO_PKG_VERSION").to_owned();
        Machine { arena, setting, engines, runs: vec![run] }
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

    /// Prepends the runs of an earlier file.
    pub fn after(mut self, before: &Machine) -> Machine {
        self.runs.splice(0..0, before.runs.iter().cloned());
        self
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

    /// Returns the changes in the engines and the openings file. Paths are not compared.
    pub fn differences(&self, before: &Machine) -> Vec<String> {
        let mut differences = Vec::new();
        if let (Some(openings), Some(old)) = (&self.setting.openings, &before.setting.openings)
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
            if program.sha256 != old.sha256 {
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
    use super::*;

    const ONE_RUN: &str = r#"{"arena": "0.1.0", "sandbox": null, "held_by_kernel": [], "openings": null,
        "engines": [{"name": "a", "program": "/x/a", "sha256": "01234567", "identity": "A 1"}],
        "runs": []}"#;

    fn machine(began: &str) -> Machine {
        let run = Run { began: began.to_owned(), ..Run::begin(None) };
        Machine { runs: vec![run], ..serde_json::from_str(ONE_RUN).unwrap() }
    }

    #[test]
    fn a_resumed_run_follows_the_earlier_ones() {
        let dir = tempfile::tempdir().unwrap();
        let first = machine("2026-01-02T03:04:05Z");
        first.write(dir.path()).unwrap();
        assert_eq!(Machine::read(dir.path()).unwrap(), first);
        let both = machine("2027").after(&first);
        assert_eq!(both.differences(&first), [] as [String; 0]);
        let began: Vec<_> = both.runs().iter().map(|run| &*run.began).collect();
        assert_eq!(began, ["2026-01-02T03:04:05Z", "2027"]);
        // A run that played no game is removed.
        both.write(dir.path()).unwrap();
        Machine::end(dir.path(), false).unwrap();
        assert_eq!(Machine::read(dir.path()).unwrap(), first);
        Machine::end(dir.path(), true).unwrap();
        assert!(Machine::read(dir.path()).unwrap().runs()[0].ended.is_some());
    }

    #[test]
    fn parts_of_a_tournament_keep_the_runs_of_all() {
        let merged = machine("2026-02").merged(&machine("2026-01")).merged(&machine("2026-02"));
        let began: Vec<_> = merged.runs().iter().map(|run| &*run.began).collect();
        assert_eq!(began, ["2026-01", "2026-02"]);
    }
}
