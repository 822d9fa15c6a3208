//! The speed of the rules: perft from start positions, and uniformly random playouts.
//!
//! `cargo bench -p fanorona-protocol` prints moves and playouts per second.

mod measure;

use fanorona_protocol::rules::{BoardSize, Effect, Position, Ruleset, Start, VelaStarter, perft};
use measure::Benchmarks;
use std::hint::black_box;

fn main() {
    let benchmarks = Benchmarks::asked();
    perfts(&benchmarks);
    playouts(&benchmarks);
}

fn perfts(benchmarks: &Benchmarks) {
    let rules = Ruleset::default();
    for (name, position, depth) in [
        ("riatra start 6", Start::TSIVY.riatra(), 6),
        ("vela start 9", Start::TSIVY.vela(VelaStarter::Debtor), 9),
        ("5x5 start 6", Position::start(BoardSize::DIMY), 6),
    ] {
        let moves = perft(&position, &rules, depth);
        benchmarks.time(&format!("perft of {name} ({moves} moves)"), moves, || {
            perft(black_box(&position), &rules, depth)
        });
    }
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

fn playouts(benchmarks: &Benchmarks) {
    let rules = Ruleset::default();
    let mut random = XorShift(0x1234_5678_9abc_def1);
    let mut moves = Vec::with_capacity(1024);
    for (name, start) in
        [("riatra", Start::TSIVY.riatra()), ("vela", Start::TSIVY.vela(VelaStarter::Debtor))]
    {
        benchmarks.time(&format!("playout of a {name}"), 1, || {
            playout(black_box(start), &rules, &mut random, &mut moves)
        });
    }
}
