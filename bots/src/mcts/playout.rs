//! One game played out from a position, and what it was worth.
//!
//! Moves are chosen while the generator shows them, with one candidate kept at a time, or few where
//! all are equally likely, so that a playout asks for no memory.

use fanorona_protocol::rules::{Effect, Position, Ruleset, Side};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What a won game is worth to its winner; a lost one is worth the negative, a draw nothing.
pub const RESULT_UNIT: i32 = 1000;

/// Plies after which a playout is judged whatever is on the board.
const MAX_PLIES: u32 = 1000;

/// A lead of so many stones is judged half a win.
pub(super) const HALF_WIN_STONES: i32 = 3;

/// Of so many moves of a greedy playout one is chosen as in a uniform one.
const GREEDY_LAPSE: u32 = 8;

/// How moves of a playout are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Playout {
    /// Every move is as likely.
    Uniform,
    /// Moves are likely as the square of what they capture.
    Weighted,
    /// One of the moves that capture most, but for an occasional lapse.
    Greedy,
}

/// PlayoutRng numbers, the same on every machine for a seed.
#[derive(Clone, Debug)]
pub struct PlayoutRng(Xoshiro256PlusPlus);

impl PlayoutRng {
    /// The sequence of a seed.
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

/// A candidate drawn from moves as they pass by, every move with the chance of its weight.
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

/// Candidates of a lot; most positions have fewer moves.
const BATCH: usize = 128;

/// Equally likely candidates, gathered in lots as they pass by: one random number for all of a lot
/// costs less than one for each.
struct ReservoirSampler {
    batch: [u64; BATCH],
    /// Candidates in the lot.
    count: usize,
    /// Candidates of the lots before.
    before: u32,
    /// The one drawn from those.
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
        self.batch[self.count] = effect.pack();
        self.count += 1;
    }

    /// Draws from the lot and those before, and begins the next one.
    fn settle(&mut self, random: &mut PlayoutRng) {
        let count = self.count as u32;
        if count > 0 && random.below(self.before + count) < count {
            self.chosen = Some(self.batch[random.below(count) as usize]);
        }
        self.before += count;
        self.count = 0;
    }

    /// One of all candidates, if there were any; then there are none.
    #[inline]
    fn draw(&mut self, random: &mut PlayoutRng) -> Option<Effect> {
        if self.before == 0 {
            let count = std::mem::take(&mut self.count);
            return (count > 0)
                .then(|| Effect::unpack(self.batch[random.below(count as u32) as usize % BATCH]));
        }
        self.settle(random);
        self.before = 0;
        self.chosen.take().map(Effect::unpack)
    }
}

/// One move of a playout; `None` when there is none.
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
        Playout::Weighted => position.visit_effects(rules, |effect| {
            let gain = effect.gain();
            draw.add(effect, (gain * gain).max(1));
        }),
        Playout::Greedy => {
            let mut most = 0;
            position.visit_effects(rules, |effect| {
                let gain = effect.gain();
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

/// How a game is played out.
#[derive(Clone, Copy, Debug)]
pub struct Rollout<'r> {
    /// The rules of the game.
    pub rules: &'r Ruleset,
    /// How moves are chosen.
    pub playout: Playout,
    /// Plies after which it is judged by its stones, as soon as nothing can be captured, though not
    /// in vela phase one, where stones say little.
    pub length: u32,
    /// Plies to the limit of the whole game.
    pub plies_left: u32,
}

impl<'r> Rollout<'r> {
    /// A game that is played out to its end, unless it goes on for ever.
    pub fn whole(rules: &'r Ruleset, playout: Playout) -> Rollout<'r> {
        Rollout { rules, playout, length: MAX_PLIES, plies_left: u32::MAX }
    }

    /// Plays a game from a position and says what it was worth to the side to move there, between
    /// plus and minus [`RESULT_UNIT`].
    pub fn play(self, start: &Position, random: &mut PlayoutRng) -> i32 {
        self.play_until_known(start, random, |_| None)
    }

    /// The same; the game also ends in a position whose worth to the side to move `known` tells.
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
                // Only the captures that are due are still to be played: none is left to chance.
                _ if ply >= length => Playout::Greedy,
                Playout::Greedy if random.below(GREEDY_LAPSE) == 0 => Playout::Uniform,
                playout => playout,
            };
            let Some(effect) = choose(&position, rules, playout, &mut sampler, random) else {
                let winner = rules.ending(&position).and_then(|ending| ending.winner);
                return winner.map_or(0, |winner| result(winner == side));
            };
            position = position.play_unchecked(effect);
        }
        judgement(&position, side)
    }
}

/// What a decided game is worth.
pub(super) fn result(won: bool) -> i32 {
    if won { RESULT_UNIT } else { -RESULT_UNIT }
}

/// What a position's stones are worth to a side: nothing when equal, towards a win or loss the
/// larger the difference.
fn judgement(position: &Position, side: Side) -> i32 {
    let stones = |side| position.board().count(side) as i32;
    let lead = stones(side) - stones(!side);
    RESULT_UNIT * lead / (lead.abs() + HALF_WIN_STONES)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each of so many candidates is drawn.
    fn drawn(candidates: usize, draws: u32) -> Vec<u32> {
        let (mut sampler, mut random) = (ReservoirSampler::new(), PlayoutRng::new(1));
        let mut times = vec![0; candidates];
        for _ in 0..draws {
            for candidate in 0..candidates {
                sampler.add(Effect::unpack(candidate as u64), &mut random);
            }
            match sampler.draw(&mut random) {
                Some(effect) => times[effect.pack() as usize] += 1,
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
}
