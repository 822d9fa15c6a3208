//! Families: moves that lead to the same position.

use std::ops::ControlFlow;

use fanorona_protocol::rules::{Move, Position, Ruleset};

/// The legal moves of a position by the position they lead to, in the order of generation. Captures
/// on different paths often lead to the same position, and then none of them is better.
pub fn families(position: &Position, rules: &Ruleset) -> Vec<(Position, Vec<Move>)> {
    let mut families: Vec<(Position, Vec<Move>)> = Vec::new();
    // The visitor never breaks.
    let _ = position.visit_moves(rules, |mv, effect| {
        let after = position.play_unchecked(effect);
        match families.iter_mut().find(|(other, _)| *other == after) {
            Some((_, moves)) => moves.push(*mv),
            None => families.push((after, vec![*mv])),
        }
        ControlFlow::Continue(())
    });
    families
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_to_the_same_position_are_one_family() {
        let rules = Ruleset::default();
        let start: Position =
            "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w".parse().unwrap();
        assert_eq!(families(&start, &rules).len(), 5);
        let mut position = start;
        let mut merged = 0;
        for _ in 0..12 {
            let found = families(&position, &rules);
            let moves: usize = found.iter().map(|(_, moves)| moves.len()).sum();
            assert_eq!(moves, position.legal_moves(&rules).len());
            for (after, moves) in &found {
                assert!(moves.iter().all(|mv| position.play(&rules, mv).as_ref() == Ok(after)));
            }
            merged += moves - found.len();
            position = found[0].0;
        }
        assert!(merged > 0, "some captures lead to the same position");
    }
}
