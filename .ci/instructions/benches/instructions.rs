//! Instruction counts of the hot paths, which do not depend on the load of the machine.
//!
//! `.ci/counts` builds and runs this under valgrind and compares with `instructions.txt`.

#![expect(missing_docs, reason = "the macros of gungraun make public items without")]

use std::hint::black_box;

use fanorona_bots::alphabeta::AlphaBeta;
use fanorona_bots::bot::{Bot, NullObserver, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::mcts::{Playout, PlayoutRng, Rollout};
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{Game, Ruleset, Start, perft};
use gungraun::{library_benchmark, library_benchmark_group, main};

/// Nodes of the search.
const NODES: u64 = 20_000;

#[library_benchmark]
fn perft_5() -> u64 {
    perft(black_box(&Start::TSIVY.riatra()), &Ruleset::default(), 5)
}

#[library_benchmark]
fn playouts_2000() -> i32 {
    let (start, rules) = (Start::TSIVY.riatra(), Ruleset::default());
    let mut random = PlayoutRng::new(0);
    let rollout = Rollout::whole(&rules, Playout::Uniform);
    (0..2000).map(|_| rollout.play(black_box(&start), &mut random)).sum()
}

#[library_benchmark]
fn alphabeta() -> u64 {
    let rules = Ruleset::default();
    let mut bot = AlphaBeta::new();
    // Clearing a large table and building small endgame tables are not part of the search.
    bot.set_option("Hash", "1").expect("a size");
    bot.set_option("EndgameTables", "none").expect("a word for none");
    bot.new_game();
    [
        "bbbbbbbbb/bbbbbbbbb/bWbW1bWbW/WWWWWWWWW/WWWWWWWWW w",
        "b1b1bb1b1/1b1b2b1b/b3W3b/W1W2W1W1/1WW1W2WW w",
    ]
    .map(|text| {
        let game = Game::new(rules, text.parse().expect("a position"));
        let moves = RootMove::all(game.position(), &rules);
        let budget = Budget::from_limits(&Limits::with_nodes(NODES));
        let task = Task { game: &game, moves: &moves, budget: &budget };
        black_box(bot.choose(&task, &mut NullObserver)).nodes
    })
    .iter()
    .sum()
}

library_benchmark_group!(name = counts, benchmarks = [perft_5, playouts_2000, alphabeta]);
main!(library_benchmark_groups = counts);
