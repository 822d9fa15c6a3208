//! The tournaments of a league, read from their journals.

use std::fs;
use std::path::{Path, PathBuf};

use super::error::LeagueError;
use fanorona_tournament::config::{self, Overrides, Tournament};
use fanorona_tournament::machine::Machine;
use fanorona_tournament::progress::Progress;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::record::{Contents, Index, Journal, effective_config};

/// The directory of a league with its tournaments.
pub const DIR: &str = "tournaments";

/// A tournament of a league, complete or not.
#[derive(Clone, Debug)]
pub struct Played {
    /// Its number, from 1.
    pub number: u32,
    /// Its results directory.
    pub dir: PathBuf,
    /// Its config.
    pub tournament: Tournament,
    /// Its games.
    pub index: Index,
    /// The decisions in it.
    pub progress: Progress,
}

impl Played {
    /// Whether a pairing is left to be played.
    pub fn is_unfinished(&self) -> bool {
        self.progress.missing(&self.tournament, &self.index) > 0
    }

    /// The day on which it began; `None` if unknown.
    pub(crate) fn day(&self) -> Option<String> {
        let machine = Machine::read(&self.dir)?;
        let began = &*machine.runs().first()?.began;
        Some(began.get(..10).unwrap_or(began).to_owned())
    }
}

/// The results directory of a tournament.
pub fn dir_of(league: &Path, number: u32) -> PathBuf {
    league.join(DIR).join(format!("{number:03}"))
}

/// All tournaments of a league, the earliest first.
pub fn read(league: &Path) -> Result<Vec<Played>, LeagueError> {
    let mut all = Vec::new();
    for (number, dir) in directories(league)? {
        let tournament = config::load(&dir.join(effective_config::CONFIG), &Overrides::default())?;
        let Contents { header, index, .. } = Journal::read(&dir, tournament.names())?;
        let mut progress = Progress::from_journal(&tournament, &header);
        progress.advance(&tournament, &index);
        all.push(Played { number, dir, tournament, index, progress });
    }
    Ok(all)
}

/// The directories with a journal, by number. A directory without one has no game in it: the arena
/// was killed before it wrote the first line.
fn directories(league: &Path) -> Result<Vec<(u32, PathBuf)>, LeagueError> {
    let dir = league.join(DIR);
    let entries = match fs::read_dir(&dir) {
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|why| storage("read", &dir, why))?,
    };
    let mut found = Vec::new();
    for entry in entries {
        let path = entry.map_err(|why| storage("read", &dir, why))?.path();
        let number = path.file_name().and_then(|name| name.to_str()?.parse().ok());
        found.extend(
            number.filter(|_| Journal::path_in(&path).exists()).map(|number| (number, path)),
        );
    }
    found.sort();
    Ok(found)
}
