//! Positions of a book, up to symmetry.

use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use fanorona_protocol::rules::{Board, BoardSize, Effect, Position, Ruleset, Side, raw};

/// Bits of one side's stones.
const STONES: u32 = 45;

/// The place of the role in the number.
const ROLE: u32 = 2 * STONES;

/// The place of the columns in the number; the rows follow.
const COLUMNS: u32 = ROLE + 2;
const ROWS: u32 = COLUMNS + 2;

/// A position as a number of 96 bits, the same for all its images: reflections, the exchange of
/// columns and rows on a square board, and the exchange of colours. All of them are worth the same
/// to the side to move. Counters of plies and moves are not part of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct PositionId(u128);

impl PositionId {
    /// Bytes of a number in a file.
    pub const BYTES: usize = 12;

    /// The identity of a position.
    pub fn new(position: &Position) -> PositionId {
        let side = position.side_to_move();
        let board = position.board();
        let view = Board::from_stones(board.stones(side), board.stones(!side))
            .expect("no point has two stones");
        let debtor = position.debtor().map(|debtor| seen_by(side, debtor));
        let (image, _) = Position::from_board(view).with_debtor(debtor).canonical();
        let size = board.size();
        let stones = |side| u128::from(raw::stones(image.board(), side));
        let role = match debtor {
            None => 0,
            Some(Side::White) => 1,
            Some(Side::Black) => 2,
        };
        let length = |points: usize| (points as u128 - 3) / 2;
        PositionId(
            stones(Side::White)
                | stones(Side::Black) << STONES
                | role << ROLE
                | length(size.columns()) << COLUMNS
                | length(size.rows()) << ROWS,
        )
    }

    /// The representative of the images: the side to move is White.
    ///
    /// `None` if the number does not describe a position.
    pub fn position(self) -> Option<Position> {
        let length = |shift: u32| 3 + 2 * (self.0 >> shift & 3) as usize;
        let size = BoardSize::new(length(COLUMNS), length(ROWS))?;
        let stones = |shift: u32| (self.0 >> shift) as u64 & ((1 << STONES) - 1);
        let (own, enemy) = (stones(0), stones(STONES));
        if own | enemy == 0 {
            return None;
        }
        let debtor = match self.0 >> ROLE & 3 {
            0 => None,
            1 => Some(Side::White),
            2 => Some(Side::Black),
            _ => return None,
        };
        let position = Position::from_board(raw::board(own, enemy, size)?).with_debtor(debtor);
        (PositionId::new(&position) == self).then_some(position)
    }

    /// The number as in a file.
    pub fn to_bytes(self) -> [u8; PositionId::BYTES] {
        let [bytes @ .., _, _, _, _] = self.0.to_le_bytes();
        bytes
    }

    /// The number of [`PositionId::to_bytes`].
    pub fn from_bytes(bytes: [u8; PositionId::BYTES]) -> PositionId {
        let mut all = [0; 16];
        all[..PositionId::BYTES].copy_from_slice(&bytes);
        PositionId(u128::from_le_bytes(all))
    }
}

/// A side as seen by the side to move, which is always White.
fn seen_by(side_to_move: Side, side: Side) -> Side {
    if side == side_to_move { Side::White } else { Side::Black }
}

impl fmt::Display for PositionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:024x}", self.0)
    }
}

/// A text that is not the number of a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("`{0}` is not the number of a position: expected 24 hexadecimal digits")]
pub struct ParsePositionIdError(String);

impl FromStr for PositionId {
    type Err = ParsePositionIdError;

    fn from_str(text: &str) -> Result<PositionId, ParsePositionIdError> {
        let wrong = || ParsePositionIdError(text.to_owned());
        if text.len() != 24 || !text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(wrong());
        }
        u128::from_str_radix(text, 16).map(PositionId).map_err(|_| wrong())
    }
}

/// The different positions after one move, in the order of their numbers, each with the first move
/// of the generator that leads there. Images of a position have the same list of numbers.
pub fn children(position: &Position, rules: &Ruleset) -> Vec<(PositionId, Effect)> {
    let mut effects: Vec<Effect> = Vec::new();
    // The visitor never breaks.
    let _ = position.visit_moves(rules, |_, effect| {
        if !effects.contains(&effect) {
            effects.push(effect);
        }
        ControlFlow::Continue(())
    });
    let child = |effect| (PositionId::new(&position.apply_unchecked(effect)), effect);
    let mut children: Vec<_> = effects.into_iter().map(child).collect();
    // The sort is stable, so the first move that leads to a position stays first.
    children.sort_by_key(|(id, _)| *id);
    children.dedup_by_key(|(id, _)| *id);
    children
}

#[cfg(test)]
mod tests {
    use super::*;
    use fanorona_protocol::rules::{Start, Symmetry};

    #[test]
    fn images_of_a_position_share_an_id() {
        let rules = Ruleset::default();
        for name in ["tsivy", "dimy", "telo", "left-right"] {
            let start: Start = name.parse().unwrap();
            let mut position = start.riatra();
            for ply in 0..12 {
                let id = PositionId::new(&position);
                let ids: Vec<_> = children(&position, &rules).iter().map(|(id, _)| *id).collect();
                for symmetry in Symmetry::all(position.board().size()) {
                    let image = symmetry.position(&position);
                    assert_eq!(PositionId::new(&image), id);
                    let of_image = children(&image, &rules);
                    assert!(of_image.iter().map(|(id, _)| *id).eq(ids.iter().copied()));
                }
                let representative = id.position().unwrap();
                assert_eq!(PositionId::new(&representative), id);
                let moves = position.legal_moves(&rules);
                let Some(mv) = moves.get(ply * 5 % moves.len().max(1)) else { break };
                position = position.play(&rules, mv).unwrap();
            }
        }
    }

    #[test]
    fn ids_ignore_colours_but_not_the_debtor() {
        let id = |text: &str| PositionId::new(&text.parse().unwrap());
        assert_eq!(id("bbb/1W1/WW1 w"), id("1bb/1b1/WWW b"));
        assert_eq!(id("bbb/1W1/WW1 w w"), id("1bb/1b1/WWW b b"));
        let roles = [id("bbb/1W1/WW1 w"), id("bbb/1W1/WW1 w w"), id("bbb/1W1/WW1 w b")];
        assert!(roles[0] != roles[1] && roles[1] != roles[2] && roles[0] != roles[2]);
        assert_ne!(id("bbb/1W1/WW1 w"), id("bbb/1W1/WW1 b"));
    }

    #[test]
    fn ids_survive_files_and_texts() {
        for text in ["b1b/1W1/WWW w", "bbbbb/bbbbb/bW1bW/WWWWW/WWWWW b b 0 1"] {
            let id = PositionId::new(&text.parse().unwrap());
            assert_eq!(PositionId::from_bytes(id.to_bytes()), id);
            assert_eq!(id.to_string().parse(), Ok(id));
        }
        for wrong in ["", "12", "+00000000000000000000001", "00000000000000000000000g"] {
            assert!(wrong.parse::<PositionId>().is_err(), "{wrong}");
        }
        // No stones, both sides on one point, and a number that is not a representative.
        let start = PositionId::new(&"b1b/1W1/WWW w".parse().unwrap());
        for wrong in [PositionId(0), PositionId(1 | 1 << STONES), PositionId(start.0 | 3 << ROLE)] {
            assert_eq!(wrong.position(), None);
        }
    }
}
