//! Games and positions as text that other programs read.

pub mod fen;
pub mod fgn;
