//! The speed of `bot-mcts`: playouts alone, and with the tree around them.
//!
//! `cargo bench -p fanorona-bots --bench playouts` prints playouts per second as throughput.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fanorona_bots::bot::{Bot, NullObserver, RootMove, Task};
use fanorona_bots::budget::Budget;
use fanorona_bots::mcts::{Mcts, Playout, PlayoutRng, Rollout, Settings};
use fanorona_protocol::messages::Limits;
use fanorona_protocol::rules::{Game, Position, Ruleset, Start, VelaStarter};

/// Playouts of one search.
const NODES: u64 = 10_000;

fn starts() -> [(&'static str, Position); 2] {
    [("riatra", Start::TSIVY.riatra()), ("vela", Start::TSIVY.vela(VelaStarter::Debtor))]
}

fn playouts(c: &mut Criterion) {
    let rules = Ruleset::default();
    let usual = Settings::default().playout_length;
    let random = &mut PlayoutRng::new(0);
    let mut group = c.benchmark_group("playout");
    group.throughput(Throughput::Elements(1));
    for (name, start) in starts() {
        for (playout, length) in [
            (Playout::Uniform, 1000),
            (Playout::Weighted, 1000),
            (Playout::Greedy, 1000),
            (Playout::Uniform, usual),
            (Playout::Weighted, usual),
            (Playout::Greedy, usual),
        ] {
            group.bench_function(format!("{name} {playout:?} {length}"), |b| {
                let rollout = Rollout { length, ..Rollout::whole(&rules, playout) };
                b.iter(|| rollout.play(black_box(&start), random));
            });
        }
    }
    group.finish();
}

fn searches(c: &mut Criterion) {
    let rules = Ruleset::default();
    let mut group = c.benchmark_group("search");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    for (name, start) in starts() {
        let game = Game::new(rules, start);
        let moves = RootMove::all(&start, &rules);
        let budget = Budget::from_limits(&Limits::with_nodes(NODES));
        group.bench_function(name, |b| {
            b.iter_batched_ref(
                Mcts::new,
                |bot| {
                    let task = Task { game: &game, moves: &moves, budget: &budget };
                    bot.choose(&task, &mut NullObserver)
                },
                criterion::BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, playouts, searches);
criterion_main!(benches);
