//! The id of a tournament on the server. It is drawn once and kept in the results directory, so that
//! a resumed tournament finds its jobs and results again.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::pairing::seeds;
use crate::record::StorageError;
use crate::record::storage::write_file;
use crate::text::input_file;

/// The file's name in a results directory.
const FILE: &str = "cluster.json";

#[derive(Serialize, Deserialize)]
struct Content {
    tournament: String,
}

/// The id of the tournament in a results directory; a new one if there is none yet.
pub fn of_directory(dir: &Path, name: &str) -> Result<String, StorageError> {
    let path = dir.join(FILE);
    let known = input_file::read_to_string(&path).ok();
    if let Some(known) = known.and_then(|text| serde_json::from_str::<Content>(&text).ok()) {
        return Ok(known.tournament);
    }
    let id = new_id(name);
    let text = serde_json::to_string(&Content { tournament: id.clone() }).expect("plain data");
    write_file(&path, (text + "\n").as_bytes())?;
    Ok(id)
}

/// An id from a tournament's name. Two tournaments of one name at different times or in different
/// processes have different ids.
fn new_id(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter } else { '-' };
    let name: String = name.chars().map(plain).take(24).collect();
    let now = jiff::Timestamp::now().as_nanosecond().to_string();
    let host = nix::unistd::gethostname().unwrap_or_default();
    let labels = [&*now, &std::process::id().to_string(), &host.to_string_lossy()];
    format!("{name}-{:08x}", seeds::derive(0, &labels) as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_keeps_its_id() {
        let dir = tempfile::tempdir().unwrap();
        let id = of_directory(dir.path(), "spring cup/2026").unwrap();
        assert!(id.starts_with("spring-cup-2026-"), "{id}");
        assert_eq!(of_directory(dir.path(), "another name").unwrap(), id);
        let other = tempfile::tempdir().unwrap();
        assert_ne!(of_directory(other.path(), "spring cup/2026").unwrap(), id);
    }
}
