//! Warnings about engines that are slow to answer `uginewgame`. No clock runs then, so an engine
//! could use it to think. This is not a fault, as clearing a large table takes time.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use crate::record::GameRecord;

/// A slower answer counts as slow. Clearing a gigabyte of memory is faster.
const SLOW: Duration = Duration::from_millis(500);

/// An engine gets no warning before this many slow answers.
const LEAST: u32 = 4;

/// The warning: an engine is often slow to get ready for a game.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SlowToGetReady {
    /// The engine.
    engine: String,
    /// The number of games in which it was slow.
    slow: u32,
    /// The number of games.
    games: u32,
}

impl fmt::Display for SlowToGetReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SlowToGetReady { engine, slow, games } = self;
        let bound = SLOW.as_millis();
        write!(
            f,
            "{engine} took more than {bound} ms to answer `uginewgame` in {slow} of {games} \
             games; no clock runs then, so do only what must wait for a new game"
        )
    }
}

/// The games of each engine so far, and those for which it was slow to get ready.
#[derive(Clone, Default, Debug)]
pub(super) struct Readiness {
    engines: BTreeMap<String, Seen>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Seen {
    games: u32,
    slow: u32,
    warned: bool,
}

impl Readiness {
    /// Adds a game. Returns a warning, once per engine, if the engine was slow in at least half of
    /// its games.
    pub(super) fn add(&mut self, game: &GameRecord) -> Vec<SlowToGetReady> {
        let mut warnings = Vec::new();
        for (engine, ms) in [&game.white, &game.black].into_iter().zip(game.ready_ms) {
            let seen = self.engines.entry(engine.clone()).or_default();
            seen.games += 1;
            seen.slow += u32::from(Duration::from_millis(ms) > SLOW);
            if !seen.warned && seen.slow >= LEAST && seen.slow * 2 >= seen.games {
                seen.warned = true;
                let Seen { games, slow, .. } = *seen;
                warnings.push(SlowToGetReady { engine: engine.clone(), slow, games });
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    fn game(ready_ms: [u64; 2]) -> GameRecord {
        GameRecord { white: "a".into(), black: "b".into(), ready_ms, ..record::example::game("1") }
    }

    #[test]
    fn an_engine_that_is_regularly_slow_is_warned_of_once() {
        let mut readiness = Readiness::default();
        let slow = |readiness: &mut Readiness, ready_ms| readiness.add(&game(ready_ms));
        for _ in 0..3 {
            assert_eq!(slow(&mut readiness, [501, 500]), []);
        }
        let warnings = slow(&mut readiness, [501, 500]);
        let expected = SlowToGetReady { engine: "a".into(), slow: 4, games: 4 };
        assert_eq!(warnings, [expected]);
        assert!(warnings[0].to_string().starts_with("a took more than 500 ms to answer"));
        assert_eq!(slow(&mut readiness, [501, 0]), []);
        // The other engine is slow only now and then.
        for round in 0..40 {
            let ready = if round % 4 == 0 { 900 } else { 20 };
            assert_eq!(slow(&mut readiness, [0, ready]), []);
        }
    }
}
