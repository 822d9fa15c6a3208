//! The legality of one given move, checked step by step, and the reason if it is not legal.
//!
//! Apart from `Mode`, the compulsory capture and `vela-must-offer`, this code shares nothing with the
//! generator, so that tests can compare the two.

use alloc::vec::Vec;
use core::ops::ControlFlow;

use super::effect::Effect;
use super::generate::{Chain, Mode};
use super::geometry::{Direction, Point};
use super::moves::{Capture, Move, Step};
use super::point_set::PointSet;
use super::position::Position;
use super::ruleset::Ruleset;
use super::side::Side;
use super::steps::Stones;

/// The reason why a move is not legal in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// The move leads over this point, which is not on a board of this size.
    #[error("{0} is not on a {1} board")]
    OutsideBoard(Point, super::BoardSize),
    /// The move starts on this point, where this side, which is to move, has no stone.
    #[error("{1} has no stone on {0}")]
    NotOwnStone(Point, Side),
    /// No line leads from the first point to the second one. Diagonal lines need a strong point.
    #[error("no line leads from {0} to {1}")]
    NoLine(Point, Point),
    /// A step reaches this point, which holds a stone.
    #[error("{0} is not empty")]
    Occupied(Point),
    /// The move is a paika, but the side to move has a capture.
    #[error("a capture is possible and must be played")]
    MustCapture,
    /// The step between these points has the mark `A`, but there is no enemy stone beyond it.
    #[error("the step from {0} to {1} captures nothing by approach")]
    NothingToApproach(Point, Point),
    /// The step between these points has the mark `W`, but there is no enemy stone behind it.
    #[error("the step from {0} to {1} captures nothing by withdrawal")]
    NothingToWithdrawFrom(Point, Point),
    /// The stone reaches this point a second time in the move. The starting point counts as
    /// visited.
    #[error("the stone has already visited {0} in this move")]
    Revisited(Point),
    /// The step to this point has the same direction as the step before it.
    #[error("the step to {0} has the same direction as the step before it")]
    SameDirection(Point),
    /// With `forced-continuation` the stone must capture while it can.
    #[error("the stone can capture again, so the move must continue")]
    MustContinue,
    /// With `single-first-capture` a side's first capturing move has one step only.
    #[error("the first capture of a side has one step only")]
    SingleStepOnly,
    /// In vela phase one the debtor's capture has one step only.
    #[error("in vela phase one the debtor captures with one step only")]
    DebtorSingleStepOnly,
    /// In vela phase one a debtor without a capture has no move, unless `vela-starved=paika`.
    #[error("in vela phase one the debtor must capture, but has no capture")]
    DebtorStarved,
    /// In vela phase one the creditor plays paikas only.
    #[error("in vela phase one the creditor may not capture")]
    CreditorMayNotCapture,
    /// With `vela-must-offer` the creditor must leave the debtor a capture if it can.
    #[error("another paika leaves the debtor a capture, so this one is not allowed")]
    MustOffer,
}

/// The state of the moving stone between two steps.
struct Walk {
    size: super::BoardSize,
    stones: Stones,
    here: Point,
    visited: u64,
    last: Option<Direction>,
    captured: u64,
}

impl Walk {
    /// The stone of the side to move on a point, before its first step.
    fn new(position: &Position, here: Point, index: usize) -> Walk {
        let size = position.board().size();
        let mut stones = Stones::new(position.board(), position.side_to_move());
        stones.own &= !(1 << index);
        Walk { size, stones, here, visited: 1 << index, last: None, captured: 0 }
    }

    /// Whether a point is in the set. A point outside the board is in no set.
    fn is_in(&self, set: u64, point: Option<Point>) -> bool {
        point.and_then(|p| p.index(self.size)).is_some_and(|index| set >> index & 1 == 1)
    }

    fn enemy(&self) -> u64 {
        self.stones.enemy & !self.captured
    }

    /// Returns the point a step reaches and its index, if the step is possible apart from its
    /// captures.
    fn reach(&self, direction: Direction) -> Result<(Point, usize), IllegalMove> {
        let here = self.here;
        let to = here.offset(direction).expect("a move stays on the largest board");
        let Some(index) = to.index(self.size) else {
            return Err(IllegalMove::OutsideBoard(to, self.size));
        };
        if direction.is_diagonal() && !here.is_strong() {
            return Err(IllegalMove::NoLine(here, to));
        }
        if self.visited >> index & 1 == 1 {
            return Err(IllegalMove::Revisited(to));
        }
        if (self.stones.own | self.enemy()) >> index & 1 == 1 {
            return Err(IllegalMove::Occupied(to));
        }
        if self.last == Some(direction) {
            return Err(IllegalMove::SameDirection(to));
        }
        Ok((to, index))
    }

    /// Returns the enemy stones a step captures.
    fn taken(&self, direction: Direction, capture: Capture, whole_run: bool) -> u64 {
        let (mut point, towards) = match capture {
            Capture::Approach => (self.here.offset(direction), direction),
            Capture::Withdrawal => (Some(self.here), direction.opposite()),
        };
        let mut taken = 0;
        loop {
            point = point.and_then(|p| p.offset(towards));
            if !self.is_in(self.enemy(), point) {
                return taken;
            }
            let index = point.and_then(|p| p.index(self.size)).expect("a stone is on a point");
            taken |= 1 << index;
            if !whole_run {
                return taken;
            }
        }
    }

