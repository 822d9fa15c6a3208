//! How strong the engines are, and how sure that is.

mod pentanomial;
mod score;

pub use pentanomial::Pentanomial;
pub use score::{MatchStatistics, Tally, elo_from_score, expected_score};

/// The quantile of the standard normal distribution that leaves 2.5 % above it.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Elo in one unit of log-odds: ratings are kept in log-odds inside, in Elo outside.
pub(crate) const ELO_PER_LOG_ODDS: f64 = 400.0 / std::f64::consts::LN_10;
