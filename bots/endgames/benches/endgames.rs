//! The speed of building and probing endgame tables.
//!
//! `cargo bench -p fanorona-endgames --bench endgames` prints numbers of the index per second for a
//! build, including its files, and positions per second for outcomes and values.

#[path = "../../../protocol/benches/measure/mod.rs"]
mod measure;

use std::hint::black_box;

use fanorona_endgames::{self as endgame, Plan, Tables};
use fanorona_protocol::rules::{BoardSize, Position, Ruleset};
use measure::Benchmarks;

const STONES: usize = 4;

/// The number of positions probed in one round.
const ASKED: u64 = 10_000;

fn main() {
    let benchmarks = Benchmarks::asked();
    let dir = tempfile::tempdir().expect("a directory for the tables");
    let plan = |name: &str| Plan {
        board: BoardSize::TSIVY,
        stones: STONES,
        only: Vec::new(),
        dir: dir.path().join(name),
        threads: 1,
        memory: 1 << 30,
    };
    endgame::build(&plan("kept"), &()).expect("tables");
    let tables = Tables::open(&dir.path().join("kept"), BoardSize::TSIVY, STONES).expect("tables");

    let numbers = tables.layers().map(|layer| tables.len(layer)).sum();
    benchmarks.time("build 4 stones on 9x5", numbers, || {
        let plan = plan("again");
        endgame::build(&plan, &()).expect("tables");
        std::fs::remove_dir_all(plan.dir).expect("the tables are there");
    });

    // Positions from the whole of the largest layer.
    let rules = Ruleset::default();
    let layer = tables.layers().last().expect("a layer");
    let step = tables.len(layer) / ASKED;
    let positions: Vec<Position> =
        (0..ASKED).map(|item| tables.position(layer, item * 7919 % ASKED * step)).collect();
    benchmarks.time("outcome", ASKED, || {
        for position in &positions {
            black_box(tables.outcome(position, &rules));
        }
    });
    benchmarks.time("value", ASKED, || {
        for position in &positions {
            black_box(tables.value(position, &rules).expect("a sound file"));
        }
    });
    // The same in memory, with one thread and with two that share the tables.
    let mut tables = tables;
    tables.unpack(layer, 1 << 30).expect("a sound file");
    for threads in [1, 2] {
        let ask = || {
            for position in &positions {
                black_box(tables.value(position, &rules).expect("a sound file"));
            }
        };
        benchmarks.time(&format!("value in memory, threads: {threads}"), ASKED * threads, || {
            std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(ask))));
        });
    }
}
