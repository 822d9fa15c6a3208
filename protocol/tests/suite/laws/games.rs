//! Laws of games: the keys of their positions, and their ends.

use std::collections::HashMap;

use fanorona_protocol::rules::{Game, Move, Position, Side};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

use super::positions::{LongGame, position, ruleset};
use crate::naive;

/// Returns the fields that determine whether positions are equal: stones, side to move and debtor.
fn identity(text: &str) -> String {
    text.split(' ').take(3).collect::<Vec<_>>().join(" ")
}

pub(crate) fn keys(game: Vec<Position>) -> TestCaseResult {
    let mut by_key: HashMap<u64, String> = HashMap::new();
    for now in &game {
        let text = now.to_string();
        prop_assert_eq!(now.key(), now.fresh_key(), "{}", text);
        let same = identity(&text);
        // Counters do not distinguish positions.
        let recounted = position(&format!("{same} 77 55"));
        prop_assert_eq!(&recounted, now);
        prop_assert_eq!(recounted.key(), now.key());
        // Positions that differ in any field are different. Keys could collide, but among so few
        // positions they do not.
        let known = by_key.entry(now.key()).or_insert_with(|| same.clone());
        prop_assert_eq!(&same, known);
        for debtor in [None, Some(Side::White), Some(Side::Black)] {
            let other = now.with_debtor(debtor);
            prop_assert_eq!(other.key(), other.fresh_key());
            prop_assert_eq!(other == *now, other.key() == now.key());
            prop_assert_eq!(other == *now, debtor == now.debtor());
        }
    }
    Ok(())
}

pub(crate) fn endings(((start, choices), rules_text): (LongGame, String)) -> TestCaseResult {
    let rules = ruleset(&rules_text);
    let mut game = Game::new(rules, position(&start));
    let mut texts = vec![start];
    let mut moves: Vec<String> = Vec::new();
    let mut choices = choices.into_iter();
    loop {
        let now = texts[texts.len() - 1].clone();
        prop_assert_eq!(game.position().to_string(), &now[..]);
        prop_assert_eq!(u64::from(game.history().occurrences()), naive::occurrences(&texts));
        prop_assert_eq!(game.history().plies() as usize, texts.len() - 1);
        let ending =
            game.ending().map(|ending| (ending.reason.word(), ending.winner.map(Side::letter)));
        prop_assert_eq!(ending, naive::ending(&texts, &rules_text), "{}", now);
        // Limits end a game but make no move illegal. The game continues, to test more positions.
        let Some((back, choice)) = choices.next() else { break };
        let legal = game.legal_moves();
        if legal.is_empty() {
            break;
        }
        let returning = moves.len().checked_sub(2).and_then(|two_ago| {
            let (from, to) = moves[two_ago].split_at_checked(2)?;
            legal.iter().find(|mv| back && mv.to_string() == format!("{to}{from}"))
        });
        let mv = returning.unwrap_or(&legal[choice as usize % legal.len()]);
        moves.push(mv.to_string());
        texts.push(naive::play(&now, &rules_text, &mv.to_string()).expect("a legal move"));
        game.play(mv).expect("a generated move");
    }
    prop_assert_eq!(game.moves().iter().map(Move::to_string).collect::<Vec<_>>(), moves);
    let positions: Vec<String> =
        game.history().positions().iter().map(Position::to_string).collect();
    prop_assert_eq!(&positions, &texts);
    for text in texts.iter().rev() {
        prop_assert_eq!(&game.position().to_string(), text);
        prop_assert_eq!(game.undo().is_some(), game.history().plies() > 0 || text != &texts[0]);
        if game.history().plies() == 0 {
            break;
        }
    }
    prop_assert_eq!(game.position().to_string(), &texts[0][..]);
    Ok(())
}
