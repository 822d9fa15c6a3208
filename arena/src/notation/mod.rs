//! Games and positions as text: FGN, FEN and the notations of other programs.

pub mod fen;
pub mod fgn;
pub mod moves;
