//! Move ordering.
//!
//! The moves of a position are either all captures or all paikas. Captures are ordered by the
//! number of stones they take, and paikas by history: how often similar moves caused a cutoff. The
//! move from the transposition table comes first.

use fanorona_protocol::rules::{Effect, Position, Ruleset, Side, raw};

use super::parameters::{self, Kind};
use super::table::MoveKey;

/// A move to search, with its ordering key.
#[derive(Clone, Copy)]
struct Candidate {
    effect: u64,
    /// The rank in the upper bits and the key of the move below, so that equal effects are adjacent.
    key: u64,
}

impl Candidate {
    #[inline]
    fn effect(self) -> Effect {
        raw::unpack(self.effect)
    }
}

/// The offset of ranks in keys, so that keys are not negative.
const RANK_OFFSET: i32 = 1 << 20;

/// The key of a move with a rank.
#[inline]
fn key(effect: Effect, rank: i32) -> u64 {
    debug_assert!(rank > -RANK_OFFSET);
    ((rank + RANK_OFFSET) as u64) << 32 | u64::from(MoveKey::new(effect).number())
}

/// The key of a move that has been searched already; smaller than any other key.
const DONE: u64 = 0;

/// The maximum of a history counter.
const HISTORY_LIMIT: i32 = 1 << 13;

/// More candidates than this are sorted at once instead of by selection.
const SORT_FROM: usize = 24;

/// Statistics about moves, independent of the position.
pub(super) struct MoveHistory {
    /// By side, origin and destination: how often such moves caused a cutoff rather than not.
    history: Vec<i32>,
    /// The kind of game of the search.
    kind: Kind,
}

impl MoveHistory {
    pub(super) fn new() -> MoveHistory {
        MoveHistory { history: vec![0; 2 << 12], kind: Kind::Riatra }
    }

    /// Clears the statistics.
    pub(super) fn clear(&mut self) {
        self.history.fill(0);
    }

    /// Starts a new search in a game of this kind: halves the history.
    pub(super) fn age(&mut self, kind: Kind) {
        self.kind = kind;
        self.history.iter_mut().for_each(|history| *history /= 2);
    }

    #[inline]
    fn place(side: Side, effect: Effect) -> usize {
        (side as usize) << 12 | raw::from(effect) << 6 | raw::to(effect)
    }

    /// The rank of a move: the captured stones and the history.
    #[inline]
    pub(super) fn rank(&self, side: Side, effect: Effect) -> i32 {
        self.history[MoveHistory::place(side, effect)]
            + effect.gain() as i32 * parameters::gain_rank(self.kind)
    }

    /// Records that a move caused a cutoff, and that the moves tried before it did not.
    pub(super) fn refuted(
        &mut self,
        side: Side,
        by: Effect,
        tried: impl Iterator<Item = Effect>,
        depth: i32,
    ) {
        let bonus = (depth * depth).min(parameters::history_square(self.kind));
        self.learn(side, by, bonus);
        for effect in tried {
            if effect != by {
                self.learn(side, effect, -bonus);
            }
        }
    }

    /// Changes a history counter by a bonus; counters near the limit change less.
    #[inline]
    fn learn(&mut self, side: Side, effect: Effect, bonus: i32) {
        let scale = parameters::history_bonus(self.kind);
        let history = &mut self.history[MoveHistory::place(side, effect)];
        *history += scale * bonus - *history * bonus.abs() / (HISTORY_LIMIT / scale);
    }
}

/// The moves of all nodes of the current path in one buffer, so that no node allocates.
pub(super) struct Candidates {
    all: Vec<Candidate>,
}

/// The moves of one node, at the end of the buffer.
pub(super) struct Moves {
    /// The index of the first move.
    start: usize,
    /// The number of moves taken.
    picked: usize,
    /// Whether the remaining moves have keys.
    ranked: bool,
    /// Whether the next move is in its place.
    chosen: bool,
}

impl Moves {
    /// Moves the best remaining move to the front of the remaining ones. All must have keys.
    #[inline]
    fn choose(&mut self, candidates: &mut [Candidate]) {
        if candidates.len() > SORT_FROM || self.chosen {
            return;
        }
        let mut best = self.picked;
        for index in self.picked + 1..candidates.len() {
            if candidates[index].key > candidates[best].key {
                best = index;
            }
        }
        candidates.swap(self.picked, best);
        self.chosen = true;
    }
}

impl Candidates {
    pub(super) fn new() -> Candidates {
        Candidates { all: Vec::with_capacity(4096) }
    }

