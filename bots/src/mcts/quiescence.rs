//! Evaluation of a position without a playout: searches the captures and evaluates the rest.

use fanorona_protocol::rules::{BoardSize, Effect, Position, Ruleset};

use super::playout::RESULT_UNIT;
use crate::evaluation::{Evaluator, Method};

/// The value of a decided game, larger than every evaluation.
const DECIDED: i32 = 30_000;

/// The maximum number of plies of captures.
const MAX_PLIES: u32 = 24;

/// The number of captures searched at each ply, the largest ones first; later plies search only the
/// largest capture.
const WIDTHS: [usize; 2] = [3, 2];

/// The evaluation, in hundredths of a stone, at which wins exceed losses by seven games of ten: the
/// scale that converts evaluations to results.
const SCALE: f32 = 300.0;

/// Larger evaluations make a move no likelier, in hundredths of a stone.
const MAX_CP: i32 = 3000;

/// The natural logarithm of three.
const THREEFOLD: f32 = 1.098_612_3;

/// Adds the effect of every legal move: one visitor for all of the search, because the compiler generates
/// code for every one.
pub(super) fn add_effects(position: &Position, rules: &Ruleset, effects: &mut Vec<Effect>) {
    position.visit_effects(rules, |effect| effects.push(effect));
}

/// Evaluates positions of one board size after their captures.
pub(super) struct QuiescenceSearch {
    size: BoardSize,
    method: Method,
    evaluator: Evaluator,
    /// The moves of the positions on the current path, one after the other.
    effects: Vec<Effect>,
}

impl QuiescenceSearch {
    /// A search for a board size that uses an evaluation method.
    pub(super) fn new(size: BoardSize, method: Method) -> QuiescenceSearch {
        let plies = MAX_PLIES as usize + 1;
        let evaluator = Evaluator::new(method, None, size, plies);
        QuiescenceSearch { size, method, evaluator, effects: Vec::new() }
    }

    /// Changes the board size.
    pub(super) fn set_board(&mut self, size: BoardSize) {
        if size != self.size {
            *self = QuiescenceSearch::new(size, self.method);
        }
    }

    /// The value of a position for the side to move after the captures that both sides want, in
    /// hundredths of a stone.
    pub(super) fn value(&mut self, position: &Position, rules: &Ruleset) -> i32 {
        self.effects.clear();
        self.captures(position, rules, -DECIDED, DECIDED, 0)
    }

    /// The value as a result between plus and minus [`RESULT_UNIT`].
    pub(super) fn result(&mut self, position: &Position, rules: &Ruleset) -> i32 {
        result_of(self.value(position, rules))
    }

    /// The value of a position after the captures that both sides want, bounded by the window, in
    /// hundredths of a stone. A side may stand pat, except a debtor of vela phase one, whose
    /// captures are forced.
    fn captures(
        &mut self,
        position: &Position,
        rules: &Ruleset,
        mut alpha: i32,
        beta: i32,
        ply: u32,
    ) -> i32 {
        let side = position.side_to_move();
        if position.board().count(!side) == 0 || !position.has_move(rules) {
            return match rules.ending(position).and_then(|ending| ending.winner) {
                None => 0,
                Some(winner) if winner == side => DECIDED - ply as i32,
                Some(_) => ply as i32 - DECIDED,
            };
        }
        let debt = position.is_vela_phase_one();
        let forced = debt && position.debtor() == Some(side);
        let mut best = -DECIDED;
        if !forced || ply >= MAX_PLIES || !position.has_capture() {
            best = self.evaluator.value(position, ply as usize);
            if best >= beta || debt && !forced || ply >= MAX_PLIES || !position.has_capture() {
                return best;
            }
            alpha = alpha.max(best);
        }
        let start = self.effects.len();
        add_effects(position, rules, &mut self.effects);
        let width = WIDTHS.get(ply as usize).copied().unwrap_or(1);
        for picked in start..self.effects.len().min(start + width) {
            let rest = &self.effects[picked..];
            let most =
                (0..rest.len()).max_by_key(|&index| (rest[index].gain(), std::cmp::Reverse(index)));
            self.effects.swap(picked, picked + most.unwrap_or(0));
            let child = position.apply_unchecked(self.effects[picked]);
            let value = -self.captures(&child, rules, -beta, -alpha, ply + 1);
            if value > best {
                best = value;
                alpha = alpha.max(value);
                if value >= beta {
                    break;
                }
            }
        }
        self.effects.truncate(start);
        best
    }
}

/// Converts an evaluation to a result: 0 for an even position, towards a win or a loss for larger
/// values.
pub(super) fn result_of(value: i32) -> i32 {
    let value = value as f32;
    let share = value / (value * value + SCALE * SCALE).sqrt();
    (share * RESULT_UNIT as f32) as i32
}

/// The evaluation, in hundredths of a stone, that [`result_of`] converts to this result.
pub(super) fn lead_of(result: i32) -> i32 {
    // No evaluation is a whole win.
    let share = result.clamp(1 - RESULT_UNIT, RESULT_UNIT - 1) as f32 / RESULT_UNIT as f32;
    (SCALE * share / (1.0 - share * share).sqrt()).round() as i32
}

/// The likelihood of a move, up to a factor, from its value in hundredths of a stone. A move is
/// three times as likely as one whose value is lower by `scale`.
pub(super) fn likelihood(cp: i32, scale: u32) -> f32 {
    let cp = cp.clamp(-MAX_CP, MAX_CP) as f32;
    libm::expf(cp * THREEFOLD / scale as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_converts_back_to_its_lead() {
        for lead in -3000..=3000 {
            let result = result_of(lead);
            let again = lead_of(result);
            assert!(result_of(again).abs_diff(result) <= 1, "{lead} {result} {again}");
            assert_eq!(again.signum(), result.signum(), "{lead}");
            assert_eq!(lead_of(-result), -again, "{lead}");
        }
        assert!(lead_of(RESULT_UNIT) > 3000 && lead_of(-RESULT_UNIT) < -3000);
    }
}
