//! Simulated pairs of games, and what infinitely many of them would give.

use fanorona_ratings::{Score, elo_from_score, expected_score};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{ContinuousCDF, Normal};

/// The standard deviation of the openings' own advantages, in Elo, where games are not nearly all drawn.
pub(crate) const OPENINGS: f64 = 100.0;

/// One kind of match between two engines.
#[derive(Clone, Copy)]
pub(crate) struct Cell {
    pub(crate) advantage: f64,
    pub(crate) lead: f64,
    pub(crate) pairs: u64,
    pub(crate) draws: f64,
    /// The standard deviation of the openings' own advantages, in Elo.
    pub(crate) openings: f64,
}

/// The probabilities of a loss, a draw and a win with this lead.
pub(crate) fn game(lead: f64, draws: f64) -> [f64; 3] {
    let score = expected_score(lead);
    let draw = 2.0 * draws * score.min(1.0 - score);
    [1.0 - score - draw / 2.0, draw, score - draw / 2.0]
}

pub(crate) fn toss(random: &mut ChaCha8Rng, [loss, draw, _]: [f64; 3]) -> Score {
    let toss: f64 = random.random();
    match toss {
        toss if toss < loss => Score::Loss,
        toss if toss < loss + draw => Score::Draw,
        _ => Score::Win,
    }
}

pub(crate) fn normal(random: &mut ChaCha8Rng) -> f64 {
    Normal::standard().inverse_cdf(random.random_range(1e-12..1.0))
}

/// The results that infinitely many pairs would give.
pub(crate) struct Truth {
    /// Half the lead, on the scale with mean zero.
    pub(crate) rating: f64,
    pub(crate) advantage: f64,
    /// The Elo of the mean score of a pair.
    pub(crate) over_pairs: f64,
    pub(crate) normalized: f64,
}

impl Truth {
    pub(crate) fn of(cell: Cell) -> Truth {
        let (mut white, mut black, mut score, mut square) = (0.0, 0.0, 0.0, 0.0);
        let steps = 400;
        for step in 0..steps {
            let quantile = (f64::from(step) + 0.5) / f64::from(steps);
            let advantage =
                cell.advantage + cell.openings * Normal::standard().inverse_cdf(quantile);
            let first = game(advantage + cell.lead, cell.draws);
            let mut second = game(advantage - cell.lead, cell.draws);
            white += first[2] + first[1] / 2.0;
            black += second[2] + second[1] / 2.0;
            second.reverse();
            for (one, p) in first.iter().enumerate() {
                for (other, q) in second.iter().enumerate() {
                    let share = (one + other) as f64 / 4.0;
                    score += p * q * share;
                    square += p * q * share * share;
                }
            }
        }
        let [white, black, score, square] =
            [white, black, score, square].map(|sum| sum / f64::from(steps));
        let elo = |score| elo_from_score(score).expect("nobody always wins");
        Truth {
            rating: (elo(white) - elo(black)) / 4.0,
            advantage: (elo(white) + elo(black)) / 2.0,
            over_pairs: elo(score),
            normalized: (score - 0.5) / (2.0 * (square - score * score)).sqrt() * 800.0
                / std::f64::consts::LN_10,
        }
    }
}

/// 1 if the interval holds the truth, otherwise 0.
pub(crate) fn holds(low: Option<f64>, high: Option<f64>, truth: f64) -> f64 {
    let above = low.is_none_or(|low| low <= truth + 1e-9);
    f64::from(above && high.is_none_or(|high| truth <= high + 1e-9))
}
