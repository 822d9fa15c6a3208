//! The games that begin next.

use serde::Serialize;

use super::view::{View, safe};
use fanorona_ratings::kind::Kind;
use fanorona_tournament::pairing::ids::{EngineId, Pairing, PairingId};
use fanorona_tournament::progress::is_finished;

/// The number of games shown.
const MOST: usize = 4;

/// A game, or a session, that has not begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(super) struct NextGame {
    game: String,
    kind: Kind,
    round: u32,
    /// White in a riatra, the debtor in a vela, the first player in a session.
    first: String,
    second: String,
}

/// The next games in the order of the schedule, besides those that are being played; in formats with
/// stages, only those of drawn stages.
pub(super) fn next_games(view: &View<'_>, playing: &[PairingId]) -> Vec<NextGame> {
    let View { tournament, index, progress, .. } = view;
    if progress.is_stopped() {
        return Vec::new();
    }
    let is_open = |pairing: &Pairing| {
        !playing.contains(&pairing.id)
            && !progress.skips(pairing)
            && !is_finished(tournament, pairing, index.of(pairing.id))
    };
    let name = |engine: EngineId| safe(&tournament.engines[engine.0].name);
    let open = progress.schedule().iter().filter(is_open).take(MOST);
    open.map(|pairing| NextGame {
        game: pairing.id.to_string(),
        kind: pairing.kind,
        round: pairing.round,
        first: name(pairing.first),
        second: name(pairing.second),
    })
    .collect()
}
