//! Checks what a worker sends: results are data from elsewhere, and count only if the rules and the
//! schedule agree.

use std::num::NonZeroU32;

use fanorona_protocol::rules::{Move, Player, Side};

use fanorona_ratings::kind::Kind;
use fanorona_runner::Missing;
use fanorona_tournament::config::Tournament;
use fanorona_tournament::game::termination::{GameResult, Reason};
use fanorona_tournament::pairing::ids::{EngineId, GameId};
use fanorona_tournament::pairing::openings::{GameKind, Opening, Openings};
use fanorona_tournament::progress;
use fanorona_tournament::record::{GameRecord, replay};

/// Replays a game by the rules. This is the expensive part, and needs no schedule.
pub(super) fn by_the_rules(tournament: &Tournament, game: &GameRecord) -> Result<(), String> {
    let GameRecord { id, start, moves, result, reason, .. } = game;
    replay(&tournament.rules, start, moves, *result, *reason)
        .map_err(|why| format!("game {id}: {why}"))?;
    blame(game).map_err(|why| format!("game {id}: {why}"))
}

/// Checks that the result follows from who was at fault.
fn blame(game: &GameRecord) -> Result<(), String> {
    let offender = match game.offender {
        None => None,
        Some('w') => Some(Side::White),
        Some('b') => Some(Side::Black),
        Some(other) => return Err(format!("`{other}` is not a side")),
    };
    let expected = match (game.reason, offender, game.other_fault) {
        (Reason::Fault(_), Some(_), Some(_)) => GameResult::Void,
        (Reason::Fault(_), Some(offender), None) => GameResult::Won(!offender),
        (Reason::Fault(_), None, _) => return Err("a fault without an engine at fault".to_owned()),
        (Reason::Void, None, None) => GameResult::Void,
        (_, None, None) if game.result == GameResult::Void => {
            return Err("a played game without a result".to_owned());
        }
        (_, None, None) => game.result,
        _ => return Err("an engine at fault without a fault".to_owned()),
    };
    if game.result != expected {
        return Err(format!("the result {} does not follow from the fault", game.result));
    }
    let (plies, book) = (game.plies(), game.book as usize);
    if plies < book || game.times.len() != plies - book || game.scores.len() != plies - book {
        return Err("times or scores do not match the moves".to_owned());
    }
    Ok(())
}

/// The game that a pairing needs next, after the results so far; `None` if there is none.
pub(super) fn expected(
    tournament: &Tournament,
    openings: &Openings,
    missing: &Missing,
    known: Option<&Opening>,
) -> Option<(GameId, [EngineId; 2], Opening)> {
    let Missing { pairing, before, .. } = missing;
    match pairing.kind {
        Kind::Riatra | Kind::Vela => {
            let opening = known.filter(|_| before.is_empty())?.clone();
            let colour = |side| pairing.player(&opening.start, side);
            let players = [colour(Side::White), colour(Side::Black)];
            Some((pairing.game(None), players, opening))
        }
        Kind::Session => {
            let session = progress::session_of(tournament, before.iter().copied())?;
            let next = session.next_game()?;
            let number = NonZeroU32::MIN.saturating_add(before.len() as u32);
            let kind = GameKind::from_session_game(&next);
            let opening = openings.of_session_game(pairing, number.get(), kind);
            let of = |player: Player| progress::player(pairing, player);
            let players = [of(next.player(Side::White)), of(next.player(Side::Black))];
            Some((pairing.game(Some(number)), players, opening))
        }
    }
}

