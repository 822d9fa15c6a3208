//! A move that is made step by step, for programs that choose one step at a time.

use alloc::vec::Vec;

use core::ops::ControlFlow;

use super::bits::ways;
use super::board::Board;
use super::effect::Effect;
use super::generate::{Chain, Mode};
use super::geometry::{Direction, Point, lines, with_size};
use super::moves::{Capture, Step};
use super::point_set::PointSet;
use super::position::Position;
use super::ruleset::Ruleset;
use super::steps::{Captures, Stones, before, nearest, taken};

/// A move that is being made: a position and the steps so far.
///
/// The sequences of legal steps that may end are exactly the [legal moves](Position::legal_moves).
///
/// ```
/// use fanorona_protocol::rules::{BoardSize, PartialMove, Position, Ruleset};
/// let rules = Ruleset::default();
/// let mut partial = PartialMove::new(Position::start(BoardSize::TSIVY));
/// assert_eq!(partial.steps(&rules).len(), 5);
/// let (from, step) = partial.steps(&rules)[0];
/// partial.make_unchecked(from, step);
/// assert!(partial.may_end(&rules) && partial.steps(&rules).is_empty());
/// assert_eq!(partial.end().unwrap().side_to_move().letter(), 'b');
/// ```
#[derive(Clone, Copy, Debug)]
pub struct PartialMove {
    position: Position,
    stone: Option<MovingStone>,
}

/// The stone that has made at least one step.
#[derive(Clone, Copy, Debug)]
struct MovingStone {
    from: usize,
    here: usize,
    visited: u64,
    captured: u64,
    last: Step,
}

impl PartialMove {
    /// Returns a move without a step.
    pub fn new(position: Position) -> PartialMove {
        PartialMove { position, stone: None }
    }

    /// Returns the position before the move.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the stones after the steps so far.
    pub fn board(&self) -> Board {
        match self.effect() {
            None => *self.position.board(),
            Some(effect) => {
                let moved = 1 << effect.from() ^ 1 << effect.to();
                self.position.board().after(self.position.side_to_move(), moved, effect.captured())
            }
        }
    }

    /// Returns the effect of the steps so far, or `None` before the first step.
    pub fn effect(&self) -> Option<Effect> {
        self.stone.map(|stone| Effect::new(stone.from, stone.here, stone.captured))
    }

    /// Returns the points the stone has visited, its starting point included; none before the first
    /// step.
    pub fn visited(&self) -> PointSet {
        let visited = self.stone.map_or(0, |stone| stone.visited);
        PointSet::from_board_bits(visited, self.position.board().size())
    }

    /// Returns the last step, or `None` before the first one.
    pub fn last_step(&self) -> Option<Step> {
        self.stone.map(|stone| stone.last)
    }

    /// Returns every legal next step, each with the point where it begins.
    pub fn steps(&self, rules: &Ruleset) -> Vec<(Point, Step)> {
        let size = self.position.board().size();
        let mut steps = Vec::new();
        self.visit_steps(rules, |from, step| {
            let from = Point::from_index(from, size).expect("stones are on points");
            steps.push((from, step));
        });
        steps
    }

    /// Calls a visitor with every legal next step, and the index of the point where it begins.
    #[inline]
    pub(super) fn visit_steps(&self, rules: &Ruleset, mut visit: impl FnMut(usize, Step)) {
        let mode = Mode::from_position(&self.position, rules);
        match self.stone {
            Some(stone) => self.further_steps(mode, stone, visit),
            None => match mode {
                Mode::Creditor { must_offer: true } => {
                    // Each of these moves is one step, and which ones are legal depends on all.
                    let _ = self.position.visit_moves(rules, |mv, effect| {
                        visit(effect.from(), mv.steps()[0]);
                        ControlFlow::Continue(())
                    });
                }
                _ => {
                    let stones = self.stones();
                    with_size!(self.position.board().size(), I => first_steps::<I>(stones, mode, visit));
                }
            },
        }
    }

    /// Whether the move may end here: after a step, unless the stone must go on.
    pub fn may_end(&self, rules: &Ruleset) -> bool {
        let forced = Mode::from_position(&self.position, rules) == Mode::Riatra(Chain::Forced);
        self.stone.is_some() && (!forced || self.is_complete(rules))
    }

    /// Whether the move is complete: it has a step, and no further step is legal.
    pub fn is_complete(&self, rules: &Ruleset) -> bool {
        let mut more = false;
        self.stone.is_some() && {
            self.visit_steps(rules, |_, _| more = true);
            !more
        }
    }

    /// Makes a step that [`PartialMove::steps`] returned for this same partial move. The step is not
    /// checked; any other step leads to a position that the rules cannot reach.
    ///
    /// # Panics
    /// Panics if the point is not on the board.
    pub fn make_unchecked(&mut self, from: Point, step: Step) {
        let from = from.index(self.position.board().size()).expect("the point is on the board");
        self.make_from(from, step);
    }

    /// Makes the step from the point with this index.
    #[inline]
    pub(super) fn make_from(&mut self, from: usize, step: Step) {
        let phase_one = self.position.is_vela_phase_one();
        let enemy = self.enemy();
        let way =
            step.direction as usize + 8 * usize::from(step.capture == Some(Capture::Withdrawal));
        let (to, captured) = with_size!(self.position.board().size(), I => {
            let lines = lines::<I>();
            let to = from.wrapping_add_signed(isize::from(lines.delta[way % 8]));
            (to, match step.capture {
                None => 0,
                Some(_) if phase_one => nearest(lines, way, from as u32),
                Some(_) => taken(lines, way, from as u32, enemy),
            })
        });
        let before = self.stone.unwrap_or(MovingStone {
            from,
            here: from,
            visited: 1 << from,
            captured: 0,
            last: step,
        });
        self.stone = Some(MovingStone {
            from: before.from,
            here: to,
            visited: before.visited | 1 << to,
            captured: before.captured | captured,
            last: step,
        });
    }

