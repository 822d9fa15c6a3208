//! The spool: the games that a worker has played, on its own disk. It is a results directory, so
//! `arena merge` reads it.

use fanorona_tournament::mutex::lock;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard};

use fanorona_tournament::config::Tournament;
use fanorona_tournament::game::termination::GameResult;
use fanorona_tournament::pairing::ids::{GameId, PairingId};
use fanorona_tournament::record::own_file;
use fanorona_tournament::record::storage::storage;
use fanorona_tournament::record::{
    Broken, Contents, GameRecord, Header, Index, Journal, Lock, Reader, Summary, effective_config,
};
use fanorona_tournament::text::input_file;

use super::super::ClusterError;

/// The file with the ids of delivered games. If it is lost, games are delivered again.
const DELIVERED: &str = "delivered.txt";

/// The games that a worker has played in a tournament.
pub struct Spool {
    dir: PathBuf,
    state: Mutex<State>,
}

struct State {
    index: Index,
    delivered: BTreeSet<GameId>,
    file: File,
}

impl Spool {
    /// Opens the spool of a tournament below a directory, or creates it. The journal is for the
    /// writer.
    pub fn open(
        root: &Path,
        id: &str,
        tournament: &Tournament,
        broken: &[(String, String)],
    ) -> Result<(Spool, Journal), ClusterError> {
        let dir = root.join(id);
        fs::create_dir_all(&dir).map_err(|why| storage("create", &dir, why))?;
        let lock = Lock::take(&dir)?;
        let checksum = effective_config::checksum(tournament);
        let (journal, index) = if Journal::path_in(&dir).exists() {
            let (journal, contents) = Journal::open(lock, tournament.names())?;
            let Contents { header, mut index, .. } = contents;
            if header.config != checksum {
                let why = format!("{} holds another tournament of this name", dir.display());
                return Err(ClusterError::Usage(why));
            }
            // A void game may be asked for again.
            index.forget_voids(None);
            (journal, index)
        } else {
            effective_config::write_config(&dir, tournament)?;
            let broken = broken
                .iter()
                .map(|(engine, why)| Broken { engine: engine.clone(), why: why.clone() });
            let header = Header::new(&tournament.name, checksum);
            let header = Header { broken: broken.collect(), ..header };
            (Journal::create(lock, &header)?, Index::new(tournament.names()))
        };
        let path = dir.join(DELIVERED);
        let text = input_file::read_to_string(&path).unwrap_or_default();
        let delivered = text.lines().filter_map(|line| line.parse().ok()).collect();
        let file = own_file::options().create(true).append(true).open(&path);
        let file = file.map_err(|why| storage("open", &path, why))?;
        let state = Mutex::new(State { index, delivered, file });
        Ok((Spool { dir, state }, journal))
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // The state is plain data that every writer leaves complete.
        lock(&self.state)
    }

    /// Adds a game that is in the journal at this offset.
    pub(super) fn add(&self, game: &GameRecord, offset: u64) {
        let mut state = self.state();
        if game.result == GameResult::Void && game.offender.is_none() {
            return;
        }
        state.index.add(game, offset);
    }

    /// The games of a pairing.
    pub(super) fn of(&self, pairing: PairingId) -> Result<Vec<GameRecord>, ClusterError> {
        let offsets: Vec<u64> =
            self.state().index.of(pairing).iter().map(|game| game.offset).collect();
        self.read(&offsets)
    }

    /// The games that have not been delivered, in schedule order.
    pub(super) fn undelivered(&self) -> Result<Vec<GameRecord>, ClusterError> {
        let offsets: Vec<u64> = {
            let State { index, delivered, .. } = &*self.state();
            let is_new = |game: &&Summary| !delivered.contains(&game.id());
            index.games().iter().filter(is_new).map(|game| game.offset).collect()
        };
        self.read(&offsets)
    }

    /// The number of games that have not been delivered.
    pub(super) fn undelivered_count(&self) -> usize {
        let State { index, delivered, .. } = &*self.state();
        index.games().len().saturating_sub(delivered.len())
    }

    fn read(&self, offsets: &[u64]) -> Result<Vec<GameRecord>, ClusterError> {
        if offsets.is_empty() {
            return Ok(Vec::new());
        }
        let mut reader = Reader::open(&self.dir)?;
        let games = offsets.iter().map(|&offset| reader.game(offset));
        Ok(games.collect::<Result<_, _>>()?)
    }

    /// Notes that games have been delivered.
    pub(super) fn delivered(&self, games: impl IntoIterator<Item = GameId>) {
        let mut state = self.state();
        let mut lines = String::new();
        for game in games {
            if state.delivered.insert(game) {
                lines += &format!("{game}\n");
            }
        }
        // If this is lost, the games are delivered again.
        let _ = state.file.write_all(lines.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_tournament::config::EngineConfig;
    use fanorona_tournament::record::example::game;

    #[test]
    fn undelivered_games_survive_a_restart() {
        let root = tempfile::tempdir().unwrap();
        let engines = ["a \"quoted\", name", "b"].map(|name| EngineConfig::new(name, "x"));
        let tournament = Tournament::new("t", "", engines.to_vec());
        let open = || Spool::open(root.path(), "t-1", &tournament, &[]).unwrap();
        let (spool, mut journal) = open();
        for id in ["1", "2", "3.1"] {
            let game = game(id);
            let offset = journal.write(&game).unwrap();
            spool.add(&game, offset);
        }
        spool.delivered(["2".parse().unwrap()]);
        assert_eq!(spool.undelivered_count(), 2);
        drop((spool, journal));
        let (spool, _journal) = open();
        let ids: Vec<_> =
            spool.undelivered().unwrap().iter().map(|game| game.id.to_string()).collect();
        assert_eq!(ids, ["1", "3.1"]);
        assert_eq!(spool.of(PairingId(3)).unwrap(), [game("3.1")]);
        assert_eq!(spool.of(PairingId(7)).unwrap(), []);
        // The lock is that of every results directory.
        let again = Spool::open(root.path(), "t-1", &tournament, &[]);
        assert!(matches!(again, Err(ClusterError::Journal(_))));
    }
}
