//! Which turn to look at first.
//!
//! The turns of a position are all captures or all paikas. Captures are tried by the stones they
//! take, paikas by how often their like refuted other positions; before all of them the turn the
//! table remembers, and before most of them the killers, which refuted a sister position.

use fanorona_protocol::rules::{Effect, Position, Ruleset, Side};

use super::table::Signature;
use super::value::MAX_PLY;

/// A turn to be searched, and how much it promises.
#[derive(Clone, Copy)]
pub(super) struct Candidate {
    pub(super) effect: Effect,
    /// The rank, and below it the signature, so that equal effects come together.
    key: u64,
}

/// What keys add to ranks, so that none is negative.
const RANK_OFFSET: i32 = 1 << 20;

/// The key of a turn with a signature and a rank.
#[inline]
fn key(signature: Signature, rank: i32) -> u64 {
    debug_assert!(rank >= -RANK_OFFSET);
    ((rank + RANK_OFFSET) as u64) << 32 | u64::from(signature.number())
}

/// The rank of the table's turn, above all others.
const TABLE_RANK: i32 = 1 << 30;

/// The rank of the newer killer; the older one follows.
const KILLER_RANK: i32 = 1 << 20;

/// What each captured stone adds to a rank, in units of history.
const GAIN_RANK: i32 = 1 << 12;

/// The largest amount of history.
const HISTORY_LIMIT: i32 = 1 << 13;

/// Beyond this many candidates they are sorted at once instead of one by one.
const SORT_FROM: usize = 24;

/// What was learned about turns regardless of their position.
pub(super) struct Memory {
    /// By ply: effects that refuted a position there, the newer one first.
    killers: Vec<[Option<Effect>; 2]>,
    /// By side, where from and where to: how often such turns were best rather than not.
    history: Vec<i32>,
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory { killers: vec![[None; 2]; MAX_PLY], history: vec![0; 2 << 12] }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.killers.fill([None; 2]);
        self.history.fill(0);
    }

    /// Begins a new search: killers belong to the old one, history loses half its weight.
    pub(super) fn age(&mut self) {
        self.killers.fill([None; 2]);
        self.history.iter_mut().for_each(|history| *history /= 2);
    }

    #[inline]
    fn place(side: Side, effect: Effect) -> usize {
        (side as usize) << 12 | effect.from() << 6 | effect.to()
    }

    /// How a turn has done so far, between plus and minus [`HISTORY_LIMIT`].
    #[inline]
    pub(super) fn history(&self, side: Side, effect: Effect) -> i32 {
        self.history[Memory::place(side, effect)]
    }

    /// Notes that a turn refuted a position at a ply after others before it had not.
    pub(super) fn refuted(
        &mut self,
        side: Side,
        by: Effect,
        tried: &[Candidate],
        depth: i32,
        ply: usize,
    ) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(by) {
            *killers = [Some(by), killers[0]];
        }
        let bonus = (depth * depth).min(400);
        self.learn(side, by, bonus);
        for candidate in tried {
            if candidate.effect != by {
                self.learn(side, candidate.effect, -bonus);
            }
        }
    }

    /// Moves history towards its limit, the slower the nearer it is.
    #[inline]
    fn learn(&mut self, side: Side, effect: Effect, bonus: i32) {
        let history = &mut self.history[Memory::place(side, effect)];
        *history += 16 * bonus - *history * bonus.abs() / (HISTORY_LIMIT / 16);
    }
}

/// The turns of the nodes on the path from the root, one after the other in one buffer, so that no
/// node allocates.
pub(super) struct Candidates {
    all: Vec<Candidate>,
}

impl Candidates {
    pub(super) fn new() -> Candidates {
        Candidates { all: Vec::with_capacity(4096) }
    }

    /// Adds the turns of a position; where they begin, to be handed to the other functions and at
    /// last to [`Candidates::drop_from`]. Duplicates are kept, see [`Candidates::next`].
    #[inline]
    pub(super) fn generate(&mut self, position: &Position, rules: &Ruleset) -> usize {
        let start = self.all.len();
        let all = &mut self.all;
        position.visit_effects(rules, |effect| all.push(Candidate { effect, key: 0 }));
        start
    }

