//! The accuracy of engines by the judgement of an analysing engine.

use std::collections::{BTreeMap, BTreeSet};

use fanorona_ratings::Scope;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::analysis::SideAnalysis;
use fanorona_tournament::analysis::file::Stored;
use fanorona_tournament::record::GameRecord;

/// The judged moves of one engine.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Judgement {
    /// Its analysed games.
    pub games: u64,
    /// Its judged moves in them.
    pub moves: SideAnalysis,
}

impl Judgement {
    /// A number of moves per game.
    pub fn per_game(&self, count: u64) -> Option<f64> {
        (self.games > 0).then(|| count as f64 / self.games as f64)
    }
}

/// The judged moves of all engines.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct EngineAccuracy {
    /// The number of analysed games.
    pub games: u64,
    /// The analysing engines with their limits.
    pub analysts: BTreeSet<String>,
    engines: BTreeMap<(String, Kind), Judgement>,
}

impl EngineAccuracy {
    /// Adds an analysed game.
    pub fn add(&mut self, game: &GameRecord, stored: &Stored) {
        self.games += 1;
        self.analysts.insert(format!("{} ({})", stored.engine, stored.limit));
        let kind = if game.id.of_session.is_some() { Kind::Session } else { game.kind };
        for (name, side) in [&game.white, &game.black].into_iter().zip(stored.sides()) {
            let judged = self.engines.entry((name.clone(), kind)).or_default();
            judged.games += 1;
            judged.moves.merge(&side);
        }
    }

    /// An engine's judged moves in a scope. Games of a session count for the session. `None` if no
    /// game has been analysed.
    pub fn of(&self, engine: &str, scope: Scope) -> Option<Judgement> {
        let mut sum = Judgement::default();
        for ((name, kind), judged) in &self.engines {
            if name == engine && scope.holds(*kind) {
                sum.games += judged.games;
                sum.moves.merge(&judged.moves);
            }
        }
        (self.games > 0).then_some(sum)
    }
}
