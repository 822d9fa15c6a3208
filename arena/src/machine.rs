//! `machine.json`: what the engines of a tournament are on this machine and what its openings file
//! says, so that nothing that has been changed since goes on in another's name.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::engine::Enforced;
use crate::record::StorageError;
use crate::results;
use crate::tournament::{Introduction, Plan};

/// The name of the file in a results directory.
const FILE: &str = "machine.json";

/// The programs behind the engines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// The version of the arena.
    arena: String,
    /// What the sandbox of engines holds here; `None` where none has one.
    #[serde(default)]
    sandbox: Option<Enforced>,
    /// The checksum of the file openings come from; `None` where they come from none.
    #[serde(default)]
    openings: Option<String>,
    engines: Vec<Program>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Program {
    name: String,
    program: PathBuf,
    /// Of the program's file; `None` where it cannot be read, or where an older arena wrote this.
    #[serde(default)]
    sha256: Option<String>,
    /// The other files the engine is recognised by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    files: Vec<Recognised>,
    /// The checksum of the program's file that older arenas wrote instead of its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    crc32: Option<String>,
    /// What the engine calls itself.
    identity: String,
    /// What it remarked on the options it was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<String>,
}

/// A file an engine is recognised by.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Recognised {
    file: PathBuf,
    /// `None` where it cannot be read.
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
    /// Whether its file is another one than it was.
    fn differs(&self, old: &Program) -> bool {
        match &old.crc32 {
            // Written before digests were.
            Some(old) => checksum(&self.program).map_or(true, |now| format!("{now:08x}") != *old),
            None => self.sha256 != old.sha256,
        }
    }
}

impl Machine {
    /// The engines of a plan, with what they say of themselves, and what their sandbox holds.
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
                remarks: introduction.remarks.clone(),
            }
        };
        Machine {
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            sandbox,
            openings: plan.openings.checksum().map(|crc32| format!("{crc32:08x}")),
            engines: plan.launches.iter().zip(introductions).map(program).collect(),
        }
    }

    /// Writes the file.
    pub fn write(&self, dir: &Path) -> Result<(), StorageError> {
        let text = serde_json::to_string_pretty(self).expect("names and paths are text") + "\n";
        results::write_file(&dir.join(FILE), text.as_bytes())
    }

    /// Reads the file; `None` when there is none that says anything.
    pub fn read(dir: &Path) -> Option<Machine> {
        serde_json::from_str(&fs::read_to_string(dir.join(FILE)).ok()?).ok()
    }

    /// How the engines and the openings file differ from what they were; where they lie does not
    /// matter.
    pub fn differences(&self, before: &Machine) -> Vec<String> {
        let mut differences = Vec::new();
        if let (Some(openings), Some(old)) = (&self.openings, &before.openings)
            && openings != old
        {
            let what = format!("the openings file has changed (checksum {openings}, not {old})");
            differences.push(what);
        }
        for program in &self.engines {
            let Some(old) = before.engines.iter().find(|old| old.name == program.name) else {
                continue;
            };
            let Program { name, identity, .. } = program;
            if *identity != old.identity {
                let before = &old.identity;
                differences
                    .push(format!("engine `{name}` calls itself `{identity}`, not `{before}`"));
            }
            if program.differs(old) {
                let path = program.program.display();
                differences.push(format!("the program of engine `{name}`, {path}, has changed"));
            }
            // Their order is that of the arguments, and where they lie does not matter.
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
