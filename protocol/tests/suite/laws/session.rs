//! Laws of the traditional contest, which the test derives from the list of its games.

use fanorona_protocol::rules::{NextGame, Player, Session, SessionRules, VelaStarter};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::TestCaseResult;

/// The rules of a session and more results than the session can have games.
pub(crate) type Plan = (SessionRules, VelaStarter, Vec<Option<Player>>);

pub(crate) fn sessions() -> impl Strategy<Value = Plan> {
    let rules = (select(vec![3, 5]), 1..=4u32, 0..=3u32)
        .prop_map(|(sets, vela_attempts, replays)| SessionRules { sets, vela_attempts, replays });
    let starter = select(vec![VelaStarter::Debtor, VelaStarter::Creditor]);
    // Some sessions consist mostly of draws, in others one player wins nearly every game.
    let results = (0..=4u32, 0..=4u32, 0..=4u32).prop_flat_map(|(first, second, draw)| {
        let result = prop_oneof![
            first + 1 => Just(Some(Player::First)),
            second + 1 => Just(Some(Player::Second)),
            draw + 1 => Just(None),
        ];
        vec(result, MOST_GAMES)
    });
    (rules, starter, results)
}

/// The largest number of games: five sets, each with three replays, a decisive riatra and four
/// velas.
const MOST_GAMES: usize = 5 * (3 + 1 + 4);

pub(crate) fn law((rules, starter, results): Plan) -> TestCaseResult {
    let mut session = Session::new(rules, starter);
    let mut played: Vec<(NextGame, Option<Player>)> = Vec::new();
    for winner in results {
        let Some(game) = session.next_game() else { break };
        prop_assert!(!session.is_over() && session.winner().is_none());
        prop_assert_eq!(Some(game), expected_game(rules, starter, &played));
        played.push((game, winner));
        session.record(winner);
        let halves = sets(rules, &played);
        prop_assert_eq!(
            [Player::First, Player::Second].map(|player| session.score().halves(player)),
            halves
        );
        prop_assert!(halves[0] + halves[1] <= 2 * rules.sets);
        let velas = played.iter().filter(|(game, _)| game.debtor.is_some()).count();
        prop_assert_eq!(session.velas() as usize, velas);
    }
    prop_assert!(session.is_over(), "a session ends");
    prop_assert_eq!(expected_game(rules, starter, &played), None);
    let halves = sets(rules, &played);
    let (last, result) = played[played.len() - 1];
    let expected = match last.debtor {
        // The debtor has licked the lakabe and loses, regardless of the sets.
        Some(debtor) => {
            prop_assert_ne!(result, Some(debtor));
            Some(!debtor)
        }
        None if halves[0] == halves[1] => None,
        None => Some(if halves[0] > halves[1] { Player::First } else { Player::Second }),
    };
    prop_assert_eq!(session.winner(), expected);
    let before = (session.score(), session.velas(), session.winner());
    session.record(Some(Player::First));
    prop_assert_eq!((session.score(), session.velas(), session.winner()), before);
    Ok(())
}

/// Returns the number of drawn riatras of the current set.
fn draws(rules: SessionRules, played: &[(NextGame, Option<Player>)]) -> u32 {
    let mut draws = 0;
    for (game, winner) in played {
        if game.debtor.is_none() {
            draws = if winner.is_none() { (draws + 1) % (rules.replays + 1) } else { 0 };
        }
    }
    draws
}

/// Returns the half sets of both players: two for a won riatra, one each for a riatra that is still
/// drawn after all replays.
fn sets(rules: SessionRules, played: &[(NextGame, Option<Player>)]) -> [u32; 2] {
    let mut halves = [0, 0];
    for (index, (game, winner)) in played.iter().enumerate() {
        match winner {
            _ if game.debtor.is_some() => {}
            Some(winner) => halves[*winner as usize] += 2,
            None if draws(rules, &played[..=index]) == 0 => halves = halves.map(|half| half + 1),
            None => {}
        }
    }
    halves
}

/// Returns the next game by the rules page, or `None` if the session is over.
fn expected_game(
    rules: SessionRules,
    starter: VelaStarter,
    played: &[(NextGame, Option<Player>)],
) -> Option<NextGame> {
    let halves = sets(rules, played);
    let counted = (halves[0] + halves[1]) / 2;
    let decided = halves.iter().any(|&half| half > rules.sets) || counted == rules.sets;
    let vela = |debtor: Player| {
        let white = if starter == VelaStarter::Debtor { debtor } else { !debtor };
        Some(NextGame { white, debtor: Some(debtor) })
    };
    // Colours alternate with every counted set and with every replay.
    let swapped = (counted + draws(rules, played)) % 2 == 1;
    let riatra =
        NextGame { white: if swapped { Player::Second } else { Player::First }, debtor: None };
    match played.last() {
        _ if decided => None,
        Some((game, Some(winner))) if game.debtor.is_none() => vela(!*winner),
        Some((game, winner)) if game.debtor.is_some() && *winner != game.debtor => {
            let attempts =
                played.iter().rev().take_while(|(game, _)| game.debtor.is_some()).count();
            if attempts as u32 >= rules.vela_attempts {
                return None;
            }
            game.debtor.and_then(vela)
        }
        _ => Some(riatra),
    }
}
