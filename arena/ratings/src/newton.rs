//! Maximises the likelihood over a frame.

use nalgebra::DVector;

use super::frame::Frame;
use super::likelihood::Likelihood;

/// The maximum of the log-likelihood and its parameters.
#[derive(Clone, Debug)]
pub(super) struct Summit {
    pub(super) at: DVector<f64>,
    pub(super) value: f64,
}

/// Maximises with Newton's method and step halving.
///
/// The log-likelihood is concave, so every local maximum is global. If it increases without end,
/// the climb stops far out at a value indistinguishable from the limit. If it is flat, the climb
/// stays at the value of `start`.
pub(super) fn climb(likelihood: &Likelihood, frame: &Frame, start: &DVector<f64>) -> Summit {
    let mut at = frame.nearest(start);
    let mut value = likelihood.value(&at);
    if frame.freedom() == 0 {
        return Summit { at, value };
    }
    for _ in 0..MAX_STEPS {
        let shape = likelihood.shape(&at);
        let slope = frame.along(&shape.gradient);
        if slope.amax() <= LEVEL {
            break;
        }
        let Some(curvature) = frame.decompose(&shape.information) else { break };
        let mut step = frame.along(&curvature.solve(&slope));
        let length = step.amax();
        if length > MAX_STEP {
            step *= MAX_STEP / length;
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
    for _ in 0..MAX_HALVINGS {
        let next = at + &step;
        let higher = likelihood.value(&next);
        if higher >= value - rounding {
            return Some((next, higher));
        }
        step *= 0.5;
    }
    None
}

/// A gradient that counts as zero, in points.
const LEVEL: f64 = 1e-12;
/// A step that counts as zero, in log-odds relative to the ratings.
const STANDSTILL: f64 = 1e-11;
/// The maximum step, in log-odds: more than 3000 Elo.
const MAX_STEP: f64 = 20.0;
const MAX_STEPS: usize = 200;
const MAX_HALVINGS: usize = 60;
