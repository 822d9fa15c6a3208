//! What a fit is made from, and what it takes for granted.

use std::fmt;

use serde::{Serialize, Serializer};

use super::ELO_PER_LOG_ODDS;
use super::kind::Kind;

/// Which results a fit is made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Scope {
    /// Those of one kind.
    Kind(Kind),
    /// All: the ratings are shared, the advantages are not.
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

    /// Whether results of this kind belong to it.
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

/// What is believed before any game: every rating (seen from the mean of the rated engines, wherever
/// anchors put that) and every advantage (seen from zero) is normal with this standard deviation.
/// With a prior everything is bounded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// In Elo; infinite for none.
    deviation: f64,
}

/// A standard deviation that makes no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("a prior's standard deviation is 0 (for none) or from 1 to 100000 Elo, not {0}")]
pub struct PriorError(pub f64);

impl Prior {
    /// No prior: the results speak alone, and may leave ratings unbounded.
    pub const NONE: Prior = Prior { deviation: f64::INFINITY };

    /// The prior of this standard deviation, from 1 to 100 000 Elo; 0 for none.
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
    /// 1000 Elo: weak enough to be outweighed by a few games, and to leave a sweep a sweep.
    fn default() -> Prior {
        Prior { deviation: 1000.0 }
    }
}

/// An engine whose rating is decreed.
#[derive(Clone, Debug, PartialEq)]
pub struct Anchor {
    /// The engine's name.
    pub engine: String,
    /// Its rating, from -10 000 to 10 000.
    pub elo: f64,
}

/// What a fit takes for granted.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FitOptions {
    /// The prior, of 1000 Elo unless told otherwise.
    pub prior: Prior,
    /// Engines with decreed ratings. An anchor that played nothing in the scope fixes nothing there.
    /// Where no anchor played, the mean of the rated engines is zero. A single anchor shifts all
    /// ratings alike.
    pub anchors: Vec<Anchor>,
    /// Which engines are compared by their likelihood of superiority.
    pub superiority: Superiority,
}

/// Which engines of a ranking are compared by their likelihood of superiority.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Superiority {
    /// Each with the next, which is all a table shows.
    #[default]
    OfNeighbours,
    /// Each with every other. In a field that the results split every comparison climbs the
    /// likelihood anew, so with many engines this takes longer than everything else.
    OfAll,
}
