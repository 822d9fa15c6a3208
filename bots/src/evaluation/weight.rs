//! What one term of the hand-written evaluation weighs.

/// How many phases a term has weights for.
pub const PHASES: usize = 5;

/// What a term weighs in each phase, in hundredths of a stone.
pub type Weight = [i32; PHASES];
