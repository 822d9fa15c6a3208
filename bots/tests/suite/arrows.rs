//! Dependencies that Cargo does not check: only the session and the programs print, and only some
//! modules use clocks or threads.

use crate::sources::forbid;

const PACKAGES: [&str; 5] = ["src", "endgames/src", "solve/src", "training/src", "book/src"];

#[test]
fn only_the_session_and_the_programs_print() {
    let words = ["println!", "print!", "stdout", "stderr"];
    let printers = ["src/session/", "src/program.rs"];
    PACKAGES.iter().for_each(|package| forbid(package, &printers, &words));
    forbid("src", &[&printers[..], &["src/platform/"]].concat(), &["std::io"]);
    let files = ["src/program.rs", "src/data.rs"];
    forbid("training/src", &files, &["std::io"]);
    forbid("book/src", &["src/journal.rs"], &["std::io"]);
}

#[test]
fn only_some_parts_have_a_clock_or_threads() {
    let words = ["Instant::now", "thread::"];
    let parts = ["src/session/", "src/platform/", "budget.rs", "bench.rs"];
    // Both searches use threads, and so does a test of the transposition table.
    let search = ["alphabeta/threads.rs", "alphabeta/table.rs", "mcts/player.rs"];
    forbid("src", &[&parts[..], &search].concat(), &words);
    let tables = ["bin/endgames/", "src/threads.rs", "src/tables.rs"];
    forbid("endgames/src", &tables, &words);
    forbid("solve/src", &["bin/solve.rs", "run.rs", "parallel_search.rs"], &words);
    // Training works on every batch with all processors.
    forbid("training/src", &["src/network.rs"], &words);
    forbid("book/src", &["src/build.rs", "bin/book.rs"], &words);
}

#[test]
fn engines_use_the_machine_through_platform_alone() {
    let door = ["src/session/", "src/program.rs", "src/bin/", "src/platform/"];
    forbid("src", &door, &["std::fs", "std::process", "std::env", "Builder::", "time::Instant"]);
}
