//! The likelihood along a line, as an approximation of the profile likelihood.

use nalgebra::DVector;

use super::likelihood::{Likelihood, expected, log_expected};
use super::sandwich::Response;

/// The line through the maximum on which the other parameters follow one quantity as the curvature at
/// the maximum tells. Near the maximum that is the profile. Farther away it falls faster than the
/// profile, so intervals are shorter.
///
/// The rows that follow the quantity most are exact; the others are a parabola.
pub(super) struct ProfileLine {
    rows: Vec<LineRow>,
    /// The curvature of all else.
    curvature: f64,
    /// The standard deviation of the quantity by the curvature of all.
    deviation: f64,
}

/// Equal games as a function of the quantity.
struct LineRow {
    points: f64,
    conceded: f64,
    /// The lead of the first player at the maximum.
    lead: f64,
    /// The change of the lead with the quantity.
    slope: f64,
}

impl ProfileLine {
    pub(super) fn new(
        likelihood: &Likelihood,
        at: &DVector<f64>,
        response: &Response,
    ) -> ProfileLine {
        let row = |&number: &usize| {
            let row = &likelihood.rows[number];
            LineRow {
                points: row.tally.points(),
                conceded: row.tally.conceded(),
                lead: row.lead(at),
                slope: row.lead(&response.solution) / response.model_variance,
            }
        };
        let rows: Vec<LineRow> = response.rows.iter().map(row).collect();
        let of_rows: f64 = rows.iter().map(LineRow::curvature).sum();
        let curvature = (response.model_variance.recip() - of_rows).max(0.0);
        ProfileLine { rows, curvature, deviation: response.model_variance.sqrt() }
    }

    /// The square root of twice the decrease of the log-likelihood at this distance from the maximum.
    pub(super) fn root(&self, step: f64) -> f64 {
        (2.0 * self.decrease(step).0).max(0.0).sqrt()
    }

    /// The distance from the maximum at which the root is the size of this quantile, on the side of
    /// its sign.
    pub(super) fn end(&self, quantile: f64) -> f64 {
        // Newton's method for a convex function: from the second step on, it comes from outside.
        let mut step = quantile * self.deviation;
        for _ in 0..MAX_STEPS {
            let (decrease, derivative) = self.decrease(step);
            let change = (decrease - 0.5 * quantile * quantile) / derivative;
            let next = step - change;
            if !next.is_finite() {
                break;
            }
            step = next;
            if change.abs() <= TOLERANCE * (1.0 + step.abs()) {
                break;
            }
        }
        step
    }

    /// The decrease at a distance, and its derivative.
    fn decrease(&self, step: f64) -> (f64, f64) {
        let own = (0.5 * self.curvature * step * step, self.curvature * step);
        self.rows
            .iter()
            .map(|row| row.decrease(step))
            .fold(own, |sum, of_row| (sum.0 + of_row.0, sum.1 + of_row.1))
    }
}

impl LineRow {
    fn curvature(&self) -> f64 {
        let (win, loss) = expected(self.lead);
        (self.points + self.conceded) * win * loss * self.slope * self.slope
    }

    /// The decrease beyond that of the tangent, because all tangents together are level.
    fn decrease(&self, step: f64) -> (f64, f64) {
        let value = |lead| {
            let (log_win, log_loss) = log_expected(lead);
            self.points * log_win + self.conceded * log_loss
        };
        let slope = |lead| {
            let (win, loss) = expected(lead);
            (self.points * loss - self.conceded * win) * self.slope
        };
        let moved = self.lead + step * self.slope;
        let tangent = slope(self.lead);
        let decrease = value(self.lead) + step * tangent - value(moved);
        (decrease, tangent - slope(moved))
    }
}

/// The change of a step that counts as zero, in log-odds.
const TOLERANCE: f64 = 1e-9;
const MAX_STEPS: usize = 100;
