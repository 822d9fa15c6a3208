//! Maximises the likelihood over a subspace.

use nalgebra::DVector;

use super::curvature::Curvature;
use super::likelihood::Likelihood;
use super::subspace::Subspace;

/// The maximum of the log-likelihood and its parameters.
#[derive(Clone, Debug)]
pub(super) struct Optimum {
    pub(super) point: DVector<f64>,
    pub(super) value: f64,
}

/// Maximises with Newton's method and a backtracking line search.
///
/// The log-likelihood is concave, so every local maximum is global. If it increases without end,
/// the search stops far out at a value indistinguishable from the limit. If it is flat, the search
/// stays at `start`.
pub(super) fn maximise(
    likelihood: &Likelihood,
    subspace: &Subspace,
    start: &DVector<f64>,
) -> Optimum {
    maximise_until(likelihood, subspace, start, GRADIENT_TOLERANCE)
}

/// The same, and calls `step` before every step.
pub(super) fn maximise_watched(
    likelihood: &Likelihood,
    subspace: &Subspace,
    start: &DVector<f64>,
    step: &dyn Fn(),
) -> Optimum {
    newton(likelihood, subspace, start, GRADIENT_TOLERANCE, step)
}

/// The same, but ends as soon as no component of the gradient exceeds `tolerance`, in points. The
/// value is then too low by at most about the square of that.
pub(super) fn maximise_until(
    likelihood: &Likelihood,
    subspace: &Subspace,
    start: &DVector<f64>,
    tolerance: f64,
) -> Optimum {
    newton(likelihood, subspace, start, tolerance, &|| {})
}

fn newton(
    likelihood: &Likelihood,
    subspace: &Subspace,
    start: &DVector<f64>,
    tolerance: f64,
    before_step: &dyn Fn(),
) -> Optimum {
    let mut at = subspace.nearest(start);
    let mut value = likelihood.value(&at);
    if subspace.dimension() == 0 {
        return Optimum { point: at, value };
    }
    for _ in 0..MAX_STEPS {
        before_step();
        let derivatives = likelihood.derivatives(&at);
        let gradient = subspace.project(&derivatives.gradient);
        if gradient.amax() <= tolerance {
            break;
        }
        let Some(curvature) = Curvature::new(likelihood, subspace, &derivatives) else { break };
        let mut step = subspace.project(&curvature.solve(&gradient));
        let length = step.amax();
        if length > MAX_STEP {
            step *= MAX_STEP / length;
        }
        let Some((next, higher)) = line_search(likelihood, &at, value, step) else { break };
        at = next;
        value = higher;
        if length <= STEP_TOLERANCE * (1.0 + at.amax()) {
            break;
        }
    }
    Optimum { point: at, value }
}

/// Halves a step until the value does not decrease; `None` if it always does.
fn line_search(
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
const GRADIENT_TOLERANCE: f64 = 1e-12;
/// A step that counts as zero, in log-odds relative to the ratings.
const STEP_TOLERANCE: f64 = 1e-11;
/// The maximum step, in log-odds: more than 3000 Elo.
const MAX_STEP: f64 = 20.0;
const MAX_STEPS: usize = 200;
const MAX_HALVINGS: usize = 60;
