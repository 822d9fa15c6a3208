//! The speed of `bot-mcts`: playouts alone, and with the tree around them.
//!
//! `cargo bench -p fanorona-bots --bench playouts` prints playouts per second.

#[path = "../../protocol/benches/measure/mod.rs"]
mod measure;

use std::hint::black_box;

use fanorona_bots::bot::{Bot, NullObserver, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::mcts::{Mcts, Playout, PlayoutRng, Rollout, Settings};
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{Game, Position, Ruleset, Start, VelaStarter};
use measure::Benchmarks;

/// Playouts of one search.
const NODES: u64 = 10_000;

fn starts() -> [(&'static str, Position); 2] {
    [("riatra", Start::TSIVY.riatra()), ("vela", Start::TSIVY.vela(VelaStarter::Debtor))]
}

fn main() {
    let benchmarks = Benchmarks::asked();
    playouts(&benchmarks);
    searches(&benchmarks);
}

fn playouts(benchmarks: &Benchmarks) {
    let rules = Ruleset::default();
    let usual = Settings::default().playout_length;
    let random = &mut PlayoutRng::new(0);
    for (name, start) in starts() {
        for (playout, length) in [
            (Playout::Uniform, 1000),
            (Playout::Weighted, 1000),
            (Playout::Greedy, 1000),
            (Playout::Uniform, usual),
            (Playout::Weighted, usual),
            (Playout::Greedy, usual),
        ] {
            let rollout = Rollout { length, ..Rollout::whole(&rules, playout) };
            benchmarks.time(
                &format!("playout of a {name}, {playout:?}, {length} plies"),
                1,
                || rollout.play(black_box(&start), random),
            );
        }
    }
}

fn searches(benchmarks: &Benchmarks) {
    let rules = Ruleset::default();
    for (name, start) in starts() {
        let game = Game::new(rules, start);
        let moves = RootMove::all(&start, &rules);
        let budget = Budget::from_limits(&Limits::with_nodes(NODES));
        benchmarks.time_each(&format!("search of a {name}"), NODES, Mcts::new, |bot| {
            let task = Task { game: &game, moves: &moves, budget: &budget };
            bot.choose(&task, &mut NullObserver)
        });
    }
}
