//! One game: asks the side to move, keeps the clocks, applies the rules, and ends it.

pub mod adjudication;
pub mod clock;
pub mod play;
pub mod referee;
pub mod termination;
