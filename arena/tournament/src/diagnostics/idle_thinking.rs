//! Warnings about engines that use the processor during their opponents' turns. This is not a
//! fault, but it slows the opponents down if processors are shared.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use crate::config::Tournament;
use crate::record::GameRecord;

/// Below this for each game at once, of either time, there is no warning: an engine may clean up after
/// its move, and every process of it may prepare something once, as ours do with small endgame tables.
const LEAST: Duration = Duration::from_millis(200);

/// An engine gets a warning if it uses this share of its opponents' time. Runtimes with a compiler or
/// a collector of garbage use some of it without thinking.
const SHARE: f64 = 0.5;

/// The warning: an engine uses the processor while its opponents think.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct IdleThinking {
    /// The engine.
    engine: String,
    /// The processor time it used during its opponents' moves.
    used: Duration,
    /// The duration of those moves.
    of: Duration,
    remedy: Remedy,
}

/// What can be done about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Remedy {
    /// The engine is suspended, and something goes on nevertheless.
    StartNothing,
    /// The arena can suspend it under this time limit.
    Suspend,
    /// The engine has to rest by itself, without a time limit.
    TurnOff,
}

impl Remedy {
    fn in_words(self) -> &'static str {
        match self {
            Remedy::StartNothing => {
                "although the arena suspends it: processes that it started go on after its move; end \
                 them before `bestmove`"
            }
            Remedy::Suspend => {
                "it ponders, or its runtime compiles, collects garbage or runs background threads; \
                 turn that off, or let the arena suspend it (`suspend = \"always\"`)"
            }
            Remedy::TurnOff => {
                "it ponders, or its runtime compiles, collects garbage or runs background threads; \
                 turn that off (the arena suspends engines only under a time limit)"
            }
        }
    }
}

impl fmt::Display for IdleThinking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let IdleThinking { engine, used, of, remedy } = self;
        write!(
            f,
            "{engine} used {:.1} s of processor time during {:.1} s of its opponents' thinking \
             time, which slows them down where they share processors{} {}",
            used.as_secs_f64(),
            of.as_secs_f64(),
            if *remedy == Remedy::StartNothing { "," } else { ":" },
            remedy.in_words(),
        )
    }
}

/// The processor time that engines used during their opponents' moves so far.
#[derive(Clone, Debug)]
pub(super) struct IdleThinkers {
    /// The processor time below which an engine gets no warning.
    least: Duration,
    remedies: BTreeMap<String, Remedy>,
    used: BTreeMap<String, (Duration, Duration)>,
    warned: BTreeSet<String>,
}

impl IdleThinkers {
    /// For a tournament that plays this many games at once, each with a process of the engine.
    pub(super) fn new(tournament: &Tournament, games_at_once: usize) -> IdleThinkers {
        let least = LEAST * u32::try_from(games_at_once.max(1)).unwrap_or(u32::MAX);
        let remedy = |engine| match (tournament.suspends(engine), tournament.is_timed()) {
            (true, _) => Remedy::StartNothing,
            (false, true) => Remedy::Suspend,
            (false, false) => Remedy::TurnOff,
        };
        let remedies = tournament.engines.iter().map(|it| (it.name.clone(), remedy(it))).collect();
        IdleThinkers { least, remedies, used: BTreeMap::new(), warned: BTreeSet::new() }
    }

    /// Adds a game. Returns new warnings, at most one per engine and tournament.
    pub(super) fn add(&mut self, game: &GameRecord) -> Vec<IdleThinking> {
        let [white, black] = game.idle_cpu_ms;
        let moves = [(&game.white, white, game.black_ms), (&game.black, black, game.white_ms)];
        let mut warnings = Vec::new();
        for (engine, used_ms, of_ms) in moves {
            let (used, of) = self.used.entry(engine.clone()).or_default();
            *used += Duration::from_millis(used_ms);
            *of += Duration::from_millis(of_ms);
            let thinks =
                (*used).min(*of) >= self.least && used.as_secs_f64() >= SHARE * of.as_secs_f64();
            if thinks && self.warned.insert(engine.clone()) {
                let remedy = self.remedies.get(engine).copied().unwrap_or(Remedy::TurnOff);
                let (used, of) = (*used, *of);
                warnings.push(IdleThinking { engine: engine.clone(), used, of, remedy });
            }
        }
        warnings
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{EngineConfig, Limit, Suspend};
    use crate::record;

    /// The warnings of a tournament of one engine, `a`, with this many games at once.
    fn thinkers(limit: Limit, suspend: Suspend, games: usize) -> IdleThinkers {
        let engines = vec![EngineConfig::new("a", "a")];
        let tournament = Tournament { limit, suspend, ..Tournament::new("test", "", engines) };
        IdleThinkers::new(&tournament, games)
    }

    fn game(idle_cpu_ms: [u64; 2], times: [u64; 2]) -> GameRecord {
        let [white_ms, black_ms] = times;
        let (white, black) = ("a".into(), "b".into());
        GameRecord { white, black, white_ms, black_ms, idle_cpu_ms, ..record::example::game("1") }
    }

    #[test]
    fn an_engine_is_warned_of_once_and_with_reason() {
        let mut thinkers = thinkers(Limit::Depth(1), Suspend::Auto, 1);
        // Too little for a warning, whatever the share.
        assert_eq!(thinkers.add(&game([150, 10], [100, 100])), []);
        let [warning] = &thinkers.add(&game([150, 10], [300, 500]))[..] else { panic!() };
        assert_eq!((&*warning.engine, warning.used.as_millis()), ("a", 300));
        assert_eq!(warning.of.as_millis(), 600);
        let text = warning.to_string();
        assert!(text.starts_with("a used 0.3 s of processor time"), "{text}");
        for cause in ["ponders", "compiles", "garbage", "background threads"] {
            assert!(text.contains(cause), "{text}");
        }
        assert_eq!(thinkers.add(&game([900, 10], [100, 100])), []);
        // Much in total, but less than half of a processor, as the runtime of an honest engine may
        // use.
        assert_eq!(thinkers.add(&game([0, 4400], [9000, 0])), []);
        assert_eq!(thinkers.add(&game([0, 400], [0, 0])).len(), 1);
    }

    #[test]
    fn the_advice_fits_the_settings() {
        let timed = Limit::MoveTime(Duration::from_millis(100));
        for (limit, suspend, advice) in [
            (timed, Suspend::Auto, "although the arena suspends it"),
            (timed, Suspend::Never, "`suspend = \"always\"`"),
            (Limit::Depth(1), Suspend::Always, "only under a time limit"),
        ] {
            let mut thinkers = thinkers(limit, suspend, 1);
            assert_eq!(
                thinkers.add(&game([900, 0], [0, 30])),
                [],
                "the opponent has hardly thought"
            );
            let warnings = thinkers.add(&game([0, 0], [0, 500]));
            assert!(warnings[0].to_string().contains(advice), "{warnings:?}");
        }
    }

    #[test]
    fn every_process_may_prepare_something_once() {
        let mut thinkers = thinkers(Limit::Depth(1), Suspend::Auto, 4);
        for _ in 0..4 {
            assert_eq!(thinkers.add(&game([150, 0], [100, 300])), []);
        }
        assert_eq!(thinkers.add(&game([150, 0], [100, 300])), []);
        assert_eq!(thinkers.add(&game([150, 0], [100, 300])).len(), 1);
    }
}
