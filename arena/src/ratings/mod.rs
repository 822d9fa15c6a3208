//! How strong the engines are, and how sure that is.
//!
//! Results are gathered in a [`Sample`]; [`fit`] makes ratings of them, for one kind of contest or
//! for all together; [`MatchStatistics`] speaks of two engines alone. Nothing here reads files,
//! looks at a clock or prints.
//!
//! # The model
//! Engines have ratings, and each [`Kind`](crate::ratings::kind::Kind) has an advantage of its first player
//! (White in riatra, the debtor in vela, the first named in a session). The first player is
//! expected to score `1 / (1 + 10^(-(first + advantage - second) / 400))`. The ratings are those
//! of greatest likelihood, all engines at once, a draw counting as half a win and half a loss
//! (Bradley and Terry 1952; Hunter 2004, "MM algorithms for generalized Bradley–Terry models").
//!
//! # Answers that are not numbers
//! A rating, or an end of its interval, may be unbounded: an engine that won every game could be
//! any number of Elo better. Such an answer is `None`, and never NaN or an infinity. It arises
//! only without a [`Prior`], and for engines that played nothing.

// What was counted.
mod observed;
mod pair_score;
mod pentanomial;
mod sample;
mod score;
mod tally;

// What it says of the ratings, and where that is greatest.
mod frame;
mod likelihood;
mod newton;

// How sure that is.
mod interval;
mod recession;
mod superiority;

// The kinds of contests, and the test that stops a match.
pub mod kind;
pub mod sprt;

// All of it, in the order of the ranking.
mod fit;
mod options;

pub use fit::{Advantage, Fit, FitError, Rating, elo, fit};
pub use interval::Estimate;
pub(crate) use observed::Observed;
pub use options::{Anchor, FitOptions, Prior, PriorError, Scope, Superiority};
pub use pair_score::Score;
pub use pentanomial::Pentanomial;
pub use sample::{EngineId, GameResult, PairId, Sample, SampleError};
pub(crate) use score::NORMALIZED_ELO;
pub use score::{MatchStatistics, elo_from_score, expected_score};
pub use tally::Tally;

/// The quantile of the standard normal distribution that leaves 2.5 % above it.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo in one unit of log-odds: ratings are kept in log-odds inside, in Elo outside.
pub(crate) const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;
