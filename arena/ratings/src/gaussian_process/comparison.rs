//! Games between two settings.

/// The results of games between two settings.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchResult {
    /// The first setting.
    pub one: Vec<f64>,
    /// The second setting.
    pub other: Vec<f64>,
    /// The wins, draws and losses of the first.
    pub results: [u64; 3],
}

impl MatchResult {
    pub(super) fn games(&self) -> f64 {
        self.results.iter().sum::<u64>() as f64
    }

    pub(super) fn points(&self) -> f64 {
        self.results[0] as f64 + 0.5 * self.results[1] as f64
    }

    /// The squared residuals of all games, when the first setting is expected to score this much.
    pub(super) fn scatter(&self, expected: f64) -> f64 {
        let squares = [1.0, 0.5, 0.0].map(|score: f64| (score - expected).powi(2));
        squares.iter().zip(self.results).map(|(square, count)| square * count as f64).sum()
    }
}
