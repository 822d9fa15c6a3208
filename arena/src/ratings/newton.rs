//! The top of the likelihood over a frame.

use nalgebra::DVector;

use super::frame::Frame;
use super::likelihood::Likelihood;

/// The parameters of greatest likelihood, and its logarithm there.
#[derive(Clone, Debug)]
pub(super) struct Summit {
    pub(super) at: DVector<f64>,
    pub(super) value: f64,
}

/// Climbs by Newton's method with halved steps.
///
/// The logarithm of the likelihood is concave, so every top is the top. Where it has none because it
/// rises for ever, the climb ends far out, at a height that cannot be told from the limit; where it
/// is level, the climb stays at the height of `start`.
pub(super) fn climb(likelihood: &Likelihood, frame: &Frame, start: &DVector<f64>) -> Summit {
    let mut at = frame.nearest(start);
    let mut value = likelihood.value(&at);
    if frame.freedom() == 0 {
        return Summit { at, value };
    }
    for _ in 0..MOST_STEPS {
        let shape = likelihood.shape(&at);
        let slope = frame.along(&shape.gradient);
        if slope.amax() <= LEVEL {
            break;
        }
        let Some(curvature) = frame.decompose(&shape.information) else { break };
        let mut step = frame.along(&curvature.solve(&slope));
        let length = step.amax();
        if length > LONGEST_STEP {
            step *= LONGEST_STEP / length;
        }
        let Some((next, higher)) = halve(likelihood, &at, value, step) else { break };
        at = next;
        value = higher;
        if length <= STANDSTILL * (1.0 + at.amax()) {
            break;
        }
    }
    Summit { at, value }
}

fn halve(
    likelihood: &Likelihood,
    at: &DVector<f64>,
    value: f64,
    mut step: DVector<f64>,
) -> Option<(DVector<f64>, f64)> {
    let rounding = 1e-12 * (1.0 + value.abs());
    for _ in 0..MOST_HALVINGS {
        let next = at + &step;
        let higher = likelihood.value(&next);
        if higher >= value - rounding {
            return Some((next, higher));
        }
        step *= 0.5;
    }
    None
}

/// A slope that counts as none, in points.
const LEVEL: f64 = 1e-12;
/// A step that counts as none, in log-odds and relative to the ratings.
const STANDSTILL: f64 = 1e-11;
/// Steps are cut to this, in log-odds: a good 3000 Elo.
const LONGEST_STEP: f64 = 20.0;
const MOST_STEPS: usize = 200;
const MOST_HALVINGS: usize = 60;
