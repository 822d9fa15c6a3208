//! Ratings: the strengths of the engines, with their uncertainty. Everything here is pure
//! computation.
//!
//! Results are collected in a [`Sample`]. [`fit`] computes ratings from them, for one kind of
//! contest or all together. [`MatchStatistics`] describes a match of two engines. Nothing here
//! reads files, uses a clock or prints.
//!
//! Engines have ratings, and each [`Kind`](crate::kind::Kind) has an advantage of the
//! first player (White in riatra, the debtor in vela, the first named in a session). The expected
//! score of the first player is `1 / (1 + 10^(-(first + advantage - second) / 400))`. The ratings
//! are the maximum likelihood estimates of all engines together, where a draw counts as half a win
//! and half a loss (Bradley and Terry 1952; Hunter 2004, "MM algorithms for generalized
//! Bradley–Terry models").
//!
//! A rating or an end of its interval can be unbounded: an engine that won every game could be
//! stronger by any number of Elo. Such a value is `None`, never NaN or infinity. It occurs only
//! without a [`Prior`], and for engines without games.

// Counting results.
mod groups;
mod observed;
mod pair_score;
mod pentanomial;
mod sample;
mod score;
mod tally;

// The likelihood and its maximum.
mod adjacency;
mod curvature;
mod likelihood;
mod newton;
mod sparse;
mod subspace;

// Uncertainty.
mod comparisons;
mod interval;
mod line;
mod nearby;
mod recession;
mod sandwich;
mod superiority;

// The kinds of contest, and the test that stops a match.
pub mod kind;
pub mod sprt;

// The complete fit, and whether it explains the results.
mod equilibrium;
mod fit;
mod fit_check;
mod options;

// Strength as a function of parameters, and which pairings tell most.
pub mod gaussian_process;
mod race;
mod smooth;

pub use equilibrium::nash_average;
pub use fit::{Advantage, Fit, FitError, FitProgress, Rating, elo, fit, fit_watched, joint};
pub use fit_check::{FitCheck, PairingCheck};
pub use interval::Estimate;
pub(crate) use observed::Observed;
pub use options::{Anchor, FitOptions, Intervals, Prior, PriorError, Scope, Superiority};
pub use pair_score::Score;
pub use pentanomial::Pentanomial;
pub use race::{Race, RaceOptions};
pub use sample::{Entrant, PairKey, Sample, SampleError, ScoredGame};
pub(crate) use score::NORMALIZED_ELO;
pub use score::{MatchStatistics, elo_from_score, expected_score};
pub use smooth::{PosteriorElo, SmoothCurve};
pub use tally::Tally;

/// The quantile of the standard normal distribution with 2.5 % above it.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo per unit of log-odds. Internally ratings are in log-odds, externally in Elo.
pub(crate) const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;
