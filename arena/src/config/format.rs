//! The formats of a tournament, and how long each of them takes.

use std::num::NonZeroU32;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Format {
    /// Everyone meets everyone.
    #[default]
    RoundRobin,
    /// The first engine meets each of the rest.
    Gauntlet,
    /// Two engines meet.
    Match,
    /// In every stage engines of about the same score meet.
    Swiss {
        /// How many stages.
        stages: NonZeroU32,
    },
    /// Whoever loses an encounter is out.
    Knockout {
        /// How many further rounds an encounter has at most that is level.
        tiebreaks: u32,
    },
}

impl Format {
    /// All of them, with their words.
    /// What else belongs to them is as it is unless it is written.
    pub(super) const WORDS: [(&'static str, Format); 5] = [
        ("round-robin", Format::RoundRobin),
        ("gauntlet", Format::Gauntlet),
        ("match", Format::Match),
        ("swiss", Format::Swiss { stages: NonZeroU32::MIN }),
        ("knockout", Format::Knockout { tiebreaks: 2 }),
    ];

    /// The word configs write.
    pub fn word(self) -> &'static str {
        match self {
            Format::RoundRobin => "round-robin",
            Format::Gauntlet => "gauntlet",
            Format::Match => "match",
            Format::Swiss { .. } => "swiss",
            Format::Knockout { .. } => "knockout",
        }
    }
}

/// How many rounds a knockout takes until one is left.
pub fn knockout_rounds(engines: usize) -> u32 {
    engines.next_power_of_two().trailing_zeros()
}

/// How many stages a Swiss tournament has unless the config says otherwise: as many as a knockout takes to find
/// the best, and two more for the places behind; no more than there are opponents.
pub fn swiss_stages(engines: usize) -> NonZeroU32 {
    let opponents = u32::try_from(engines).unwrap_or(u32::MAX).saturating_sub(1);
    let stages = (knockout_rounds(engines) + 2).min(opponents);
    NonZeroU32::new(stages).unwrap_or(NonZeroU32::MIN)
}
