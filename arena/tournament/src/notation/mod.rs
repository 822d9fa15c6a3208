//! Games and positions as text: a drawn board, FGN, FEN and the notations of other programs.

pub mod board;
pub mod fen;
pub mod fgn;
pub mod moves;
