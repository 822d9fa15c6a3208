//! The options of the bot and their values.

use std::sync::Arc;

use fanorona_protocol::messages::OptionSpec;

use crate::bot::OptionError;
use crate::evaluation::Method;
use crate::evaluation::network::Network;
use crate::platform;

/// The values of the options.
#[derive(Clone)]
pub(super) struct Settings {
    /// The number of best lines to report.
    pub(super) lines: usize,
    /// Whether captures are searched before a position at the horizon is evaluated.
    pub(super) quiescence: bool,
    /// Whether the transposition table is used.
    pub(super) table: bool,
    /// Whether late moves are searched less deeply.
    pub(super) reductions: bool,
    /// Whether hopeless nodes and moves near the horizon are pruned.
    pub(super) pruning: bool,
    /// Whether the root is searched with a narrow window around the expected value.
    pub(super) aspiration: bool,
    /// The evaluation, unless the search is plain.
    pub(super) evaluation: Method,
    /// The network that replaces the built-in one of its board.
    pub(super) network: Option<Arc<Network>>,
    /// Whether the search evaluates by stones alone and neither reduces nor prunes.
    pub(super) plain: bool,
    /// The level of play.
    pub(super) skill: Skill,
}

/// A level of play from 0 to [`Skill::MOST`], which is full strength. A lower level searches fewer
/// nodes and adds errors to its evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Skill {
    level: u32,
    /// Selects the errors.
    seed: u64,
}

impl Skill {
    /// The highest level.
    pub(super) const MOST: u32 = 20;

    /// The number of nodes at the lowest level.
    const FEWEST_NODES: u64 = 200;

    /// The largest evaluation error of the highest level but one, in hundredths of a stone; each
    /// lower level adds as much.
    const ERROR: i32 = 15;

    /// The maximum number of nodes for a move: each level has two fifths more than the one below.
    pub(super) fn nodes(self) -> u64 {
        if self.level >= Skill::MOST {
            return u64::MAX;
        }
        (0..self.level).fold(Skill::FEWEST_NODES, |nodes, _| nodes + nodes * 2 / 5)
    }

    /// The error added to the evaluation of a position with a key. It is always the same for the
    /// same position, and small errors are more frequent than large ones.
    #[inline]
    pub(super) fn error(self, key: u64) -> i32 {
        if self.level >= Skill::MOST {
            return 0;
        }
        let most = u64::from(Skill::MOST - self.level) * Skill::ERROR as u64;
        let mixed = (key ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0x94d0_49bb_1331_11eb);
        // The error is the difference of two numbers from 0 to `most`.
        let part = |bits: u64| (((bits & 0xffff_ffff) * (most + 1)) >> 32) as i32;
        part(mixed) - part(mixed >> 32)
    }
}

/// The option that names a file of network weights.
pub(super) const NETWORK_FILE: &str = "NetworkFile";

/// The default size of the table in MiB.
pub(super) const HASH: i64 = 16;

/// The maximum number of threads.
const MAX_THREADS: i64 = 256;

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            lines: 1,
            quiescence: true,
            table: true,
            reductions: true,
            pruning: true,
            aspiration: true,
            evaluation: Method::Network,
            network: None,
            plain: false,
            skill: Skill { level: Skill::MOST, seed: 0 },
        }
    }
}

/// The declarations of all options, `Hash` and `Threads` included.
pub(super) fn options() -> Vec<OptionSpec> {
    let usual = Settings::default();
    #[allow(unused_mut, reason = "a build for tuning has more")]
    let mut options = vec![
        OptionSpec::spin("Hash", HASH, 1, 65_536),
        OptionSpec::spin("Threads", 1, 1, MAX_THREADS),
        OptionSpec::spin("Seed", 0, 0, i64::MAX),
        OptionSpec::spin("MultiPV", usual.lines as i64, 1, 64),
        OptionSpec::combo("Search", "full", &["full", "plain"]),
        OptionSpec::spin("Skill", Skill::MOST.into(), 0, Skill::MOST.into()),
        OptionSpec::combo("Evaluation", "network", &["network", "handwritten"]),
        OptionSpec::string(NETWORK_FILE, ""),
        OptionSpec::switch("Quiescence", usual.quiescence),
        OptionSpec::switch("TranspositionTable", usual.table),
        OptionSpec::switch("Reductions", usual.reductions),
        OptionSpec::switch("Pruning", usual.pruning),
        OptionSpec::switch("Aspiration", usual.aspiration),
    ];
    #[cfg(feature = "tune")]
    options.extend(super::parameters::options());
    options
}

impl Settings {
    /// Whether the book may answer. It knows only its best moves, it would hide the errors of a low
    /// level, and a plain search is a baseline to measure against.
    pub(super) fn plays_from_book(&self) -> bool {
        self.lines == 1 && self.skill.level == Skill::MOST && !self.plain
    }

    /// Sets an option other than `Hash` and `Threads`. `Seed` selects the errors of a low `Skill`;
    /// nothing else is random.
    pub(super) fn set(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name.eq_ignore_ascii_case(NETWORK_FILE) {
            self.network = network(value)
                .map_err(|why| OptionError { name: NETWORK_FILE.to_owned(), why: why.into() })?;
        }
        #[cfg(feature = "tune")]
        super::parameters::set(name, value);
        let on = value == "true";
        match name.to_ascii_lowercase().as_str() {
            "multipv" => self.lines = value.parse().unwrap_or(1).max(1),
            "seed" => self.skill.seed = value.parse().unwrap_or(0),
            "skill" => self.skill.level = value.parse().unwrap_or(Skill::MOST),
            "search" => self.plain = value == "plain",
            "evaluation" => {
                let network = value.eq_ignore_ascii_case("network");
                self.evaluation = if network { Method::Network } else { Method::Handwritten };
            }
            "quiescence" => self.quiescence = on,
            "transpositiontable" => self.table = on,
            "reductions" => self.reductions = on,
            "pruning" => self.pruning = on,
            "aspiration" => self.aspiration = on,
            _ => {}
        }
        Ok(())
    }
}

/// Reads the network of a file; an empty name selects the built-in ones.
fn network(file: &str) -> Result<Option<Arc<Network>>, String> {
    if file.is_empty() {
        return Ok(None);
    }
    let bytes = platform::read_file(file).map_err(|error| format!("{file}: {error}"))?;
    Network::read(&bytes).map(Some).map_err(|error| format!("{file}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_skill_level_searches_more_and_errs_less_and_the_highest_never_errs() {
        let skill = |level| Skill { level, seed: 7 };
        let worst = |level| (0..2000).map(|key| skill(level).error(key << 40 | key).abs()).max();
        for level in 1..=Skill::MOST {
            assert!(skill(level).nodes() > skill(level - 1).nodes());
            assert!(worst(level) < worst(level - 1));
            assert!(worst(level) <= Some((Skill::MOST - level) as i32 * Skill::ERROR));
        }
        assert_eq!(worst(Skill::MOST), Some(0));
    }

    #[test]
    fn errors_depend_on_the_seed_and_are_balanced() {
        let errors = |seed| {
            let skill = Skill { level: 0, seed };
            (0..2000u64).map(move |key| skill.error(key.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        };
        assert!(errors(1).eq(errors(1)) && errors(1).ne(errors(2)));
        assert!(errors(1).sum::<i32>().abs() < 2000 * 10);
        assert!(errors(1).any(|error| error > 200) && errors(1).any(|error| error < -200));
    }
}
