//! A position: stones, side to move, debtor and counters, without a memory.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use super::board::Board;
use super::generate::{self, Effect};
use super::geometry::BoardSize;
use super::key;
use super::legality::{self, IllegalTurn};
use super::ruleset::Ruleset;
use super::side::Side;
use super::turn::Turn;

/// A position of a game, small and `Copy`. It has no memory: what repetition needs is a
/// [`History`](super::History).
///
/// Two positions are equal, and have the same [key](Position::key), when stones, side to move and
/// debtor are; the counters do not matter.
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, Position, Ruleset};
/// let rules = Ruleset::default();
/// let start = Position::start(BoardSize::TSIVY);
/// let turns: Vec<String> = start.turns(&rules).iter().map(|turn| turn.to_string()).collect();
/// assert_eq!(turns.len(), 5);
/// let after = start.play(&rules, &"e2e3A".parse().unwrap()).unwrap();
/// assert_eq!(after.to_string(), "bbbb1bbbb/bbbb1bbbb/bWbWWbWbW/WWWW1WWWW/WWWWWWWWW b - 0 1");
/// ```
#[derive(Clone, Copy)]
pub struct Position {
    board: Board,
    turn: Side,
    debtor: Option<Side>,
    quiet: u32,
    full_move: u32,
    /// Always what [`key::fresh`] would give.
    key: u64,
}

impl Position {
    /// The usual start of riatra on a board of this size: White to move.
    pub fn start(size: BoardSize) -> Position {
        Position::of_board(Board::start(size))
    }

    /// White to move on a board in riatra, no ply played.
    pub fn of_board(board: Board) -> Position {
        Position::of_parts(board, Side::White, None, 0, 1)
    }

    /// Puts a position together. The caller has made sure that there is a stone and that the full
    /// move is at least 1.
    pub(super) fn of_parts(
        board: Board,
        turn: Side,
        debtor: Option<Side>,
        quiet: u32,
        full_move: u32,
    ) -> Position {
        let key = key::fresh(&board, turn, debtor);
        Position { board, turn, debtor, quiet, full_move, key }
    }

    /// The same position as one of a vela with this debtor, or of riatra with `None`.
    pub fn with_debtor(self, debtor: Option<Side>) -> Position {
        Position::of_parts(self.board, self.turn, debtor, self.quiet, self.full_move)
    }

    /// The stones.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Side {
        self.turn
    }

    /// In a vela, the loser of the game before, in both phases; `None` in riatra.
    #[inline]
    pub fn debtor(&self) -> Option<Side> {
        self.debtor
    }

    /// Plies played by either side since the last capture.
    #[inline]
    pub fn quiet_plies(&self) -> u32 {
        self.quiet
    }

    /// The number of the full move, from 1; it grows after Black's turn.
    pub fn full_move(&self) -> u32 {
        self.full_move
    }

    /// A number that equal positions share and different ones almost never do.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The same number computed from the stones alone instead of turn by turn.
    pub fn fresh_key(&self) -> u64 {
        key::fresh(&self.board, self.turn, self.debtor)
    }

    /// Whether this is a vela in phase one: its creditor has more than five stones.
    #[inline]
    pub fn is_vela_phase_one(&self) -> bool {
        self.debtor.is_some_and(|debtor| self.board.count(!debtor) > 5)
    }

    /// Whether the side to move has a capture on the board: a step that would take a stone, be it
    /// allowed to (a creditor in phase one is not) or not.
    #[inline]
    pub fn has_capture(&self) -> bool {
        generate::has_capture(self)
    }

    /// Whether there is any legal turn.
    pub fn has_turn(&self, rules: &Ruleset) -> bool {
        generate::has_turn(self, rules)
    }

    /// Every legal turn, as the stones alone decide it: that a game is over (no enemy stone left,
    /// repetition, a limit) is for [`Ruleset::ending`] and [`History`](super::History) to say. A
    /// starved or blocked side has none.
    pub fn turns(&self, rules: &Ruleset) -> Vec<Turn> {
        let mut turns = Vec::new();
        // The visitor never breaks.
        let _ = self.visit_turns(rules, |turn, _| {
            turns.push(*turn);
            ControlFlow::Continue(())
        });
        turns
    }

    /// Shows every legal turn with its effect to a visitor, until it breaks. Allocates nothing.
    pub fn visit_turns(
        &self,
        rules: &Ruleset,
        mut visit: impl FnMut(&Turn, Effect) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        generate::turns(self, rules, &mut visit)
    }

    /// The effect of every legal turn, in the order of [`Position::turns`].
    pub fn effects(&self, rules: &Ruleset) -> Vec<Effect> {
        let mut effects = Vec::new();
        self.collect_effects(rules, &mut effects);
        effects
    }

    /// Adds the effect of every legal turn to a list, in the order of [`Position::turns`].
    pub fn collect_effects(&self, rules: &Ruleset, effects: &mut Vec<Effect>) {
        generate::effects(self, rules, |effect| effects.push(effect));
    }

    /// Shows the effect of every legal turn to a visitor, in the order of
    /// [`Position::visit_turns`] but without the paths, which is faster. Allocates nothing.
    ///
    /// The generator is compiled anew for every visitor and every size of board, so this is for hot
    /// paths that do not want a list of [`Position::effects`].
    #[inline]
    pub fn visit_effects(&self, rules: &Ruleset, visit: impl FnMut(Effect)) {
        generate::effects(self, rules, visit);
    }

    /// How many legal turns there are.
    pub fn count_turns(&self, rules: &Ruleset) -> u64 {
        generate::count(self, rules)
    }

    /// The position after a turn, or why the turn is not legal here.
    pub fn play(&self, rules: &Ruleset, turn: &Turn) -> Result<Position, IllegalTurn> {
        legality::effect_of(self, rules, turn).map(|effect| self.play_unchecked(effect))
    }

    /// What a turn would do, or why it is not legal here.
    pub fn effect_of(&self, rules: &Ruleset, turn: &Turn) -> Result<Effect, IllegalTurn> {
        legality::effect_of(self, rules, turn)
    }

    /// The position after a turn this very position has generated. With any other effect the
    /// result is a position that never was.
    #[inline]
    pub fn play_unchecked(&self, effect: Effect) -> Position {
        let moved = effect.moved();
        let captured = effect.captured();
        Position {
            board: self.board.after(self.turn, moved, captured),
            turn: !self.turn,
            debtor: self.debtor,
            quiet: if captured == 0 { self.quiet.saturating_add(1) } else { 0 },
            full_move: self.full_move.saturating_add((self.turn == Side::Black) as u32),
            key: self.key
                ^ key::of_stones(self.turn, moved)
                ^ key::of_stones(!self.turn, captured)
                ^ key::of_other_side(),
        }
    }
}

impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        (self.board, self.turn, self.debtor) == (other.board, other.turn, other.debtor)
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