/// Checks that a game is the one that its pairing needs next.
pub(super) fn by_the_schedule(
    tournament: &Tournament,
    openings: &Openings,
    missing: &Missing,
    known: Option<&Opening>,
    game: &GameRecord,
) -> Result<(), String> {
    let pairing = &missing.pairing;
    let Some((id, players, opening)) = expected(tournament, openings, missing, known) else {
        return Err(format!("game {}: pairing {} needs no further game", game.id, pairing.id));
    };
    let [white, black] = players.map(|engine| &*tournament.engines[engine.0].name);
    let in_session = pairing.kind == Kind::Session;
    let vela = opening.start.debtor().is_some();
    let book: Vec<String> = opening.book.iter().map(Move::to_string).collect();
    let begins = game.moves.split(' ').filter(|mv| !mv.is_empty()).take(book.len());
    let adjudicator = match &game.adjudicated_by {
        None => true,
        Some(by) => {
            let oracle = tournament.adjudication.oracle.as_ref();
            by == "score" || oracle.is_some_and(|oracle| oracle.name == *by)
        }
    };
    let wrong = [
        (game.id != id, "number"),
        (game.pair != (!in_session).then_some(pairing.pair.0), "pair"),
        (game.kind != if vela { Kind::Vela } else { Kind::Riatra }, "kind"),
        (game.white != white, "White"),
        (game.black != black, "Black"),
        (game.start != opening.start.to_string(), "start"),
        (game.book as usize != book.len() || !begins.eq(book.iter()), "opening"),
        (!adjudicator, "adjudicated_by"),
    ];
    match wrong.into_iter().find(|(wrong, _)| *wrong) {
        None => Ok(()),
        Some((_, what)) => Err(format!("game {}: `{what}` does not match the schedule", game.id)),
    }
}

/// Whether equal seeds give equal games: no engine plays under a time limit.
pub(super) fn is_timeless(tournament: &Tournament) -> bool {
    !tournament.engines.iter().any(|engine| tournament.limit_of(engine).is_timed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;
    use fanorona_tournament::config::EngineConfig;
    use fanorona_tournament::pairing::ids::{PairId, Pairing, PairingId};

    fn tournament() -> Tournament {
        let engines = ["a", "b"].map(|name| EngineConfig::new(name, "x")).to_vec();
        Tournament::new("t", "", engines)
    }

    fn missing() -> Missing {
        let pairing = Pairing {
            id: PairingId(1),
            pair: PairId(1),
            kind: Kind::Riatra,
            round: 1,
            first: EngineId(0),
            second: EngineId(1),
        };
        Missing { pairing, before: Vec::new(), options: Vec::new() }
    }

    fn game() -> GameRecord {
        let start = Start::TSIVY.riatra();
        let id = "1".parse().unwrap();
        let record = GameRecord::new(id, &start, "0-1".parse().unwrap(), "time".parse().unwrap());
        GameRecord {
            pair: Some(1),
            white: "a".into(),
            black: "b".into(),
            offender: Some('w'),
            moves: "e2e3A".into(),
            book: 1,
            ..record
        }
    }

    fn check(game: &GameRecord) -> Result<(), String> {
        let tournament = tournament();
        let openings = Openings::new(&tournament, "").unwrap();
        let opening =
            Opening { start: Start::TSIVY.riatra(), book: vec!["e2e3A".parse().unwrap()] };
        by_the_rules(&tournament, game)?;
        by_the_schedule(&tournament, &openings, &missing(), Some(&opening), game)
    }

    #[test]
    fn only_the_game_of_the_schedule_counts() {
        assert_eq!(check(&game()), Ok(()));
        for (wrong, why) in [
            (GameRecord { id: "2".parse().unwrap(), ..game() }, "number"),
            (GameRecord { pair: None, ..game() }, "pair"),
            (GameRecord { white: "b".into(), black: "a".into(), ..game() }, "White"),
            (
                GameRecord { book: 0, times: vec![1], scores: vec![String::new()], ..game() },
                "opening",
            ),
            (GameRecord { result: "1-0".parse().unwrap(), ..game() }, "does not follow"),
            (GameRecord { offender: None, ..game() }, "without an engine at fault"),
            (GameRecord { times: vec![1], ..game() }, "times or scores"),
            (GameRecord { moves: "e2e3A e2e3A".into(), ..game() }, "move 2"),
            (GameRecord { adjudicated_by: Some("me".into()), ..game() }, "adjudicated_by"),
        ] {
            let found = check(&wrong).unwrap_err();
            assert!(found.contains(why), "{found}");
        }
    }

    #[test]
    fn clocks_make_games_differ() {
        let mut tournament = tournament();
        tournament.limit = "nodes=10".parse().unwrap();
        assert!(is_timeless(&tournament));
        tournament.engines[1].limit = "30ms".parse().ok();
        assert!(!is_timeless(&tournament));
    }
}
