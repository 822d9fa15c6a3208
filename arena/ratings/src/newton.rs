//! Maximises the likelihood over a frame.

use nalgebra::DVector;

use super::curvature::Curvature;
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
    climb_until(likelihood, frame, start, LEVEL)
}

/// The same, and calls `step` before every step.
pub(super) fn climb_watched(
    likelihood: &Likelihood,
    frame: &Frame,
    start: &DVector<f64>,
    step: &dyn Fn(),
) -> Summit {
    ascend(likelihood, frame, start, LEVEL, step)
}

/// The same, but ends as soon as the gradient is not steeper than `level`, in points. The value is
/// then too low by at most about the square of that.
pub(super) fn climb_until(
    likelihood: &Likelihood,
    frame: &Frame,
    start: &DVector<f64>,
    level: f64,
) -> Summit {
    ascend(likelihood, frame, start, level, &|| {})
}

fn ascend(
    likelihood: &Likelihood,
    frame: &Frame,
    start: &DVector<f64>,
    level: f64,
    before_step: &dyn Fn(),
) -> Summit {
    let mut at = frame.nearest(start);
    let mut value = likelihood.value(&at);
    if frame.freedom() == 0 {
        return Summit { at, value };
    }
    for _ in 0..MAX_STEPS {
        before_step();
        let shape = likelihood.shape(&at);
        let slope = frame.along(&shape.gradient);
        if slope.amax() <= level {
            break;
        }
        let Some(curvature) = Curvature::new(likelihood, frame, &shape) else { break };
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
