//! The speed of the rules: perft from start positions, and uniformly random playouts.
//!
//! `cargo bench -p fanorona-protocol` prints moves and playouts per second as throughput.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use fanorona_protocol::rules::{BoardSize, Effect, Position, Ruleset, Start, VelaStarter, perft};
use std::hint::black_box;

fn perft_bench(c: &mut Criterion) {
    let rules = Ruleset::default();
    let mut group = c.benchmark_group("perft");
    group.sample_size(10);
    for (name, position, depth) in [
        ("riatra start 6", Start::TSIVY.riatra(), 6),
        ("vela start 9", Start::TSIVY.vela(VelaStarter::Debtor), 9),
        ("5x5 start 6", Position::start(BoardSize::DIMY), 6),
    ] {
        let moves = perft(&position, &rules, depth);
        group.throughput(Throughput::Elements(moves));
        group.bench_function(format!("{name} ({moves} moves)"), |b| {
            b.iter(|| perft(black_box(&position), &rules, depth));
        });
    }
    group.finish();
}

/// A small random number generator (xorshift64), so that the package does not depend on one.
struct XorShift(u64);

impl XorShift {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((u128::from(self.0) * n as u128) >> 64) as usize
    }
}

/// Plays uniformly random moves to the end, but no more than 300 plies. Returns the number of
/// plies.
fn playout(
    start: Position,
    rules: &Ruleset,
    random: &mut XorShift,
    moves: &mut Vec<Effect>,
) -> u32 {
    let mut position = start;
    for plies in 0..300 {
        moves.clear();
        position.visit_effects(rules, |effect| moves.push(effect));
        if moves.is_empty() {
            return plies;
        }
        position = position.apply_unchecked(moves[random.below(moves.len())]);
    }
    300
}

fn playouts(c: &mut Criterion) {
    let rules = Ruleset::default();
    let mut random = XorShift(0x1234_5678_9abc_def1);
    let mut moves = Vec::with_capacity(1024);
    let mut group = c.benchmark_group("playouts");
    group.throughput(Throughput::Elements(1));
    for (name, start) in
        [("riatra", Start::TSIVY.riatra()), ("vela", Start::TSIVY.vela(VelaStarter::Debtor))]
    {
        group.bench_function(name, |b| {
            b.iter(|| playout(black_box(start), &rules, &mut random, &mut moves));
        });
    }
    group.finish();
}

criterion_group!(benches, perft_bench, playouts);
criterion_main!(benches);
