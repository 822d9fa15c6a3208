//! The fixed positions of `bench`. Their node count is the signature of a bot: the same on every
//! machine and in every run.

use std::time::Duration;

use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{Game, Position, Ruleset};

use crate::bot::{Bot, NullObserver, RootMove, Task, nodes_per_second};
use crate::budget::Budget;
use crate::platform::Instant;

/// Openings, middle games, endgames and both phases of vela, on every standard board.
pub(crate) const POSITIONS: [&str; 18] = [
    "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w - 0 1",
    "bbbb1bbbb/bbbb2bbb/bWb4bW/WWWWWWW1W/WWWWWWWW1 b - 0 2",
    "bbbbbbbbb/bbb1bbbbb/bW1W1bWbW/W1WWW1WWW/1WWWWWWWW w - 0 3",
    "bbbb1b1bb/bbbbbWbbb/bW3b1bW/WWWW1WW1W/WWWWWWWW1 b - 0 4",
    "WWWWWbbbb/WWWWbbbbb/WWWW1bbbb/WWWWWbbbb/WWWWbbbbb w - 0 1",
    "b1bb1b1bb/b3b1b2/1W2b1b1W/W1WW2W1W/WW1W1WW1W w - 3 14",
    "3b1b2b/1b5b1/b3W2b1/2W1W3W/1W2W1W2 b - 7 21",
    "b7b/2b6/4W4/6W2/W6W1 w - 12 33",
    "4b4/9/2b1b4/9/1W2W2W1 w - 20 41",
    "8b/9/2W1b4/5b3/1W7 b - 31 50",
    "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w 0 1",
    "bbbbbbbbb/b1bb1bbbb/b1b3WbW/1b2bb2W/1W2W1WWW b b 0 8",
    "3b1b2b/1b1Wb1b1b/1W2WW2W/WW1WWWWWW/WWWWWWWWW w w 0 16",
    "b7b/2b6/4WW3/3W1WW1b/WWWW1WWWW b w 2 30",
    "bbbbb/bbbbb/bW1bW/WWWWW/WWWWW w - 0 1",
    "b1b1b/1b3/b3W/1W2W/W1W2 b - 4 12",
    "bbb/b1W/WWW w - 0 1",
    "bbb/bbb/bbb/b1W/WWW/WWW/WWW w - 0 1",
];

/// The result of a bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Measure {
    /// Nodes searched in all positions.
    pub(crate) nodes: u64,
    /// The time of the searches.
    pub(crate) time: Duration,
}

impl Measure {
    /// Nodes per second.
    pub(crate) fn nps(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Lets a bot search every position, each from a cleared state. The bot is cleared again at the
/// end. Only the searches are timed.
pub(crate) fn run(bot: &mut dyn Bot) -> Measure {
    let rules = Ruleset::default();
    let limits = bot.bench_limits();
    let mut search = |fen: &str, limits: &Limits| {
        let position: Position = fen.parse().expect("the positions are legal");
        let game = Game::new(rules, position);
        let moves = RootMove::all(&position, &rules);
        bot.new_game();
        let budget = Budget::from_limits(limits);
        let task = Task { game: &game, moves: &moves, budget: &budget };
        let start = Instant::now();
        let nodes = bot.choose(&task, &mut NullObserver).nodes;
        Measure { nodes, time: start.elapsed() }
    };
    // What a bot does once in its life, such as building small endgame tables, it does here.
    for fen in POSITIONS {
        search(fen, &Limits::with_nodes(1));
    }
    let mut all = Measure { nodes: 0, time: Duration::ZERO };
    for fen in POSITIONS {
        let Measure { nodes, time } = search(fen, &limits);
        all = Measure { nodes: all.nodes + nodes, time: all.time + time };
    }
    bot.new_game();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_has_a_move() {
        for fen in POSITIONS {
            let position: Position = fen.parse().expect(fen);
            assert_eq!(position.to_string(), fen);
            assert!(!RootMove::all(&position, &Ruleset::default()).is_empty(), "{fen}");
        }
    }
}
