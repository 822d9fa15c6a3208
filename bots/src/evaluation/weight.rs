//! The weight of one term of the hand-written evaluation.

/// The number of phases with weights of their own.
pub const PHASES: usize = 5;

/// The weight of a term in each phase, in hundredths of a stone.
pub type Weight = [i32; PHASES];
