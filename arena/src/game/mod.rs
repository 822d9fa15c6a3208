//! Plays one game: asks the side to move, keeps the clocks, applies the rules and ends the game.

pub mod adjudication;
pub mod clock;
pub mod live;
pub mod play;
pub mod referee;
pub mod search_note;
pub mod termination;