    /// Returns the position after the move if it ends here, or `None` before the first step.
    /// [`PartialMove::may_end`] tells whether the rules allow that.
    pub fn end(&self) -> Option<Position> {
        self.effect().map(|effect| self.position.apply_unchecked(effect))
    }

    /// Returns the stones before the move, from the view of the side to move.
    fn stones(&self) -> Stones {
        Stones::new(self.position.board(), self.position.side_to_move())
    }

    /// Returns the enemy stones that are left.
    fn enemy(&self) -> u64 {
        self.stones().enemy & !self.stone.map_or(0, |stone| stone.captured)
    }

    /// Visits the steps that may follow a step of the moving stone.
    #[inline]
    fn further_steps(&self, mode: Mode, stone: MovingStone, mut visit: impl FnMut(usize, Step)) {
        if stone.captured == 0 || !matches!(mode, Mode::Riatra(Chain::Optional | Chain::Forced)) {
            return;
        }
        let (own, enemy) = (self.stones().own, self.enemy());
        let mut ways = with_size!(self.position.board().size(), I => {
            let free = lines::<I>().board & !(own | enemy | stone.visited);
            ways(lines::<I>(), stone.here as u32, enemy, free)
        });
        ways &= !(0x101 << stone.last.direction as u32);
        while ways != 0 {
            let way = ways.trailing_zeros() as usize;
            ways &= ways - 1;
            let capture = if way < 8 { Capture::Approach } else { Capture::Withdrawal };
            let direction = Direction::ALL[way % 8];
            visit(stone.here, Step { direction, capture: Some(capture) });
        }
    }
}

/// Visits the first steps of all legal moves on the board with index `I`.
#[inline]
fn first_steps<const I: usize>(stones: Stones, mode: Mode, mut visit: impl FnMut(usize, Step)) {
    let empty = stones.empty::<I>();
    let mut each = |mut movers: u64, direction: usize, capture: Option<Capture>| {
        let direction = Direction::ALL[direction];
        while movers != 0 {
            visit(movers.trailing_zeros() as usize, Step { direction, capture });
            movers &= movers - 1;
        }
    };
    if !matches!(mode, Mode::Creditor { .. }) {
        let captures = Captures::new::<I>(stones.own, stones.enemy, empty);
        let mut any = 0;
        for d in 0..8 {
            each(captures.approach[d], d, Some(Capture::Approach));
            each(captures.withdrawal[d], d, Some(Capture::Withdrawal));
            any |= captures.approach[d] | captures.withdrawal[d];
        }
        if any != 0 || mode == (Mode::Debtor { or_paika: false }) {
            return;
        }
    }
    for d in 0..8 {
        each(stones.own & before::<I>(d, empty), d, None);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{BoardSize, Move, Start, VelaStarter, raw};
    use alloc::string::{String, ToString};

    /// Every move that can be made step by step.
    fn moves_by_steps(position: &Position, rules: &Ruleset) -> Vec<String> {
        fn go(
            partial: PartialMove,
            path: &mut Vec<(Point, Step)>,
            rules: &Ruleset,
            found: &mut Vec<String>,
        ) {
            if partial.may_end(rules) {
                let steps: Vec<_> = path.iter().map(|(_, step)| *step).collect();
                let mv = Move::new(path[0].0, &steps).unwrap();
                let after = partial.position().play(rules, &mv).unwrap();
                assert_eq!(partial.end(), Some(after));
                assert_eq!(partial.board(), *after.board());
                found.push(mv.to_string());
            } else {
                assert!(!partial.is_complete(rules), "a complete move may end");
            }
            for (from, step) in partial.steps(rules) {
                let index = raw::index(from, partial.position().board().size()).unwrap();
                assert_eq!(raw::numbered_step(raw::step_number(index, step)), (index, step));
                let mut next = partial;
                next.make_unchecked(from, step);
                path.push((from, step));
                go(next, path, rules, found);
                path.pop();
            }
        }
        let mut found = Vec::new();
        go(PartialMove::new(*position), &mut Vec::new(), rules, &mut found);
        found.sort();
        found
    }

    #[test]
    fn sequences_of_steps_that_may_end_are_the_legal_moves() {
        let all = [
            "",
            "forced-continuation",
            "single-first-capture",
            "vela-must-offer",
            "vela-starved=paika forced-continuation",
        ];
        let mut compared = 0;
        for rules in all.map(|text| text.parse::<Ruleset>().unwrap()) {
            for size in BoardSize::all() {
                let start = Start::Usual(size);
                let velas = [VelaStarter::Debtor, VelaStarter::Creditor].map(|s| start.vela(s));
                for (game, mut position) in
                    [start.riatra(), velas[0], velas[1]].into_iter().enumerate()
                {
                    for ply in 0..60 {
                        let mut moves: Vec<_> =
                            position.legal_moves(&rules).iter().map(Move::to_string).collect();
                        moves.sort();
                        assert_eq!(moves_by_steps(&position, &rules), moves, "{position} {rules}");
                        compared += moves.len();
                        let Some(mv) = moves.get((ply * 7 + game) % moves.len().max(1)) else {
                            break;
                        };
                        position = position.play(&rules, &mv.parse().unwrap()).unwrap();
                    }
                }
            }
        }
        assert!(compared > 10_000, "{compared}");
    }
}
