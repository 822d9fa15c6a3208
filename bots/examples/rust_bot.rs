//! A bot in Rust based on the crate `fanorona-bots`: it plays the move that leaves the enemy the
//! fewest replies. The guide `arena/guides/write-your-own-bot.md` explains it.

use std::process::ExitCode;

use fanorona_bots::bot::{Bot, Choice, Observer, OptionError, Task};
use fanorona_bots::session;
use fanorona_protocol::messages::{Limits, OptionSpec};

struct Squeeze;

impl Bot for Squeeze {
    fn name(&self) -> &'static str {
        "squeeze"
    }

    fn options(&self) -> Vec<OptionSpec> {
        Vec::new()
    }

    fn set_option(&mut self, _name: &str, _value: &str) -> Result<(), OptionError> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn choose(&mut self, task: &Task<'_>, _: &mut dyn Observer) -> Choice {
        let position = task.game.position();
        let rules = task.game.rules();
        let answers = |effect| position.apply_unchecked(effect).legal_moves(rules).len();
        let best = task.moves.iter().min_by_key(|root| answers(root.effect));
        Choice { mv: best.expect("a task has a move").mv, nodes: task.moves.len() as u64 }
    }

    fn bench_limits(&self) -> Limits {
        Limits::with_depth(1)
    }
}

fn main() -> ExitCode {
    session::run(Squeeze)
}
