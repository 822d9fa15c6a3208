//! The floor of every ladder: a uniformly random legal turn.

use fanorona_protocol::messages::{Limits, OptionSpec};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bot::{Bot, Choice, Observer, Task};
use crate::seed;

/// Plays every legal turn with the same probability, paths to one position counting apart.
pub struct Random {
    seed: u64,
    random: ChaCha8Rng,
}

impl Random {
    /// A player with the default seed.
    pub fn new() -> Random {
        Random { seed: 0, random: ChaCha8Rng::seed_from_u64(0) }
    }
}

impl Default for Random {
    fn default() -> Random {
        Random::new()
    }
}

impl Bot for Random {
    fn name(&self) -> &'static str {
        "bot-random"
    }

    fn options(&self) -> Vec<OptionSpec> {
        vec![seed::option()]
    }

    fn set_option(&mut self, name: &str, value: &str) {
        if name == seed::NAME {
            self.seed = seed::read(value);
            self.new_game();
        }
    }

    fn new_game(&mut self) {
        self.random = ChaCha8Rng::seed_from_u64(self.seed);
    }

    fn choose(&mut self, task: &Task<'_>, _: &mut dyn Observer) -> Choice {
        let index = self.random.random_range(0..task.turns.len());
        Choice { turn: task.turns[index].turn, nodes: 1 }
    }

    fn bench_limits(&self) -> Limits {
        Limits::of_nodes(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{RootTurn, Unobserved};
    use crate::budget::Budget;
    use fanorona_protocol::rules::{History, Ruleset, Start};
    use std::collections::HashMap;

    #[test]
    fn every_turn_is_about_as_likely() {
        let (game, rules) = (History::new(Start::TSIVY.riatra()), Ruleset::default());
        let turns = RootTurn::all(game.position(), &rules);
        let budget = Budget::of_limits(&Limits::of_nodes(1));
        let task = Task { game: &game, rules: &rules, turns: &turns, budget: &budget };
        let mut bot = Random::new();
        let mut counts = HashMap::new();
        for _ in 0..5000 {
            *counts.entry(bot.choose(&task, &mut Unobserved).turn).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 5);
        // Each count has mean 1000 and standard deviation 28.
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
