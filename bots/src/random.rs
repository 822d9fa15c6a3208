//! The weakest bot: plays a uniformly random legal move.

use fanorona_protocol::messages::{Limits, OptionSpec, Score};

use crate::bot::{Bot, Choice, Observer, OptionError, Task, effort};
use crate::seed::{self, SeededRng};

/// Plays every legal move with the same probability. Different paths to one position count as
/// different moves.
pub struct Random {
    random: SeededRng,
}

impl Random {
    /// A player with the default seed.
    pub fn new() -> Random {
        Random { random: SeededRng::new() }
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

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        if name == seed::NAME {
            self.random.set(value);
        }
        Ok(())
    }

    fn new_game(&mut self) {
        self.random.restart();
    }

    fn choose(&mut self, task: &Task<'_>, observer: &mut dyn Observer) -> Choice {
        let mv = self.random.choose(task.moves).mv;
        // The score is the material balance only.
        let position = task.game.position();
        let stones = |side| position.board().count(side) as i32;
        observer.info({
            let mut report = effort(1, task.budget.elapsed());
            report.depth = Some(1);
            report.score = Some(Score::Cp(
                100 * (stones(position.side_to_move()) - stones(!position.side_to_move())),
            ));
            report.pv = vec![mv];
            report
        });
        Choice { mv, nodes: 1 }
    }

    fn bench_limits(&self) -> Limits {
        Limits::with_nodes(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::{NullObserver, RootMove};
    use crate::budget::Budget;
    use fanorona_protocol::rules::{Game, Ruleset, Start};
    use std::collections::HashMap;

    #[test]
    fn every_move_is_about_as_likely() {
        let game = Game::new(Ruleset::default(), Start::TSIVY.riatra());
        let moves = RootMove::all(game.position(), game.rules());
        let budget = Budget::from_limits(&Limits::with_nodes(1));
        let task = Task { game: &game, moves: &moves, budget: &budget };
        let mut bot = Random::new();
        let mut counts = HashMap::new();
        for _ in 0..5000 {
            *counts.entry(bot.choose(&task, &mut NullObserver).mv).or_insert(0u32) += 1;
        }
        assert_eq!(counts.len(), 5);
        // Each count has mean 1000 and standard deviation 28.
        assert!(counts.values().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
