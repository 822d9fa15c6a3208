//! A position: stones, side to move, debtor and counters, without the history of the game.

use core::fmt;
use core::hash::{Hash, Hasher};

use super::board::Board;
use super::effect::Effect;
use super::geometry::BoardSize;
use super::key;
use super::side::Side;

/// The most stones that the creditor of a vela has in phase two; with more it is phase one. On 9x5
/// these are the 5 of 22 that are left when 17 are captured, and other boards have the same number.
pub const CREDITOR_STONES_IN_PHASE_TWO: u32 = 5;

/// A position of a game. It is small and `Copy`.
///
/// A position does not know the positions before it. The repetition rule needs them; a
/// [`Game`](super::Game) stores them.
///
/// Two positions are equal if they have the same stones, side to move and debtor. Equal positions
/// have the same [key](Position::key). The counters do not matter.
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Position, Ruleset};
/// let rules = Ruleset::default();
/// let start = Position::start(BoardSize::TSIVY);
/// let moves: Vec<String> = start.legal_moves(&rules).iter().map(|mv| mv.to_string()).collect();
/// assert_eq!(moves.len(), 5);
/// let after = start.play(&rules, &"e2e3A".parse().unwrap()).unwrap();
/// assert_eq!(after.to_string(), "bbbb1bbbb/bbbb1bbbb/bWbWWbWbW/WWWW1WWWW/WWWWWWWWW b - 0 1");
/// ```
#[derive(Clone, Copy)]
pub struct Position {
    board: Board,
    side_to_move: Side,
    debtor: Option<Side>,
    quiet: u32,
    full_move: u32,
    /// Always equal to [`key::fresh`] of the other fields.
    key: u64,
}

impl Position {
    /// Returns the usual start of riatra on a board of this size, White to move.
    pub fn start(size: BoardSize) -> Position {
        Position::from_board(Board::start(size))
    }

    /// Returns the position of a riatra with these stones, White to move and no ply played.
    pub fn from_board(board: Board) -> Position {
        Position::from_parts(board, Side::White, None, 0, 1)
    }

    /// Assembles a position. The caller guarantees that there is a stone and that the full move is
    /// at least 1.
    pub(super) fn from_parts(
        board: Board,
        side_to_move: Side,
        debtor: Option<Side>,
        quiet: u32,
        full_move: u32,
    ) -> Position {
        let key = key::fresh(&board, side_to_move, debtor);
        Position { board, side_to_move, debtor, quiet, full_move, key }
    }

    /// Returns the same position with this debtor, as part of a vela, or with `None` as part of a
    /// riatra.
    #[must_use]
    pub fn with_debtor(self, debtor: Option<Side>) -> Position {
        Position::from_parts(self.board, self.side_to_move, debtor, self.quiet, self.full_move)
    }

    /// Returns the same position with other stones, at least one.
    pub(super) fn with_board(self, board: Board) -> Position {
        Position::from_parts(board, self.side_to_move, self.debtor, self.quiet, self.full_move)
    }

    /// Returns the stones on the board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Returns the side to move.
    #[inline]
    pub fn side_to_move(&self) -> Side {
        self.side_to_move
    }

    /// Returns the debtor of a vela, the loser of the game before, in both phases. Returns `None`
    /// in riatra.
    #[inline]
    pub fn debtor(&self) -> Option<Side> {
        self.debtor
    }

    /// Returns the number of plies, of both sides together, since the last capture.
    #[inline]
    pub fn quiet_plies(&self) -> u32 {
        self.quiet
    }

    /// Returns the number of the full move. It starts at 1 and grows after each move of Black.
    pub fn full_move(&self) -> u32 {
        self.full_move
    }

    /// Returns the Zobrist key. Equal positions have the same key; different positions almost never
    /// do.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Returns the same key, computed from scratch instead of updated with every move. Tests
    /// compare the two.
    pub fn fresh_key(&self) -> u64 {
        key::fresh(&self.board, self.side_to_move, self.debtor)
    }

    /// Whether this is a vela in phase one: the creditor has more than
    /// [`CREDITOR_STONES_IN_PHASE_TWO`] stones.
    #[inline]
    pub fn is_vela_phase_one(&self) -> bool {
        self.debtor.is_some_and(|debtor| self.board.count(!debtor) > CREDITOR_STONES_IN_PHASE_TWO)
    }

    /// Returns the position after a move, given by the effect that the generator returned for it in
    /// this same position. [`Position::play`] takes a [`Move`](super::Move) and checks it.
    ///
    /// The effect is not checked. With any other effect the result is a position that the rules
    /// cannot reach.
    #[inline]
    #[must_use]
    pub fn apply_unchecked(&self, effect: Effect) -> Position {
        let moved = effect.moved();
        let captured = effect.captured();
        Position {
            board: self.board.after(self.side_to_move, moved, captured),
            side_to_move: !self.side_to_move,
            debtor: self.debtor,
            quiet: if captured == 0 { self.quiet.saturating_add(1) } else { 0 },
            full_move: self.full_move.saturating_add((self.side_to_move == Side::Black) as u32),
            key: self.key
                ^ key::of_stones(self.side_to_move, moved)
                ^ key::of_stones(!self.side_to_move, captured)
                ^ key::of_other_side(),
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.board, self.side_to_move, self.debtor)
            == (other.board, other.side_to_move, other.debtor)
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
