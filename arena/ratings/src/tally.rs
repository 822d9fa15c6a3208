//! Counts of games by their scores.

use serde::Serialize;

/// Wins, draws and losses from one engine's view.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Tally {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points scored, half a point for a draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// The points of the opponents.
    pub(crate) fn conceded(&self) -> f64 {
        self.losses as f64 + 0.5 * self.draws as f64
    }

    /// The score as a fraction of the points, 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        share(self.points(), self.games())
    }

    /// The fraction of drawn games, 0 to 1; `None` without games.
    pub fn draw_ratio(&self) -> Option<f64> {
        share(self.draws as f64, self.games())
    }

    /// The same games from the opponent's view.
    pub fn reversed(&self) -> Tally {
        Tally { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// Adds other games.
    pub fn add(&mut self, other: Tally) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }

    pub(crate) fn cells(&self) -> [Cell; 3] {
        [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)].map(Cell::from)
    }
}

pub(super) fn share(part: f64, of: u64) -> Option<f64> {
    (of > 0).then(|| part / of as f64)
}

/// A possible score of a trial (a game, or a pair of games) with its count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    /// The fraction of the trial's points, 0 to 1.
    pub(crate) score: f64,
    /// The number of trials with this score.
    pub(crate) count: f64,
}

impl From<(f64, u64)> for Cell {
    fn from((score, count): (f64, u64)) -> Cell {
        Cell { score, count: count as f64 }
    }
}
