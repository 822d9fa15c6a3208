//! The finished sessions of a tournament as rows.

use fanorona_protocol::rules::Player;

use super::rows::SessionRow;
use fanorona_ratings::kind::Kind;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::pairing::ids::EngineId;
use fanorona_tournament::pairing::schedule::Schedule;
use fanorona_tournament::progress::{self, Progress};
use fanorona_tournament::record::{Index, Summary};

/// The finished sessions that count.
pub fn sessions(
    tournament: &Tournament,
    index: &Index,
    progress: &Progress,
) -> impl Iterator<Item = SessionRow> {
    let of_session = |games: &&[Summary]| {
        games[0].id().of_session.is_some() && games.iter().all(|game| progress.counts(game))
    };
    let sessions = index.games().chunk_by(|a, b| a.id().pairing == b.id().pairing);
    sessions.filter(of_session).filter_map(|games| session(tournament, progress.schedule(), games))
}

/// The row of a finished session.
fn session(tournament: &Tournament, schedule: &Schedule, games: &[Summary]) -> Option<SessionRow> {
    let pairing = schedule.get(games[0].id().pairing)?;
    debug_assert_eq!(pairing.kind, Kind::Session);
    let name = |engine: EngineId| tournament.engines[engine.0].name.clone();
    let row = |result: &str, sets: [String; 3], velas| {
        let [sets, first_sets, second_sets] = sets;
        SessionRow {
            session: pairing.id.0,
            pair: Some(pairing.pair.0),
            first: name(pairing.first),
            second: name(pairing.second),
            result: result.to_owned(),
            sets,
            first_sets,
            second_sets,
            velas,
            games: games.len(),
        }
    };
    match progress::session_of(tournament, games.iter().map(|game| game.result)) {
        Some(session) if session.is_over() => {
            let result = match session.winner() {
                Some(Player::First) => "1-0",
                Some(Player::Second) => "0-1",
                None => "1/2-1/2",
            };
            let score = session.score();
            let sets = |player| (f64::from(score.halves(player)) / 2.0).to_string();
            let sets = [score.to_string(), sets(Player::First), sets(Player::Second)];
            Some(row(result, sets, session.velas()))
        }
        Some(_) => None,
        None => Some(row("*", Default::default(), 0)),
    }
}
