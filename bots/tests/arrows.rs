//! The arrows of the package: bots know the protocol and never the arena, and only the session
//! prints.

#[path = "../../protocol/tests/sources/mod.rs"]
mod sources;

use sources::forbid;

#[test]
fn bots_never_know_the_arena() {
    forbid("src", &[], &["fanorona_arena"]);
}

#[test]
fn only_the_session_prints() {
    let words = ["println!", "print!", "stdout", "stderr"];
    let printers = ["src/session/", "src/program.rs"];
    forbid("src", &printers, &words);
    let files = ["src/endgame/", "src/solve/", "src/training/data.rs"];
    forbid("src", &[&printers[..], &files].concat(), &["std::io"]);
}

#[test]
fn only_some_parts_have_a_clock_or_threads() {
    let programs = ["bin/endgames/", "bin/solve.rs"];
    let parts = [
        "src/session/",
        "budget.rs",
        "bench.rs",
        "endgame/build/",
        "endgame/shelf.rs",
        "endgame/threads.rs",
    ];
    // Both searches have several threads; the tables they share are tested with some.
    let search = ["alphabeta/threads.rs", "alphabeta/table.rs", "mcts/player.rs"];
    let tables = ["endgame/tables.rs"];
    let exceptions = [&programs[..], &parts, &search, &tables].concat();
    forbid("src", &exceptions, &["Instant::now", "thread::"]);
}