    /// Makes a capturing step.
    fn step(
        &mut self,
        Step { direction, capture }: Step,
        whole_run: bool,
    ) -> Result<(), IllegalMove> {
        let (to, index) = self.reach(direction)?;
        let capture = capture.expect("every step of a capture carries a mark");
        let taken = self.taken(direction, capture, whole_run);
        if taken == 0 {
            return Err(match capture {
                Capture::Approach => IllegalMove::NothingToApproach(self.here, to),
                Capture::Withdrawal => IllegalMove::NothingToWithdrawFrom(self.here, to),
            });
        }
        self.captured |= taken;
        self.visited |= 1 << index;
        self.last = Some(direction);
        self.here = to;
        Ok(())
    }

    /// Whether the stone has another capturing step.
    fn can_continue(&self) -> bool {
        Direction::ALL.into_iter().any(|direction| {
            // At the left and the lower edge some directions lead to no point of any board.
            self.here.offset(direction).is_some()
                && self.reach(direction).is_ok()
                && [Capture::Approach, Capture::Withdrawal]
                    .into_iter()
                    .any(|capture| self.taken(direction, capture, false) != 0)
        })
    }
}

impl Position {
    /// Returns the position after a move.
    ///
    /// # Errors
    /// Returns the reason if the move is not legal in this position.
    pub fn play(&self, rules: &Ruleset, mv: &Move) -> Result<Position, IllegalMove> {
        self.effect_of(rules, mv).map(|effect| self.apply_unchecked(effect))
    }

    /// Returns the effect of a move.
    ///
    /// # Errors
    /// Returns the reason if the move is not legal in this position.
    pub fn effect_of(&self, rules: &Ruleset, mv: &Move) -> Result<Effect, IllegalMove> {
        effect_of(self, rules, mv)
    }

    /// Returns the stones that each step of a move captures, in the order of the steps. A paika has
    /// one step, which captures nothing.
    ///
    /// ```
    /// use fanorona_protocol::rules::{Position, Ruleset};
    /// let position: Position = "9/9/bW1b5/9/9 w".parse()?;
    /// let captures = position.captures_of(&Ruleset::default(), &"b3c3W".parse()?)?;
    /// assert_eq!(captures[0].into_iter().map(|point| point.to_string()).collect::<Vec<_>>(), ["a3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the reason if the move is not legal in this position.
    pub fn captures_of(&self, rules: &Ruleset, mv: &Move) -> Result<Vec<PointSet>, IllegalMove> {
        self.effect_of(rules, mv)?;
        let size = self.board().size();
        let from = mv.from().index(size).expect("a legal move starts on the board");
        let mut walk = Walk::new(self, mv.from(), from);
        let whole_run = !self.is_vela_phase_one();
        let captures = mv.steps().iter().map(|step| {
            let before = walk.captured;
            if step.capture.is_some() {
                walk.step(*step, whole_run)?;
            }
            let captured = walk.captured & !before;
            Ok(PointSet::from_bits(captured, size).expect("captured stones are on the board"))
        });
        captures.collect()
    }
}

fn effect_of(position: &Position, rules: &Ruleset, mv: &Move) -> Result<Effect, IllegalMove> {
    let size = position.board().size();
    let side = position.side_to_move();
    let Some(from) = mv.from().index(size) else {
        return Err(IllegalMove::OutsideBoard(mv.from(), size));
    };
    if position.board().bits(side) >> from & 1 == 0 {
        return Err(IllegalMove::NotOwnStone(mv.from(), side));
    }
    let mode = Mode::from_position(position, rules);
    let mut walk = Walk::new(position, mv.from(), from);
    if mv.is_capture() {
        let creditor = matches!(mode, Mode::Creditor { .. });
        let debtor = matches!(mode, Mode::Debtor { .. });
        let single = debtor || mode == Mode::Riatra(Chain::Single);
        if creditor {
            return Err(IllegalMove::CreditorMayNotCapture);
        }
        for &step in mv.steps() {
            walk.step(step, !debtor)?;
        }
        if single && mv.steps().len() > 1 {
            return Err(if debtor {
                IllegalMove::DebtorSingleStepOnly
            } else {
                IllegalMove::SingleStepOnly
            });
        }
        if mode == Mode::Riatra(Chain::Forced) && walk.can_continue() {
            return Err(IllegalMove::MustContinue);
        }
        let to = walk.here.index(size).expect("the stone is on the board");
        return Ok(Effect::new(from, to, walk.captured));
    }
    let (_, to) = walk.reach(mv.steps()[0].direction)?;
    let effect = Effect::new(from, to, 0);
    match mode {
        Mode::Riatra(_) | Mode::Debtor { .. } if position.has_capture() => {
            Err(IllegalMove::MustCapture)
        }
        Mode::Debtor { or_paika: false } => Err(IllegalMove::DebtorStarved),
        Mode::Creditor { must_offer: true } if !is_generated(position, rules, effect) => {
            Err(IllegalMove::MustOffer)
        }
        _ => Ok(effect),
    }
}

/// Whether the generator returns the move. Only paikas are checked this way, and a position has few
/// of them.
fn is_generated(position: &Position, rules: &Ruleset, effect: Effect) -> bool {
    let found = position.visit_moves(rules, |_, generated| match generated == effect {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    });
    found.is_break()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A regression test: the search for a further capture from `a1` once failed on points left of
    /// the board and below it.
    #[test]
    fn a_forced_chain_may_end_in_the_corner() {
        let rules: Ruleset = "forced-continuation".parse().unwrap();
        let position: Position = "3/3/1Wb w".parse().unwrap();
        let next = position.play(&rules, &"b1a1W".parse().unwrap()).unwrap();
        assert_eq!(next.to_string(), "3/3/W2 b - 0 1");
    }
}
