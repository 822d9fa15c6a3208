//! Whether one given move is legal, judged by walking it, and if not, why.

use super::effect::Effect;
use super::generate::{Chain, Mode};
use super::geometry::{Direction, Point};
use super::moves::{Capture, Move, Step};
use super::position::Position;
use super::ruleset::Ruleset;
use super::side::Side;
use super::steps::Stones;

/// Why a move is not legal in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what each is")]
pub enum IllegalMove {
    #[error("{0} is not on a {1} board")]
    OutsideBoard(Point, super::BoardSize),
    #[error("{1} has no stone on {0}")]
    NotOwnStone(Point, Side),
    #[error("no line leads from {0} to {1}")]
    NoLine(Point, Point),
    #[error("{0} is not empty")]
    Occupied(Point),
    #[error("a capture is possible and must be played")]
    MustCapture,
    #[error("the step from {0} to {1} captures nothing by approach")]
    NothingToApproach(Point, Point),
    #[error("the step from {0} to {1} captures nothing by withdrawal")]
    NothingToWithdrawFrom(Point, Point),
    #[error("the stone has been on {0} already in this move")]
    Revisited(Point),
    #[error("the stone moves to {0} in the same direction as just before")]
    SameDirection(Point),
    #[error("the stone can capture further and must")]
    MustContinue,
    #[error("a first capture is one step only")]
    SingleStepOnly,
    #[error("in vela phase one the debtor captures by one step only")]
    DebtorSingleStepOnly,
    #[error("in vela phase one the debtor has to capture, and there is nothing to capture")]
    DebtorStarved,
    #[error("in vela phase one the creditor may not capture")]
    CreditorMayNotCapture,
    #[error("another move leaves the debtor a capture, so one of those must be played")]
    MustOffer,
}

/// A stone on its way through a move.
struct Walk {
    size: super::BoardSize,
    stones: Stones,
    here: Point,
    visited: u64,
    last: Option<Direction>,
    captured: u64,
}

impl Walk {
    /// Whether a side to move, or its opponent, has a stone on a point. Off the board nobody has.
    fn is_in(&self, set: u64, point: Option<Point>) -> bool {
        point.and_then(|p| p.index(self.size)).is_some_and(|index| set >> index & 1 == 1)
    }

    fn enemy(&self) -> u64 {
        self.stones.enemy & !self.captured
    }

    /// The index of the point a step reaches, if the step is possible apart from what it captures.
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

    /// The enemy stones a step takes.
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

    /// Whether the stone has a further capturing step.
    fn can_go_on(&self) -> bool {
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
    /// The reason why the move is not legal here.
    pub fn play(&self, rules: &Ruleset, mv: &Move) -> Result<Position, IllegalMove> {
        self.effect_of(rules, mv).map(|effect| self.play_unchecked(effect))
    }

    /// Returns what a move would do.
    ///
    /// # Errors
    /// The reason why the move is not legal here.
    pub fn effect_of(&self, rules: &Ruleset, mv: &Move) -> Result<Effect, IllegalMove> {
        effect_of(self, rules, mv)
    }
}

fn effect_of(position: &Position, rules: &Ruleset, mv: &Move) -> Result<Effect, IllegalMove> {
    let size = position.board().size();
    let side = position.side_to_move();
    let Some(from) = mv.from().index(size) else {
        return Err(IllegalMove::OutsideBoard(mv.from(), size));
    };
    let mut stones = Stones::of(position.board(), side);
    if stones.own >> from & 1 == 0 {
        return Err(IllegalMove::NotOwnStone(mv.from(), side));
    }
    let mode = Mode::of_position(position, rules);
    stones.own ^= 1 << from;
    let mut walk =
        Walk { size, stones, here: mv.from(), visited: 1 << from, last: None, captured: 0 };
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
        if mode == Mode::Riatra(Chain::Forced) && walk.can_go_on() {
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
        Mode::Creditor { must_offer: true } if !is_among(position, rules, effect) => {
            Err(IllegalMove::MustOffer)
        }
        _ => Ok(effect),
    }
}

/// Whether the generator knows the move; asked only of paikas, of which there are few.
fn is_among(position: &Position, rules: &Ruleset, effect: Effect) -> bool {
    position.effects(rules).contains(&effect)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looking for a further capture from `a1`, the walk once asked for points left of the board
    /// and below it as if a move had named them.
    #[test]
    fn a_forced_chain_may_end_in_the_corner() {
        let rules: Ruleset = "forced-continuation".parse().unwrap();
        let position: Position = "3/3/1Wb w".parse().unwrap();
        let next = position.play(&rules, &"b1a1W".parse().unwrap()).unwrap();
        assert_eq!(next.to_string(), "3/3/W2 b - 0 1");
    }
}
