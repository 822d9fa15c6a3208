//! A playout: a game played from a position to its end, and its result.
//!
//! Moves are chosen while the generator produces them. Only one candidate is kept at a time, or a
//! small batch where all are equally likely, so a playout allocates no memory.

use fanorona_protocol::rules::{Effect, Position, Ruleset, Side, raw};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The result of a won game for its winner; a lost game has the negative result, a draw 0.
pub const RESULT_UNIT: i32 = 1000;

/// The length after which every playout ends and is judged by its stones.
const MAX_PLIES: u32 = 1000;

/// The lead in stones that counts as half a win.
const HALF_WIN_STONES: i32 = 3;

/// One of this many moves of a greedy playout is chosen uniformly at random.
const GREEDY_LAPSE: u32 = 8;

/// The policy that chooses the moves of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    /// All moves are equally likely.
    Uniform,
    /// Moves are weighted by the square of the number of stones they capture.
    Weighted,
    /// One of the moves that capture the most stones, except for an occasional random move.
    Greedy,
}

/// PlayoutRng numbers, the same on every machine for a seed.
#[derive(Clone, Debug)]
pub struct PlayoutRng(Xoshiro256PlusPlus);

impl PlayoutRng {
    /// The generator of a seed.
    pub fn new(seed: u64) -> PlayoutRng {
        PlayoutRng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A number from 0 to below `bound`, which is at least 1. The bias of the multiplication stays
    /// below bound / 2³².
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        let high = self.0.next_u64() >> 32;
        ((high * u64::from(bound)) >> 32) as u32
    }
}

/// Draws one candidate from a stream, with a probability proportional to its weight.
struct WeightedSampler<'r> {
    random: &'r mut PlayoutRng,
    total: u32,
    chosen: Option<Effect>,
}

impl<'r> WeightedSampler<'r> {
    fn new(random: &'r mut PlayoutRng) -> WeightedSampler<'r> {
        WeightedSampler { random, total: 0, chosen: None }
    }

    #[inline(always)]
    fn add(&mut self, effect: Effect, weight: u32) {
        self.total = self.total.saturating_add(weight);
        if self.random.below(self.total) < weight {
            self.chosen = Some(effect);
        }
    }
}

/// The size of a batch; most positions have fewer moves.
const BATCH: usize = 128;

/// Draws one of several equally likely candidates (reservoir sampling). It collects candidates in
/// batches, because one random number for a batch costs less than one for each candidate.
struct ReservoirSampler {
    batch: [u64; BATCH],
    /// The number of candidates in the batch.
    count: usize,
    /// The number of candidates in earlier batches.
    before: u32,
    /// The candidate drawn from the earlier batches.
    chosen: Option<u64>,
}

impl ReservoirSampler {
    fn new() -> ReservoirSampler {
        ReservoirSampler { batch: [0; BATCH], count: 0, before: 0, chosen: None }
    }

    #[inline(always)]
    fn add(&mut self, effect: Effect, random: &mut PlayoutRng) {
        if self.count == BATCH {
            self.settle(random);
        }
        self.batch[self.count] = raw::pack(effect);
        self.count += 1;
    }

    /// Draws from the current batch and the earlier ones, and starts the next batch.
    fn settle(&mut self, random: &mut PlayoutRng) {
        let count = self.count as u32;
        if count > 0 && random.below(self.before + count) < count {
            self.chosen = Some(self.batch[random.below(count) as usize]);
        }
        self.before += count;
        self.count = 0;
    }

    /// Draws one of all candidates, if there are any, and clears the sampler.
    #[inline]
    fn draw(&mut self, random: &mut PlayoutRng) -> Option<Effect> {
        if self.before == 0 {
            let count = std::mem::take(&mut self.count);
            return (count > 0)
                .then(|| raw::unpack(self.batch[random.below(count as u32) as usize % BATCH]));
        }
        self.settle(random);
        self.before = 0;
        self.chosen.take().map(raw::unpack)
    }
}

/// Chooses a move of a playout; `None` if there is no legal move.
#[inline]
fn choose(
    position: &Position,
    rules: &Ruleset,
    playout: Playout,
    sampler: &mut ReservoirSampler,
    random: &mut PlayoutRng,
) -> Option<Effect> {
    let mut draw = WeightedSampler::new(random);
    match playout {
        Playout::Uniform => {
            position.visit_effects(rules, |effect| sampler.add(effect, draw.random));
            return sampler.draw(random);
        }
        // One visitor for both: the compiler generates the moves separately for each.
        Playout::Weighted | Playout::Greedy => {
            let mut most = 0;
            position.visit_effects(rules, |effect| {
                let gain = effect.gain();
                if playout == Playout::Weighted {
                    draw.add(effect, (gain * gain).max(1));
                    return;
                }
                if gain > most {
                    most = gain;
                    draw.total = 0;
                }
                if gain == most {
                    draw.add(effect, 1);
                }
            });
        }
    }
    draw.chosen
}

/// The parameters of a playout.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<'r> {
    /// The rules of the game.
    pub rules: &'r Ruleset,
    /// The policy that chooses moves.
    pub playout: Playout,
    /// The length in plies after which the playout is judged by its stones, as soon as nothing can
    /// be captured. In vela phase one, where stones say little, it goes on.
    pub length: u32,
    /// The plies left before the limit of the game.
    pub plies_left: u32,
}

