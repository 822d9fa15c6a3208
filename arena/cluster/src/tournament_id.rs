//! The id of a tournament on the server. It is drawn once and kept in the results directory, so that
//! a resumed tournament finds its jobs and results again; and a secret that no worker knows.

use std::path::Path;

use nkeys::KeyPair;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use fanorona_tournament::pairing::ids::GameId;
use fanorona_tournament::pairing::seeds;
use fanorona_tournament::record::StorageError;
use fanorona_tournament::record::storage::write_file;
use fanorona_tournament::text::input_file;

/// The file's name in a results directory.
const FILE: &str = "cluster.json";

/// A tournament on the server.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TournamentId {
    /// Its id, a part of subjects.
    pub tournament: String,
    /// Draws what workers must not foresee.
    secret: String,
}

/// The tournament in a results directory; a new one if there is none yet.
pub fn of_directory(dir: &Path, name: &str) -> Result<TournamentId, StorageError> {
    let path = dir.join(FILE);
    let known = input_file::read_to_string(&path).ok();
    if let Some(known) = known.and_then(|text| serde_json::from_str(&text).ok()) {
        return Ok(known);
    }
    // The seed of a key pair that is never used is 32 random bytes.
    let secret = KeyPair::new_user().seed().expect("a new key pair has its seed");
    let id = TournamentId { tournament: new_id(name), secret };
    let text = serde_json::to_string(&id).expect("plain data");
    write_file(&path, (text + "\n").as_bytes())?;
    Ok(id)
}

impl TournamentId {
    /// Whether a game belongs to a sample of this share of all games. Nobody who does not know the
    /// secret can tell before.
    pub fn samples(&self, game: GameId, share: f64) -> bool {
        let hash = Sha256::digest(format!("{} {game}", self.secret));
        let (first, _) = hash.split_first_chunk::<8>().expect("a digest has 32 bytes");
        // The share of all numbers below it.
        (u64::from_le_bytes(*first) as f64) < share * 2.0_f64.powi(64)
    }
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
        assert!(id.tournament.starts_with("spring-cup-2026-"), "{id:?}");
        assert_eq!(of_directory(dir.path(), "another name").unwrap(), id);
        let other = tempfile::tempdir().unwrap();
        let other = of_directory(other.path(), "spring cup/2026").unwrap();
        assert!(other.tournament != id.tournament && other.secret != id.secret);
    }

    #[test]
    fn a_sample_has_its_share_of_the_games() {
        let dir = tempfile::tempdir().unwrap();
        let id = of_directory(dir.path(), "cup").unwrap();
        let count = |share| {
            let game = |number: u32| number.to_string().parse().unwrap();
            (1..=10_000).filter(|&number| id.samples(game(number), share)).count()
        };
        assert_eq!((count(0.0), count(1.0)), (0, 10_000));
        // Six standard deviations.
        assert!((116..=284).contains(&count(0.02)), "{}", count(0.02));
    }
}
