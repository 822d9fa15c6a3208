//! The formats of a tournament and the number of rounds each one takes.

use std::num::NonZeroU32;

/// A tournament format: which engines play each other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default, strum::IntoStaticStr, serde::Serialize)]
#[strum(serialize_all = "kebab-case")]
#[serde(tag = "format", rename_all = "kebab-case")]
pub enum Format {
    /// Every engine plays every other.
    #[default]
    RoundRobin,
    /// The first engine plays each of the others.
    Gauntlet,
    /// Two engines play each other.
    Match,
    /// Every other engine plays the base until it is known whether it is better.
    Candidates,
    /// In each stage, engines with similar scores play each other.
    Swiss {
        /// The number of stages.
        stages: NonZeroU32,
    },
    /// The loser of an encounter is eliminated.
    Knockout {
        /// The maximum number of extra rounds in a tied encounter.
        tiebreaks: u32,
    },
    /// Engines play each other as long as it is open which is the best, those most often that may
    /// be.
    Race {
        /// The maximum number of stages, between which opponents are chosen.
        #[serde(skip)]
        stages: NonZeroU32,
    },
    /// An engine plays itself with different values of its options, to find better ones.
    Tune {
        /// The number of iterations, between which the values change.
        #[serde(skip)]
        iterations: NonZeroU32,
    },
}

impl Format {
    /// The formats. Their parameters are defaults that other keys replace.
    pub const ALL: [Format; 8] = [
        Format::RoundRobin,
        Format::Gauntlet,
        Format::Match,
        Format::Candidates,
        Format::Swiss { stages: NonZeroU32::MIN },
        Format::Knockout { tiebreaks: 2 },
        Format::Race { stages: NonZeroU32::MIN },
        Format::Tune { iterations: NonZeroU32::MIN },
    ];

    /// The word used in configs.
    pub fn word(self) -> &'static str {
        self.into()
    }
}

/// The number of rounds of a knockout until one engine is left.
pub fn knockout_rounds(engines: usize) -> u32 {
    engines.next_power_of_two().trailing_zeros()
}

/// The default number of stages of a Swiss tournament. It is the number of rounds that a knockout
/// needs to find the winner, plus two that separate the lower places, but at most the number of
/// opponents.
pub fn swiss_stages(engines: usize) -> NonZeroU32 {
    let opponents = u32::try_from(engines).unwrap_or(u32::MAX).saturating_sub(1);
    let stages = (knockout_rounds(engines) + 2).min(opponents);
    NonZeroU32::new(stages).unwrap_or(NonZeroU32::MIN)
}
