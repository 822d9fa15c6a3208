//! Engines that think on their opponents' time, which costs the opponents' speed where processors
//! are shared. No fault, but worth a warning.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use crate::record::GameRecord;

/// Below this nobody is warned of: an engine may put things in order after its turn.
const LEAST: Duration = Duration::from_millis(200);

/// The share of its opponents' time from which on an engine counts as thinking in it.
const SHARE: f64 = 0.1;

/// An engine uses the processor while its opponents think.
#[derive(Clone, PartialEq, Debug)]
pub struct IdleThinking {
    /// The engine.
    pub engine: String,
    /// Processor time it has used in its opponents' moves.
    pub used: Duration,
    /// How long these moves were.
    pub of: Duration,
}

impl fmt::Display for IdleThinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IdleThinking { engine, used, of } = self;
        write!(
            f,
            "{engine} has used {:.1} s of processor time while its opponents were thinking, for \
             {:.1} s: switch its pondering off",
            used.as_secs_f64(),
            of.as_secs_f64(),
        )
    }
}

/// What engines have used of their opponents' time so far.
#[derive(Clone, Default, Debug)]
pub struct IdleThinkers {
    used: BTreeMap<String, (Duration, Duration)>,
    warned: BTreeSet<String>,
}

impl IdleThinkers {
    /// Looks at one more game; gives what is to be warned of, once an engine.
    pub fn seen(&mut self, game: &GameRecord) -> Vec<IdleThinking> {
        let [white, black] = game.idle_cpu_ms;
        let moves = [(&game.white, white, game.black_ms), (&game.black, black, game.white_ms)];
        let mut warnings = Vec::new();
        for (engine, used_ms, of_ms) in moves {
            let (used, of) = self.used.entry(engine.clone()).or_default();
            *used += Duration::from_millis(used_ms);
            *of += Duration::from_millis(of_ms);
            let thinks = *used >= LEAST && used.as_secs_f64() >= SHARE * of.as_secs_f64();
            if thinks && self.warned.insert(engine.clone()) {
                warnings.push(IdleThinking { engine: engine.clone(), used: *used, of: *of });
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record;

    fn game(idle_cpu_ms: [u64; 2], times: [u64; 2]) -> GameRecord {
        let [white_ms, black_ms] = times;
        let (white, black) = ("a".into(), "b".into());
        GameRecord { white, black, white_ms, black_ms, idle_cpu_ms, ..record::tests::game("1") }
    }

    #[test]
    fn an_engine_is_warned_of_once_and_with_reason() {
        let mut thinkers = IdleThinkers::default();
        // Too little to speak of, whatever its share.
        assert_eq!(thinkers.seen(&game([150, 10], [100, 100])), []);
        let [warning] = &thinkers.seen(&game([150, 10], [300, 500]))[..] else { panic!() };
        assert_eq!((&*warning.engine, warning.used.as_millis()), ("a", 300));
        assert_eq!(warning.of.as_millis(), 600);
        assert!(warning.to_string().starts_with("a has used 0.3 s of processor time"));
        assert_eq!(thinkers.seen(&game([900, 10], [100, 100])), []);
        // Much in all, but a small part of long thought.
        assert_eq!(thinkers.seen(&game([0, 400], [9000, 0])), []);
    }
}
