//! The options of a fit: its scope, prior and anchors.

use std::fmt;

use serde::{Serialize, Serializer};

use super::ELO_PER_LOG_ODDS;
use super::kind::Kind;

/// The results that a fit uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// The results of one kind.
    Kind(Kind),
    /// All results, with common ratings but an advantage per kind.
    All,
}

impl Scope {
    /// Every scope, in the order of reports.
    pub const ALL: [Scope; 4] = [
        Scope::Kind(Kind::Riatra),
        Scope::Kind(Kind::Vela),
        Scope::Kind(Kind::Session),
        Scope::All,
    ];

    /// Whether results of this kind are in the scope.
    pub fn holds(self, kind: Kind) -> bool {
        match self {
            Scope::Kind(only) => only == kind,
            Scope::All => true,
        }
    }
}

impl From<Kind> for Scope {
    fn from(kind: Kind) -> Scope {
        Scope::Kind(kind)
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scope::Kind(kind) => kind.fmt(f),
            Scope::All => f.pad("all"),
        }
    }
}

impl Serialize for Scope {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The prior: every rating (relative to the mean of the rated engines, even if anchors shift it)
/// and every advantage (relative to zero) is normally distributed with this standard deviation.
/// With a prior everything is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// In Elo; infinite for no prior.
    deviation: f64,
}

/// The standard deviation is out of range.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("the prior's standard deviation must be 0 (for none) or from 1 to 100000 Elo, not {0}")]
pub struct PriorError(pub f64);

impl Prior {
    /// No prior: only the results count, and ratings can be unbounded.
    pub const NONE: Prior = Prior { deviation: f64::INFINITY };

    /// The prior with this standard deviation, from 1 to 100 000 Elo; 0 for none.
    pub fn new(deviation: f64) -> Result<Prior, PriorError> {
        match deviation {
            0.0 => Ok(Prior::NONE),
            _ if (1.0..=100_000.0).contains(&deviation) => Ok(Prior { deviation }),
            _ => Err(PriorError(deviation)),
        }
    }

    /// The reciprocal of the variance, in log-odds.
    pub(super) fn precision(self) -> f64 {
        (ELO_PER_LOG_ODDS / self.deviation).powi(2)
    }
}

impl Default for Prior {
    /// 1000 Elo: weak enough to be outweighed by a few games, and so that a clean sweep still shows
    /// as one.
    fn default() -> Prior {
        Prior { deviation: 1000.0 }
    }
}

/// An engine with a fixed rating.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// The engine's name.
    pub engine: String,
    /// Its rating, from -10 000 to 10 000.
    pub elo: f64,
}

/// The options of a fit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitOptions {
    /// The prior, by default 1000 Elo.
    pub prior: Prior,
    /// Engines with fixed ratings. An anchor without games in the scope has no effect there. If no
    /// anchor played, the mean of the rated engines is zero. A single anchor shifts all ratings
    /// equally.
    pub anchors: Vec<Anchor>,
    /// The engines compared by their likelihood of superiority.
    pub superiority: Superiority,
    /// The computation of intervals.
    pub intervals: Intervals,
}

/// The computation of intervals and likelihoods of superiority where few games determine a rating.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Intervals {
    /// From the profile likelihood: the likelihood is maximised again for every end of an interval.
    /// In a field of more than 100 engines it is [`Intervals::Line`] instead.
    #[default]
    Profile,
    /// From the likelihood along the line on which all ratings follow the one in question, in a
    /// thousandth of the time. Such an interval is a little shorter, and up to a third at an end that
    /// hardly anything but the prior holds.
    Line,
    /// The same, as if the ratings of the opponents were known: a rough first answer for a large field.
    Quick,
}

impl Intervals {
    /// The computation in a field of this size.
    pub(super) fn in_field(self, engines: usize) -> Intervals {
        match self {
            Intervals::Profile if engines > MAX_PROFILED => Intervals::Line,
            _ => self,
        }
    }
}

/// The engines of a ranking that are compared by their likelihood of superiority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Superiority {
    /// Each with the next, as shown in a table.
    #[default]
    OfNeighbours,
    /// Each with every other. In a split field every comparison maximises the likelihood again, so
    /// with many engines this dominates the run time.
    OfAll,
}

impl Superiority {
    /// The number of next engines that each engine is compared with.
    pub(super) fn reach(self, engines: usize) -> usize {
        match self {
            Superiority::OfNeighbours => 1,
            Superiority::OfAll => engines,
        }
    }

    /// The number of comparisons.
    pub(super) fn comparisons(self, engines: usize) -> usize {
        let others = engines.saturating_sub(1);
        match self {
            Superiority::OfNeighbours => others,
            Superiority::OfAll => engines * others / 2,
        }
    }

    /// The largest field in which every two engines are compared.
    pub const MAX_COMPARED: usize = 60;

    /// All comparisons in a field of usual size, and only those of neighbours in a large one.
    pub fn from_engine_count(engines: usize) -> Superiority {
        match engines {
            ..=Self::MAX_COMPARED => Superiority::OfAll,
            _ => Superiority::OfNeighbours,
        }
    }
}

/// The largest field in which intervals are those of the profile likelihood itself.
const MAX_PROFILED: usize = 100;
