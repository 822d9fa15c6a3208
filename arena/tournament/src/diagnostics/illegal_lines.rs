//! Warnings about engines whose principal variations contain illegal moves. This costs no game, but
//! shows that an engine's idea of the rules, or its hash table, is wrong.

use std::collections::BTreeSet;
use std::fmt;

use crate::record::GameRecord;

/// The warning: an engine reported lines with illegal moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct IllegalLines {
    /// The engine.
    engine: String,
    /// The game in which it did so first.
    game: String,
    /// The number of such lines in that game.
    lines: u32,
}

impl fmt::Display for IllegalLines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IllegalLines { engine, game, lines } = self;
        write!(
            f,
            "{engine} reported illegal moves in its principal variation ({lines} times in game \
             {game}); its moves themselves were legal"
        )
    }
}

/// The engines that have reported illegal lines so far.
#[derive(Clone, Default, Debug)]
pub(super) struct IllegalLineCounts {
    warned: BTreeSet<String>,
}

impl IllegalLineCounts {
    /// Adds a game. Returns new warnings, at most one per engine and tournament.
    pub(super) fn add(&mut self, game: &GameRecord) -> Vec<IllegalLines> {
        let [white, black] = game.illegal_lines;
        let mut warnings = Vec::new();
        for (engine, lines) in [(&game.white, white), (&game.black, black)] {
            if lines > 0 && self.warned.insert(engine.clone()) {
                let game = game.id.to_string();
                warnings.push(IllegalLines { engine: engine.clone(), game, lines });
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::Start;

    #[test]
    fn an_engine_is_named_once() {
        let (result, reason) = ("1-0".parse().unwrap(), "no-move".parse().unwrap());
        let id = "3".parse().unwrap();
        let game = GameRecord {
            white: "a".to_owned(),
            black: "b".to_owned(),
            illegal_lines: [2, 0],
            ..GameRecord::new(id, &Start::TSIVY.riatra(), result, reason)
        };
        let mut counts = IllegalLineCounts::default();
        let warnings = counts.add(&game);
        assert_eq!(warnings.len(), 1);
        let text = warnings[0].to_string();
        assert!(text.starts_with("a reported illegal moves") && text.contains("2 times in game 3"));
        assert!(counts.add(&game).is_empty());
    }
}