impl<'r> Rollout<'r> {
    /// A playout to the end of the game, except for games that never end.
    pub fn whole(rules: &'r Ruleset, playout: Playout) -> Rollout<'r> {
        Rollout { rules, playout, length: MAX_PLIES, plies_left: u32::MAX }
    }

    /// Plays a game from a position. Returns the result for the side to move in that position,
    /// between plus and minus [`RESULT_UNIT`].
    pub fn play(self, start: &Position, random: &mut PlayoutRng) -> i32 {
        self.play_until_known(start, random, |_| None)
    }

    /// Like [`Rollout::play`], but the game also ends at a position for which `known` returns a
    /// result for its side to move.
    #[inline]
    pub(super) fn play_until_known(
        self,
        start: &Position,
        random: &mut PlayoutRng,
        known: impl Fn(&Position) -> Option<i32>,
    ) -> i32 {
        let Rollout { rules, playout, length, plies_left } = self;
        let side = start.side_to_move();
        let mut position = *start;
        let mut sampler = ReservoirSampler::new();
        for ply in 0..MAX_PLIES {
            if let Some(value) = known(&position) {
                return if position.side_to_move() == side { value } else { -value };
            }
            if ply >= plies_left || rules.quiet > 0 && position.quiet_plies() >= rules.quiet {
                return 0;
            }
            if ply >= length && !position.has_capture() && !position.is_vela_phase_one() {
                break;
            }
            let playout = match playout {
                // Only compulsory captures remain to be played, so no move is random.
                _ if ply >= length => Playout::Greedy,
                Playout::Greedy if random.below(GREEDY_LAPSE) == 0 => Playout::Uniform,
                playout => playout,
            };
            let Some(effect) = choose(&position, rules, playout, &mut sampler, random) else {
                let winner = rules.ending(&position).and_then(|ending| ending.winner);
                return winner.map_or(0, |winner| result(winner == side));
            };
            position = position.apply_unchecked(effect);
        }
        judgement(&position, side)
    }
}

/// The result of a decided game.
pub(super) fn result(won: bool) -> i32 {
    if won { RESULT_UNIT } else { -RESULT_UNIT }
}

/// The result expected from the stones of a position for a side: 0 when equal, towards a win or a
/// loss for larger differences.
fn judgement(position: &Position, side: Side) -> i32 {
    let stones = |side| position.board().count(side) as i32;
    let lead = stones(side) - stones(!side);
    RESULT_UNIT * lead / (lead.abs() + HALF_WIN_STONES)
}

/// The lead, in hundredths of a stone, that [`judgement`] converts to this result.
pub(super) fn lead_of(result: i32) -> i32 {
    let room = (RESULT_UNIT - result.abs()).max(1);
    100 * HALF_WIN_STONES * result / room
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often each candidate is drawn.
    fn drawn(candidates: usize, draws: u32) -> Vec<u32> {
        let (mut sampler, mut random) = (ReservoirSampler::new(), PlayoutRng::new(1));
        let mut times = vec![0; candidates];
        for _ in 0..draws {
            for candidate in 0..candidates {
                sampler.add(raw::unpack(candidate as u64), &mut random);
            }
            match sampler.draw(&mut random) {
                Some(effect) => times[raw::pack(effect) as usize] += 1,
                None => assert_eq!(candidates, 0),
            }
        }
        times
    }

    #[test]
    fn every_candidate_is_as_likely_however_many_there_are() {
        assert!(drawn(0, 10).is_empty());
        for candidates in [1, 7, BATCH, BATCH + 1, 3 * BATCH, 3 * BATCH + 50] {
            let times = drawn(candidates, 400 * candidates as u32);
            // 400 times each, with a deviation of 20.
            let (least, most) = (times.iter().min().unwrap(), times.iter().max().unwrap());
            assert!((300..=400).contains(least) && (400..=500).contains(most), "{times:?}");
        }
    }

    #[test]
    fn a_result_converts_back_to_its_lead_in_stones() {
        let leads =
            [("WWWWW/WWWWW/5/5/bbbbb w", 5), ("W4/5/5/5/bbbbb b", -4), ("W4/5/5/5/4b w", 0)];
        for (text, stones) in leads {
            let position: Position = text.parse().unwrap();
            let lead = lead_of(judgement(&position, Side::White));
            assert!((lead - 100 * stones).abs() <= 1, "{text} {lead}");
            assert_eq!(lead_of(judgement(&position, Side::Black)), -lead, "{text}");
        }
        assert!(
            lead_of(RESULT_UNIT) > 4500 && lead_of(-RESULT_UNIT) < -4500,
            "no stones are a win"
        );
    }
}
