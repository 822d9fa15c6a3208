//! Strength as a smooth function of an engine's options, learnt from games between two settings.
//!
//! The function is a Gaussian process: a distribution over smooth functions (Rasmussen and Williams
//! 2006, "Gaussian Processes for Machine Learning"). A [`MatchResult`] is a batch of games between two
//! settings, so it observes the difference of the function at two points, with noise that the number
//! of games determines. [`Posterior`] is what all comparisons say together, [`Posterior::choose`] the
//! two settings whose games would tell most, and [`Posterior::maximum`] the best setting.
//!
//! Settings are points with coordinates from 0 to 1, see [`Space`].

mod comparison;
mod envelope;
mod fitting;
mod knowledge_gradient;
mod maximum;
mod model;
mod posterior;
mod space;

pub use comparison::MatchResult;
pub use model::FunctionPrior;
pub use posterior::Posterior;
pub use space::Space;

#[cfg(test)]
mod tests;