    /// Ranks the turns of the node that was generated last.
    #[inline]
    pub(super) fn rank(
        &mut self,
        start: usize,
        side: Side,
        turn: Option<Signature>,
        memory: &Memory,
        ply: usize,
    ) {
        let [newer, older] = memory.killers[ply];
        let candidates = &mut self.all[start..];
        for candidate in candidates.iter_mut() {
            let effect = candidate.effect;
            let signature = Signature::of(effect);
            let rank = if turn == Some(signature) {
                TABLE_RANK
            } else {
                let mut rank = memory.history(side, effect) + effect.gain() as i32 * GAIN_RANK;
                if newer == Some(effect) {
                    rank += KILLER_RANK;
                } else if older == Some(effect) {
                    rank += KILLER_RANK - 1;
                }
                rank
            };
            candidate.key = key(signature, rank);
        }
        self.sort_many(start);
    }

    /// Ranks the turns of the node that was generated last by what they capture alone, but for the
    /// turn the table remembers.
    #[inline]
    pub(super) fn rank_by_gain(&mut self, start: usize, turn: Option<Signature>) {
        for candidate in &mut self.all[start..] {
            let effect = candidate.effect;
            let signature = Signature::of(effect);
            let rank = if turn == Some(signature) { TABLE_RANK } else { effect.gain() as i32 };
            candidate.key = key(signature, rank);
        }
        self.sort_many(start);
    }

    fn sort_many(&mut self, start: usize) {
        let candidates = &mut self.all[start..];
        if candidates.len() > SORT_FROM {
            candidates.sort_unstable_by_key(|candidate| std::cmp::Reverse(candidate.key));
        }
    }

    /// How many turns the node has that was generated last, duplicates included.
    #[inline]
    pub(super) fn count(&self, start: usize) -> usize {
        self.all.len() - start
    }

    /// The most promising turn that is left; `None` after the last. `picked` counts those gone, the
    /// node being the last one generated. Different paths with the same effect are one turn here:
    /// they come one after the other, and all but the first are passed over.
    #[inline]
    pub(super) fn next(&mut self, start: usize, picked: &mut usize) -> Option<Candidate> {
        let candidates = &mut self.all[start..];
        while *picked < candidates.len() {
            if candidates.len() <= SORT_FROM {
                let mut best = *picked;
                for index in best + 1..candidates.len() {
                    if candidates[index].key > candidates[best].key {
                        best = index;
                    }
                }
                candidates.swap(*picked, best);
            }
            let candidate = candidates[*picked];
            let before = picked.checked_sub(1).map(|last| candidates[last].effect);
            *picked += 1;
            if before != Some(candidate.effect) {
                return Some(candidate);
            }
        }
        None
    }

    /// The first `picked` turns of the node that was generated last, in the order they were taken.
    pub(super) fn picked(&self, start: usize, picked: usize) -> &[Candidate] {
        &self.all[start..start + picked]
    }

    /// Takes the node away that was generated last.
    #[inline]
    pub(super) fn drop_from(&mut self, start: usize) {
        self.all.truncate(start);
    }

    /// Takes everything away.
    pub(super) fn clear(&mut self) {
        self.all.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_effect_comes_once_and_the_best_first() {
        let rules = Ruleset::default();
        let mut candidates = Candidates::new();
        let memory = Memory::new();
        // Two ways round the same four stones, and a crowd that has to be sorted at once.
        for text in ["5/1b1b1/2W2/1b1b1/5 w", "bbbbbbbbb/1b1b1b1b1/b3W3b/1b1b1b1b1/bbbbbbbbb w"] {
            let position: Position = text.parse().unwrap();
            let mut expected = HashSet::new();
            position.visit_effects(&rules, |effect| {
                expected.insert(effect);
            });
            let start = candidates.generate(&position, &rules);
            let favourite = *expected.iter().min_by_key(|effect| effect.gain()).unwrap();
            let signature = Some(Signature::of(favourite));
            candidates.rank(start, Side::White, signature, &memory, 0);
            let mut picked = 0;
            let mut found = Vec::new();
            while let Some(candidate) = candidates.next(start, &mut picked) {
                found.push(candidate.effect);
            }
            assert_eq!(found.len(), expected.len());
            assert_eq!(found.iter().copied().collect::<HashSet<_>>(), expected);
            assert_eq!(found[0], favourite);
            assert!(found[1..].is_sorted_by_key(|effect| std::cmp::Reverse(effect.gain())));
            candidates.drop_from(start);
        }
    }
}
