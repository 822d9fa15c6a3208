//! The speed of `bot-alphabeta`: fixed positions searched for a fixed number of nodes.
//!
//! `cargo bench -p fanorona-bots --bench search` prints nodes per second. Nodes are those of the whole
//! search, positions below the horizon included.

#[path = "../../protocol/benches/measure/mod.rs"]
mod measure;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, NullObserver, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{Game, Ruleset};
use measure::Benchmarks;

const NODES: u64 = 200_000;

const POSITIONS: [(&str, &str); 4] = [
    ("start", "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w"),
    ("middle", "b1b1bb1b1/1b1b2b1b/b3W3b/W1W2W1W1/1WW1W2WW w"),
    ("telo noho dimy", "2b3b2/9/4b4/1W5W1/W3W3W w"),
    ("vela", "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w w"),
];

fn main() {
    let benchmarks = Benchmarks::asked();
    let rules = Ruleset::default();
    let mut bot = AlphaBeta::new();
    for (name, text) in POSITIONS {
        let game = Game::new(rules, text.parse().expect("a position"));
        let moves = RootMove::all(game.position(), &rules);
        benchmarks.time(&format!("alphabeta, {name}"), NODES, || {
            bot.new_game();
            let budget = Budget::from_limits(&Limits::with_nodes(NODES));
            let task = Task { game: &game, moves: &moves, budget: &budget };
            bot.choose(&task, &mut NullObserver)
        });
    }
}