    /// Generates the moves of a position at the end of the buffer. The caller passes the result to
    /// the other functions, and to [`Candidates::drop`] at the end.
    #[inline]
    pub(super) fn generate(&mut self, position: &Position, rules: &Ruleset) -> Moves {
        let start = self.all.len();
        let all = &mut self.all;
        position.visit_effects(rules, |effect| {
            all.push(Candidate { effect: raw::pack(effect), key: 0 })
        });
        Moves { start, picked: 0, ranked: false, chosen: false }
    }

    /// The number of moves, where different paths with the same effect count separately.
    #[inline]
    pub(super) fn count(&self, moves: &Moves) -> usize {
        self.all.len() - moves.start
    }

    /// The best remaining move; `None` after the last one. Different paths with the same effect are
    /// one move here. The move `remembered` by the table comes first, without a rank; the others
    /// are ranked only when they are needed.
    #[inline]
    pub(super) fn next(
        &mut self,
        moves: &mut Moves,
        remembered: Option<MoveKey>,
        rank: impl Fn(Effect) -> i32,
    ) -> Option<Effect> {
        let candidates = &mut self.all[moves.start..];
        if !moves.ranked {
            if moves.picked == 0
                && let Some(key) = remembered
                && let Some(index) =
                    candidates.iter().position(|candidate| MoveKey::new(candidate.effect()) == key)
            {
                candidates.swap(0, index);
                moves.picked = 1;
                return Some(candidates[0].effect());
            }
            moves.ranked = true;
            let first = (moves.picked == 1).then(|| candidates[0].effect);
            let rest = &mut candidates[moves.picked..];
            for candidate in rest.iter_mut() {
                let effect = candidate.effect();
                let is_done = Some(candidate.effect) == first;
                candidate.key = if is_done { DONE } else { key(effect, rank(effect)) };
            }
            if moves.picked + rest.len() > SORT_FROM {
                rest.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.key));
            }
        }
        while moves.picked < candidates.len() {
            let picked = moves.picked;
            moves.choose(candidates);
            let candidate = candidates[picked];
            if candidate.key == DONE {
                return None;
            }
            moves.picked += 1;
            moves.chosen = false;
            if picked == 0 || candidates[picked - 1].effect != candidate.effect {
                return Some(candidate.effect());
            }
        }
        None
    }

    /// The move that [`Candidates::next`] will return next, if the moves are ranked already.
    #[inline]
    pub(super) fn peek(&mut self, moves: &mut Moves) -> Option<Effect> {
        let candidates = &mut self.all[moves.start..];
        if !moves.ranked || moves.picked == candidates.len() {
            return None;
        }
        moves.choose(candidates);
        Some(candidates[moves.picked].effect())
    }

    /// The moves taken so far.
    pub(super) fn picked(&self, moves: &Moves) -> impl Iterator<Item = Effect> {
        self.all[moves.start..][..moves.picked].iter().map(|candidate| candidate.effect())
    }

    /// Removes the moves of a node from the buffer.
    #[inline]
    pub(super) fn drop(&mut self, moves: &Moves) {
        self.all.truncate(moves.start);
    }

    /// Clears the buffer.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use std::ops::ControlFlow;

    #[test]
    fn every_effect_comes_once_and_the_best_first() {
        let rules = Ruleset::default();
        let mut candidates = Candidates::new();
        let history = MoveHistory::new();
        // Two paths around the same four stones, and a position with enough moves to be sorted at
        // once.
        for text in ["5/1b1b1/2W2/1b1b1/5 w", "bbbbbbbbb/1b1b1b1b1/b3W3b/1b1b1b1b1/bbbbbbbbb w"] {
            let position: Position = text.parse().unwrap();
            let mut expected = HashSet::new();
            let _ = position.visit_moves(&rules, |_, effect| {
                expected.insert(effect);
                ControlFlow::Continue(())
            });
            let favourite = *expected.iter().min_by_key(|effect| effect.gain()).unwrap();
            let key = Some(MoveKey::new(favourite));
            let mut moves = candidates.generate(&position, &rules);
            let mut found = Vec::new();
            let rank = |effect| history.rank(Side::White, effect);
            while let Some(effect) = candidates.next(&mut moves, key, rank) {
                found.push(effect);
            }
            assert_eq!(found.len(), expected.len());
            assert_eq!(found.iter().copied().collect::<HashSet<_>>(), expected);
            assert_eq!(found[0], favourite);
            assert!(found[1..].is_sorted_by_key(|effect| std::cmp::Reverse(effect.gain())));
            candidates.drop(&moves);
        }
    }
}
