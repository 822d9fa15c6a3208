//! Games that arrive again. Under node or depth limits they must be equal to the first copy; if not,
//! something is wrong with an engine or a machine.

use std::io::Write;
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::{Shared, lock};
use fanorona_tournament::record::own_file;
use fanorona_tournament::record::{GameRecord, Reader, RepeatedGame};

/// The file with both records of every game that differs.
const FILE: &str = "alarms.jsonl";

/// The name of the player of a game without a worker.
const COORDINATOR: &str = "the coordinator";

/// The most games that are reported. A worker that repeats itself must not fill the disk.
const MAX_ALARMS: u32 = 100;

#[derive(Serialize)]
struct Alarm<'g> {
    game: String,
    field: &'g str,
    kept: &'g GameRecord,
    received: &'g GameRecord,
    from: &'g str,
}

impl Shared {
    /// Whether a game is in the journal already. If its records differ although they must not, both
    /// are written to a file and the user is warned.
    pub(super) fn is_known(&self, game: &GameRecord, worker: &str) -> bool {
        let Some(offset) = lock(&self.known).get(&game.id).copied() else { return false };
        if self.is_timeless {
            self.compare(game, worker, offset);
        }
        true
    }

    fn compare(&self, game: &GameRecord, worker: &str, offset: u64) {
        let Ok(mut reader) = Reader::open(&self.dir) else { return };
        let Ok(kept) = reader.game(offset) else { return };
        // What is said about a fault can hold a time.
        let field = match is_same_fault(&kept, game) {
            true => (kept.moves != game.moves).then(|| "moves".to_owned()),
            false => kept.difference(game),
        };
        match field {
            None => self.note_equal(&kept, worker),
            Some(field) => self.raise_alarm(&kept, game, worker, field),
        }
    }

    /// Notes that another worker has played the same game, once for each game.
    fn note_equal(&self, kept: &GameRecord, worker: &str) {
        if kept.worker.as_deref() != Some(worker) && lock(&self.compared).insert(kept.id) {
            self.note_comparison(kept, worker, None);
        }
    }

    fn note_comparison(&self, kept: &GameRecord, other: &str, differs: Option<String>) {
        let by = kept.worker.as_deref().unwrap_or(COORDINATOR);
        let (kept, by, other) = (kept.id, by.to_owned(), other.to_owned());
        let comparison = RepeatedGame { game: kept, kept: by, other, differs };
        if let Err(why) = comparison.append(&self.dir) {
            self.warn(why.to_string());
        }
    }

    /// Warns that two records of a game differ, and writes both to a file.
    pub(super) fn raise_alarm(
        &self,
        kept: &GameRecord,
        received: &GameRecord,
        from: &str,
        field: String,
    ) {
        let before = self.alarms.fetch_add(1, Ordering::Relaxed);
        if before == MAX_ALARMS {
            self.warn(format!(
                "{before} games differ from their first copies; no more are reported"
            ));
        }
        if before >= MAX_ALARMS {
            return;
        }
        let by = kept.worker.as_deref().unwrap_or(COORDINATOR);
        let id = kept.id;
        let path = self.dir.join(FILE);
        self.warn(format!(
            "game {id} was played twice and differs in `{field}`: by {by}, which counts, and by \
             {from}; engines must play the same under these limits; both records are in {}",
            path.display()
        ));
        let alarm = Alarm { game: id.to_string(), field: &field, kept, received, from };
        let line = serde_json::to_string(&alarm).expect("records are plain data") + "\n";
        let file = own_file::options().create(true).append(true).open(&path);
        if let Err(why) = file.and_then(|mut file| file.write_all(line.as_bytes())) {
            self.warn(format!("{} cannot be written: {why}", path.display()));
        }
        self.note_comparison(kept, from, Some(field));
    }
}

/// Whether two workers saw the same fault of the same engine.
pub(super) fn is_same_fault(one: &GameRecord, other: &GameRecord) -> bool {
    let fault = |game: &GameRecord| (game.reason, game.offender, game.other_fault);
    one.offender.is_some() && fault(one) == fault(other)
}
