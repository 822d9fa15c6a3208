//! What a position is worth without a playout: captures are searched, the rest is evaluated.

use fanorona_protocol::rules::{BoardSize, Effect, Position, Ruleset};

use super::playout::RESULT_UNIT;
use crate::evaluation::network::Network;
use crate::evaluation::{Evaluator, Method};

/// The value of a decided game, beyond every evaluation.
const DECIDED: i32 = 30_000;

/// Plies of captures looked at.
const MAX_PLIES: u32 = 24;

/// How many captures are looked at by ply, the largest ones; of later plies only the largest.
const WIDTHS: [usize; 2] = [3, 2];

/// An evaluation, in hundredths of a stone, that makes seven games of ten won ones more than lost:
/// the scale on which evaluations become results.
const SCALE: f32 = 300.0;

/// The largest worth that makes a move likelier, in hundredths of a stone.
const MAX_CP: i32 = 3000;

/// The natural logarithm of three.
const THREEFOLD: f32 = 1.098_612_3;

/// Judges positions of one board size.
pub(super) struct Judge {
    size: BoardSize,
    method: Method,
    evaluator: Evaluator,
    /// The moves of the positions on the way, one after the other.
    effects: Vec<Effect>,
}

impl Judge {
    /// A judge for a board size by some means.
    pub(super) fn new(size: BoardSize, method: Method) -> Judge {
        let plies = MAX_PLIES as usize + 1;
        let evaluator = Evaluator::new(method, &Network::shipped(), size, plies);
        Judge { size, method, evaluator, effects: Vec::new() }
    }

    /// Judges positions of this board size from now on.
    pub(super) fn set_board(&mut self, size: BoardSize) {
        if size != self.size {
            *self = Judge::new(size, self.method);
        }
    }

    /// What a position is worth to the side to move after the captures both sides want, in
    /// hundredths of a stone.
    pub(super) fn at_rest(&mut self, position: &Position, rules: &Ruleset) -> i32 {
        self.effects.clear();
        self.captures(position, rules, -DECIDED, DECIDED, 0)
    }

    /// The same between plus and minus [`RESULT_UNIT`].
    pub(super) fn result(&mut self, position: &Position, rules: &Ruleset) -> i32 {
        result_of(self.at_rest(position, rules))
    }

    /// The value of a position after the captures both sides want, as far as it lies in the window,
    /// in hundredths of a stone. A side may be content with what it has, but for a debtor of vela
    /// phase one, whose captures are no choice.
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
        position.collect_effects(rules, &mut self.effects);
        let width = WIDTHS.get(ply as usize).copied().unwrap_or(1);
        for picked in start..self.effects.len().min(start + width) {
            let rest = &self.effects[picked..];
            let most =
                (0..rest.len()).max_by_key(|&index| (rest[index].gain(), std::cmp::Reverse(index)));
            self.effects.swap(picked, picked + most.unwrap_or(0));
            let child = position.play_unchecked(self.effects[picked]);
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

/// An evaluation as a result: nothing for an even position, towards a win or loss the farther from
/// it.
pub(super) fn result_of(value: i32) -> i32 {
    let value = value as f32;
    let share = value / (value * value + SCALE * SCALE).sqrt();
    (share * RESULT_UNIT as f32) as i32
}

/// How likely a move is to be the one to play, up to a factor, if it is worth so many hundredths
/// of a stone and each `scale` of them make it three times as likely.
pub(super) fn likelihood(cp: i32, scale: u32) -> f32 {
    let cp = cp.clamp(-MAX_CP, MAX_CP) as f32;
    libm::expf(cp * THREEFOLD / scale as f32)
}
