//! Families: moves that lead to the same position.

use std::ops::ControlFlow;

use fanorona_protocol::rules::{Move, Position, Ruleset};

/// The legal moves of a position by the position they lead to, in the order of generation. Captures
/// on different paths often lead to the same position, and then none of them is better.
pub fn families(position: &Position, rules: &Ruleset) -> Vec<(Position, Vec<Move>)> {
    let mut families: Vec<(Position, Vec<Move>)> = Vec::new();
    // The visitor never breaks.
    let _ = position.visit_moves(rules, |mv, effect| {
        let after = position.apply_unchecked(effect);
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
        // The same points, but approach and withdrawal exchanged.
        let position: Position =
            "bbbbbb2b/bbb1bW2b/bW3b2W/WWW1W3W/WW1WWW2W b - 0 3".parse().unwrap();
        let found = families(&position, &rules);
        let moves: usize = found.iter().map(|(_, moves)| moves.len()).sum();
        assert_eq!(moves, position.legal_moves(&rules).len());
        for (after, moves) in &found {
            assert!(moves.iter().all(|mv| position.play(&rules, mv).as_ref() == Ok(after)));
        }
        let twins = found.iter().find(|(_, moves)| moves.len() > 1).map(|(_, moves)| moves);
        let twins: Vec<String> = twins.unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(twins, ["f3f2Ag3Wh2Wg1Wh1A", "f3f2Wg3Wh2Ag1Wh1W"]);
        assert_eq!(found.len(), moves - 1);
    }
}
