//! The rules of a race: the table `[race]`.

use std::num::NonZeroU32;

use super::table::Table;

/// The rules of a race (see [`fanorona_ratings::Race`]).
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct RaceRules {
    /// The number of best engines to find.
    pub best: NonZeroU32,
    /// The probability of naming a wrong set.
    pub error: f64,
    /// The difference in Elo that does not matter.
    pub within: f64,
    /// The encounters of a stage.
    pub batch: NonZeroU32,
    /// The maximum number of stages.
    pub stages: NonZeroU32,
}

impl RaceRules {
    /// The usual maximum number of stages.
    const STAGES: u32 = 10_000;
    /// The most stages.
    pub const MAX_STAGES: u32 = 100_000;
    /// The most encounters of a stage.
    pub(crate) const MAX_BATCH: u32 = 10_000;
}

/// Reads the table of a race of so many engines. Wrong values are replaced by defaults.
pub(super) fn race(table: &mut Table<'_>, engines: usize) -> RaceRules {
    let number = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
    let quarter = number((engines as u32).div_ceil(4).min(RaceRules::MAX_BATCH));
    let mut rules = RaceRules {
        best: number(1),
        error: 0.05,
        within: 0.0,
        batch: quarter,
        stages: number(RaceRules::STAGES),
    };
    for (key, value, most) in [
        ("best", &mut rules.best, u32::MAX),
        ("batch", &mut rules.batch, RaceRules::MAX_BATCH),
        ("stages", &mut rules.stages, RaceRules::MAX_STAGES),
    ] {
        if let Some(number) = table.small(key, 1..=most).and_then(NonZeroU32::new) {
            *value = number;
        }
    }
    let risk = "a number above 0 and below 0.5, like 0.05";
    match table.number("error", risk) {
        Some(error) if error > 0.0 && error < 0.5 => rules.error = error,
        Some(_) => table.refuse("error", format!("expected {risk}")),
        None => {}
    }
    let elo = "an Elo difference from 0 to 400";
    match table.number("within", elo) {
        Some(within) if (0.0..=400.0).contains(&within) => rules.within = within,
        Some(_) => table.refuse("within", format!("expected {elo}")),
        None => {}
    }
    rules
}
